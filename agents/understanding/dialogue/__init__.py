"""Undo, the focus coach, complaints and small talk: what a clause says about the talk itself."""

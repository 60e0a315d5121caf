"""Answers from what is stored: a question as values, and for each topic what the records say to it."""

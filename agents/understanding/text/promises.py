"""What one took on, or sighs about: "i told marco i'd send him the slides by noon", "my week is a mess: ..."."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)


def as_duties(text: str) -> str:
    """The same words with promises as duties of one's own, and without a sigh before them."""
    return P.OWED.sub(r"\g<lead>i need to send \g<who> ", P.PROMISED.sub(r"\g<lead>i need to ", P.BUSY.sub("", text)))

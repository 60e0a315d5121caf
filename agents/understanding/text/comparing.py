"""How much something matters, said by comparing: "make the passport less urgent", "bump the report to the top of my list"."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)


def outright(text: str) -> str:
    """The same wishes with the level itself: "set the passport to low priority"."""
    text = P.MADE.sub(lambda found: _set(found, high=found["less"].lower() == "more"), text)
    text = P.PLACED.sub(lambda found: _set(found, high=found["end"].lower() == "top"), text)
    return P.STANDS.sub(lambda found: found["lead"] + _set(found, high=found["less"].lower() == "more"), text)


def _set(found: re.Match[str], *, high: bool) -> str:
    return f"set {found['what']} to {'high' if high else 'low'} priority"

"""Lines that say something about other lines: headings, bullets, and details in a sentence of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)
LEVEL = P.LEVEL
DETAIL = P.DETAIL
TITLES = P.TITLES
LISTED = re.compile(rf"(?P<list>{P.LISTS.pattern})\s*[:-]\s+(?P<items>\S.*)", re.IGNORECASE | re.DOTALL)
NAMED = P.NAMED
HEADER = P.HEADER
BULLET = P.BULLET
DAY_HEADING = P.DAY_HEADING
ADDENDUM = P.ADDENDUM

NOUN = r"(?:note|idea|thought|question)"
NAMED_NOTE = rf"(?:the|my|that)\s+(?:{NOUN}\s+(?:about|on|with|for|saying)\s+(?P<about>[\w' -]{{2,60}}?)|(?P<called>[\w' -]{{2,60}}?)\s+{NOUN})"
NOTE_HEADING = re.compile(
    rf"(?:please\s+)?(?:(?:update|change|edit|amend|correct|fix|rewrite)|(?:add|append)\s+(?:this\s+)?to)\s+{NAMED_NOTE}",
    re.IGNORECASE,
)


def listed_below(name: str, lines: Sequence[str], at: int) -> str:
    """A list with its lines below it as one request: "groceries:" and what follows; empty for any other heading."""
    entries = [BULLET.sub("", line).strip() for line in lines[at + 1 :]]
    if not P.LISTS.fullmatch(name) or not entries:
        return ""
    return f"{name if name.lower().endswith('list') else f'{name} list'}: {', '.join(entries)}"

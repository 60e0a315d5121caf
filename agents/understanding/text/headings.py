"""Lines that say something about other lines: headings, bullets, and details in a sentence of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

LEVEL = re.compile(r"urgent|important|asap|high priority|low priority", re.IGNORECASE)
AMOUNT = (
    r"(?:about |abt |around |maybe |~ ?|takes |like |only |just |it'?s |that'?s )*"
    r"(?:\d+(?:\.\d)?|an?|half an|one|two|three|four|five|ten|fifteen|twenty|thirty|forty-?five|ninety)"
    r"\s?(?:m|min|mins|minutes?|h|hr|hrs|hours?)(?: tops| max| or so)?"
)
DETAIL = re.compile(
    rf"\s*(?:{AMOUNT}|(?:it'?s |that'?s |pretty |very |quite |really )*(?:urgent|important|asap|high|low|medium|easy|hard|"
    r"(?:high|low|medium|top)[ -]prio(?:rity)?|no rush|p[123]|no deadline)|due\s[^,.!?\n]{2,30})\s*(?=$|[.!?\n])",
    re.IGNORECASE,
)
TITLES = re.compile(
    r"(?:(?:please|pls|kindly|can you|could you|add|create|make|the|these|this|my|following|new|few|some|to[- ]?dos?|tasks?|to do(?: list)?|things|items)\s*)+$",
    re.IGNORECASE,
)
"""A heading that says no more than that tasks follow."""
LISTS = re.compile(
    r"(?:(?!one\b|another\b|something\b|here's\b)[\w' -]{0,30}\blist|shopping|groceries|grocery)", re.IGNORECASE
)
LISTED = re.compile(rf"(?P<list>{LISTS.pattern})\s*[:-]\s+(?P<items>\S.*)", re.IGNORECASE | re.DOTALL)
NAMED = re.compile(
    r"(?!(?:(?:my|the|our|for|to)\s+)?(?:tasks?|to[- ]?dos?|to do|add|note|idea|thought|question|remind|reminder|remember|journal|diary|log|schedule|calendar|plan|plans|today|tomorrow|tonight|"
    r"interests?|hobbies|ps|fyi|btw|so|ok|re|event|rule|always|never|done)\b)(?P<list>(?:(?:to|for|my|the|our)\s+)*[a-z][a-z'-]+(?:\s[a-z'-]+){0,2})\s*:\s+(?P<items>[^,:\n]{2,40}(?:,\s+[^,:\n]{2,40}){2,30})",
    re.IGNORECASE,
)
"""A word or two and at least three short things: "camping: tent, stove, sleeping bags"."""
HEADER = re.compile(r"[^\n:]{2,30}:\s*$")
BULLET = re.compile(r"^\s*(?:[-*•·]|\d{1,2}[.)])\s+")
DAY_HEADING = re.compile(
    r"\s*(?P<day>(?:on\s+)?(?:today|tomorrow|tmrw?|tomorow|tonight|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?))\s*:\s+(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
ADDENDUM = re.compile(r"\s*(?:event\s+notes?|location|details)\s*:", re.IGNORECASE)

NOUN = r"(?:note|idea|thought|question)"
NAMED_NOTE = rf"(?:the|my|that)\s+(?:{NOUN}\s+(?:about|on|with|for|saying)\s+(?P<about>[\w' -]{{2,60}}?)|(?P<called>[\w' -]{{2,60}}?)\s+{NOUN})"
NOTE_HEADING = re.compile(
    rf"(?:please\s+)?(?:(?:update|change|edit|amend|correct|fix|rewrite)|(?:add|append)\s+(?:this\s+)?to)\s+{NAMED_NOTE}",
    re.IGNORECASE,
)


def listed_below(name: str, lines: Sequence[str], at: int) -> str:
    """A list with its lines below it as one request: "groceries:" and what follows; empty for any other heading."""
    entries = [BULLET.sub("", line).strip() for line in lines[at + 1 :]]
    if not LISTS.fullmatch(name) or not entries:
        return ""
    return f"{name if name.lower().endswith('list') else f'{name} list'}: {', '.join(entries)}"

"""Self-corrections inside one message, carried out: "on tuesday no wait wednesday at ten"."""

from __future__ import annotations

import re

from agents.understanding.inflection import base_of_gerund
from agents.understanding.verbs import is_verb

REPAIR = re.compile(
    r"(?<![\w'.])(?P<old>[\w'.]{1,40}(?:\s[\w'.]{1,40})?)[\s,]{1,3}(?:no,?\s+wait|wait,?\s+no|uh,?\s+sorry|"
    r"no,?\s+sorry|sorry,?\s+i mean|sorry|or rather|no,?\s+i mean|scratch that|"
    r"no,?\s+make (?:that|it)|make that)[\s,]{1,3}(?P<new>[\w'.]{1,40}(?:\s[\w'.]{1,40})?)",
    re.IGNORECASE,
)
WEEKDAY = re.compile(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight", re.IGNORECASE)


DAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight)"
CLOCK = r"(?:\d{1,2}(?::\d\d)?(?:\s?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)"
DAY_REPAIR = re.compile(
    rf"\b(?:{DAY}[\s,]+(?:no|actually|i mean|er|rather)[\s,]+(?={DAY})|"
    rf"(?<=\bat ){CLOCK}[\s,]+(?:no|actually|i mean|er|rather)[\s,]+(?:at\s+)?(?={CLOCK}\b))",
    re.IGNORECASE,
)


NOT_DAY = re.compile(
    rf"\b(?P<old>{DAY})(?P<between>(?:\s+at\s+[\w:]+(?:\s(?:thirty|fifteen|forty-five))?)?)[\s,]+(?:(?:sorry|no|wait|oh|i mean)[\s,]+)+not\s+"
    rf"(?P=old)[\s,]+(?:but\s+)?(?P<new>{DAY})\b",
    re.IGNORECASE,
)


def without_restarts(text: str) -> str:
    """The text with the words before a repair replaced by the words after it."""
    text = NOT_DAY.sub(r"\g<new>\g<between>", text)
    return DAY_REPAIR.sub("", REPAIR.sub(_repaired, text))


def _repaired(match: re.Match[str]) -> str:
    old, new = match["old"].split(), match["new"].split()
    if WEEKDAY.fullmatch(old[-1]) and WEEKDAY.fullmatch(new[0]):
        return " ".join([*old[:-1], *new])
    if len(old) == len(new) == 2 and old[0].lower() == new[0].lower():
        return " ".join(new)
    return match[0]


POLITE = re.compile(r"\b(?:would|do) you mind\s+(?P<verb>[a-z]{2,20}ing)\b", re.IGNORECASE)
TO_LIST = re.compile(
    r"^(?P<what>[^\n]{2,200}?)\s*(?:->|=>|→)\s*(?:my\s+)?(?:to-?dos?|tasks?|(?:to-?do |task )?list)\s*$", re.IGNORECASE
)
TOPIC_LIST = re.compile(
    r"^(?:(?:okay|ok|so|hey|right|um|for the|my|the|on the|on my)\s+)*(?P<list>(?!to-?do\b|task\b|a\b|new\b|add\b|start\b|make\b|put\b|delete\b)(?:[\w'-]+\s){1,2})list[\s,:]+(?:please\s+)?"
    r"(?:add\s+(?P<items>[^.?!\n]{2,300})|(?<=shopping list )(?P<bought>(?!is\b|was\b|has\b|for\b|and\b|please\b)[^.?!\n]{2,200}\sand\s[^.?!\n]{2,60}))$",
    re.IGNORECASE,
)
NOT_THERE = re.compile(
    r"\b(?P<what>(?:the|my|our)\s[\w' -]{2,40}?)\s(?:isn't|is not|won't be|is no longer)\s(?:at|in|on)\s[\w' ]{2,50}?[\s,]+(?:it's|it'll be|but)\s"
    r"(?P<new>(?:at|in|on)\s[\w' ]{2,50})$",
    re.IGNORECASE,
)
TO_LEVEL = re.compile(
    r"\b(?:bring|take|knock|turn|put)\s(?P<what>it|that|this|that one)\s(?:back\s)?(?:down|up)\sto\s(?P<level>low|medium|high)\b(?:\spriority)?",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    rf"\bmake\s(?P<what>(?:the|my|our)\s[\w' -]{{2,30}}?)\s(?P<new>(?:(?:at|on|for)\s)?(?:{CLOCK}|{DAY})(?:\s\w+){{0,2}})\sinstead\b",
    re.IGNORECASE,
)
WANTED_LIST = re.compile(
    r"^(?:[\w']+\s){0,5}?(?:i need|i want|i'd like|we need|can i have)\s+a\s+(?:new\s+)?(?P<list>[\w'-]{2,20}\slist)(?=\s+(?:with|of|containing)\s)",
    re.IGNORECASE,
)
WHEN_ITS = re.compile(
    r"\bremind me when it's (?=(?:ten|quarter|half|twenty|five|noon|one|two|three|four|six|seven|eight|nine|\d)\b)",
    re.IGNORECASE,
)
DID_I_SAY = re.compile(
    r"\b(?:what time|when) did (?:you|i|we) say (?P<what>.{3,60}?) (?:was|is|starts)(?: again)?\??$", re.IGNORECASE
)
IN_TOWN = re.compile(
    r"\b(?P<what>(?!it's|he's|she's|that's|there's|who's)[a-z]{3,20})'s been(?=\s(?:moved|pushed|cancelled|canceled|postponed|brought|put|shifted)\b)",
    re.IGNORECASE,
)
FROM_TO = re.compile(
    r"\b(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\s(?P<hours>(?:one|two|three|four|six|seven|eight|nine|eleven|twelve)\s(?:to|till|until)\s"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon))\b",
    re.IGNORECASE,
)
THIS_DOWN = re.compile(
    r"^(?:(?:okay|so|hey|right|oh)\s+)*(?:i (?:just )?(?:want|need|have) to |let me |i should |i'd better )(?:write|jot|get|note) (?:this|that) down"
    r"(?: (?:quickly|before i (?:lose|forget) it))?[\s,:]+(?=\w+ \w+)",
    re.IGNORECASE,
)
DONE_THEN = re.compile(
    r"\b(?:can|could) we do (?P<what>it|that)(?=\s+(?:on|at|next|tomorrow)\b[^.?!]{2,60}\binstead\b)", re.IGNORECASE
)
OFF_CALENDAR = re.compile(
    r"\btake (?P<what>it|that|this|them) off (?:of )?(?:my|the|our) (?:calendar|diary|schedule)\b", re.IGNORECASE
)
ARROW = re.compile(r"^(?P<what>[^\n]{2,120}?)\s*(?:->|=>|→)\s*(?P<to>[^\n]{2,60})$")


def imperative(text: str) -> str:
    """Requests in roundabout forms as plain ones: "would you mind moving it", "report -> high"."""
    plain = POLITE.sub(lambda match: base_of_gerund(match["verb"].lower()) or match["verb"], text)
    listed = TOPIC_LIST.match(plain)
    if listed:
        return f"add {listed['items'] or listed['bought']} to my {listed['list']}list"
    plain = THIS_DOWN.sub("note that ", DONE_THEN.sub(r"move \g<what> to", OFF_CALENDAR.sub(r"delete \g<what>", plain)))
    plain = IN_TOWN.sub(
        r"\g<what> has been", WHEN_ITS.sub("remind me at ", DID_I_SAY.sub(r"what time is \g<what>", plain))
    )
    plain = FROM_TO.sub(r"\g<day> from \g<hours>", plain)
    plain = NOT_THERE.sub(r"\g<what> is \g<new> now", plain)
    plain = INSTEAD.sub(r"move \g<what> to \g<new>", TO_LEVEL.sub(r"set \g<what> to \g<level> priority", plain))
    plain = WANTED_LIST.sub(r"make a \g<list>", plain)
    kept = TO_LIST.match(plain)
    if kept:
        return f"add task: {kept['what']}"
    arrow = ARROW.match(plain)
    return f"set {arrow['what']} to {arrow['to']}" if arrow and not is_verb(arrow["what"].split()[0].lower()) else plain

"""Whether a clause is a standing wish without saying "always": it means a rule, and no single occasion."""

from __future__ import annotations

import re

from agents.policies import Tone, compiled

LASTING = re.compile(
    r"\b(?:always|never|every|each|all|any(?:thing|one)?|by default|automatically|from (?:now|here|today) on|nothing|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekends|weekdays|mornings|afternoons|evenings|nights|lunch(?:time)?|"
    r"meetings|events|appointments|calls|urgent tasks|new tasks|replies|answers|responses)\b|"
    r"\b(?:ask|check|confirm|consult|clear)\b.{0,25}\bbefore\b|\bbefore you\b|\bwithout (?:asking|checking|my)\b|\bdouble[\s-]?book|"
    r"\b(?:don't|do not) (?:schedule|book|plan|disturb|bother|ping|notify|nudge|work|remind)|\bdo[\s-]not[\s-]disturb\b|\bquiet (?:hours|time)\b|"
    r"\b(?:conflict|clash|overlap)|\bno (?:notifications?|pings?|nudges?)\b|^(?:please )?(?:be|stay) (?:brief|concise|short)|\bmy (?:ok|okay|permission|approval|confirmation)\b",
    re.IGNORECASE,
)
ONCE = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|this (?:week|morning|afternoon|evening|month|one|time|meeting|task)|next \w+|"
    r"(?:on|by) (?:the )?\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|"
    r"(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2})\b",
    re.IGNORECASE,
)
SOUND = re.compile(
    r"\b(?:answer|repl|respon|message|sentence|confirm|explain|talk|speak|brief|short|concise|terse|succinct|detail|emoji|"
    r"emoticon|smiley|chatty|wordy|verbose|chit|small|facts|rambl)",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"(?:what|when|where|who|which|how|is|are|am|do|does|did|have|has|was|were|why|should|show|list|tell)\b",
    re.IGNORECASE,
)
KEPT = re.compile(
    r"(?:(?:new|another|random|quick|an?)\s+)*(?:idea|thought|question|note)(?: to self)?\s*[:–-]", re.IGNORECASE
)
DROPPED = re.compile(
    r"(?:you\s+)?(?:no longer (?:need|have) to|(?:don't|do not) (?:need|have) to|needn't)\b.*|(?:forget|drop|remove|delete|scrap|ditch|lose|cancel|get rid of)\s.{1,100}\s(?:rule|instruction)$",
    re.IGNORECASE,
)
BULK = re.compile(
    r"\w+\s+(?:all|every|both|each)\b(?!.*\b(?:always|by default|automatically|new|before|without)\b)", re.IGNORECASE
)
ONE_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?!s)", re.IGNORECASE)
BLOCKS = re.compile(r"(?:block|reserve|protect|book|hold|keep|leave|save)\b", re.IGNORECASE)

DEFINES = re.compile(
    r"(?:(?:remember|note|so|and|please|from now on)[\s,]+(?:that\s+)?)*(?:when|if|whenever) i (?:say|write|type|mention|talk about|speak of|ask for)\s[^,]{1,60},?\s"
    r"(?:i(?:'m| am)? (?:always )?mean(?:ing)?|that means|it means|that's|it's|take it as|treat it as|read it as|think of)\s.{1,200}$",
    re.IGNORECASE,
)
"""What a word of the user's stands for: "when i say lunch i mean 12:30"."""
WHENEVER = re.compile(
    r"(?:please\s+)?(?:if|when|whenever|every time|each time|any time)\s+(?:something|anything|a(?:n|ny)?\s+(?:\w+\s)?(?:task|to-?do|event|meeting|appointment|reminder|deadline|thing|item)|i\s+(?:add|create|make|say|ask|mention|book|schedule))\b"
    r"[^.?!]{2,120}?,?\s(?:then\s|please\s|always\s|just\s|you should\s|make sure to\s)*(?:mark|set|make|put|ask|tell|give|flag|treat|use|add|remind|warn|assume|tag|check)\s[^?]{2,150}$",
    re.IGNORECASE,
)
"""A wish about every such case: "if something is urgent mark it high"."""


def defined(text: str) -> bool:
    """Whether a whole message is one rule, whatever its parts would be by themselves."""
    return DEFINES.match(text) is not None or WHENEVER.match(text) is not None


def _is_tone(said: str) -> bool:
    """Whether the words are about how replies sound: that is never meant for a single one."""
    rules = compiled(said) if not KEPT.match(said) and not ONCE.search(said) else ()
    return bool(rules) and all(isinstance(rule, Tone) for rule in rules)


def is_standing(text: str) -> bool:
    """Whether words mean a rule from now on."""
    said = text.strip()
    if defined(said):
        return True
    if SOUND.search(said) and _is_tone(said) and not DROPPED.match(said):
        return True
    if (
        KEPT.match(said)
        or DROPPED.match(said)
        or ASKING.match(said)
        or BULK.match(said)
        or ONCE.search(said)
        or not LASTING.search(said)
    ):
        return False
    if BLOCKS.match(said) and ONE_DAY.search(said) and not re.search(r"\b(?:every|each|always)\b", said, re.IGNORECASE):
        return False
    return bool(compiled(said))

"""Stretches of a text that are not read for time: set phrases with words of time in them, web addresses, file names."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered, folded

PHRASES = (
    r"(?<!\bon )(?<!\bby )(?<!\bdue )24/7",
    r"at the end of the day,? (?=(?:i|we|you|he|she|it|they|this|that|there|what|who|nobody|nothing|all)\b)",
    r"end of the day(?= is not | isn't | was )",
    r"month of sundays",
    r"saturday night (?:live|fever)",
    r"friday night lights",
    r"freaky friday",
    r"tuesdays with morrie",
    r"eight days a week(?= by | song| album)",
    r"(?:the )?9/11(?= (?:memorial|attacks?|museum|commission|victims|conspirac))",
    r"friday the 13th (?=movie|film|part)",
    r"thank (?:god|goodness|heavens?),? (?:it's|its|it is) (?:finally |already |almost )?\w+day",
    r"(?:girl|(?:my|his|her|our|their|a) man) friday",
    r"sunday best",
    r"turn(?:ed)? \w+ up to eleven",
    r"(?:the )?sunday (?:times|telegraph|express|mirror|post|papers?)",
    r"john 3:16",
    r"monday blues",
    r"(?:casual|dress-down|bloody|ruby) (?:friday|sunday|tuesday)s?",
    r"midsummer night's dream",
    r"midnight in paris",
    r"death in the afternoon",
    r"tomorrow (?:never (?:dies|comes)|is another day)",
    r"here today,? gone tomorrow",
    r"(?:like|as if) there(?:'s| is| was| were) no tomorrow",
    r"born yesterday",
    r"in a day's work",
    r"(?:7|seven)[ -]eleven(?! (?:minute|hour|day|week|month|year)s?\b)",
    r"not today,? (?:satan|thank)",
    r"(?:usa today|(?:the )?(?:today|tonight) show)",
    r"dec places",
    r"tuesday weld",
    r"wednesday addams",
    r"(?:tgi|t\.g\.i\.?) ?fri(?:day)?'?s",
    r"ruby tuesday'?s",
    r"(?:manic|blue) monday",
    r"sheffield wednesday",
    r"(?:the )?(?:twelve|12) days of christmas",
    r"(?:the )?(?:spring|summer|autumn|winter) (?:camps?|school|jobs?|internships?|fairs?|term|semester|collection|clean|cleaning|onions?|rolls?|coats?|tyres?|tires?)",
    # A place: nobody says "at" of a weekday.
    r"(?<=\bat )(?:mon|tues|wednes|thurs|fri|satur|sun)day'?s(?=$|[.,!?]|\s(?:on|at|with|for|next|this|tomorrow|tonight|in|by|before|after|every)\b)",
)
WEB = (
    r"(?:https?://|www\.)\S+",
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    r"[\w-]+\.(?:com|org|net|io)\b",
    r"[\w./-]*[\w-]\.(?:txt|pdf|jpe?g|png|docx?|xlsx?|pptx?|csv|md|html?|zip|mp[34])\b",
)
SET, ADDRESSES = (
    [Prefiltered(re.compile(rf"(?<![\w.+/-])(?:{pattern})\b", re.IGNORECASE)) for pattern in patterns]
    for patterns in (PHRASES, WEB)
)
ADDRESS = re.compile(r"[@/]|\.\w")
TOLD_NAME = re.compile(
    r"(?:to\s)?(?:text|tell|message|msg|email|e-mail|dm|whatsapp|inform|warn|notify|write(?: to)?|let)\s(?!me\b|us\b)[\w' ]{2,30}?\s(?:(?:that|know that|saying)\s|(?=(?:i|we|he|she|they|it|there)(?:'(?!d\b)\w+|\s(?:can|can't|cannot|could|won't|would|am|are|is|aren't|isn't|might|may))\s))"
    r"(?P<said>(?:(?!\sand\s(?:then|also|remind|add|book|call|buy|get|put|can|could|please)\b)[^.!?;])+)",
    re.IGNORECASE,
)
"""A message to somebody: "text april that june can't make it in may"."""
ABOUT = re.compile(
    r"\b(?:call|ring|phone|text|email|message|talk to|speak to|speak with|talk with|chat to|chat with|ask|write to|tell)\s(?!me\b|us\b)(?:[\w']+\s){1,4}?"
    r"(?P<topic>about\s(?:the\s)?(?:christmas|easter|halloween|thanksgiving|new year'?s?(?:\seve)?|valentine'?s(?:\sday)?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:this|next)\s(?:weekend|week|month|year)|the\sweekend|weekend|tomorrow))"
    r"(?=$|[.,!?]|\s(?:and|at|by|on|before|tomorrow|today|tonight|this|later|asap)\b)",
    re.IGNORECASE,
)
Span = tuple[int, int]


def passed_on(text: str) -> list[Span]:
    """Where the words stand that somebody shall be told: their times are no times of the task."""
    match = TOLD_NAME.match(text)
    return [match.span("said")] if match else []


def topics(text: str) -> list[Span]:
    """Where a day is what is talked about: "phone my brother about christmas"."""
    return [match.span("topic") for match in ABOUT.finditer(text)] if "about" in text.lower() else []


def unread(text: str) -> list[Span]:
    """The character spans to leave alone, by where they begin; they may overlap."""
    seen = folded(text)
    tried = [phrase for phrase in SET if phrase.may_match(seen)] + (ADDRESSES if ADDRESS.search(text) else [])
    return sorted(
        [*passed_on(text), *topics(text), *(match.span() for found in tried for match in found.pattern.finditer(text))]
    )

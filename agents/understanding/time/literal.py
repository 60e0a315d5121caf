"""Stretches of a text that are not read for time: set phrases with words of time in them, web addresses, file names."""

from __future__ import annotations

import re

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
    r"(?:girl|man) friday",
    r"sunday best",
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
)
WEB = (
    r"(?:https?://|www\.)\S+",
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+",
    r"[\w-]+\.(?:com|org|net|io)\b",
    r"[\w./-]*[\w-]\.(?:txt|pdf|jpe?g|png|docx?|xlsx?|pptx?|csv|md|html?|zip|mp[34])\b",
)
UNREAD = re.compile(
    "|".join(rf"(?<![\w.+/-])(?:{pattern})\b" for pattern in (*PHRASES, *WEB)),
    re.IGNORECASE,
)
Span = tuple[int, int]


def unread(text: str) -> list[Span]:
    """The character spans to leave alone, from left to right."""
    return [match.span() for match in UNREAD.finditer(text)]

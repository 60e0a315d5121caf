"""Words with their places: what the time chart and the title matcher read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.time.lexicon import FIRSTS, MONTH_NAME, MONTHS, SMALL, TENS

BEHIND_MONTH = "".join(rf"(?<!\b{name}\s)(?<!\b{name}\.\s)" for name in MONTHS)
WORD = re.compile(
    r"(?<=\d)[ap]m(?=(?:mon|tues|wednes|thurs|fri|satur|sun)day)|"  # 2pmTuesday, in haste
    r"[^\W\d_]+(?:['’][^\W\d_]+)*(?![-/+]|[^\W_]|['’][^\W\d_])|"  # a word that can be nothing else: most are, so it stands first
    rf"(?:{'|'.join(TENS)})-(?:{'|'.join((*SMALL[1:10], *FIRSTS[:9]))})(?!\w)|"  # twenty-three
    # 2026-11-20, 2026-11-20T15:00
    r"\d{4}(?P<iso>[-/.])\d{1,2}(?P=iso)\d{1,2}(?:T\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[-+]\d\d:?\d\d)?)?(?!\d)"
    r"|\d{8}T\d{4}(?:\d{2})?Z?(?!\w)"  # 20261120T1500
    r"|(?:utc|gmt)[-+]\d{1,2}(?![\d:])"  # utc+2
    rf"|\d{{1,4}}[-/.]{MONTH_NAME}[-/.]\d{{1,4}}(?!\w)"  # 20-nov-2026, 2026-nov-20
    rf"|{BEHIND_MONTH}\d{{1,2}}[-/]{MONTH_NAME}(?!\w)"  # 20-nov, but not of "oct 20-nov 3"
    rf"|(?<!\w){MONTH_NAME}[-/](?:\d{{1,2}}[-/]\d{{2,4}}|\d{{4}}[-/]\d{{1,2}})(?!\w)"  # nov-20-2026, nov-2026-20
    rf"|(?<!\w){MONTH_NAME}[-/]\d{{1,4}}(?![\w/]|-\d|\s+{MONTH_NAME})"  # nov/20, nov-2026, but not of "3 nov-2 dec"
    r"|(?<![\d-])(?:\d{4}-\d{2}|\d{1,2}-\d{4})(?![\d-])"  # 2026-11, 11-2026
    r"|\d{1,2}/\d{4}(?![\d/])"  # 11/2026
    r"|\d{1,2}(?P<sign>[-./])\d{1,2}(?P=sign)\d{2,4}(?!\d)"  # 20.11.2026, 11/20/26
    r"|\d{1,2}:\d{2}(?::\d{2})?(?!\d)"  # 15:00
    r"|\d{1,2}[hH]\d{2}(?!\d)"  # 9h15
    r"|\d{1,2}[aApP](?!\w|\.\s?m\b)"  # 7p, but not of "7p.m."
    r"|(?<![^\W_])p[1-3](?!\w)"  # p1, a priority: never the "p" of "5 p"
    r"|\d{1,2}/\d{1,2}(?![\d/])"  # 11/20
    r"|2(?:nite|moro|morrow)(?!\w)"
    r"|\d+\.\d+|\d+"
    r"|['’]till?(?!\w)"  # 'til
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*"
    r"|\S",
    re.IGNORECASE,
)
LONGEST_WORD = 40
CURLY = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})


@dataclass(frozen=True, slots=True)
class Token:
    """One word or sign in lower case; ``start`` and ``end`` are character offsets."""

    text: str
    start: int
    end: int


def plain(text: str) -> str:
    """The text with typographic quotes, dashes and spaces as on a keyboard; offsets stay the same."""
    return text.translate(CURLY)


def tokenize(text: str) -> list[Token]:
    """All tokens in order; a word of more than 40 characters is cut, it means nothing to any rule."""
    return [Token(match[0][:LONGEST_WORD].lower(), *match.span()) for match in WORD.finditer(plain(text))]


SUFFIXES = ("ings", "ing", "ies", "ed", "es", "s")
MIN_STEM = 3


def stem(word: str) -> str:
    """A word without its commonest endings, so that "grading" finds "grade" and "calls" finds "call"."""
    word = word.removesuffix("'s")
    for suffix in SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= MIN_STEM:
            word = word[: -len(suffix)] + ("y" if suffix == "ies" else "")
            break
    return word[:-1] if word.endswith("e") and len(word) > MIN_STEM else word

"""Sentences that speech runs together, and reasons that it adds: "they can't do seven they're coming at nine" is two."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of
from agents.understanding.text.filler import trim
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
SHORTEST = 4
SENTENCE_END, FEWEST_BEFORE, MOST_BEFORE = re.compile(r"[.!?]"), 8, 200
PASSED_ON = frozenset("tell ask let text message email say note remember remind check see".split())
"""What these begin may go on in a sentence: "tell jo on friday we're leaving"."""


def parted(text: str) -> str:
    """The text with a stop where one told sentence ends and the next begins."""
    return P.DONE_TOO.sub(_if_told_apart, P.BEGINS.sub(_if_whole, text))


def _if_told_apart(match: re.Match[str]) -> str:
    """A stop before what is told as done, unless the words before claim or await it."""
    before = SENTENCE_END.split(match.string[max(match.start() - MOST_BEFORE, 0) : match.start()])[-1]
    return match[0] if len(before) < FEWEST_BEFORE or P.CLAIMED.search(before) else ". "


def _if_whole(match: re.Match[str]) -> str:
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    if P.LEADS_ON.search(before):
        return match[0]
    told = len(before.split()) >= SHORTEST and not P.LEADS_ON.search(before) and is_statement(before)
    whole = told or P.DONE.fullmatch(before.strip()) is not None or P.NONE.fullmatch(before.strip()) is not None
    whole = whole or P.RANG.fullmatch(before.strip()) is not None or _asked_by_then(before, match.string[match.end() :])
    return ". " if whole else match[0]


def _asked_by_then(before: str, after: str) -> bool:
    """Whether words ask for a deed and end with its time: "call my sister at eight" before "she's got class".

    A length behind them belongs to the deed: "he said he'd need two hours".
    """
    first = trim(before).partition(" ")[0].lower()
    return (
        is_verb(first)
        and first not in PASSED_ON
        and P.ENDS_TIMED.search(before) is not None
        and not P.LENGTH.search(after)
    )


def unreasoned(text: str) -> str:
    """The text without the reason given for moving or dropping something: it is no request and no news."""
    return P.DATED_REASON.sub(r"\g<deed>", P.REASON.sub(r"\g<deed>", text))

"""Stops in speech without punctuation: where a told story ends and what is asked about it begins."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered
from agents.understanding.grammar import patterns_of
from agents.understanding.text.run_on import parted, unreasoned
from agents.understanding.text.statements import is_statement

P = patterns_of(__name__)
SHORTEST = 5
PAUSES = tuple(
    Prefiltered(pause)
    for pause in (
        P.OFF_LIST,
        P.NOW_THAT,
        P.SO_NOW,
        P.IS_DONE,
        P.ALSO_DID,
        P.FINISHED,
        P.REASON,
        P.TOLD_NEXT,
        P.DATED_NEXT,
        P.LASTING,
        P.LEVELLED,
        P.THINKING,
        P.MEANING,
    )
)


def stopped(text: str) -> str:
    """The text with a full stop where speech turns from a story to a request about it; written text stays as it is."""
    text = unreasoned(text)
    if P.PUNCTUATED.search(text) or P.STANDING.search(text):
        return text
    text = P.PUT_DOWN.sub(_added, text)
    for pause in PAUSES:
        text = pause.sub(_stop, text)
    text = parted(text)
    return P.POLITE_QUESTION.sub(_if_story, P.NEEDED.sub(_if_told, P.ASKED_AFTER.sub(_if_free, text)))


def _added(match: re.Match[str]) -> str:
    """A spoken "put down" as an addition."""
    return ". add " if match.start() else "add "


def _stop(match: re.Match[str]) -> str:
    before, after = match.string[: match.start()].rsplit(". ", 1)[-1], match.string[match.end() :]
    if after.startswith("should") and P.SUBJECT.fullmatch(before.rsplit(" and ", 1)[-1].strip()):
        return match[0]
    what = match.groupdict().get("what")
    return f". {what} is " if what else ". "


def _if_free(match: re.Match[str]) -> str:
    """A stop unless the words before go on into the verb: "he wants to move it"."""
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    joined = match[0].strip().lower()
    if len(before.split()) < SHORTEST - 1 or (P.LEADS_ON.search(before) and not joined):
        return match[0]
    return match[0] if P.LEADS_ON.search(before) else ". "


def _if_told(match: re.Match[str]) -> str:
    """A stop when the words before are a story of their own."""
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    joined = P.JOINS.search(before) or P.LEADS_ON.search(before)
    free = len(before.split()) >= SHORTEST - 1 and not joined and is_statement(before)
    return ". " if free else match[0]


def _if_story(match: re.Match[str]) -> str:
    """A stop before a question or a wish that a story led to: "i'm so wired right now give me the hardest thing"."""
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    return match[0] if P.ASKS_ON.search(before) else _if_told(match)

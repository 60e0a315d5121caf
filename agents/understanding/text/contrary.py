"""Requests that contradict themselves: "book gym at 5 and don't book gym" is asked about before anything is done."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of
from agents.understanding.references import alike, words_of

P = patterns_of(__name__)
MAKING = frozenset("add book schedule create make put set plan remind buy arrange note start".split())
THAT = frozenset("it that this them".split())
ENDING = 80


def dropped(text: str) -> bool:
    """Whether a message ends by taking all of it back: "add milk... actually never mind"."""
    end = P.DROPPED.search(text[-ENDING:])
    return end is not None and text[: len(text) - len(end[0])].strip(" ,.;!?-") != ""


def contradicted(text: str) -> str | None:
    """The request that the rest of the message takes back; None when nothing contradicts it."""
    match = P.TURN.fullmatch(text.strip())
    if match is None:
        return None
    do = P.LEAD.sub("", match["do"]).lower().split()
    undo = match["undo"].lower().split()
    if match["not"].lower() in ("don't", "do not", "dont", "never"):
        # "don't forget" and every other verb than the one before ask for something else.
        return match["do"] if do[0] == undo[0] and _same(" ".join(undo[1:]), " ".join(do[1:])) else None
    return match["do"] if do[0] in MAKING and _same(match["undo"], " ".join(do[1:])) else None


def _same(undone: str, done: str) -> bool:
    if not undone or set(undone.split()) <= THAT:
        return not undone or undone in THAT
    have = words_of(done)
    return all(any(alike(word, other) for other in have) for word in words_of(undone))

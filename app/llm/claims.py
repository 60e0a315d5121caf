"""A model's own words on their way to the user: what claims a change is left out, counted and logged by its reason."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass

from agents.grounding.prose import about_kept, claim_in, sentences, whole
from agents.phrases import side_by_side
from app.counters import DROPPED_SENTENCES
from app.llm.faults import ModelFailed
from app.llm.plain_text import spoken

log = logging.getLogger(__name__)

LONGEST_SENTENCE = 2000
"""Characters: more than a sentence has."""
SALUTATION_WORDS = 6


@dataclass
class ClaimFilter:
    """Lets pass what claims no change; in a ``letter``, after a salutation, the user is who speaks."""

    drafts: bool = False
    letter: bool = False

    def passes(self, sentence: str) -> bool:
        """Whether a sentence may be said."""
        reason = claim_in(sentence)
        if reason and self.letter and not about_kept(sentence):
            reason = None
        if reason:
            DROPPED_SENTENCES.labels(reason).inc()
            log.info("a sentence of the language model was left out, as it claims a change: %s", reason)
        self.letter = self.letter or (self.drafts and _salutation(sentence))
        return reason is None


def said(text: str, longest: int) -> str:
    """The sentences of a text that may be said, with their lines as they are."""
    return side_by_side(filter(ClaimFilter().passes, sentences(text[:longest])))


async def released(pieces: AsyncGenerator[str, None], most: int) -> AsyncGenerator[str, None]:
    """Sentences that may be said, each as soon as it is whole; raises ModelFailed after ``most`` characters."""
    rest, check = "", ClaimFilter(drafts=True)
    async with aclosing(spoken(pieces)) as words:
        async for piece in words:
            most -= len(piece)
            if most < 0 or len(rest) > LONGEST_SENTENCE:
                raise ModelFailed("nonsense")
            done, rest = whole(rest + piece)
            for sentence in filter(check.passes, done):
                yield sentence
    if rest.strip() and check.passes(rest):
        yield rest.strip()


def _salutation(sentence: str) -> bool:
    """Whether a line greets somebody: a letter begins, and is not about what was done here."""
    line = sentence.rstrip(" ")
    return line.endswith("\n") and line.rstrip().endswith(",") and len(line.split()) <= SALUTATION_WORDS

"""Memory as the doors and the recall agent use it: search, and answers that quote."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID
from zoneinfo import ZoneInfo

from agents.contract import Citation
from agents.conventions import Conventions
from agents.ports import Recollection
from app.memory.answering import NOTHING, Answering
from app.memory.floors import answers
from app.memory.fusion import Cues, Ranked, ranked
from app.memory.kinds import Kind, over_all
from app.memory.times import time_named
from app.memory.wording import words_in
from app.ports.memory import Asked, Embedders, Found, MemoryIndex, NoEmbeddings, Progress, Query

NEARLY_AS_GOOD = 0.85
"""Share of the best score that further quotes of an answer have, at least."""
QUERY_SECONDS = 10.0
LONGEST = 2000
"""Characters of a question that are searched for."""


class Memory:
    """Finds and quotes what was said or kept; each quote stands in its document word for word."""

    def __init__(
        self,
        index: MemoryIndex,
        embedders: Embedders,
        query_seconds: float = QUERY_SECONDS,
        answering: Answering | None = None,
    ) -> None:
        self._index = index
        self._embedders = embedders
        self._answering = answering
        self._query_seconds = query_seconds

    async def progress(self, user_id: UUID) -> Progress:
        """How far the user's memory is with the model that is wanted now."""
        wanted = (await self._embedders.of(user_id))[0]
        return await self._index.progress(user_id, wanted.model)

    async def search(self, user_id: UUID, asked: Asked) -> tuple[list[Citation], bool]:
        """The best units, the best first; False with them when meaning was not searched, only words."""
        found, order = await self._found(user_id, asked)
        return [_cited(one) for one in order[: asked.limit]], _by_meaning(found)

    async def ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        """The answer by quotes, in a model's words where the user has one, or that there is none; and the same."""
        whole = over_all(asked.text[:LONGEST])
        if whole:
            return await self._over_all(user_id, replace(asked, text=whole.topic), whole.kind)
        found, order = await self._found(user_id, asked)
        fit = [one for one in order if answers(found, one.candidate)]
        if fit and self._answering and (worded := await self._answering.word(asked, [_cited(one) for one in order])):
            return worded.model_copy(update={"citations": worded.citations[: asked.limit]}), _by_meaning(found)
        told = _once([one for one in fit if one.score >= NEARLY_AS_GOOD * fit[0].score])[: asked.limit]
        citations = [_cited(one) for one in told]
        answer = Recollection(answer=_answer(citations, asked.timezone), found=bool(told), citations=citations)
        return answer, _by_meaning(found)

    async def _over_all(self, user_id: UUID, asked: Asked, kind: Kind) -> tuple[Recollection, bool]:
        """The first or the last that was said of something, or how often it was: by all that matches."""
        found, order = await self._found(user_id, asked)
        fit = _once([one for one in order if answers(found, one.candidate)])
        told = sorted((_cited(one) for one in fit), key=lambda one: one.captured_at, reverse=kind != "first")
        shown = told[: asked.limit] if kind == "often" else told[:1]
        answer = _answer(shown, asked.timezone)
        if told and kind == "often":
            answer = f"{_times(len({(one.source, one.id) for one in told}))}. {answer}"
        return Recollection(answer=answer, found=bool(told), citations=shown), _by_meaning(found)

    async def recollect(
        self, user_id: str, question: str, at: datetime, timezone: str, conventions: Conventions
    ) -> Recollection:
        """The answer to a question that is asked in a conversation."""
        return (await self.ask(UUID(user_id), Asked(question, at, timezone, conventions)))[0]

    async def _found(self, user_id: UUID, asked: Asked) -> tuple[Found, list[Ranked]]:
        words = asked.text[:LONGEST]
        vector, model = await self._vector(user_id, words)
        found = await self._index.search(user_id, Query(words, vector, model, asked.since, asked.until))
        since, until = time_named(words, asked.at, asked.timezone, asked.conventions)
        return found, ranked(found.candidates, Cues(words_in(words), since, until, asked.at))

    async def _vector(self, user_id: UUID, words: str) -> tuple[Sequence[float] | None, str]:
        model = await self._index.model_of(user_id)
        embedder = next((one for one in await self._embedders.of(user_id) if one.model == model), None)
        if embedder is None:
            return None, ""
        try:
            async with asyncio.timeout(self._query_seconds):
                [vector] = await embedder.embed([words])
        except (NoEmbeddings, TimeoutError):
            return None, ""
        return vector, model


def _by_meaning(found: Found) -> bool:
    return any(one.dense is not None for one in found.candidates)


def _once(found: Sequence[Ranked]) -> list[Ranked]:
    """Those whose words no better one has already: a note and the message that made it say the same."""
    kept: list[Ranked] = []
    for one in found:
        words = one.candidate.unit.text.casefold()
        others = [other.candidate.unit.text.casefold() for other in kept]
        if not any(words in other or other in words for other in others):
            kept.append(one)
    return kept


def _cited(one: Ranked) -> Citation:
    candidate, unit = one.candidate, one.candidate.unit
    return Citation(
        source=candidate.source,
        id=candidate.document,
        start_char=unit.start_char,
        end_char=unit.end_char,
        start_ms=unit.start_ms,
        end_ms=unit.end_ms,
        quote=unit.text,
        captured_at=candidate.captured_at,
    )


def _times(count: int) -> str:
    return {1: "Once", 2: "Twice"}.get(count, f"{count} times")


def _answer(citations: Sequence[Citation], timezone: str) -> str:
    if not citations:
        return NOTHING
    zone = ZoneInfo(timezone)
    days = [one.captured_at.astimezone(zone) for one in citations]
    return " ".join(f"On {day:%-d %B %Y}: \u201c{one.quote}\u201d" for day, one in zip(days, citations, strict=True))

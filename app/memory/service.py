"""Memory as the doors and the recall agent use it: search, and answers that quote."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from agents.contract import Citation
from agents.conventions import Conventions
from agents.ports import Recollection
from agents.remembering import OverAll, over_all
from app.memory.answering import NOTHING, SHORT, Answering
from app.memory.citing import cited
from app.memory.floors import answers
from app.memory.following import readings
from app.memory.fusion import Cues, Ranked, ranked
from app.memory.landmarks import Landmark, bounded, landmark_in
from app.memory.matches import matches
from app.memory.quoting import day_of, quote_all, quote_versions
from app.memory.times import time_named, without_time
from app.memory.versions import versions_of
from app.memory.wording import words_in
from app.ports.memory import Asked, Embedders, Found, FreshIndex, Match, MemoryIndex, NoEmbeddings, Progress, Query
from app.ports.runs import NoThought

log = logging.getLogger(__name__)

FAILED = Recollection(answer=NOTHING, found=False, without_model=True)
NEARLY_AS_GOOD = 0.85
"""Share of the best score that further quotes of an answer have, at least."""
MOST_COMPARED = 20
"""Of the best units, those that may be about the same thing as the best one."""
MOST_VERSIONS = 3
"""Of what was said of one thing over time, the latest that are told."""
QUERY_SECONDS = 10.0
DIGEST_SENTENCES = "three to eight sentences, in the order of time,"
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
        fresh: FreshIndex | None = None,
    ) -> None:
        self._index = index
        self._embedders = embedders
        self._answering = answering
        self._query_seconds = query_seconds
        self._fresh = fresh

    async def progress(self, user_id: UUID) -> Progress:
        """How far the user's memory is with the model that is wanted now."""
        wanted = (await self._embedders.of(user_id))[0]
        return await self._index.progress(user_id, wanted.model)

    async def search(self, user_id: UUID, asked: Asked) -> tuple[list[Match], bool]:
        """What is near, the best first; False with it when meaning was not searched, only words."""
        await self._catch_up(user_id)
        found, order = await self._found(user_id, asked)
        return matches(found, order)[: asked.limit], _by_meaning(found)

    async def ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        """The answer by quotes, in a model's words where the user has one, or that there is none; and the same."""
        await self._catch_up(user_id)
        told, by_meaning = Recollection(answer=NOTHING, found=False), False
        for one in readings(asked):
            told, by_meaning = await self._placed(user_id, one)
            if told.found:
                break
        return told, by_meaning

    async def _placed(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        """A time that hangs on something said ("before I moved") is looked for first, and told with the answer."""
        landmark = _landmark(asked)
        if landmark is None:
            return await self._ask(user_id, asked)
        sentence = await self._said(user_id, replace(asked, text=landmark.what))
        placed = bounded(asked, landmark, sentence.captured_at) if sentence else asked
        answer, by_meaning = await self._ask(user_id, placed)
        told = f"{_where(landmark, sentence, asked.timezone)} {answer.answer}"
        citations = [*answer.citations, sentence] if sentence else answer.citations
        return answer.model_copy(update={"answer": told, "citations": citations}), by_meaning

    async def _said(self, user_id: UUID, asked: Asked) -> Citation | None:
        """The sentence that says something best, where one says it."""
        found, order = await self._found(user_id, asked)
        return next((cited(one) for one in order if answers(found, one.candidate)), None)

    async def _ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        whole = over_all(asked.text[:LONGEST])
        if whole:
            return await self._over_all(user_id, asked, whole)
        found, order = await self._found(user_id, asked)
        fit = [one for one in order if answers(found, one.candidate)]
        worded = await self._worded(asked, [cited(one) for one in order], SHORT) if fit else None
        if worded and worded.by_model:
            return worded, _by_meaning(found)
        answer = await self._quoted(user_id, asked, order, fit)
        return answer.model_copy(update={"without_model": worded is not None}), _by_meaning(found)

    async def _quoted(
        self, user_id: UUID, asked: Asked, order: Sequence[Ranked], fit: Sequence[Ranked]
    ) -> Recollection:
        """The best quotes: what was said last of the thing, what was said of it before, and what else is as good."""
        if not fit:
            return Recollection(answer=NOTHING, found=False)
        best, compared = fit[0], order[:MOST_COMPARED]
        versions = versions_of(best, compared, fit, await self._alike(user_id, best, compared))
        known = [versions.latest, *versions.before]
        good = [one for one in fit if one.score >= NEARLY_AS_GOOD * best.score and one not in known]
        told = _once([*_once(known)[:MOST_VERSIONS], *filter(None, [versions.later]), *good])[: asked.limit]
        return Recollection(
            answer=quote_versions(told, versions, asked.timezone), found=True, citations=[*map(cited, told)]
        )

    async def _alike(self, user_id: UUID, best: Ranked, others: Sequence[Ranked]) -> dict[int, float]:
        """How near others are to the best in meaning, where meanings were compared."""
        if best.candidate.dense is None:
            return {}
        model = await self._index.model_of(user_id)
        return await self._index.alike(user_id, model, best.candidate.id, [one.candidate.id for one in others])

    async def _catch_up(self, user_id: UUID) -> None:
        if self._fresh:
            await self._fresh.catch_up(user_id)

    async def _worded(self, asked: Asked, best: Sequence[Citation], length: str) -> Recollection | None:
        """The answer in a model's words; one that is not by a model where that failed, and None where there is none."""
        try:
            wanted = self._answering is not None and not asked.in_quotes
            worded = await self._answering.word(asked, best, length) if self._answering and wanted else None
        except NoThought as failure:
            log.warning("the language model failed at an answer from memory: %s", failure.kind)
            return FAILED
        return worded.model_copy(update={"citations": worded.citations[: asked.limit]}) if worded else None

    async def _over_all(self, user_id: UUID, asked: Asked, whole: OverAll) -> tuple[Recollection, bool]:
        """The first, the last or all that was said of something, or how often it was: by all that matches."""
        found, order = await self._found(user_id, _about(asked, whole))
        fit = _once([one for one in order if answers(found, one.candidate)])
        if whole.kind == "digest":
            return await self._digest(asked, fit), _by_meaning(found)
        told = sorted((cited(one) for one in fit), key=_when, reverse=whole.kind != "first")
        shown = told[: asked.limit] if whole.kind == "often" else told[:1]
        answer = quote_all(shown, asked.timezone)
        if told and whole.kind == "often":
            answer = f"{_times(_places(told))}. {answer}"
        return Recollection(answer=answer, found=bool(told), citations=shown), _by_meaning(found)

    async def _digest(self, asked: Asked, fit: Sequence[Ranked]) -> Recollection:
        """What was said of something over time: in a model's words, or the most telling quote of each stretch of it."""
        best = [cited(one) for one in fit]
        worded = await self._worded(asked, best, DIGEST_SENTENCES) if fit else None
        if worded and worded.by_model:
            return worded
        shown = sorted((cited(one) for one in _spread(fit, asked.limit)), key=_when)
        answer = quote_all(shown, asked.timezone)
        if len(fit) > len(shown):
            first, last = (day_of(pick(best, key=_when), asked.timezone) for pick in (min, max))
            answer = f"You said {len(fit)} things about it, from {first} to {last}; {len(shown)} of them: {answer}"
        failed = worded is not None
        return Recollection(answer=answer, found=bool(shown), citations=shown, without_model=failed)

    async def recollect(
        self, user_id: str, question: str, at: datetime, timezone: str, conventions: Conventions
    ) -> Recollection:
        """The answer to a question that is asked in a conversation."""
        return (await self.ask(UUID(user_id), Asked(question, at, timezone, conventions)))[0]

    async def quote(
        self, user_id: str, question: str, at: datetime, timezone: str, conventions: Conventions
    ) -> Recollection:
        """The same in quotes only."""
        return (await self.ask(UUID(user_id), Asked(question, at, timezone, conventions, in_quotes=True)))[0]

    async def _found(self, user_id: UUID, asked: Asked) -> tuple[Found, list[Ranked]]:
        words = asked.text[:LONGEST]
        vector, model = await self._vector(user_id, words)
        found = await self._index.search(user_id, Query(words, vector, model, asked.since, asked.until))
        if asked.asked_in:
            found = replace(found, candidates=[one for one in found.candidates if one.document != asked.asked_in])
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


def _landmark(asked: Asked) -> Landmark | None:
    """What the time of a question hangs on, where no date is named."""
    words = asked.text[:LONGEST]
    landmark = landmark_in(words)
    if landmark is None or any(time_named(words, asked.at, asked.timezone, asked.conventions)):
        return None
    return landmark


def _where(landmark: Landmark, sentence: Citation | None, timezone: str) -> str:
    """What an answer begins with: which time it is about, and how that is known."""
    if sentence is None:
        return f"I don't know when \u201c{landmark.what}\u201d was, so I looked at all times."
    side = "Before" if landmark.is_end else "Since"
    return f"{side} {day_of(sentence, timezone)} (\u201c{sentence.quote}\u201d):"


def _about(asked: Asked, whole: OverAll) -> Asked:
    """The same over what was said of the topic; where all of it counts, the time that its words name is a limit."""
    if whole.kind in ("first", "last"):
        return replace(asked, text=whole.topic)
    at = (asked.at, asked.timezone, asked.conventions)
    since, until = time_named(whole.topic, *at)
    return replace(asked, text=without_time(whole.topic, *at), since=asked.since or since, until=asked.until or until)


def _spread(fit: Sequence[Ranked], most: int) -> list[Ranked]:
    """The best of each of so many stretches of time that hold equally many."""
    ordered = sorted(fit, key=lambda one: one.candidate.captured_at)
    count = min(most, len(ordered))
    parts = [ordered[place * len(ordered) // count : (place + 1) * len(ordered) // count] for place in range(count)]
    return [max(part, key=lambda one: one.score) for part in parts]


def _when(one: Citation) -> datetime:
    return one.captured_at


def _places(told: Sequence[Citation]) -> int:
    return len({(one.source, one.id) for one in told})


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


def _times(count: int) -> str:
    return {1: "Once", 2: "Twice"}.get(count, f"{count} times")

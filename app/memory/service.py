"""Memory as the doors and the recall agent use it: search, and answers that quote."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from agents.contract import Citation
from agents.conventions import Conventions
from agents.ports import Exchange, Recollection
from agents.user_words.remembering import Kind, OverAll, doing_over_all, over_all
from app.memory.answering import NO_ANSWER, SHORT_ANSWER, Answering
from app.memory.changing import later_statements
from app.memory.citing import with_own_time
from app.memory.floors import has_enough_evidence
from app.memory.following import readings
from app.memory.fusion import Cues, Ranked, rank_candidates
from app.memory.indexing import Indexer
from app.memory.landmarks import Landmark, apply_landmark, landmark_in
from app.memory.matches import matches
from app.memory.model.memory import About, Asked, Embedders, Found, Match, Progress, Query, StatementScorer
from app.memory.names import names_of, swap_names
from app.memory.narrowing import narrow, parts_of
from app.memory.quoting import day_of, quote_all, quote_versions, say_closest
from app.memory.selecting import MOST_COMPARED, Selected, select
from app.memory.store.memory import MemoryIndex
from app.memory.stretches import Stretch, stretch_in, tell_days
from app.memory.times import time_named, without_time
from app.memory.units import Span
from app.memory.versions import LEAST_ALIKE, versions_of
from app.memory.wording import embedding_text, words_in
from app.models.model.embeddings import NoEmbeddings
from app.models.model.thinking import NoThought

log = logging.getLogger(__name__)

MODEL_FAILED = Recollection(answer=NO_ANSWER, found=False, without_model=True)
QUERY_SECONDS = 10.0
DIGEST_SENTENCES = "three to eight sentences, in the order of time,"
MAX_QUESTION_CHARS = 2000
"""Characters of a question that are searched for."""


@dataclass(frozen=True, slots=True)
class Marks:
    """From which chance on a unit answers, is told as what comes closest, and holds in place of an earlier one.

    With other names for somebody a question is asked ``names`` times more, at most.

    ``quotes`` are the most of an answer; behind the best one they have at least the share ``further`` of its chance.
    Of a stretch of time ``stretch_documents`` are looked at, the latest, and ``stretch_quotes`` are told.
    """

    answer: float = 0.56
    closest: float = 0.22
    change: float = 0.15
    names: int = 3
    quotes: int = 3
    further: float = 0.5
    stretch_documents: int = 500
    stretch_quotes: int = 12


class Memory:
    """Finds and quotes what was said or kept; each quote stands in its document word for word."""

    def __init__(
        self,
        index: MemoryIndex,
        embedders: Embedders,
        query_seconds: float = QUERY_SECONDS,
        answering: Answering | None = None,
        fresh: Indexer | None = None,
        marks: Marks | None = None,
        scorer: StatementScorer | None = None,
    ) -> None:
        self._index = index
        self._embedders = embedders
        self._answering = answering
        self._query_seconds = query_seconds
        self._fresh = fresh
        self._marks = marks or Marks()
        self._scorer = scorer

    async def progress(self, user_id: UUID) -> Progress:
        """How far the user's memory is with the model that is wanted now."""
        wanted = (await self._embedders.of(user_id))[0]
        return await self._index.progress(user_id, wanted.model)

    async def search(self, user_id: UUID, asked: Asked) -> tuple[list[Match], bool]:
        """What is near, the best first; False with it when meaning was not searched, only words."""
        await self._catch_up(user_id)
        found, order = await self._search_ranked(user_id, asked)
        return matches(found, order)[: asked.limit], _by_meaning(found)

    async def about(self, user_id: UUID, subject: str, limit: int, cursor: str | None) -> About:
        """What was said of a person or a thing, or by them, the latest first. Raises InvalidInput."""
        await self._catch_up(user_id)
        names = names_of(subject, await self._index.facts(user_id))
        return await self._index.about(user_id, names, limit, cursor)

    async def ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        """The answer by quotes, in a model's words where the user has one, or that there is none.

        With it, as in ``search``: False when meaning was not searched, only words or days.
        """
        await self._catch_up(user_id)
        answers = [(Recollection(answer=NO_ANSWER, found=False), False)]
        async for one in self._readings(user_id, asked):
            answers.append(await self._ask_with_landmark(user_id, one))
            if answers[-1][0].found:
                return answers[-1]
        return next((one for one in answers if one[0].citations), answers[-1])

    async def _readings(self, user_id: UUID, asked: Asked) -> AsyncIterator[Asked]:
        """What a question may mean, in turn; then the same with the other names that facts give somebody."""
        meant = list(readings(asked))
        for one in meant:
            yield one
        facts = await self._index.facts(user_id)
        for text in [again for one in meant for again in swap_names(one.text, facts)][: self._marks.names]:
            yield replace(asked, text=text)

    async def _ask_with_landmark(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        """A time that hangs on something said ("before I moved") is looked for first, and told with the answer."""
        landmark = _landmark(asked)
        if landmark is None:
            return await self._ask(user_id, asked)
        sentence = await self._find_statement(user_id, replace(asked, text=landmark.what))
        placed = apply_landmark(asked, landmark, sentence.captured_at) if sentence else asked
        answer, by_meaning = await self._ask(user_id, placed)
        told = f"{_where(landmark, sentence, asked.timezone)} {answer.answer}"
        citations = [*answer.citations, sentence] if sentence else answer.citations
        return answer.model_copy(update={"answer": told, "citations": citations}), by_meaning

    async def _find_statement(self, user_id: UUID, asked: Asked) -> Citation | None:
        """The sentence that says something best, where one says it."""
        found, order = await self._search_ranked(user_id, asked)
        return next((one.citation for one in order if has_enough_evidence(found, one.candidate)), None)

    async def _ask(self, user_id: UUID, asked: Asked) -> tuple[Recollection, bool]:
        whole = over_all(asked.text[:MAX_QUESTION_CHARS])
        if whole:
            return await self._over_all(user_id, asked, whole)
        if stretch := stretch_in(asked):
            return await self._of_stretch(user_id, asked, stretch), False
        doing = doing_over_all(asked.text[:MAX_QUESTION_CHARS])
        if doing:
            asked = _within_its_time(asked, doing.topic)
        found, order = await self._search_ranked(user_id, asked)
        selected = await self._select(asked.text[:MAX_QUESTION_CHARS], found, order[:MOST_COMPARED])
        near = [one for one in selected if one.chance >= self._marks.closest]
        if doing and near:
            return await self._answer_how_often(user_id, asked, doing.kind, selected), _by_meaning(found)
        best = [one.citation for one in _best_first(near, order)]
        worded = await self._answer_by_model(user_id, asked, best, SHORT_ANSWER) if near else None
        if worded and worded.by_model:
            return worded, _by_meaning(found)
        answer = await self._answer_by_quotes(user_id, asked, near, found)
        return answer.model_copy(update={"without_model": worded is not None}), _by_meaning(found)

    async def _select(self, question: str, found: Found, compared: Sequence[Ranked]) -> list[Selected]:
        """The likeliest to answer, told by the network that reads them with the question where it can be had."""
        texts = [embedding_text(one.candidate.unit) for one in compared]
        return select(question, found, compared, await self._score(question, texts, found))

    async def _score(self, question: str, texts: Sequence[str], found: Found) -> list[float] | None:
        """How likely texts answer a question, as the network tells; None where it is not asked, or does not answer."""
        if self._scorer and _by_meaning(found):
            with suppress(NoEmbeddings, TimeoutError):
                async with asyncio.timeout(self._query_seconds):
                    return await self._scorer.score(question, texts)
        return None

    async def _of_stretch(self, user_id: UUID, asked: Asked, stretch: Stretch) -> Recollection:
        """What was said in a stretch of time, day by day: in a model's words, or what each document begins with."""
        within = await self._index.within(user_id, stretch.since, stretch.until, self._marks.stretch_documents)
        said = _once([Ranked(one, len(one.unit.text)) for one in within if one.document != asked.asked_in])
        best = [one.citation for one in said]
        worded = await self._answer_by_model(user_id, asked, best, DIGEST_SENTENCES) if said else None
        if worded and worded.by_model:
            return worded
        most = max(asked.limit, self._marks.stretch_quotes)
        shown = sorted((one.citation for one in _spread(said, most)), key=_when)
        answer = tell_days(shown, asked.timezone) if shown else NO_ANSWER
        if len(said) > len(shown):
            answer = f"You said {len(said)} things; {len(shown)} of them: {answer}"
        failed = worded is not None
        return Recollection(answer=answer, found=bool(shown), citations=shown, without_model=failed)

    async def _answer_how_often(
        self, user_id: UUID, asked: Asked, kind: Kind, near: Sequence[Selected]
    ) -> Recollection:
        """How often something was done, or when first or last: by all that tells of the same as the likeliest."""
        best, *others = near
        alike = await self._alike(user_id, best.ranked, [one.ranked for one in others])
        same = [one.ranked for one in others if alike.get(one.ranked.candidate.id, 0.0) >= LEAST_ALIKE]
        told = _told_over_all(_once([best.ranked, *same]), asked, kind)
        if best.chance >= self._marks.answer:
            return told
        return told.model_copy(update={"answer": say_closest(told.answer), "found": False})

    async def _answer_by_quotes(
        self, user_id: UUID, asked: Asked, near: Sequence[Selected], found: Found
    ) -> Recollection:
        """The likeliest quotes: what was said last of the thing, what was said of it before; else what is closest."""
        if not near:
            return Recollection(answer=NO_ANSWER, found=False)
        best = near[0]
        likely = [one.ranked for one in near if one.chance >= self._marks.further * best.chance]
        alike = await self._alike(user_id, best.ranked, likely)
        since = await self._since(user_id, asked, best.ranked, found)
        versions = versions_of(likely, alike, since, self._marks.change)
        told = _once(versions.all)[: min(asked.limit, self._marks.quotes)]
        quotes, is_found = [one.citation for one in told], best.chance >= self._marks.answer
        if is_found:
            quotes = await self._narrow_quotes(user_id, asked, quotes, found)
        answer = quote_versions(told, quotes, versions, asked.timezone)
        return Recollection(answer=answer if is_found else say_closest(answer), found=is_found, citations=quotes)

    async def _narrow_quotes(
        self, user_id: UUID, asked: Asked, quotes: Sequence[Citation], found: Found
    ) -> list[Citation]:
        """Quotes without the sentences beside what answers, where the network that reads them can be had."""
        pairs = [(one, parts_of(one.quote)) for one in quotes]
        texts = list({text for one, spans in pairs if spans for text in _texts_of(one.quote, spans)})
        scores = await self._score(asked.text[:MAX_QUESTION_CHARS], texts, found) if texts else None
        if scores is None:
            return list(quotes)
        by_text = dict(zip(texts, scores, strict=True))
        narrowed = [narrow(one, spans, by_text) if spans else one for one, spans in pairs]
        return [await self._add_recording_time(user_id, one) for one in narrowed]

    async def _since(self, user_id: UUID, asked: Asked, best: Ranked, found: Found) -> list[Selected]:
        """What was said after a statement that is near to it in meaning, and may hold in its place."""
        model = await self._index.model_of(user_id)
        vector = await self._index.vector_of(user_id, model, best.candidate.id) if model else None
        if vector is None:
            return []
        words = asked.text[:MAX_QUESTION_CHARS]
        near = await self._index.search(user_id, Query(words, vector, model, best.candidate.captured_at, asked.until))
        return later_statements(words, best.candidate, near, found)

    async def _alike(self, user_id: UUID, best: Ranked, others: Sequence[Ranked]) -> dict[int, float]:
        """How near others are to the best in meaning, where meanings were compared."""
        if best.candidate.dense is None:
            return {}
        model = await self._index.model_of(user_id)
        return await self._index.alike(user_id, model, best.candidate.id, [one.candidate.id for one in others])

    async def _catch_up(self, user_id: UUID) -> None:
        if self._fresh:
            await self._fresh.catch_up(user_id)

    async def _answer_by_model(
        self, user_id: UUID, asked: Asked, best: Sequence[Citation], length: str
    ) -> Recollection | None:
        """The answer in a model's words; one that is not by a model where that failed, and None where there is none."""
        try:
            wanted = self._answering is not None and not asked.in_quotes
            worded = await self._answering.word(asked, best, length) if self._answering and wanted else None
        except NoThought as failure:
            log.warning("the language model failed at an answer from memory: %s", failure.kind)
            return MODEL_FAILED
        if worded is None:
            return None
        shown = [await self._add_recording_time(user_id, one) for one in worded.citations[: asked.limit]]
        return worded.model_copy(update={"citations": shown})

    async def _add_recording_time(self, user_id: UUID, one: Citation) -> Citation:
        """A part of a unit with its own time in the recording."""
        return one if one.start_ms is None else with_own_time(one, await self._index.words_heard(user_id, one.id))

    async def _over_all(self, user_id: UUID, asked: Asked, whole: OverAll) -> tuple[Recollection, bool]:
        """The first, the last or all that was said of something, or how often it was: by all that matches."""
        found, order = await self._search_ranked(user_id, _about(asked, whole))
        fit = _once([one for one in order if has_enough_evidence(found, one.candidate)])
        if whole.kind == "digest":
            return await self._digest(user_id, asked, fit), _by_meaning(found)
        return _told_over_all(fit, asked, whole.kind), _by_meaning(found)

    async def _digest(self, user_id: UUID, asked: Asked, fit: Sequence[Ranked]) -> Recollection:
        """What was said of something over time: in a model's words, or the most telling quote of each stretch of it."""
        best = [one.citation for one in fit]
        worded = await self._answer_by_model(user_id, asked, best, DIGEST_SENTENCES) if fit else None
        if worded and worded.by_model:
            return worded
        shown = sorted((one.citation for one in _spread(fit, asked.limit)), key=_when)
        answer = quote_all(shown, asked.timezone)
        if len(fit) > len(shown):
            first, last = (day_of(pick(best, key=_when), asked.timezone) for pick in (min, max))
            answer = f"You said {len(fit)} things about it, from {first} to {last}; {len(shown)} of them: {answer}"
        failed = worded is not None
        return Recollection(answer=answer, found=bool(shown), citations=shown, without_model=failed)

    async def recollect(
        self,
        user_id: str,
        question: str,
        at: datetime,
        timezone: str,
        conventions: Conventions,
        recent: Sequence[Exchange] = (),
    ) -> Recollection:
        """The answer to a question that is asked in a conversation."""
        return (await self.ask(UUID(user_id), Asked(question, at, timezone, conventions, recent=recent)))[0]

    async def quote(
        self, user_id: str, question: str, at: datetime, timezone: str, conventions: Conventions
    ) -> Recollection:
        """The same in quotes only."""
        return (await self.ask(UUID(user_id), Asked(question, at, timezone, conventions, in_quotes=True)))[0]

    async def _search_ranked(self, user_id: UUID, asked: Asked) -> tuple[Found, list[Ranked]]:
        words = asked.text[:MAX_QUESTION_CHARS]
        vector, model = await self._vector(user_id, words)
        found = await self._index.search(user_id, Query(words, vector, model, asked.since, asked.until))
        if asked.asked_in:
            found = replace(found, candidates=[one for one in found.candidates if one.document != asked.asked_in])
        since, until = time_named(words, asked.at, asked.timezone, asked.conventions)
        return found, rank_candidates(found.candidates, Cues(words_in(words), since, until, asked.at))

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


def _texts_of(quote: str, spans: Sequence[Span]) -> list[str]:
    return [quote, *(quote[slice(*span)] for span in spans)]


def _best_first(near: Sequence[Selected], order: Sequence[Ranked]) -> list[Ranked]:
    """A ranking with what is likely to answer in front."""
    first = [one.ranked for one in near]
    return [*first, *(one for one in order if one not in first)]


def _told_over_all(fit: Sequence[Ranked], asked: Asked, kind: Kind) -> Recollection:
    """The first, the last or the latest of what was said of something, and how often that was."""
    told = sorted((one.citation for one in fit), key=_when, reverse=kind != "first")
    shown = told[: asked.limit] if kind == "often" else told[:1]
    answer = quote_all(shown, asked.timezone)
    if told and kind == "often":
        answer = f"{_times(_places(told))}. {answer}"
    return Recollection(answer=answer, found=bool(told), citations=shown)


def _landmark(asked: Asked) -> Landmark | None:
    """What the time of a question hangs on, where no date is named."""
    words = asked.text[:MAX_QUESTION_CHARS]
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
    return _within_its_time(asked, whole.topic)


def _within_its_time(asked: Asked, text: str) -> Asked:
    """The same with other words, and the time that these name as a limit in place of its words."""
    at = (asked.at, asked.timezone, asked.conventions)
    since, until = time_named(text, *at)
    return replace(asked, text=without_time(text, *at), since=asked.since or since, until=asked.until or until)


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

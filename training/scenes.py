"""Memos of invented people and questions about them (training/answers), and what a search brings for each question."""

from __future__ import annotations

import re
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.http.accounts.store.users import Users
from app.memory.fusion import Cues, Ranked, rank_candidates
from app.memory.model.memory import Candidate, Document, Found, Query
from app.memory.store.memory import MemoryIndex
from app.memory.units import sentences_in, units_of
from app.memory.vectors.onnx import MiniLM
from app.memory.wording import embedding_text, words_in

FOLDER = Path(__file__).parent / "answers"
MODEL = "minilm"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
EVERY, FIRST_OUT = 8, 3
"""Of the scenes in the order of their names every eighth is held out, beginning with the fourth."""
MOST_BROUGHT = 20
MEMO, ASKED = re.compile(r"(\d+) (\d{4}-\d\d-\d\d) (.+)"), re.compile(r"\? (.+) \| ([-\d. ]+)(?: > (\d+))?")


@dataclass
class Scene:
    """Memos by their numbers; questions with the sentences that answer them and the memo that tells what holds now."""

    name: str
    memos: dict[str, Document] = field(default_factory=dict)
    questions: list[tuple[str, set[tuple[str, int]], str]] = field(default_factory=list)


@dataclass(frozen=True)
class Brought:
    """What a search brings for a question, the best first: 1 where it answers, 0 where not, -1 if that is unclear."""

    scene: str
    question: str
    found: Found
    ranked: Sequence[Ranked]
    answers: Sequence[float]
    has_answer: bool

    @property
    def texts(self) -> list[str]:
        """Return the units as they are read."""
        return [embedding_text(one.candidate.unit) for one in self.ranked]


def every_scene() -> list[Scene]:
    """Return the scenes of all files, each called by its file and its name."""
    return [
        replace(one, name=f"{path.stem}/{one.name}")
        for path in sorted(FOLDER.glob("*.txt"))
        for one in scenes(path.read_text(encoding="utf-8"))
    ]


def hold_out(names: Sequence[str]) -> set[str]:
    """Return the names of the scenes that nothing learns from but the last few weights."""
    return set(sorted(set(names))[FIRST_OUT::EVERY])


def scenes(text: str) -> list[Scene]:
    """Return what a file of scenes says."""
    made: list[Scene] = []
    for line in text.splitlines():
        if line.startswith("= "):
            made.append(Scene(line[2:]))
        elif memo := MEMO.fullmatch(line):
            number, day, words = memo.groups()
            at = datetime.fromisoformat(day).replace(hour=18, tzinfo=UTC)
            made[-1].memos[number] = Document("memo", number, words, at)
        elif asked := ASKED.fullmatch(line):
            made[-1].questions.append((asked[1], set(_places(asked[2])), asked[3] or ""))
    return made


def _places(told: str) -> list[tuple[str, int]]:
    pairs = [place.split(".") for place in told.split() if place != "-"]
    return [(memo, int(sentence)) for memo, sentence in pairs]


@asynccontextmanager
async def open_database() -> AsyncIterator[Database]:
    """Run a database of its own for as long as it is used."""
    with tempfile.TemporaryDirectory(prefix="summit-train-") as folder:
        server = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None, durable=False)
        try:
            await migrate(server.url, lambda _: None)
            async with Database(server.url) as database:
                yield database
        finally:
            server.stop()


async def search_scenes(some: Sequence[Scene], model: MiniLM | None) -> list[Brought]:
    """Index the memos of each scene and search for its questions as the program does."""
    async with open_database() as database:
        return [one for scene in some for one in await _of_scene(database, model, scene)]


async def index_scene(database: Database, model: MiniLM | None, scene: Scene) -> tuple[UUID, MemoryIndex]:
    """Put the memos of a scene into the index as those of a new user; with vectors where there is a model."""
    user, index = (await Users(database).create(scene.name)).id, MemoryIndex(database)
    cut = [(document, units_of(document)) for document in scene.memos.values()]
    ids = await index.keep(user, cut)
    if model:
        texts = [embedding_text(unit) for _, units in cut for unit in units]
        await index.keep_vectors(user, MODEL, ids, model.embed(texts).tolist())
        await index.switch(user, MODEL)
    return user, index


async def _of_scene(database: Database, model: MiniLM | None, scene: Scene) -> list[Brought]:
    user, index = await index_scene(database, model, scene)
    made = list[Brought]()
    for question, places, _ in scene.questions:
        vector = model.embed([question])[0].tolist() if model else None
        found = await index.search(user, Query(question, vector, MODEL if model else ""))
        ranked = rank_candidates(found.candidates, Cues(words_in(question), now=NOW))[:MOST_BROUGHT]
        answers = [label_of(scene, one.candidate, places) for one in ranked]
        made.append(Brought(scene.name, question, found, ranked, answers, bool(places)))
    return made


def label_of(scene: Scene, one: Candidate, places: set[tuple[str, int]]) -> float:
    """Return whether a unit has a sentence that answers; another one of such a memo may go with it."""
    if all(memo != one.document for memo, _ in places):
        return 0.0
    spans = list(_spans(scene.memos[one.document].text, {number for memo, number in places if memo == one.document}))
    return 1.0 if any(start < one.unit.end_char and one.unit.start_char < end for start, end in spans) else -1.0


def _spans(text: str, numbers: set[int]) -> Iterator[tuple[int, int]]:
    return (span for number, span in enumerate(sentences_in(text), 1) if number in numbers)

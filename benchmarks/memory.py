"""Memory: what is found, and how fast.

python -m benchmarks.memory find PATH        a data set in the format of LoCoMo
python -m benchmarks.memory speed [UNITS]    tenants of three sizes in one database
python -m benchmarks.memory beside [UNITS]   the same by meaning, beside LangGraph's PostgresStore and chromadb
python -m benchmarks.memory fresh [MEMOS]    questions with and without a look at what was said just before
python -m benchmarks.memory answers [LIVES]  questions over the memos of invented lives (tests/support/lives)
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import numpy as np

from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.http.accounts.store.users import Users
from app.memory.fusion import Cues, Ranked, rank_candidates
from app.memory.indexing import Indexer
from app.memory.model.memory import Asked, Candidate, Document, Found, Passage, Query
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.memory.units import units_of
from app.memory.vectors.local_model import LocalModel
from app.memory.vectors.onnx import MiniLM
from app.memory.vectors.weights import weights_path
from app.memory.wording import embedding_text, words_in
from benchmarks import memory_answers
from benchmarks.memory_embedders import Everybody
from benchmarks.memory_rivals import Told, measure
from benchmarks.spans_of_evidence import pack_spans

MODEL = "minilm"
BUDGETS = (500, 1000, 2000)
Gold = set[tuple[str, int]]


@dataclass
class Case:
    """One conversation: its documents, which turn each character is of, and the questions with their evidence."""

    documents: list[Document]
    turns: dict[str, list[tuple[str, int, int]]]
    questions: list[tuple[str, set[str], int]]


def main() -> None:
    """Run what the command line names."""
    what = sys.argv[1] if len(sys.argv) > 1 else ""
    if what == "find":
        asyncio.run(find(json.loads(Path(sys.argv[2]).read_text())))
    elif what == "speed":
        asyncio.run(speed(int(sys.argv[2]) if len(sys.argv) > 2 else 50_000))
    elif what == "beside":
        asyncio.run(beside(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000))
    elif what == "fresh":
        asyncio.run(fresh(int(sys.argv[2]) if len(sys.argv) > 2 else 2000))
    elif what == "answers":
        memory_answers.main(sys.argv[2:])
    else:
        print(__doc__)


# What is found


async def find(conversations: list[dict[str, Any]]) -> None:
    """Recall of the turns that a question's evidence names, by arm, and of evidence within a budget of tokens."""
    model = MiniLM(weights_path(), threads=2)
    rows: list[dict[str, Any]] = []
    async with opened() as database:
        for number, conversation in enumerate(conversations):
            rows += await asked(database, model, f"user {number}", case_of(conversation))
    for name, chosen in (("all categories", rows), ("without category 5", [r for r in rows if r["category"] != 5])):
        print(f"\n{name}: {len(chosen)} questions with evidence")
        print(f"{'arm':10}{'R@10':>8}{'R@5':>8}{'MRR':>8}")
        for arm in ("lexical", "dense", "fused"):
            told = [statistics.fmean(row[arm, figure] for row in chosen) for figure in ("10", "5", "mrr")]
            print(f"{arm:10}" + "".join(f"{value:8.3f}" for value in told))
        for budget in BUDGETS:
            print(f"evidence within {budget} tokens: {statistics.fmean(row['budget', budget] for row in chosen):.3f}")


async def asked(database: Database, model: MiniLM, name: str, case: Case) -> list[dict[str, Any]]:
    """The figures of each question of one conversation, which is one user's memory."""
    user = (await Users(database).create(name)).id
    index = MemoryIndex(database)
    await stored(index, model, user, case.documents)
    vectors = model.embed([question for question, _, _ in case.questions])
    rows = []
    for (question, evidence, category), vector in zip(case.questions, vectors, strict=True):
        if not evidence:
            continue
        found = await index.search(user, Query(question, vector.tolist(), MODEL))
        rows.append({"category": category, **figures(found, question, case, evidence)})
    return rows


async def stored(index: MemoryIndex, model: MiniLM, user: UUID, documents: Sequence[Document]) -> None:
    """Index documents with their vectors."""
    cut = [(document, units_of(document)) for document in documents]
    ids = await index.keep(user, cut)
    texts = [embedding_text(unit) for _, units in cut for unit in units]
    await index.keep_vectors(user, MODEL, ids, model.embed(texts).tolist())


def figures(found: Found, question: str, case: Case, evidence: set[str]) -> dict[Any, float]:
    """Recall at 5 and 10 and the reciprocal rank for each arm; recall of evidence within each budget."""
    cues = Cues(words=words_in(question))
    fused = rank_candidates(found.candidates, cues)
    arms = {
        "lexical": sorted(found.candidates, key=lambda one: -one.lexical),
        "dense": sorted(found.candidates, key=lambda one: -(one.dense or 0.0)),
        "fused": [one.candidate for one in fused],
    }
    told: dict[Any, float] = {}
    for arm, order in arms.items():
        turns = list(dict.fromkeys(turn for one in order for turn in turns_of(case, one)))
        told[arm, "10"], told[arm, "5"] = (len(evidence & set(turns[:k])) / len(evidence) for k in (10, 5))
        told[arm, "mrr"] = next((1 / rank for rank, turn in enumerate(turns, 1) if turn in evidence), 0.0)
    for budget in BUDGETS:
        told["budget", budget] = len(evidence & within(fused, case, budget)) / len(evidence)
    return told


def within(fused: Sequence[Ranked], case: Case, budget: int) -> set[str]:
    """The turns whose words a budget of tokens holds."""
    found: set[str] = set()
    for span in pack_spans(fused, budget):
        for turn, start, end in case.turns[span.document]:
            if start < span.end_char and span.start_char < end:
                found.add(turn)
    return found


def turns_of(case: Case, one: Candidate) -> Iterator[str]:
    """The turns that a unit is of."""
    for turn, start, end in case.turns[one.document]:
        if start < one.unit.end_char and one.unit.start_char < end:
            yield turn


def case_of(conversation: dict[str, Any]) -> Case:
    """A conversation of LoCoMo: each session is a document, each turn a passage."""
    said, documents, turns = conversation["conversation"], [], {}
    for key in said:
        if re.fullmatch(r"session_\d+", key):
            at = datetime.strptime(said[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            text, passages, turns[key] = "", [], []
            for turn in said[key]:
                start, text = len(text), f"{text}{turn['text']}\n"
                passages.append(Passage(start, len(text) - 1, turn["speaker"]))
                turns[key].append((turn["dia_id"], start, len(text) - 1))
            documents.append(Document("memo", key, text, at, "", passages))
    known = {turn for each in turns.values() for turn, _, _ in each}
    questions = [
        (one["question"], known & set(re.findall(r"D\d+:\d+", " ".join(one["evidence"]))), one["category"])
        for one in conversation["qa"]
    ]
    return Case(documents, turns, questions)


@asynccontextmanager
async def opened() -> AsyncIterator[Database]:
    """A migrated database of its own."""
    folder = Path(tempfile.mkdtemp(prefix="summit-bench-"))
    server = EmbeddedServer.start(folder / "postgres", lambda _: None, durable=False)
    try:
        await migrate(server.url, lambda _: None)
        async with Database(server.url) as database:
            yield database
    finally:
        server.stop()
        shutil.rmtree(folder)


# How fast


@dataclass
class Tenants:
    """Three users of one database, with what each has said."""

    index: MemoryIndex
    users: dict[str, UUID]
    texts: dict[str, list[str]]
    vectors: dict[str, np.ndarray[Any, Any]]


@asynccontextmanager
async def tenants(units: int) -> AsyncIterator[tuple[Database, Tenants]]:
    """A small, a middle and a heavy user, whose memory is filled; prints how fast that was."""
    random = np.random.default_rng(1)
    sizes = {"small": 300, "middle": units // 10, "heavy": units}
    async with opened() as database:
        made = Tenants(
            MemoryIndex(database),
            {name: (await Users(database).create(name)).id for name in sizes},
            {name: sentences(random, size) for name, size in sizes.items()},
            {name: unit_vectors(random, size) for name, size in sizes.items()},
        )
        took = sum([await filled(made.index, made.users[one], made.texts[one], made.vectors[one]) for one in sizes])
        print(f"{'summit':16} takes {sum(sizes.values()) / took:8.0f} rows/s, words and vectors")
        async with database.system() as conn:
            await conn.execute("reset role")
            await conn.execute("vacuum analyze memory_units, memory_vectors, memory_terms, memory_documents")
        yield database, made


async def speed(units: int) -> None:
    """Times and recall against an exact search, for a small, a middle and a heavy user of one database."""
    random = np.random.default_rng(2)
    async with tenants(units) as (_, made):
        print(f"{'user':8}{'units':>8}{'arm':>14}{'p50 ms':>8}{'p95 ms':>8}{'recall@10':>11}{'rows':>6}")
        for name, user in made.users.items():
            vectors = made.vectors[name]
            asked = [(words, vector.tolist()) for words, vector in queries(random, made.texts[name], vectors)]
            for arm in ("hybrid", "dense", "dense in a week"):
                report(name, len(vectors), arm, await timed(made.index, user, asked, arm, vectors))


async def beside(units: int) -> None:
    """The dense arm and what others have in its place: times, recall, and the 95th percentiles as ratios."""
    random = np.random.default_rng(2)
    async with tenants(units) as (database, made):
        asked = {name: list(queries(random, made.texts[name], own)) for name, own in made.vectors.items()}
        nearest = {name: [np.asarray(vector, np.float32) for _, vector in own] for name, own in asked.items()}
        others = await asyncio.to_thread(measure, database.url, made.vectors, nearest)
        print(f"{'user':8}{'units':>8}  {'':16}{'p50 ms':>8}{'p95 ms':>8}{'recall@10':>11}{'rows':>6}   times ours")
        for name, user in made.users.items():
            listed = [(words, vector.tolist()) for words, vector in asked[name]]
            ours = Told(*await timed(made.index, user, listed, "dense", made.vectors[name]))
            for rival, told in {"summit": ours, **{rival: each[name] for rival, each in others.items()}}.items():
                print(f"{name:8}{len(made.vectors[name]):8}  {rival:16}{told}{told.p95 / ours.p95:13.1f}")


START = datetime(2025, 1, 1, tzinfo=UTC)
A_DOCUMENT = 20


async def filled(index: MemoryIndex, user: UUID, texts: Sequence[str], vectors: np.ndarray[Any, Any]) -> float:
    """Index all of it in batches, an hour apart each document; the seconds that took."""
    started = time.perf_counter()
    for at in range(0, len(texts), 50 * A_DOCUMENT):
        batch = []
        for begin in range(at, min(at + 50 * A_DOCUMENT, len(texts)), A_DOCUMENT):
            text = "\n".join(texts[begin : begin + A_DOCUMENT])
            document = Document("memo", str(begin), text, START + timedelta(hours=begin // A_DOCUMENT))
            batch.append((document, units_of(document, 12)))
        ids = await index.keep(user, batch)
        await index.keep_vectors(user, MODEL, ids, vectors[at : at + len(ids)])
    return time.perf_counter() - started


async def timed(
    index: MemoryIndex, user: UUID, asked: Sequence[Any], arm: str, vectors: np.ndarray[Any, Any]
) -> tuple[list[float], float, int]:
    """Milliseconds a query, recall of its dense arm against the exact search, and the fewest rows that came back."""
    times, right, fewest = [], [], len(vectors)
    week = (START, START + timedelta(days=7))
    for words, vector in asked:
        windowed = week if arm == "dense in a week" else (None, None)
        query = Query(words if arm == "hybrid" else "", vector, MODEL, *windowed)
        started = time.perf_counter()
        found = rank_candidates((await index.search(user, query)).candidates)
        times.append((time.perf_counter() - started) * 1000)
        within = min(len(vectors), 7 * 24 * A_DOCUMENT) if windowed[0] else len(vectors)
        exact = set(np.argsort(-(vectors[:within] @ np.array(vector)))[:10].tolist())
        near = sorted((one.candidate for one in found), key=lambda one: -(one.dense or 0))[:10]
        right.append(len(exact & {int(one.document) + one.unit.place for one in near}) / len(exact))
        fewest = min(fewest, len(found))
    return times, statistics.fmean(right), fewest


def report(name: str, size: int, arm: str, told: tuple[list[float], float, int]) -> None:
    """One line of the table."""
    times, recall, rows = told
    p50, p95 = (float(np.percentile(times, each)) for each in (50, 95))
    print(f"{name:8}{size:8}{arm:>14}{p50:8.1f}{p95:8.1f}{recall:11.3f}{rows:6}")


# What was said a moment ago

PUT_MEMO = """
insert into memos (user_id, id, title, transcript, segments, captured_at, timezone, state, container, size, sha256)
values (%s, %s, '', %s, '[]', %s, 'UTC', 'transcribed', 'wav', 1, '')
"""
NAMES = "Lena Tom Marta Harald Ana Ravi Priya Omar Carla Jonas".split()
THINGS = "boiler roof bicycle garden passport apartment bakery car contract kitchen laptop garage cabin piano".split()
DEEDS = ("fixed", "sold", "painted", "moved", "cleaned", "looked at", "talked about", "paid for")
ROUNDS = 60


async def fresh(memos: int) -> None:
    """Times of a search and an answer as they were, with the look at what waits, and with something that waits."""
    random = Random(1)
    model = LocalModel(weights_path(), 60.0)
    async with opened() as database:
        user = (await Users(database).create("Ada")).id
        await remember(database, user, [memo_text(random) for _ in range(memos)])
        index, sources = MemoryIndex(database), MemorySources(database, "UTC")
        indexer = Indexer(sources, index, Everybody(model), keep_days=30)
        while await indexer.users():
            await indexer.run(user)
        async with database.system() as conn:
            await conn.execute("reset role")
            await conn.execute("vacuum analyze")
        before, now = Memory(index, Everybody(model)), Memory(index, Everybody(model), fresh=indexer)
        ways = {
            "search": before.search,
            "search, up to date": now.search,
            "ask": before.ask,
            "ask, up to date": now.ask,
        }
        times: dict[str, list[float]] = {name: [] for name in [*ways, "search after a memo"]}
        for number in range(ROUNDS):  # one after the other, so that a busy machine slows all alike
            question = f"what did {random.choice(NAMES)} do with the {random.choice(THINGS)}?"
            for name, way in ways.items():
                times[name].append(await took(way(user, asked_now(question))))
            await remember(database, user, [f"The heron number {number} sleeps in the reeds."])
            last = now.search(user, asked_now(f"where does heron number {number} sleep?"))
            times["search after a memo"].append(await took(last))
        for name, each in times.items():
            print(f"{name:22}{np.percentile(each, 50):8.1f}{np.percentile(each, 95):8.1f} ms (p50, p95)")
    await model.close()


async def remember(database: Database, user: UUID, texts: Sequence[str]) -> None:
    """Keep texts as memos that wait for the index."""
    now = datetime.now(UTC)
    async with database.tenant(user) as conn:
        for number, text in enumerate(texts):
            await conn.execute(PUT_MEMO, (user, uuid4(), text, now - timedelta(hours=len(texts) - number)))


def memo_text(random: Random) -> str:
    """Two sentences as somebody may have spoken them."""
    who, deed, thing, whose = random.choice(NAMES), random.choice(DEEDS), random.choice(THINGS), random.choice(NAMES)
    return (
        f"{who} {deed} the {thing} of {whose}. It took {random.randint(2, 90)} minutes, {random.randint(5, 900)} euros."
    )


def asked_now(question: str) -> Asked:
    """A question asked now."""
    return Asked(question, datetime.now(UTC), "UTC")


async def took(what: Awaitable[object]) -> float:
    """Milliseconds until it is done."""
    started = time.perf_counter()
    await what
    return (time.perf_counter() - started) * 1000


def unit_vectors(random: np.random.Generator, count: int) -> np.ndarray[Any, Any]:
    """Directions of 384 dimensions around a hundred centres, as texts have topics."""
    centres = random.normal(size=(100, 384))
    found = centres[random.integers(0, 100, count)] + random.normal(size=(count, 384))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)


def sentences(random: np.random.Generator, count: int) -> list[str]:
    """Sentences of eleven words with the frequencies of a language (Zipf)."""
    ranks = np.minimum(random.zipf(1.3, (count, 10)), 30_000)
    return [" ".join(f"word{letters(rank)}" for rank in row) + " end." for row in ranks]


def letters(rank: int) -> str:
    """A number as letters."""
    return "".join(chr(97 + int(digit)) for digit in str(rank))


def queries(random: np.random.Generator, texts: Sequence[str], vectors: Any) -> Iterator[tuple[str, Any]]:
    """Questions with six words of a sentence, and near its vector."""
    for place in random.integers(0, len(texts), 60):
        noisy = vectors[place] + random.normal(size=384) * 0.03
        yield " ".join(texts[place].split()[:6]), noisy / np.linalg.norm(noisy)


if __name__ == "__main__":
    main()

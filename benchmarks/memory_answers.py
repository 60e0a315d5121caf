"""Answers to questions over the memos of invented lives, by ``ask`` and in conversation, without a model.

python -m benchmarks memory answers [LIVES] [show]

LIVES are letters of nhpw (default: nhp); ``show`` prints each answer that is not right.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time
from pathlib import Path
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx

from agents.ports import Exchange
from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.database.migrate import migrate
from app.memory.indexing import Indexer
from app.memory.model.memory import Asked
from app.memory.service import Memory
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.memory.vectors.local_model import LocalModel
from app.memory.vectors.weights import weights_path
from benchmarks.memory_embedders import Everybody
from tests.support import lives
from tests.support.lives import Wanted
from tests.support.lives.judging import OUTCOMES, Outcome, Told, judge
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client

ZONE = ZoneInfo("Europe/London")
SPOKEN = time(18, tzinfo=ZONE)
NOW = datetime(2026, 11, 28, 10, tzinfo=ZONE)


@dataclass(frozen=True)
class Life:
    """One life as a user of the server: who it is, and the names of its memos by their ids."""

    user: UUID
    client: httpx.Client
    names: Mapping[str, str] = field(default_factory=dict)


def main(options: Sequence[str]) -> None:
    """Ask everything both ways and print what became of it."""
    chosen = next((one for one in options if one != "show"), "nhp")
    with tempfile.TemporaryDirectory(prefix="summit-bench-") as folder:
        server = EmbeddedServer.start(Path(folder) / "postgres", lambda _: None, durable=False)
        try:
            asyncio.run(migrate(server.url, lambda _: None))
            settings = settings_for(server.url, Path(folder), default_timezone=ZONE.key)
            with live_server(settings) as url:
                people = {letter: _born(url, letter) for letter in chosen}
                asked = asyncio.run(_ask_all(server.url, people))
                talked = [(one, _talk(people[one.life], one)) for one in _wanted(chosen)]
        finally:
            server.stop()
    for way, answers in (("ask", asked), ("chat", talked)):
        _report(way, answers, show="show" in options)


def _wanted(chosen: str) -> list[Wanted]:
    return [one for one in lives.questions() if one.life in chosen]


def _born(url: str, letter: str) -> Life:
    """A user with the memos of a life."""
    with plain_client(url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        made = admin.post("/v1/users", json={"name": letter}).json()
    client = plain_client(url, {"Authorization": f"Bearer {made['api_key']}"})
    names = {}
    for memo in lives.memos():
        if memo.name.startswith(letter):
            at = datetime.combine(memo.day, SPOKEN).isoformat()
            kept = client.post("/v1/memos", json={"transcript": memo.words, "captured_at": at})
            names[kept.raise_for_status().json()["id"]] = memo.name
    return Life(UUID(made["id"]), client, names)


async def _ask_all(url: str, people: Mapping[str, Life]) -> list[tuple[Wanted, Told]]:
    model = LocalModel(weights_path(), 60.0)
    async with Database(url) as database:
        index = MemoryIndex(database)
        indexer = Indexer(MemorySources(database, ZONE.key), index, Everybody(model), keep_days=30)
        for life in people.values():
            await indexer.run(life.user)
            await indexer.run(life.user)
        memory = Memory(index, Everybody(model), scorer=model)
        told = [(one, await _ask(memory, people[one.life], one)) for one in _wanted("".join(people))]
    await model.close()
    return told


async def _ask(memory: Memory, life: Life, wanted: Wanted) -> Told:
    recent = []
    if wanted.follows:
        before, _ = await memory.ask(life.user, Asked(wanted.follows, NOW, ZONE.key))
        recent = [Exchange(said=wanted.follows, replied=before.answer)]
    told, _ = await memory.ask(life.user, Asked(wanted.question, NOW, ZONE.key, recent=recent))
    return Told(told.answer, _names(life, [one.id for one in told.citations]))


def _talk(life: Life, wanted: Wanted) -> Told:
    thread = life.client.post("/v1/threads", json={"title": "new"}).json()["id"]
    said = [one for one in (wanted.follows, wanted.question) if one]
    turn: dict[str, Any] = {}
    for text in said:
        body = {"text": text, "thread_id": thread, "captured_at": NOW.isoformat(), "timezone": ZONE.key}
        turn = life.client.post("/v1/turns", json=body).raise_for_status().json()
    return Told(turn["reply"] or "", _names(life, [one["id"] for one in turn["citations"]]), bool(turn["changes"]))


def _names(life: Life, ids: Sequence[str]) -> frozenset[str]:
    return frozenset(life.names.get(one, "another") for one in ids)


def _report(way: str, answers: Sequence[tuple[Wanted, Told]], *, show: bool) -> None:
    judged = [(wanted, told, judge(wanted, told)) for wanted, told in answers]
    if show:
        for wanted, told, outcome in judged:
            if outcome not in ("right", "declined"):
                print(f"{way} {outcome} [{wanted.kind}] {wanted.question}\n    {told.reply[:400]}")
    for letters in (*sorted({wanted.life for wanted, _, _ in judged}), ""):
        print(f"{way:5}{letters or 'all':4}" + ", ".join(_counts([one for one in judged if letters in one[0].life])))


def _counts(judged: Sequence[tuple[Wanted, Told, Outcome]]) -> Iterator[str]:
    counts = Counter(outcome for _, _, outcome in judged)
    of = {name: sum(wanted.kind == "none" for wanted, _, _ in judged) for name in ("declined", "answered")}
    whole = len(judged) - of["declined"]
    for outcome in OUTCOMES:
        yield f"{outcome} {counts[outcome]}/{of.get(outcome, whole)}"
    kinds = Counter(wanted.kind for wanted, _, outcome in judged if outcome == "right")
    yield "right by kind " + " ".join(f"{kind}:{count}" for kind, count in sorted(kinds.items()))
    quotes = [told.reply.count("“") for _, told, outcome in judged if outcome == "right"]
    yield f"quotes in a right answer {sum(quotes) / max(1, len(quotes)):.1f}"


if __name__ == "__main__":
    main(sys.argv[1:])

"""An open microphone: when speech begins and ends, and which of its words are stable; the engines are scripted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise

from app.voice.model import LiveEvent
from app.voice.speech.limits import pcm_bytes
from app.voice.speech.live import Listener
from app.voice.speech.silence import Span

SPEECH, SILENCE = b"\x01\x00", b"\x00\x00"


@dataclass
class Engines:
    """Speech is what is no zero; its words are those that fit in, three a second."""

    busy: bool = False
    heard: list[float] = field(default_factory=list)

    async def spans(self, pcm: bytes) -> list[Span]:
        found, start = list[Span](), None
        for at in range(0, len(pcm) // 2, 160):
            loud = pcm[2 * at : 2 * at + 2] == SPEECH
            if loud and start is None:
                start = at
            if not loud and start is not None:
                found.append((start // 16, min(at // 16 + 200, len(pcm) // 32)))
                start = None
        return [*found, (start // 16, len(pcm) // 32)] if start is not None else found

    async def words(self, pcm: bytes) -> str | None:
        if self.busy:
            return None
        self.heard.append(len(pcm) / pcm_bytes(1))
        loud = pcm.count(SPEECH) // 16_000
        return " ".join(f"word{number}" for number in range(3 * loud))


def sound(kind: bytes, seconds: float) -> bytes:
    return kind * int(16_000 * seconds)


@asynccontextmanager
async def listening(engines: Engines, silence_ms: int = 800) -> AsyncIterator[tuple[Listener, list[LiveEvent]]]:
    listener, told = Listener(engines.spans, engines.words, silence_ms), list[LiveEvent]()

    async def follow() -> None:
        async for event in listener.events():
            told.append(event)

    task = asyncio.create_task(follow())
    try:
        yield listener, told
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def let_it_look() -> None:
    """Let the listener do all that it can do with what it has: the engines here never wait."""
    for _ in range(20):
        await asyncio.sleep(0)


async def play(listener: Listener, pcm: bytes, step: float = 0.1) -> None:
    size = pcm_bytes(step)
    for at in range(0, len(pcm), size):
        await listener.feed(pcm[at : at + size])
        await let_it_look()
    await let_it_look()


async def test_speech_begins_and_ends_with_silence() -> None:
    async with listening(Engines()) as (listener, told):
        await play(listener, sound(SILENCE, 1) + sound(SPEECH, 2) + sound(SILENCE, 0.6) + sound(SPEECH, 1))
        assert [event.kind for event in told if event.kind != "partial"] == ["started"]
        assert abs(told[0].ms - 1000) <= 200
        await play(listener, sound(SILENCE, 1.5))
        [_, ended] = [event for event in told if event.kind != "partial"]
    assert (ended.kind, ended.ms) == ("ended", 4600)


async def test_a_click_is_no_speech() -> None:
    async with listening(Engines()) as (listener, told):
        await play(listener, sound(SILENCE, 1) + sound(SPEECH, 0.1) + sound(SILENCE, 2))
    assert told == []


async def test_words_come_while_somebody_speaks_and_what_is_stable_stays() -> None:
    async with listening(Engines()) as (listener, told):
        await play(listener, sound(SPEECH, 5))
    partial = [event for event in told if event.kind == "partial"]
    assert len(partial) > 3
    assert all(event.text.startswith(event.stable) for event in partial)
    stable = [event.stable for event in partial]
    assert all(later.startswith(one) for one, later in pairwise(stable))
    assert partial[-1].text.split()[-1] == "word14"


async def test_nobody_queues_for_an_engine_that_is_busy() -> None:
    engines = Engines(busy=True)
    async with listening(engines) as (listener, told):
        await play(listener, sound(SPEECH, 3))
        assert [event.kind for event in told] == ["started"]
        engines.busy = False
        await asyncio.sleep(0.2)
        await play(listener, sound(SPEECH, 1))
        assert told[-1].kind == "partial"


async def test_however_long_somebody_speaks_a_pass_stays_short() -> None:
    engines = Engines()
    async with listening(engines, silence_ms=5000) as (listener, told):
        for _ in range(12):
            await play(listener, sound(SPEECH, 6) + sound(SILENCE, 1))
        assert max(engines.heard) < 30
        assert len(listener._sound) < pcm_bytes(30)
        assert len(told[-1].text.split()) == 12 * 18

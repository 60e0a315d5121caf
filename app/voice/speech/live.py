"""A microphone that is open: where speech begins and ends, and its words so far."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from functools import partial
from pathlib import Path

from app.settings import Settings
from app.voice.engines.engine import SpeechFailed
from app.voice.engines.engine_process import EngineProcess
from app.voice.engines.faster_whisper import MODULE, FasterWhisperEngine
from app.voice.model import LiveEvent
from app.voice.speech.decode import decode
from app.voice.speech.limits import pcm_bytes
from app.voice.speech.silence import Span, pieces, spoken_spans

LOOK_BYTES = pcm_bytes(0.25)
"""So much more has to come before anybody looks again whether somebody speaks."""
WINDOW_BYTES = pcm_bytes(10)
PASS_BYTES = pcm_bytes(0.4)
BUSY_SECONDS = 0.1
READ_SECONDS = 0.5
TIMES_ITS_READING = 3
"""A recording that is long is read less often: its beginning is decoded again each time."""
ROOM_MS = 200
"""What the detector leaves around speech, on both sides."""
SHORTEST_MS = 200 + ROOM_MS
"""A span of speech, with its room, that is more than a click."""
SETTLED_MS = 2_000
LONGEST_MS = 20_000
"""Beyond, what was said until the last pause is written down for good."""

Spans = Callable[[bytes], Awaitable[list[Span]]]
"""Where somebody speaks in samples."""
Words = Callable[[bytes], Awaitable[str | None]]
"""What is said in them; None while others are listened to."""


class LiveSpeech:
    """Listens while people speak.

    Processes of its own, so that nobody who speaks waits for a recording.

    Words so far come of the local engine alone; with another one chosen, only where speech begins and ends.
    """

    def __init__(self, settings: Settings) -> None:
        self._engine = FasterWhisperEngine(settings)
        self._most_seconds = settings.max_audio_seconds
        self._silent = settings.transcriber not in ("auto", "faster-whisper")
        self._activity = EngineProcess("faster-whisper", MODULE, "", "", "1", "cpu")

    def listen(self, silence_ms: int, recording: Path | None = None) -> Listener | Recorded:
        """Open a microphone; so much silence ends what is said. Its sound is fed, or comes as a file that grows."""
        if not self._silent:
            self._engine.prepare()
        listener = Listener(partial(spoken_spans, self._activity), self._words, silence_ms)
        return Recorded(listener, recording, self._most_seconds) if recording else listener

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self._engine.close(), self._activity.close())

    async def _words(self, pcm: bytes) -> str | None:
        if self._silent or self._engine.missing():
            return ""
        process = await self._engine.process()
        if process.busy:
            return None
        heard = await process.ask({"work": "words"}, pcm)
        return str(heard["text"])


class Listener:
    """See app.voice.model.Listening. Sound is 16 kHz mono s16le; what is written down for good is forgotten."""

    def __init__(self, spans: Spans, words: Words, silence_ms: int) -> None:
        self._spans = spans
        self._words = words
        self._silence_ms = silence_ms
        self._sound = bytearray()
        self._forgotten = 0
        self._more = asyncio.Condition()
        self._told: asyncio.Queue[LiveEvent] = asyncio.Queue()
        self._speaks = asyncio.Event()
        self._ended = 0

    async def feed(self, pcm: bytes) -> None:
        """See Listening."""
        async with self._more:
            self._sound += pcm
            self._more.notify_all()

    async def events(self) -> AsyncGenerator[LiveEvent]:
        """See Listening."""
        works = [asyncio.create_task(self._watch()), asyncio.create_task(self._write_down())]
        try:
            while True:
                yield await self._told.get()
        finally:
            for work in works:
                work.cancel()
            await asyncio.gather(*works, return_exceptions=True)

    @property
    def _bytes_received(self) -> int:
        return self._forgotten + len(self._sound)

    async def _watch(self) -> None:
        """Tell when speech begins, and when there is silence after it."""
        looked = 0
        while True:
            looked = await self._until(looked + LOOK_BYTES)
            start = max(self._forgotten, looked - WINDOW_BYTES)
            with suppress(SpeechFailed):  # a detector that died is replaced at the next look
                spans = await self._spans(self._cut(start, looked))
                self._judge([(begin + _ms(start), end + _ms(start)) for begin, end in spans], _ms(looked))

    def _judge(self, spans: list[Span], now: int) -> None:
        spoken = [(begin, end) for begin, end in spans if end - begin >= SHORTEST_MS and begin >= self._ended]
        if spoken and not self._speaks.is_set():
            self._speaks.set()
            self._told.put_nowait(LiveEvent("started", max(0, spoken[0][0])))
        elif self._speaks.is_set():
            last = spans[-1][1] - ROOM_MS if spans else now - self._silence_ms
            if now - last >= self._silence_ms:
                self._speaks.clear()
                self._ended = last
                self._told.put_nowait(LiveEvent("ended", last))

    async def _write_down(self) -> None:
        """Tell the words so far, as often as the engine finishes; passes never queue."""
        passed, settled, draft = 0, "", Draft()
        while True:
            await self._speaks.wait()
            heard = await self._until(passed + PASS_BYTES)
            if _ms(heard) - _ms(self._forgotten) > LONGEST_MS:
                settled += await self._settle()
                draft = Draft()
            try:
                text = await self._words(self._cut(self._forgotten, heard))
            except SpeechFailed:
                text, passed = None, heard  # it may have been this sound
            if text is None:
                await asyncio.sleep(BUSY_SECONDS)
                continue
            passed = heard
            words = draft.agree(text.split(), _ms(passed))
            if settled or words:
                told, stable = f"{settled}{' '.join(words)}", f"{settled}{' '.join(draft.stable)}"
                self._told.put_nowait(LiveEvent("partial", _ms(passed), told.strip(), stable.strip()))

    async def _settle(self) -> str:
        """The words up to the last pause, which are forgotten as sound; nothing where there was no pause."""
        sound = self._cut(self._forgotten, self._bytes_received)
        with suppress(SpeechFailed):
            first, *later = list(pieces(await self._spans(sound), LONGEST_MS // 2)) or [(0, 0)]
            if later and (text := await self._words(sound[: pcm_bytes(first[1] / 1000)])) is not None:
                self._forget(pcm_bytes(first[1] / 1000))
                return f"{text} " if text else ""
        return ""

    def _forget(self, size: int) -> None:
        del self._sound[:size]
        self._forgotten += size

    def _cut(self, start: int, end: int) -> bytes:
        return bytes(self._sound[max(0, start - self._forgotten) : end - self._forgotten])

    async def _until(self, place: int) -> int:
        """Wait for that much sound; how much there is."""
        async with self._more:
            await self._more.wait_for(lambda: self._bytes_received >= place)
        return self._bytes_received


def _ms(place: int) -> int:
    return place * 1000 // pcm_bytes(1)


class Recorded:
    """A microphone whose sound comes as a file that grows: decoded from its beginning each time it has grown."""

    def __init__(self, listener: Listener, path: Path, most_seconds: float) -> None:
        self._listener = listener
        self._path = path
        self._most_seconds = most_seconds

    async def feed(self, pcm: bytes) -> None:
        """Nothing: what comes is in the file."""

    async def events(self) -> AsyncGenerator[LiveEvent]:
        """See Listening."""
        reading = asyncio.create_task(self._read())
        try:
            async with aclosing(self._listener.events()) as events:
                async for event in events:
                    yield event
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def _read(self) -> None:
        size = fed = 0
        took = 0.0
        while True:
            await asyncio.sleep(max(READ_SECONDS, TIMES_ITS_READING * took))
            began = time.monotonic()
            grown = await asyncio.to_thread(_size, self._path)
            if grown == size:
                continue
            size = grown
            with suppress(SpeechFailed):  # the end of what came is in the middle of something
                sound = (await decode(self._path, max_seconds=self._most_seconds)).pcm
                await self._listener.feed(sound[fed:])
                fed = max(fed, len(sound))
            took = time.monotonic() - began


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


class Draft:
    """The words of passes over the same sound; the last ones of a pass change with what is said next.

    Those that it has in common with a pass of two seconds before are stable, and stay as they were told.
    """

    def __init__(self) -> None:
        self.stable: list[str] = []
        self._passes: deque[tuple[int, list[str]]] = deque()

    def agree(self, words: list[str], now_ms: int) -> list[str]:
        """The words of a new pass, with the stable ones as they were told."""
        self._passes.append((now_ms, words))
        while len(self._passes) > 1 and self._passes[1][0] <= now_ms - SETTLED_MS:
            self._passes.popleft()
        then, before = self._passes[0]
        if then <= now_ms - SETTLED_MS:
            self.stable += words[len(self.stable) : _in_common(before, words)]
        return self.stable + words[len(self.stable) :]


def _in_common(before: list[str], words: list[str]) -> int:
    for count, (one, other) in enumerate(zip(before, words, strict=False)):
        if _letters(one) != _letters(other):
            return count
    return min(len(before), len(words))


def _letters(word: str) -> str:
    """What is heard of a word: passes differ in capitals and signs."""
    return "".join(filter(str.isalnum, word)).casefold()

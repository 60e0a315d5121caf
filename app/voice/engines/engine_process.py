"""Speech models in a process of their own, kept between clips and replaced when it dies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from app.boundary.confinement.worker import Worker, WorkerDied
from app.voice.engines.confidence import overall
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.engines.engine_child import Request
from app.voice.model import EngineName, Segment, Transcript, Word


class EngineProcess:
    """Runs one child module; one request at a time."""

    def __init__(self, name: EngineName, module: str, *arguments: str) -> None:
        self.name: EngineName = name
        self._worker = Worker(module, *arguments)

    @property
    def pid(self) -> int | None:
        """Process id of the living child, None when there is none."""
        return self._worker.pid

    @property
    def busy(self) -> bool:
        """Whether it has a request."""
        return self._worker.busy

    async def load(self) -> None:
        """Have the model ready before a clip needs it; raises SpeechFailed."""
        if not self._worker.busy:
            await self.ask({"work": "words", "load": True}, b"")

    async def transcribe(self, clip: Clip, prompt: str = "", *, times: bool = False) -> Transcript:
        """What the model heard, with the times of words where they are wanted and known; raises SpeechFailed."""
        reply = await self.ask({"work": "words", "prompt": prompt, "times": times}, clip.pcm)
        most = clip.duration_ms
        segments = [
            Segment(min(start, most), min(end, most), text, confidence, _within(words, most))
            for start, end, text, confidence, words in reply["segments"]
        ]
        return Transcript(reply["text"], reply["language"], segments, self.name, overall(segments))

    async def ask(self, request: Request, pcm: bytes) -> Any:
        """The child's answer; raises SpeechFailed."""
        try:
            reply = json.loads(await self._worker.exchange(json.dumps(request).encode(), pcm))
        except WorkerDied as died:
            raise SpeechFailed("upstream_error", f"{self.name}: its process died ({died}).", retryable=True) from died
        if "outcome" in reply:
            outcome = reply["outcome"]
            raise SpeechFailed(outcome, f"{self.name}: {reply['reason']}", retryable=outcome == "upstream_error")
        return reply

    async def retire(self) -> None:
        """End the child once what it does is done."""
        await self._worker.retire()

    async def close(self) -> None:
        """End the child."""
        await self._worker.close()


def _within(words: Sequence[Sequence[Any]], most: int) -> tuple[Word, ...]:
    return tuple((min(start, most), min(end, most), text) for start, end, text in words)

"""Speech models in a process of their own, kept between clips and replaced when it dies."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from app.confinement import frames, processes
from app.speech.confidence import overall
from app.speech.engine import Clip, EngineName, Segment, SpeechFailed, Transcript
from app.speech.engine_child import Request

REPLY_BYTES = 64 * 1024 * 1024


class EngineProcess:
    """Runs one child module; one request at a time."""

    def __init__(self, name: EngineName, module: str, *arguments: str) -> None:
        self.name: EngineName = name
        self._command = (module, *arguments)
        self._child: processes.Child | None = None
        self._one_at_a_time = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """Process id of the living child, None when there is none."""
        return self._child.process.pid if self._child and self._child.alive else None

    async def load(self) -> None:
        """Have the model ready before a clip needs it; raises SpeechFailed."""
        if not self._one_at_a_time.locked():
            await self.ask({"work": "words", "load": True}, b"")

    async def transcribe(self, clip: Clip, prompt: str = "") -> Transcript:
        """What the model heard; raises SpeechFailed."""
        reply = await self.ask({"work": "words", "prompt": prompt}, clip.pcm)
        segments = [
            Segment(min(start, clip.duration_ms), min(end, clip.duration_ms), text, confidence)
            for start, end, text, confidence in reply["segments"]
        ]
        return Transcript(reply["text"], reply["language"], segments, self.name, overall(segments))

    async def ask(self, request: Request, pcm: bytes) -> Any:
        """The child's answer; raises SpeechFailed. When cancelled, the child is killed: its answer has no taker."""
        async with self._one_at_a_time:
            reply = await self._exchange(await self._living(), request, pcm)
        if "outcome" in reply:
            outcome = reply["outcome"]
            raise SpeechFailed(outcome, f"{self.name}: {reply['reason']}", retryable=outcome == "upstream_error")
        return reply

    async def retire(self) -> None:
        """End the child once what it does is done."""
        async with self._one_at_a_time:
            await self.close()

    async def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child:
            await processes.stop(child)

    async def _exchange(self, child: processes.Child, request: Request, pcm: bytes) -> Any:
        try:
            await frames.send(_pipe(child), json.dumps(request).encode())
            await frames.send(_pipe(child), pcm)
            return json.loads(await frames.receive(child.replies, max_bytes=REPLY_BYTES))
        except (ConnectionError, asyncio.IncompleteReadError) as error:
            await self.close()
            how = processes.explain(child.process.returncode or 0)
            raise SpeechFailed("upstream_error", f"{self.name}: its process died ({how}).", retryable=True) from error
        except BaseException:
            await self.close()
            raise

    async def _living(self) -> processes.Child:
        if self._child and not self._child.alive:
            await self.close()
        if not self._child:
            self._child = await processes.start(*self._command)
        return self._child


def _pipe(child: processes.Child) -> asyncio.StreamWriter:
    if child.requests is None:
        raise RuntimeError("a speech process was started without a pipe")
    return child.requests

"""faster-whisper on this machine: the engine of every installation."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from app.settings import Settings
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.engines.engine_process import EngineProcess
from app.voice.engines.models import find_model, is_path, model_in_use
from app.voice.model import EngineName, Transcript

MODULE = "app.voice.engines.faster_whisper_child"


class FasterWhisperEngine:
    """Holds the model in a child, at most a second short of every core, and at low priority."""

    name: EngineName = "faster-whisper"
    takes_whole_clips = False

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: EngineProcess | None = None
        self._folder: Path | None = None
        self._loading: asyncio.Task[None] | None = None

    @property
    def model(self) -> str:
        """The name, or the folder."""
        return model_in_use(self._settings)

    def missing(self) -> str | None:
        """What keeps it from running here."""
        if find_spec("faster_whisper") is None:
            return "faster-whisper: the package faster-whisper is not installed"
        if find_model(self._settings) is None:
            return f"faster-whisper: the model `{self.model}` is not on this machine; {_cure(self.model)}"
        if self.model.endswith(".en") and not (self._settings.spoken_language or "en").lower().startswith("en"):
            language = self._settings.spoken_language
            return f"faster-whisper: `{self.model}` knows English only, and SUMMIT_LANGUAGE is `{language}`; {OTHERS}"
        return None

    def prepare(self) -> None:
        """Load the model while the clip is still on its way."""
        if self._loading is None and self.missing() is None:
            self._loading = asyncio.create_task(self._load())

    async def transcribe(self, clip: Clip, prompt: str = "") -> Transcript:
        """One pass over at most 30 s; loads the model with the first clip."""
        lack = self.missing()
        if lack:
            raise SpeechFailed("config_error", lack, retryable=True)
        times = self._settings.word_times
        return await (await self.process()).transcribe(clip, prompt, times=times)

    async def close(self) -> None:
        """End its process."""
        if self._loading:
            self._loading.cancel()
            await asyncio.gather(self._loading, return_exceptions=True)
            self._loading = None
        if self._process:
            await self._process.close()
            self._process = None

    async def process(self) -> EngineProcess:
        """Its child, which also tells speech from silence for every engine, with or without a model.

        A new one takes its place once another model is set up.
        """
        folder = find_model(self._settings)
        if self._process is None or folder != self._folder:
            before, self._folder = self._process, folder
            how = self._settings.spoken_language, str(self._threads()), self._settings.speech_device
            self._process = EngineProcess(self.name, MODULE, str(folder or ""), *how)
            if before:
                await before.retire()
        return self._process

    async def _load(self) -> None:
        with suppress(SpeechFailed):  # the clip that comes next will tell
            await (await self.process()).load()

    def _threads(self) -> int:
        spare = max(1, (os.cpu_count() or 2) - 1)
        return min(spare, self._settings.speech_threads or spare)


OTHERS = "`summit setup speech base` fetches a model of many languages"


def _cure(model: str) -> str:
    return "that folder holds no model" if is_path(model) else f"run `summit setup speech {model}`"

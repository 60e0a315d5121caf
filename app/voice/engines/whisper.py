"""openai-whisper on this machine: accurate, no network once its weights are here."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from app.settings import Settings
from app.voice.engines import weights
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.engines.engine_process import EngineProcess
from app.voice.model import EngineName, Transcript

log = logging.getLogger(__name__)
PERCENT = 100


class WhisperEngine:
    """Holds the model in a child; fetches weights in the background where the setting allows it."""

    name: EngineName = "whisper"
    takes_whole_clips = False

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._process: EngineProcess | None = None
        self._fetching: asyncio.Task[None] | None = None
        self._progress = ""

    @property
    def model(self) -> str:
        """The name of its weights, or their path."""
        return self._settings.whisper_model

    def missing(self) -> str | None:
        """What keeps it from running here; weights that are not here are the usual reason."""
        model = self._settings.whisper_model
        if not weights.is_installed():
            return "whisper: openai-whisper is not installed (the extra `openai-whisper`)"
        if weights.find(self._settings):
            return None
        if weights.is_path(model):
            return f"whisper: there is no checkpoint at {model} (SUMMIT_WHISPER_MODEL)"
        if model not in weights.MODELS:
            return f"whisper: no model is called `{model}` (SUMMIT_WHISPER_MODEL)"
        return f"whisper: weights `{model}` are not on this machine; {self._cure()}"

    def prepare(self) -> None:
        """Begin to fetch missing weights, if SUMMIT_WHISPER_DOWNLOAD allows it and nothing is under way."""
        wanted = self._settings.whisper_download and self._settings.whisper_model in weights.MODELS
        busy = self._fetching is not None and not self._fetching.done()
        if wanted and not busy and weights.is_installed() and not weights.find(self._settings):
            self._progress = "they are being fetched"
            self._fetching = asyncio.create_task(self._fetch())

    async def transcribe(self, clip: Clip, prompt: str = "") -> Transcript:
        """Loads the model with the first clip."""
        path = weights.find(self._settings)
        if path is None:
            raise SpeechFailed("config_error", self.missing() or "whisper: weights are missing", retryable=True)
        return await self._process_for(path).transcribe(clip, prompt)

    async def close(self) -> None:
        """End the child and a download under way."""
        if self._fetching:
            self._fetching.cancel()
            await asyncio.gather(self._fetching, return_exceptions=True)
            self._fetching = None
        if self._process:
            await self._process.close()

    def _process_for(self, path: Path) -> EngineProcess:
        if self._process is None:
            device, language = self._settings.speech_device, self._settings.spoken_language
            self._process = EngineProcess(self.name, "app.voice.engines.whisper_child", str(path), device, language)
        return self._process

    def _cure(self) -> str:
        if not self._settings.whisper_download:
            return "run `summit setup speech whisper` or set SUMMIT_WHISPER_DOWNLOAD=true to fetch them"
        return self._progress or "fetching them begins with the next clip"

    async def _fetch(self) -> None:
        try:
            path = await weights.fetch(self._settings, self._note_progress)
            log.info("whisper weights are here: %s", path)
        except (weights.WeightsNotFetched, OSError) as error:
            self._progress = f"fetching them failed ({error}); it is tried again with the next clip"
            log.warning("whisper weights: %s", self._progress)

    def _note_progress(self, done: int, total: int) -> None:
        share = f"{done * PERCENT // total} %" if total else f"{done // 2**20} MB"
        note = f"they are being fetched ({share})"
        if note != self._progress:
            log.info("whisper weights `%s`: %s", self._settings.whisper_model, share)
        self._progress = note

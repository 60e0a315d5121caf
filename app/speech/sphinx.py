"""pocketsphinx: works anywhere with no network, understands US English, mishears a lot and says so."""

from __future__ import annotations

from importlib.util import find_spec

from app.settings import Settings
from app.speech.engine import Clip, EngineName, Transcript
from app.speech.engine_process import EngineProcess


class SphinxEngine:
    """The engine whose model comes inside its package."""

    name: EngineName = "sphinx"

    def __init__(self, settings: Settings) -> None:
        self._language = settings.spoken_language
        self._process = EngineProcess(self.name, "app.speech.sphinx_child")

    def missing(self) -> str | None:
        """What keeps it from running here."""
        if find_spec("pocketsphinx") is None:
            return "sphinx: the package pocketsphinx is not installed"
        if self._language and not self._language.lower().startswith("en"):
            return f"sphinx: it knows English only, and SUMMIT_LANGUAGE is `{self._language}`"
        return None

    async def transcribe(self, clip: Clip) -> Transcript:
        """One pass over the whole clip."""
        return await self._process.transcribe(clip)

    async def close(self) -> None:
        """End its process."""
        await self._process.close()

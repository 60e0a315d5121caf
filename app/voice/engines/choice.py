"""Which engine transcribes here, and why that one."""

from __future__ import annotations

from collections.abc import Sequence

from app.voice.engines.engine import Engine, EngineStatus


def choose(engines: Sequence[Engine], transcriber: str) -> tuple[Engine | None, EngineStatus]:
    """The engine that SUMMIT_TRANSCRIBER asks for; ``auto`` takes the first of ``engines`` that can run."""
    if transcriber == "none":
        return None, EngineStatus(None, "transcription is switched off (SUMMIT_TRANSCRIBER=none)", [])
    missing: list[str] = []
    for engine in engines:
        if transcriber not in ("auto", engine.name):
            continue
        lack = engine.missing()
        if lack is None:
            return engine, EngineStatus(engine.name, _why(engine, transcriber), missing)
        missing.append(lack)
    return None, EngineStatus(None, "no speech engine can run here", missing)


def _why(engine: Engine, transcriber: str) -> str:
    why = "the best engine that can run here" if transcriber == "auto" else "chosen by SUMMIT_TRANSCRIBER"
    return f"{engine.name} with {engine.model}: {why}"

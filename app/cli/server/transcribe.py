"""``summit transcribe``: the words of a recording, without a server."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from app.cli.output import complain, say
from app.settings import load_settings
from app.voice.model import Segment, Transcript, Transcription
from app.voice.routes.transcript_formats import as_srt, as_vtt
from app.voice.speech.service import SpeechService

MS_PER_SECOND = 1000
BREAKS_OFF = "The recording breaks off: its end is missing, and these are the words of what is there."


def transcribe(options: argparse.Namespace) -> int:
    """Print what is said in a file; exit status 1, with the outcome and its reason, when there are no words."""
    ended = asyncio.run(_transcribe(Path(options.file)))
    if ended.transcript is None:
        return complain(f"{ended.outcome}: {ended.reason}")
    say(FORMATS[options.format](ended.transcript))
    if ended.breaks_off:
        complain(BREAKS_OFF)
    return 0


async def _transcribe(path: Path) -> Transcription:
    service = SpeechService(load_settings())
    try:
        return await service.transcribe(path, so_far=_progress if sys.stderr.isatty() else None)
    finally:
        await service.close()


async def _progress(heard: Sequence[Segment], all_ms: int) -> None:
    done_ms = heard[-1].end_ms if heard else 0
    sys.stderr.write(f"\r  {done_ms // MS_PER_SECOND} of {all_ms // MS_PER_SECOND} s ")
    sys.stderr.flush()


def _text(transcript: Transcript) -> str:
    return transcript.text


def _json(transcript: Transcript) -> str:
    return json.dumps(asdict(transcript), ensure_ascii=False, indent=2)


def _srt(transcript: Transcript) -> str:
    return as_srt(transcript.segments)


def _vtt(transcript: Transcript) -> str:
    return as_vtt(transcript.segments)


FORMATS: dict[str, Callable[[Transcript], str]] = {"text": _text, "json": _json, "srt": _srt, "vtt": _vtt}

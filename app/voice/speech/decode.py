"""From a clip on disk to sound, by a confined child."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path
from typing import IO, Any

from app.boundary.confinement import frames, processes
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.model import Container
from app.voice.speech.containers import (
    HEAD_BYTES,
    OGG_PAGE_BYTES,
    InvalidAudio,
    ends_within_a_page,
    lacks_bytes,
    sniff,
)
from app.voice.speech.limits import PIECE_BYTES, cpu_seconds, milliseconds, pcm_bytes

REPORT_BYTES = 64 * 1024
TOO_SLOW = "Decoding took longer than a clip may; it was stopped."


async def decode(path: Path, *, max_seconds: float) -> Clip:
    """The clip's sound, of one that was cut what can be read; raises SpeechFailed.

    The outcome is invalid_input, timeout or upstream_error.
    """
    try:
        file = await asyncio.to_thread(path.open, "rb")
    except OSError as error:
        raise SpeechFailed("invalid_input", "The recording of this clip is no longer there.") from error
    with file:
        container, cut = await asyncio.to_thread(_identify, file)
        report, pcm = await _run_child(file, container, max_seconds)
    if "refused" in report:
        raise SpeechFailed("invalid_input", report["refused"])
    return Clip(path, container, pcm, milliseconds(pcm), breaks_off=cut or "promised" in report)


def _identify(file: IO[bytes]) -> tuple[Container, bool]:
    """What it is, and whether its bytes end before they should."""
    head, size = file.read(HEAD_BYTES), file.seek(0, 2)
    file.seek(max(0, size - OGG_PAGE_BYTES))
    tail = file.read()
    file.seek(0)
    try:
        container = sniff(head)
    except InvalidAudio as problem:
        raise SpeechFailed("invalid_input", problem.detail) from problem
    return container, ends_within_a_page(tail) if container == "ogg" else lacks_bytes(head, size)


async def _run_child(file: IO[bytes], container: Container, max_seconds: float) -> tuple[dict[str, Any], bytes]:
    child = await processes.start("app.voice.speech.decode_child", container, str(max_seconds), stdin=file)
    try:
        async with asyncio.timeout(2 * cpu_seconds(max_seconds)):
            pcm = await _sound(child.replies, pcm_bytes(max_seconds))
            return json.loads(await frames.receive(child.replies, max_bytes=REPORT_BYTES)), pcm
    except TimeoutError as error:
        raise SpeechFailed("timeout", TOO_SLOW) from error
    except (asyncio.IncompleteReadError, ValueError) as error:
        await processes.stop(child)
        raise _death(child.process.returncode or 0) from error
    finally:
        await processes.stop(child)


async def _sound(replies: asyncio.StreamReader, most: int) -> bytes:
    pcm = bytearray()
    while piece := await frames.receive(replies, max_bytes=min(PIECE_BYTES, most - len(pcm))):
        pcm += piece
    return bytes(pcm)


def _death(status: int) -> SpeechFailed:
    """Why a child ended without an answer; a negative status is the signal that ended it."""
    if status == -signal.SIGXCPU:
        return SpeechFailed("timeout", TOO_SLOW)
    how = processes.explain(status)
    if status == -signal.SIGKILL:
        return SpeechFailed("upstream_error", f"The decoder was stopped ({how}).", retryable=True)
    if status < 0:
        return SpeechFailed("invalid_input", f"The clip made the decoder fail ({how}).")
    return SpeechFailed("config_error", f"The decoder cannot run here ({how}); see `summit doctor`.", retryable=True)

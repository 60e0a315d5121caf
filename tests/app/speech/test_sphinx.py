from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable

import numpy as np
import psutil
import pytest
import pytest_asyncio
from numpy.typing import NDArray

from app.confinement.processes import ROOT
from app.settings import Settings
from app.speech.decode import decode
from app.speech.engine import Clip, SpeechFailed
from app.speech.engine_process import EngineProcess
from app.speech.sphinx import SphinxEngine
from app.speech.sphinx_child import Word, sentences
from tests.app.speech.conftest import JFK, RATE


@pytest.fixture
def short(speech: NDArray[np.int16]) -> Clip:
    """Two and a half seconds: "and so my fellow Americans"."""
    pcm = speech[: int(2.5 * RATE)].tobytes()
    return Clip(JFK, "flac", pcm, 2500, silent=False)


@pytest_asyncio.fixture
async def sphinx() -> AsyncIterator[EngineProcess]:
    process = EngineProcess("sphinx", "app.speech.sphinx_child")
    yield process
    await process.close()


async def test_a_real_voice_is_transcribed_with_places_and_without_trust(settings: Settings) -> None:
    engine = SphinxEngine(settings)
    assert engine.missing() is None
    try:
        clip = await decode(JFK, max_seconds=60)
        transcript = await engine.transcribe(clip)
    finally:
        await engine.close()
    assert {"my", "fellow", "what", "your", "country", "can", "do", "for", "you"} <= set(transcript.text.split())
    assert (transcript.engine, transcript.language) == ("sphinx", "en")
    assert transcript.text == " ".join(segment.text for segment in transcript.segments)
    edges = [edge for segment in transcript.segments for edge in (segment.start_ms, segment.end_ms)]
    assert edges == sorted(edges)
    assert 0 < edges[0] < edges[-1] <= 11_000
    assert all(segment.confidence and 0 < segment.confidence <= 1 for segment in transcript.segments)
    assert transcript.confidence
    assert 0 < transcript.confidence < 1
    assert not transcript.acts_without_asking
    assert not transcript.may_act(min_confidence=0)


async def test_one_process_serves_many_clips_and_remembers_none(sphinx: EngineProcess, short: Clip) -> None:
    first = await sphinx.transcribe(short)
    pid = sphinx.pid
    assert "fellow" in first.text
    assert await sphinx.transcribe(short) == first
    assert sphinx.pid == pid


async def test_a_dead_process_is_replaced(sphinx: EngineProcess, short: Clip) -> None:
    first = await sphinx.transcribe(short)
    pid = sphinx.pid
    assert pid
    os.kill(pid, signal.SIGKILL)
    await until(lambda: sphinx.pid is None)
    assert await sphinx.transcribe(short) == first


async def test_a_process_that_dies_over_a_clip_is_worth_another_try(sphinx: EngineProcess, short: Clip) -> None:
    task = asyncio.create_task(sphinx.transcribe(short))
    await until(lambda: sphinx.pid is not None)
    os.kill(sphinx.pid or 0, signal.SIGKILL)
    with pytest.raises(SpeechFailed, match="SIGKILL") as failed:
        await task
    assert (failed.value.outcome, failed.value.retryable) == ("upstream_error", True)
    assert "fellow" in (await sphinx.transcribe(short)).text


async def test_giving_up_on_a_clip_ends_the_process(sphinx: EngineProcess, short: Clip) -> None:
    task = asyncio.create_task(sphinx.transcribe(short))
    await until(lambda: sphinx.pid is not None)
    child = psutil.Process(sphinx.pid)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not child.is_running()
    assert "fellow" in (await sphinx.transcribe(short)).text


async def test_a_model_that_cannot_be_loaded_is_a_matter_of_configuration(short: Clip) -> None:
    process = EngineProcess("whisper", "app.speech.whisper_child", "/nowhere/model.pt", "cpu", "en")
    try:
        with pytest.raises(SpeechFailed, match="model cannot be loaded") as failed:
            await process.transcribe(short)
    finally:
        await process.close()
    assert failed.value.outcome == "config_error"


PARENT = """
import asyncio
from pathlib import Path
from app.speech.engine import Clip
from app.speech.engine_process import EngineProcess

async def main():
    sphinx = EngineProcess("sphinx", "app.speech.sphinx_child")
    await sphinx.transcribe(Clip(Path(), "wav", bytes(32000), 1000, silent=False))
    print(sphinx.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_the_process_dies_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    deadline = time.monotonic() + 5
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


HEAVY = ("av", "numpy", "pocketsphinx", "torch", "whisper")


def test_heavy_libraries_stay_out_of_this_process() -> None:
    look = f"import sys, app.speech.service; print([name for name in {HEAVY} if name in sys.modules])"
    seen = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, check=True, text=True)
    assert seen.stdout.strip() == "[]"


def test_sentences_end_at_pauses_of_half_a_second() -> None:
    words = [Word("ask", 0, 400, 1.0), Word("not", 890, 1000, 1.0), Word("what", 1500, 1800, 1.0)]
    assert [[word.text for word in together] for together in sentences(words)] == [["ask", "not"], ["what"]]
    assert list(sentences([])) == []


@pytest.mark.parametrize(("language", "can_run"), [("en", True), ("en-GB", True), ("", True), ("de", False)])
def test_it_knows_english_only(settings: Settings, language: str, can_run: bool) -> None:  # noqa: FBT001
    lack = SphinxEngine(settings.model_copy(update={"language": language})).missing()
    assert (lack is None) == can_run


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - another process sets no event
        await asyncio.sleep(0.01)

"""The engine of every installation, with the model that comes with it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import psutil
import pytest
import pytest_asyncio
from numpy.typing import NDArray

from app.boundary.confinement.processes import ROOT
from app.settings import Settings
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.engines.engine_process import EngineProcess
from app.voice.engines.faster_whisper import MODULE, FasterWhisperEngine
from app.voice.engines.models import find_model, remember_choice, target
from app.voice.model import Segment, Transcription
from app.voice.speech.hints import COMMANDS
from app.voice.speech.service import SpeechService
from tests.support.speech.sounds import JFK, RATE, encode, needs_model, silence
from tests.support.speech.voices import spoken
from tests.support.waiting import until_true, wait_until

SAID = (
    "and so my fellow americans ask not what your country can do for you ask what you can do for your country".split()
)


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


@pytest.fixture
def short(speech: NDArray[np.int16]) -> Clip:
    """Two and a half seconds: "and so my fellow Americans"."""
    return Clip(JFK, "flac", speech[: int(2.5 * RATE)].tobytes(), 2500)


@pytest_asyncio.fixture
async def process(settings: Settings) -> AsyncIterator[EngineProcess]:
    process = EngineProcess("faster-whisper", MODULE, str(find_model(settings)), "en", "1", "cpu")
    yield process
    await process.close()


@pytest_asyncio.fixture
async def service(settings: Settings) -> AsyncIterator[SpeechService]:
    service = SpeechService(settings)
    yield service
    await service.close()


@needs_model
async def test_a_real_voice_is_transcribed_word_by_word_with_its_places(service: SpeechService) -> None:
    heard = await service.transcribe(JFK)
    assert (heard.outcome, heard.duration_ms) == ("success", 11_000)
    transcript = heard.transcript
    assert transcript
    assert words_of(transcript.text) == SAID
    assert (transcript.engine, transcript.language) == ("faster-whisper", "en")
    edges = [edge for segment in transcript.segments for edge in (segment.start_ms, segment.end_ms)]
    assert edges == sorted(edges)
    assert 0 <= edges[0] < edges[-1] <= 11_000
    assert transcript.may_act(Settings().min_confidence)
    told = [word for segment in transcript.segments for word in segment.words]
    assert " ".join(text for _, _, text in told) == transcript.text
    moments = [moment for start, end, _ in told for moment in (start, end)]
    assert moments == sorted(moments)
    [(country, _, _)] = [word for word in told if word[2].startswith("country.")]
    assert 9_700 < country < 10_600


@needs_model
async def test_words_after_a_long_silence_keep_their_place_and_the_first_come_first(
    service: SpeechService, tmp_path: Path, speech: NDArray[np.int16]
) -> None:
    path = tmp_path / "clip"
    told: list[tuple[list[str], int]] = []

    async def so_far(segments: Sequence[Segment], all_ms: int) -> None:
        told.append((words_of(" ".join(segment.text for segment in segments)), all_ms))

    path.write_bytes(encode(np.concatenate([silence(20), speech, silence(25), speech]), "flac"))
    transcript = (await service.transcribe(path, so_far=so_far)).transcript
    assert told == [(SAID, 66_998)]  # of the milliseconds that it has
    assert transcript
    assert words_of(transcript.text) == SAID * 2
    assert 19_500 < transcript.segments[0].start_ms < 21_500
    assert any(55_500 < segment.start_ms < 57_500 for segment in transcript.segments)


SPOKEN = {
    "Yes": "yes",
    "No, at nine": "no at 9",
    "Cancel": "cancel",
    "Remind me to call the plumber tomorrow at nine": "remind me to call the plumber tomorrow at 9",
}


@needs_model
async def test_commands_are_heard_well_enough_to_act_and_noise_invents_nothing(
    service: SpeechService, tmp_path: Path
) -> None:
    noise = np.random.default_rng(3)
    heard = {words: await hear(service, tmp_path, encode(spoken(words), "webm")) for words in SPOKEN}
    transcripts = {words: one.transcript for words, one in heard.items() if one.transcript}
    assert {words: " ".join(words_of(one.text)) for words, one in transcripts.items()} == SPOKEN
    assert all(one.may_act(Settings().min_confidence) for one in transcripts.values())
    for loudness in (300, 3000):
        hiss = encode(noise.normal(0, loudness, 20 * RATE).astype(np.int16), "ogg")
        nothing = await hear(service, tmp_path, hiss)
        assert (nothing.outcome, nothing.transcript) == ("expected_silence", None)


async def hear(service: SpeechService, folder: Path, clip: bytes) -> Transcription:
    path = folder / "clip"
    path.write_bytes(clip)
    return await service.transcribe(path, COMMANDS)


@needs_model
async def test_a_missing_model_keeps_the_gate_and_names_the_cure(settings: Settings, tmp_path: Path) -> None:
    bare = settings.model_copy(update={"weights_dir": tmp_path / "none"})
    service = SpeechService(bare)
    path = tmp_path / "silent"
    path.write_bytes(encode(silence(2), "ogg"))
    try:
        spoken_clip, silent = await service.transcribe(JFK), await service.transcribe(path)
        status = service.status()
        (tmp_path / "none").mkdir()
        (tmp_path / "none" / "tiny.en").symlink_to(Settings(_env_file=None).weights_dir / "tiny.en")
        after = await service.transcribe(JFK)
    finally:
        await service.close()
    assert (spoken_clip.outcome, spoken_clip.retryable) == ("config_error", True)
    assert "run `summit setup speech tiny.en`" in spoken_clip.reason
    assert silent.outcome == "expected_silence"
    assert status.engine is None
    assert "summit setup speech tiny.en" in " ".join(status.missing)
    assert after.outcome == "success"  # the running server uses a model as soon as it is set up


def test_the_model_in_use_is_the_setting_then_the_choice_then_the_starter(settings: Settings, tmp_path: Path) -> None:
    assert FasterWhisperEngine(settings).model == "tiny.en"
    remember_choice(settings, "base")
    assert FasterWhisperEngine(settings).model == "base"
    assert "run `summit setup speech base`" in (FasterWhisperEngine(settings).missing() or "")
    make_model(target(settings, "base"))
    assert find_model(settings) == target(settings, "base")
    make_model(tmp_path / "mine")
    named = settings.model_copy(update={"speech_model": str(tmp_path / "mine")})
    assert find_model(named) == tmp_path / "mine"
    assert FasterWhisperEngine(named).missing() is None


def make_model(folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (folder / name).touch()


@needs_model
@pytest.mark.parametrize(("language", "can_run"), [("en", True), ("en-GB", True), ("auto", True), ("de", False)])
def test_an_english_model_refuses_another_language(settings: Settings, language: str, can_run: bool) -> None:  # noqa: FBT001
    lack = FasterWhisperEngine(settings.model_copy(update={"language": language})).missing()
    assert (lack is None) == can_run
    assert can_run or "summit setup speech base" in (lack or "")


@needs_model
async def test_one_process_serves_many_clips_and_remembers_none(process: EngineProcess, short: Clip) -> None:
    await process.load()
    pid = process.pid
    first = await process.transcribe(short)
    assert "fellow" in first.text
    assert await process.transcribe(short) == first
    assert process.pid == pid
    assert psutil.Process(pid).nice() > 0


@needs_model
async def test_a_process_that_dies_over_a_clip_is_worth_another_try_and_is_replaced(
    process: EngineProcess, short: Clip
) -> None:
    task = asyncio.create_task(process.transcribe(short))
    await until_true(lambda: process.pid is not None)
    os.kill(process.pid or 0, signal.SIGKILL)
    with pytest.raises(SpeechFailed, match="SIGKILL") as failed:
        await task
    assert (failed.value.outcome, failed.value.retryable) == ("upstream_error", True)
    assert "fellow" in (await process.transcribe(short)).text


@needs_model
async def test_giving_up_on_a_clip_ends_the_process(process: EngineProcess, short: Clip) -> None:
    task = asyncio.create_task(process.transcribe(short))
    await until_true(lambda: process.pid is not None)
    child = psutil.Process(process.pid)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not child.is_running()


async def test_a_model_that_cannot_be_loaded_is_a_matter_of_configuration(short: Clip) -> None:
    process = EngineProcess("faster-whisper", MODULE, "/nowhere", "en", "1", "cpu")
    try:
        with pytest.raises(SpeechFailed, match="model cannot be loaded") as failed:
            await process.transcribe(short)
    finally:
        await process.close()
    assert failed.value.outcome == "config_error"


@needs_model
async def test_a_device_that_cannot_be_used_is_told_before_a_clip_comes(settings: Settings) -> None:
    engine = FasterWhisperEngine(settings.model_copy(update={"speech_device": "nowhere"}))
    try:
        with pytest.raises(SpeechFailed, match=r"model cannot be loaded: .*nowhere") as failed:
            await (await engine.process()).load()
    finally:
        await engine.close()
    assert failed.value.outcome == "config_error"


PARENT = f"""
import asyncio
from app.voice.engines.engine_process import EngineProcess

async def main():
    listener = EngineProcess("faster-whisper", "{MODULE}", "", "en", "1", "cpu")
    await listener.ask({{"work": "spans"}}, bytes(32000))
    print(listener.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def test_the_process_dies_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)


HEAVY = ("av", "numpy", "faster_whisper", "ctranslate2", "onnxruntime", "torch", "whisper")


def test_heavy_libraries_stay_out_of_this_process() -> None:
    look = f"import sys, app.voice.speech.service; print([name for name in {HEAVY} if name in sys.modules])"
    seen = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, check=True, text=True)
    assert seen.stdout.strip() == "[]"


UNWANTED = {"app.voice.model", "langgraph", "pydantic"}


@pytest.mark.parametrize("child", ["faster_whisper_child", "whisper_child"])
def test_an_engine_that_starts_loads_nothing_of_the_server(child: str) -> None:
    loads = f"import sys, app.voice.engines.{child}; print(sorted({UNWANTED} & set(sys.modules)))"
    seen = subprocess.run([sys.executable, "-c", loads], cwd=ROOT, capture_output=True, check=True, text=True)
    assert seen.stdout.strip() == "[]", "it would take seconds longer until the first words appear"

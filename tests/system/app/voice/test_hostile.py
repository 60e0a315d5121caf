from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import psutil
import pytest
import pytest_asyncio

from app.settings import Settings
from app.voice.speech.containers import HEAD_BYTES, InvalidAudio
from app.voice.speech.service import SpeechService
from tests.support.speech.hostile import AT_THE_DOOR, files, nobody_speaks
from tests.support.speech.sounds import encode

T = TypeVar("T")
MOST_SECONDS = 10.0
MOST_SECONDS_OF_FIVE_MINUTES = 20.0
"""Of the processor, here and in children: the clock would also count what other programs do."""
LONGEST = 1800.0
Files = Mapping[str, tuple[str, bytes]]
DECODED = [
    "the head of a flac",
    "the head of an m4a",
    "a flac of noise",
    "a webm of noise",
    "an m4a of noise without its index",
    "an mp3 of noise",
    "a wave of an unknown codec",
    "hours in a small flac",
    "hours that are not announced",
    "a film without sound",
    "a wave with two billion samples a second",
    "wave of noise that breaks off",
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SpeechService]:
    """One whose children run already, as a server's do soon after its start."""
    service = SpeechService(Settings(data_dir=tmp_path_factory.mktemp("data"), max_audio_seconds=LONGEST))
    path = tmp_path_factory.mktemp("first") / "clip"
    path.write_bytes(encode(nobody_speaks(1)["hum"], "wav"))
    await service.transcribe(path)
    yield service
    await service.close()


@pytest.fixture(scope="module")
def hostile_files() -> Files:
    """What has to become of each file, and its bytes, by its name."""
    return {name: (expected, content) for name, expected, content in files()}


def test_there_are_more_than_forty_of_them(hostile_files: Files) -> None:
    assert len(hostile_files) >= 40
    assert [name for name, (expected, _) in hostile_files.items() if expected != AT_THE_DOOR] == DECODED


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_no_clip_is_refused_at_the_door(
    tmp_path: Path, service: SpeechService, hostile_files: Files
) -> None:
    began = used()
    at_the_door = {name: content for name, (expected, content) in hostile_files.items() if expected == AT_THE_DOOR}
    became = {name: await what_becomes_of(service, tmp_path, content) for name, content in at_the_door.items()}
    assert {name: what for name, what in became.items() if what != AT_THE_DOOR} == {}
    assert used() - began < MOST_SECONDS


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("name", DECODED)
async def test_what_pretends_to_be_a_clip_is_refused_in_time(
    tmp_path: Path, service: SpeechService, hostile_files: Files, name: str
) -> None:
    expected, content = hostile_files[name]
    assert await in_time(lambda: what_becomes_of(service, tmp_path, content)) == expected


async def in_time(work: Callable[[], Awaitable[T]], most_seconds: float = MOST_SECONDS) -> T:
    """What it comes to, without too much of the processor."""
    began = used()
    result = await work()
    assert used() - began < most_seconds
    return result


def used() -> float:
    """Seconds of the processor so far, of this process and its children, those that have ended among them."""
    times = psutil.Process().cpu_times()
    alive = [child.cpu_times() for child in psutil.Process().children(recursive=True)]
    ended = times.children_user + times.children_system
    return time.process_time() + ended + sum(one.user + one.system for one in alive)


async def what_becomes_of(service: SpeechService, folder: Path, content: bytes) -> str:
    path = folder / "clip"
    path.write_bytes(content)
    try:
        await service.check_upload(content[:HEAD_BYTES], len(content))
    except InvalidAudio:
        return AT_THE_DOOR
    heard = await service.transcribe(path)
    assert heard.transcript is None
    assert not heard.retryable
    return heard.outcome


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("sound", nobody_speaks(1))
async def test_five_minutes_in_which_nobody_speaks_are_told_in_time(
    tmp_path: Path, service: SpeechService, sound: str
) -> None:
    path = tmp_path / "clip"
    path.write_bytes(encode(nobody_speaks()[sound], "ogg"))
    heard = await in_time(lambda: service.transcribe(path), MOST_SECONDS_OF_FIVE_MINUTES)
    outcomes = {"expected_silence", *(("empty_unexpected",) if sound == "music" else ())}  # a voice may be in it
    assert heard.outcome in outcomes
    assert heard.transcript is None
    assert heard.duration_ms == pytest.approx(300_000, abs=100)

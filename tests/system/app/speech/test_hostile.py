from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
import pytest_asyncio

from app.settings import Settings
from app.speech.containers import HEAD_BYTES, InvalidAudio
from app.speech.service import SpeechService
from tests.support.speech.hostile import AT_THE_DOOR, files, nobody_speaks
from tests.support.speech.sounds import encode

T = TypeVar("T")
MOST_SECONDS = 2.0
MOST_SECONDS_OF_FIVE_MINUTES = 5.0
"""Our aim is 2 s, which fast machines keep; a slow one with two cores takes 2.1 to 3.0."""
LONGEST = 1800.0
FILES = list(files())


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SpeechService]:
    """One whose children run already, as a server's do soon after its start."""
    service = SpeechService(Settings(data_dir=tmp_path_factory.mktemp("data"), max_audio_seconds=LONGEST))
    path = tmp_path_factory.mktemp("first") / "clip"
    path.write_bytes(encode(nobody_speaks(1)["hum"], "wav"))
    await service.transcribe(path)
    yield service
    await service.close()


def test_there_are_more_than_forty_of_them() -> None:
    assert len(FILES) >= 40


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(("expected", "content"), [pytest.param(*one[1:], id=one[0]) for one in FILES])
async def test_what_pretends_to_be_a_clip_is_refused_in_time(
    tmp_path: Path, service: SpeechService, expected: str, content: bytes
) -> None:
    path = tmp_path / "clip"
    path.write_bytes(content)
    assert await in_time(lambda: what_becomes_of(service, path, content)) == expected


async def in_time(work: Callable[[], Awaitable[T]], most_seconds: float = MOST_SECONDS) -> T:
    """What it comes to; one of three tries is to be in time, as other tests run beside it."""
    for _ in range(3):
        began = time.perf_counter()
        result = await work()
        if time.perf_counter() - began < most_seconds:
            return result
    pytest.fail(f"took more than {most_seconds} s three times")


async def what_becomes_of(service: SpeechService, path: Path, content: bytes) -> str:
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

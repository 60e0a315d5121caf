from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from numpy.typing import NDArray

from app.errors import TooLarge
from app.settings import Settings
from app.voice.engines import weights
from app.voice.model import Segment
from app.voice.speech.containers import HEAD_BYTES, InvalidAudio
from app.voice.speech.service import SpeechService
from tests.support.fakes import RecordedRequest, Reply, ScriptedModelServer
from tests.support.speech.sounds import JFK, RATE, encode, needs_model, silence
from tests.support.waiting import HANG_SECONDS, until_true

PATH = "/audio/transcriptions"


@pytest.fixture
def server() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as running:
        yield running


@pytest_asyncio.fixture
async def remote(settings: Settings, server: ScriptedModelServer) -> AsyncIterator[SpeechService]:
    service = SpeechService(settings.model_copy(update={"transcription_base_url": server.base_url}))
    yield service
    await service.close()


def with_(settings: Settings, **changes: Any) -> SpeechService:
    return SpeechService(settings.model_copy(update=changes))


def test_auto_takes_what_is_here_and_says_why(settings: Settings) -> None:
    status = SpeechService(settings).status()
    assert status.engine == "faster-whisper"
    assert status.why == "faster-whisper with tiny.en: the best engine that can run here"
    assert [lack.split(":")[0] for lack in status.missing] == ["remote"]


async def test_auto_prefers_a_server(remote: SpeechService, server: ScriptedModelServer) -> None:
    server.script(PATH, Reply({"text": "hello"}))
    assert remote.status().engine == "remote"
    heard = await remote.transcribe(JFK)
    assert heard.transcript
    assert (heard.outcome, heard.transcript.engine) == ("success", "remote")


async def test_silence_never_reaches_an_engine(
    tmp_path: Path, remote: SpeechService, server: ScriptedModelServer
) -> None:
    path = tmp_path / "silent"
    path.write_bytes(encode(silence(2), "ogg"))
    heard = await remote.transcribe(path)
    assert (heard.outcome, heard.transcript, heard.retryable) == ("expected_silence", None, False)
    assert heard.duration_ms
    assert abs(heard.duration_ms - 2000) < 50
    assert server.requests == []


async def test_sound_without_words_is_unexpected(remote: SpeechService, server: ScriptedModelServer) -> None:
    server.script(PATH, Reply({"text": "  ", "segments": []}))
    heard = await remote.transcribe(JFK)
    assert (heard.outcome, heard.transcript, heard.duration_ms) == ("empty_unexpected", None, 11_000)


async def test_a_refused_key_is_a_config_error(remote: SpeechService, server: ScriptedModelServer) -> None:
    server.script(PATH, Reply({"error": {"message": "wrong key"}}, status=401))
    heard = await remote.transcribe(JFK)
    assert (heard.outcome, heard.transcript, heard.retryable) == ("config_error", None, False)
    assert "wrong key" in heard.reason


async def test_what_is_no_clip_is_invalid_input(tmp_path: Path, remote: SpeechService) -> None:
    path = tmp_path / "clip.wav"
    path.write_bytes(b"ffconcat version 1.0\nfile /etc/passwd\n")
    heard = await remote.transcribe(path)
    assert (heard.outcome, heard.transcript, heard.duration_ms) == ("invalid_input", None, None)
    assert "ffconcat" in heard.reason


def whisper_lacks(words: str) -> str:
    return words if weights.is_installed() else "openai-whisper is not installed"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"transcriber": "none"}, "switched off"),
        ({"transcriber": "remote"}, "SUMMIT_TRANSCRIPTION_BASE_URL is not set"),
        ({"transcriber": "whisper", "whisper_model": "base"}, whisper_lacks("run `summit setup speech whisper`")),
        ({"transcriber": "whisper", "whisper_model": "enormous"}, whisper_lacks("no model is called `enormous`")),
        ({"transcriber": "whisper", "whisper_model": "/no/model.pt"}, whisper_lacks("no checkpoint at /no/model.pt")),
        ({"language": "de"}, "English only"),
        ({"transcriber": "faster-whisper", "speech_model": "small"}, "run `summit setup speech small`"),
        ({"transcriber": "faster-whisper", "speech_model": "/no/model"}, "that folder holds no model"),
    ],
)
async def test_no_engine_is_a_config_error_that_says_what_is_missing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], reason: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(settings.data_dir))
    service = with_(settings, **changes)
    status = service.status()
    heard = await service.transcribe(JFK)
    await service.close()
    assert status.engine is None
    assert reason in " ".join([status.why, *status.missing])
    assert (heard.outcome, heard.retryable, heard.duration_ms) == ("config_error", True, 11_000)
    assert reason in heard.reason


async def test_an_engine_that_takes_too_long_is_stopped(settings: Settings) -> None:
    service = with_(settings, transcription_timeout_seconds=0.3)
    heard = await service.transcribe(JFK)
    assert (heard.outcome, heard.retryable) == ("timeout", True)
    assert (await service._local.process()).pid is None
    await service.close()


async def test_the_loop_stays_free_while_clips_are_heard(remote: SpeechService, server: ScriptedModelServer) -> None:
    answering = threading.Event()

    def answer(_: RecordedRequest) -> Reply:
        assert answering.wait(HANG_SECONDS)
        return Reply({"text": "hello"})

    server.script(PATH, answer)
    tasks = [asyncio.create_task(remote.transcribe(JFK)) for _ in range(2)]
    await until_true(lambda: len(server.requests) == 2)  # both are on their way, which takes many steps of the loop
    assert not any(task.done() for task in tasks)
    answering.set()
    assert [(await task).outcome for task in tasks] == ["success", "success"]


@needs_model
async def test_a_short_clip_waits_for_one_piece_of_a_long_one_only(
    settings: Settings, tmp_path: Path, speech: NDArray[np.int16]
) -> None:
    (tmp_path / "long").write_bytes(encode(np.concatenate([speech] * 4), "flac"))
    (tmp_path / "short").write_bytes(encode(speech[: 3 * RATE], "flac"))
    service = SpeechService(settings)
    first_piece, going_on = asyncio.Event(), asyncio.Event()

    async def so_far(_segments: Sequence[Segment], _all_ms: int) -> None:
        first_piece.set()
        await going_on.wait()

    long = asyncio.create_task(service.transcribe(tmp_path / "long", so_far=so_far))
    await first_piece.wait()
    short = await service.transcribe(tmp_path / "short")
    assert (short.outcome, long.done()) == ("success", False)
    going_on.set()
    heard = (await long).transcript
    await service.close()
    assert heard
    assert heard.text.lower().count("fellow americans") == 4


async def test_an_upload_is_judged_by_its_first_bytes_and_its_size(settings: Settings) -> None:
    service = SpeechService(settings)
    head, size = JFK.read_bytes()[:HEAD_BYTES], JFK.stat().st_size
    assert await service.check_upload(head, size) == "flac"
    with pytest.raises(TooLarge):
        await service.check_upload(head, settings.max_audio_bytes + 1)
    with pytest.raises(InvalidAudio):
        await service.check_upload(b"", 0)
    await service.close()

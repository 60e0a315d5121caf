from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic import SecretStr

from app.settings import Settings
from app.voice.engines.engine import Clip, SpeechFailed
from app.voice.engines.remote import RemoteEngine
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.speech.sounds import JFK

PATH = "/audio/transcriptions"
CLIP = Clip(JFK, "flac", b"", 11_000)
HEARD = {
    "task": "transcribe",
    "language": "english",
    "duration": 11.0,
    "text": " And so, my fellow Americans. Ask not.",
    "segments": [
        {
            "id": 0,
            "start": 0.0,
            "end": 7.5,
            "text": " And so, my fellow Americans.",
            "avg_logprob": -0.2,
            "no_speech_prob": 0.01,
        },
        {"id": 1, "start": 7.5, "end": 11.4, "text": " Ask not.", "avg_logprob": -0.9, "no_speech_prob": 0.02},
    ],
}


@pytest.fixture
def server() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as running:
        yield running


@asynccontextmanager
async def remote(settings: Settings, base_url: str, **changes: Any) -> AsyncIterator[RemoteEngine]:
    changed = settings.model_copy(update={"transcription_base_url": base_url, **changes})
    engine = RemoteEngine(changed, backoff_seconds=0.01)
    yield engine
    await engine.close()


async def failure(settings: Settings, base_url: str, **changes: Any) -> SpeechFailed:
    async with remote(settings, base_url, **changes) as engine:
        with pytest.raises(SpeechFailed) as failed:
            await engine.transcribe(CLIP)
    return failed.value


async def test_the_clip_goes_out_as_recorded_and_comes_back_as_a_transcript(
    settings: Settings, server: ScriptedModelServer
) -> None:
    server.script(PATH, Reply(HEARD))
    async with remote(settings, server.base_url, transcription_api_key=SecretStr("key"), language="en-US") as engine:
        assert engine.missing() is None
        transcript = await engine.transcribe(CLIP)
    (request,) = server.requests
    assert request.headers["authorization"] == "Bearer key"
    assert request.form["file"] == JFK.read_bytes()
    assert b'filename="clip.flac"' in request.body
    fields = {name: request.form[name] for name in ("model", "response_format", "language")}
    assert fields == {"model": b"whisper-1", "response_format": b"verbose_json", "language": b"en"}
    assert transcript.text == "And so, my fellow Americans. Ask not."
    places = [(segment.start_ms, segment.end_ms, segment.text) for segment in transcript.segments]
    assert places == [(0, 7500, "And so, my fellow Americans."), (7500, 11_000, "Ask not.")]
    assert [round(segment.confidence or 0, 2) for segment in transcript.segments] == [0.82, 0.41]
    assert transcript.may_act(0.6)
    assert not transcript.may_act(0.7)


@pytest.mark.parametrize("container", ["aac", "caf", "amr", "aiff"])
async def test_what_such_servers_do_not_take_goes_out_as_a_wave_file(
    settings: Settings, server: ScriptedModelServer, container: Any
) -> None:
    server.script(PATH, Reply({"text": "hello"}))
    async with remote(settings, server.base_url) as engine:
        await engine.transcribe(Clip(JFK, container, bytes(3200), 100))
    (request,) = server.requests
    assert b'filename="clip.wav"' in request.body
    assert request.form["file"][:4] == b"RIFF"
    assert request.form["file"].endswith(bytes(3200))


async def test_a_server_that_gives_only_text_gives_one_segment_of_unknown_confidence(
    settings: Settings, server: ScriptedModelServer
) -> None:
    server.script(PATH, Reply({"text": "hello"}))
    async with remote(settings, server.base_url + "/", language="") as engine:
        transcript = await engine.transcribe(CLIP)
    assert [(s.start_ms, s.end_ms, s.text, s.confidence) for s in transcript.segments] == [(0, 11_000, "hello", None)]
    assert transcript.confidence is None
    assert transcript.may_act(0.6)
    assert "authorization" not in server.requests[0].headers
    assert "language" not in server.requests[0].form


@pytest.mark.parametrize(
    "fault",
    [
        Reply({"error": {"message": "busy"}}, status=500),
        Reply("<html>Bad gateway</html>", status=502, content_type="text/html"),
        Reply({"error": "slow down"}, status=429),
        Reply("<html>Please log in</html>", content_type="text/html"),
        Reply('{"text": "hel'),
        Reply({"words": []}),
        Reply([]),
        Reply({"text": "a", "segments": [{"start": -1, "end": 2, "text": "a"}]}),
        Reply(drop=True),
    ],
    ids=lambda fault: f"{fault.status} {str(fault.body)[:20]}",
)
async def test_a_passing_fault_is_survived_and_a_lasting_one_reported(
    settings: Settings, server: ScriptedModelServer, fault: Reply
) -> None:
    server.script(PATH, fault, fault, Reply(HEARD))
    async with remote(settings, server.base_url) as engine:
        assert (await engine.transcribe(CLIP)).text.startswith("And so")
    server.script(PATH, fault)
    failed = await failure(settings, server.base_url)
    assert (failed.outcome, failed.retryable) == ("upstream_error", True)
    assert len(server.to(PATH)) == 6


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (401, "config_error"),
        (403, "config_error"),
        (404, "config_error"),
        (400, "upstream_error"),
        (413, "upstream_error"),
    ],
)
async def test_what_will_not_pass_is_not_tried_again(
    settings: Settings, server: ScriptedModelServer, status: int, outcome: str
) -> None:
    server.script(PATH, Reply({"error": {"message": "no,\n no"}}, status=status))
    failed = await failure(settings, server.base_url)
    assert (failed.outcome, failed.retryable) == (outcome, False)
    assert "no, no" in failed.reason
    assert len(server.requests) == 1


async def test_a_silent_server_is_a_timeout(settings: Settings, server: ScriptedModelServer) -> None:
    server.script(PATH, Reply(HEARD, delay_seconds=3600))
    failed = await failure(settings, server.base_url, transcription_timeout_seconds=0.2)
    assert (failed.outcome, failed.retryable) == ("timeout", True)


async def test_the_pause_that_a_server_asks_for_is_kept(settings: Settings, server: ScriptedModelServer) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    server.script(PATH, Reply(status=429, headers={"Retry-After": "17"}), Reply(HEARD))
    engine = RemoteEngine(settings.model_copy(update={"transcription_base_url": server.base_url}), pausing=pause)
    await engine.transcribe(CLIP)
    await engine.close()
    assert pauses == [17]


async def test_nobody_listening_is_an_upstream_error(settings: Settings) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        failed = await failure(settings, f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
    assert (failed.outcome, failed.retryable) == ("upstream_error", True)


@pytest.mark.parametrize("address", ["not an address", "ftp://example.org", "http://[::1"])
async def test_an_address_that_is_none_is_a_matter_of_configuration(settings: Settings, address: str) -> None:
    assert (await failure(settings, address)).outcome == "config_error"


def test_it_is_missing_without_an_address(settings: Settings) -> None:
    assert RemoteEngine(settings).missing() == "remote: SUMMIT_TRANSCRIPTION_BASE_URL is not set"

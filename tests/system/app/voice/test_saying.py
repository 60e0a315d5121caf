"""Spoken replies: by a voice on this machine and by a server that a user chose; refusals say why."""

from __future__ import annotations

import asyncio
import os
import signal
import wave
from collections.abc import AsyncIterator
from difflib import SequenceMatcher
from io import BytesIO
from pathlib import Path
from typing import get_args

import av
import pytest
import pytest_asyncio

from app.settings import Settings
from app.voice.engines.engine import SpeechFailed
from app.voice.engines.remote import SpeechServer
from app.voice.model import CannotSpeak, SpokenForm
from app.voice.saying.piper import LONGEST_PIECE, Piper, pieces
from app.voice.saying.service import VoiceService
from app.voice.speech.service import SpeechService
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.waiting import until_true

WORDS = "I added call the plumber, due tomorrow at nine."
FORMS: tuple[SpokenForm, ...] = get_args(SpokenForm)


async def nobody() -> SpeechServer | None:
    return None


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def piper() -> AsyncIterator[Piper]:
    voice = Piper("", 60)
    yield voice
    await voice.close()


@pytest.mark.parametrize("form", [form for form in FORMS if form != "pcm"])
@pytest.mark.asyncio(loop_scope="module")
async def test_every_form_is_a_file_of_its_kind(piper: Piper, form: SpokenForm) -> None:
    sound = await piper.speak("Hello.", form, 1.0)
    with av.open(BytesIO(sound), "r") as file:
        lengths = [frame.samples / frame.sample_rate for frame in file.decode(audio=0)]
    assert 0.3 < sum(lengths) < 3


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_spoken_is_heard_again(piper: Piper, settings: Settings, tmp_path: Path) -> None:
    clip = tmp_path / "clip"
    clip.write_bytes(await piper.speak(WORDS, "wav", 1.0))
    speech = SpeechService(settings)
    try:
        heard = await speech.transcribe(clip)
    finally:
        await speech.close()
    assert heard.transcript
    assert SequenceMatcher(None, heard.transcript.text.lower(), WORDS.lower()).ratio() > 0.8


@pytest.mark.asyncio(loop_scope="module")
async def test_speed_and_rate_are_what_was_asked_for(piper: Piper) -> None:
    usual, fast = [len(await piper.speak(WORDS, "pcm", speed)) for speed in (1.0, 2.0)]
    assert 0.4 < fast / usual < 0.7
    with wave.open(BytesIO(await piper.speak("Hello.", "wav", 1.0))) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (24_000, 1, 2)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_voice_that_died_is_replaced(piper: Piper) -> None:
    long = asyncio.create_task(piper.speak("This takes a while. " * 40, "wav", 1.0))
    await asyncio.sleep(0.2)  # so that it is speaking
    await until_true(lambda: piper.pid)
    assert piper.pid
    os.kill(piper.pid, signal.SIGKILL)
    with pytest.raises(CannotSpeak, match="SIGKILL") as failed:
        await long
    assert failed.value.retryable
    assert await piper.speak("Hello.", "mp3", 1.0)


async def test_a_voice_that_cannot_be_loaded_says_so(tmp_path: Path) -> None:
    voice = Piper(str(tmp_path / "none.onnx"), 60)
    with pytest.raises(CannotSpeak, match="the voice failed"):
        await voice.speak("Hello.", "mp3", 1.0)
    await voice.close()


def test_long_text_is_cut_between_sentences_else_words_else_anywhere() -> None:
    assert list(pieces("One. Two!\n\nThree")) == ["One.", "Two!", "Three"]
    words = list(pieces("word " * 200))
    assert max(map(len, words)) <= LONGEST_PIECE
    assert " ".join(words) == " ".join(["word"] * 200)
    assert list(map(len, pieces("x" * 700))) == [300, 300, 100]


async def test_a_chosen_server_speaks(settings: Settings) -> None:
    with ScriptedModelServer() as server:
        server.script("/audio/speech", Reply(b"sound", content_type="audio/mpeg"))

        async def chosen() -> SpeechServer | None:
            return SpeechServer(server.base_url, "tts-9", "sk-1")

        voice = VoiceService(settings, chosen)
        assert await voice.speak("Hello.", "mp3", speed=1.5) == b"sound"
        [request] = server.to("/audio/speech")
    assert request.json == {
        "model": "tts-9",
        "input": "Hello.",
        "voice": "alloy",
        "response_format": "mp3",
        "speed": 1.5,
    }
    assert request.headers["authorization"] == "Bearer sk-1"


@pytest.mark.parametrize(
    ("reply", "why", "retryable"),
    [
        (Reply({"error": "sk-secret"}, status=401), "answered 401", False),
        (Reply({}, status=503), "answered 503", True),
        (Reply({"no": "sound"}), "sent no sound", False),
    ],
)
async def test_a_server_that_does_not_speak_says_why(
    settings: Settings,
    reply: Reply,
    why: str,
    retryable: bool,  # noqa: FBT001 - a case
) -> None:
    with ScriptedModelServer() as server:
        server.script("/audio/speech", reply)

        async def chosen() -> SpeechServer | None:
            return SpeechServer(server.base_url, "tts-9")

        with pytest.raises(CannotSpeak, match=why) as refused:
            await VoiceService(settings, chosen).speak("Hello.", "mp3")
    assert refused.value.retryable is retryable
    assert "sk-secret" not in str(refused.value)


async def test_a_choice_that_cannot_be_followed_is_no_other_voice(settings: Settings) -> None:
    async def keyless() -> SpeechServer | None:
        raise SpeechFailed("config_error", "openai: it has no key any more", retryable=True)

    with pytest.raises(CannotSpeak, match="no key any more"):
        await VoiceService(settings, keyless).speak("Hello.", "mp3")


async def test_switched_off_it_says_so(settings: Settings) -> None:
    off = VoiceService(settings.model_copy(update={"voice": "none"}), nobody)
    assert "switched off" in off.check().detail
    with pytest.raises(CannotSpeak, match="SUMMIT_VOICE=none"):
        await off.speak("Hello.", "mp3")

"""Hearing Summit: the reply of a turn, and OpenAI's door for any words."""

from __future__ import annotations

import httpx
import openai
import pytest

from tests.support.servers.api import problem


def test_a_turn_that_is_to_be_spoken_names_its_sound(alice: httpx.Client) -> None:
    turn = alice.post("/v1/turns", json={"text": "remember that I like tea", "speak": True}).json()
    assert turn["speech_url"] == f"/v1/turns/{turn['id']}/speech"
    assert alice.get(f"/v1/turns/{turn['id']}").json()["speech_url"] == turn["speech_url"]
    sound = alice.get(turn["speech_url"])
    assert (sound.status_code, sound.headers["Content-Type"]) == (200, "audio/mpeg")
    assert len(sound.content) > 1000
    assert alice.get(turn["speech_url"], params={"response_format": "wav"}).content.startswith(b"RIFF")


def test_any_turn_can_be_heard_and_says_nothing_of_it(alice: httpx.Client) -> None:
    turn = alice.post("/v1/turns", json={"text": "hello"}).json()
    assert turn["speech_url"] is None
    assert alice.get(f"/v1/turns/{turn['id']}/speech").status_code == 200


def test_nobody_hears_the_turn_of_another(alice: httpx.Client, bob: httpx.Client) -> None:
    turn = alice.post("/v1/turns", json={"text": "hello"}).json()
    problem(bob.get(f"/v1/turns/{turn['id']}/speech"), 404)


def test_speak_is_yes_or_no(alice: httpx.Client) -> None:
    problem(alice.post("/v1/turns", json={"text": "hello", "speak": "maybe"}), 422)


def test_openais_library_speaks(alice: httpx.Client) -> None:
    key = alice.headers["Authorization"].removeprefix("Bearer ")
    library = openai.OpenAI(api_key=key, base_url=f"{alice.base_url}/v1", max_retries=0)
    sound = library.audio.speech.create(model="tts-1", voice="alloy", input="Hello.", response_format="flac")
    assert sound.read().startswith(b"fLaC")


@pytest.mark.parametrize(
    "body",
    [
        {"input": ""},
        {"input": "x" * 5000},
        {"input": "hi", "speed": 9},
        {"input": "hi", "response_format": "midi"},
        {"input": 5},
        {},
    ],
)
def test_what_cannot_be_spoken_is_refused(alice: httpx.Client, body: dict[str, object]) -> None:
    problem(alice.post("/v1/audio/speech", json=body), 400)

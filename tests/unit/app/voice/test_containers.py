from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from app.voice.model import ACCEPTED, Container
from app.voice.routes.memos import MEDIA_TYPES
from app.voice.speech.containers import HEAD_BYTES, InvalidAudio, check_whole, ends_within_a_page, sniff
from app.voice.speech.decode_child import DEMUXERS
from app.voice.speech.structure import CHECKS
from tests.support.speech.sounds import PHONES, encode

KINDS = {"wav": "wav", "flac": "flac", "ogg": "ogg", "webm": "webm", "m4a": "mp4", "mp3": "mp3"}
KINDS |= {name: name for name in PHONES}


@pytest.mark.parametrize("container", get_args(Container))
def test_what_is_accepted_is_told_checked_decoded_and_played(container: str) -> None:
    assert container in ACCEPTED
    assert CHECKS.keys() & DEMUXERS.keys() & MEDIA_TYPES.keys() >= {container}


@pytest.mark.parametrize(("extension", "container"), KINDS.items())
def test_the_first_bytes_tell_the_container(speech: NDArray[np.int16], extension: str, container: str) -> None:
    assert sniff(encode(speech[:16_000], extension)[:HEAD_BYTES]) == container


def test_an_mp3_without_tags_is_known_by_its_frame_header() -> None:
    assert sniff(b"\xff\xfb\x90\x64" + bytes(100)) == "mp3"


@pytest.mark.parametrize(
    ("head", "found"),
    [
        (b"", "an empty file (0 bytes)"),
        (b"ffconcat version 1.0\nfile /etc/passwd\n", "an ffconcat script"),
        (b"\xef\xbb\xbf\n#EXTM3U\nhttp://example.org/a.ts\n", "an M3U playlist"),
        (b"[playlist]\nFile1=a.mp3\n", "a PLS playlist"),
        (b"<!doctype html><html>", "markup"),
        (b"remember the milk", "text"),
        ("Grüße".encode(), "text"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "a PNG picture"),
        (b"RIFF\x24\x00\x00\x00AVI LIST", "52 49 46 46"),
        (b"\xff\xf1\x50\x80" + bytes(100), "ff f1 50 80"),
        (b"\xff\xf1\x50\x80\x02\x00\x00" + bytes(100), "does not go on like it"),
        (b"caff\x00\x02" + bytes(100), "does not go on like it"),
        (b"#!AMR_MC1.0\n" + bytes(100), "does not go on like it"),
        (b"FORM\x00\x00\x00\x20ILBMBMHD", "does not go on like it"),
        (b"\xff\xfe\x00\x00" + bytes(100), "ff fe 00 00"),
        (b"\x00", "no known container"),
    ],
)
def test_everything_else_is_refused_with_what_was_found_and_what_is_accepted(head: bytes, found: str) -> None:
    with pytest.raises(InvalidAudio) as refused:
        sniff(head)
    assert found in refused.value.detail
    assert "accepted are wav, flac, ogg, webm, m4a/mp4, mp3, aac, caf, amr or aiff" in refused.value.detail
    assert refused.value.status == 422


def test_a_wav_that_promises_more_than_arrived_is_cut_short(speech: NDArray[np.int16]) -> None:
    clip = encode(speech[:16_000], "wav")
    check_whole(clip[:HEAD_BYTES], len(clip))
    with pytest.raises(InvalidAudio, match="cut short"):
        check_whole(clip[:HEAD_BYTES], len(clip) - 1000)


@pytest.mark.parametrize("promised", [0, 0x7FFFFFFF, 0xFFFFFFFF])
def test_a_recorder_that_could_not_know_the_size_is_believed(speech: NDArray[np.int16], promised: int) -> None:
    clip = encode(speech[:16_000], "wav")
    check_whole(clip[:4] + promised.to_bytes(4, "little") + clip[8:HEAD_BYTES], len(clip))


def test_an_ogg_cut_anywhere_within_its_last_page_is_cut_short(speech: NDArray[np.int16]) -> None:
    clip = encode(speech[:16_000], "ogg")
    last_page = clip.rindex(b"OggS")
    assert not ends_within_a_page(clip)
    for end in (last_page + 4, last_page + 26, last_page + 27, len(clip) - 1):
        assert ends_within_a_page(clip[:end])

"""Bytes that begin like a clip, changed at random: read as a container or refused in words, at once."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from app.voice.speech.containers import IMPOSTORS, MAGIC, InvalidAudio, check_whole, describe, ends_within_a_page, sniff

ROUNDS, LONGEST_SECONDS = 2_000, 0.5
BEGINNINGS = (
    *(b"\0" * offset + magic for offset, magic, _ in MAGIC),
    *(magic for magic, _ in IMPOSTORS),
    b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x80\x3e\0\0\0\x7d\0\0\2\0\x10\0data\0\0\0\0",
    b"RF64\xff\xff\xff\xffWAVEds64",
    b"OggS\0\2" + b"\0" * 20 + b"\1\x13OpusHead",
    b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm",
    b"fLaC\0\0\0\x22" + b"\0" * 34,
    b"\0\0\0\x18ftypM4A \0\0\0\0",
    b"\xff\xfb\x90\x00",
    b"",
)


def changed(chance: random.Random) -> bytes:
    """A beginning with bytes flipped, cut out, put in or doubled."""
    data = bytearray(chance.choice(BEGINNINGS) + chance.randbytes(chance.choice((0, 1, 40, 512))))
    for _ in range(chance.randint(0, 6)):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + chance.randrange(9)]
            case 2:
                data[at:at] = chance.randbytes(chance.randrange(9))
            case _:
                data[at:at] = data[:at]
    return bytes(data[: chance.choice((512, 512, len(data)))])


def outcome(look: Callable[[bytes], object], head: bytes) -> str:
    """The container, nothing to say against it, or a refusal, which must be in words."""
    try:
        return str(look(head))
    except InvalidAudio as refused:
        told = refused.detail or ""
    if told and told.isprintable():
        return "refused"
    raise AssertionError(f"{head!r} was refused with {told!r}")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_any_bytes_are_a_container_or_refused_in_words(number: int) -> None:
    chance, slowest, read = random.Random(number), 0.0, set[str]()
    for _ in range(ROUNDS):
        head = changed(chance)
        began = time.thread_time()
        for look in (sniff, lambda data: check_whole(data, len(data)), ends_within_a_page):
            read.add(outcome(look, head))
        assert describe(head)
        slowest = max(slowest, time.thread_time() - began)
    assert slowest < LONGEST_SECONDS
    assert "refused" in read
    assert {"wav", "flac", "ogg", "webm", "mp4", "mp3"} <= read, "some are still clips"

"""Files that only pretend to be clips, and what has to become of each; written before any of them was heard."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from tests.support.speech.sounds import RATE, encode, silence, voice

SECRET = b"/etc/passwd"
CHANCE = np.random.default_rng(40)
AT_THE_DOOR, BY_THE_DECODER = "refused at the door", "invalid_input"
SILENT = "expected_silence"


def files() -> Iterator[tuple[str, str, bytes]]:
    """A name, what has to become of it, and its bytes."""
    yield from ((name, AT_THE_DOOR, content) for name, content in {**_no_audio(), **_polyglots()}.items())
    yield from ((name, BY_THE_DECODER, content) for name, content in {**_damaged(), **_bombs()}.items())
    yield "wave of noise that breaks off", SILENT, _wave()[:4000]


def nobody_speaks(seconds: float = 300) -> dict[str, NDArray[np.int16]]:
    """Five minutes each of silence, hum and music."""
    at = np.arange(int(seconds * RATE)) / RATE
    tune = np.repeat(220 * 2 ** (np.array([0, 4, 7, 12, 7, 4, 5, 9, 12, 9]) / 12), RATE // 4)
    steps = np.resize(tune, len(at))
    music = np.sum([np.sin(2 * np.pi * np.cumsum(steps * part) / RATE) / part for part in (1, 2, 3)], axis=0)
    return {
        "silence": silence(seconds),
        "hum": (5000 * np.sin(2 * np.pi * 50 * at) + 2500 * np.sin(2 * np.pi * 150 * at)).astype(np.int16),
        "music": (5000 * music).astype(np.int16),
    }


def _no_audio() -> dict[str, bytes]:
    return {
        "nothing": b"",
        "one byte": b"R",
        "words": b"remind me to buy milk",
        "a page": b"<!doctype html><audio src=file:///etc/passwd>",
        "a picture with a script": b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
        "a playlist": b"#EXTM3U\n#EXTINF:1,\nfile://" + SECRET,
        "a playlist behind a mark": b"\xef\xbb\xbf#EXTM3U\n" + SECRET,
        "a playlist of keys": b"#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=file://" + SECRET,
        "a shoutcast list": b"[playlist]\nFile1=" + SECRET,
        "a concat script": b"ffconcat version 1.0\nfile " + SECRET,
        "an XML list": b"<asx version='3'><entry><ref href='" + SECRET + b"'/></entry></asx>",
        "a document": b"%PDF-1.7\n1 0 obj",
        "an archive": _archive(),
        "a picture": b"\x89PNG\r\n\x1a\n" + bytes(64),
        "a program": b"\x7fELF\x02\x01\x01" + bytes(64),
        "a film of another kind": b"RIFF\xff\x00\x00\x00AVI LIST" + bytes(64),
        "notes for a piano": b"MThd\x00\x00\x00\x06\x00\x01\x00\x01\x00\x60" + bytes(64),
        "noise": CHANCE.bytes(4096).replace(b"\xff", b"\xfe"),
    }


def _polyglots() -> dict[str, bytes]:
    """They begin like a clip, and are something else."""
    return {
        "wave, then a script": b"RIFF\xff\xff\xff\xffWAVEffconcat version 1.0\nfile " + SECRET,
        "wave, then an archive": b"RIFF\xff\xff\xff\xffWAVE" + _archive(),
        "wave without a format": b"RIFF\xff\xff\xff\xffWAVEdata\xff\xff\x00\x00" + bytes(512),
        "wave of no channels": _wave(channels=0),
        "flac, then a playlist": b"fLaC\n#EXTM3U\nfile://" + SECRET + bytes(64),
        "ogg, then a page": b"OggS<html><script>" + bytes(64),
        "ogg of words": b"OggS\x00\x02" + bytes(20) + b"\x01\x10remind me to buy" + bytes(64),
        "webm of another kind": b"\x1a\x45\xdf\xa3\x9f\x42\x82\x84html<html>" + bytes(64),
        "mp4 that is a page": b"<!--ftypM4A --><script>" + bytes(64),
        "mp4, then a document": b"\x00\x00\x00\x18ftypM4A \x00\x00\x00\x00M4A mp42%PDF-1.7" + bytes(64),
        "mp3's tag, then a playlist": b"ID3\x04\x00\x00\x00\x00\x00\x00#EXTM3U\nfile://" + SECRET,
        "mp3's tag of no version": b"ID3\xff\xff\x00\x00\x00\x00\x00" + bytes(64),
    }


def _damaged() -> dict[str, bytes]:
    speech = voice()[: 4 * RATE]
    flac, webm, m4a = (encode(speech, kind) for kind in ("flac", "webm", "m4a"))
    return {
        "the head of a flac": flac[:60],
        "the head of an m4a": m4a[:60],
        "a flac of noise": flac[:42] + CHANCE.bytes(20_000),
        "a webm of noise": webm[:200] + CHANCE.bytes(20_000),
        "an m4a of noise without its index": m4a[:48] + CHANCE.bytes(20_000),
        "an mp3 of noise": b"\xff\xfb\x90\x64" + CHANCE.bytes(20_000).replace(b"\xff", b"\xfe"),
        "a wave of an unknown codec": _wave(codec=0x6666),
    }


def _bombs() -> dict[str, bytes]:
    hours = _hours()
    return {
        "hours in a small flac": hours,
        "hours that are not announced": hours[:21] + bytes([hours[21] & 0xF0]) + bytes(4) + hours[26:],
        "a film without sound": _film(),
        "a wave with two billion samples a second": _wave(rate=2_000_000_000),
    }


@cache
def _hours() -> bytes:
    return encode(silence(7200), "flac")


def _wave(codec: int = 1, channels: int = 1, rate: int = RATE) -> bytes:
    sound = CHANCE.bytes(8000)
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, codec, channels, rate, 2 * RATE, 2, 16)
    return (
        struct.pack("<4sI4s", b"RIFF", 36 + len(sound), b"WAVE")
        + form
        + struct.pack("<4sI", b"data", len(sound))
        + sound
    )


def _archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("secret", zlib.compress(SECRET))
    return out.getvalue()


def _film() -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format="webm") as container:
        stream: Any = container.add_stream("libvpx", rate=10)
        stream.width = stream.height = 32
        stream.pix_fmt = "yuv420p"
        container.mux(stream.encode(av.VideoFrame(32, 32, "yuv420p")))
        container.mux(stream.encode(None))
    return out.getvalue()

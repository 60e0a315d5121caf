"""Sound for the tests: real speech, and what the tests make of it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from app.settings import Settings
from app.voice.engines.models import find_model

JFK = Path(__file__).parents[2] / "data" / "jfk.flac"
RATE = 16_000

Encoding = tuple[str, str, int]
ENCODINGS: dict[str, Encoding] = {
    "wav": ("wav", "pcm_s16le", 16_000),
    "flac": ("flac", "flac", 16_000),
    "ogg": ("ogg", "libopus", 48_000),
    "webm": ("webm", "libopus", 48_000),
    "m4a": ("ipod", "aac", 44_100),
    "mp3": ("mp3", "libmp3lame", 44_100),
}
PHONES: dict[str, Encoding] = {
    "aac": ("adts", "aac", 44_100),
    "caf": ("caf", "pcm_s16be", 16_000),
    "amr": ("amr", "libopencore_amrnb", 8_000),
    "aiff": ("aiff", "pcm_s16be", 16_000),
}
"""What phones and older programs record; most say nothing of their length."""


needs_model = pytest.mark.skipif(
    find_model(Settings(_env_file=None)) is None, reason="set-up could not fetch the speech model"
)


def encode(samples: NDArray[np.int16], extension: str, rate: int = RATE) -> bytes:
    """Mono 16-bit samples as a clip of that kind."""
    muxer, codec, coded_rate = {**ENCODINGS, **PHONES}[extension]
    out = io.BytesIO()
    with av.open(out, "w", format=muxer) as container:
        stream: Any = container.add_stream(codec, rate=rate if codec == "flac" else coded_rate)
        stream.layout = "mono"
        for frame in frames_of(samples, rate):
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


def frames_of(samples: NDArray[np.int16], rate: int) -> Iterator[av.AudioFrame]:
    for start in range(0, len(samples), 4096):
        frame = av.AudioFrame.from_ndarray(samples[start : start + 4096].reshape(1, -1), format="s16", layout="mono")
        frame.sample_rate = rate
        frame.pts = start
        yield frame


def silence(seconds: float) -> NDArray[np.int16]:
    return np.zeros(int(seconds * RATE), np.int16)


def voice() -> NDArray[np.int16]:
    """Eleven seconds of a real voice at 16 kHz."""
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    with av.open(str(JFK)) as container:
        frames = [part.to_ndarray()[0] for frame in container.decode(audio=0) for part in resampler.resample(frame)]
    return np.concatenate(frames)


@pytest.fixture(scope="session")
def speech() -> NDArray[np.int16]:
    """The voice, decoded once."""
    return voice()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings that depend on nothing outside the test: no engine is configured, no weights are here."""
    return Settings(data_dir=tmp_path / "data", transcriber="auto", whisper_model=str(tmp_path / "absent.pt"))

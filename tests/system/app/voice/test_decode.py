from __future__ import annotations

import asyncio
import io
import os
import signal
import subprocess
import sys
import wave
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import psutil
import pytest
from numpy.typing import NDArray

from app.boundary.confinement import processes
from app.voice.engines.engine import SpeechFailed
from app.voice.speech.decode import decode
from app.voice.speech.decode_child import ClipRefused
from app.voice.speech.decode_child import decode as decode_here
from tests.support.speech.sounds import ENCODINGS, JFK, PHONES, RATE, encode, frames_of, silence
from tests.support.waiting import until

MAX_SECONDS = 1800.0


async def refusal(path: Path, max_seconds: float = MAX_SECONDS) -> SpeechFailed:
    with pytest.raises(SpeechFailed) as failed:
        await decode(path, max_seconds=max_seconds)
    return failed.value


def clip(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def without_length(flac: bytes) -> bytes:
    """The same FLAC with a header that does not say how many samples follow."""
    stream_info = bytearray(flac[8:42])
    stream_info[13] &= 0xF0
    stream_info[14:18] = bytes(4)
    return flac[:8] + bytes(stream_info) + flac[42:]


@pytest.mark.parametrize("extension", [*ENCODINGS, *PHONES])
async def test_every_container_becomes_the_same_sound(
    tmp_path: Path, speech: NDArray[np.int16], extension: str
) -> None:
    decoded = await decode(clip(tmp_path, "clip", encode(speech, extension)), max_seconds=MAX_SECONDS)
    assert abs(decoded.duration_ms - 11_000) < 50
    assert len(decoded.pcm) // 32 == decoded.duration_ms
    heard = np.abs(np.frombuffer(decoded.pcm, np.int16)[: 10 * RATE].astype(float)).reshape(100, -1).mean(axis=1)
    said = np.abs(speech[: 10 * RATE].astype(float)).reshape(100, -1).mean(axis=1)
    assert np.corrcoef(heard, said)[0, 1] > 0.95  # a stream of aac does not say how much of it is lead-in


async def test_channels_that_cancel_each_other_are_heard(tmp_path: Path, speech: NDArray[np.int16]) -> None:
    path = tmp_path / "inverted.wav"
    with wave.open(str(path), "wb") as out:
        out.setparams((2, 2, RATE, 0, "NONE", ""))
        out.writeframes(np.stack([speech, -np.maximum(speech, -32_767)], axis=1).astype("<i2").tobytes())
    heard = np.frombuffer((await decode(path, max_seconds=MAX_SECONDS)).pcm, np.int16).astype(float)
    assert len(heard) == len(speech)
    assert np.corrcoef(heard, speech.astype(float))[0, 1] > 0.98


async def test_a_stereo_recording_in_another_rate_is_mixed_down() -> None:
    decoded = await decode(JFK, max_seconds=MAX_SECONDS)
    assert (decoded.container, decoded.duration_ms) == ("flac", 11_000)


async def test_a_small_file_that_holds_hours_is_refused_by_its_header(tmp_path: Path) -> None:
    bomb = clip(tmp_path, "bomb.flac", encode(silence(7200), "flac"))
    assert bomb.stat().st_size < 7200 * RATE * 2 / 100
    failed = await refusal(bomb)
    assert (failed.outcome, failed.retryable) == ("invalid_input", False)
    assert "longer than 1800 s" in failed.reason


async def test_a_small_file_that_hides_its_hours_is_stopped_at_the_cap(tmp_path: Path) -> None:
    bomb = clip(tmp_path, "bomb.flac", without_length(encode(silence(7200), "flac")))
    failed = await refusal(bomb, max_seconds=60)
    assert failed.outcome == "invalid_input"
    assert "longer than 60 s" in failed.reason


@pytest.mark.parametrize("share", [0.9, 0.5])
@pytest.mark.parametrize("extension", ENCODINGS)
async def test_what_can_be_read_of_a_file_that_breaks_off_is_heard(
    tmp_path: Path, speech: NDArray[np.int16], extension: str, share: float
) -> None:
    whole = encode(speech, extension)
    decoded = await decode(clip(tmp_path, "cut", whole[: int(len(whole) * share)]), max_seconds=MAX_SECONDS)
    assert decoded.breaks_off
    assert (share - 0.1) * 11_000 < decoded.duration_ms < (share + 0.1) * 11_000
    heard = np.abs(np.frombuffer(decoded.pcm, np.int16)[: 4 * RATE].astype(float)).reshape(40, -1).mean(axis=1)
    said = np.abs(speech[: 4 * RATE].astype(float)).reshape(40, -1).mean(axis=1)
    assert np.corrcoef(heard, said)[0, 1] > 0.9


@pytest.mark.parametrize("extension", [*ENCODINGS, *PHONES])
async def test_a_whole_file_does_not_break_off(tmp_path: Path, speech: NDArray[np.int16], extension: str) -> None:
    assert not (await decode(clip(tmp_path, "clip", encode(speech, extension)), max_seconds=MAX_SECONDS)).breaks_off


@pytest.mark.parametrize("rate", [44_100, 24_000, 22_050, 16_000, 8_000])
async def test_an_m4a_without_its_index_is_played_about_as_fast_as_it_was_recorded(
    tmp_path: Path, speech: NDArray[np.int16], rate: int
) -> None:
    out = io.BytesIO()
    with av.open(out, "w", format="ipod") as container:
        stream: Any = container.add_stream("aac", rate=rate)
        stream.layout = "mono"
        for frame in frames_of(speech, RATE):
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    whole = out.getvalue()
    decoded = await decode(clip(tmp_path, "cut", whole[: whole.rindex(b"moov")]), max_seconds=MAX_SECONDS)
    assert decoded.breaks_off
    assert decoded.duration_ms == pytest.approx(11_000, rel=0.1)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "an empty file (0 bytes)"),
        (b"#EXTM3U\n#EXTINF:1,\nsecret.wav\n", "an M3U playlist"),
        (b"ffconcat version 1.0\nfile secret.wav\n", "an ffconcat script"),
        (b"fLaC" + bytes(range(256)) * 20, "does not go on like it"),
        (b"ID3" + bytes(range(256)) * 20, "does not go on like it"),
        (b"RIFF\x00\x00\x00\x00WAVE" + bytes(range(256)) * 20, "does not go on like it"),
    ],
)
async def test_what_is_no_clip_is_refused_though_it_is_named_wav(tmp_path: Path, content: bytes, words: str) -> None:
    failed = await refusal(clip(tmp_path, "clip.wav", content))
    assert (failed.outcome, failed.retryable) == ("invalid_input", False)
    assert words in failed.reason


async def test_a_clip_that_is_gone_says_so(tmp_path: Path) -> None:
    failed = await refusal(tmp_path / "nothing")
    assert failed.outcome == "invalid_input"


def test_a_script_never_reaches_another_file(tmp_path: Path, speech: NDArray[np.int16]) -> None:
    secret = clip(tmp_path, "secret.wav", encode(speech, "wav"))
    script = f"ffconcat version 1.0\nfile {secret}\n".encode()
    with av.open(io.BytesIO(script), "r", options={"safe": "0"}) as probed:  # what probing would have done
        assert next(probed.decode(audio=0)).samples
    for container in ("wav", "flac", "ogg", "webm", "mp4", "mp3"):
        with pytest.raises(ClipRefused):
            list(decode_here(io.BytesIO(script), container, MAX_SECONDS))


async def test_a_wav_of_no_samples_has_no_sound(tmp_path: Path) -> None:
    failed = await refusal(clip(tmp_path, "clip.wav", encode(silence(0), "wav")))
    assert failed.outcome == "invalid_input"


async def test_a_film_without_sound_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream: Any = container.add_stream("mpeg4", rate=10)
        stream.width = stream.height = 32
        stream.pix_fmt = "yuv420p"
        container.mux(stream.encode(av.VideoFrame(32, 32, "yuv420p")))
        container.mux(stream.encode(None))
    failed = await refusal(clip(tmp_path, "film.mp4", out.getvalue()))
    assert "no sound track" in failed.reason


async def test_a_pause_that_the_recorder_left_out_keeps_its_length(tmp_path: Path, speech: NDArray[np.int16]) -> None:
    out = io.BytesIO()
    with av.open(out, "w", format="webm") as container:
        stream: Any = container.add_stream("libopus", rate=48_000)
        stream.layout = "mono"
        for at, pause, part in ((0, 0, speech[: 2 * RATE]), (2 * RATE, 3, speech[5 * RATE : 8 * RATE])):
            frame = av.AudioFrame.from_ndarray(part.reshape(1, -1), format="s16", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = RATE, at, Fraction(1, RATE)
            for packet in stream.encode(frame):
                packet.pts = packet.dts = packet.pts + round(pause / packet.time_base)
                container.mux(packet)
    decoded = await decode(clip(tmp_path, "paused.webm", out.getvalue()), max_seconds=MAX_SECONDS)
    sound = np.frombuffer(decoded.pcm, np.int16)
    assert abs(decoded.duration_ms - 8_000) < 150
    assert not sound[int(2.2 * RATE) : int(4.8 * RATE)].any()
    assert sound[int(5.2 * RATE) :].any()


PEAK = """
import asyncio, resource, sys
from pathlib import Path
from app.voice.speech.decode import decode
clip = asyncio.run(decode(Path(sys.argv[1]), max_seconds=3600))
print(clip.duration_ms, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_a_long_clip_takes_no_more_memory_than_a_short_one(tmp_path: Path) -> None:
    path = clip(tmp_path, "long.flac", encode(silence(1200), "flac"))
    command = [sys.executable, "-c", PEAK, str(path)]
    ran = subprocess.run(command, cwd=processes.ROOT, capture_output=True, text=True, check=True)
    duration_ms, kilobytes = map(int, ran.stdout.split())
    assert abs(duration_ms - 1_200_000) < 100
    assert kilobytes < 200_000


async def test_a_decoder_that_is_killed_is_worth_another_try(tmp_path: Path) -> None:
    fifo = tmp_path / "slow.flac"
    fifo.write_bytes(encode(silence(7200), "flac"))
    task = asyncio.create_task(decode(fifo, max_seconds=10_000))
    child = await started_child("decode_child")
    child.send_signal(signal.SIGKILL)
    with pytest.raises(SpeechFailed) as failed:
        await task
    assert (failed.value.outcome, failed.value.retryable) == ("upstream_error", True)


async def test_a_cancelled_decoding_leaves_no_child(tmp_path: Path) -> None:
    slow = clip(tmp_path, "slow.flac", encode(silence(7200), "flac"))
    task = asyncio.create_task(decode(slow, max_seconds=10_000))
    child = await started_child("decode_child")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not child.is_running()


async def started_child(module: str) -> psutil.Process:
    async def found() -> psutil.Process | None:
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if any(module in word for word in child.cmdline()):
                    return child
        return None

    child = await until(found)
    assert child
    return child


CONFINED = """
import os, sys
from app.boundary.confinement import sandbox
sandbox.confine(cpu_seconds=1, memory_bytes=512 * 2**20)
def attempt():
    {attempt}
try:
    attempt()
except (OSError, MemoryError) as error:
    sys.exit(f"{{type(error).__name__}}: {{error}}")
"""


@pytest.mark.parametrize(
    ("attempt", "ending"),
    [
        ("open('/etc/hostname')", "Too many open files"),
        ("open('/tmp/new', 'w')", "Too many open files"),
        ("os.pipe()", "Too many open files"),
        ("bytearray(2**30)", "MemoryError"),
    ],
)
async def test_a_confined_process_can_open_nothing_and_grow_no_further(attempt: str, ending: str) -> None:
    assert ending in (await run_confined(attempt))[1]


async def test_a_confined_process_that_never_ends_is_stopped() -> None:
    assert (await run_confined("while True: pass"))[0] == -signal.SIGXCPU


async def run_confined(attempt: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CONFINED.format(attempt=attempt), stderr=asyncio.subprocess.PIPE, cwd=processes.ROOT
    )
    _, words = await process.communicate()
    return process.returncode or 0, words.decode()


def test_children_get_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUMMIT_LLM_API_KEY", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")
    assert "secret" not in processes._environment().values()
    assert os.environ["PATH"] == processes._environment()["PATH"]

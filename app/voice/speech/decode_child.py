"""The child that decodes one clip from standard input and can do nothing else.

Arguments: container, longest duration in seconds. Answers PCM (16 kHz mono s16le) in pieces, an empty message, and a
JSON report, so that it holds no more of a long clip than of a short one. Of a clip that was cut it answers what can be
read, and reports how many seconds the header promises.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import IO, Any, NoReturn

import av
import av.subtitles.stream  # PyAV imports it late, when no file can be opened any more
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.container import InputContainer

from app.boundary.confinement import frames as messages
from app.boundary.confinement import sandbox
from app.voice.speech.containers import HEAD_BYTES
from app.voice.speech.limits import MEMORY_BYTES, PIECE_BYTES, cpu_seconds, pcm_bytes
from app.voice.speech.mixing import Mixer
from app.voice.speech.unindexed import frames_without_index

DEMUXERS = {
    "wav": "wav",
    "flac": "flac",
    "ogg": "ogg",
    "webm": "matroska",
    "mp4": "mp4",
    "mp3": "mp3",
    "aac": "aac",
    "caf": "caf",
    "amr": "amr",
    "aiff": "aiff",
}
CODECS = (
    "flac,opus,libopus,vorbis,mp3,mp3float,aac,alac,amrnb,amrwb,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s32le,"
    "pcm_s8,pcm_s24be,pcm_s32be,pcm_f32be,pcm_f64be,pcm_f32le,pcm_f64le,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,"
    "adpcm_ima_qt"
)
UNREADABLE = (av.error.FFmpegError, ValueError, ArithmeticError, LookupError)
RATES = range(4_000, 384_001)
GAP_BYTES = pcm_bytes(0.1)
TOGETHER_SECONDS = 1.0
"""Of sound are resampled at once: a call a frame costs more than to decode it."""
SLACK_SECONDS = 0.5
SLACK_SHARE = 0.05


class ClipRefused(Exception):  # noqa: N818 - not an error of ours
    """A clip that is not decoded, with the reason for people."""


class BreaksOff(Exception):  # noqa: N818 - not an error
    """Less sound than the header promises; what there is was told."""

    def __init__(self, promised: float) -> None:
        super().__init__(promised)
        self.promised = promised


class TooLong(ClipRefused):
    """A clip above the limit."""

    def __init__(self, max_seconds: float) -> None:
        super().__init__(f"The clip is longer than {max_seconds:g} s, the longest that is accepted.")


def main() -> None:
    """Decode standard input within the limits and report."""
    sandbox.follow_parent()
    container, max_seconds = sys.argv[1], float(sys.argv[2])
    clip, replies = sys.stdin.buffer, sys.stdout.buffer
    sandbox.confine(cpu_seconds=cpu_seconds(max_seconds), memory_bytes=MEMORY_BYTES)
    report = examine(clip, container, max_seconds, lambda piece: messages.write(replies, piece))
    messages.write(replies, b"")
    messages.write(replies, json.dumps(report).encode())


def examine(
    clip: IO[bytes], container: str, max_seconds: float, tell: Callable[[bytes], None]
) -> dict[str, str | float]:
    """Tell the sound in pieces; a report, empty, {"refused": reason} or {"promised": seconds}."""
    try:
        for piece in decode(clip, container, max_seconds):
            tell(piece)
    except ClipRefused as refused:
        return {"refused": str(refused)}
    except BreaksOff as cut:
        return {"promised": cut.promised}
    except MemoryError:
        return {"refused": "The clip needs more memory than a clip may."}
    return {}


def decode(clip: IO[bytes], container: str, max_seconds: float) -> Iterator[bytes]:
    """The clip as 16 kHz mono s16le, in pieces; raises Refused with a reason, or BreaksOff after the last piece."""
    try:
        with _open(clip, container) as source:
            track = _sound_track(source)
            promised = _promised_seconds(clip, source, track)
            yield from _pieces(_decode(_frames(source, track), track.channels, promised, max_seconds))
    except UNREADABLE as error:
        frames = frames_without_index(clip) if container == "mp4" else []
        if not frames:
            raise ClipRefused(f"The bytes begin like {container}, but cannot be decoded: {_words(error)}.") from error
        yield from _pieces(_decode(iter(frames), frames[0].layout.nb_channels, 0.0, max_seconds))
        raise BreaksOff(0.0) from error


def _open(clip: IO[bytes], container: str) -> InputContainer:
    return av.open(
        clip,
        mode="r",
        format=DEMUXERS[container],
        options={"protocol_whitelist": "pipe", "codec_whitelist": CODECS},
        io_open=_refuse_to_open,
        metadata_errors="ignore",
    )


def _refuse_to_open(url: str, *_: Any) -> NoReturn:
    raise PermissionError(f"the clip asks for another file: {url}")


def _sound_track(source: InputContainer) -> AudioStream:
    if not source.streams.audio:
        raise ClipRefused("There is no sound track in this file.")
    track = source.streams.audio[0]
    if track.codec_context is None:  # PyAV's types do not know of it
        raise ClipRefused("The sound in this file is of a kind that is not decoded here.")
    if track.rate not in RATES:
        raise ClipRefused(f"A sample rate of {track.rate} Hz is not speech.")
    return track


def _promised_seconds(clip: IO[bytes], source: InputContainer, track: AudioStream) -> float:
    """Duration of the sound as the header states it; 0 where it states none or only allows a guess."""
    if source.format.name == "mp3" and not _has_xing_header(clip):
        return 0.0
    if track.duration is not None and track.time_base is not None:
        return float(track.duration * track.time_base)
    alone = len(source.streams) == 1
    return (source.duration or 0) / av.time_base if alone else 0.0


def _has_xing_header(clip: IO[bytes]) -> bool:
    position = clip.tell()
    clip.seek(0)
    head = clip.read(8 * HEAD_BYTES)
    clip.seek(position)
    return b"Xing" in head or b"Info" in head


def _decode(frames: Iterator[AudioFrame], channels: int, promised: float, max_seconds: float) -> Iterator[bytes]:
    if promised > max_seconds:
        raise TooLong(max_seconds)
    most, size = pcm_bytes(max_seconds), 0
    mixer = Mixer(channels)
    gathered = av.AudioFifo()
    started: float | None = None
    for frame in frames:
        started = frame.time if started is None else started
        waiting = gathered.samples / frame.rate if frame.rate else 0.0
        there = size + pcm_bytes(waiting)
        gap = pcm_bytes(frame.time - started) - there if frame.time and started is not None else 0
        if there + max(gap, 0) > most:
            raise TooLong(max_seconds)
        if gap > GAP_BYTES or waiting >= TOGETHER_SECONDS:
            # Recorders leave pauses out; without them every later position would be early.
            sound = _mix_gathered(gathered, mixer) + (bytes(gap) if gap > GAP_BYTES else b"")
            size += len(sound)
            yield sound
        frame.pts = None  # the pauses between frames are made up for here
        gathered.write(frame)
    rest = _mix_gathered(gathered, mixer) + mixer.mix(None)
    if not size + len(rest):
        raise ClipRefused("There is no sound in this file.")
    yield rest[: max(0, most - size)]
    _check_whole((size + len(rest)) / pcm_bytes(1), promised)


def _pieces(sounds: Iterator[bytes]) -> Iterator[bytes]:
    """The same sound in pieces worth a message; a long pause is several of them."""
    pending, broken = bytearray(), None
    try:
        for sound in sounds:
            pending += sound
            while len(pending) >= PIECE_BYTES:
                yield bytes(pending[:PIECE_BYTES])
                del pending[:PIECE_BYTES]
    except BreaksOff as cut:
        broken = cut
    if pending:
        yield bytes(pending)
    if broken:
        raise broken


def _frames(source: InputContainer, track: AudioStream) -> Iterator[AudioFrame]:
    """The frames of a track; packets that are damaged are left out."""
    for packet in source.demux(track):
        with suppress(av.error.InvalidDataError):
            yield from packet.decode()


def _mix_gathered(gathered: av.AudioFifo, mixer: Mixer) -> bytes:
    return mixer.mix(gathered.read()) if gathered.samples else b""


def _check_whole(decoded: float, promised: float) -> None:
    if promised - decoded > max(SLACK_SECONDS, promised * SLACK_SHARE):
        raise BreaksOff(promised)


def _words(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).rstrip(".").lower()


if __name__ == "__main__":
    main()

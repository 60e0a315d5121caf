"""The child that runs faster-whisper, and Silero's voice activity detection that comes with it.

Arguments: folder of the model (empty: none, voice activity only), language (empty: let the model tell), threads,
device.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.voice.engines.confidence import from_logprob, is_invented
from app.voice.engines.engine_child import HeardSegment, HeardSpeech, Recognize, Request, serve
from app.voice.speech.limits import MOST_MS_AT_ONCE, SAMPLE_RATE, milliseconds

FULL_SCALE = 32768.0
MS = SAMPLE_RATE // 1000
QUIET = 32
"""No sample of silence is larger: a thousandth of full scale, where a whisper far away has ten times that."""
ONE_BREATH_MS = 10_000
"""Up to this length the model need not say where its sentences or words begin, which costs it certainty."""


def load_words() -> Recognize:
    """A recognizer of 16 kHz mono s16le, at most 30 s; only ever reads the folder that is there."""
    from faster_whisper import WhisperModel

    folder, language, threads, device = sys.argv[1:5]
    model = WhisperModel(folder, device, compute_type="int8", cpu_threads=int(threads), local_files_only=True)
    spoken = language.split("-")[0].lower() or None
    if device != "cpu":  # the libraries of CUDA are looked for with the first sound: if they are missing, say so now
        list(model.transcribe(np.zeros(SAMPLE_RATE, np.float32), language="en")[0])

    def recognize(pcm: bytes, request: Request) -> HeardSpeech:
        length = milliseconds(pcm)
        found, info = model.transcribe(
            _sound(pcm),
            language=spoken if model.model.is_multilingual else "en",
            initial_prompt=request.get("prompt") or None,
            condition_on_previous_text=False,
            without_timestamps=length <= ONE_BREATH_MS,
            word_timestamps=bool(request.get("times")) and length > ONE_BREATH_MS,
            temperature=(0.0, 0.4),
        )
        segments = [_segment(part, length) for part in found if part.text.strip() and not _is_invented_part(part)]
        return {"text": " ".join(text for _, _, text, *_ in segments), "language": info.language, "segments": segments}

    return recognize


def load_spans() -> Recognize:
    """A detector of speech in 16 kHz mono s16le: {"spans": [(start_ms, end_ms)]}."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    options = VadOptions(
        min_speech_duration_ms=100, min_silence_duration_ms=300, speech_pad_ms=200, max_speech_duration_s=25
    )

    def spans(pcm: bytes, _: Request) -> dict[str, list[tuple[int, int]]]:
        found = [] if _is_quiet(pcm) else get_speech_timestamps(_sound(pcm), options)
        return {"spans": [(part["start"] // MS, min(part["end"] // MS, milliseconds(pcm))) for part in found]}

    return spans


def _is_quiet(pcm: bytes) -> bool:
    samples = np.frombuffer(pcm, np.int16)
    return not samples.size or (int(samples.max()) < QUIET and int(samples.min()) > -QUIET)


def _sound(pcm: bytes) -> NDArray[np.float32]:
    return np.frombuffer(pcm, np.int16).astype(np.float32) / FULL_SCALE


def _is_invented_part(part: Any) -> bool:
    return is_invented(part.text, part.avg_logprob, part.no_speech_prob)


def _segment(part: Any, length_ms: int) -> HeardSegment:
    end = min(round(part.end * 1000), length_ms, MOST_MS_AT_ONCE)
    sure = from_logprob(part.avg_logprob, part.no_speech_prob, part.compression_ratio)
    words = [(round(one.start * 1000), round(one.end * 1000), one.word.strip()) for one in part.words or []]
    return round(part.start * 1000), end, part.text.strip(), sure, words


if __name__ == "__main__":
    serve({"words": load_words, "spans": load_spans})

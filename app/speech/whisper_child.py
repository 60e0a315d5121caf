"""The child that runs openai-whisper, so that torch never loads into the API.

Arguments: path of the checkpoint, device, language (empty: let the model tell).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from app.speech.confidence import from_logprob
from app.speech.engine_child import Heard, Recognize, serve

FULL_SCALE = 32768.0


def load() -> Recognize:
    """A recognizer for clips of 16 kHz mono s16le; only ever reads a file that is there."""
    import whisper

    path, device, language = sys.argv[1:4]
    model = whisper.load_model(path, device=device)
    spoken = language.split("-")[0].lower() or None

    def recognize(pcm: bytes) -> Heard:
        sound = np.frombuffer(pcm, np.int16).astype(np.float32) / FULL_SCALE
        heard = model.transcribe(sound, language=spoken, fp16=device.startswith("cuda"), verbose=None)
        segments = [_segment(segment) for segment in heard["segments"] if segment["text"].strip()]
        return {"text": heard["text"].strip(), "language": heard["language"], "segments": segments}

    return recognize


def _segment(segment: dict[str, Any]) -> tuple[int, int, str, float]:
    sure = from_logprob(segment["avg_logprob"], segment["no_speech_prob"])
    return round(segment["start"] * 1000), round(segment["end"] * 1000), segment["text"].strip(), sure


if __name__ == "__main__":
    serve(load)

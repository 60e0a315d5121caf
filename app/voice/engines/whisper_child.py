"""The child that runs openai-whisper, so that torch never loads into the API.

Arguments: path of the checkpoint, device, language (empty: let the model tell).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from app.voice.engines.confidence import from_logprob, is_invented
from app.voice.engines.engine_child import HeardSegment, HeardSpeech, Recognize, Request, serve

FULL_SCALE = 32768.0


def load() -> Recognize:
    """A recognizer for clips of 16 kHz mono s16le; only ever reads a file that is there."""
    import whisper

    path, device, language = sys.argv[1:4]
    model = whisper.load_model(path, device=device)
    spoken = language.split("-")[0].lower() or None

    def recognize(pcm: bytes, request: Request) -> HeardSpeech:
        sound = np.frombuffer(pcm, np.int16).astype(np.float32) / FULL_SCALE
        heard = model.transcribe(
            sound,
            language=spoken,
            fp16=device.startswith("cuda"),
            verbose=None,
            initial_prompt=request.get("prompt") or None,
        )
        segments = [
            _segment(part) for part in heard["segments"] if part["text"].strip() and not _is_invented_part(part)
        ]
        return {
            "text": " ".join(text for _, _, text, *_ in segments),
            "language": heard["language"],
            "segments": segments,
        }

    return recognize


def _is_invented_part(part: dict[str, Any]) -> bool:
    return is_invented(part["text"], part["avg_logprob"], part["no_speech_prob"])


def _segment(part: dict[str, Any]) -> HeardSegment:
    sure = from_logprob(part["avg_logprob"], part["no_speech_prob"], part["compression_ratio"])
    return round(part["start"] * 1000), round(part["end"] * 1000), part["text"].strip(), sure, ()


if __name__ == "__main__":
    serve({"words": load})

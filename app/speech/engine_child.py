"""The loop of a child that holds a speech model: PCM in, a JSON transcript out, until its parent closes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypedDict

from app.confinement import frames, sandbox


class Heard(TypedDict):
    """What a model heard: text, language, and segments as (start_ms, end_ms, text, confidence)."""

    text: str
    language: str
    segments: list[tuple[int, int, str, float]]


Recognize = Callable[[bytes], Heard]


def serve(load: Callable[[], Recognize]) -> None:
    """Load the model with the first clip, then answer every clip; errors are answers too."""
    sandbox.follow_parent()
    sandbox.step_back()
    requests, replies = frames.take_pipes()
    recognize: Recognize | None = None
    while (pcm := frames.read(requests)) is not None:
        try:
            recognize = recognize or load()
        except Exception as error:  # noqa: BLE001 - whatever keeps a model from loading is the answer
            answer = _failure("config_error", "its model cannot be loaded", error)
        else:
            answer = _answer(recognize, pcm)
        frames.write(replies, answer)


def _answer(recognize: Recognize, pcm: bytes) -> bytes:
    try:
        return json.dumps(recognize(pcm)).encode()
    except Exception as error:  # noqa: BLE001 - a clip that breaks a model must not end the child
        return _failure("upstream_error", "it failed on this clip", error)


def _failure(outcome: str, what: str, error: Exception) -> bytes:
    reason = f"{what}: {type(error).__name__}: {error}"
    return json.dumps({"outcome": outcome, "reason": reason}).encode()

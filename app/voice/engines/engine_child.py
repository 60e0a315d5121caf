"""The loop of a child that holds speech models: a request as JSON and PCM in, JSON out, until its parent closes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, NotRequired, TypedDict

from app.boundary.confinement import frames, sandbox

Work = Literal["words", "spans"]


class Request(TypedDict):
    """What to do with the PCM that follows; ``load`` only makes the model ready, ``times`` wants those of words."""

    work: Work
    load: NotRequired[bool]
    prompt: NotRequired[str]
    times: NotRequired[bool]


HeardSegment = tuple[int, int, str, float, Sequence[tuple[int, int, str]]]


class HeardSpeech(TypedDict):
    """What a model heard: text, language, and segments as (start_ms, end_ms, text, confidence, words).

    Words are (start_ms, end_ms, text); there are none where their times were not wanted, or are not known.
    """

    text: str
    language: str
    segments: list[HeardSegment]


Recognize = Callable[[bytes, Request], Any]
Loaders = Mapping[Work, Callable[[], Recognize]]


def serve(loaders: Loaders) -> None:
    """Load each model with the first request for it, then answer every request; errors are answers too."""
    sandbox.follow_parent()
    sandbox.step_back()
    requests, replies = frames.take_pipes()
    loaded: dict[Work, Callable[[], Recognize]] = {work: cache(load) for work, load in loaders.items()}
    while (request := frames.read(requests)) is not None:
        pcm = frames.read(requests)
        if pcm is not None:
            frames.write(replies, json.dumps(_answer(loaded, json.loads(request), pcm)).encode())


def _answer(loaded: dict[Work, Callable[[], Recognize]], request: Request, pcm: bytes) -> Any:
    try:
        recognize = loaded[request["work"]]()
    except Exception as error:  # noqa: BLE001 - whatever keeps a model from loading is the answer
        return _failure("config_error", "its model cannot be loaded", error)
    try:
        return {} if request.get("load") else recognize(pcm, request)
    except Exception as error:  # noqa: BLE001 - a clip that breaks a model must not end the child
        return _failure("upstream_error", "it failed on this clip", error)


def _failure(outcome: str, what: str, error: Exception) -> dict[str, str]:
    return {"outcome": outcome, "reason": f"{what}: {type(error).__name__}: {error}"}

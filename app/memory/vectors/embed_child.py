"""The process that holds the local models of meaning, until its parent closes; answers are 32-bit numbers.

A list of texts as JSON is answered by a vector each, {"question", "statements"} by a score for each statement.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from app.boundary.confinement import frames, sandbox
from app.memory.vectors.answerer import Answerer
from app.memory.vectors.onnx import MiniLM


def main() -> None:
    """Answer every request; an empty answer says that this one failed."""
    sandbox.follow_parent()
    sandbox.step_back()
    requests, replies = frames.take_pipes()
    embedder = cache(lambda: MiniLM(Path(sys.argv[1])))
    answerer = cache(Answerer)
    while (request := frames.read(requests)) is not None:
        try:
            answer = _answer(json.loads(request), embedder, answerer).astype(np.float32).tobytes()
        except Exception:  # noqa: BLE001 - a text that breaks a model must not end the process
            answer = b""
        frames.write(replies, answer)


def _answer(request: Any, embedder: Callable[[], MiniLM], answerer: Callable[[], Answerer]) -> np.ndarray[Any, Any]:
    if isinstance(request, dict):
        return answerer().score(request["question"], request["statements"])
    return embedder().embed(request)


if __name__ == "__main__":
    main()

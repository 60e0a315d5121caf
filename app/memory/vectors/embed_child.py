"""The process that holds the local model: texts in as JSON, vectors out as 32-bit numbers, until its parent closes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from app.boundary.confinement import frames, sandbox
from app.memory.vectors.onnx import MiniLM


def main() -> None:
    """Answer every request; an empty answer says that this one failed."""
    sandbox.follow_parent()
    sandbox.step_back()
    requests, replies = frames.take_pipes()
    model = MiniLM(Path(sys.argv[1]))
    while (request := frames.read(requests)) is not None:
        try:
            answer = model.embed(json.loads(request)).tobytes()
        except Exception:  # noqa: BLE001 - a text that breaks the model must not end the process
            answer = b""
        frames.write(replies, answer)


if __name__ == "__main__":
    main()

"""A scripted model that makes one call after the other."""

from __future__ import annotations

from typing import Any

from tests.support.fakes import Call, RecordedRequest, Reply, chat


def following(*calls: Call) -> Any:
    """Return one call after the other, by how many observations the model has been shown."""

    def answer(request: RecordedRequest) -> Reply:
        seen = sum("<observation tool" in str(message["content"]) for message in request.json["messages"])
        return chat(calls[min(seen, len(calls) - 1)])(request)

    return answer

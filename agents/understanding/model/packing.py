"""The file of coefficients: one signed byte a bucket and intent, deflated, behind a line that says what they mean."""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

COEFFICIENTS = "coefficients.bin"
LARGEST = 127


@dataclass(frozen=True, slots=True)
class Coefficients:
    """``rows`` holds a byte for each intent of each bucket, offset by 128; a score is their sum times ``unit``."""

    labels: tuple[str, ...]
    unit: float
    rows: bytes


def pack(weights: Sequence[Sequence[float]], labels: Sequence[str], factor: float) -> bytes:
    """The file for these weights, one row a bucket; ``factor`` calibrates the scores."""
    top = max(abs(value) for row in weights for value in row) or 1.0
    head = json.dumps({"labels": list(labels), "unit": factor * top / LARGEST})
    rows = bytes(round(value / top * LARGEST) + LARGEST + 1 for row in weights for value in row)
    return head.encode() + b"\n" + zlib.compress(rows, 9)


def unpack(data: bytes) -> Coefficients:
    """What a file holds."""
    head, _, body = data.partition(b"\n")
    said = json.loads(head)
    return Coefficients(tuple(said["labels"]), float(said["unit"]), zlib.decompress(body))

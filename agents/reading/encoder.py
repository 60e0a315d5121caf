"""The trained encoder: a small transformer with 8-bit weights, computed by onnxruntime on one processor."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from agents.reading.decoding import Scores
from agents.reading.labels import FLAGS
from agents.reading.rows import UNKNOWN, PieceRow

WEIGHTS, TOKENIZER = "reader.onnx", "tokenizer.json"
KEPT_WORDS = 20_000


class Encoder:
    """The encoder with the shipped weights, or those of another folder of package data."""

    def __init__(self, folder: str = "agents.reading.model") -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        with as_file(files(folder)) as found:
            self._session = onnxruntime.InferenceSession(
                str(found / WEIGHTS), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = Tokenizer.from_file(str(found / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.pieces = lru_cache(maxsize=KEPT_WORDS)(self._pieces)

    def scores(self, row: PieceRow) -> Scores:
        """An array [words, SIZE]."""
        size = len(row.pieces)
        bits = np.array(row.flags, np.int64)[:, None] >> np.arange(len(FLAGS)) & 1
        given: dict[str, np.ndarray[Any, Any]] = {
            "pieces": np.array([row.pieces], np.int64),
            "mask": np.ones((1, size), np.float32),
            "segments": np.array([row.segments], np.int64),
            "context": np.array([row.context], np.int64),
            "flags": bits[None].astype(np.float32),
        }
        scores: Scores = np.asarray(self._session.run(None, given)[0], np.float32)[0, row.first]
        return scores

    def _pieces(self, word: str) -> tuple[int, ...]:
        return tuple(
            self._tokenizer.encode(word.encode("utf-8", "replace").decode(), add_special_tokens=False).ids
        ) or (UNKNOWN,)


@cache
def load_encoder() -> Encoder:
    """The one encoder of this process; loading it takes about half a second."""
    return Encoder()

"""The local model of meaning, all-MiniLM-L6-v2 with 8-bit weights: onnxruntime and a tokenizer, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

TOKENIZER = files("agents.reading.model") / "tokenizer.json"
"""The vocabulary that this model and the reader of messages share."""
MOST_PIECES = 256
BATCH_TEXTS = 16


class MiniLM:
    """Mean-pooled, normalised vectors of 384 numbers; ``threads`` is how many processors one call may use."""

    def __init__(self, weights: Path, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_str(TOKENIZER.read_text(encoding="utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_PIECES)

    def embed(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """One row a text; texts of like length are computed together."""
        return self._embed([encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))])

    def embed_pieces(self, pieces: Sequence[int]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """One row for each piece of the vocabulary, as a text of its own."""
        begin, end = self._tokenizer.encode("").ids
        return self._embed([[begin, piece, end] for piece in pieces])

    def _embed(self, ids: Sequence[list[int]]) -> np.ndarray[Any, np.dtype[np.float32]]:
        found = np.zeros((len(ids), 384), np.float32)
        order = sorted(range(len(ids)), key=lambda index: len(ids[index]))
        for at in range(0, len(order), BATCH_TEXTS):
            rows = order[at : at + BATCH_TEXTS]
            found[rows] = self._batch([ids[row] for row in rows])
        return found

    def _batch(self, ids: list[list[int]]) -> np.ndarray[Any, np.dtype[np.float32]]:
        longest = max(map(len, ids))
        padded = np.array([row + [0] * (longest - len(row)) for row in ids], np.int64)
        mask = np.array([[1] * len(row) + [0] * (longest - len(row)) for row in ids], np.int64)
        told = {"input_ids": padded, "attention_mask": mask, "token_type_ids": np.zeros_like(padded)}
        states = np.asarray(self._session.run(None, told)[0])
        summed = (states * mask[..., None]).sum(axis=1)
        return np.asarray(summed / np.linalg.norm(summed, axis=1, keepdims=True), np.float32)

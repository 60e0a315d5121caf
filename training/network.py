"""The encoder as plain torch: six layers of all-MiniLM-L6-v2, and scores of cut, slot and act for each piece."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

from agents.reading.labels import CONTEXTS, FLAGS, LABEL_COUNT

WIDTH, HEADS, INNER, LAYERS, PIECES, PLACES = 384, 12, 1536, 6, 30522, 512
DROPOUT = 0.1
EPSILON = 1e-12

PARTS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "first_norm": "attention.output.LayerNorm",
    "inner": "intermediate.dense",
    "outer": "output.dense",
    "second_norm": "output.LayerNorm",
}
"""Our names of a layer's parts, and those in the pretrained weights."""


class Layer(nn.Module):
    """Attention and a feed-forward step, each added and normalised, as in BERT (Devlin et al. 2018)."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.inner, self.outer = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.first_norm, self.second_norm = nn.LayerNorm(WIDTH, eps=EPSILON), nn.LayerNorm(WIDTH, eps=EPSILON)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, states: Tensor, hidden: Tensor) -> Tensor:
        """States [batch, pieces, WIDTH]; ``hidden`` [batch, 1, 1, pieces] is added to the scores of attention."""
        batch, pieces, _ = states.shape
        query, key, value = (
            part(states).view(batch, pieces, HEADS, WIDTH // HEADS).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        weights = (query @ key.transpose(-1, -2) / math.sqrt(WIDTH // HEADS) + hidden).softmax(-1)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, pieces, WIDTH)
        states = self.first_norm(states + self.drop(self.out(mixed)))
        return self.second_norm(states + self.drop(self.outer(functional.gelu(self.inner(states)))))


class Reader(nn.Module):
    """Pieces with what is known of them in; scores of every label out."""

    def __init__(self) -> None:
        super().__init__()
        self.piece, self.place = nn.Embedding(PIECES, WIDTH), nn.Embedding(PLACES, WIDTH)
        self.segment = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.context, self.flag = nn.Embedding(len(CONTEXTS), WIDTH), nn.Linear(len(FLAGS), WIDTH, bias=False)
        for fresh in (self.context, self.flag):
            nn.init.normal_(fresh.weight, std=0.02)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.head = nn.Linear(WIDTH, LABEL_COUNT)
        self.drop = nn.Dropout(DROPOUT)

    def forward(self, pieces: Tensor, mask: Tensor, segments: Tensor, context: Tensor, flags: Tensor) -> Tensor:
        """Scores [batch, pieces, SIZE] of pieces, mask, segments [batch, pieces], context [batch] and flags."""
        places = torch.arange(pieces.shape[1], device=pieces.device)[None]
        states = self.norm(self.piece(pieces) + self.place(places) + self.segment(segments))
        states = self.drop(states + self.context(context)[:, None] + self.flag(flags))
        hidden = (1.0 - mask[:, None, None, :].to(states.dtype)) * -10000.0
        for layer in self.layers:
            states = layer(states, hidden)
        return self.head(states)

    def load_pretrained(self, path: Path) -> None:
        """Take the weights of all-MiniLM-L6-v2 from a safetensors file; context, flags and scores stay fresh."""
        take_pretrained(self, path)


def take_pretrained(network: nn.Module, path: Path) -> None:
    """Give a network with our names the weights of all-MiniLM-L6-v2 from a safetensors file; what else it has stays."""
    given = {name.removeprefix("bert."): value.float() for name, value in load_file(path).items()}
    names = {
        "piece.weight": "embeddings.word_embeddings.weight",
        "place.weight": "embeddings.position_embeddings.weight",
        "segment.weight": "embeddings.token_type_embeddings.weight",
        "norm.weight": "embeddings.LayerNorm.weight", "norm.bias": "embeddings.LayerNorm.bias",
    }  # fmt: skip
    for layer in range(LAYERS):
        for ours, theirs in PARTS.items():
            for kind in ("weight", "bias"):
                names[f"layers.{layer}.{ours}.{kind}"] = f"encoder.layer.{layer}.{theirs}.{kind}"
    network.load_state_dict({**network.state_dict(), **{ours: given[theirs] for ours, theirs in names.items()}})

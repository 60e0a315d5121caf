"""Make the weights that Summit ships: ONNX with 8-bit numbers, from what training wrote.

`python -m training.export TRAINED PRETRAINED OUT`. The embeddings of words are those of the pretrained model.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from agents.reading.labels import FLAGS
from training.network import Reader

INPUTS = ("pieces", "mask", "segments", "context", "flags")


def main() -> None:
    """Write OUT."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("trained", "pretrained", "out"):
        parser.add_argument(name, type=Path)
    given = parser.parse_args()
    reader = Reader()
    reader.load_pretrained(given.pretrained)
    learned = {name: value.float() for name, value in torch.load(given.trained).items()}
    reader.load_state_dict({**reader.state_dict(), **learned})
    pieces = torch.tensor([[101, 2655, 3566, 102]])
    shown = (pieces, torch.ones(1, 4), torch.zeros_like(pieces), torch.tensor([0]), torch.zeros(1, 4, len(FLAGS)))
    export(reader.eval(), shown, INPUTS, given.out, ("batch", "pieces"))


def export(
    network: nn.Module, shown: tuple[Tensor, ...], names: Sequence[str], out: Path, scored: Sequence[str]
) -> None:
    """Write a network as ONNX with weights of 8 bits, one scale for each row.

    ``shown`` is any input, called by ``names``; batch and length are free. ``scored`` names the axes of the scores.
    """
    axes = {name: ("batch", "pieces")[: given.dim()] for name, given in zip(names, shown, strict=True)}
    free = {name: dict(enumerate(called)) for name, called in {**axes, "scores": scored}.items()}
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as room:
        whole = Path(room) / "whole.onnx"
        torch.onnx.export(
            network,
            shown,
            whole,
            input_names=list(names),
            output_names=["scores"],
            dynamic_axes=free,
            dynamo=False,
            opset_version=17,
        )
        quantize_dynamic(whole, out, weight_type=QuantType.QInt8, per_channel=True)


if __name__ == "__main__":
    main()

"""The weights of a network again from what was exported: so that training goes on from what Summit ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.network import LAYERS

IN_A_LAYER = ("query", "key", "value", "out", "inner", "outer")
PRODUCTS = ("flag", *(f"layers.{layer}.{part}" for layer in range(LAYERS) for part in IN_A_LAYER), "head")
"""What multiplies, in the order in which the export numbers it."""
LOOKED_UP = ("segment", "context")
MARK, KEPT = "onnx::MatMul_", "_quantized"


def restored(path: Path) -> dict[str, Tensor]:
    """Return the weights of an exported network by name, as exact as 8 bits are; those of words are not among them."""
    known = {one.name: numpy_helper.to_array(one) for one in onnx.load(path).graph.initializer}
    numbers = sorted(int(name[len(MARK) : -len(KEPT)]) for name in known if name.startswith(MARK) and KEPT in name)
    found = {
        f"{name}.weight": _whole(known, f"{MARK}{number}").T for name, number in zip(PRODUCTS, numbers, strict=True)
    }
    found |= {f"{name}.weight": _whole(known, f"{name}.weight") for name in LOOKED_UP}
    found |= {name: array for name, array in known.items() if name.endswith(".bias") or "norm.weight" in name}
    return {name: torch.tensor(np.ascontiguousarray(array)) for name, array in found.items()}


def _whole(known: dict[str, Any], name: str) -> Any:
    """Return an array of 8 bits as numbers: each less its zero point, times its scale."""
    kept, scale, zero = (known[f"{name}_{part}"] for part in ("quantized", "scale", "zero_point"))
    return (kept.astype(np.float32) - zero.astype(np.float32)) * scale

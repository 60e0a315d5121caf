"""Where the weights of the local model lie: in the installation, put there by its set-up."""

from __future__ import annotations

import sys
from pathlib import Path

MODEL = "all-MiniLM-L6-v2-int8"
FILE = "all-minilm-l6-v2-int8.onnx"


def weights_path() -> Path:
    """The file of the weights, whether it is there or not."""
    return Path(sys.prefix) / "share" / "summit" / FILE

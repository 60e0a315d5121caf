"""Our own conversations: words, and the exact changes and facts that have to come of them.

``tests/data/README.md`` tells what a line has. ``given`` is a name in fixtures.json, as many lines begin alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

FOLDER = Path(__file__).resolve().parents[3] / "tests" / "data" / "conversations"
Split = Literal["train", "dev"]


def conversations(splits: Iterable[Split] = ("train", "dev"), folder: Path = FOLDER) -> list[dict[str, Any]]:
    """The conversations of these splits, each with the records that it begins with."""
    fixtures = json.loads((folder / "fixtures.json").read_text(encoding="utf-8"))
    lines = [line for split in splits for line in (folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()]
    cases = [json.loads(line) for line in lines]
    return [{**case, "given": fixtures[case["given"]] if "given" in case else {}} for case in cases]

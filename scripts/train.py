"""Fits the reader of frames and writes its weights into the package; the same data give the same file.

    python scripts/train.py --data DIR [--tune]

It reads scripts/sentences.jsonl (our own conversations, annotated), scripts/remarks.txt and scripts/intent_examples.txt
(templates), and DIR/data/intents/train.jsonl (public sentences, one JSON object a line with text and intent). A phrase
that is read wrong is mended by a line of these. ``--tune`` fits on nine tenths and reports instead. Needs numpy.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agents.understanding.model.features import BUCKETS
from agents.understanding.model.frames import FRAMES, WEIGHTS
from agents.understanding.model.packing import pack
from scripts.fit_intents import EXAMPLES, TARGET, Examples, Row, divided, fit, own, public, report, temperature

SENTENCES, REMARKS = EXAMPLES.with_name("sentences.jsonl"), EXAMPLES.with_name("remarks.txt")
FRAME_OF_INTENT = {
    "add_task": "add", "reminder": "remind", "schedule_event": "book", "move_event": "edit", "update_item": "edit",
    "complete_task": "complete", "delete_task": "remove", "cancel_event": "remove", "note": "note",
    "profile_fact": "profile", "standing_instruction": "rule", "undo": "undo", "query_calendar": "query",
    "query_tasks": "query", "ask_memory": "query", "focus": "query", "chitchat": "talk", "affirm": "talk",
    "negate": "talk", "ood": "talk",
}  # fmt: skip
PUBLIC, TEMPLATES, FOREIGN = 0.5, 0.3, 0.12
"""How much a public sentence, one of a template, and one for another service counts beside one of our own."""


def weighed(path: Path) -> Iterator[tuple[Row, float]]:
    """Every sentence with its frame, and how much it counts."""
    for line in SENTENCES.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield from (
            ((text, one), 1.0) for text, names in zip(row["cuts"], row["frames"], strict=True) for one in names[:1]
        )
    yield from ((row, TEMPLATES) for row in own(REMARKS))
    for text, intent in own():
        yield (text, FRAME_OF_INTENT[intent]), FOREIGN if intent == "ood" else TEMPLATES
    for text, intent in public(path):
        yield (text, FRAME_OF_INTENT[intent]), FOREIGN if intent == "ood" else PUBLIC


def main() -> None:
    """Fit, calibrate on a held-out tenth, and write or report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tune", action="store_true")
    options = parser.parse_args()
    found = dict(weighed(options.data / "data" / "intents" / "train.jsonl"))
    rows, labels = list(found), list(FRAMES)
    used, held = divided(rows, 10)
    tried, apart = fit(Examples(used, labels, [found[row] for row in used]), labels), Examples(held, labels)
    warmth = temperature(apart.scores(tried), apart.answers)
    own_rows = Examples([row for row in held if found[row] == 1.0], labels)
    print(f"{len(rows)} sentences, scores x {warmth:.2f}", report(apart.scores(tried), apart.answers))
    print("of our own:", report(own_rows.scores(tried), own_rows.answers))
    if not options.tune:
        weights = fit(Examples(rows, labels, list(found.values())), labels)
        target = TARGET.with_name(WEIGHTS)
        target.write_bytes(pack(weights[:BUCKETS].tolist(), labels, warmth))
        print(f"{target.name}: {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Measures the shipped encoder on what is held out of training; `python -m training.measure [--show]`.

Counts words whose cut and slot are right, clauses whose act is, and of these whose topic is, slots whose span and name
are (F1), and sentences in which all but the topics is, by author.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from random import Random

from agents.reading.decoding import decode_scores
from agents.reading.encoder import Encoder, load_encoder
from agents.reading.reading import Reading
from agents.reading.rows import MessageSurroundings, row_of
from agents.reading.words import Span
from training.examples import Example
from training.labelling import held_out_examples
from training.variation import Variations


def read_again(example: Example, variations: Variations, rng: Random, encoder: Encoder) -> tuple[str, Reading]:
    """The text of an example, and how the encoder reads it."""
    unit = variations.imagined(example, rng)
    spans: list[Span] = []
    text = ""
    for word in example.words:
        text += " " if text else ""
        spans.append((len(text), len(text) + len(word.text)))
        text += word.text
    row = row_of(text, spans, unit.flags, MessageSurroundings(example.context, tuple(unit.aside)), encoder)
    return text, decode_scores(text, spans[: len(row.first)], encoder.scores(row))


def marks_of(example: Example) -> tuple[list[tuple[int, int, str]], list[tuple[int, int, str]]]:
    """The clauses and the slots of an example as first word, last word, name."""
    clauses = [(clause.first, clause.last, clause.act) for clause in example.clauses]
    slots: list[tuple[int, int, str]] = []
    for at, word in enumerate(example.words):
        part, _, name = word.slot.partition("-")
        if part == "B":
            slots.append((at, at, name))
        elif part == "I":
            slots[-1] = (slots[-1][0], at, slots[-1][2])
    return clauses, slots


def marks_read(text: str, reading: Reading) -> tuple[list[tuple[int, int, str]], list[tuple[int, int, str]]]:
    """The same of a reading."""

    def place(at: int) -> int:
        return text[:at].count(" ")

    clauses = [(place(clause.start), place(clause.end - 1), clause.act) for clause in reading.clauses]
    slots = [(place(s.start), place(s.end - 1), s.name) for clause in reading.clauses for s in clause.slots]
    return clauses, slots


def topics_right(example: Example, text: str, reading: Reading) -> tuple[int, int]:
    """How many topics are told right, of how many that were marked, where the clause itself is read right."""
    clauses, _ = marks_read(text, reading)
    told = {mark: clause.topic for mark, clause in zip(clauses, reading.clauses, strict=True)}
    marked = {(one.first, one.last, one.act): one.topic for one in example.clauses if one.topic}
    both = [mark for mark in marked if mark in told]
    return sum(told[mark] == marked[mark] for mark in both), len(both)


def compared(example: Example, variations: Variations, rng: Random, encoder: Encoder) -> Counter[str]:
    """What of an example is read as it was written, as counts."""
    text, reading = read_again(example, variations, rng, encoder)
    (clauses, slots), (clauses_read, slots_read) = marks_of(example), marks_read(text, reading)
    topic, topics = topics_right(example, text, reading)
    return Counter(
        sentences=1,
        topic=topic,
        topics=topics,
        clauses=len(clauses),
        cut=len({one[:2] for one in clauses} & {one[:2] for one in clauses_read}),
        act=len(set(clauses) & set(clauses_read)),
        acts=[one[2] for one in clauses] == [one[2] for one in clauses_read],
        slot=len(set(slots) & set(slots_read)),
        slots=len(slots) + len(slots_read),
        whole=(clauses, slots) == (clauses_read, slots_read),
    )


def main(arguments: Sequence[str]) -> None:
    """Print a line an author, and one for all."""
    kept = held_out_examples()
    variations, encoder = Variations(kept), load_encoder()
    counted: dict[str, Counter[str]] = {}
    for at, example in enumerate(kept):
        row = compared(example, variations, Random(at), encoder)
        for name in (example.author, "all"):
            counted.setdefault(name, Counter()).update(row)
        if "--show" in arguments and not row["whole"]:
            text, reading = read_again(example, variations, Random(at), encoder)
            print(f"{example.author} | {example.context} | {text}")
            print(f"  wrote {_told(example, *marks_of(example))}")
            print(f"  read  {_told(example, *marks_read(text, reading))}")
    for name in sorted(counted, key=lambda name: (name == "all", name)):
        row = counted[name]
        print(
            f"{name:10} {row['sentences']:5} sentences: cut {row['cut'] / row['clauses']:.3f}, "
            f"cut and act {row['act'] / row['clauses']:.3f}, acts in order {row['acts'] / row['sentences']:.3f}, "
            f"topic {row['topic'] / max(row['topics'], 1):.3f}, slots F1 {2 * row['slot'] / max(row['slots'], 1):.3f}, "
            f"whole {row['whole'] / row['sentences']:.3f}"
        )


def _told(example: Example, clauses: Sequence[tuple[int, int, str]], slots: Sequence[tuple[int, int, str]]) -> str:
    """The sentence with its marks."""
    texts = [word.text for word in example.words]
    for first, last, name in slots:
        texts[first] = f"[{name} {texts[first]}"
        texts[last] += "]"
    for first, last, name in clauses:
        texts[first] = f"{{{name} {texts[first]}"
        texts[last] += "}"
    return " ".join(texts)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Annotated sentences become rows of labelled words; `python -m training.labelling FILE` writes all of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from agents.reading.flags import flag_words
from agents.reading.labels import TIME
from agents.reading.words import split_words
from agents.time import Clock, clock_for, find_times
from training.annotations import FOLDER, Sentence, read_sentences
from training.examples import Clause, Example, Word, write_examples

CLOCK = clock_for(datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/London")), "Europe/London")
"""A working morning: which words are a time hardly hangs on the hour."""


def labelled(sentence: Sentence, author: str, clock: Clock = CLOCK) -> Example:
    """Return a sentence word by word."""
    spans = split_words(sentence.text)
    times = flag_words(sentence.text, spans, find_times(sentence.text, clock), {})
    words = [
        Word(sentence.text[a:b], "O", "O", bool(time >> TIME & 1)) for (a, b), time in zip(spans, times, strict=True)
    ]
    clauses = []
    for clause in sentence.clauses:
        inside = [at for at, (a, b) in enumerate(spans) if a < clause.end and b > clause.start]
        for at in inside:
            words[at] = replace(words[at], cut="B" if at == inside[0] else "I")
        for slot in clause.slots:
            filled = [at for at in inside if spans[at][0] < slot.end and spans[at][1] > slot.start]
            for at in filled:
                words[at] = replace(words[at], slot=f"{'B' if at == filled[0] else 'I'}-{slot.name}")
        if inside:
            clauses.append(Clause(inside[0], inside[-1], clause.act, clause.topic))
    return Example(author, sentence.context, tuple(words), tuple(clauses), sentence.held_out)


def any_sentence(_: Sentence) -> bool:
    """Return that a sentence is wanted."""
    return True


def all_examples(folder: Path = FOLDER, wanted: Callable[[Sentence], bool] = any_sentence) -> Iterator[Example]:
    """Yield every sentence of a folder that is wanted, file by file."""
    for path in sorted(folder.glob("*.txt")):
        for _, sentence in read_sentences(path):
            if wanted(sentence):
                yield labelled(sentence, path.stem)


def held_out_examples() -> list[Example]:
    """Return what measures, and is never learned from."""
    return list(all_examples(wanted=lambda sentence: sentence.held_out))


if __name__ == "__main__":
    sys.stdout.write(f"{write_examples(all_examples(), Path(sys.argv[1]))} examples\n")

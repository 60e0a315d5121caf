"""The sentences that the reader learns from are annotated as FORMAT.md says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from agents.reading.labels import ACTS, SLOTS, TOPICS
from training.annotations import FOLDER, Clause, Misannotated, Slot, parse_sentence, read_sentences

FILES = sorted(FOLDER.glob("*.txt"))
FORMAT = (FOLDER.parent / "FORMAT.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_sentence_can_be_read(path: Path) -> None:
    assert len(list(read_sentences(path))) > 100


def test_every_act_and_slot_has_examples_and_stands_in_the_format() -> None:
    clauses = [clause for path in FILES for _, sentence in read_sentences(path) for clause in sentence.clauses]
    acts, slots = Counter(one.act for one in clauses), Counter(slot.name for one in clauses for slot in one.slots)
    assert (set(acts), set(slots)) == (set(ACTS), set(SLOTS))
    assert min(acts.values()) > 100
    topics = Counter(one.topic for one in clauses if one.topic)
    assert min(topics[name] for name in TOPICS) > 20
    assert [name for name in (*ACTS, *SLOTS, *TOPICS) if name not in FORMAT] == []


def test_a_tenth_of_each_file_measures() -> None:
    for path in FILES:
        sentences = [sentence for _, sentence in read_sentences(path)]
        assert 0.04 < sum(one.held_out for one in sentences) / len(sentences) < 0.17, path.name


def test_the_topic_stands_behind_the_act() -> None:
    (clause,) = parse_sentence("{ask/room am i free [w on friday]}").clauses
    assert (clause.act, clause.topic, clause.slots) == ("ask", "room", (Slot(10, 19, "w"),))


def test_a_line_becomes_text_clauses_and_slots() -> None:
    sentence = parse_sentence("did | {remark sara is ill}, so {drop cancel our [g coffee]}")
    assert (sentence.context, sentence.text) == ("did", "sara is ill, so cancel our coffee")
    assert sentence.clauses == (Clause(0, 11, "remark", ()), Clause(16, 33, "drop", (Slot(27, 33, "g"),)))


@pytest.mark.parametrize(
    "line",
    [
        "buy milk",
        "{todo buy",
        "{todo [t buy}",
        "{todo [t ]}",
        "{todo }",
        "{buy milk}",
        "[t milk]",
        "{todo [z milk]}",
        "{ask/short is it long}",
        "{todo/agenda buy milk}",
        "{todo {ask x}}",
        "{todo [t a [g b]]}",
        "later | {todo [t buy milk]}",
        "{todo [t a | b]}",
        "{todo a]}",
        "a}",
    ],
)
def test_a_wrong_line_says_why(line: str) -> None:
    with pytest.raises(Misannotated):
        parse_sentence(line)


def test_a_fault_names_its_file_and_line(tmp_path: Path) -> None:
    file = tmp_path / "ana.txt"
    file.write_text("# mine\n{todo [t buy milk]}\n{todo [t buy}\n")
    with pytest.raises(Misannotated, match=r"ana\.txt:3: "):
        list(read_sentences(file))

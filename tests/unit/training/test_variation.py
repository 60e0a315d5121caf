"""Varied sentences stay whole: clauses, slots and flags fit their words, and the same seed gives the same."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from agents.reading.labels import ACTS, CONTEXTS, FLAGS, SLOT_LABELS
from training.annotations import parse_sentence
from training.examples import Example, read_examples, write_examples
from training.labelling import all_examples, labelled
from training.measure import marks_of
from training.variation import Unit, Variations
from training.widening import with_a_number, with_more_things, with_unknown_names

SENTENCES = [
    "{event book [t the kiln tour] [w friday 3pm]}, {remark the old one broke}",
    "did | {fix no, [w thursday] not [x friday]}",
    "{list put [i clay] and [i two sponges] on the [l studio] list}",
    "which | {pick [k the second one]} and {todo [t call the glaze shop] [w tomorrow]}",
    "{drop cancel the [g wheel course]} please",
    "{todo [t order clay]}",
    "{remind remind me to [t empty the kiln] [w at nine]}",
    "yes | {yes go on}",
]


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [labelled(parse_sentence(line), "potter") for line in SENTENCES] * 3


def varied(examples: list[Example], seed: int) -> list[Unit]:
    variations, rng = Variations(examples), random.Random(seed)
    return [variations.varied(example, rng) for example in examples]


@pytest.mark.parametrize("seed", range(25))
def test_a_varied_sentence_is_whole(examples: list[Example], seed: int) -> None:
    for unit in varied(examples, seed):
        cuts = {
            at: (clause.first, clause.last) for clause in unit.clauses for at in range(clause.first, clause.last + 1)
        }
        for at, word in enumerate(unit.words):
            inside = cuts.get(at)
            assert word.cut == ("O" if inside is None else "B" if inside[0] == at else "I")
            assert word.slot in SLOT_LABELS
            if word.slot.startswith("I-"):
                assert unit.words[at - 1].slot[2:] == word.slot[2:]
        assert all(0 <= clause.first <= clause.last < len(unit.words) and clause.act in ACTS for clause in unit.clauses)
        assert len(unit.flags) == len(unit.words)
        assert all(0 <= flag < 1 << len(FLAGS) for flag in unit.flags)
        assert unit.context in CONTEXTS
        assert not (unit.context == "idle" and unit.aside)


def test_the_same_seed_gives_the_same(examples: list[Example]) -> None:
    assert varied(examples, 5) == varied(examples, 5)
    assert varied(examples, 5) != varied(examples, 6)


def test_other_names_stand_in_the_slots_and_nothing_is_invented(examples: list[Example]) -> None:
    known = {word.text.lower() for example in examples for word in example.words}
    told = [tuple(word.text for word in unit.words) for seed in range(20) for unit in varied(examples, seed)]
    assert len(set(told)) > len(examples) * 5
    assert any("sponges" in words and "tour" in words for words in told)
    assert known


def test_labels_survive_the_file(examples: list[Example], tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    assert write_examples(examples, path) == len(examples)
    assert read_examples(path) == examples
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[0])["author"] == "potter"


def test_every_mark_of_a_sentence_is_a_run_of_words() -> None:
    clauses, slots = marks_of(labelled(parse_sentence(SENTENCES[0]), "potter"))
    assert clauses == [(0, 5, "event"), (7, 10, "remark")]
    assert slots == [(1, 3, "t"), (4, 5, "w")]


def test_sentences_can_be_labelled() -> None:
    """A tenth of them, as the times of each are looked for; that all can be read is held by test_annotations."""
    rows = list(all_examples(wanted=lambda sentence: len(sentence.text) % 10 == 0))
    assert len(rows) > 4_000
    assert all(row.clauses for row in rows)


def test_a_name_nobody_knows_stands_wherever_the_name_stood() -> None:
    example = labelled(parse_sentence("{event [t lunch with Ana]}, {remind tell [t Ana] and [t Ben]}"), "potter")
    words = [word.text for word in with_unknown_names(example, random.Random(3)).words]
    assert words[2] == words[5]
    assert words[2] not in ("Ana", "Ben", words[7])


def test_a_number_stands_at_the_end_of_a_title() -> None:
    example = labelled(parse_sentence("{todo [t order clay] [w tomorrow]} please"), "potter")
    words = with_a_number(example, random.Random(3)).words
    assert [word.slot for word in words[:5]] == ["B-t", "I-t", "I-t", "B-w", "O"]
    assert words[2].text.isdigit()


def test_a_list_grows_between_its_first_two_things() -> None:
    example = labelled(
        parse_sentence("hm {list put [i clay], [i a sponge] and [i soap] on the [l studio] list}"), "potter"
    )
    things = [example.words[2:3]]
    longer = with_more_things(example, random.Random(3), things)
    assert sum(word.slot == "B-i" for word in longer.words) >= 6
    assert longer.clauses[0].last == len(longer.words) - 1
    assert with_more_things(example, random.Random(3), []) == example

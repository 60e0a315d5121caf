"""Questions that wait: each has an id of its own that stays, and any of them can be put in front by it."""

from __future__ import annotations

from itertools import permutations
from uuid import UUID, uuid4

import pytest

from agents.contract import Pending, Proposal, Question
from agents.open_questions import in_front, left_open, waiting, waiting_in
from tests.support.asking import changed
from tests.support.ledgers import NOW

ASKED = ("which door?", "until when?", "shall I delete it?")


def questions() -> list[Question]:
    return [Question(text=text, pending=Pending(missing="proceed", text=text, at=NOW)) for text in ASKED]


def chain(pending: Pending | None) -> list[tuple[str, str]]:
    return [(one.id, one.asked) for one in waiting_in(pending)]


def test_each_question_of_a_turn_has_an_id_that_comes_again_in_a_rerun() -> None:
    turn = str(uuid4())
    first, again = waiting(questions(), turn), waiting(questions(), turn)
    assert first
    assert again
    found = chain(first.pending)
    assert found == chain(again.pending)
    assert [asked for _, asked in found] == [*ASKED]
    assert len({UUID(name) for name, _ in found}) == len(ASKED)
    assert found[0][0] == turn


def test_what_was_kept_keeps_its_id_and_what_is_asked_anew_gets_one() -> None:
    old = waiting(questions()[:1], "11111111-1111-4111-8111-111111111111")
    assert old
    kept = old.model_copy(update={"pending": old.pending.model_copy(update={"kept": True})})
    turn = str(uuid4())
    now = waiting([questions()[1], kept], turn)
    assert now
    assert [name for name, _ in chain(now.pending)] == [turn, old.pending.id]


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_any_question_comes_in_front_and_none_is_lost(order: tuple[int, ...]) -> None:
    question = waiting(questions(), str(uuid4()))
    assert question
    pending: Pending | None = question.pending
    names = [name for name, _ in chain(pending)]
    for place in order:
        before = chain(pending)
        pending = in_front(pending, names[place])
        found = chain(pending)
        assert found[0] == before[[name for name, _ in before].index(names[place])]
        assert sorted(found) == sorted(before)
    assert in_front(pending, str(uuid4())) == pending
    assert in_front(None, names[0]) is None


@pytest.mark.parametrize(("op", "left"), [("delete", 0), ("archive", 0), ("complete", 1)])
def test_a_question_about_what_is_gone_is_asked_no_more(op: str, left: int) -> None:
    draft = Proposal(op="update", kind="event", record_id="lunch", fields={"start": "2026-11-20"})
    pending = Pending(missing="proceed", text="", at=NOW, proposals=[draft], asked="Move it?")
    gone = changed("lunch", kind="event", record_id="lunch", op=op)
    assert len(left_open(pending, [], [gone], answered=False)) == left

"""What Summit did is told from the ledger's rows, and said to be nothing where there are none."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agents.contract import Change
from agents.records import Source, ToDo
from agents.understanding.dialogue.answers import answer_clause
from tests.unit.agents.understanding.marked import NOW, clause_of, situation_with


def row(title: str, at: datetime, number: int = 1) -> Change:
    source = Source(words=f"remember to {title}")
    task = ToDo(id=title, task=title, created_at=at, updated_at=at, source=source)
    return Change(
        id=f"row-{number}",
        cursor=number,
        turn_id=f"turn-{number}",
        agent="tasks",
        seq=0,
        op="create",
        kind="todo",
        record_id=title,
        title=title,
        fields={"task": title},
        before=None,
        after=task.model_dump(mode="json"),
        status="applied",
        created_at=at,
    )


def answer_to(question: str, *, lately: list[Change] | None = None, past: list[Change] | None = None) -> list[str]:
    situation = situation_with()
    found = {"recent_changes": lately or [], "history": past}
    situation.scene.ask = situation.ask.model_copy(update=found)
    return answer_clause(clause_of(question), situation).answers


@pytest.mark.parametrize("question", ["ask/history what did you just do", "ask/history what have you changed"])
def test_the_last_turn_is_told_from_the_thread(question: str) -> None:
    lately = [row("sweep the yard", NOW - timedelta(minutes=2))]
    assert "sweep the yard" in " ".join(answer_to(question, lately=lately))


def test_a_day_is_told_from_the_whole_ledger() -> None:
    past = [row("fix the gate", NOW - timedelta(days=1)), row("buy twine", NOW - timedelta(days=3), 2)]
    said = " ".join(answer_to("ask/history what did you add [w yesterday]", past=past))
    assert "fix the gate" in said
    assert "buy twine" not in said


def test_nothing_was_done_where_no_row_is() -> None:
    assert answer_to("ask/history what did you change [w yesterday]", past=[]) == ["Nothing was changed yesterday."]


def test_why_is_answered_with_the_words_that_caused_it() -> None:
    lately = [row("sweep the yard", NOW)]
    said = " ".join(answer_to("ask/history why did you add [g sweep the yard]", lately=lately))
    assert "remember to sweep the yard" in said


def test_why_something_was_done_is_no_question_about_summit() -> None:
    lately = [row("air the loft", NOW - timedelta(minutes=2))]
    assert "you said “remember to air the loft”" in answer_to("help/history why did you add that", lately=lately)[0]

"""The one next action: it fits the energy and the minutes that were said, also after a suggestion was skipped."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agents.contract import FocusSuggestion
from agents.mind.message import understand
from agents.ports import Ask, Exchange, Records
from agents.records import ToDo

AT = datetime(2026, 11, 24, 8, tzinfo=UTC)
NEXT = "Next: {} (about 30 minutes). “{}”: it is a good one to get moving with."


def todo(task: str, **fields: Any) -> ToDo:
    return ToDo(id=task, task=task, created_at=AT, updated_at=AT, **fields)


def asked(text: str, tasks: list[ToDo], *recent: Exchange) -> tuple[FocusSuggestion | None, list[str]]:
    """What is suggested, and what is answered."""
    ask = Ask(text=text, at=AT, timezone="UTC", records=Records(todos=tasks), recent=list(recent))
    decision = understand(ask)
    parts = [target.proposed for target in decision.targets if target.proposed]
    assert not any(part.proposals for part in parts)
    found = [part.suggestion for part in parts if part.suggestion]
    return (found[0] if found else None), [line for part in parts for line in part.answers]


def suggested(said: str, title: str) -> Exchange:
    return Exchange(said=said, replied=NEXT.format(title, title))


@pytest.mark.parametrize("said", ["I have 15 minutes", "I have 15 minutes, what should I do?", "got 15 minutes free"])
def test_what_takes_longer_than_the_minutes_at_hand_is_not_suggested(said: str) -> None:
    found, _ = asked(said, [todo("buy milk", priority="high"), todo("call Ana"), todo("brush up", time_to_complete=40)])
    assert found is not None
    assert (found.action, found.minutes) == ("call Ana", 10)  # 10 by the rule of thumb, 30 for what is to be bought


def test_of_a_task_that_is_too_long_a_first_step_is_suggested() -> None:
    found, _ = asked("I have 15 minutes", [todo("file taxes", time_to_complete=120, solutions=["Find the forms"])])
    assert found is not None
    assert (found.action, found.step, found.minutes) == ("Find the forms", "Find the forms", 5)
    assert "all of it takes longer than 15 minutes" in found.why


def test_when_nothing_fits_that_is_said() -> None:
    found, answers = asked("I have 15 minutes", [todo("buy milk"), todo("zumba", time_to_complete=50)])
    assert found is None
    assert answers == [
        "None of your open tasks fits into 15 minutes: the shortest, “buy milk”, takes about 30 minutes."
    ]


@pytest.mark.parametrize("skip", ["not that one", "skip that, something else", "another one"])
def test_the_energy_that_was_said_outlives_a_skipped_suggestion(skip: str) -> None:
    tasks = [todo("buy milk"), todo("zzz", priority="high", difficulty="hard"), todo("yyy", difficulty="easy")]
    found, _ = asked(skip, tasks, suggested("I'm exhausted, what should I do?", "buy milk"))
    assert found is not None
    assert found.action == "yyy"  # a hard one of high priority comes first for everybody who is not tired
    again, _ = asked(skip, tasks, suggested("I'm exhausted, what now?", "buy milk"), suggested(skip, "yyy"))
    assert again is not None
    assert again.encouragement == found.encouragement == "Small is fine: five minutes are enough to begin."


def test_the_minutes_that_were_said_outlive_a_skipped_suggestion() -> None:
    tasks = [todo("call Ana"), todo("buy milk", priority="high"), todo("pay rent")]
    found, _ = asked("not that one", tasks, suggested("I have 15 minutes", "call Ana"))
    assert found is not None
    assert (found.action, found.minutes) == ("pay rent", 15)


def test_energy_said_later_replaces_that_said_before() -> None:
    tasks = [todo("buy milk"), todo("call Ana"), todo("zzz", priority="high", difficulty="hard"), todo("yyy")]
    earlier = [
        suggested("I'm exhausted, what should I do?", "buy milk"),
        suggested("I feel great, and now?", "call Ana"),
    ]
    found, _ = asked("not that one", tasks, *earlier)
    assert found is not None
    assert found.action == "zzz"

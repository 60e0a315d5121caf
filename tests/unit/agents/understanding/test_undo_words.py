"""Undo in words takes back what the words name, and nothing else: by number, name, day and turn."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from agents.contract import Change, Question
from agents.mind.message import understand
from tests.support.asking import answers, ask, changed, decide, proposals

MILK = changed("buy milk", turn="t2", record_id="todo-2")
DENTIST = changed("Dentist", kind="event", record_id="event-1")
TWO = [changed("oil the gate"), changed("fix the hinge", record_id="todo-2", place=1)]


def at(change: Change, moment: str) -> Change:
    return change.model_copy(update={"created_at": datetime.fromisoformat(f"{moment}+00:00")})


def undone(change: Change) -> Change:
    return change.model_copy(update={"status": "undone"})


def undo_of(change: Change, turn: str) -> Change:
    made = changed(change.title, kind=change.kind, turn=turn, op="undo", place=change.place)
    return made.model_copy(update={"undo_of": change.id})


def taken_back(said: str, changes: list[Change], **given: Any) -> list[str | None]:
    return [item.undo_of for item in proposals(said, changes=changes, **given) if item.op == "undo"]


def question(said: str, changes: list[Change]) -> Question:
    decision = decide(said, changes=changes)
    assert not [target for target in decision.targets if target.proposed and target.proposed.proposals]
    return decision.questions[0]


@pytest.mark.parametrize(
    ("said", "changes", "sentence"),
    [
        (
            "undo the third one",
            TWO,
            "Your last message changed 2 things: “oil the gate” and “fix the hinge”, so there is no third.",
        ),
        ("undo just the second one", [MILK], "Your last message changed 1 thing: “buy milk”, so there is no second."),
        ("undo number 4", TWO, "so there is no number 4."),
        ("undo the last three", TWO, "so there is no third."),
        ("undo the dentist", [MILK], "Nothing called “dentist” was changed, so I undid nothing."),
        ("undo the milk and the plumber", [MILK], "Nothing called"),
        ("undo the change from yesterday", [MILK], "I see no change from yesterday"),
        ("undo that", [], "I see nothing to undo in what we just talked about; every change can still be undone"),
        ("undo the gate", [undone(TWO[0]), MILK], "“oil the gate” is undone already."),
        ("undo the second one", [TWO[0], undone(TWO[1]), undo_of(TWO[1], "t2")], "“fix the hinge”: undone already."),
        ("undo the undo", [MILK], "I see no undo to take back"),
        ("redo that", [MILK], "I see no undo to take back"),
    ],
)
def test_what_is_not_there_is_said_and_nothing_changes(said: str, changes: list[Change], sentence: str) -> None:
    assert proposals(said, changes=changes) == []
    assert sentence in answers(said, changes=changes)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("undo the dentist", [DENTIST]),
        ("undo the dentist appointment", [DENTIST]),
        ("undo “Dentist”", [DENTIST]),
        ("undo the milk", [MILK]),
        ("undo adding the milk", [MILK]),
        ("undo that", [MILK]),
        ("undo", [MILK]),
        ("undo my last change", [MILK]),
        ("take that back", [MILK]),
        ("undo the milk and the dentist", [MILK, DENTIST]),
    ],
)
def test_a_name_is_looked_for_in_all_turns(said: str, meant: list[Change]) -> None:
    assert taken_back(said, [DENTIST, MILK]) == [item.id for item in meant]


@pytest.mark.parametrize(
    ("said", "places"),
    [
        ("undo the first", [0]),
        ("undo the 2nd one", [1]),
        ("undo number two of the tasks", [1]),
        ("undo the first and the second", [1, 0]),
        ("undo the last two", [1, 0]),
        ("undo everything", [1, 0]),
        ("undo what you just did", [1, 0]),
    ],
)
def test_numbers_count_in_the_order_said(said: str, places: list[int]) -> None:
    assert taken_back(said, TWO) == [TWO[place].id for place in places]


def test_the_newest_change_of_a_title_is_meant() -> None:
    moved = changed("Dentist", kind="event", record_id="event-1", turn="t3", op="update")
    assert taken_back("undo the dentist", [DENTIST, MILK, moved]) == [moved.id]


def test_two_titles_that_fit_are_asked_about() -> None:
    asked = question("undo the milk", [changed("buy milk"), changed("order oat milk", turn="t2")])
    assert asked.pending.missing == "which"
    assert asked.options == ["undo “order oat milk”", "undo “buy milk”"]


def test_an_offered_option_is_a_request_of_its_own() -> None:
    changes = [changed("buy milk"), changed("order oat milk", turn="t2")]
    asked = question("undo the milk", changes)
    assert taken_back(asked.options[1], changes, pending=asked.pending) == [changes[0].id]


def test_undoing_the_undo_is_a_redo() -> None:
    undo = undo_of(TWO[1], "t2")
    for said in ("undo the undo", "undo that undo", "redo", "redo that"):
        assert taken_back(said, [TWO[0], undone(TWO[1]), undo]) == [undo.id]


def test_every_undo_of_the_last_turn_is_redone() -> None:
    undos = [undo_of(TWO[1], "t2"), undo_of(TWO[0], "t2")]
    assert taken_back("undo the undo", [*map(undone, TWO), *undos]) == [undos[1].id, undos[0].id]


def test_after_an_undo_an_older_turn_needs_a_yes() -> None:
    changes = [DENTIST, undone(MILK), undo_of(MILK, "t3")]
    asked = question("undo that", changes)
    assert asked.text == "Do you want me to undo “Dentist”?"
    assert taken_back("yes", changes, pending=asked.pending) == [DENTIST.id]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("undo the change from yesterday", "old"),
        ("undo yesterday's change", "old"),
        ("undo the change from this morning", "new"),
        ("undo what i changed today", "new"),
    ],
)
def test_a_day_means_when_the_change_was_made(said: str, meant: str) -> None:
    made = {"old": at(DENTIST, "2026-11-17T15:00:00"), "new": at(MILK, "2026-11-18T09:00:00")}
    assert taken_back(said, [*made.values()]) == [made[meant].id]


def test_a_day_ends_at_midnight_of_the_speakers_zone() -> None:
    late = at(MILK, "2026-11-17T23:30:00")
    assert taken_back("undo the change from yesterday", [late]) == [late.id]


def test_several_changes_of_a_moment_are_asked_about() -> None:
    assert question("undo the one from 2 minutes ago", [DENTIST, MILK]).options == ["undo “buy milk”", "undo “Dentist”"]


def test_several_changes_of_a_day_are_asked_about() -> None:
    assert len(question("undo the change from today", [DENTIST, MILK]).options) == 2


def test_a_name_with_another_day_is_asked_about() -> None:
    assert question("undo the dentist from yesterday", [DENTIST, MILK]).text == "Do you want me to undo “Dentist”?"


@pytest.mark.parametrize(
    "said", ["complete call mom and undo that", "add glue. undo the last one", "add rice and undo both"]
)
def test_that_after_a_change_in_one_message_is_unclear(said: str) -> None:
    given = {"todos": [{"task": "call mom"}], "changes": [DENTIST, MILK]}
    assert taken_back(said, **given) == []  # type: ignore[arg-type]
    assert any("undo" in words for words in decide(said, **given).unclear)


def test_the_thing_changed_in_the_same_message_is_not_taken_back() -> None:
    assert taken_back("complete buy milk and undo buy milk", [MILK], todos=[{"task": "x"}, {"task": "buy milk"}]) == []


@pytest.mark.parametrize("said", ["undo everything except the second", "undo all but the pergola"])
def test_an_exception_is_never_guessed(said: str) -> None:
    assert taken_back(said, TWO) == []


def test_what_is_named_as_an_exception_stays() -> None:
    assert taken_back("undo all but the gate", TWO) == [TWO[1].id]


def test_a_named_kind_leaves_the_other_kind() -> None:
    event = changed("Lunch", kind="event", record_id="event-2", place=1)
    assert taken_back("undo the event", [TWO[0], event]) == [event.id]


def test_a_count_that_does_not_fit_is_asked_about() -> None:
    three = [*TWO, changed("call granny", record_id="todo-3", place=2)]
    assert len(question("undo those two", three).options) == 3
    assert len(question("undo both", three).options) == 3
    assert len(taken_back("undo those two", TWO)) == 2


def test_a_kind_changed_in_an_older_turn_is_asked_about() -> None:
    assert question("undo the event", [DENTIST, MILK]).text == "Do you want me to undo “Dentist”?"
    assert proposals("undo the note", changes=[DENTIST, MILK]) == []


def looked_back(said: str) -> Any:
    """What the ledger is asked for when the thread's last turns hold only the milk."""
    made = ask(said, changes=[MILK]).model_copy(update={"history": None})
    return understand(made).look_back


@pytest.mark.parametrize(
    ("said", "since", "until"),
    [
        ("undo what you did this morning", "2026-11-18T00:00", "2026-11-18T12:00"),
        ("undo everything from today", "2026-11-18T00:00", "2026-11-19T00:00"),
        ("undo the change from monday", "2026-11-16T00:00", "2026-11-17T00:00"),
        ("undo what you did on monday evening", "2026-11-16T18:00", "2026-11-17T00:00"),
        ("undo what we changed on the 14th", "2026-11-14T00:00", "2026-11-15T00:00"),
        ("undo what you did two hours ago", "2026-11-18T08:00", "2026-11-18T09:00"),
        ("undo what you did last week", "2026-11-09T00:00", "2026-11-16T00:00"),
        ("undo what you did in the last hour", "2026-11-18T09:30", "2026-11-18T10:35"),
    ],
)
def test_words_of_time_ask_the_ledger(said: str, since: str, until: str) -> None:
    found = looked_back(said)
    assert (f"{found.since:%Y-%m-%dT%H:%M}", f"{found.until:%Y-%m-%dT%H:%M}", found.words) == (since, until, [])


def test_a_name_that_was_not_just_changed_asks_the_ledger() -> None:
    assert looked_back("undo the dentist thing from tuesday").words == ["dent"]
    assert looked_back("undo the milk from today") is None


@pytest.mark.parametrize(
    "said", ["undo that", "undo", "undo just the second one", "undo the last two", "redo", "undo the milk"]
)
def test_most_undos_ask_the_ledger_nothing(said: str) -> None:
    assert looked_back(said) is None


def test_a_name_with_the_day_of_its_change_is_undone_at_once() -> None:
    old = at(DENTIST, "2026-11-17T15:00:00")
    made = ask("undo the dentist thing from tuesday", changes=[MILK]).model_copy(update={"history": [old]})
    (target,) = understand(made).targets
    assert target.proposed is not None
    assert [item.undo_of for item in target.proposed.proposals] == [DENTIST.id]


@pytest.mark.parametrize("said", ["undo everything from today", "undo what you did this morning"])
def test_everything_of_a_time_needs_a_yes(said: str) -> None:
    changes = [at(DENTIST, "2026-11-18T08:00:00"), at(MILK, "2026-11-18T09:00:00")]
    asked = question(said, changes)
    assert asked.text == "Do you want me to undo “Dentist” and “buy milk”?"
    assert taken_back("yes", changes, pending=asked.pending) == [MILK.id, DENTIST.id]


def test_what_was_done_by_hand_is_not_what_you_did() -> None:
    by_hand = at(DENTIST, "2026-11-18T08:00:00").model_copy(update={"turn_id": None})
    changes = [by_hand, at(MILK, "2026-11-18T09:00:00")]
    assert taken_back("undo what you did this morning", changes) == [MILK.id]


@pytest.mark.parametrize(
    ("said", "place"), [("the second one", 1), ("2", 1), ("the dentist", 1), ("the milk", 0), ("the last one", 1)]
)
def test_the_answer_to_which_undo_is_that_one(said: str, place: int) -> None:
    changes = [DENTIST, MILK]
    asked = question("undo the change from today", changes)
    assert taken_back(said, changes, pending=asked.pending) == [[MILK, DENTIST][place].id]


def test_both_is_an_answer_too() -> None:
    changes = [DENTIST, MILK]
    asked = question("undo the change from today", changes)
    assert taken_back("both", changes, pending=asked.pending) == [MILK.id, DENTIST.id]


def test_a_redo_reaches_back_as_well() -> None:
    undo = at(undo_of(DENTIST, "t0"), "2026-11-17T15:30:00")
    assert taken_back("redo the dentist", [undone(DENTIST), undo]) == [undo.id]


@pytest.mark.xfail(strict=True, reason="the built-in understanding does not read this")
@pytest.mark.parametrize("said", ["no, that was wrong, revert it", "that was wrong, take that back"])
def test_words_before_an_undo_do_not_hide_it(said: str) -> None:
    assert taken_back(said, [MILK]) == [MILK.id]

"""Answers to questions, and talk about what was just done."""

from __future__ import annotations

from agents.contract import Change, Option, Pending, Proposal
from agents.ports import Records
from agents.understanding import understand
from tests.support.readings import NOW, ask_for, event, heard_as, proposals_of, shopping, task

CALLS = Records(
    events=[event("Call with Bo", "2026-11-20T15:00:00+00:00"), event("Call with Ada", "2026-11-23T09:00:00+00:00")]
)


def waits(missing: str, proposals: list[Proposal], labels: tuple[str, ...] = ()) -> Pending:
    """Return a question that waits."""
    options = [Option(label=label, kind="event", record_id=label) for label in labels]
    return Pending.model_validate(
        {"missing": missing, "text": "", "at": NOW, "proposals": proposals, "options": options}
    )


def gone(name: str) -> Proposal:
    """Return the deletion of an appointment."""
    return Proposal(op="delete", kind="event", record_id=name)


WHICH = waits("which", [gone("Call with Bo"), gone("Call with Ada")], ("Call with Bo", "Call with Ada"))


def chosen(marked: str) -> list[str | None]:
    """Return the records that an answer to the question picks."""
    return [item.record_id for item in proposals_of(heard_as(marked, CALLS, pending=WHICH))]


def test_options_are_picked_by_place_name_time_and_order() -> None:
    assert chosen("which | {pick [k the second one]}") == ["Call with Ada"]
    assert chosen("which | {pick the one with [k bo]}") == ["Call with Bo"]
    assert chosen("which | {pick [k monday's]}") == ["Call with Ada"]
    assert chosen("which | {pick [k the earlier one]}") == ["Call with Bo"]
    assert chosen("which | {pick [a both]}") == ["Call with Bo", "Call with Ada"]
    assert chosen("which | {pick not [x the first]}") == ["Call with Ada"]


def test_options_are_picked_by_part_of_the_day_and_by_age() -> None:
    assert chosen("which | {pick [k the afternoon one]}") == ["Call with Bo"]
    labels = ("Read Hansen 2019", "Read Hansen 2021")
    drafts = [Proposal(op="complete", kind="todo", record_id=label) for label in labels]
    pending = waits("which", drafts, labels)
    decision = heard_as("which | {pick [k the older one]}", pending=pending)
    assert [item.record_id for item in proposals_of(decision)] == ["Read Hansen 2019"]


def test_new_request_leaves_the_question_open() -> None:
    decision = heard_as("which | {todo [t water the figs]}", CALLS, pending=WHICH)
    assert not decision.answered
    assert proposals_of(decision)[0].fields["task"] == "water the figs"


def test_no_and_undo_decline_what_is_asked() -> None:
    for marked in ("which | {no leave it}", "which | {undo undo that}"):
        decision = heard_as(marked, CALLS, pending=WHICH)
        assert decision.answered
        assert proposals_of(decision) == []


def test_yes_with_another_value() -> None:
    draft = Proposal(op="create", kind="todo", fields={"task": "prune the figs"})
    decision = heard_as("yes | {yes yes, but [pr high priority]}", pending=waits("proceed", [draft]))
    (made,) = proposals_of(decision)
    assert made.agreed
    assert made.fields == {"task": "prune the figs", "priority": "high"}


def test_hour_is_told_for_the_day_that_was_said() -> None:
    draft = Proposal(op="create", kind="event", fields={"title": "kiln visit", "start": "2026-11-20"})
    decision = heard_as("when | {tell [w half past six]}", pending=waits("when", [draft]))
    assert proposals_of(decision)[0].fields["start"] == "2026-11-20T18:30:00+00:00"


def change(op: str, kind: str, record_id: str, turn: str = "t1", **more: object) -> Change:
    """Return a change of the last turn."""
    base = {"id": f"c-{record_id}", "cursor": 1, "turn_id": turn, "agent": "", "seq": 0, "title": record_id}
    state: dict[str, object] = {"fields": {}, "before": None, "after": {}, "status": "applied", "created_at": NOW}
    return Change.model_validate({**base, **state, "op": op, "kind": kind, "record_id": record_id, **more})


def test_undo_takes_back_the_turn_or_one_of_it() -> None:
    done = [change("complete", "todo", "shed"), change("delete", "event", "choir")]
    both = proposals_of(heard_as("did | {undo undo that}", recent_changes=done))
    assert [item.undo_of for item in both] == ["c-choir", "c-shed"]
    (one,) = proposals_of(heard_as("did | {undo undo just [k the first one]}", recent_changes=done))
    assert one.undo_of == "c-shed"


def test_correction_changes_what_was_just_made() -> None:
    records = Records(events=[event("Choir", "2026-11-20T15:00:00+00:00")])
    done = [change("create", "event", "Choir")]
    (made,) = proposals_of(heard_as("did | {fix no, [w 4pm]}", records, recent_changes=done))
    assert made.fields["start"] == "2026-11-20T16:00:00+00:00"


def test_change_meant_for_another_record() -> None:
    records = Records(todos=[task("mend shed"), task("mend gate")])
    done = [change("complete", "todo", "mend shed")]
    made = proposals_of(heard_as("did | {fix i meant [n the gate]}", records, recent_changes=done))
    assert [(item.op, item.record_id) for item in made] == [("undo", "mend shed"), ("complete", "mend gate")]


def test_more_lines_go_on_the_list_just_changed() -> None:
    records = Records(notes=[shopping("Groceries", ["rice"]), shopping("Hardware", [])])
    done = [change("update", "note", "Hardware")]
    (made,) = proposals_of(heard_as("did | {more and [i wire] too}", records, recent_changes=done))
    assert made.record_id == "Hardware"


def test_button_is_its_option() -> None:
    decision = understand(ask_for("Call with Ada", records=CALLS, pending=WHICH))
    assert [item.record_id for item in proposals_of(decision)] == ["Call with Ada"]


def test_undo_in_a_new_thread_asks_about_all_of_the_last_message() -> None:
    done = [change("create", "todo", name, turn) for name, turn in (("shed", "t1"), ("Bo", "t2"), ("putty", "t2"))]
    decision = heard_as("{undo undo that}", history=done)
    (asked,) = decision.questions
    assert "“Bo” and “putty”" in asked.text
    again = proposals_of(heard_as("yes | {undo undo that}", pending=asked.pending, history=done))
    assert {item.undo_of for item in again} == {"c-Bo", "c-putty"}
    assert all(item.agreed for item in again)


def test_named_change_of_an_earlier_turn_is_undone() -> None:
    done = [change("create", "todo", "prune figs", turn="t0"), change("complete", "todo", "mend shed")]
    (one,) = proposals_of(heard_as("did | {undo undo [k the figs one]}", recent_changes=done))
    assert one.undo_of == "c-prune figs"


def test_name_that_was_heard_wrong() -> None:
    records = Records(todos=[task("ring the printer")])
    done = [change("create", "todo", "ring the printer")]
    (made,) = proposals_of(heard_as("did | {fix the [n framer] not [x the printer]}", records, recent_changes=done))
    assert made.fields == {"task": "ring the framer"}


def _offer(name: str, behind: Pending | None = None) -> Pending:
    draft = Proposal(op="create", kind="todo", fields={"task": name}, reason="asked")
    asked = f"Add “{name}”?"
    return Pending(missing="proceed", text=name, at=NOW, proposals=[draft], asked=asked, behind=behind, id=name)


def test_a_yes_to_both_agrees_to_all_that_waits() -> None:
    waiting = _offer("air the tents", _offer("sort the pegs"))
    both = proposals_of(heard_as("yes | {yes yes to [a both]}", pending=waiting))
    assert [(item.fields["task"], item.agreed) for item in both] == [("air the tents", True), ("sort the pegs", True)]
    (one,) = proposals_of(heard_as("yes | {yes yes}", pending=waiting))
    assert one.fields["task"] == "air the tents"


def test_a_yes_that_names_another_operation_agrees_to_nothing() -> None:
    assert proposals_of(heard_as("yes | {yes delete [g it]}", pending=_offer("air the tents"))) == []

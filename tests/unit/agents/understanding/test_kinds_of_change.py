"""Changes of two things at once, of guests, tags and wishes; times that are taken back; what is put back first."""

from __future__ import annotations

from typing import Any

import pytest

from agents.contract import Change, Proposal
from agents.ports import Exchange, Records
from agents.records import Instruction, ListItem
from tests.support.asking import changed
from tests.support.readings import BASE, NOW, event, heard_as, proposals_of, shopping, task

KNOWN = Records(
    events=[
        event("Optician", "2026-11-19T09:00:00+00:00", end="2026-11-19T10:00:00+00:00"),
        event("Haircut", "2026-11-20T15:00:00+00:00", end="2026-11-20T15:30:00+00:00"),
        event("Lunch with Bo and Ada", "2026-11-21T12:00:00+00:00"),
        event("Visit Mr Oduya", "2026-11-24T15:00:00+00:00"),
    ],
    todos=[
        task("Scan the receipt", deadline="2026-11-19"),
        task("Call Mr Oduya"),
        task("Read Hansen 2020"),
        task("Read Hansen 2021"),
    ],
    notes=[shopping("Pantry", ["olives", "rice"]), shopping("Picnic", ["bread"])],
    instructions=[Instruction.model_validate({"id": "rule", "text": "no meetings before nine", **BASE})],
)


def made_by(marked: str, **more: Any) -> list[Proposal]:
    """Return what a marked message changes."""
    return proposals_of(heard_as(marked, KNOWN, **more))


def only(marked: str) -> tuple[str | None, dict[str, object]]:
    """Return the record and the fields of the one change of a marked message."""
    (made,) = made_by(marked)
    return made.record_id, made.fields


def lines(item: Proposal) -> list[str]:
    """Return the lines of a list after a change."""
    return [line["text"] if isinstance(line, dict) else line for line in item.fields["items"]]


def test_two_appointments_change_places() -> None:
    starts = [item.fields["start"] for item in made_by("{edit swap the [g optician] and the [g haircut]}")]
    assert starts == ["2026-11-20T15:00:00+00:00", "2026-11-19T09:00:00+00:00"]


def test_tag_guest_and_rule() -> None:
    assert only("{edit file the [g receipt] under [l taxes]}") == ("Scan the receipt", {"tags": ["taxes"]})
    assert only("{drop [g Bo] can't come}") == ("Lunch with Bo and Ada", {"title": "Lunch with Ada"})
    reworded = only("{edit change the rule about [g meetings] to [n nothing before ten]}")
    assert reworded == ("rule", {"text": "nothing before ten"})


def test_wish_takes_another_number_and_is_never_a_number_alone() -> None:
    early = Instruction.model_validate({"id": "early", "text": "never book anything before 8", **BASE})
    vague = Instruction.model_validate({"id": "vague", "text": "no calls while I cook", **BASE})
    marked = "{edit change the [g rule about booking] to [n 10]}"
    (made,) = proposals_of(heard_as(marked, Records(instructions=[early])))
    assert made.fields == {"text": "never book anything before 10"}
    assert proposals_of(heard_as(marked.replace("booking", "calls"), Records(instructions=[vague]))) == []


def test_name_with_another_number_means_another_record() -> None:
    crates = Records(todos=[task("Order crate 1"), task("Order crate 7")])
    (made,) = proposals_of(heard_as("{done [g crate 7] is ordered}", crates))
    assert made.record_id == "Order crate 7"
    assert not [one for one in proposals_of(heard_as("{done [g crate 2] is ordered}", crates)) if one.op == "complete"]


def test_line_moves_to_another_list_or_begins_one() -> None:
    left, there = made_by("{edit move the [i olives] from [l pantry] to [l picnic]}")
    assert (lines(left), lines(there)) == (["rice"], ["bread", "olives"])
    assert made_by("{edit move the [i olives] from [l pantry] to [l party]}")[1].op == "create"


def test_what_is_due_can_wait_and_what_is_hidden_sleeps() -> None:
    assert only("{snooze the [g receipt] can wait [w till monday]}")[1] == {"deadline": "2026-11-23"}
    assert only("{snooze snooze the [g receipt] [w till monday]}")[1] == {"snooze_until": "2026-11-23"}


def test_retracted_time_tells_which_record_and_is_no_new_time() -> None:
    record, fields = only("{edit [g mr oduya] wants [w four] instead of [x three]}")
    assert (record, fields["start"]) == ("Visit Mr Oduya", "2026-11-24T16:00:00+00:00")
    (booked,) = made_by("{event [t the barber] [x next wednesday at ten fifteen] no [w ten forty five]}")
    assert booked.fields["start"] == "2026-11-25T10:45:00+00:00"
    assert only("{edit the [g haircut] isn't on the [x 20th] but [w on the 24th at 3pm]}")[1]["start"] == (
        "2026-11-24T15:00:00+00:00"
    )


def test_time_or_number_in_a_name_tells_records_apart() -> None:
    assert only("{drop cancel the [g friday appointment]}")[0] == "Haircut"
    assert only("{done i read [g hansen 2020]}")[0] == "Read Hansen 2020"
    assert [item for item in made_by("{done i read [g hansen 2019]}") if item.op == "complete"] == []


def test_more_goes_to_what_was_put_back_before() -> None:
    gone = Change(
        id="gone", cursor=1, turn_id="t", agent="", seq=0, op="delete", kind="note", record_id="Party", title="Party",
        fields={}, before=shopping("Party", ["ice"]).model_dump(mode="json"), after=None, status="applied",
        created_at=NOW,
    )  # fmt: skip
    told = [Exchange(said="drop the party list", replied="Deleted “Party”.")]
    back, more = made_by("did | {undo bring it back} and {list add [i foil] to it}", recent_changes=[gone], recent=told)
    assert (back.op, lines(more)) == ("undo", ["ice", "foil"])


def test_lines_that_nothing_parts_are_asked_about() -> None:
    decision = heard_as("{list put [i dish] [i soap] [i salt] on the [l pantry] list}", KNOWN, sure=0.9)
    assert proposals_of(decision) == []
    assert len(decision.questions) == 1


MILKS = shopping("Shopping", ["milk", "oat milk", "bread"])


def after_change_to(items: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a conversation in which the lines of the shopping list were changed to these."""
    now = MILKS.model_copy(update={"items": [ListItem.model_validate(line) for line in items]})
    before, after = MILKS.model_dump(mode="json"), now.model_dump(mode="json")
    last = changed("Shopping", kind="note", record_id="Shopping", op="update")
    last = last.model_copy(update={"before": before, "after": after})
    return {"records": Records(notes=[now]), "recent_changes": [last]}


def test_a_line_that_is_called_so_is_taken_off_and_no_other_with_the_word() -> None:
    (made,) = proposals_of(heard_as("{listout take [i milk] off the [l shopping] list}", Records(notes=[MILKS])))
    assert lines(made) == ["oat milk", "bread"]


def test_what_was_done_to_a_line_is_done_to_the_one_that_was_meant() -> None:
    off = after_change_to([{"text": "oat milk"}, {"text": "bread"}])
    (made,) = proposals_of(heard_as("did | {fix i meant the [i bread]}", **off))
    assert lines(made) == ["milk", "oat milk"]
    ticked = after_change_to([{"text": "milk"}, {"text": "oat milk"}, {"text": "bread", "done": True}])
    (made,) = proposals_of(heard_as("did | {fix i meant the [i oat milk]}", **ticked))
    assert [line["text"] for line in made.fields["items"] if line["done"]] == ["oat milk"]


def test_a_line_that_was_meant_and_is_not_there_is_asked_about() -> None:
    decision = heard_as(
        "did | {fix i meant the [i cream]}", **after_change_to([{"text": "oat milk"}, {"text": "bread"}])
    )
    assert proposals_of(decision) == []
    assert [one.text for one in decision.questions] == ["“Shopping” has no “cream”. Shall I put it back as it was?"]


def test_another_day_behind_and_is_one_more_appointment() -> None:
    made = made_by("{event [t swimming] [w on monday at 6pm] at [p the pool]} and {event [w saturday at 10]}")
    assert [item.fields["start"] for item in made] == ["2026-11-23T18:00:00+00:00", "2026-11-21T10:00:00+00:00"]
    assert [item.fields["location"] for item in made] == ["the pool", "the pool"]


@pytest.mark.parametrize(
    ("to", "start"),
    [
        ("before sunday", "2026-11-22T15:00:00+00:00"),
        ("the sunday before", "2026-11-15T15:00:00+00:00"),
        ("after friday", "2026-11-21T15:00:00+00:00"),
        ("after the weekend", "2026-11-23T15:00:00+00:00"),
        ("the morning", "2026-11-20T09:00:00+00:00"),
        ("saturday at 10", "2026-11-21T10:00:00+00:00"),
        ("saturday at 6", "2026-11-21T18:00:00+00:00"),
    ],
)
def test_a_move_counts_from_what_it_says(to: str, start: str) -> None:
    decision = heard_as(f"{{edit move the [g haircut] to [w {to}]}}", KNOWN)
    drafts = [item for one in decision.questions if one.pending for item in one.pending.proposals]
    assert [item.fields["start"] for item in proposals_of(decision) or drafts] == [start]


def test_one_round_of_a_series_changes_places_with_an_appointment() -> None:
    weekly = {"end": "2026-11-19T19:00:00+00:00", "recurrence": "FREQ=WEEKLY;BYDAY=TH"}
    known = Records(events=[*KNOWN.events, event("Yoga", "2026-11-19T18:00:00+00:00", **weekly)])
    apart, own, haircut = proposals_of(heard_as("{edit swap [g yoga] and the [g haircut]}", known))
    assert (apart.record_id, apart.fields) == ("Yoga", {"exdates": ["2026-11-19"]})
    assert (own.op, own.fields["start"]) == ("create", "2026-11-20T15:00:00+00:00")
    assert (haircut.record_id, haircut.fields["start"]) == ("Haircut", "2026-11-19T18:00:00+00:00")


def test_hours_before_what_has_no_hour_are_asked_about() -> None:
    decision = heard_as("{remind remind me about the [t receipt] [w two hours before it]}", KNOWN)
    assert proposals_of(decision) == []
    assert [one.pending.missing for one in decision.questions if one.pending] == ["when"]


def test_the_question_whether_a_line_is_to_be_ticked_says_so() -> None:
    (asked,) = heard_as("{listdone put [i olives] down as done}", KNOWN, sure=0.4).questions
    assert asked.text == "Change “Pantry” so that olives is ticked?"

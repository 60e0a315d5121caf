"""What is meant by a name with its kind, by "it" after an answer, by an offer left, and by parts that are named."""

from __future__ import annotations

from agents.contract import Opening, Proposal, RouterDecision
from agents.ports import Exchange, Records
from agents.records import Note
from tests.support.asking import changed
from tests.support.readings import BASE, event, heard_as, proposals_of, shopping, task
from tests.unit.agents.understanding.test_talking import waits

RINGS = "2026-11-18T14:{}:00+00:00"
TIMERS = Records(
    todos=[
        task("the rice", kind="reminder", tags=["timer"], remind_at=RINGS.format(40)),
        task("the beans", kind="reminder", tags=["timer"], remind_at=RINGS.format(50)),
        task("buy beans"),
    ]
)


def answers_of(decision: RouterDecision) -> list[str]:
    return [said for target in decision.targets if target.proposed for said in target.proposed.answers]


def test_a_timer_is_named_by_what_it_is_for() -> None:
    assert answers_of(heard_as("{ask/timers how long does the [g beans timer] still take}", TIMERS)) == [
        "the beans: 30 minutes left, rings at 14:50."
    ]
    (gone,) = proposals_of(heard_as("{drop stop the [g rice timer]}", TIMERS))
    assert (gone.op, gone.record_id) == ("delete", "the rice")
    (longer,) = proposals_of(heard_as("{edit set the [g beans timer] to [d 45 minutes]}", TIMERS))
    assert longer.fields == {"remind_at": "2026-11-18T15:05:00+00:00"}


def test_it_is_what_the_last_answer_was_about_and_not_what_was_changed_before() -> None:
    before = [changed("the beans", record_id="the beans", op="create")]
    told = [Exchange(said="what of the rice", replied="the rice: 20 minutes left, rings at 14:40.")]
    decision = heard_as("did | {fix set [g it] to [d half an hour]}", TIMERS, recent_changes=before, recent=told)
    (made,) = proposals_of(decision)
    assert (made.record_id, made.fields) == ("the rice", {"remind_at": "2026-11-18T14:50:00+00:00"})


def test_an_idea_that_is_done_is_no_task_with_a_word_of_it() -> None:
    idea = Note.model_validate({"id": "idea", "category": "idea", "content": "a bench for the porch", **BASE})
    records = Records(todos=[task("oil the bench")], notes=[idea])
    (made,) = proposals_of(heard_as("{done finish the [g bench idea]}", records))
    assert (made.op, made.record_id) == ("complete", "idea")
    (made,) = proposals_of(heard_as("{done finish the [g bench]}", records))
    assert made.record_id == "oil the bench"


def test_who_declines_free_times_keeps_the_appointment() -> None:
    records = Records(events=[event("physio", "2026-11-20T15:00:00+00:00", end="2026-11-20T15:30:00+00:00")])
    free = [Opening(start=f"2026-11-20T{hour}:00:00+00:00", end=f"2026-11-20T{hour}:30:00+00:00") for hour in (10, 11)]
    row = changed("physio", kind="event", record_id="physio").model_copy(update={"alternatives": free})
    decision = heard_as("did | {no none of these, leave it}", records, recent_changes=[row])
    assert proposals_of(decision) == []
    (made,) = proposals_of(heard_as("did | {pick [k number two]}", records, recent_changes=[row]))
    assert made.fields["start"] == "2026-11-20T11:00:00+00:00"


def test_what_is_moved_by_its_time_is_not_the_draft_that_is_asked_about() -> None:
    records = Records(todos=[task("ring the mason", deadline="2026-11-18T16:00:00+00:00")])
    draft = Proposal(op="create", kind="todo", fields={"task": "a perm"})
    pending = waits("proceed", [draft])
    decision = heard_as("yes | {edit shift [a all] of [v this afternoon] to [w friday]}", records, pending=pending)
    assert [item.record_id for item in proposals_of(decision)] == ["ring the mason"]
    assert not decision.answered


def test_a_task_is_broken_into_the_parts_that_are_named() -> None:
    records = Records(todos=[task("plan the regatta")])
    for marked in (
        "{edit split the [g regatta] into [n boats], [n crew] and [n lunch]}",
        "{edit divide the [g regatta] into [t boats], [t crew and lunch]}",
        "{todo split the [g regatta] into [t boats], [t crew] and [t lunch]}",
    ):
        (made,) = proposals_of(heard_as(marked, records))
        assert (made.record_id, made.fields) == ("plan the regatta", {"solutions": ["boats", "crew", "lunch"]})
    decision = heard_as("{edit split the [g regatta] into [n boats] and [n crew], [w one a month]}", records)
    assert decision.unclear == ["one a month"]


def test_one_part_alone_renames_nothing() -> None:
    decision = heard_as("{edit divide the [g regatta] into [n boats]}", Records(todos=[task("plan the regatta")]))
    assert proposals_of(decision) == []
    assert decision.questions[0].pending.proposals[0].fields == {"solutions": ["boats"]}


def test_a_step_is_counted_in_words() -> None:
    records = Records(todos=[task("plan the regatta", solutions=["boats", "crew", "lunch"])])
    (made,) = proposals_of(heard_as("{done tick [k step three] of the [g regatta]}", records))
    assert made.fields == {"done_steps": ["lunch"]}


def test_a_change_is_taken_back_by_what_it_was() -> None:
    row = changed("buy beans", record_id="buy beans", op="update")
    for marked in ("did | {undo undo [k the] rename}", "did | {undo undo the [k postponing]}"):
        (made,) = proposals_of(heard_as(marked, TIMERS, recent_changes=[row]))
        assert (made.op, made.undo_of) == ("undo", row.id)


def test_what_is_for_several_shopping_lists_is_asked_about() -> None:
    records = Records(notes=[shopping("groceries", ["eggs"]), shopping("shopping", ["soap"])])
    (asked,) = heard_as("{list [i figs]}", records).questions
    assert [option.label for option in asked.pending.options] == ["groceries", "shopping"]


def test_a_step_is_added_and_none_is_told() -> None:
    records = Records(todos=[task("plan the regatta", solutions=["boats"])])
    (made,) = proposals_of(heard_as("{todo add a step to the [g regatta]: [t hire a tent]}", records))
    assert made.fields == {"solutions": ["boats", "hire a tent"]}


def test_a_question_with_the_name_of_a_list_is_about_it() -> None:
    records = Records(todos=[task("call Bo")], notes=[shopping("Drills list", ["scales", "thirds"])])
    assert "scales" in str(answers_of(heard_as("{ask/todos what drills do i need to do}", records)))
    assert "call Bo" in str(answers_of(heard_as("{ask/todos what do i need to do}", records)))


def test_that_there_is_none_of_a_kind_then_is_told() -> None:
    records = Records(events=[event("physio", "2026-11-20T15:00:00+00:00")])
    decision = heard_as("{drop cancel my [g meetings] [v on monday]}", records)
    assert answers_of(decision) == ["You have no meetings on monday."]

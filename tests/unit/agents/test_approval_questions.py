"""A question shows everything that a yes writes: two hundred of them, made and checked by machine."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from langgraph.store.memory import InMemoryStore

from agents.context import LOCAL_USER
from agents.contract import Change, Proposal
from agents.dates_in_words import say_duration
from agents.ledger.approvals import approval_questions
from agents.ports import Batch
from agents.records import Kind
from agents.recurrence.describe import describe_rule
from agents.rendering.field_words import say_event_span, say_moment
from graph.store_ledger import StoreLedger
from tests.support.ledgers import LISBON, NOW

RULES = [
    "FREQ=DAILY",
    "FREQ=WEEKLY;BYDAY=MO,WE",
    "FREQ=MONTHLY;BYMONTHDAY=13",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
    "FREQ=WEEKLY;BYDAY=SA;BYMONTH=6,7",
    "FREQ=MONTHLY;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
    "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU",
]
DAYS = [(NOW + timedelta(days=number)).date().isoformat() for number in range(2, 60, 5)]
INSTANTS = [(NOW + timedelta(days=number, hours=3)).isoformat() for number in range(2, 60, 5)]
PLACES = ["Luigi's", "room 4", "the town hall"]
WORDS = ["bring the passport", "ask for Ana", "the code is 4471"]


def wanted_todo(chance: random.Random) -> dict[str, Any]:
    when = {"deadline": chance.choice(DAYS + INSTANTS)} if chance.random() < 0.6 else {}
    return {
        "task": f"task {chance.randrange(1000)}",
        **when,
        **some(
            chance,
            priority=["low", "medium", "high"],
            time_to_complete=[15, 45, 90],
            list=["Errands", "Garden"],
            tags=[["home"], ["work", "tax"]],
            notes=WORDS,
            difficulty=["easy", "hard"],
            recurrence=RULES if when else [],
        ),
    }


def wanted_event(chance: random.Random) -> dict[str, Any]:
    start = NOW + timedelta(days=chance.randrange(2, 60), minutes=chance.randrange(0, 600, 15))
    times = {"start": start.isoformat(), "end": (start + timedelta(minutes=chance.choice([30, 60, 150]))).isoformat()}
    return {
        "title": f"event {chance.randrange(1000)}",
        **times,
        **some(chance, location=PLACES, recurrence=RULES, notes=WORDS),
    }


def wanted_note(chance: random.Random) -> dict[str, Any]:
    if chance.random() < 0.5:
        lines = [{"text": text} for text in chance.sample(["milk", "eggs", "bread", "ink", "a rope"], 3)]
        return {"category": "list", "summary": f"list {chance.randrange(1000)}", "items": lines}
    return {"category": "idea", "summary": f"idea {chance.randrange(1000)}", "content": chance.choice(WORDS)}


def some(chance: random.Random, **fields: list[Any]) -> dict[str, Any]:
    return {name: chance.choice(values) for name, values in fields.items() if values and chance.random() < 0.5}


SPOKEN = ("location", "notes", "list", "priority", "content", "difficulty")
TIMES = ("task", "title", "start", "end")
MAKERS = {"todo": wanted_todo, "event": wanted_event, "note": wanted_note}


def expected_words(fields: dict[str, Any]) -> list[str]:
    """Return what has to stand in a question about these fields."""
    words = [str(fields.get(name)) for name in ("task", "title", "summary") if fields.get(name)]
    if fields.get("start"):
        words.append(say_event_span(fields, NOW))
    if fields.get("deadline"):
        words.append(say_moment(fields["deadline"], NOW))
    if fields.get("recurrence"):
        words.append(describe_rule(fields["recurrence"]))
    if fields.get("time_to_complete"):
        words.append(say_duration(fields["time_to_complete"]))
    words += [
        str(fields[name])
        for name in ("location", "notes", "list", "priority", "content", "difficulty")
        if fields.get(name)
    ]
    return words + list(fields.get("tags", [])) + [line["text"] for line in fields.get("items", [])]


async def held(ledger: StoreLedger, *proposals: Proposal, hold: str = "you want to be asked first") -> list[Change]:
    wanted = [proposal.model_copy(update={"hold": hold}) for proposal in proposals]
    batch = Batch(user_id=LOCAL_USER, origin=str(uuid4()), agent="x", proposals=wanted, at=NOW, timezone=LISBON)
    return await ledger.apply(batch)


@pytest.fixture
def ledger() -> StoreLedger:
    store = InMemoryStore()
    return StoreLedger(lambda: store)


async def test_a_question_names_every_field_that_a_yes_writes(ledger: StoreLedger) -> None:
    chance, missing = random.Random(18), []
    for _ in range(200):
        kind: Kind = chance.choice(["todo", "event", "note"])
        fields = MAKERS[kind](chance)
        changes = await held(ledger, Proposal(op="create", kind=kind, fields=fields))
        [question] = approval_questions(changes, NOW)
        missing += [(word, question.text) for word in expected_words(fields) if word not in question.text]
        missing += [(code, question.text) for code in ("FREQ", "BYDAY", "repeating") if code in question.text]
    assert missing == []


async def test_a_question_tells_the_end_that_an_appointment_gets_by_itself(ledger: StoreLedger) -> None:
    fields = {"title": "choir", "start": "2026-11-20T19:00:00+00:00"}
    [question] = approval_questions(await held(ledger, Proposal(op="create", kind="event", fields=fields)), NOW)
    assert "Friday 20 November, 19:00-20:00" in question.text
    whole = {"title": "fair", "start": "2026-11-20"}
    [question] = approval_questions(await held(ledger, Proposal(op="create", kind="event", fields=whole)), NOW)
    assert "“fair” for Friday 20 November?" in question.text


async def test_a_question_about_a_change_names_each_new_value(ledger: StoreLedger) -> None:
    chance, missing = random.Random(19), []
    for number in range(60):
        kind: Kind = chance.choice(["todo", "event"])
        name = f"thing {number}"
        first = {"task": name} if kind == "todo" else {"title": name, "start": INSTANTS[0]}
        [made] = await held(ledger, Proposal(op="create", kind=kind, fields=first), hold="")
        fields = {
            key: value for key, value in MAKERS[kind](chance).items() if key not in ("task", "title", "start", "end")
        }
        if not fields:
            continue
        [question] = approval_questions(
            await held(ledger, Proposal(op="update", kind=kind, record_id=made.record_id, fields=fields)), NOW
        )
        missing += [(word, question.text) for word in [name, *expected_words(fields)] if word not in question.text]
    assert missing == []


async def test_a_question_about_a_deletion_tells_which_one_goes(ledger: StoreLedger) -> None:
    fields = {"title": "choir", "start": INSTANTS[0], "recurrence": "FREQ=WEEKLY;BYDAY=TU"}
    [made] = await held(ledger, Proposal(op="create", kind="event", fields=fields), hold="")
    rows = await held(ledger, Proposal(op="delete", kind="event", record_id=made.record_id))
    [question] = approval_questions(rows, NOW)
    when = say_event_span(made.after or {}, NOW)
    assert all(word in question.text for word in ("choir", when, describe_rule("FREQ=WEEKLY;BYDAY=TU")))


async def test_a_question_names_the_days_that_a_series_leaves_out_and_takes_back(ledger: StoreLedger) -> None:
    kept, new, back = DAYS[0], DAYS[1], DAYS[2]
    fields = {"title": "choir", "start": INSTANTS[0], "recurrence": "FREQ=DAILY", "exdates": [kept, back]}
    [made] = await held(ledger, Proposal(op="create", kind="event", fields=fields), hold="")
    wanted = Proposal(op="update", kind="event", record_id=made.record_id, fields={"exdates": [kept, new]})
    [question] = approval_questions(await held(ledger, wanted), NOW)
    assert f": not {say_moment(new, NOW)}, again {say_moment(back, NOW)}?" in question.text
    assert say_moment(kept, NOW) not in question.text


async def test_a_question_about_a_list_names_the_lines_that_go_and_those_that_come(ledger: StoreLedger) -> None:
    fields = {"category": "list", "summary": "cellar", "items": ["rope", "tar", "nails"]}
    [made] = await held(ledger, Proposal(op="create", kind="note", fields=fields), hold="")
    for lines, told in (
        (["rope", "wax", "nails"], "tar is off it and wax is on it"),
        (["rope", "nails", "wax", "glue"], "tar is off it and wax and glue are on it"),
        (["rope"], "tar and nails are off it"),
    ):
        wanted = Proposal(op="update", kind="note", record_id=made.record_id, fields={"items": lines})
        [question] = approval_questions(await held(ledger, wanted), NOW)
        assert told in question.text

"""Every kind of request through the model path over HTTP: one conversation of each kind, told by what it changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from agents.contract import Change
from app.database.database import Database
from app.turns.model.turns import Turn
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, model
from tests.support.servers.turn_server import reply_of, turn_server


def task(title: str, **values: Any) -> Call:
    return Call("create_task", {"title": title, **values})


def change(title: str, **values: Any) -> Call:
    return Call("update_task", {"id": title, **values})


def event(title: str, start: str, **values: Any) -> Call:
    return Call("create_event", {"title": title, "start": start, **values})


def move(title: str, **values: Any) -> Call:
    return Call("update_event", {"id": title, **values})


def gone(*titles: str, **values: Any) -> Call:
    return Call("delete", {"ids": [*titles], **values})


@dataclass
class Said:
    """A message, what the model calls, and what must come of it: changes as "op kind title", and words of the reply.

    Without calls the model is not asked: it is a closed form.
    """

    text: str
    calls: list[Call]
    changes: list[str]
    told: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)


STANDUP = Said(
    "standup every weekday at 9:15am",
    [event("standup", "2026-11-19T09:15", repeat="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")],
    ["create event standup"],
)
CONVERSATIONS: dict[str, list[Said]] = {
    "recurrence": [
        Said(
            "I go to the gym every tuesday and thursday at 7am",
            [event("gym", "2026-11-19T07:00", repeat="FREQ=WEEKLY;BYDAY=TU,TH")],
            ["create event gym"],
            fields={"recurrence": "FREQ=WEEKLY;BYDAY=TU,TH"},
        ),
        Said(
            "water the plants every monday",
            [task("water the plants", due="2026-11-23", repeat="FREQ=WEEKLY;BYDAY=MO")],
            ["create todo water the plants"],
            fields={"recurrence": "FREQ=WEEKLY;BYDAY=MO"},
        ),
        Said("watered the plants", [change("water the plants", status="done")], ["complete todo water the plants"]),
    ],
    "bulk": [
        Said(
            "add milk, bread and eggs",
            [task("milk"), task("bread"), task("eggs")],
            ["create todo milk", "create todo bread", "create todo eggs"],
        ),
        Said(
            "all of them are for friday",
            [change(name, due="2026-11-20", when_words="friday") for name in ("milk", "bread", "eggs")],
            ["update todo milk", "update todo bread", "update todo eggs"],
            fields={"deadline": "2026-11-20"},
        ),
        Said(
            "I have bread and eggs now",
            [change(name, status="done") for name in ("bread", "eggs")],
            ["complete todo bread", "complete todo eggs"],
        ),
        Said("and the milk can go", [gone("milk")], ["delete todo milk"]),
    ],
    "conflict and move": [
        Said("dentist on friday at 3pm", [event("dentist", "2026-11-20T15:00")], ["create event dentist"]),
        Said(
            "call with Ana on friday at 3:30pm for an hour",
            [event("call with Ana", "2026-11-20T15:30", end="2026-11-20T16:30")],
            ["create event call with Ana"],
            ("That overlaps “dentist”", "would be free"),
        ),
        Said(
            "the call with Ana is at 5pm instead",
            [move("call with Ana", start="2026-11-20T17:00", when_words="5pm")],
            ["update event call with Ana"],
            fields={"start": "2026-11-20T17:00:00Z"},
        ),
        Said("the dentist is off", [gone("dentist")], ["delete event dentist"]),
    ],
    "one of a series": [
        STANDUP,
        Said(
            "no standup this friday, drop it",
            [gone("standup", occurrence="2026-11-20")],
            ["update event standup"],
            ("20 November; the series goes on.",),
        ),
        Said(
            "thursday's standup moves to 11am",
            [move("standup", scope="one", occurrence="2026-11-19", start="2026-11-19T11:00")],
            ["update event standup", "create event standup"],
            ("Took “standup” tomorrow out of its series.", "11:00-12:00"),
        ),
    ],
    "details of a series": [
        STANDUP,
        Said(
            "this friday's standup is in room 5",
            [move("standup", occurrence="2026-11-20", location="room 5")],
            ["update event standup", "create event standup"],
            ("Took “standup” on Friday 20 November out of its series.", "room 5"),
        ),
        Said(
            "the standups are in room 9 from now on",
            [move("standup", scope="all", location="room 9")],
            ["update event standup"],
            fields={"location": "room 9"},
        ),
    ],
    "a series from a day on": [
        STANDUP,
        Said(
            "from monday on standup is at 10",
            [move("standup", scope="following", occurrence="2026-11-23", start="2026-11-23T10:00")],
            ["update event standup", "create event standup"],
            ("“standup” takes place until Sunday 22 November", "10:00"),
        ),
    ],
    "all of a series": [
        STANDUP,
        Said(
            "standup is always at half past nine now",
            [move("standup", scope="all", start="2026-11-23T09:30", end="2026-11-23T09:45")],
            ["update event standup"],
            fields={"start": "2026-11-19T09:30:00Z"},
        ),
    ],
    "lists": [
        Said(
            "start a packing list with socks and a torch",
            [Call("create_note", {"title": "packing", "items": ["socks", "torch"]})],
            ["create note packing"],
        ),
        Said(
            "the packing list needs a tent, too",
            [Call("edit_list", {"id": "packing", "add": ["tent"]})],
            ["update note packing"],
        ),
        Said(
            "note that the gate code is 7",
            [Call("create_note", {"title": "the gate code is 7"})],
            ["create note the gate code is 7"],
        ),
        Said(
            "the gate note: it is for the back gate",
            [Call("update_note", {"id": "the gate code", "add_text": "It is for the back gate."})],
            ["update note the gate code is 7"],
            fields={"content": "the gate code is 7\nIt is for the back gate."},
        ),
    ],
    "profile and wishes": [
        Said(
            "I'm a baker and I live in Porto",
            [Call("save_profile", {"job": "baker", "location": "Porto"})],
            ["create profile your profile"],
            ("baker", "Porto"),
        ),
        Said(
            "from now on ask me before you add tasks",
            [Call("save_wish", {"text": "ask me before you add tasks"})],
            ["create instruction ask me before you add tasks"],
            ("From now on",),
        ),
        Said(
            "we are out of stamps, buy some stamps",
            [task("buy stamps")],
            ["create todo buy stamps needs_confirmation"],
            ("Add “buy stamps”?",),
        ),
        Said("yes", [], ["create todo buy stamps"]),
        Said(
            "stop asking me before you add tasks",
            [Call("drop_wish", {"id": "ask me before"})],
            ["delete instruction ask me before you add tasks"],
        ),
    ],
    "correction and undo": [
        Said("call the bank tomorrow", [task("call the bank", due="2026-11-19")], ["create todo call the bank"]),
        Said(
            "sorry, I meant monday",
            [change("call the bank", due="2026-11-23", when_words="monday")],
            ["update todo call the bank"],
            fields={"deadline": "2026-11-23"},
        ),
        Said("undo", [], ["undo todo call the bank"]),
    ],
    "steps": [
        Said(
            "plan the move: boxes first, then the van",
            [task("plan the move", steps=["get boxes", "book the van"])],
            ["create todo plan the move"],
        ),
        Said(
            "the boxes are here",
            [change("plan the move", done_steps=[1])],
            ["update todo plan the move"],
            fields={"done_steps": ["get boxes"]},
        ),
        Said(
            "not before monday, the move",
            [change("plan the move", snooze_until="2026-11-23")],
            ["update todo plan the move"],
            fields={"snooze_until": "2026-11-23"},
        ),
    ],
    "focus": [
        Said(
            "write the report, it takes two hours, and water the plants, five minutes",
            [task("write the report", minutes=120), task("water the plants", minutes=5)],
            ["create todo write the report", "create todo water the plants"],
        ),
        Said(
            "my head is mush, anything I could do?",
            [Call("suggest_task", {"id": "water the plants", "why": "It takes five minutes."})],
            [],
            ("“water the plants” (about 5 minutes): It takes five minutes.",),
        ),
    ],
    "deleting": [
        Said("add milk and bread", [task("milk"), task("bread")], ["create todo milk", "create todo bread"]),
        Said(
            "I changed my mind about the shopping",
            [gone("milk", "bread")],
            ["delete todo milk needs_confirmation", "delete todo bread needs_confirmation"],
        ),
        Said("no", [], []),
        Said("delete both of them, milk and bread", [gone("milk", "bread")], ["delete todo milk", "delete todo bread"]),
    ],
}


def as_told(change: Change) -> str:
    """A change in one line; its status only where it was not applied."""
    status = "" if change.status == "applied" else f" {change.status}"
    return f"{change.op} {change.kind} {change.title}{status}"


def differences(said: Said, turn: Turn, rows: list[Change]) -> list[str]:
    """What came out otherwise than it should."""
    found = [as_told(row) for row in rows]
    wrong = [] if sorted(found) == sorted(said.changes) else [f"{found} instead of {said.changes}"]
    used = turn.result.understanding if turn.result else ""
    wrong += [f"understood by {used}"] if used != ("model" if said.calls else "built-in") else []
    wrong += [f"{words!r} is not told" for words in said.told if words not in reply_of(turn)]
    for name, value in said.fields.items():
        wrong += [f"{name} of {row.title} is {row.fields.get(name)}" for row in rows if row.fields.get(name) != value]
    return [f"{said.text!r}: {one} -- {reply_of(turn)}" for one in wrong]


@pytest.mark.parametrize("kind", CONVERSATIONS)
async def test_every_kind_of_request_goes_through_the_model(database: Database, kind: str) -> None:
    conversation = CONVERSATIONS[kind]
    wrong: list[str] = []
    with ScriptedModelServer() as models:
        models.script("/chat/completions", model({said.text: said.calls for said in conversation if said.calls}))
        async with turn_server(database, mind_at(models)) as server:
            for said in conversation:
                turn = await server.say(said.text)
                wrong += differences(said, turn, await server.changes(turn))
    assert wrong == []
    assert models.requests

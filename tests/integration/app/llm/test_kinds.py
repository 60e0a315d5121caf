"""Every kind of request through the model path over HTTP: one conversation of each kind, told by what it changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from agents.contract import Change
from app.ports import Turn
from app.storage.database import Database
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, model, patch, route
from tests.support.servers.turn_server import reply_of, turn_server


def task(name: str, **values: Any) -> Call:
    return Call("Task", {"task": name, **values})


def event(title: str, when: str, **values: Any) -> Call:
    return Call("Appointment", {"title": title, "when": when, **values})


def gone(title: str) -> Call:
    return Call("RemoveDoc", {"json_doc_id": title})


@dataclass
class Said:
    """A message, what the model calls, and what must come of it: changes as "op kind title", and words of the reply.

    Without calls the model is not asked: answers to a question, undos and conversions are for code alone.
    """

    text: str
    calls: dict[str, list[Call]]
    changes: list[str]
    told: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)


CONVERSATIONS: dict[str, list[Said]] = {
    "recurrence": [
        Said(
            "I go to the gym every tuesday and thursday at 7am",
            {"update_events": [event("gym", "every tuesday and thursday at 7am")]},
            ["create event gym"],
            fields={"recurrence": "FREQ=WEEKLY;BYDAY=TU,TH"},
        ),
        Said(
            "water the plants every monday",
            {"update_todos": [task("water the plants", recurrence="every monday")]},
            ["create todo water the plants"],
            fields={"recurrence": "FREQ=WEEKLY;BYDAY=MO"},
        ),
        Said(
            "watered the plants",
            {"update_todos": [patch("water the plants", status="done")]},
            ["complete todo water the plants"],
        ),
    ],
    "bulk": [
        Said(
            "add milk, bread and eggs",
            {"update_todos": [task("milk"), task("bread"), task("eggs")]},
            ["create todo milk", "create todo bread", "create todo eggs"],
        ),
        Said(
            "all of them are for friday",
            {"update_todos": [patch(name, deadline="friday") for name in ("milk", "bread", "eggs")]},
            ["update todo milk", "update todo bread", "update todo eggs"],
            fields={"deadline": "2026-11-20"},
        ),
    ],
    "conflict and move": [
        Said(
            "dentist on friday at 3pm",
            {"update_events": [event("dentist", "friday at 3pm")]},
            ["create event dentist"],
        ),
        Said(
            "call with Ana on friday at 3:30pm for an hour",
            {"update_events": [event("call with Ana", "friday at 3:30pm for an hour")]},
            ["create event call with Ana"],
            ("It overlaps with “dentist”", "Free instead:"),
        ),
        Said(
            "the call with Ana is at 5pm instead",
            {"update_events": [patch("call with Ana", when="5pm")]},
            ["update event call with Ana"],
            fields={"start": "2026-11-20T17:00:00Z"},
        ),
        Said(
            "the dentist is off",
            {"update_events": [gone("dentist")]},
            ["delete event dentist"],
        ),
    ],
    "one of a series": [
        Said(
            "standup every weekday at 9:15am",
            {"update_events": [event("standup", "every weekday at 9:15am")]},
            ["create event standup"],
        ),
        Said(
            "no standup this friday, drop it",
            {"update_events": [gone("standup")]},
            ["update event standup"],
            ("20 November; the series goes on.",),
        ),
        Said(
            "thursday's standup moves to 11am",
            {"update_events": [patch("standup", when="11am")]},
            ["update event standup", "create event standup"],
            ("Took “standup” tomorrow out of its series.", "at 11:00"),
        ),
    ],
    "details of one of a series": [
        Said(
            "standup every weekday at 9:15am",
            {"update_events": [event("standup", "every weekday at 9:15am")]},
            ["create event standup"],
        ),
        Said(
            "this friday's standup is in room 5",
            {"update_events": [patch("standup", location="room 5")]},
            ["update event standup", "create event standup"],
            ("Took “standup” on Friday 20 November out of its series.", "room 5"),
        ),
    ],
    "time and place of one of a series": [
        Said(
            "standup every weekday at 9:15am",
            {"update_events": [event("standup", "every weekday at 9:15am")]},
            ["create event standup"],
        ),
        Said(
            "the standups are in room 9 from now on",
            {"update_events": [patch("standup", location="room 9")]},
            ["update event standup"],
            fields={"location": "room 9"},
        ),
        Said(
            "monday's standup moves to 11am, in room 7",
            {"update_events": [patch("standup", when="11am", location="room 7")]},
            ["update event standup", "create event standup"],
            ("at 11:00", "room 7"),
        ),
    ],
    "how much of a series": [
        Said(
            "I have yoga every monday at 6pm",
            {"update_events": [event("yoga", "every monday at 6pm")]},
            ["create event yoga"],
        ),
        Said("I'm dropping yoga", {"update_events": [gone("yoga")]}, [], ("?",)),
        Said("the whole series", {}, ["delete event yoga"]),
    ],
    "lists": [
        Said(
            "start a packing list with socks and a torch",
            {"update_notes": [Call("Note", {"category": "list", "summary": "packing", "items": ["socks", "torch"]})]},
            ["create note packing"],
        ),
        Said(
            "the packing list needs a tent, too",
            {"update_notes": [patch("packing", items=["socks", "torch", "tent"])]},
            ["update note packing"],
        ),
    ],
    "profile and instruction": [
        Said(
            "I'm a baker and I live in Porto",
            {"update_profile": [Call("Profile", {"job": "baker", "location": "Porto"})]},
            ["create profile your profile"],
            ("baker", "Porto"),
        ),
        Said(
            "from now on ask me before you add tasks",
            {"update_instructions": [Call("Instruction", {"text": "ask me before you add tasks"})]},
            ["create instruction ask me before you add tasks"],
            ("From now on",),
        ),
        Said(
            "we are out of stamps, buy some stamps",
            {"update_todos": [task("buy stamps")]},
            ["create todo buy stamps needs_confirmation"],
            ("You want to be asked first",),
        ),
        Said("yes", {}, ["create todo buy stamps"]),
    ],
    "correction and undo": [
        Said(
            "call the bank tomorrow",
            {"update_todos": [task("call the bank", deadline="tomorrow")]},
            ["create todo call the bank"],
        ),
        Said(
            "sorry, I meant monday",
            {},
            ["update todo call the bank"],
            fields={"deadline": "2026-11-23"},
        ),
        Said("undo that", {}, ["undo todo call the bank"]),
    ],
    "one kind into another": [
        Said(
            "idea: a shelf for the hallway",
            {"update_notes": [Call("Note", {"category": "idea", "content": "a shelf for the hallway"})]},
            ["create note a shelf for the hallway"],
        ),
        Said(
            "make that idea about the shelf a task",
            {},
            ["create todo a shelf for the hallway", "archive note a shelf for the hallway"],
        ),
    ],
    "focus": [
        Said(
            "write the report, it takes two hours, and water the plants, five minutes",
            {
                "update_todos": [
                    task("write the report", time_to_complete=120),
                    task("water the plants", time_to_complete=5),
                ]
            },
            ["create todo write the report", "create todo water the plants"],
        ),
        Said(
            "my head is mush, anything I could do?",
            {
                "route": [route("focus_coach", words="my head is mush, anything I could do?")],
                "focus_coach": [Call("Suggest", {"task": "water the plants", "why": "It takes five minutes."})],
            },
            [],
            ("Next: water the plants (about 5 minutes). “water the plants”: It takes five minutes.",),
        ),
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
        models.script("/chat/completions", model({said.text: said.calls for said in conversation}))
        async with turn_server(database, mind_at(models, sure=1.0)) as server:
            for said in conversation:
                turn = await server.say(said.text)
                wrong += differences(said, turn, await server.changes(turn))
    assert wrong == []
    assert models.requests

"""Standing instructions at work: said in words, enforced by code on every message, told as what they are."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.integration.app.turns.test_turns import say

Turn = dict[str, Any]


def told(client: httpx.Client, text: str) -> str:
    return str(say(client, text)["reply"])


def states(turn: Turn) -> list[tuple[str, str, str]]:
    return [(change["op"], change["title"], change["status"]) for change in turn["changes"]]


def test_the_reply_says_whether_an_instruction_is_enforced(alice: httpx.Client) -> None:
    assert told(alice, "always ask me before deleting anything") == (
        "Got it: “always ask me before deleting anything”. From now on I ask before I delete anything."
    )
    assert told(alice, "always use British spelling").endswith("I'll keep it in mind, though I can't enforce it.")
    listed = told(alice, "what are my rules?")
    assert listed.startswith("You have 2 standing instructions: ")
    assert "“always use British spelling” (advice)" in listed
    assert "“always ask me before deleting anything” (enforced)" in listed
    kept = alice.get("/v1/instructions").json()["items"]
    assert {item["text"]: bool(item["policy"]) for item in kept} == {
        "always use British spelling": False,
        "always ask me before deleting anything": True,
    }


def test_instructions_are_recognised_without_always(alice: httpx.Client) -> None:
    said = [
        "no meetings on fridays",
        "never book anything over my lunch break",
        "mark urgent tasks as high",
        "always add an estimate to new tasks",
        "meetings are 30 minutes by default",
        "check with me before you double book",
        "don't schedule anything before 9",
        "never delete anything without asking me",
    ]
    for text in said:
        turn = say(alice, text)
        assert [(c["op"], c["kind"], c["status"]) for c in turn["changes"]] == [("create", "instruction", "applied")], (
            text
        )
        assert "From now on" in turn["reply"]


def test_single_occasions_are_no_instructions(alice: httpx.Client) -> None:
    for text in ("block friday afternoon for the report", "what meetings do i have on fridays?", "keep tomorrow free"):
        kinds = {change["kind"] for change in say(alice, text)["changes"]}
        assert "instruction" not in kinds, text


def test_a_request_that_breaks_a_limit_is_held_with_the_reason(alice: httpx.Client) -> None:
    told(alice, "never schedule anything before 9")
    turn = say(alice, "dentist tomorrow at 8am")
    assert states(turn) == [("create", "dentist", "needs_confirmation")]
    assert turn["reply"] == ("You said “never schedule anything before 9”: book “dentist” for tomorrow, 08:00-09:00?")
    assert states(say(alice, "yes")) == [("create", "dentist", "applied")]
    assert states(say(alice, "barber tomorrow at 10am")) == [("create", "barber", "applied")]
    moved = say(alice, "move the barber to 8:30am")
    assert [change["status"] for change in moved["changes"]] == ["needs_confirmation"]


def test_an_instruction_counts_for_the_rest_of_its_message(alice: httpx.Client) -> None:
    turn = say(alice, "always ask me before adding tasks. add buy stamps")
    assert [status for _, _, status in states(turn)] == ["applied", "needs_confirmation"]


def test_defaults_are_filled_in(alice: httpx.Client) -> None:
    for wish in (
        "add an estimate automatically",
        "anything about the garden is high priority",
        "meetings are 30 minutes by default",
    ):
        assert alice.post("/v1/instructions", json={"text": wish}).json()["policy"]
    (task,) = say(alice, "add weed the garden")["changes"]
    assert (task["after"]["priority"], task["after"]["time_to_complete"]) == ("high", 40)
    (event,) = say(alice, "meeting with Bo tomorrow at 3pm")["changes"]
    assert event["after"]["end"][11:16] == "15:30"


def test_instructions_are_changed_and_dropped_in_words(alice: httpx.Client) -> None:
    told(alice, "never schedule anything before 9")
    assert told(alice, "change the rule about scheduling before 9 to 10") == (
        "Your instruction is now “never schedule anything before 10”. "
        "From now on I ask before I put events before 10:00."
    )
    assert states(say(alice, "barber tomorrow at 9:30am"))[0][2] == "needs_confirmation"
    assert states(say(alice, "forget the rule about scheduling"))[0][::2] == ("delete", "applied")
    assert states(say(alice, "massage tomorrow at 9:30am"))[0][2] == "applied"
    told(alice, "always ask me before adding tasks")
    assert states(say(alice, "you don't need to ask me before adding tasks any more"))[0][::2] == ("delete", "applied")
    assert states(say(alice, "add buy stamps"))[0][2] == "applied"


def test_all_instructions_are_dropped_after_a_yes(alice: httpx.Client) -> None:
    told(alice, "always ask me before adding tasks")
    told(alice, "no meetings on fridays")
    assert (
        told(alice, "forget all my rules") == "Drop “no meetings on fridays” and “always ask me before adding tasks”?"
    )
    assert {status for _, _, status in states(say(alice, "yes"))} == {"applied"}
    assert alice.get("/v1/instructions").json()["items"] == []


def test_an_undone_instruction_is_not_enforced(alice: httpx.Client) -> None:
    told(alice, "always ask me before adding tasks")
    told(alice, "undo that")
    assert states(say(alice, "add buy stamps"))[0][2] == "applied"


def test_edits_by_hand_are_not_held(alice: httpx.Client) -> None:
    told(alice, "always ask me before adding tasks")
    assert alice.post("/v1/todos", json={"task": "buy stamps"}).status_code == 201


def test_an_instruction_by_hand_is_compiled_and_enforced(alice: httpx.Client) -> None:
    made = alice.post("/v1/instructions", json={"text": "ask before adding tasks"}).json()
    assert made["policy"]["rules"][0]["rule"] == "confirm_before"
    assert states(say(alice, "add buy stamps"))[0][2] == "needs_confirmation"
    changed = alice.patch(f"/v1/instructions/{made['id']}", json={"text": "use British spelling"}).json()
    assert changed["policy"] is None
    assert states(say(alice, "add call the bank"))[0][2] == "applied"


def test_a_conversion_is_held_as_a_whole(alice: httpx.Client) -> None:
    told(alice, "always ask me before adding tasks")
    alice.post("/v1/notes", json={"category": "idea", "content": "paint the shed"})
    turn = say(alice, "turn the shed idea into a task")
    assert {change["status"] for change in turn["changes"]} == {"needs_confirmation"}
    assert {change["status"] for change in say(alice, "yes")["changes"]} == {"applied"}
    assert [item["task"] for item in alice.get("/v1/todos").json()["items"]] == ["paint the shed"]


def test_overlaps_are_asked_about_first(alice: httpx.Client) -> None:
    assert alice.post("/v1/instructions", json={"text": "ask me before double booking"}).json()["policy"]
    assert states(say(alice, "lab tomorrow from 14:00 to 16:00")) == [("create", "lab", "applied")]
    turn = say(alice, "dentist tomorrow at 3pm")
    assert states(turn) == [("create", "dentist", "needs_confirmation")]
    assert turn["reply"].startswith("Book “dentist” for tomorrow, 15:00-16:00? That overlaps “lab” (14:00-16:00); ")
    assert [conflict["title"] for conflict in say(alice, "yes")["changes"][0]["conflicts"]] == ["lab"]


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("event", "priority", "high"),
        ("event", "time_to_complete", 5),
        ("todo", "duration", 5),
        ("todo", "remind_before", 5),
    ],
)
def test_a_default_that_its_kind_cannot_have_is_refused(
    alice: httpx.Client, kind: str, field: str, value: object
) -> None:
    rules = [{"rule": "default", "kind": kind, "field": field, "value": value}]
    refused = alice.post("/v1/instructions", json={"text": "as I like it", "policy": {"rules": rules}})
    assert refused.status_code == 422
    assert f"the default of a new {kind} is its " in refused.text

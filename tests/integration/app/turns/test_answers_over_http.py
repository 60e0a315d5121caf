"""A yes or no by a door to a question that holds no change: as if it was said, but to this one question only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import httpx
import pytest

from tests.integration.app.turns.test_confirm import Turn, again, confirm, tasks
from tests.integration.app.turns.test_turns import say
from tests.support.servers.api import problem

CHORES = ("buy stamps", "call mom", "water the plants")
MINE = "delete all my tasks"


@pytest.fixture
def busy(alice: httpx.Client) -> httpx.Client:
    """A user with three tasks."""
    for task in CHORES:
        assert alice.post("/v1/todos", json={"task": task}).status_code == 201
    return alice


def done(turn: Turn) -> list[tuple[str, str]]:
    return sorted((change["op"], change["title"]) for change in turn["changes"] if change["status"] == "applied")


def test_a_post_says_yes_to_deleting_many(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    assert (asked["status"], asked["changes"], asked["question"]["options"]) == ("waiting", [], ["yes", "no"])
    answer = confirm(busy, asked)
    assert answer.status_code == 200, answer.text
    turn = answer.json()
    assert (turn["id"], turn["status"], turn["question"]) == (asked["id"], "done", None)
    assert done(turn) == [("delete", task) for task in CHORES]
    assert turn["reply"].startswith("Deleted the task “")
    assert (tasks(busy), again(busy, asked)) == ([], turn)
    said = busy.get(answer.headers["location"]).json()
    assert (said["input"]["text"], said["reply"], said["thread_id"]) == ("yes", turn["reply"], asked["thread_id"])
    assert {change["turn_id"] for change in turn["changes"]} == {said["id"]}


def test_a_post_says_no(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    turn = confirm(busy, asked, {"accept": False}).json()
    assert (turn["status"], turn["question"], turn["changes"]) == ("done", None, [])
    assert turn["reply"] == "Okay, leaving it as is."
    assert tasks(busy) == sorted(CHORES)
    problem(confirm(busy, asked), 409)
    assert say(busy, "yes")["changes"] == []


def test_cancelling_says_no(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    cancelled = busy.post(f"/v1/turns/{asked['id']}/cancel").json()
    assert (cancelled["status"], cancelled["question"]) == ("done", None)
    assert say(busy, "yes")["changes"] == []
    assert tasks(busy) == sorted(CHORES)


def test_the_thread_goes_on_from_the_answer(busy: httpx.Client) -> None:
    confirm(busy, say(busy, MINE))
    undone = say(busy, "undo that")
    assert undone["disposition"] in ("dispatch", "clarify")
    if undone["question"]:
        confirm(busy, undone)
    assert tasks(busy) == sorted(CHORES)


def test_undoing_the_turn_undoes_what_its_answer_did(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    confirm(busy, asked)
    undone = busy.post(f"/v1/turns/{asked['id']}/undo").json()["changes"]
    assert [change["status"] for change in undone] == ["applied"] * 3
    assert tasks(busy) == sorted(CHORES)


def test_a_spoken_yes_ends_the_question_as_well(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    say(busy, "yes")
    assert (again(busy, asked)["status"], again(busy, asked)["question"]) == ("done", None)
    problem(confirm(busy, asked), 409)


def test_a_question_goes_on_in_the_turn_after_when_something_else_is_said(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    later = say(busy, "what is on tomorrow?")
    assert (again(busy, asked)["question"], later["question"]) == (None, asked["question"])
    assert "not open any more" in problem(confirm(busy, asked), 409)["detail"]
    assert tasks(busy) == sorted(CHORES)
    assert confirm(busy, later).status_code == 200
    assert tasks(busy) == []


def test_a_yes_is_for_its_own_question_only(busy: httpx.Client) -> None:
    first, second = say(busy, MINE), say(busy, MINE)
    problem(confirm(busy, first), 409)
    assert tasks(busy) == sorted(CHORES)
    assert confirm(busy, second).status_code == 200
    assert tasks(busy) == []


def test_parallel_answers_count_once(busy: httpx.Client) -> None:
    asked = say(busy, MINE)
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda yes: confirm(busy, asked, {"accept": yes}), (True, True, False, True)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]


def test_an_answer_with_a_key_is_given_once(busy: httpx.Client) -> None:
    asked, key = say(busy, MINE), str(uuid4())
    first, second = confirm(busy, asked, key=key), confirm(busy, asked, key=key)
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert len(busy.get(f"/v1/threads/{asked['thread_id']}/messages").json()["items"]) == 4


def test_a_yes_does_not_tell_when(alice: httpx.Client) -> None:
    asked = say(alice, "dentist on friday")
    assert asked["question"]
    refused = problem(confirm(alice, asked), 409)
    assert "does not answer" in refused["detail"]
    assert again(alice, asked)["question"] == asked["question"]
    assert confirm(alice, asked, {"accept": False}).json()["reply"] == "Okay, leaving it as is."


ROOM = "when do I have time to oil the gate on friday 20 november?"
MORE_ROOM = "when do I have time to oil the gate next week?"
EITHER = "book the barber on friday or saturday at 3pm"


def booked(alice: httpx.Client) -> list[str]:
    return [event["title"] for event in alice.get("/v1/events").json()["items"]]


@pytest.mark.parametrize(("wish", "offer"), [(ROOM, "Shall I book it?"), (MORE_ROOM, "Shall I book the first?")])
def test_a_yes_takes_the_time_that_is_offered(alice: httpx.Client, wish: str, offer: str) -> None:
    asked = say(alice, wish)
    assert asked["question"]["text"].endswith(offer)
    turn = confirm(alice, asked).json()
    [change] = turn["changes"]
    assert (turn["status"], change["status"], change["op"]) == ("done", "applied", "create")
    start = datetime.fromisoformat(change["after"]["start"]).astimezone(ZoneInfo(change["after"]["zone"]))
    assert f"{start:%H:%M}" in asked["question"]["options"][0]
    assert booked(alice) == [change["title"]]
    problem(confirm(alice, asked), 409)
    assert len(booked(alice)) == 1


def test_a_yes_to_one_of_two_times_takes_neither(alice: httpx.Client) -> None:
    asked = say(alice, EITHER)
    refused = problem(confirm(alice, asked), 409)
    assert asked["question"]["options"][1] in refused["hint"]
    assert booked(alice) == []


def test_a_held_change_is_told_in_the_reply(alice: httpx.Client) -> None:
    alice.post("/v1/instructions", json={"text": "always ask me before adding tasks"})
    asked = say(alice, "add buy stamps")
    assert confirm(alice, asked).json()["reply"] == "Added “buy stamps” to your tasks."
    other = say(alice, "add buy glue")
    assert confirm(alice, other, {"accept": False}).json()["reply"] == "Okay, leaving it as is."

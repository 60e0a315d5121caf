"""A change that needs a yes: held in the ledger, answered in words or by id, applied once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.integration.app.turns.test_turns import events_in, say
from tests.support.servers.api import problem
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

ASK_FIRST = "always ask me before adding tasks"
Turn = dict[str, Any]


@pytest.fixture
def careful(alice: httpx.Client) -> httpx.Client:
    """A user who wants to be asked before tasks are added."""
    assert alice.post("/v1/instructions", json={"text": ASK_FIRST}).status_code == 201
    return alice


def tasks(client: httpx.Client) -> list[str]:
    return sorted(item["task"] for item in client.get("/v1/todos").json()["items"])


def states(turn: Turn) -> list[tuple[str, str]]:
    return [(change["title"], change["status"]) for change in turn["changes"]]


def confirm(client: httpx.Client, turn: Turn, body: Turn | None = None, key: str | None = None) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/v1/turns/{turn['id']}/confirm", json=body, headers=headers)


def again(client: httpx.Client, turn: Turn) -> Turn:
    found: Turn = client.get(f"/v1/turns/{turn['id']}").json()
    return found


def test_what_needs_a_yes_waits_and_a_spoken_yes_applies_it(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    assert (asked["status"], asked["disposition"], states(asked)) == (
        "waiting",
        "clarify",
        [("buy stamps", "needs_confirmation")],
    )
    assert asked["reply"] == "Add “buy stamps”?"
    assert asked["question"] == {"id": asked["id"], "text": asked["reply"], "options": ["yes", "no"]}
    assert (asked["changes"][0]["undo"], tasks(careful)) == (None, [])
    done = say(careful, "yes")
    assert (done["disposition"], done["reply"]) == ("dispatch", "Added “buy stamps” to your tasks.")
    assert done["changes"][0]["confirms"] == asked["changes"][0]["id"]
    assert tasks(careful) == ["buy stamps"]
    assert (again(careful, asked)["status"], states(again(careful, asked))) == ("done", [("buy stamps", "applied")])


def test_cancelling_a_turn_that_waits_declines_what_it_holds(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    cancelled = careful.post(f"/v1/turns/{asked['id']}/cancel")
    assert (cancelled.status_code, states(cancelled.json())) == (200, [("buy stamps", "failed")])
    problem(confirm(careful, asked), 409)
    assert tasks(careful) == []


def test_the_stream_asks_for_the_approval(careful: httpx.Client) -> None:
    with careful.stream(
        "POST", "/v1/turns", json={"text": "add buy stamps"}, headers={"Accept": "text/event-stream"}
    ) as answer:
        told = events_in("".join(answer.iter_text()))
    (needed,) = [event for event in told if event["type"] == "approval.required"]
    assert (needed["data"]["title"], needed["data"]["status"]) == ("buy stamps", "needs_confirmation")
    assert needed["data"]["expires_at"] > needed["data"]["created_at"]
    assert "change.applied" not in {event["type"] for event in told}


def test_a_post_confirms_and_the_turn_shows_what_was_done(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    done = confirm(careful, asked)
    assert done.status_code == 200, done.text
    turn = done.json()
    assert (turn["status"], turn["question"], states(turn)) == ("done", None, [("buy stamps", "applied")])
    assert turn["changes"][0]["confirms"] == asked["changes"][0]["id"]
    assert (turn, tasks(careful)) == (again(careful, asked), ["buy stamps"])
    assert "confirmed already" in problem(confirm(careful, asked), 409)["detail"]
    assert careful.post(turn["changes"][0]["undo"]).status_code == 200
    assert tasks(careful) == []


def test_after_a_post_a_spoken_yes_means_nothing_more(careful: httpx.Client) -> None:
    confirm(careful, say(careful, "add buy stamps"))
    late = say(careful, "yes")
    assert (late["disposition"], late["changes"], tasks(careful)) == ("reply", [], ["buy stamps"])


def test_a_no_leaves_everything_and_ends_the_waiting(careful: httpx.Client) -> None:
    spoken = say(careful, "add buy stamps")
    answer = say(careful, "no")
    assert (answer["disposition"], answer["changes"], answer["reply"]) == ("reply", [], "Okay, leaving it as is.")
    posted = say(careful, "add buy glue")
    assert confirm(careful, posted, {"accept": False}).json()["status"] == "done"
    for turn in (spoken, posted):
        (change,) = again(careful, turn)["changes"]
        assert (change["status"], change["error"]) == ("failed", "you said no")
        assert "you said no" in problem(confirm(careful, turn), 409)["detail"]
    assert tasks(careful) == []


def test_some_of_several_are_answered(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps, add call mom and add water the plants")
    assert [status for _, status in states(asked)] == ["needs_confirmation"] * 3
    first, second, third = (change["id"] for change in asked["changes"])
    partly = confirm(careful, asked, {"changes": [second]}).json()
    assert (partly["status"], [status for _, status in states(partly)].count("needs_confirmation")) == ("waiting", 2)
    confirm(careful, asked, {"accept": False, "changes": [first]})
    problem(confirm(careful, asked, {"changes": [second, str(uuid4())]}), 404)
    assert confirm(careful, asked, {"changes": [third]}).json()["status"] == "done"
    assert tasks(careful) == ["call mom", "water the plants"]


def test_a_waiting_turn_does_not_hold_its_thread_up(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    other = say(careful, "note: the key is under the pot")
    assert other["disposition"] == "dispatch"
    assert again(careful, asked)["status"] == "done"
    assert confirm(careful, asked).json()["changes"][0]["status"] == "applied"
    assert tasks(careful) == ["buy stamps"]


def test_parallel_confirms_apply_once(careful: httpx.Client) -> None:
    for number in range(5):
        asked = say(careful, f"add task buy stamps number {number + 10}")
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda _: confirm(careful, asked), range(4)))  # noqa: B023 - used at once
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        assert [status for _, status in states(again(careful, asked))] == ["applied"]
        assert len(tasks(careful)) == number + 1


def test_a_confirm_with_a_key_is_answered_the_same_again(careful: httpx.Client) -> None:
    asked, key = say(careful, "add buy stamps"), str(uuid4())
    first = confirm(careful, asked, key=key)
    second = confirm(careful, asked, key=key)
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert tasks(careful) == ["buy stamps"]


def test_an_item_that_changed_since_is_told(alice: httpx.Client) -> None:
    alice.post("/v1/instructions", json={"text": "ask me before you delete anything"})
    made = alice.post("/v1/todos", json={"task": "buy stamps"}).json()
    asked = say(alice, "delete buy stamps")
    assert asked["reply"] == "Delete the task “buy stamps”?"
    alice.patch(f"/v1/todos/{made['id']}", json={"priority": "high"})
    document = problem(confirm(alice, asked), 409)
    assert document["detail"] == "“buy stamps” has changed in the meantime"
    assert [change["status"] for change in document["changes"]] == ["failed"]
    assert alice.get(f"/v1/todos/{made['id']}").json()["priority"] == "high"


def test_a_change_and_a_held_one_end_done_with_the_question(careful: httpx.Client) -> None:
    turn = say(careful, "add buy stamps and note: the key is under the pot")
    assert (turn["status"], turn["disposition"]) == ("done", "dispatch")
    assert sorted(change["status"] for change in turn["changes"]) == ["applied", "needs_confirmation"]
    assert turn["question"]["options"] == ["yes", "no"]
    assert say(careful, "yes")["changes"][0]["title"] == "buy stamps"


def test_a_confirmed_turn_is_undone_as_one(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    confirm(careful, asked)
    undone = careful.post(f"/v1/turns/{asked['id']}/undo").json()["changes"]
    assert [change["status"] for change in undone] == ["applied"]
    assert tasks(careful) == []


def test_wrong_confirmations(careful: httpx.Client, bob: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    problem(bob.post(f"/v1/turns/{asked['id']}/confirm"), 404)
    wrong: list[Turn] = [{"accept": "perhaps"}, {"changes": []}, {"changes": ["x"]}, {"colour": "blue"}]
    for body in wrong:
        problem(confirm(careful, asked, body), 422)
    problem(confirm(bob, say(bob, "what is on tomorrow?")), 409)
    assert tasks(careful) == []


def test_what_needs_a_yes_waits_through_other_messages(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    other = say(careful, "what is on tomorrow?")
    assert (other["status"], other["disposition"], other["question"]) == ("done", "reply", asked["question"])
    assert asked["question"]["text"] not in other["reply"]
    assert again(careful, other)["question"] == asked["question"]
    assert confirm(careful, other).status_code == 200
    assert tasks(careful) == ["buy stamps"]
    assert say(careful, "what is on tomorrow?")["question"] is None


def test_what_a_post_answered_is_not_open_any_more(careful: httpx.Client) -> None:
    asked = say(careful, "add buy stamps")
    say(careful, "what is on tomorrow?")
    assert confirm(careful, asked).status_code == 200
    assert say(careful, "what is on friday?")["question"] is None


def test_nobody_answers_in_time(database_url: str, tmp_path: Path) -> None:
    settings = settings_for(database_url, tmp_path, confirmation_seconds=0.2)
    with live_server(settings) as url, plain_client(url) as client:
        made = client.post("/v1/users", json={"name": "Eve"}, headers={"Authorization": f"Bearer {ADMIN_KEY}"})
        client.headers["Authorization"] = f"Bearer {made.json()['api_key']}"
        client.post("/v1/instructions", json={"text": ASK_FIRST})
        asked = say(client, "add buy stamps")
        wait_until(lambda: again(client, asked)["status"] != "waiting")
        (change,) = again(client, asked)["changes"]
        assert (again(client, asked)["status"], change["error"]) == ("done", "nobody said yes in time")
        assert "nobody said yes in time" in problem(confirm(client, asked), 409)["detail"]
        assert say(client, "yes")["changes"] == []
        assert tasks(client) == []

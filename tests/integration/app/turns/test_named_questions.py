"""An answer names its question: it answers that one, or changes nothing and says so, at each interface."""

from __future__ import annotations

from uuid import uuid4

import httpx
import pytest

from agents.specialists.router import NOT_OPEN
from tests.integration.app.protocols.test_agui import asked as run_of
from tests.integration.app.protocols.test_agui import outcome, told, words
from tests.integration.app.turns.test_confirm import Turn, again, confirm, states, tasks
from tests.integration.app.turns.test_turns import CONTEXT, say
from tests.integration.app.turns.test_understand import read
from tests.support.servers.api import problem
from tests.support.servers.live import key_of, open_socket, receive_until, send

CLEAR = "delete all my tasks"


@pytest.fixture
def asked_first(alice: httpx.Client) -> httpx.Client:
    """A user with two tasks who wants to be asked before notes are added."""
    for task in ("sand the door", "post the parcel"):
        assert alice.post("/v1/todos", json={"task": task}).status_code == 201
    assert alice.post("/v1/instructions", json={"text": "always ask me before adding notes"}).status_code == 201
    return alice


def answer(client: httpx.Client, question_id: str, text: str = "yes") -> Turn:
    sent = client.post("/v1/turns", json={"text": text, "answers": question_id, **CONTEXT})
    assert sent.status_code == 200, sent.text
    found: Turn = sent.json()
    return found


def notes(client: httpx.Client) -> list[str]:
    return [one["content"] for one in client.get("/v1/notes").json()["items"]]


def test_an_old_yes_does_not_answer_a_newer_question(asked_first: httpx.Client) -> None:
    old = say(asked_first, "note that the key is under the pot")
    confirm(asked_first, old, {"accept": False})
    newer = say(asked_first, CLEAR)
    late = answer(asked_first, old["question"]["id"])
    assert late["reply"].startswith(NOT_OPEN)
    assert late["changes"] == []
    assert late["question"]["id"] == newer["question"]["id"]  # which waits as before
    assert (tasks(asked_first), notes(asked_first)) == (["post the parcel", "sand the door"], [])


def test_an_answer_finds_its_question_behind_another_one(asked_first: httpx.Client) -> None:
    first = say(asked_first, "note that the key is under the pot")
    second = say(asked_first, CLEAR)
    assert first["question"]["id"] != second["question"]["id"]
    done = answer(asked_first, first["question"]["id"])
    assert states(done) == [("the key is under the pot", "applied")]
    assert tasks(asked_first) == ["post the parcel", "sand the door"]
    assert done["question"]["id"] == second["question"]["id"]
    assert len(answer(asked_first, second["question"]["id"])["changes"]) == 2
    assert tasks(asked_first) == []


def test_a_question_is_answered_once(asked_first: httpx.Client) -> None:
    question = say(asked_first, CLEAR)["question"]["id"]
    assert answer(asked_first, question, "no")["reply"] == "Okay, leaving it as is."
    assert answer(asked_first, question)["reply"].startswith(NOT_OPEN)
    assert tasks(asked_first) == ["post the parcel", "sand the door"]


def test_a_question_keeps_its_id_as_long_as_it_waits(asked_first: httpx.Client) -> None:
    question = say(asked_first, CLEAR)["question"]
    meanwhile = say(asked_first, "my job is baker")
    assert meanwhile["question"] == question
    assert question["id"] == again(asked_first, meanwhile)["question"]["id"]


@pytest.mark.parametrize(
    "what", ["a question that never was", "the question of another thread", "one that is declined"]
)
def test_a_dead_question_takes_no_answer(asked_first: httpx.Client, what: str) -> None:
    wanted = str(uuid4())
    if what == "the question of another thread":
        thread = asked_first.post("/v1/threads", json={"title": "garden"}).json()["id"]
        wanted = asked_first.post("/v1/turns", json={"text": CLEAR, "thread_id": thread}).json()["question"]["id"]
    if what == "one that is declined":
        asked = say(asked_first, CLEAR)
        wanted = asked["question"]["id"]
        confirm(asked_first, asked, {"accept": False})
    late = answer(asked_first, wanted)
    assert late["reply"].startswith(NOT_OPEN)
    assert tasks(asked_first) == ["post the parcel", "sand the door"]


def test_a_reading_that_answers_a_dead_question_is_not_done(asked_first: httpx.Client) -> None:
    wanted = {"op": "create", "kind": "todo", "fields": {"task": "oil the gate"}}
    late = asked_first.post("/v1/turns", json={"text": "yes", "answers": str(uuid4()), "reading": [wanted]}).json()
    assert (late["changes"], "oil the gate" in tasks(asked_first)) == ([], False)


def test_an_id_that_is_none_is_refused(alice: httpx.Client) -> None:
    found = problem(alice.post("/v1/turns", json={"text": "yes", "answers": "the last one"}), 422)
    assert [one["field"] for one in found["errors"]] == ["answers"]


def test_what_was_answered_elsewhere_is_not_shown_as_open(asked_first: httpx.Client) -> None:
    held = say(asked_first, "note that the key is under the pot")
    later = say(asked_first, "my job is baker")
    assert later["question"]["id"] == held["question"]["id"]
    confirm(asked_first, held)
    assert again(asked_first, later)["question"] is None


def test_the_preview_says_what_an_answer_does(asked_first: httpx.Client) -> None:
    held = say(asked_first, "note that the key is under the pot")
    yes, no = read(asked_first, "yes please"), read(asked_first, "no")
    assert yes["answered"] == no["answered"] == held["question"]
    [wanted] = yes["proposals"]
    assert (wanted["op"], wanted["fields"]["content"], wanted["declined"]) == (
        "create",
        "the key is under the pot",
        False,
    )
    assert [one["declined"] for one in no["proposals"]] == [True]
    assert yes["unused"] == no["unused"] == []
    other = read(asked_first, "add sweep the yard")
    assert (other["answered"], other["proposals"][0]["fields"]["task"]) == (None, "sweep the yard")


def test_over_the_websocket_it_is_the_same(asked_first: httpx.Client, base_url: str) -> None:
    question = say(asked_first, CLEAR)["question"]["id"]
    with open_socket(base_url, key_of(asked_first)) as socket:
        send(socket, type="turn", text="yes", answers=str(uuid4()))
        late = receive_until(socket, "turn.done")
        [again_asked] = [one["data"] for one in late if one["type"] == "question.asked"]
        assert (again_asked["id"], len(tasks(asked_first))) == (question, 2)
        send(socket, type="turn", text="yes", answers=question)
        receive_until(socket, "turn.done")
    assert tasks(asked_first) == []


def test_words_for_an_old_interrupt_answer_no_newer_question(asked_first: httpx.Client) -> None:
    [old] = outcome(told(asked_first, run_of("note that the key is under the pot", "house"))).interrupts
    told(asked_first, run_of(thread="house", resume=[in_words("no", old.id)]))
    [newer] = outcome(told(asked_first, run_of(CLEAR, "house"))).interrupts
    late = told(asked_first, run_of(thread="house", resume=[in_words("yes", old.id)]))
    assert words(late).startswith(NOT_OPEN)
    assert tasks(asked_first) == ["post the parcel", "sand the door"]
    told(asked_first, run_of(thread="house", resume=[in_words("yes", newer.id)]))
    assert tasks(asked_first) == []


def in_words(payload: str, interrupt: str) -> dict[str, str]:
    return {"interruptId": interrupt, "status": "resolved", "payload": payload}

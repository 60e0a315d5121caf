"""Memory over HTTP: from a message to a quote, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest

from tests.support.databases import temporary_database
from tests.support.servers.api import problem
from tests.support.servers.hurried import hurried
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

PUT_MEMO = """
insert into summit.memos
    (user_id, id, title, transcript, segments, captured_at, timezone, state, container, size, sha256)
values (%s, %s, '', %s, %s, now() - interval '3 days', 'Europe/Lisbon', 'transcribed', 'wav', 1, '')
"""


@pytest.fixture(scope="module")
def database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    yield from temporary_database(postgres_url, migrated_template)


@pytest.fixture(scope="module")
def base(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with jobs beside it."""
    settings = settings_for(database, tmp_path_factory.mktemp("doors"), workers_in_process=True)
    with live_server(settings) as url, hurried(database):
        yield url


@pytest.fixture
def made(base: str) -> dict[str, Any]:
    """A user, as the administrator is told of one."""
    with plain_client(base, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        return dict(admin.post("/v1/users", json={"name": "A"}).json())


@pytest.fixture
def user(base: str, made: dict[str, Any]) -> Iterator[httpx.Client]:
    with plain_client(base, {"Authorization": f"Bearer {made['api_key']}"}) as client:
        yield client


def test_what_was_said_is_indexed_quoted_and_declined(user: httpx.Client) -> None:
    said = "note that the allotment gate opens with the green key"
    assert user.post("/v1/turns", json={"text": said}).json()["status"] == "done"
    all_is_indexed(user)
    asked = user.post("/v1/memory/ask", json={"question": "which key opens the allotment gate?"}).json()
    assert asked["found"], asked
    assert "green key" in asked["answer"]
    assert {one["source"] for one in asked["citations"]} <= {"note", "message"}
    declined = user.post("/v1/memory/ask", json={"question": "what did the astronomer eat?"}).json()
    assert (declined["found"], declined["answer"], declined["citations"]) == (False, "I don't have that.", [])
    found = user.post("/v1/memory/search", json={"query": "green key", "to": "2001-01-01T00:00:00Z"}).json()
    assert found["items"] == []
    problem(user.post("/v1/memory/ask", json={"question": " "}), 422)
    problem(user.post("/v1/memory/ask", json={}), 422)
    problem(user.post("/v1/memory/search", json={"query": "x", "limit": 0}), 422)
    both = {"query": "x", "from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}
    problem(user.post("/v1/memory/search", json=both), 422)


def test_what_was_only_passed_on_is_no_memory_of_its_user(user: httpx.Client) -> None:
    mail = "On Tue, Ina <ina@example.org> wrote:\n> The lighthouse opens with the copper key."
    machine = "Name it.\n\nUser: the submarine is parked in Hamburg\nAI: Noted."
    for said in (f"remind me tomorrow to answer this\n\n{mail}", f"{mail}", machine):
        assert user.post("/v1/turns", json={"text": said}).json()["status"] == "done"
    assert user.post("/v1/turns", json={"text": "note that the heron came back to the pond"}).json()["status"] == "done"
    all_is_indexed(user)
    for word in ("lighthouse", "copper key", "submarine"):
        found = user.post("/v1/memory/search", json={"query": word}).json()["items"]
        assert word not in str(found)
    found = user.post("/v1/memory/search", json={"query": "the heron at the pond"}).json()["items"]
    assert "heron" in str(found)


def test_a_question_in_conversation_that_the_records_cannot_answer_is_asked_of_memory(user: httpx.Client) -> None:
    said = {
        "2026-03-02T09:00:00Z": "The job at the bakery is boring.",
        "2026-03-20T09:00:00Z": "We moved to Porto today.",
        "2026-03-25T09:00:00Z": "The job at the bakery got better.",
        "2026-04-01T09:00:00Z": "The code of the garage is 4711.",
        "2026-04-02T09:00:00Z": "My passport number is X7.",
        "2026-04-03T09:00:00Z": "The spare key of the cabin is under the blue pot.",
        "2026-04-04T09:00:00Z": "The code of the shed is 22.",
    }
    for at, words in said.items():
        assert user.post("/v1/memos", json={"transcript": words, "captured_at": at}).status_code == 201
    all_is_indexed(user)
    for question, quoted in {
        "what did I say about the job at the bakery before I moved?": "On 2 March 2026: “The job at the bakery is",
        "what is the code of the garage?": "On 1 April 2026: “The code of the garage is 4711.”",
        "where is the spare key of the cabin?": "On 3 April 2026: “The spare key of the cabin is under the blue pot.”",
        "what is the code of the shed?": "On 4 April 2026: “The code of the shed is 22.”",
        "what's my passport number?": "On 2 April 2026: “My passport number is X7.”",
    }.items():
        told = user.post("/v1/turns", json={"text": question}).json()
        assert quoted in told["reply"], (question, told["reply"])
        assert told["citations"]
        assert not told["changes"]
    unknown = {
        "what's my blood type?": "found nothing about",
        "what is the name of the vet?": "found nothing about",
        "where is the ladder?": "found nothing about",
        "who is the mayor of Trondheim?": "found nothing about",
    }
    for question, said_so in unknown.items():
        told = user.post("/v1/turns", json={"text": question}).json()
        assert said_so in told["reply"], (question, told["reply"])
        assert not told["citations"]
        assert not told["changes"]


def test_a_question_that_follows_a_conversation_is_understood_by_it(user: httpx.Client) -> None:
    said = {
        "2026-03-02T09:00:00Z": "The boiler was fixed by Harald.",
        "2026-03-03T09:00:00Z": "The boiler cost 900 euros.",
        "2026-03-04T09:00:00Z": "The bicycle cost 200 euros.",
    }
    for at, words in said.items():
        assert user.post("/v1/memos", json={"transcript": words, "captured_at": at}).status_code == 201
    all_is_indexed(user)
    threads = [user.post("/v1/threads", json={"title": title}).json()["id"] for title in ("boiler", "bicycle")]
    for thread, topic in zip(threads, ("boiler", "bicycle"), strict=True):
        turn = {"text": f"what did I say about the {topic}?", "thread_id": thread}
        assert user.post("/v1/turns", json=turn).json()["status"] == "done"
    question = {"question": "how much did it cost?"}
    for thread, price in zip(threads, ("900", "200"), strict=True):
        told = user.post("/v1/memory/ask", json={**question, "thread_id": thread}).json()
        assert told["found"], told
        assert price in told["answer"].split("“")[1], told["answer"]
        kept = user.get(f"/v1/threads/{thread}/messages").json()["items"]
        assert [one["role"] for one in kept] == ["user", "assistant"]
    problem(user.post("/v1/memory/ask", json={**question, "thread_id": str(uuid4())}), 404)


def all_is_indexed(user: httpx.Client) -> None:
    """Wait until everything that was said is in memory."""

    def is_indexed() -> bool:
        found = user.get("/v1/memory").json()
        return bool(found["units"]) and not found["waiting"]

    wait_until(is_indexed)


def test_a_question_is_never_quoted_as_its_own_answer(user: httpx.Client) -> None:
    for text in ("who works at Siemens?", "who works at Siemens", "Anna told me that her brother works at Siemens"):
        assert user.post("/v1/turns", json={"text": text}).status_code == 200
    all_is_indexed(user)
    found = user.post("/v1/memory/search", json={"query": "who works at Siemens?"}).json()["items"]
    assert {one["quote"] for one in found} == {"Anna told me that her brother works at Siemens"}


def test_a_conversation_answers_from_a_memo_with_its_second(
    user: httpx.Client, made: dict[str, Any], database: str
) -> None:
    said = "We moved the meeting with Harald. The bees survived the winter in the second hive."
    segments = [
        {"start_ms": 0, "end_ms": 2100, "text": "We moved the meeting with Harald.", "confidence": None},
        {
            "start_ms": 2100,
            "end_ms": 5400,
            "text": "The bees survived the winter in the second hive.",
            "confidence": None,
        },
    ]
    with psycopg.connect(database) as conn:
        conn.execute(PUT_MEMO, (UUID(made["id"]), uuid4(), said, json.dumps(segments)))
    all_is_indexed(user)
    turn = user.post("/v1/turns", json={"text": "what did I say about the bees in the hive?"}).json()
    [cited] = turn["citations"]
    assert said[cited["start_char"] : cited["end_char"]] == cited["quote"]
    assert "The bees survived the winter in the second hive." in turn["reply"]
    assert (cited["source"], cited["start_ms"], cited["end_ms"]) == ("memo", 0, 5400)
    assert turn["disposition"] == "reply"
    assert turn["changes"] == []


def test_a_summary_is_no_task_its_follow_up_goes_back_and_an_open_question_stays(user: httpx.Client) -> None:
    for text in ("note that the bees of the second hive look strong", "note that the bees need sugar before winter"):
        assert user.post("/v1/turns", json={"text": text}).json()["status"] == "done"
    asked = user.post("/v1/turns", json={"text": "remind me to call Lena"}).json()
    assert asked["question"]
    all_is_indexed(user)
    turn = user.post("/v1/turns", json={"text": "Summarize all my thoughts on the bees"}).json()
    assert (turn["changes"], turn["disposition"]) == ([], "reply")
    assert {one["quote"] for one in turn["citations"]} == {
        "the bees of the second hive look strong",
        "the bees need sugar before winter",
    }
    earlier = user.post("/v1/turns", json={"text": "and before that?"}).json()
    assert (earlier["changes"], earlier["citations"]) == ([], [])
    done = user.post("/v1/turns", json={"text": "tomorrow at 5"}).json()
    assert [(one["op"], one["title"]) for one in done["changes"]] == [("create", "call Lena")], done


def test_what_was_said_a_moment_ago_is_found_and_what_was_ordered_or_answered_is_not(user: httpx.Client) -> None:
    for text in (
        "add nails to my shopping list",
        "remind me to sharpen the saw",
        "tomorrow at 6",
        "yes",
        "the second one",
    ):
        assert user.post("/v1/turns", json={"text": text}).status_code == 200
    stated = "My uncle Otto got a saw from the choir for his birthday."
    assert user.post("/v1/turns", json={"text": stated}).status_code == 200
    [found] = user.post("/v1/memory/search", json={"query": "saw", "limit": 20}).json()["items"]
    assert (found["quote"], found["source"]) == (stated, "message")
    assert 0 < found["score"] <= 1
    assert found["sources"] == [{"source": "message", "id": found["id"]}]
    nothing = user.post("/v1/memory/search", json={"query": "submarine", "limit": 20}).json()
    assert nothing["items"] == []
    asked = user.post("/v1/turns", json={"text": "what did Otto get from the choir?"}).json()
    assert stated in asked["reply"], asked["reply"]
    assert asked["citations"]


def test_of_two_statements_the_later_is_told_in_a_conversation(user: httpx.Client) -> None:
    said = {
        "2026-03-02T09:00:00Z": "The code of the bike lock is 3310.",
        "2026-06-12T09:00:00Z": "The code of the bike lock is 8845 now.",
    }
    for at, words in said.items():
        assert user.post("/v1/memos", json={"transcript": words, "captured_at": at}).status_code == 201
    told = user.post("/v1/turns", json={"text": "what is the code of the bike lock?"}).json()
    assert told["reply"] == (
        "On 12 June 2026: “The code of the bike lock is 8845 now.” "
        "Before that you said, on 2 March 2026: “The code of the bike lock is 3310.”"
    )
    assert len(told["citations"]) == 2


def test_what_is_known_of_a_person_is_listed_with_its_open_loops(user: httpx.Client) -> None:
    for said in ("my sister is Anjali", "my sister sold the red canoe"):
        assert user.post("/v1/turns", json={"text": said}).json()["status"] == "done"
    all_is_indexed(user)
    about = user.get("/v1/memory/about", params={"subject": "Anjali", "limit": 1}).json()
    assert (about["subject"], about["names"][0], len(about["items"]), about["open_loops"]) == (
        "Anjali",
        "anjali",
        1,
        [],
    )
    assert about["units"] >= 1
    assert about["first_at"] <= about["items"][0]["captured_at"] == about["last_at"]
    nobody = user.get("/v1/memory/about", params={"subject": "the astronomer"}).json()
    assert (nobody["units"], nobody["items"], nobody["first_at"], nobody["next"]) == (0, [], None, None)
    for params in ("", "?subject=%20", f"?subject={'x' * 201}", "?subject=x&limit=0", "?subject=x&cursor=y"):
        problem(user.get(f"/v1/memory/about{params}"), 422)

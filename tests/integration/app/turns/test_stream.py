"""The whole stream over SSE: everything of one user, resumable, and honest about what is not kept any more."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import psycopg
import pytest

from app.settings import Settings
from tests.support.servers.api import problem
from tests.support.servers.live import WHEN, events_in, open_socket, receive, receive_until, until_done, whole_stream
from tests.support.servers.live_server import live_server, settings_for
from tests.support.servers.plain import plain_client


def say(client: httpx.Client, text: str) -> str:
    answer = client.post("/v1/turns", json={"text": text, **WHEN})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


def test_it_tells_everything_from_the_beginning_when_asked(alice: httpx.Client, bob: httpx.Client) -> None:
    turns = [say(alice, "buy milk"), say(alice, "buy bread")]
    say(bob, "water the garden")
    with whole_stream(alice, after=0) as events:
        told = until_done(events, turns=2)
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert list(dict.fromkeys(event["turn_id"] for event in told)) == turns


def test_it_begins_with_now_when_nothing_is_said(alice: httpx.Client) -> None:
    say(alice, "buy milk")
    with whole_stream(alice) as events:
        turn = say(alice, "buy bread")
        assert {event["turn_id"] for event in until_done(events)} == {turn}


def test_it_resumes_after_the_last_event_whichever_way_that_is_said(alice: httpx.Client) -> None:
    say(alice, "buy milk")
    with whole_stream(alice, after=0) as events:
        told = until_done(events)
    with whole_stream(alice, after=told[2]["seq"]) as events:
        assert until_done(events) == told[3:]
    # A browser repeats the address it began with and adds the header: the header is the newer one.
    with whole_stream(alice, after=0, **{"Last-Event-ID": str(told[4]["seq"])}) as events:
        assert until_done(events) == told[5:]


def test_it_is_the_same_envelope_as_over_the_websocket(alice: httpx.Client, base_url: str) -> None:
    say(alice, "buy milk")
    key = alice.headers["authorization"].removeprefix("Bearer ")
    with whole_stream(alice, after=0) as events, open_socket(base_url, key, "?last_seq=0") as socket:
        assert until_done(events) == receive_until(socket, "turn.done")


def test_it_names_each_event_and_its_number(alice: httpx.Client) -> None:
    say(alice, "buy milk")
    with alice.stream("GET", "/v1/stream", params={"after": 0}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        lines = answer.iter_lines()
        first = [next(lines) for _ in range(4)]
    assert first[:2] == ["id: 1", "event: turn.accepted"]
    assert json.loads(first[2].removeprefix("data: "))["seq"] == 1
    assert first[3] == ""


def test_heartbeats_come_for_as_long_as_nothing_happens(alice: httpx.Client) -> None:
    with alice.stream("GET", "/v1/stream") as answer:
        lines = answer.iter_lines()
        assert [next(lines) for _ in range(4)] == [": heartbeat", ""] * 2


def test_a_key_that_is_revoked_ends_the_stream(alice: httpx.Client) -> None:
    made = alice.post("/v1/keys", json={"name": "lost", "scopes": ["read"]}).json()
    key = {"Authorization": f"Bearer {made['api_key']}"}
    with plain_client(str(alice.base_url), key) as lost:
        with whole_stream(lost) as events:
            alice.delete(f"/v1/keys/{made['id']}")
            [last] = list(events)
        problem(lost.get("/v1/stream"), 401)
    assert (last["type"], last["data"]["status"]) == ("error", 401)


@pytest.mark.parametrize("after", ["-1", "x", str(2**63)])
def test_a_place_that_is_none_is_refused(alice: httpx.Client, after: str) -> None:
    document = problem(alice.get("/v1/stream", params={"after": after}), 422)
    assert document["errors"][0]["field"] == "after"


@pytest.mark.parametrize("last", ["", "x", "9" * 5000, "-1"])
def test_a_header_that_names_no_event_counts_as_none(alice: httpx.Client, last: str) -> None:
    say(alice, "buy milk")
    with whole_stream(alice, after=0, **{"Last-Event-ID": last}) as events:
        assert next(events)["seq"] == 1


@pytest.fixture
def forgetful(database_url: str, tmp_path: Path) -> Settings:
    """A server that keeps few events, for the local user."""
    return settings_for(database_url, tmp_path, admin_key=None, event_log_size=30)


def test_what_is_not_kept_is_said_and_the_stream_goes_on(forgetful: Settings) -> None:
    with live_server(forgetful) as url, plain_client(url) as client:
        for number in range(21):
            say(client, f"buy thing {number}")
        with whole_stream(client, after=3) as events:
            error, *told = until_done(events)
        with open_socket(url, query="?last_seq=3") as socket:
            assert without_time(receive(socket)) == {**without_time(error), "data": {**error["data"], **AT_WS}}
            assert receive_until(socket, "turn.done") == told
        with whole_stream(client, after=error["data"]["goes_on_after"]) as events:
            assert until_done(events) == told
    assert (error["type"], error["data"]["status"]) == ("error", 410)
    assert error["seq"] == error["data"]["goes_on_after"] == told[0]["seq"] - 1
    assert told[0]["seq"] > 21 * 5 - 30
    assert [event["seq"] for event in told] == list(range(told[0]["seq"], told[-1]["seq"] + 1))


def test_a_turn_whose_events_are_not_kept_says_so(alice: httpx.Client, doors_database: str) -> None:
    turn = say(alice, "buy milk")
    with psycopg.connect(doors_database) as conn:
        conn.execute("delete from summit.turn_events where turn_id = %s", (turn,))
    [error] = list(events_in(alice.get(f"/v1/turns/{turn}/events").text.splitlines()))
    assert (error["type"], error["data"]["status"]) == ("error", 410)
    assert error["data"]["instance"] == f"/v1/turns/{turn}/events"


AT_WS = {"instance": "/v1/ws"}


def without_time(envelope: dict[str, object]) -> dict[str, object]:
    return {**envelope, "ts": ""}

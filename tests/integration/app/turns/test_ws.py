"""The websocket: the same messages, the same events and the same refusals as over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from socket import create_connection
from typing import Any, get_args
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from app.turns.routes.frames import AnyFrame
from tests.integration.app.http.test_bad_input import BAD_BODIES
from tests.support.servers.api import NewClient, problem
from tests.support.servers.live import WHEN, answers, ask, close_code, key_of, open_socket, receive, receive_until, send
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS, wait_until

OWN = {"instance", "idempotency_key", "request_id"}


@pytest.fixture
def socket(alice: httpx.Client, base_url: str) -> Iterator[ClientConnection]:
    with open_socket(base_url, key_of(alice), "?last_seq=0") as opened:
        yield opened


@contextmanager
def refused(status: int) -> Iterator[dict[str, Any]]:
    """The handshake is answered with a problem document, which is filled in."""
    document: dict[str, Any] = {}
    with pytest.raises(InvalidStatus) as caught:
        yield document
    answer = caught.value.response
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    document |= json.loads(answer.body or b"")
    assert document["hint"]


def test_a_message_is_answered_with_its_turns_events(socket: ClientConnection, alice: httpx.Client) -> None:
    send(socket, type="turn", text="buy milk", idempotency_key="one", **WHEN)
    events = receive_until(socket, "turn.done")
    assert (events[0]["type"], events[0]["data"]["idempotency_key"]) == ("turn.accepted", "one")
    assert {"change.applied", "reply.delta", "reply.completed"} <= {event["type"] for event in events}
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert len({event["turn_id"] for event in events}) == 1
    turn = alice.get(f"/v1/turns/{events[0]['turn_id']}").json()
    assert turn["reply"] == events[-3]["data"]["reply"]
    assert [todo["task"] for todo in alice.get("/v1/todos").json()["items"]] == ["buy milk"]


def test_what_is_sent_over_http_is_told_here_too(socket: ClientConnection, alice: httpx.Client) -> None:
    turn = alice.post("/v1/turns", json={"text": "buy bread", **WHEN}).json()
    assert {event["turn_id"] for event in receive_until(socket, "turn.done")} == {turn["id"]}


def test_a_message_sent_again_does_nothing_twice_and_is_answered_again(
    socket: ClientConnection, alice: httpx.Client
) -> None:
    frame = {"type": "turn", "text": "buy milk", "idempotency_key": str(uuid4()), **WHEN}
    send(socket, **frame)
    first = receive_until(socket, "turn.done")
    assert ask(socket, **frame) == first
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_a_message_sent_again_over_a_new_connection_is_answered_whole(alice: httpx.Client, base_url: str) -> None:
    frame = {"type": "turn", "text": "buy milk", "idempotency_key": str(uuid4()), **WHEN}
    with open_socket(base_url, key_of(alice)) as socket:
        send(socket, **frame)
        first = receive_until(socket, "turn.done")
    with open_socket(base_url, key_of(alice)) as socket:
        assert ask(socket, **frame) == first


def test_a_key_is_the_same_key_over_http(socket: ClientConnection, alice: httpx.Client) -> None:
    key = str(uuid4())
    send(socket, type="turn", text="buy milk", idempotency_key=key, **WHEN)
    turn_id = receive_until(socket, "turn.done")[0]["turn_id"]
    again = alice.post("/v1/turns", json={"text": "buy milk", **WHEN}, headers={"Idempotency-Key": key})
    assert (again.json()["id"], again.headers["idempotent-replayed"]) == (turn_id, "true")
    [error] = ask(socket, type="turn", text="buy bread", idempotency_key=key)
    assert (error["type"], error["data"]["status"], error["data"]["idempotency_key"]) == ("error", 422, key)


def test_an_answer_is_found_when_its_events_are_forgotten(
    alice: httpx.Client, base_url: str, doors_database: str
) -> None:
    frame = {"type": "turn", "text": "buy milk", "idempotency_key": str(uuid4()), **WHEN}
    with open_socket(base_url, key_of(alice)) as socket:
        send(socket, **frame)
        first = receive_until(socket, "turn.done")
    with psycopg.connect(doors_database) as conn:
        conn.execute("delete from summit.turn_events where turn_id = %s", (first[0]["turn_id"],))
    with open_socket(base_url, key_of(alice)) as socket:
        again = ask(socket, **frame)
    assert [event["type"] for event in again] == ["turn.accepted", "reply.completed", "turn.done"]
    assert again[1]["data"] == first[-3]["data"]
    assert {event["turn_id"] for event in again} == {first[0]["turn_id"]}


GOOD = {"text": "buy milk"}
BAD_FRAMES = {
    "no text": {},
    "an unknown field": {**GOOD, "colour": "red"},
    "nothing said": {"text": " \n "},
    "a number": {"text": 7},
    "NUL": {"text": "a\x00b"},
    "half a surrogate": {"text": "\ud83d"},
    "a wrong zone": {**GOOD, "timezone": "Mars/Olympus"},
    "a time without zone": {**GOOD, "captured_at": "2026-11-18T09:30:00"},
    "a number as time": {**GOOD, "captured_at": 1700000000},
    "a wrong thread": {**GOOD, "thread_id": "main"},
    "nobody's thread": {**GOOD, "thread_id": "00000000-0000-4000-8000-000000000009"},
    "a wrong strategy": {**GOOD, "strategy": "queue"},
    "too long": {"text": "x" * 1_000_000},
    "deep": {"text": [[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]},
}


@pytest.mark.parametrize("fields", BAD_FRAMES.values(), ids=list(BAD_FRAMES))
def test_a_bad_message_is_the_same_problem_as_over_http(
    socket: ClientConnection, alice: httpx.Client, fields: dict[str, Any]
) -> None:
    content = json.dumps(fields).encode()
    over_http = alice.post("/v1/turns", content=content, headers={"Content-Type": "application/json"})
    [error] = ask(socket, type="turn", **fields)
    assert error["type"] == "error"
    assert without_own(error["data"]) == without_own(problem(over_http, over_http.status_code))
    assert error["data"]["instance"] == "/v1/ws"
    assert alice.get("/v1/changes").json()["items"] == []


def without_own(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in OWN}


TEXT_BODIES = {name: body for name, body in BAD_BODIES.items() if name not in ("3 MB", "not UTF-8", "nothing")}


@pytest.mark.parametrize("name", [name for name in TEXT_BODIES if "bytes" not in name])
def test_a_frame_that_is_no_good_json_object(socket: ClientConnection, name: str) -> None:
    content, status = TEXT_BODIES[name]
    socket.send(content, text=True)
    error = receive(socket)
    assert (error["type"], error["data"]["status"]) == ("error", status)
    assert answers(socket)


def test_sound_without_a_recording_is_refused_and_the_connection_stays(socket: ClientConnection) -> None:
    socket.send(b'{"type": "ping"}')
    assert receive(socket)["data"]["status"] == 409
    assert answers(socket)


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        ({}, "type"),
        ({"type": "shout", "text": "buy milk"}, "type"),
        ({"type": ["turn"]}, "type"),
        ({"type": "ping", "colour": "red"}, "colour"),
        ({"type": "cancel"}, "turn_id"),
        ({"type": "cancel", "turn_id": "main"}, "turn_id"),
        ({"type": "resume"}, "last_seq"),
        ({"type": "resume", "last_seq": -1}, "last_seq"),
        ({"type": "resume", "last_seq": "5"}, "last_seq"),
        ({"type": "turn", "text": "buy milk", "idempotency_key": "two words"}, "idempotency_key"),
        ({"type": "turn", "text": "buy milk", "idempotency_key": ""}, "idempotency_key"),
        ({"type": "turn", "text": "buy milk", "idempotency_key": "x" * 256}, "idempotency_key"),
        ({"type": "turn", "text": "buy milk", "idempotency_key": 7}, "idempotency_key"),
    ],
)
def test_a_wrong_frame_names_the_field(socket: ClientConnection, frame: dict[str, Any], field: str) -> None:
    [error] = ask(socket, **frame)
    assert (error["type"], error["data"]["status"]) == ("error", 422)
    assert [wrong["field"] for wrong in error["data"]["errors"]] == [field]


def test_an_error_names_the_message_it_is_about(socket: ClientConnection) -> None:
    [error] = ask(socket, type="turn", text="", idempotency_key="mine")
    assert error["data"]["idempotency_key"] == "mine"


def test_a_text_that_is_not_utf8_or_a_frame_that_is_too_large_ends_the_connection(
    alice: httpx.Client, base_url: str
) -> None:
    with open_socket(base_url, key_of(alice)) as socket:
        socket.send(b'{"type": "\xff"}', text=True)
        assert close_code(socket) == 1007
    # The server need not read the rest, so its close frame may be lost in the reset; what must not be is an answer.
    with suppress(ConnectionClosed), open_socket(base_url, key_of(alice)) as socket:
        socket.send("x" * 3_000_000)
        assert close_code(socket) in (1009, 1006)


def test_a_waiting_turn_is_cancelled_and_a_finished_one_says_so_again(
    socket: ClientConnection, alice: httpx.Client
) -> None:
    send(socket, type="turn", text="buy milk", **WHEN)
    done = receive_until(socket, "turn.done")[-1]
    assert ask(socket, type="cancel", turn_id=done["turn_id"]) == [done]
    [error] = ask(socket, type="cancel", turn_id=str(uuid4()))
    assert error["data"]["status"] == 404
    assert len(alice.get("/v1/todos").json()["items"]) == 1


def test_resuming_by_the_first_frame_brings_what_was_missed_once(alice: httpx.Client, base_url: str) -> None:
    alice.post("/v1/turns", json={"text": "buy milk", **WHEN})
    with open_socket(base_url, key_of(alice), "?last_seq=0") as socket:
        events = receive_until(socket, "turn.done")
    with open_socket(base_url, key_of(alice)) as socket:
        send(socket, type="resume", last_seq=events[2]["seq"])
        assert receive_until(socket, "turn.done") == events[3:]
        alice.post("/v1/turns", json={"text": "buy bread", **WHEN})
        assert receive(socket)["seq"] == events[-1]["seq"] + 1


def test_without_a_place_the_stream_begins_now_and_a_pong_says_where(alice: httpx.Client, base_url: str) -> None:
    alice.post("/v1/turns", json={"text": "buy milk", **WHEN})
    with open_socket(base_url, key_of(alice)) as socket:
        send(socket, type="ping")
        place = receive(socket)
        assert (place["type"], place["turn_id"], place["data"]) == ("pong", None, {})
        second = alice.post("/v1/turns", json={"text": "buy bread", **WHEN}).json()
        first = receive(socket)
    assert (first["seq"], first["turn_id"]) == (place["seq"] + 1, second["id"])


def test_a_listener_who_says_nothing_is_told_too(alice: httpx.Client, base_url: str) -> None:
    with open_socket(base_url, key_of(alice)) as socket:
        turn = alice.post("/v1/turns", json={"text": "buy milk", **WHEN}).json()
        assert {event["turn_id"] for event in receive_until(socket, "turn.done")} == {turn["id"]}


def test_a_place_that_does_not_exist_yet_is_named_and_the_stream_goes_on(alice: httpx.Client, base_url: str) -> None:
    with open_socket(base_url, key_of(alice), "?last_seq=1000") as socket:
        error = receive(socket)
        assert (error["type"], error["data"]["status"], error["data"]["goes_on_after"]) == ("error", 410, 0)
        alice.post("/v1/turns", json={"text": "buy milk", **WHEN})
        assert receive(socket)["seq"] == 1


@pytest.mark.parametrize("last_seq", ["-1", "x", "", "1e3", "9" * 5000, "٣"])
def test_a_place_that_is_no_number_is_refused(alice: httpx.Client, base_url: str, last_seq: str) -> None:
    with refused(422) as document, open_socket(base_url, key_of(alice), f"?last_seq={last_seq}"):
        pass
    assert document["errors"][0]["field"] == "last_seq"


def test_another_users_events_and_turns_are_never_seen(alice: httpx.Client, bob: httpx.Client, base_url: str) -> None:
    with open_socket(base_url, key_of(bob), "?last_seq=0") as socket:
        turn = alice.post("/v1/turns", json={"text": "buy milk", **WHEN}).json()
        [error] = ask(socket, type="cancel", turn_id=turn["id"])
        assert error["data"]["status"] == 404
        [error] = ask(socket, type="turn", text="mine now", thread_id=turn["thread_id"])
        assert error["data"]["status"] == 404
        mine = bob.post("/v1/turns", json={"text": "buy bread", **WHEN}).json()
        assert {event["turn_id"] for event in receive_until(socket, "turn.done")} == {mine["id"]}


def test_a_browser_gives_its_key_as_a_subprotocol_and_never_gets_it_back(alice: httpx.Client, base_url: str) -> None:
    offered = ["summit.v1", f"summit.key.{key_of(alice)}"]
    with open_socket(base_url, subprotocols=offered) as socket:
        assert socket.subprotocol == "summit.v1"
        assert answers(socket)


def test_a_key_in_the_url_is_not_read(alice: httpx.Client, base_url: str) -> None:
    for query in (f"?key={key_of(alice)}", f"?access_token={key_of(alice)}", f"?api_key={key_of(alice)}"):
        with refused(401), open_socket(base_url, query=query):
            pass


@pytest.mark.parametrize("key", [None, "nonsense", "sk_summit_" + "A" * 43])
def test_without_a_key_that_is_valid_nothing_opens(base_url: str, key: str | None) -> None:
    with refused(401), open_socket(base_url, key):
        pass
    if key:
        with refused(401), open_socket(base_url, subprotocols=["summit.v1", f"summit.key.{key}"]):
            pass


def test_the_administrator_is_nobody_to_talk_to(base_url: str) -> None:
    with refused(403), open_socket(base_url, ADMIN_KEY):
        pass


def test_a_foreign_page_is_refused_whatever_key_it_has(alice: httpx.Client, base_url: str) -> None:
    with refused(403), open_socket(base_url, key_of(alice), origin="https://evil.example"):
        pass
    with open_socket(base_url, key_of(alice), origin=base_url) as socket:
        assert answers(socket)


def test_a_foreign_host_is_refused(alice: httpx.Client, base_url: str) -> None:
    place = urlsplit(base_url)
    sock = create_connection((place.hostname, place.port))
    with refused(403), open_socket("http://evil.example", key_of(alice), sock=sock):
        pass


def test_a_key_that_may_only_read_listens_and_does_not_talk(alice: httpx.Client, base_url: str) -> None:
    key = alice.post("/v1/keys", json={"name": "display", "scopes": ["read"]}).json()["api_key"]
    with open_socket(base_url, key) as socket:
        for frame in ({"type": "turn", "text": "buy milk"}, {"type": "cancel", "turn_id": str(uuid4())}):
            [error] = ask(socket, **frame)
            assert error["data"]["status"] == 403
        alice.post("/v1/turns", json={"text": "buy bread", **WHEN})
        assert receive(socket)["type"] == "turn.accepted"


TAKEN_AWAY = {
    "revoked": ("delete from summit.api_keys where id = %s", 401),
    "expired": ("update summit.api_keys set expires_at = now() - interval '1 ms' where id = %s", 401),
    "narrowed": ("update summit.api_keys set scopes = '{read}' where id = %s", 403),
}


@pytest.mark.parametrize("how", ["revoked", "expired"])
def test_a_key_that_is_taken_away_ends_what_it_opened(
    alice: httpx.Client, base_url: str, doors_database: str, how: str
) -> None:
    until = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    made = alice.post("/v1/keys", json={"name": "lost", "expires_at": until}).json()
    with open_socket(base_url, made["api_key"]) as lost:
        assert answers(lost)
        with psycopg.connect(doors_database) as conn:
            assert conn.execute(TAKEN_AWAY[how][0], (made["id"],)).rowcount == 1
        assert receive(lost)["data"]["status"] == 401
        assert close_code(lost) == 4401
    with refused(401), open_socket(base_url, made["api_key"]):
        pass


WRITING = {
    "turn": {"text": "buy milk"},
    "cancel": {"turn_id": "00000000-0000-4000-8000-000000000009"},
    "ack": {"notification_id": "00000000-0000-4000-8000-000000000009"},
    "audio.start": {"client_id": "one"},
    "audio.end": {},
    "audio.cancel": {},
}


@pytest.fixture(scope="module")
def never_looking(doors_database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another server of the same users, which looks a key up for what is sent with it and at no other time."""
    settings = settings_for(doors_database, tmp_path_factory.mktemp("never looking"), heartbeat_seconds=3600)
    with live_server(settings) as url:
        yield url


@pytest.mark.parametrize(("how", "status"), TAKEN_AWAY.values(), ids=list(TAKEN_AWAY))
@pytest.mark.parametrize("kind", WRITING)
def test_a_key_is_looked_at_for_every_frame_that_writes(
    alice: httpx.Client, never_looking: str, doors_database: str, kind: str, how: str, status: int
) -> None:
    made = alice.post("/v1/keys", json={"name": "phone"}).json()
    with open_socket(never_looking, made["api_key"]) as socket:
        assert answers(socket)
        with psycopg.connect(doors_database) as conn:
            assert conn.execute(how, (made["id"],)).rowcount == 1
        send(socket, type=kind, **WRITING[kind])
        error = receive(socket)
        assert (error["type"], error["data"]["status"]) == ("error", status)
        assert status == 403 or close_code(socket) == 4401
    assert alice.get("/v1/changes").json()["items"] == []


def test_every_frame_that_writes_is_tried_above() -> None:
    kinds = {name for kind in get_args(AnyFrame) for name in get_args(kind.model_fields["type"].annotation)}
    assert kinds == {*WRITING, "resume", "ping"}


def test_one_user_cannot_hold_everything(
    database_url: str, tmp_path_factory: pytest.TempPathFactory, client: NewClient
) -> None:
    settings = settings_for(database_url, tmp_path_factory.mktemp("few"), max_streams_per_user=2, admin_key=None)
    with live_server(settings) as url, open_socket(url), plain_client(url) as http:
        with http.stream("GET", "/v1/stream") as stream:
            assert stream.status_code == 200
            with refused(429) as document, open_socket(url):
                pass
            problem(http.get("/v1/stream"), 429)
        assert "2" in document["detail"]
        wait_until(lambda: opens(url))  # the stream's end is noticed at its next heartbeat


def opens(url: str) -> bool:
    with suppress(InvalidStatus), open_socket(url):
        return True
    return False


def test_who_does_not_answer_pings_is_gone(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("pings")
    settings = settings_for(database_url, folder, websocket_ping_seconds=0.2, admin_key=None)
    with live_server(settings) as url:
        wait_until(lambda: outlives_one_who_is_mute(url))  # on a busy machine an answer may come too late, now and then


def outlives_one_who_is_mute(url: str) -> bool:
    """Whether a connection whose pings are answered is open when one that was opened after it has been closed."""
    with suppress(ConnectionClosed), open_socket(url) as alive:
        with create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=HANG_SECONDS) as mute:
            mute.sendall(
                b"GET /v1/ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            said = b"".join(iter(lambda: mute.recv(4096), b""))
        assert said.endswith((1011).to_bytes(2, "big") + b"keepalive ping timeout")
        return answers(alive)
    return False

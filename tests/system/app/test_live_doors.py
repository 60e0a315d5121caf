"""The live doors of two server processes on one database: cuts, mixed doors, slow readers, stops."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from uuid import uuid4

import httpx
import psutil
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed

from agents.context import LOCAL_USER
from tests.support.errands import ERRANDS
from tests.support.servers.live import (
    WHEN,
    Envelope,
    close_code,
    events_in,
    open_socket,
    receive,
    receive_until,
    send,
    until_done,
    whole_stream,
)
from tests.support.servers.plain import plain_client
from tests.support.servers.running import RunningServer, running
from tests.support.waiting import HANG_SECONDS, wait_until

CUTS = 24
MESSAGES = 20
SAID = 4
"""What each of two says at least."""
UNHURRIED = {"SUMMIT_WEBSOCKET_STALL_SECONDS": "120", "SUMMIT_WEBSOCKET_PING_SECONDS": "120"}
Cut = Callable[[str, int, int], list[Envelope]]


@pytest.fixture
def servers(database_url: str, tmp_path: Path) -> Iterator[list[RunningServer]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(running(tmp_path / "data", DATABASE_URL=database_url, **UNHURRIED)) for _ in range(2)
        ]


@pytest.fixture
def server(database_url: str, tmp_path: Path) -> Iterator[RunningServer]:
    with running(tmp_path / "data", DATABASE_URL=database_url, SUMMIT_POOL_SIZE="2", **UNHURRIED) as found:
        yield found


@pytest.fixture
def strict(database_url: str, tmp_path: Path) -> Iterator[RunningServer]:
    """A server that waits for no slow reader."""
    with running(tmp_path / "data", DATABASE_URL=database_url, SUMMIT_WEBSOCKET_STALL_SECONDS="0.3") as found:
        yield found


def cut_websocket(url: str, seen: int, most: int) -> list[Envelope]:
    """Up to ``most`` events, then the connection is cut without a word."""
    found: list[Envelope] = []
    with open_socket(url, query=f"?last_seq={seen}", close_timeout=0) as opened:
        with suppress(TimeoutError):
            while len(found) < most:
                found.append(receive(opened, seconds=0.2))
        opened.socket.shutdown(socket.SHUT_RDWR)
    return found


def cut_sse(url: str, seen: int, most: int) -> list[Envelope]:
    """The same over SSE."""
    found: list[Envelope] = []
    timeout = httpx.Timeout(HANG_SECONDS, read=0.2)
    headers = {"Last-Event-ID": str(seen)}
    with (
        suppress(httpx.ReadTimeout),
        httpx.stream("GET", f"{url}/v1/stream", headers=headers, timeout=timeout) as answer,
    ):
        for event in events_in(answer.iter_lines()):
            found.append(event)
            if len(found) >= most:
                break
    return found


def talk(url: str, stop: threading.Event) -> int:
    """Say things until stopped, and some in any case; how many were answered."""
    said = 0
    with plain_client(url) as client:
        while said < SAID or not stop.is_set():
            assert client.post("/v1/turns", json={"text": f"add a task: buy thing {said}", **WHEN}).status_code == 200
            said += 1
            time.sleep(0.1)
    return said


def test_after_many_cuts_every_event_came_once_and_in_order(servers: list[RunningServer]) -> None:
    chance, told, stop = random.Random(7), list[Envelope](), threading.Event()
    doors: list[Cut] = [cut_websocket, cut_sse]
    with ThreadPoolExecutor(2) as pool:
        talking = [pool.submit(talk, server.url, stop) for server in servers]
        for number in range(CUTS):
            seen = told[-1]["seq"] if told else 0
            told += doors[number % 2](chance.choice(servers).url, seen, chance.randrange(8))
        stop.set()
        said = sum(task.result() for task in talking)
    with plain_client(servers[0].url) as client:
        with whole_stream(client, after=0) as events:
            whole = until_done(events, said)
        seen = told[-1]["seq"] if told else 0
        if seen < whole[-1]["seq"]:
            with whole_stream(client, after=seen) as events:
                told += until_done(events, said - sum(event["type"] == "turn.done" for event in told))
    assert said >= 2 * SAID
    assert [event["seq"] for event in told] == list(range(1, len(told) + 1))
    assert told == whole


def say_over_rest(url: str, text: str) -> str:
    answer = httpx.post(f"{url}/v1/turns", json={"text": text, **WHEN}, timeout=HANG_SECONDS)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["reply"])


def say_over_sse(url: str, text: str) -> str:
    headers, body = {"Accept": "text/event-stream"}, {"text": text, **WHEN}
    with httpx.stream("POST", f"{url}/v1/turns", json=body, headers=headers, timeout=HANG_SECONDS) as answer:
        return reply_in(until_done(events_in(answer.iter_lines())))


def say_over_websocket(url: str, text: str) -> str:
    key = str(uuid4())
    with open_socket(url) as opened:
        send(opened, type="turn", text=text, idempotency_key=key, **WHEN)
        turn_id, mine = None, list[Envelope]()
        while not mine or mine[-1]["type"] != "turn.done":
            event = receive(opened)
            if event["data"].get("idempotency_key") == key:
                turn_id = event["turn_id"]
            mine += [event] if turn_id and event["turn_id"] == turn_id else []
    return reply_in(mine)


def reply_in(events: list[Envelope]) -> str:
    return str(next(event["data"]["reply"] for event in events if event["type"] == "reply.completed"))


def test_twenty_messages_at_once_over_every_door_are_answered_in_the_order_of_their_acknowledgement(
    servers: list[RunningServer],
) -> None:
    doors = [say_over_rest, say_over_sse, say_over_websocket]
    with ThreadPoolExecutor(MESSAGES) as pool:
        asked = [
            pool.submit(doors[number % 3], servers[number % 2].url, f"add a task: {ERRANDS[number]}")
            for number in range(MESSAGES)
        ]
        replies = [task.result() for task in asked]
    for number, reply in enumerate(replies):
        assert ERRANDS[number] in reply
    with plain_client(servers[1].url) as client, whole_stream(client, after=0) as events:
        told = until_done(events, MESSAGES)
    accepted, replied, done = (
        [event["turn_id"] for event in told if event["type"] == kind]
        for kind in ("turn.accepted", "reply.completed", "turn.done")
    )
    assert len(set(accepted)) == MESSAGES
    assert replied == accepted
    assert done == accepted
    with plain_client(servers[0].url) as client:
        assert len(client.get("/v1/todos", params={"limit": 200}).json()["items"]) == MESSAGES


def test_a_message_sent_again_to_another_server_is_the_same_message(servers: list[RunningServer]) -> None:
    frame = {"type": "turn", "text": "buy milk", "idempotency_key": str(uuid4()), **WHEN}
    with open_socket(servers[0].url) as opened:
        send(opened, **frame)
        first = receive(opened)
    with open_socket(servers[1].url, query=f"?last_seq={first['seq'] - 1}") as opened:
        send(opened, **frame)
        events = receive_until(opened, "turn.done")
    assert events[0] == first
    # What was told before the frame came is told again: it is the event of the same number, not another one.
    assert len({event["seq"] for event in events if event["type"] == "change.applied"}) == 1


def keep_large_events(database_url: str, count: int, size: int) -> None:
    """Events such as no reader takes in at once."""
    with psycopg.connect(database_url) as conn:
        conn.execute(
            """insert into summit.turn_events (user_id, seq, turn_id, type, data)
            select %s, n, null, 'reply.delta', jsonb_build_object('text', repeat('x', %s))
            from generate_series(1, %s) n""",
            (LOCAL_USER, size, count),
        )
        conn.execute("update summit.counters set event_seq = %s where user_id = %s", (count, LOCAL_USER))


def narrow(url: str) -> socket.socket:
    """A connection that takes in little at once."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    host, _, port = url.removeprefix("http://").rpartition(":")
    found.connect((host, int(port)))
    return found


def test_a_slow_reader_is_disconnected_with_a_reason_and_resumes(strict: RunningServer, database_url: str) -> None:
    count, size = 300, 50_000
    keep_large_events(database_url, count, size)
    told: list[int] = []
    with open_socket(strict.url, query="?last_seq=0", sock=narrow(strict.url), max_queue=1) as slow:
        wait_until(lambda: "route=/v1/ws" in strict.log.read_text(), "for the end of the request")
        with suppress(ConnectionClosed):
            while True:
                told.append(receive(slow)["seq"])
        assert slow.close_code == 4408
    assert 0 < len(told) < count
    with open_socket(strict.url, query=f"?last_seq={told[-1]}") as opened:
        while told[-1] < count:
            told.append(receive(opened)["seq"])
    assert told == list(range(1, count + 1))


def test_a_reader_that_is_gone_for_good_is_cut_off(strict: RunningServer, database_url: str) -> None:
    keep_large_events(database_url, 300, 50_000)
    gone = narrow(strict.url)
    port = gone.getsockname()[1]
    gone.sendall(
        b"GET /v1/ws?last_seq=0 HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    with gone:
        wait_until(lambda: port in ports_of_clients(strict))
        wait_until(lambda: port not in ports_of_clients(strict))


def ports_of_clients(server: RunningServer) -> set[int]:
    open_ones = psutil.Process(server.process.pid).net_connections("tcp")
    return {connection.raddr.port for connection in open_ones if connection.raddr}


def assert_every_connection_is_idle_at_once(database_url: str) -> None:
    """At some moment; a server's own short looks at its queues may be seen before it."""
    busy = """select count(*) from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and state <> 'idle'"""
    with psycopg.connect(database_url, autocommit=True) as conn:
        wait_until(lambda: conn.execute(busy).fetchone() == (0,), "for sockets that hold a connection to the database")


def test_fifty_idle_sockets_hold_no_database_connection(server: RunningServer, database_url: str) -> None:
    with ExitStack() as stack:
        sockets = [stack.enter_context(open_socket(server.url)) for _ in range(50)]
        assert_every_connection_is_idle_at_once(database_url)
        turn = httpx.post(f"{server.url}/v1/turns", json={"text": "buy milk", **WHEN}, timeout=HANG_SECONDS).json()
        assert turn["status"] == "done"
        for opened in sockets:
            assert {event["turn_id"] for event in receive_until(opened, "turn.done")} == {turn["id"]}


def test_a_server_that_stops_says_so_and_waits_for_nobody(server: RunningServer) -> None:
    with open_socket(server.url) as idle, open_socket(server.url) as busy, ExitStack() as stack:
        stack.enter_context(httpx.stream("GET", f"{server.url}/v1/stream", timeout=None))  # noqa: S113 - it does not leave
        send(busy, type="turn", text="buy milk", **WHEN)
        assert receive(busy)["type"] == "turn.accepted"
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        assert {close_code(idle), close_code(busy)} <= {1001, 1012}
        stopping.join()


def test_the_log_never_shows_a_key_or_what_was_said(server: RunningServer) -> None:
    key = "sk_summit_" + "A" * 43
    with suppress(Exception), open_socket(server.url, subprotocols=["summit.v1", f"summit.key.{key}"]):
        pass
    with open_socket(server.url) as opened:
        send(opened, type="turn", text="my password is swordfish", **WHEN)
        receive_until(opened, "turn.done")
        opened.send(json.dumps({"type": "turn", "text": "swordfish", "colour": "swordfish"}))
        assert receive(opened)["type"] == "error"
    server.stop()
    log = server.log.read_text()
    assert "route=/v1/ws" in log
    assert "swordfish" not in log
    assert key not in log

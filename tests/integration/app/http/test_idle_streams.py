"""Streams that wait hold no connection to the database: a few connections serve as many listeners as there are."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
from websockets.sync.client import ClientConnection

from tests.support.servers.live import open_socket, receive_until, send
from tests.support.servers.live_server import live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.waiting import wait_until

LISTENERS = 20
BUSY = """
select count(*) filter (where state <> 'idle'), count(*) from pg_stat_activity
where datname = current_database() and application_name = 'summit' and pid <> pg_backend_pid()
"""


def test_idle_streams_hold_no_connection(database_url: str, tmp_path: Path) -> None:
    settings = settings_for(database_url, tmp_path, pool_size=2, admin_key=None, heartbeat_seconds=2.0)
    with live_server(settings) as url, ExitStack() as stack, psycopg.connect(database_url, autocommit=True) as behind:
        sockets = [stack.enter_context(open_socket(url)) for _ in range(LISTENERS)]
        client = stack.enter_context(plain_client(url))
        turn = client.post("/v1/turns", json={"text": "add buy milk"}).json()["id"]
        for number in range(LISTENERS):
            path = "/v1/stream" if number % 2 else f"/v1/turns/{turn}/events?after=999"
            assert stack.enter_context(client.stream("GET", path)).status_code == 200
        # As they begin they look something up; later they look now and then, and for moments nobody does.
        wait_until(lambda: rests(behind))
        with plain_client(url) as other:
            assert all(other.post("/v1/todos", json={"task": f"task {n}"}).status_code == 201 for n in range(5))
        assert all(answers_past_events(socket) for socket in sockets[:3])
        opened = look(behind)[1]
    assert opened < LISTENERS, f"{opened} connections for {2 * LISTENERS} listeners"


def rests(behind: psycopg.Connection[Any]) -> bool:
    """Whether at least five of ten looks find no connection at work but the one that listens."""
    return sum(look(behind)[0] <= 1 for _ in range(10)) >= 5


def look(behind: psycopg.Connection[Any]) -> tuple[int, int]:
    """Connections of Summit that are at work now, and all of them."""
    [row] = behind.execute(BUSY).fetchall()
    return int(row[0]), int(row[1])


def answers_past_events(socket: ClientConnection) -> bool:
    """Whether a websocket is alive, behind whatever it was told."""
    send(socket, type="ping")
    return bool(receive_until(socket, "pong"))

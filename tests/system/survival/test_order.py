"""Twenty messages at once on one thread, at two servers: twenty replies in the order of acknowledgement."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import psycopg

from tests.support.errands import ERRANDS
from tests.survival.fleet import database_url, insist, last_server
from tests.survival.invariants import broken

MESSAGES = 20
Door = Callable[[str, str, str], dict[str, Any]]


def rest(url: str, text: str, key: str) -> dict[str, Any]:
    """Say something and wait for the turn."""
    return insist(url, text, key)


DOORS: list[Door] = [rest]
"""Every way to say something: (url, text, key) -> the finished turn with its id and reply."""


def test_messages_at_once_are_answered_in_the_order_of_their_acknowledgement(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    with last_server(data_dir) as one, last_server(data_dir) as two, ThreadPoolExecutor(MESSAGES) as pool:
        ways = islice(zip(cycle([one.url, two.url]), cycle(DOORS)), MESSAGES)
        said = [
            pool.submit(door, url, f"add a task: {errand}", f"key-{number}")
            for number, (errand, (url, door)) in enumerate(zip(ERRANDS, ways, strict=False))
        ]
        turns = [future.result() for future in said]
        assert broken(database_url(data_dir)) == []
        with psycopg.connect(database_url(data_dir)) as conn:
            rows = conn.execute("select id::text, finished_at from summit.turns order by seq").fetchall()
    assert [turn["status"] for turn in turns] == ["done"] * MESSAGES
    assert all(errand in turn["reply"] for errand, turn in zip(ERRANDS, turns, strict=False))
    assert {turn["id"] for turn in turns} == {turn_id for turn_id, _ in rows}
    assert [ended for _, ended in rows] == sorted(ended for _, ended in rows)

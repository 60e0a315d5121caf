"""People who talk at once, each a user of their own, and send again until they are answered."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from tests.survival.fleet import ADMIN_KEY, ONE, THREE, insist, trust

SETTINGS = {"SUMMIT_ADMIN_KEY": ADMIN_KEY}
ANSWER_SECONDS = 600.0  # several restarts may come between, which take long on a busy machine
MESSAGES = {THREE: ["event", "note", "todo"], ONE: ["todo"]}
"""What is said, and the kinds of what it asks for."""


@dataclass
class Address:
    """Where the living server is, if one is; clients look before each attempt."""

    url: str = "http://127.0.0.1:9"

    def __str__(self) -> str:
        return self.url


@dataclass(frozen=True)
class Said:
    """A message that was answered: its turn, how that ended, and the kinds that were asked for and changed."""

    key: str
    turn: str
    status: str
    reply: str
    wanted: list[str]
    changed: list[str]


def talk(address: Address, over: threading.Event, api_key: str, client: int) -> list[Said]:
    """Say three things at once, then one, and so on; the next message is sent once the last is answered.

    Every other client trusts the acknowledgement and sends nothing twice after it.
    """
    ask = trust if client % 2 else insist
    said: list[Said] = []
    while not over.is_set():
        text, wanted = [*MESSAGES.items()][len(said) % len(MESSAGES)]
        key = f"{client}-{len(said)}"
        turn = ask(address, text, key, seconds=ANSWER_SECONDS, api_key=api_key)
        changed = sorted(change["kind"] for change in turn["changes"] if change["status"] == "applied")
        said.append(Said(key, turn["id"], turn["status"], turn["reply"], wanted, changed))
    return said


def unlike_asked(said: Sequence[Said]) -> list[str]:
    """Messages of which a part is missing or was done twice, and turns that answered two of them."""
    wrong = [
        f"{one.key} is {one.status} with {one.changed} of {one.wanted}: {one.reply!r}"
        for one in said
        if (one.status, one.changed) != ("done", one.wanted)
    ]
    return wrong + (["two messages, one turn"] if len({one.turn for one in said}) < len(said) else [])

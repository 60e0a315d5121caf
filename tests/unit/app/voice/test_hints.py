from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from agents.records import AnyRecord, Kind, Note, Profile, ToDo
from app.database.model import Page
from app.voice.speech.hints import COMMANDS, MOST_CHARS, LikelyWords, prompt_of
from tests.support.ledgers import NOW

RECORD = {"id": "0123456789", "created_at": NOW, "updated_at": NOW}


class Shelf:
    """Three records of one user."""

    def __init__(self, user: UUID) -> None:
        self._user = user
        self._records: dict[Kind, list[AnyRecord]] = {
            "profile": [Profile(**RECORD, name="Siobhán")],
            "todo": [ToDo(**RECORD, task="Water the  monstera", list="Garden")],
            "note": [Note(**RECORD, category="list", summary="Groceries", items=["gochujang"])],
        }

    async def get(self, user_id: UUID, kind: Kind, record_id: str) -> AnyRecord | None:
        raise AssertionError

    async def list(self, user_id: UUID, kind: Kind, filters: dict[str, Any], limit: int, cursor: str | None) -> Page:
        return Page(self._records.get(kind, []) if user_id == self._user else [], None)


async def test_the_users_own_names_come_before_the_usual_commands() -> None:
    user = uuid4()
    own = LikelyWords(Shelf(user), own_names=True)
    assert await own.prompt(user) == f"Siobhán, Water the monstera, Garden, Groceries, gochujang. {COMMANDS}"
    assert await own.prompt(uuid4()) == COMMANDS
    assert await LikelyWords(Shelf(user), own_names=False).prompt(user) == COMMANDS


def test_a_prompt_has_room_for_a_few_names_only() -> None:
    prompt = prompt_of(["short", "x" * MOST_CHARS, "", *(f"name {number}" for number in range(500)), "short"])
    assert prompt.startswith("short, name 0, name 1")
    assert len(prompt) <= MOST_CHARS + len(COMMANDS) + 2
    assert prompt.count("short") == 1

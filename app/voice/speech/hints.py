"""Words that are likely in a clip: an engine that knows them mishears less."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from agents.records import Event, Kind, Note, Profile, ToDo
from app.records.model.records import RecordReader

COMMANDS = (
    "Undo that. Add milk to my shopping list. Book the dentist on Friday at 3 p.m. Buy bread. "
    "Move it to 10:30. Snooze it. Remind me on Thursday. Mark it as done. Cancel that."
)
"""What people say to an assistant; no bare yes or no, which a doubtful sound must not turn into."""

HINT_KINDS: tuple[Kind, ...] = ("profile", "todo", "event", "note")
LATEST_RECORDS = 8
"""Records of a kind."""

MOST_CHARS = 400
"""Whisper reads at most 224 tokens before a clip."""


def prompt_of(names: Iterable[str]) -> str:
    """A prompt of usual commands and of the user's own names, the first ones first, as many as there is room for."""
    chosen: list[str] = []
    room = MOST_CHARS
    for name in dict.fromkeys(" ".join(name.split()) for name in names):
        if name and len(name) + 2 <= room:
            chosen.append(name)
            room -= len(name) + 2
    return f"{', '.join(chosen)}. {COMMANDS}" if chosen else COMMANDS


class LikelyWords:
    """The words that one user probably says, as a prompt for the engine."""

    def __init__(self, records: RecordReader, *, own_names: bool) -> None:
        self._records = records
        self._own_names = own_names

    async def prompt(self, user_id: UUID) -> str:
        """Usual commands, after the user's latest items, lists and names where the setting allows it."""
        return prompt_of(await self._names(user_id) if self._own_names else ())

    async def _names(self, user_id: UUID) -> list[str]:
        latest = {"sort": "-updated"}
        pages = [await self._records.list(user_id, kind, latest, LATEST_RECORDS, None) for kind in HINT_KINDS]
        return [name for page in pages for record in page.items for name in _names_of(record)]


def _names_of(record: object) -> list[str]:
    match record:
        case Profile():
            return [record.name] if record.name else []
        case ToDo():
            return [record.task, *([record.list] if record.list else [])]
        case Event():
            return [record.title]
        case Note():
            return [record.summary, *(item.text for item in record.items[:LATEST_RECORDS])]
    return []

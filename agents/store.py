"""Typed, paging reads over LangGraph's store; every namespace is made here.

Only ``asearch`` and ``aget`` are used: adapters may serve each call under the principal of its caller.
"""

from __future__ import annotations

from typing import TypeVar

from langgraph.store.base import BaseStore

from agents.ports import Records
from agents.records import PROFILE_ID, AnyRecord, Event, Instruction, Kind, Note, Profile, ToDo

PAGE = 200
R = TypeVar("R", ToDo, Event, Note, Instruction)


def namespace(kind: Kind, user_id: str) -> tuple[str, str]:
    """Where a user's records of one kind live; the second label is always the user's uuid."""
    return (kind, user_id)


async def read_all(store: BaseStore, kind: Kind, user_id: str, model: type[R]) -> list[R]:
    """Every record of one kind, page by page: the store's own default stops at 10."""
    found: list[R] = []
    while True:
        page = await store.asearch(namespace(kind, user_id), limit=PAGE, offset=len(found))
        found += [model.model_validate(item.value) for item in page]
        if len(page) < PAGE:
            return found


async def read_one(
    store: BaseStore, kind: Kind, user_id: str, record_id: str, model: type[AnyRecord]
) -> AnyRecord | None:
    """One record, or None."""
    item = await store.aget(namespace(kind, user_id), record_id)
    return model.model_validate(item.value) if item else None


async def read_records(store: BaseStore, user_id: str) -> Records:
    """What the router sees: open and finished tasks, events, notes, the profile and the instructions."""
    profile = await store.aget(namespace("profile", user_id), PROFILE_ID)
    return Records(
        todos=await read_all(store, "todo", user_id, ToDo),
        events=await read_all(store, "event", user_id, Event),
        notes=await read_all(store, "note", user_id, Note),
        instructions=await read_all(store, "instruction", user_id, Instruction),
        profile=Profile.model_validate(profile.value) if profile else None,
    )

"""Records as the doors take them: filters of a list, and bodies in which every field is optional."""

from __future__ import annotations

import copy
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from agents.records import (
    EventFields,
    InstructionFields,
    Kind,
    Line,
    NoteCategory,
    NoteFields,
    NoteStatus,
    ProfileFields,
    ToDoFields,
    TodoStatus,
    When,
    storable,
)
from app.http.schemas import LARGEST_PAGE, Document, Number

# A plus sign in a query string means a space; people forget to write %2B.
LOST_PLUS = re.compile(r" (?=\d\d:\d\d$)")
SORT_DESCRIPTION = "`-` turns it round."
Words = Annotated[str, Field(min_length=1, max_length=200), BeforeValidator(storable)]


def _mend_offset(value: object) -> object:
    return LOST_PLUS.sub("+", value) if isinstance(value, str) else value


Moment = Annotated[When, BeforeValidator(_mend_offset)]


class Filters(Document):
    """What every list understands."""

    limit: Number = Field(50, ge=1, le=LARGEST_PAGE, description="Most items on a page.")
    cursor: Line | None = Field(None, description="`next` of the page before.")
    q: Words | None = Field(None, description="Only items that contain these words.")


class TodoFilters(Filters):
    """Which tasks, in which order."""

    status: TodoStatus | None = None
    due_before: Moment | None = Field(None, description="Only tasks with a deadline before this day or instant.")
    list: Words | None = None
    tag: Words | None = None
    sort: Literal["created", "-created", "updated", "-updated", "deadline", "-deadline", "priority", "-priority"] = (
        Field("-created", description=SORT_DESCRIPTION)
    )


class EventFilters(Filters):
    """Which appointments, in which order."""

    model_config = ConfigDict(populate_by_name=True)

    since: Moment | None = Field(None, alias="from", description="Only events that end at or after this.")
    until: Moment | None = Field(None, alias="to", description="Only events that start before this.")
    sort: Literal["created", "-created", "updated", "-updated", "start", "-start"] = Field(
        "-created", description=SORT_DESCRIPTION
    )


class NoteFilters(Filters):
    """Which notes, in which order."""

    status: NoteStatus | None = None
    category: NoteCategory | None = None
    due_before: Moment | None = Field(None, description="Only notes with a deadline before this day or instant.")
    tag: Words | None = None
    sort: Literal["created", "-created", "updated", "-updated", "deadline", "-deadline", "priority", "-priority"] = (
        Field("-created", description=SORT_DESCRIPTION)
    )


class InstructionFilters(Filters):
    """Which instructions, in which order."""

    sort: Literal["created", "-created", "updated", "-updated"] = Field("-created", description=SORT_DESCRIPTION)


def optional(fields: type[BaseModel], name: str) -> type[BaseModel]:
    """The same fields with none required; what is left out stays as it is."""
    loose: dict[str, Any] = {}
    for field_name, info in fields.model_fields.items():
        field = copy.copy(info)
        field.default = None
        loose[field_name] = (info.annotation, field)
    config = ConfigDict(extra="forbid", json_schema_extra=_without_defaults)
    return create_model(name, __config__=config, __doc__=f"The fields to change. {fields.__doc__}", **loose)


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


ToDoPatch = optional(ToDoFields, "ToDoPatch")
EventPatch = optional(EventFields, "EventPatch")
NotePatch = optional(NoteFields, "NotePatch")
InstructionPatch = optional(InstructionFields, "InstructionPatch")
ProfilePatch = optional(ProfileFields, "ProfilePatch")
PATCHES: dict[Kind, type[BaseModel]] = {
    "todo": ToDoPatch,
    "event": EventPatch,
    "note": NotePatch,
    "instruction": InstructionPatch,
    "profile": ProfilePatch,
}

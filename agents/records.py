"""What is remembered: to-dos, events, notes, the profile and standing instructions."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
    StrictBool,
    WithJsonSchema,
    model_validator,
)

from agents.recurrence.rules import is_rule

Kind = Literal["todo", "event", "note", "profile", "instruction", "memo"]
SaidKind = Literal["todo", "event", "note", "profile", "instruction"]
RECORD_KINDS: tuple[SaidKind, ...] = ("todo", "event", "note", "profile", "instruction")
"""What a message may change; a memo is changed by its own door."""

FIRST_YEAR, LAST_YEAR = 1970, 2199
PROFILE_ID = "profile"
DAY_FORM = "must be a day such as 2026-11-18"
INSTANT_FORM = "must be an instant with its offset such as 2026-11-18T17:00:00+01:00"
WHEN_FORM = f"{DAY_FORM}, or an instant with its offset such as 2026-11-18T17:00:00+01:00"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
D = TypeVar("D", bound=date)


def _when(value: object) -> datetime | date:
    """Ten characters are a day, anything longer must be an instant: pydantic alone would read a day as a midnight."""
    moment = _read_when(value) if isinstance(value, str) else value
    if not isinstance(moment, date) or (isinstance(moment, datetime) and moment.tzinfo is None):
        raise ValueError(WHEN_FORM)
    return _within_reach(moment)


def _read_when(text: str) -> datetime | date:
    try:
        return date.fromisoformat(text) if len(text) == len("2026-11-18") else datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(WHEN_FORM) from error


def _no_number(form: str, sign: str) -> BeforeValidator:
    """Only text with ``sign`` in it: pydantic alone would read 0 and "20261118" as seconds since 1970."""

    def check(value: object) -> object:
        if not isinstance(value, date) and not (isinstance(value, str) and sign in value):
            raise ValueError(form)
        return value

    return BeforeValidator(check)


def _only_day(value: object) -> object:
    if isinstance(value, str) and len(value) != len("2026-11-18"):
        raise ValueError(DAY_FORM)
    return value


def _when_text(value: date) -> str:
    return value.isoformat().replace("+00:00", "Z")


def _within_reach(value: D) -> D:
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"must lie between {FIRST_YEAR} and {LAST_YEAR}")
    return value


def _known_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("must be an IANA time zone such as Europe/Lisbon") from error
    return value


def storable(value: object) -> object:
    """Raises ValueError for text that no database can keep."""
    if isinstance(value, str) and UNSTORABLE.search(value):
        raise ValueError("must be text without NUL characters or lone surrogates")
    return value


CADENCES = {
    "daily": "FREQ=DAILY",
    "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "weekly": "FREQ=WEEKLY",
    "monthly": "FREQ=MONTHLY",
}


def _one_rule(value: str) -> str:
    rule = CADENCES.get(value.strip().lower()) or value.upper().removeprefix("RRULE:")
    if not is_rule(rule):
        raise ValueError("must be one RFC 5545 rule such as FREQ=WEEKLY;BYDAY=MO, or daily, weekdays, weekly, monthly")
    return rule


def visible(value: str) -> bool:
    """Whether a text has a letter that can be seen."""
    return any(letter.isprintable() and not letter.isspace() for letter in value)


def _saying(value: str) -> str:
    if not visible(value):
        raise ValueError("must say something")
    return value


Text = Annotated[str, BeforeValidator(storable)]
# Lengths come before the other checks: behind one they would be counted in "items".
Title = Annotated[str, Field(min_length=1, max_length=500), BeforeValidator(storable), AfterValidator(_saying)]
Body = Annotated[str, Field(max_length=100_000), BeforeValidator(storable)]
Name = Annotated[str, Field(max_length=200), BeforeValidator(storable)]
Fact = Annotated[str, Field(max_length=300), BeforeValidator(storable)]
Line = Annotated[str, Field(max_length=500), BeforeValidator(storable)]
Wish = Annotated[str, Field(min_length=1, max_length=2000), BeforeValidator(storable), AfterValidator(_saying)]
Zone = Annotated[str, AfterValidator(_known_zone)]
Rule = Annotated[str, Field(max_length=500), AfterValidator(_one_rule)]
Instant = Annotated[AwareDatetime, _no_number(INSTANT_FORM, ":"), AfterValidator(_within_reach)]
When = Annotated[
    datetime | date,
    PlainValidator(_when),
    PlainSerializer(_when_text, when_used="json"),
    WithJsonSchema({"type": "string", "anyOf": [{"format": "date"}, {"format": "date-time"}], "title": "When"}),
]
"""A day (``YYYY-MM-DD``) or an instant (RFC 3339 with offset): the form states the precision."""

Day = Annotated[date, BeforeValidator(_only_day), _no_number(DAY_FORM, "-")]
PlainDay = Annotated[Day, AfterValidator(_within_reach)]
Tags = Annotated[list[Title], Field(max_length=50)]
Steps = Annotated[list[Title], Field(max_length=20)]
Level = Literal["low", "medium", "high"]
Difficulty = Literal["easy", "medium", "hard"]
TodoStatus = Literal["not started", "in progress", "done", "archived"]
NoteStatus = Literal["active", "snoozed", "completed", "archived"]
NoteCategory = Literal["note", "idea", "list", "question", "thought"]


class Source(BaseModel):
    """Where a record came from: the turn and the words that caused it."""

    model_config = ConfigDict(extra="forbid")

    turn_id: str | None = None
    words: Body = ""
    memo_id: str | None = None


class Record(BaseModel):
    """What every record carries; the ledger alone writes these."""

    model_config = ConfigDict(extra="forbid")

    id: str
    version: int = 1
    created_at: AwareDatetime
    updated_at: AwareDatetime
    source: Source = Source()


class ToDoFields(BaseModel):
    """What people may say about a task."""

    model_config = ConfigDict(extra="forbid")

    task: Title
    kind: Literal["todo", "reminder", "habit"] = "todo"
    status: TodoStatus = "not started"
    deadline: When | None = None
    zone: Zone | None = None
    priority: Level | None = None
    difficulty: Difficulty | None = None
    time_to_complete: Annotated[int, Field(strict=True, ge=1, le=60 * 24 * 365)] | None = Field(
        None, description="Minutes."
    )
    solutions: Steps = []
    done_steps: Steps = Field([], description="The texts of those `solutions` that are done.")
    recurrence: Rule | None = None
    remind_at: Instant | None = None
    snooze_until: When | None = None
    notes: Body = ""
    list: Name | None = None
    tags: Tags = []


DEFAULT_EVENT_LENGTH = timedelta(minutes=60)


class EventFields(BaseModel):
    """What people may say about an appointment; an all-day event's end is its inclusive last day."""

    model_config = ConfigDict(extra="forbid")

    title: Title
    start: When
    end: When | None = None
    zone: Zone | None = None
    all_day: StrictBool = False
    color: Annotated[str, Field(pattern="^#[0-9a-f]{6}$")] = "#1a73e8"
    recurrence: Rule | None = None
    exdates: Annotated[list[When], Field(max_length=1000)] = []
    task_id: str | None = None
    location: Line | None = None
    notes: Body = ""
    busy: StrictBool = True

    @model_validator(mode="after")
    def _ends_after_it_starts(self) -> EventFields:
        timed = isinstance(self.start, datetime)
        if self.end is not None and isinstance(self.end, datetime) != timed:
            raise ValueError("start and end must both be days or both be instants")
        if timed and self.all_day:
            raise ValueError("an all-day event has days (YYYY-MM-DD), not instants")
        self.all_day = not timed
        if self.end is not None and (self.end < self.start or (timed and self.end == self.start)):
            raise ValueError("end must come after start")
        return self


class ListItem(BaseModel):
    """One line of a list."""

    model_config = ConfigDict(extra="forbid")

    text: Title
    done: StrictBool = False

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return {"text": value} if isinstance(value, str) else value


class OrText:
    """Documents that a line may be sent as its text alone; it always comes back whole."""

    def __get_pydantic_json_schema__(self, core: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The schema of what is sent or of what comes back."""
        whole = handler(core)
        return {"anyOf": [{"type": "string"}, whole]} if handler.mode == "validation" else whole


class NoteFields(BaseModel):
    """A note, idea, list, question or thought."""

    model_config = ConfigDict(extra="forbid")

    category: NoteCategory = "note"
    summary: Name = ""
    content: Body = ""
    items: Annotated[list[Annotated[ListItem, OrText()]], Field(max_length=10_000)] = []
    status: NoteStatus = "active"
    priority: Level | None = None
    deadline: When | None = Field(None, description="When you are told of it; on a day without a clock, that morning.")
    zone: Zone | None = None
    recurrence: Rule | None = Field(None, description="An RFC 5545 rule, or daily, weekdays, weekly, monthly.")
    snooze_until: When | None = None
    tags: Tags = []

    @model_validator(mode="after")
    def _says_something(self) -> NoteFields:
        if not (visible(self.summary) or visible(self.content) or self.items):
            raise ValueError("a note needs a summary, content or items")
        return self


class ProfileFields(BaseModel):
    """Who the user is; ``facts`` holds everything without a field of its own."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = None
    location: Name | None = None
    job: Fact | None = None
    college: Fact | None = None
    course: Fact | None = None
    interests: Annotated[list[Title], Field(max_length=200)] = []
    facts: Annotated[dict[Title, Title], Field(max_length=500)] = {}
    since: Annotated[dict[Title, PlainDay], Field(max_length=500)] = Field(
        {}, description="The day from which a fact holds, by the fact's name, where one was stated."
    )


class InstructionFields(BaseModel):
    """A standing wish on how the assistant should work; ``policy`` is set where code enforces it."""

    model_config = ConfigDict(extra="forbid")

    text: Wish
    policy: dict[str, Any] | None = None


class MemoFields(BaseModel):
    """What a user may say about a memo; its words are a version of its transcript, named and never copied."""

    model_config = ConfigDict(extra="forbid")

    title: Name = ""
    transcript_id: str | None = None
    external_id: Name | None = None
    captured_at: Instant
    timezone: Zone | None = None


class ToDo(ToDoFields, Record):
    """One task, reminder or habit."""


class Event(EventFields, Record):
    """One appointment or series."""


class Note(NoteFields, Record):
    """One note."""


class Profile(ProfileFields, Record):
    """The user's profile; there is one, with the id ``profile``."""


class Instruction(InstructionFields, Record):
    """One standing instruction."""


class MemoRecord(MemoFields, Record):
    """One memo as the ledger knows it."""


AnyRecord = ToDo | Event | Note | Profile | Instruction | MemoRecord
RECORD_TYPES: dict[Kind, type[AnyRecord]] = {
    "todo": ToDo,
    "event": Event,
    "note": Note,
    "profile": Profile,
    "instruction": Instruction,
    "memo": MemoRecord,
}
FIELD_TYPES: dict[Kind, type[BaseModel]] = {
    "todo": ToDoFields,
    "event": EventFields,
    "note": NoteFields,
    "profile": ProfileFields,
    "instruction": InstructionFields,
    "memo": MemoFields,
}


NAMED_BY = {"todo": "task", "event": "title", "instruction": "text"}


def title_of(kind: Kind, record: dict[str, Any]) -> str:
    """The words that name a record, given as its JSON form."""
    if kind == "profile":
        return "your profile"
    if kind == "note":
        return str(record.get("summary") or record.get("content") or "list")[:120]
    if kind == "memo":
        return str(record.get("title") or f"memo of {str(record.get('captured_at', ''))[:10]}")
    return str(record[NAMED_BY[kind]])

"""The rules that an instruction may compile to, as they are stored with it and shown to clients."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from agents.contract import Op
from agents.conventions import WallClock, Weekday
from agents.records import Kind

DayEnd = Annotated[str, Field(pattern=r"^(([01]\d|2[0-3]):[0-5]\d|24:00)$")]
Words = tuple[Annotated[str, Field(min_length=1, max_length=60)], ...]


FIELDS_OF: dict[Kind, tuple[str, ...]] = {
    "todo": ("priority", "time_to_complete"),
    "event": ("duration", "remind_before"),
}
"""What a rule can give a new item."""


class RuleBase(BaseModel):
    """Frozen and closed: a rule is compared and stored as it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ConfirmBefore(RuleBase):
    """These operations on these kinds wait for a confirmation; an empty list means all kinds but instructions."""

    rule: Literal["confirm_before"] = "confirm_before"
    ops: tuple[Op, ...] = Field(min_length=1)
    kinds: tuple[Kind, ...] = ()
    days: tuple[Weekday, ...] = Field((), description="Only items on these days of the week.")
    about: Words = Field((), description="Only items that have at least half of these words.")


class Default(RuleBase):
    """What a new item gets when nothing else was said.

    ``value`` is a level for priority, minutes for time_to_complete, duration and remind_before; null estimates it.
    """

    rule: Literal["default"] = "default"
    kind: Literal["todo", "event"]
    field: Literal["priority", "time_to_complete", "duration", "remind_before"]
    value: Literal["low", "medium", "high"] | Annotated[int, Field(ge=1, le=60 * 24 * 14)] | None = None
    about: Words = Field((), description="Only items that have at least half of these words.")
    urgent: bool = Field(default=False, description="Only items that were called urgent.")

    @model_validator(mode="after")
    def _kind_has_it(self) -> Self:
        if self.field not in FIELDS_OF[self.kind]:
            raise ValueError(f"the default of a new {self.kind} is its {' or '.join(FIELDS_OF[self.kind])}")
        return self


class TimeLimit(RuleBase):
    """A stretch of the day in which nothing is scheduled; no days means every day."""

    rule: Literal["time_limit"] = "time_limit"
    kinds: tuple[Literal["event", "todo"], ...] = ("event",)
    days: tuple[Weekday, ...] = ()
    start: WallClock = "00:00"
    end: DayEnd = "24:00"
    about: Words = Field((), description="Only items that have one of these words.")


class AskOnConflict(RuleBase):
    """An event that overlaps with another waits for a confirmation."""

    rule: Literal["ask_on_conflict"] = "ask_on_conflict"


class QuietTime(RuleBase):
    """When nothing nudges; the end may lie on the next day."""

    rule: Literal["quiet_hours"] = "quiet_hours"
    start: WallClock
    end: WallClock


class Tone(RuleBase):
    """How replies sound: short says only the facts, long the details too; ``plain`` without emojis."""

    rule: Literal["tone"] = "tone"
    length: Literal["short", "long"] | None = None
    plain: bool = False


Rule = Annotated[ConfirmBefore | Default | TimeLimit | AskOnConflict | QuietTime | Tone, Field(discriminator="rule")]


class Policy(RuleBase):
    """What one instruction compiles to."""

    rules: tuple[Rule, ...] = Field(min_length=1, max_length=20)


class Standing(RuleBase):
    """An instruction in force: for what was said from place ``since`` on and before place ``until``."""

    text: str
    rules: tuple[Rule, ...]
    since: int = -1
    until: int | None = None

    def covers(self, place: int) -> bool:
        """Whether it was in force for what was said at a place."""
        return place >= self.since and (self.until is None or place < self.until)


def rules_in(policy: dict[str, Any] | None) -> tuple[Rule, ...]:
    """The rules of a stored policy; none when it is not (or no longer) one."""
    try:
        return Policy.model_validate(policy).rules if policy else ()
    except ValidationError:
        return ()

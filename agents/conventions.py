"""What everyday words about time mean to a user: settings, with defaults for everyone."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import time
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


@cache
def holiday_countries() -> frozenset[str]:
    """The ISO 3166 codes of the countries whose public holidays are known."""
    from holidays import list_supported_countries

    return frozenset(code for code in list_supported_countries() if len(code) == len("PT"))


def _known_country(value: str) -> str:
    if value.upper() not in holiday_countries():
        raise ValueError("must be an ISO 3166 country code such as PT, of a country whose holidays are known")
    return value.upper()


def _in_order(days: tuple[Weekday, ...]) -> tuple[Weekday, ...]:
    return tuple(sorted(set(days), key=_WEEK.index))


_WEEK: tuple[Weekday, ...] = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WallClock = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["09:00"])]
"""A time of day on 24 hours, HH:MM."""
Country = Annotated[str, AfterValidator(_known_country)]
WorkingDays = Annotated[tuple[Weekday, ...], Field(min_length=1, max_length=7), AfterValidator(_in_order)]


class Conventions(BaseModel):
    """What the words of one user mean. The defaults are those of a user who has set nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    week_start: Literal["monday", "sunday"] = Field("monday", description="The first day of a week.")
    morning: WallClock = Field("09:00", description='What "in the morning" means as a point in time.')
    noon: WallClock = Field("12:00", description='What "at noon" means.')
    afternoon: WallClock = Field("15:00", description='What "in the afternoon" means.')
    evening: WallClock = Field("19:00", description='What "in the evening" means.')
    tonight: WallClock = Field("20:00", description='What "tonight" means.')
    first_morning_hour: int = Field(
        7,
        strict=True,
        ge=1,
        le=12,
        description="A bare hour from this one to 11 is before noon; an earlier one is after noon.",
    )
    business_holidays: Country | None = Field(
        None, description="Country whose public holidays are no business days; null skips weekends only."
    )
    working_start: WallClock = Field("09:00", description="When working hours begin.")
    working_end: WallClock = Field(
        "18:00", description='When working hours end, which is what "at the end of the day" means.'
    )
    working_days: WorkingDays = Field(_WEEK[:5], description="The days that are worked on.")
    clock: Literal["24h", "12h"] | None = Field(
        None, description="On how many hours replies tell times of the day; null means 24."
    )

    @model_validator(mode="after")
    def _works_forward(self) -> Conventions:
        if self.working_end <= self.working_start:
            raise ValueError("working_end must come after working_start")
        return self

    @property
    def working_weekdays(self) -> tuple[int, ...]:
        """The working days as numbers, Monday is 0."""
        return tuple(_WEEK.index(day) for day in self.working_days)


class QuietHours(BaseModel):
    """When nobody wants to be nudged; an end before the start lies on the next day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: WallClock
    end: WallClock

    @model_validator(mode="after")
    def _lasts(self) -> QuietHours:
        if self.start == self.end:
            raise ValueError("start and end must differ")
        return self

    def cover(self, clock: time) -> bool:
        """Whether a time of day lies in the quiet hours; the end is outside."""
        said = f"{clock:%H:%M}"
        if self.start < self.end:
            return self.start <= said < self.end
        return said >= self.start or said < self.end


def as_time(clock: str) -> time:
    """A time of day written HH:MM."""
    return time.fromisoformat(clock)


def conventions_from(stored: Mapping[str, Any] | None) -> Conventions:
    """The conventions that were stored; what no longer fits counts as never set, since a message has to be answered."""
    try:
        return Conventions.model_validate(dict(stored or {}))
    except ValidationError:
        return Conventions()

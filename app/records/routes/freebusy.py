"""When the user is busy and when free: for other programs, and without saying with what."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from agents.ledger.free_slots import clock_on_day, first_free_slots, gaps, working_spans
from agents.recurrence.expand import OccurrenceSpan
from app.errors import InvalidInput
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant, provide
from app.http.schemas import Document, Number
from app.http.zone import customs_of_user
from app.records.routes.schemas import Moment
from app.records.store.busy_time import BusyReader

ProvidedBusy = Annotated[BusyReader, Depends(provide(BusyReader))]

OPENINGS = 3
DAY_MINUTES = 24 * 60
router = APIRouter(prefix="/v1/freebusy", tags=["events"], route_class=StrictRoute)


class FreeBusyQuery(Document):
    """Which time."""

    model_config = ConfigDict(populate_by_name=True)

    since: Moment = Field(alias="from", description="An instant, or a day, which means its beginning in your zone.")
    until: Moment = Field(alias="to", description="Where it ends, exclusive: an instant, or the beginning of a day.")
    minutes: Number = Field(
        30, ge=1, le=DAY_MINUTES, description="Length of the openings to look for in your working hours."
    )


class Period(BaseModel):
    """A stretch of time; `end` is exclusive."""

    start: AwareDatetime
    end: AwareDatetime


class FreeBusyView(BaseModel):
    """Busy and free time, in the user's zone."""

    timezone: str
    busy: list[Period] = Field(description="Merged, earliest first; recurring and imported events count.")
    free: list[Period] = Field(description="All that is not busy, nights included.")
    openings: list[Period] = Field(description="The first free times of `minutes` in working hours, three at most.")


@router.get("", operation_id="get_freebusy", summary="When you are free")
async def get_freebusy(
    asked: Annotated[FreeBusyQuery, Query()], services: Provided, busy: ProvidedBusy, user_id: Tenant
) -> FreeBusyView:
    """Busy and free time between two moments, and the first openings of a length.

    Recurring and imported events count; events with `busy: false` do not.
    """
    name, conventions = await customs_of_user(services, user_id)
    zone = ZoneInfo(name)
    within = OccurrenceSpan(instant_of(asked.since, zone), instant_of(asked.until, zone))
    check_period(within, services.settings.freebusy_days)
    taken = [_cut(span, within) for span in await busy.busy_spans(user_id, within)]
    first = within.start.astimezone(zone).date()
    days = (within.end.astimezone(zone).date() - first).days + 1
    hours = [_cut(span, within) for span in working_spans(first, days, zone, conventions) if span.overlaps(within)]
    found = first_free_slots(taken, timedelta(minutes=asked.minutes), within.start, hours, OPENINGS)
    return FreeBusyView(
        timezone=name,
        busy=[_period(span, zone) for span in taken],
        free=[_period(span, zone) for span in gaps(within, taken)],
        openings=[_period(span, zone) for span in found],
    )


def instant_of(moment: datetime | date, zone: ZoneInfo) -> datetime:
    """An instant, or the beginning of a day in a zone."""
    return moment.astimezone(UTC) if isinstance(moment, datetime) else clock_on_day(moment, time(), zone)


def check_period(within: OccurrenceSpan, most_days: int) -> None:
    """Raises InvalidInput for a time that ends before it begins, or is too long."""
    if within.end <= within.start:
        raise InvalidInput("`to` must come after `from`.", hint="Give the later moment as `to`; it is exclusive.")
    if within.end - within.start > timedelta(days=most_days):
        raise InvalidInput(f"At most {most_days} days can be asked for at once.", hint="Ask for a shorter time.")


def _cut(span: OccurrenceSpan, within: OccurrenceSpan) -> OccurrenceSpan:
    return OccurrenceSpan(max(span.start, within.start), min(span.end, within.end))


def _period(span: OccurrenceSpan, zone: ZoneInfo) -> Period:
    return Period(start=span.start.astimezone(zone), end=span.end.astimezone(zone))

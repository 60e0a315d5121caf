"""What takes place when: series one by one, and the appointments of imported calendars beside one's own."""

from __future__ import annotations

from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from agents.recurrence.expand import OccurrenceSpan
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Tenant
from app.http.schemas import Document, Listing
from app.http.zone import customs_of_user
from app.records.model.busy import Occurrence
from app.records.routes.freebusy import ProvidedBusy, check_period, instant_of
from app.records.routes.schemas import Moment

router = APIRouter(prefix="/v1/occurrences", tags=["events"], route_class=StrictRoute)
MAX_FREE_BUSY_ITEMS = 1000


class OccurrencesQuery(Document):
    """Which time."""

    model_config = ConfigDict(populate_by_name=True)

    since: Moment = Field(alias="from", description="An instant, or a day, which means its beginning in your zone.")
    until: Moment = Field(alias="to", description="Where it ends, exclusive: an instant, or the beginning of a day.")


class OccurrenceView(BaseModel):
    """One time at which an event takes place; `end` is exclusive."""

    event_id: str | None = Field(description="The event, if it is your own.")
    title: str
    start: AwareDatetime
    end: AwareDatetime
    all_day: bool
    busy: bool
    calendar: str | None = Field(description="The imported calendar that it is of.")


@router.get("", operation_id="list_occurrences", summary="What takes place when")
async def list_occurrences(
    asked: Annotated[OccurrencesQuery, Query()], services: Provided, busy: ProvidedBusy, user_id: Tenant
) -> Listing[OccurrenceView]:
    """Everything that takes place between two moments, earliest first, 1,000 times at most.

    Series reach about a hundred days back and a year ahead.
    """
    zone = ZoneInfo((await customs_of_user(services, user_id))[0])
    within = OccurrenceSpan(instant_of(asked.since, zone), instant_of(asked.until, zone))
    check_period(within, services.settings.freebusy_days)
    found = await busy.occurring(user_id, within, MAX_FREE_BUSY_ITEMS)
    return Listing(items=[_view(one, zone) for one in found], next=None)


def _view(one: Occurrence, zone: ZoneInfo) -> OccurrenceView:
    return OccurrenceView(
        event_id=None if one.calendar else one.item,
        title=one.title,
        start=one.start.astimezone(zone),
        end=one.end.astimezone(zone),
        all_day=one.whole_day,
        busy=one.busy,
        calendar=one.calendar,
    )

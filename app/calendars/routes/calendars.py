"""Calendars of elsewhere: import a file, subscribe to an address, see how they are, remove them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Request, Response
from pydantic import AwareDatetime, BaseModel, Field, ValidationError
from starlette.datastructures import FormData, UploadFile

from agents.records import Text
from app.calendars.keeper import CalendarKeeper
from app.calendars.model.calendars import CalendarRefused, ImportedCalendar
from app.calendars.services import ProvidedCalendars, ProvidedKeeper
from app.calendars.store.calendars import PostgresCalendars
from app.errors import InvalidInput, NotFound, UnsupportedMedia
from app.http.bodies import StrictRoute, check_storable, media_type, read_json
from app.http.deps import Provided, Services, Tenant
from app.http.limits import take_larger_body
from app.http.problems import invalid
from app.http.replay import KeptResponse, Once
from app.http.schemas import Document, Listing, Spoken, as_json
from app.http.zone import customs_of_user
from app.voice.routes.audio_form import read_form

router = APIRouter(prefix="/v1/calendars", tags=["calendar"], route_class=StrictRoute)
Name = Annotated[Text, Field(max_length=200), Spoken]
LONGEST_URL = 2000
UNNAMED = "Calendar"
REFUSED_FILE = "Send an .ics file, as calendar programs export it."


class Subscription(Document):
    """An address to subscribe to."""

    url: Annotated[Text, Field(max_length=LONGEST_URL), Spoken] = Field(
        description="Address of an .ics file: https, http or webcal. It may be a secret one: nobody else is told.",
        examples=["https://calendar.google.com/calendar/ical/ana%40example.com/private-0123456789abcdef/basic.ics"],
    )
    name: Name | None = Field(None, description="What to call it; default: what it calls itself.", examples=["Work"])


class FileName(Document):
    """The other field of the form that carries a file."""

    name: Name | None = None


class CalendarView(BaseModel):
    """A calendar of elsewhere. Its busy times count for conflicts and free time, and cannot be edited here."""

    id: UUID
    name: str
    url: str | None = Field(description="The address it is read from; null for a file.")
    state: Literal["waiting", "current", "failing"] = Field(
        description="`waiting`: not read yet. `failing`: the last try failed; what was read before stays in force."
    )
    events: int = Field(description="Events in the calendar; a series counts once.")
    occurrences: int = Field(description="Times in the coming year or so at which they take place.")
    warnings: list[str] = Field(description="What was left out, and why.")
    error: str | None = Field(description="Why the last try failed.")
    error_at: AwareDatetime | None = Field(description="When it failed.")
    created_at: AwareDatetime
    last_refreshed: AwareDatetime | None = Field(description="When it was last read, or found unchanged.")
    next_refresh: AwareDatetime = Field(description="When it is read again.")


def _body_documentation() -> dict[str, Any]:
    form = {
        "type": "object",
        "required": ["file"],
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "An .ics file."},
            "name": {"type": "string", "description": "What to call it; default: what it calls itself."},
        },
    }
    content = {
        "application/json": {"schema": Subscription.model_json_schema()},
        "multipart/form-data": {"schema": form},
    }
    return {"requestBody": {"required": True, "content": content}}


@router.get("", operation_id="list_calendars", summary="List imported calendars")
async def list_calendars(calendars: ProvidedCalendars, user_id: Tenant) -> Listing[CalendarView]:
    """Files that were imported and addresses that are subscribed to, oldest first, and how each of them is."""
    return Listing(items=[_view(calendar) for calendar in await calendars.list(user_id)], next=None)


@router.get("/{calendar_id}", operation_id="get_calendar", summary="Read about an imported calendar")
async def get_calendar(calendar_id: UUID, calendars: ProvidedCalendars, user_id: Tenant) -> CalendarView:
    """How it is."""
    found = await calendars.get(user_id, calendar_id)
    if found is None:
        raise NotFound("There is no such calendar.")
    return _view(found)


@router.post(
    "",
    status_code=201,
    operation_id="add_calendar",
    summary="Import a calendar file, or subscribe to an address",
    response_model=CalendarView,
    openapi_extra=_body_documentation(),
)
@take_larger_body(lambda settings: settings.max_calendar_bytes, form=True)
async def add_calendar(
    request: Request,
    services: Provided,
    calendars: ProvidedCalendars,
    keeper: ProvidedKeeper,
    user_id: Tenant,
    once: Once,
) -> Response:
    """A file is read before this answers, or refused whole. An address is read within seconds, then again and again.

    Events become busy time: conflicts and free time count them. Nothing outside `error` tells what a calendar says.
    """
    kind = media_type(request)
    if kind == "application/json":
        wanted = _subscription(await read_json(request))

        async def subscribe() -> KeptResponse:
            return _created_answer(await _subscribe(calendars, keeper, user_id, once.origin, wanted))

        return await once.answer(subscribe)
    if kind != "multipart/form-data":
        raise UnsupportedMedia(
            "A calendar is application/json with its url, or multipart/form-data with a file.",
            hint="Send one of these.",
        )
    async with _file(request) as (file, name):

        async def add() -> KeptResponse:
            return _created_answer(await _import(services, calendars, keeper, user_id, once.origin, file, name))

        return await once.answer(add)


@router.delete("/{calendar_id}", status_code=204, operation_id="delete_calendar", summary="Remove a calendar")
async def delete_calendar(calendar_id: UUID, calendars: ProvidedCalendars, user_id: Tenant) -> None:
    """Its busy times are gone with it."""
    if not await calendars.delete(user_id, calendar_id):
        raise NotFound("There is no such calendar.")


async def _subscribe(
    calendars: PostgresCalendars, keeper: CalendarKeeper, user_id: UUID, calendar_id: UUID, wanted: Subscription
) -> ImportedCalendar:
    try:
        await keeper.check(wanted.url)
    except CalendarRefused as refused:
        raise InvalidInput(str(refused), hint="Give the public address of an .ics file.") from refused
    name = wanted.name or UNNAMED
    return await calendars.subscribe(user_id, calendar_id, wanted.url, name, named=wanted.name is not None)


async def _import(
    services: Services,
    calendars: PostgresCalendars,
    keeper: CalendarKeeper,
    user_id: UUID,
    calendar_id: UUID,
    file: UploadFile,
    name: str | None,
) -> ImportedCalendar:
    zone, _ = await customs_of_user(services, user_id)
    try:
        contents = await keeper.read(await file.read(), zone)
    except CalendarRefused as refused:
        raise InvalidInput(str(refused), hint=REFUSED_FILE) from refused
    return await calendars.add_file(
        user_id, calendar_id, name or contents.name or UNNAMED, contents, next_refresh=keeper.next_reading()
    )


def _subscription(document: dict[str, Any]) -> Subscription:
    try:
        return Subscription.model_validate(document)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


@asynccontextmanager
async def _file(request: Request) -> AsyncIterator[tuple[UploadFile, str | None]]:
    """The file of a form, and the name to give it; raises InvalidInput."""
    async with read_form(request) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile) or not file.size:
            raise InvalidInput("The form has no file named file, or an empty one.", hint=REFUSED_FILE)
        yield file, _name(form)


def _name(form: FormData) -> str | None:
    fields: dict[str, Any] = {name: value for name, value in form.multi_items() if name != "file"}
    if any(isinstance(value, UploadFile) for value in fields.values()):
        raise InvalidInput("The form may hold one file, named file.")
    check_storable(fields)
    try:
        return FileName.model_validate(fields).name
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


def _created_answer(calendar: ImportedCalendar) -> KeptResponse:
    return KeptResponse(201, as_json(_view(calendar)), {"Location": f"/v1/calendars/{calendar.id}"})


def _view(calendar: ImportedCalendar) -> CalendarView:
    state = "failing" if calendar.error else "current" if calendar.last_refreshed else "waiting"
    return CalendarView.model_validate({**vars(calendar), "state": state})

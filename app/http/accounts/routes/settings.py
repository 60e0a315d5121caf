"""How Summit understands a user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter
from pydantic import AfterValidator, BaseModel, Field, ValidationError, WithJsonSchema

from agents.context import ENGLISH
from agents.conventions import Conventions, QuietHours, conventions_from
from agents.records import Zone
from app.http.bodies import StrictRoute
from app.http.deps import Provided, Services, Tenant
from app.http.problems import invalid
from app.http.schemas import Document
from app.work.workflows.routes import reschedule

TAG = re.compile(r"[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?", re.IGNORECASE)


def _language(value: str) -> str:
    """A tag in its usual case: language small, script with a capital, region in capitals."""
    if not TAG.fullmatch(value):
        raise ValueError("must be a BCP 47 tag such as en, pt-BR or zh-Hant-TW")
    first, *rest = value.split("-")
    usual = [part.title() if len(part) == SCRIPT_LETTERS else part.upper() for part in rest]
    return "-".join([first.lower(), *usual])


router = APIRouter(prefix="/v1/settings", tags=["settings"], route_class=StrictRoute)

SCRIPT_LETTERS = 4
TIMEZONE = "IANA zone in which dates and times are understood."
CONVENTIONS = "What everyday words about time mean: how a week begins, when the evening is, what a bare hour means."
QUIET_HOURS = "When nothing nudges you; a reminder with a stated time still comes. Null: never quiet."
NOT_NULL = "must not be null; leave it out to keep it, or send null for all conventions to go back to the defaults"
LANGUAGE = "BCP 47 tag of the language that you speak. Without a language model only English is understood."
RUN_USER_INFO = "Whether runs keep what they learn about you for later runs; off at first."
EMAIL = "Where reminders are mailed to, on servers that send mail."
Address = Annotated[str, Field(max_length=254, pattern=r'^[^@\s<>,;"]+@[^@\s<>,;"]+\.[^@\s<>,;"]+$')]
Language = Annotated[str, Field(max_length=35), AfterValidator(_language)]
SomeConventions = Annotated[dict[str, Any], WithJsonSchema(Conventions.model_json_schema())]


class UserSettings(BaseModel):
    """The settings in force, defaults included."""

    timezone: str = Field(description=TIMEZONE, examples=["Europe/Lisbon"])
    timezone_chosen: bool = Field(description="Whether the user chose it; else it is this server's default.")
    conventions: Conventions = Field(description=CONVENTIONS)
    quiet_hours: QuietHours | None = Field(description=QUIET_HOURS)
    email: str | None = Field(description=EMAIL)
    language: str = Field(description=LANGUAGE, examples=["pt-BR"])
    run_user_info: bool = Field(description=RUN_USER_INFO)


class SettingsPatch(Document):
    """The settings to change; null goes back to the default."""

    timezone: Zone | None = Field(None, description=TIMEZONE, examples=["Europe/Lisbon"])
    conventions: SomeConventions | None = Field(
        None,
        description=f"{CONVENTIONS} What is left out stays; null for all of them goes back to the defaults.",
        examples=[{"week_start": "sunday", "evening": "18:30"}],
    )
    email: Address | None = Field(None, description=EMAIL, examples=["you@example.org"])
    language: Language | None = Field(None, description=LANGUAGE, examples=["pt-BR"])
    run_user_info: bool | None = Field(None, strict=True, description=RUN_USER_INFO)
    quiet_hours: QuietHours | None = Field(None, description=QUIET_HOURS, examples=[{"start": "22:00", "end": "07:00"}])


@router.get("", operation_id="get_settings", summary="Read the settings")
async def get_settings(services: Provided, user_id: Tenant) -> UserSettings:
    """The settings in force."""
    return _in_force(services, await _stored_settings(services, user_id))


@router.patch("", operation_id="update_settings", summary="Change settings")
async def patch_settings(body: SettingsPatch, services: Provided, user_id: Tenant) -> UserSettings:
    """What is left out stays. Messages from now on are understood by the new settings."""
    changed = body.model_dump(mode="json", exclude_unset=True)
    if body.conventions:
        known = (await _stored_settings(services, user_id)).get("conventions") or {}
        changed["conventions"] = _changed_conventions(known, body.conventions)
    user = await services.users.update_settings(user_id, changed)
    if "timezone" in changed:
        await reschedule(services, user_id)
    return _in_force(services, user.settings)


def _changed_conventions(known: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """The stored conventions with what was said now; raises InvalidInput when they do not fit together."""
    try:
        return Conventions.model_validate({**known, **said}).model_dump(mode="json", exclude_unset=True)
    except ValidationError as error:
        raise invalid([_place_error(item) for item in error.errors()]) from error


def _place_error(error: Mapping[str, Any]) -> dict[str, Any]:
    place = ("body", "conventions", *error["loc"])
    return {**error, "loc": place, "msg": NOT_NULL if error["input"] is None else error["msg"]}


async def _stored_settings(services: Services, user_id: UUID) -> dict[str, Any]:
    user = await services.users.get(user_id)
    return user.settings if user else {}


def _in_force(services: Services, stored: dict[str, Any]) -> UserSettings:
    quiet = stored.get("quiet_hours")
    return UserSettings(
        timezone=stored.get("timezone") or services.settings.default_timezone,
        timezone_chosen=bool(stored.get("timezone")),
        conventions=conventions_from(stored.get("conventions")),
        quiet_hours=QuietHours.model_validate(quiet) if quiet else None,
        email=stored.get("email"),
        language=stored.get("language") or ENGLISH,
        run_user_info=bool(stored.get("run_user_info")),
    )

"""What agents are told by their role, and how their documents are read: see data/roles.toml."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError

T = TypeVar("T", bound=BaseModel)
Role = Literal["pm", "em", "engineer", "reviewer", "postmortem"]


class Phase(BaseModel):
    """One part of the plan."""

    title: str = Field(min_length=1, max_length=120)
    goal: str = Field("", max_length=4000)
    done_when: str = Field("its tests pass", max_length=2000)


class Plan(BaseModel):
    """What an engineering manager writes."""

    phases: list[Phase] = Field(min_length=1, max_length=8)


class Review(BaseModel):
    """What a reviewer writes."""

    verdict: Literal["approved", "fixed", "sent_back"]
    findings: list[str] = Field(default_factory=list, max_length=50)


class NotReadable(Exception):  # noqa: N818 - it goes back to its author
    """A document is not as it has to be; the message says where."""


def render_step(role: Role, *, knowledge: str, notes: str, **values: Any) -> tuple[str, str]:
    """The title and the prompt of a step."""
    texts = _roles()[role]
    known = f"\nAbout this project:\n{knowledge}\n" if knowledge else ""
    back = f"\nFrom the step before:\n{notes}\n" if notes else ""
    return texts["title"].format(**values), texts["prompt"].format(knowledge=known, notes=back, **values)


def learning() -> Phase:
    """The one phase of a run that learns a project."""
    return Phase.model_validate(_roles()["learning"])


def read_plan(text: str) -> Plan:
    """A plan; raises NotReadable."""
    return _read(Plan, text, "The plan")


def read_review(text: str) -> Review:
    """A review; raises NotReadable."""
    return _read(Review, text, "The review")


def _read(form: type[T], text: str, name: str) -> T:
    try:
        return form.model_validate(json.loads(text))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise NotReadable(f"{name} is not as it has to be: {place}: {first['msg']}.") from error
    except (ValueError, RecursionError) as error:
        raise NotReadable(f"{name} is {'no JSON' if text.strip() else 'not there'}.") from error


@cache
def _roles() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = tomllib.loads(files("app.work.runs").joinpath("data", "roles.toml").read_text())
    return found

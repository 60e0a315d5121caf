"""What a tool is: a form to fill in, what it risks, and what came of a call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from agents.conventions import Conventions
from app.work.runs.model.runs import Allowance

Risk = Literal["read", "write", "send", "execute"]
Failure = Literal[
    "", "invalid", "not_found", "refused", "precondition", "postcondition", "timeout", "broken", "unreachable"
]


class Form(BaseModel):
    """The arguments of a tool; what it does not know is refused."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class ToolOutcome:
    """What came of a call: ``changed`` tells whether anything is different now, ``text`` what the model reads."""

    text: str
    ok: bool = True
    changed: bool = False
    failure: Failure = ""
    foreign: bool = False

    def document(self) -> dict[str, Any]:
        """As it is stored."""
        told = {"text": self.text, "ok": self.ok, "changed": self.changed, "failure": self.failure}
        return {**told, "foreign": True} if self.foreign else told


def failed_outcome(failure: Failure, text: str, *, foreign: bool = False) -> ToolOutcome:
    """A call that did not do what was asked; ``foreign`` when it is told in words that are not ours."""
    return ToolOutcome(text, ok=False, failure=failure, foreign=foreign)


def outcome_from(stored: Mapping[str, Any]) -> ToolOutcome:
    """An outcome as it was stored."""
    known = (str(stored["text"]), bool(stored["ok"]), bool(stored["changed"]), stored["failure"])
    return ToolOutcome(*known, foreign=bool(stored.get("foreign")))


@dataclass(frozen=True)
class ToolContext:
    """For whom, where and when a call is made; ``said`` is what the user's own words to this run were.

    ``conventions`` say when the user works and what everyday words about time mean.
    """

    user_id: UUID
    run_id: UUID
    call_id: UUID
    at: datetime
    timezone: str
    conventions: Conventions = field(default_factory=Conventions)
    roots: Sequence[Path] = ()
    programs: Sequence[str] = ()
    allowed: Sequence[Allowance] = ()
    said: Sequence[str] = ()


Act = Callable[[ToolContext, Any], Coroutine[Any, Any, ToolOutcome]]
Condition = Callable[[ToolContext, Any], Awaitable[str]]


async def always(_context: ToolContext, _form: Any) -> str:
    """Nothing stands in the way."""
    return ""


@dataclass(frozen=True)
class Tool:
    """One thing that a run can do.

    ``before`` and ``after`` say what is wrong before or after the call, or nothing. An ``idempotent`` call may be made
    again when nobody knows whether it came to its end. ``taints``: what it brings is not the user's own words.
    ``deletes`` and ``instructs`` look at the arguments; ``target`` is the URL that a call would reach,
    ``writes`` are the paths that it would change.
    """

    name: str
    description: str
    form: type[Form]
    risk: Risk
    act: Act
    idempotent: bool = False
    seconds: float = 30.0
    taints: bool = False
    before: Condition = always
    after: Condition = always
    deletes: Callable[[Any], bool] = lambda _: False
    instructs: Callable[[Any], bool] = lambda _: False
    target: Callable[[Any], str] = lambda _: ""
    writes: Callable[[Any], Sequence[str]] = lambda _: ()
    program: str = ""

    def schema(self) -> dict[str, Any]:
        """As a model is shown it."""
        told = {"name": self.name, "description": self.description, "parameters": _parameters(self.form)}
        return {"type": "function", "function": told}

    def read(self, arguments: Mapping[str, Any]) -> Form | ToolOutcome:
        """The arguments in their form, or what is wrong with them."""
        try:
            return self.form.model_validate(dict(arguments))
        except ValidationError as error:
            return failed_outcome("invalid", f"The arguments of {self.name} are not valid: {_wrong(error)}")


@lru_cache(maxsize=1024)
def _parameters(form: type[Form]) -> dict[str, Any]:
    """Made once, as making them for every tool takes longer than the rest of a step; nobody changes them."""
    return {name: value for name, value in form.model_json_schema().items() if name not in {"title", "description"}}


def _wrong(error: ValidationError) -> str:
    told = [f"{'.'.join(map(str, one['loc'])) or 'all'}: {one['msg']}" for one in error.errors(include_url=False)]
    return "; ".join(told[:5])


@dataclass(frozen=True)
class Registry:
    """The tools of this server, and why those that are not there are not."""

    tools: Mapping[str, Tool] = field(default_factory=dict)
    absent: Mapping[str, str] = field(default_factory=dict)

    def tools_for(self, context: ToolContext) -> list[Tool]:
        """What a user's run may ask for; a program that nobody granted is not shown."""
        return [tool for tool in self.tools.values() if not tool.program or tool.program in context.programs]


def registry_of(tools: Sequence[Tool], absent: Mapping[str, str] | None = None) -> Registry:
    """A registry; raises ValueError for two tools of one name."""
    named = {tool.name: tool for tool in tools}
    if len(named) != len(tools):
        raise ValueError("two tools have one name")
    return Registry(named, absent or {})

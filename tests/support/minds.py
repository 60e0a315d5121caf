"""Scripted models for the tests of app/models: what each message makes a model call, and what it was shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.ports import Understanding
from agents.understanding import BuiltIn
from app.models.llm.breaker import Breakers
from app.models.llm.choice import Unbilled
from app.models.llm.limits import Billing, ModelLimits
from app.models.llm.requests import ModelTarget
from app.models.model.providers import Tier
from app.models.understanding.understanding import ModelUnderstanding
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat

Answer = Callable[[RecordedRequest], Reply]
NAMING = ("id", "ids", "move_to", "change_ids")
"""Arguments in which titles stand for ids."""


def shown(request: RecordedRequest) -> str:
    """All that a model reads of a request beside its tools."""
    return "\n".join(str(message["content"]) for message in request.json["messages"])


def world_of(request: RecordedRequest) -> str:
    """What a model is shown of its user."""
    return str(request.json["messages"][1]["content"])


def message_of(request: RecordedRequest) -> str:
    """The user's words in a prompt, also where results of calls stand behind them."""
    said = [str(message["content"]) for message in request.json["messages"] if message["role"] == "user"]
    words = [one for one in said if not one.startswith("Result: ")]
    return words[-1].partition("\n\n<passed-on>")[0]


def ids_in(request: RecordedRequest) -> dict[str, str]:
    """Short ids of records and changes in a prompt, by what stands behind them."""
    lines = re.findall(r"^([0-9a-f]{6,36}) (.+)$", world_of(request), re.MULTILINE)
    return {text.partition(";")[0].partition(" (undone)")[0]: known for known, text in reversed(lines)}


def id_of(request: RecordedRequest, title: str) -> str:
    """The short id of the record with a title, or that begins with it."""
    known = ids_in(request)
    return known.get(title) or next((one for text, one in known.items() if text.startswith(title)), title)


def change_of(request: RecordedRequest, title: str) -> str:
    """The short id of the last change of what has a title."""
    return next((one for text, one in ids_in(request).items() if text.endswith(f" {title}")), title)


def with_ids(call: Call, request: RecordedRequest) -> Call:
    """A call with the ids of a prompt in the place of titles."""
    if not isinstance(call.args, dict):
        return call
    return Call(call.name, {name: _named(name, value, request) for name, value in call.args.items()})


def _named(name: str, value: Any, request: RecordedRequest) -> Any:
    if name not in NAMING:
        return value
    find = change_of if name == "change_ids" else id_of
    return [find(request, one) for one in value] if isinstance(value, list) else find(request, value)


def says(*calls: Call, text: str = "", **values: Any) -> Answer:
    """An answer whose calls name records by their titles."""

    def answer(request: RecordedRequest) -> Reply:
        return chat(*(with_ids(call, request) for call in calls), text=text, **values)(request)

    return answer


def model(script: Mapping[str, Sequence[Call] | str | Answer]) -> Answer:
    """A model that makes, for each message, the calls listed for it, or says what stands there."""

    def answer(request: RecordedRequest) -> Reply:
        wanted = script[message_of(request)]
        if callable(wanted):
            return wanted(request)
        return (says(text=wanted) if isinstance(wanted, str) else says(*wanted))(request)

    return answer


@dataclass(frozen=True)
class OneModel:
    """The same models for everybody; ``open_till`` makes the till of a question."""

    open_till: Callable[[ModelTarget], Billing]
    fast: ModelTarget
    reason: ModelTarget

    async def active(self, tier: Tier) -> ModelTarget | None:
        """The model of the tier."""
        return self.fast if tier == "fast" else self.reason

    def till(self, target: ModelTarget) -> Billing:
        """A till for a question to the model."""
        return self.open_till(target)


def mind_on(
    target: ModelTarget, breakers: Breakers | None = None, built_in: Understanding | None = None, **limits: Any
) -> ModelUnderstanding:
    """Return the model understanding on one target.

    It has short pauses, time enough for a busy machine, and no rest for a server that fails.
    """
    chosen = ModelLimits(**{"budget_seconds": 60.0, "backoff_seconds": 0.02, **limits})
    models = OneModel(lambda _: Unbilled(), target, target)
    return ModelUnderstanding(built_in or BuiltIn(), models, chosen, breakers or Breakers(10**9, 1.0))


def mind_at(server: ScriptedModelServer, breakers: Breakers | None = None, **limits: Any) -> ModelUnderstanding:
    """The model understanding on a scripted server."""
    return mind_on(ModelTarget(server.base_url, "scripted", "sk-test-key"), breakers, **limits)

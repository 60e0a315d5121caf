"""Scripted models for the tests of app/llm: what each message makes the router and the agents call."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.contract import Worker
from agents.mind import BuiltIn
from app.llm.breaker import Breakers
from app.llm.quick import Unbilled
from app.llm.requests import Target
from app.llm.retry_budget import Billing
from app.llm.understanding import Limits, ModelUnderstanding
from app.ports import Tier
from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat, tools_of

AGENT_OF: dict[str, Worker] = {
    "Task": "update_todos",
    "Appointment": "update_events",
    "Note": "update_notes",
    "Profile": "update_profile",
    "Instruction": "update_instructions",
    "Suggest": "focus_coach",
}
Wanted = Mapping[str, Sequence[Call]]
ALWAYS_ASK = 2.0
"""A confidence that the built-in understanding never reaches."""


def message_of(request: RecordedRequest) -> str:
    """The user's message in a prompt."""
    told = "\n".join(str(message["content"]) for message in request.json["messages"] if message["role"] == "user")
    found = re.findall(r"^Message: (.*)", told, re.MULTILINE)
    return str(found[-1]) if found else ""


def agent_of(request: RecordedRequest) -> str:
    """Who asks: "route", an agent, or "recall" where no tool is offered."""
    names = tools_of(request)
    return "route" if "Route" in names else next((AGENT_OF[name] for name in names if name in AGENT_OF), "recall")


def ids_in(request: RecordedRequest) -> dict[str, str]:
    """Short ids of the records in a prompt, by their first text."""
    text = "\n".join(str(message["content"]) for message in request.json["messages"])
    stored = text.partition("<stored>\n")[2].partition("\n</stored>")[0]
    shown = re.findall(r'^(\S+): (?:category \w+, )?(?:summary |name )?"((?:[^"\\]|\\.)*)"', stored, re.MULTILINE)
    return {title.replace("\\u003c", "<"): known for known, title in shown}


def patch(known: str, **fields: Any) -> Call:
    """A patch that sets fields of a record."""
    return Call("PatchDoc", {"json_doc_id": known, "set": fields})


def route(*agents: str, words: str, **said: Any) -> Call:
    """A routing that hands the words to these agents."""
    return Call("Route", {"shares": [{"agent": agent, "words": words} for agent in agents], **said})


def model(script: Mapping[str, Wanted | Callable[[RecordedRequest], Reply]]) -> Callable[[RecordedRequest], Reply]:
    """A model that makes, for each message, the calls listed for each agent; an agent with calls is routed to."""

    def answer(request: RecordedRequest) -> Reply:
        wanted = script[message_of(request)]
        if callable(wanted):
            return wanted(request)
        agent = agent_of(request)
        if agent == "route" and "route" not in wanted:
            return chat(route(*wanted, words=message_of(request)))(request)
        named = [Call(call.name, _with_ids(call, ids_in(request))) for call in wanted.get(agent, ())]
        return chat(*named, text="" if named else "Nothing to do.")(request)

    return answer


def _with_ids(call: Call, ids: Mapping[str, str]) -> Any:
    """Titles in place of ids become the short ids that the prompt shows."""
    name = "task" if call.name == "Suggest" else "json_doc_id"
    known = call.args.get(name) if isinstance(call.args, dict) else None
    return {**call.args, name: ids.get(known, known)} if isinstance(call.args, dict) and known else call.args


@dataclass(frozen=True)
class OneModel:
    """The same models for everybody; ``open_till`` makes the till of a question."""

    open_till: Callable[[Target], Billing]
    fast: Target
    reason: Target

    async def active(self, tier: Tier) -> Target | None:
        """The model of the tier."""
        return self.fast if tier == "fast" else self.reason

    def till(self, target: Target) -> Billing:
        """A till for a question to the model."""
        return self.open_till(target)


def mind_on(
    target: Target, breakers: Breakers | None = None, built_in: BuiltIn | None = None, **limits: Any
) -> ModelUnderstanding:
    """Return the model understanding on one target.

    It has short pauses, no fast path, time enough for a busy machine, and no rest for a server that fails.
    """
    chosen = Limits(**{"budget_seconds": 60.0, "backoff_seconds": 0.02, "sure": ALWAYS_ASK, **limits})
    models = OneModel(lambda _: Unbilled(), target, target)
    return ModelUnderstanding(built_in or BuiltIn(), models, chosen, breakers or Breakers(10**9, 1.0))


def mind_at(server: ScriptedModelServer, breakers: Breakers | None = None, **limits: Any) -> ModelUnderstanding:
    """The model understanding on a scripted server."""
    return mind_on(Target(server.base_url, "scripted", "sk-test-key"), breakers, **limits)

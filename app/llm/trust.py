"""Trustcall over answers that a model has given: it patches stored records, and has put right what fits no form.

Trustcall words prompts of its own, with schemas of 1,100 tokens for patches. The model is asked in ours instead, and
Trustcall is handed the answer as if it had asked. Only where it finds the arguments of a call not valid it asks itself.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.runnables import Runnable, RunnableLambda

from agents.tool_schemas import Worded
from app.llm.calls import fits, identified, patchable
from app.llm.requests import Extraction

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports Send from where LangGraph no longer wants it
    from trustcall import create_extractor

logging.getLogger("extraction").setLevel(logging.CRITICAL)  # it prints what it cannot use, which quotes users
REPAIR = "PatchFunctionErrors"
ATTEMPTS = 2
"""The answer itself and one repair."""

MOST_STEPS = 12
log = logging.getLogger(__name__)

_answer: ContextVar[Sequence[ToolCall]] = ContextVar("summit_answer")  # Trustcall hands nothing through to its model


@dataclass(frozen=True)
class Settled:
    """Calls as valid as the model makes them, and the ``records`` that they patch by the id of the call."""

    calls: list[ToolCall]
    records: dict[str, dict[str, Any]]
    repaired: bool


async def settled_calls(calls: Sequence[ToolCall], request: Extraction, client: BaseChatModel | None) -> Settled:
    """What the calls of an answer come to; with a client, what fits no form is given back to the model once."""
    patched = await _patched(calls, request)
    filled = [_as_form(call, patched, request) for call in calls]
    wrong = [call for call in filled if call["name"] in request.forms and not fits(call, request)]
    right = await _put_right(wrong, request, client) if wrong and client else {}
    known = {known: right.get(known, record) for known, record in patched.items()}
    whole = [call if str(call["id"]) in patched else _with(call, right) for call in calls]
    return Settled(whole, known, repaired=bool(wrong))


def _as_form(call: ToolCall, patched: Mapping[str, dict[str, Any]], request: Extraction) -> ToolCall:
    """A patch as the form of the whole record that it leads to; any other call as it is."""
    record = patched.get(str(call["id"]))
    return call if record is None else {**call, "name": request.tool.__name__, "args": record}


def _with(call: ToolCall, right: Mapping[str, dict[str, Any]]) -> ToolCall:
    return {**call, "args": right.get(str(call["id"]), call["args"])}


async def _patched(calls: Sequence[ToolCall], request: Extraction) -> dict[str, dict[str, Any]]:
    """Existing records as Trustcall patches them."""
    patches = patchable(calls, request.existing)
    if not (patches and request.existing):
        return {}
    _answer.set(patches)
    existing = [(known, request.tool.__name__, fields) for known, fields in request.existing.items()]
    state = SimpleNamespace(messages=[*request.messages], existing=existing)
    told = (await _patcher(request.tool).ainvoke(state, {}))["messages"][-1]
    known = told.additional_kwargs.get("updated_docs", {})
    return {call["id"]: call["args"] for call in getattr(told, "tool_calls", []) if call["id"] in known}


async def _put_right(
    wrong: Sequence[ToolCall], request: Extraction, client: BaseChatModel
) -> dict[str, dict[str, Any]]:
    """The arguments that fit after one repair message for each call, by its id."""
    _answer.set(wrong)
    extractor = create_extractor(_Answered(client), tools=[*request.forms.values()], tool_choice="any")  # type: ignore[arg-type]
    asked: Any = {"messages": [*request.messages]}
    told: list[ToolCall] = []
    try:
        limits: Any = {"configurable": {"max_attempts": ATTEMPTS}, "recursion_limit": MOST_STEPS}
        done = await extractor.ainvoke(asked, limits)
        told = [call for message in done["messages"] for call in message.tool_calls]
    except Exception as error:  # noqa: BLE001 - whatever becomes of a repair, the answer itself stands
        log.info("what fits no form was not put right: %s", type(error).__name__)
    return {str(call["id"]): call["args"] for call in told if call["name"] in request.forms and fits(call, request)}


class _Answered:
    """A model that has answered already; only what Trustcall asks to have repaired goes to the real one."""

    def __init__(self, client: BaseChatModel | None = None) -> None:
        self._client = client

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Runnable[Any, AIMessage]:
        """The answer, or the client with the tools of a repair."""
        repairs = any(getattr(tool, "__name__", "") == REPAIR for tool in tools)
        if repairs and self._client:
            return self._client.bind_tools(tools, **options) | RunnableLambda(_stored)
        return RunnableLambda(lambda _: AIMessage("", tool_calls=[*_answer.get()]))


def _stored(reply: AIMessage) -> AIMessage:
    return reply.model_copy(update={"tool_calls": identified([dict(call) for call in reply.tool_calls])})


@lru_cache(maxsize=64)
def _patcher(form: type[Worded]) -> Any:
    """The node of Trustcall's graph that patches records by an answer."""
    extractor = create_extractor(_Answered(), tools=[form], enable_inserts=True, existing_schema_policy=False)  # type: ignore[arg-type]
    return extractor.steps[1].nodes["extract_updates"].bound  # type: ignore[attr-defined]

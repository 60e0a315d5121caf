"""Trustcall over calls that fit no form: the model is asked once to patch their arguments, and no more.

Trustcall would ask the whole question itself. It is handed the answer as if it had asked; only its repair goes out.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.utils.function_calling import convert_to_openai_tool

from agents.ledger.batch import storable_json
from app.models.llm.call_reading import validate_call
from app.models.llm.requests import Call
from app.models.llm.tools import FORMS
from app.models.llm.written_calls import Called

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports Send from where LangGraph no longer wants it
    from trustcall import create_extractor

logging.getLogger("extraction").setLevel(logging.CRITICAL)  # it prints what it cannot use, which quotes users
REPAIR = "PatchFunctionErrors"
ATTEMPTS = 2
"""The answer itself and one repair."""
MOST_STEPS = 12
log = logging.getLogger(__name__)
AskModel = Callable[[Sequence[BaseMessage], Sequence[Mapping[str, Any]]], Awaitable[Sequence[Called]]]


async def repair_calls(calls: Sequence[Call], messages: Sequence[BaseMessage], ask: AskModel) -> list[Call]:
    """Return the calls, those that fit no form as the model puts them right; one that stays wrong stays as it was."""
    wrong = {uuid4().hex: call for call in calls if call.fault}
    made = [ToolCall(name=call.name, args=call.args, id=known, type="tool_call") for known, call in wrong.items()]
    extractor = create_extractor(_Answered(made, ask), tools=[*FORMS.values()], tool_choice="any")  # type: ignore[arg-type]
    asked: Any = {"messages": [*messages]}
    limits: Any = {"configurable": {"max_attempts": ATTEMPTS}, "recursion_limit": MOST_STEPS}
    try:
        done = await extractor.ainvoke(asked, limits)
    except Exception as error:  # noqa: BLE001 - whatever becomes of a repair, the answer itself stands
        log.info("what fits no form was not put right: %s", type(error).__name__)
        return [*calls]
    right = {str(call["id"]): call["args"] for message in done["messages"] for call in message.tool_calls}
    fixed = {
        id(call): validate_call(call.name, storable_json(right[known]))
        for known, call in wrong.items()
        if known in right
    }
    return [better if (better := fixed.get(id(call))) and not better.fault else call for call in calls]


@dataclass(frozen=True, eq=False)
class _Answered:
    """A model that has answered already; only what Trustcall asks to have repaired goes to the real one."""

    calls: Sequence[ToolCall]
    ask: AskModel

    def bind_tools(self, tools: Sequence[Any], **_options: Any) -> Runnable[Any, AIMessage]:
        """The answer, or what the model says to the tools of a repair."""
        if not any(getattr(tool, "__name__", "") == REPAIR for tool in tools):
            return RunnableLambda(lambda _: AIMessage("", tool_calls=[*self.calls]))
        forms = [convert_to_openai_tool(tool) for tool in tools]

        async def repair(messages: Sequence[BaseMessage]) -> AIMessage:
            calls = await self.ask(messages, forms)
            made = [ToolCall(name=one["name"], args=storable_json(one["args"]), id=uuid4().hex) for one in calls]
            return AIMessage("", tool_calls=made)

        return RunnableLambda(repair)

"""Trustcall over calls that fit no form: the model is asked once to patch their arguments, and no more.

Trustcall would ask the whole question itself. It is handed the answer as if it had asked; only its repair goes out.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Sequence
from contextvars import ContextVar
from functools import cache
from typing import Any
from uuid import uuid4

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import create_model

from agents.ledger.batch import storable_json
from app.llm.call_reading import checked
from app.llm.form_fields import Worded
from app.llm.requests import Call
from app.llm.tools import FORMS

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


async def repaired(calls: Sequence[Call], messages: Sequence[BaseMessage], client: BaseChatModel) -> list[Call]:
    """Return the calls, those that fit no form as the model puts them right; one that stays wrong stays as it was."""
    wrong = {uuid4().hex: call for call in calls if call.fault}
    right = await _put_right(wrong, messages, client)
    by_call = {id(wrong[known]): checked(wrong[known].name, args) for known, args in right.items()}
    return [fixed if (fixed := by_call.get(id(call))) and not fixed.fault else call for call in calls]


async def _put_right(
    wrong: dict[str, Call], messages: Sequence[BaseMessage], client: BaseChatModel
) -> dict[str, dict[str, Any]]:
    """The arguments after one repair message for each call, by its id."""
    made = [ToolCall(name=call.name, args=call.args, id=known, type="tool_call") for known, call in wrong.items()]
    _answer.set(made)
    extractor = create_extractor(_Answered(client), tools=[*_forms()], tool_choice="any")  # type: ignore[arg-type]
    asked: Any = {"messages": [*messages]}
    try:
        limits: Any = {"configurable": {"max_attempts": ATTEMPTS}, "recursion_limit": MOST_STEPS}
        done = await extractor.ainvoke(asked, limits)
    except Exception as error:  # noqa: BLE001 - whatever becomes of a repair, the answer itself stands
        log.info("what fits no form was not put right: %s", type(error).__name__)
        return {}
    told = [call for message in done["messages"] for call in message.tool_calls]
    return {str(call["id"]): storable_json(call["args"]) for call in told if str(call["id"]) in wrong}


@cache
def _forms() -> tuple[type[Worded], ...]:
    """The forms under the names that models see."""
    return tuple(create_model(name, __base__=form, __doc__=form.__doc__) for name, form in FORMS.items())


class _Answered:
    """A model that has answered already; only what Trustcall asks to have repaired goes to the real one."""

    def __init__(self, client: BaseChatModel) -> None:
        self._client = client

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Runnable[Any, AIMessage]:
        """The answer, or the client with the tools of a repair."""
        if any(getattr(tool, "__name__", "") == REPAIR for tool in tools):
            return self._client.bind_tools(tools, **options) | RunnableLambda(_stored)
        return RunnableLambda(lambda _: AIMessage("", tool_calls=[*_answer.get()]))


def _stored(reply: AIMessage) -> AIMessage:
    calls = [{**call, "args": storable_json(call["args"]), "id": uuid4().hex} for call in reply.tool_calls]
    return reply.model_copy(update={"tool_calls": calls})

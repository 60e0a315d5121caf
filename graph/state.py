"""What travels through the graph."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated, NotRequired

from langchain_core.messages import AnyMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from typing_extensions import TypedDict

from agents import contract, suggestion_feedback
from agents.contract import AgentReport, Outcome, Pending, Proposal, RouterDecision, ThreadSnapshot
from agents.policies import Standing, rules
from agents.rendering import thread_summary
from agents.rendering.thread_summary import ThreadSummary
from graph.reducers import merge_reports, window


class TurnInput(TypedDict):
    """What a caller gives: one message, whether its words are uncertain, and whether the turn was tried before.

    Uncertain words of a recording that ``breaks_off`` may be surely heard: its end is missing.

    ``answers_question_id`` names the question that the message is for, if its sender named one: it answers no other.
    ``reading`` are the proposals that the message is to be read as, if its sender said so. ``borrowed`` words may not
    be the user's own: what they ask for waits for a yes, and they answer no question.
    """

    messages: Annotated[list[AnyMessage], window]
    unsure: NotRequired[bool]
    breaks_off: NotRequired[bool]
    borrowed: NotRequired[bool]
    rerun: NotRequired[bool]
    memo_id: NotRequired[str | None]
    answers_question_id: NotRequired[str | None]
    reading: NotRequired[list[Proposal] | None]


class State(TurnInput):
    """A thread's state: a window of messages, the open question, and the current turn's work."""

    turn_id: NotRequired[str]
    beginning: NotRequired[ThreadSnapshot | None]
    words: NotRequired[str]
    passed_on: NotRequired[str]
    doubtful: NotRequired[bool]
    standing: NotRequired[list[Standing]]
    decision: NotRequired[RouterDecision | None]
    reports: NotRequired[Annotated[list[AgentReport], merge_reports]]
    outcome: NotRequired[Outcome | None]
    pending: NotRequired[Pending | None]
    recent_turns: NotRequired[list[str]]
    digest: NotRequired[ThreadSummary | None]


class TurnOutput(TypedDict):
    """What a run ends with."""

    messages: Annotated[list[AnyMessage], window]
    outcome: Outcome | None
    pending: NotRequired[Pending | None]


def serializer() -> JsonPlusSerializer:
    """The serializer of checkpoints: it reads back our own types and nothing else that a database might hold."""
    return JsonPlusSerializer(allowed_msgpack_modules=own_types())


def own_types() -> list[tuple[str, ...]]:
    """Our types that a checkpoint may hold, each as its module and name."""
    return [
        (module.__name__, name)
        for module in (contract, thread_summary, rules, suggestion_feedback)
        for name in _types(module)
    ]


def _types(module: ModuleType) -> list[str]:
    return [name for name, value in vars(module).items() if isinstance(value, type)]

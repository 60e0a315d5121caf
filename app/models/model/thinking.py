"""A language model that is given tools, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class ToolCall:
    """A call as a model asked for it."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Thought:
    """A model's answer: calls, or text, and what it took; ``unreadable`` names calls whose arguments are no JSON."""

    text: str
    calls: Sequence[ToolCall]
    tokens: int = 0
    credits: int = 0
    unreadable: Sequence[str] = ()


class NoThought(Exception):  # noqa: N818 - an outcome to deal with, not a fault
    """The model gave nothing usable; ``kind`` says why, as app.models.llm.faults does."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Thinker(Protocol):
    """A chat model with tools, asked for the acting user and paid from that user's credits."""

    async def available(self) -> bool:
        """Whether the acting user has a model."""

    async def think(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, Any]]) -> Thought:
        """The next step; messages are {role, content}, tools have name, description and parameters."""

"""What is asked of a model and what it wants done, in plain values: nothing here needs the model's libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import BaseMessage

from agents.tool_schemas import Worded

ActOp = Literal["create", "update", "delete", "plan", "say", "text", "garbled"]
Effort = Literal["minimal", "low", "medium", "high"]


@dataclass(frozen=True)
class Target:
    """One model at one server. ``seconds`` bound a request, ``max_tokens`` an answer; the key is in no repr.

    ``temperature`` and ``effort`` (how much a model thinks before it answers) are sent only where they are set.
    """

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    seconds: float = 15.0
    max_tokens: int = 2000
    temperature: float | None = None
    effort: Effort | None = None


@dataclass(frozen=True)
class Extraction:
    """A request for changes of one kind of record: the tool to fill in, and the known records by their short ids.

    ``others`` are forms that may be filled in beside or instead of it. ``most`` is how many changes one answer may
    hold; a model that wants more is taken to have lost its way.
    """

    tool: type[Worded]
    messages: Sequence[BaseMessage]
    existing: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    deletes: bool = True
    most: int = 20
    others: tuple[type[Worded], ...] = ()

    @property
    def forms(self) -> dict[str, type[Worded]]:
        """All forms by the names that models see."""
        return {form.__name__: form for form in (self.tool, *self.others)}


@dataclass(frozen=True)
class Act:
    """One thing that a model wants: a change, a ``plan`` to offer, or to ``say`` something.

    ``text`` is what it said where it was to call: an answer, if the message asks for nothing else.
    ``garbled`` ones name no tool that there is, or cannot be read.
    """

    op: ActOp
    known: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)

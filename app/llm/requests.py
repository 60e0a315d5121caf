"""What is asked of a model and what it wants done, in plain values: nothing here needs the model's libraries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import BaseMessage

from agents.tool_schemas import Worded

ActOp = Literal["create", "update", "delete", "garbled"]


@dataclass(frozen=True)
class Target:
    """One model at one server. ``seconds`` bound a request, ``max_tokens`` an answer; the key is in no repr."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)
    seconds: float = 15.0
    max_tokens: int = 2000


@dataclass(frozen=True)
class Extraction:
    """A request for changes of one kind of record: the tool to fill in, and the known records by their short ids.

    ``most`` is how many changes one answer may hold; a model that wants more is taken to have lost its way.
    """

    tool: type[Worded]
    messages: Sequence[BaseMessage]
    existing: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    deletes: bool = True
    most: int = 20


@dataclass(frozen=True)
class Act:
    """One tool call of a model; ``garbled`` ones name no tool that there is, or cannot be read."""

    op: ActOp
    known: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)

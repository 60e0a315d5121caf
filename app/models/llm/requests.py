"""What is asked of a model and what it answers, in plain values: nothing here needs the model's libraries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Effort = Literal["minimal", "low", "medium", "high"]
Hear = Callable[[str], None]
"""Takes a sentence of an answer that is still coming."""
PLAIN_ENCODING = "identity"
PLAIN_HEADERS = {"Accept-Encoding": PLAIN_ENCODING}
"""Ask for an answer that is not packed: few packed bytes may be many."""


def is_plain(headers: Mapping[str, str]) -> bool:
    """Return whether an answer with these headers is not packed, as it was asked for."""
    return headers.get("content-encoding", PLAIN_ENCODING) == PLAIN_ENCODING


@dataclass(frozen=True)
class ModelTarget:
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
class Call:
    """One call of a tool: its name, and arguments that fit its form where ``fault`` is empty."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class ModelAnswer:
    """What a model answered: words, calls, and the first of the words that were heard already, as sentences.

    ``lost`` is how many calls could not be read at all.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    heard: tuple[str, ...] = ()
    lost: int = 0

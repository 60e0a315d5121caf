"""Models on this machine: which servers have some, and what each of them can do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Literal

from app.models.model.providers import Provider

ServerKind = Literal["ollama", "llama.cpp", "lm-studio", "vllm", "other"]
NAMES: dict[ServerKind, str] = {
    "ollama": "Ollama",
    "llama.cpp": "llama.cpp",
    "lm-studio": "LM Studio",
    "vllm": "vLLM",
    "other": "A server of models",
}
SLUGS: dict[ServerKind, str] = {
    "ollama": "ollama",
    "llama.cpp": "llama-cpp",
    "lm-studio": "lm-studio",
    "vllm": "vllm",
    "other": "local",
}
START_ONE = (
    "Start one: install Ollama (https://ollama.com) and run `ollama pull qwen3:8b`, or run "
    "`llama-server -m FILE.gguf --port 8080`. Then look again."
)


@dataclass(frozen=True)
class LocalServer:
    """A server of models that answers at ``base_url``; ``detail`` says in a sentence what it answered."""

    kind: ServerKind
    base_url: str
    models: Sequence[str]
    detail: str

    @property
    def name(self) -> str:
        """What people call it."""
        return NAMES[self.kind]


@dataclass(frozen=True)
class Measured:
    """What a model did with fixed words; None stands for what there was no time for, or what did not come.

    ``first_token_seconds`` is the time to the first word of a streamed answer; ``detail`` says what went wrong, if
    anything did.
    """

    base_url: str
    model: str
    tools: bool | None = None
    json_schema: bool | None = None
    first_token_seconds: float | None = None
    tokens_per_second: float | None = None
    detail: str = ""


class NotAnAddressHere(Exception):  # noqa: N818 - it names what happened
    """An address is none of those that the settings name."""


def slug_of(server: LocalServer, known: Iterable[Provider]) -> str:
    """Under what a server is kept: the provider of chat at its address, or else the first free slug of its kind."""
    known = list(known)
    taken, stem = {one.slug for one in known}, SLUGS[server.kind]
    there = [one.slug for one in known if is_at(one, server) and "chat" in one.capabilities]
    free = (slug for number in count(1) if (slug := stem if number == 1 else f"{stem}-{number}") not in taken)
    return there[0] if there else next(free)


def is_at(provider: Provider, server: LocalServer) -> bool:
    """Whether a provider is this server."""
    return provider.base_url.rstrip("/") == server.base_url


def nothing_runs(addresses: Sequence[str]) -> str:
    """What to do where no model was found, in two lines."""
    return f"No model was found on this computer; these addresses were asked: {', '.join(addresses)}.\n{START_ONE}"

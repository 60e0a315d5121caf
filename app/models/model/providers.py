"""Providers of models, and which model is used for what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from app.loopback import is_local

Capability = Literal["chat", "embeddings", "transcription", "speech"]
Tier = Literal["fast", "reason"]
ProviderKind = Literal["direct", "gateway"]
Feature = Literal["tools", "tool_choice", "json_schema", "streaming", "usage"]
"""Parts of the protocol: call tools, call one because it must, fill in a schema, stream, count tokens."""


@dataclass(frozen=True)
class Provider:
    """One place where models are. ``has_key`` says whether it has one, ``own_key`` whose: the user's, or everybody's.

    ``api_key`` is only there when it was asked for, and in no repr.
    """

    slug: str
    name: str
    base_url: str
    kind: ProviderKind
    capabilities: Sequence[Capability]
    hint: str = ""
    has_key: bool = False
    own_key: bool = False
    updated_at: datetime | None = None
    api_key: str = field(default="", repr=False)

    @property
    def usable(self) -> bool:
        """Whether anything is sent to it: a server elsewhere that has no key is sent nothing."""
        return self.has_key or is_local(self.base_url)


@dataclass(frozen=True)
class ProviderChange:
    """What is to be set; None leaves it as it is. Only everybody's rows may have a ``base_url``."""

    slug: str
    name: str | None = None
    base_url: str | None = None
    kind: ProviderKind | None = None
    capabilities: Sequence[Capability] | None = None
    api_key: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class ActiveModel:
    """The model that is used for something; ``own`` when the user chose it, not the administrator."""

    capability: Capability
    tier: Tier
    provider: str
    model: str
    own: bool


@dataclass(frozen=True)
class Probed:
    """A provider's answer: its models, and which features work with the ``model`` that was tried, if one was."""

    ok: bool
    detail: str
    models: Sequence[str] = ()
    model: str | None = None
    features: Mapping[Feature, bool] = field(default_factory=dict)


class Lacks(Protocol):
    """What a provider has instead of a model; None unless it lists its models and this one is not among them."""

    async def __call__(self, provider: Provider, model: str) -> Probed | None: ...


class Probe(Protocol):
    """Asks a provider whether it answers."""

    async def __call__(self, provider: Provider, model: str = "") -> Probed:
        """Its models and, if one is named, what works with it; a few short requests with its key."""

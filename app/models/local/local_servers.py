"""Finds the servers of models on this machine: it asks loopback addresses for their models, without a key."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import httpx

from app.loopback import is_local
from app.models.llm.probe import REFUSED_STATUSES, body_of, models_in
from app.models.llm.requests import PLAIN_HEADERS
from app.models.model.local_models import LocalServer, ServerKind

ANSWER_SECONDS = 5.0
"""For one server to answer; a port on which nothing listens refuses at once."""
OWNERS: dict[str, ServerKind] = {
    "library": "ollama",
    "llamacpp": "llama.cpp",
    "organization_owner": "lm-studio",
    "vllm": "vllm",
}
"""Whom servers call the owner of their models."""
PORTS: dict[int | None, ServerKind] = {11434: "ollama", 1234: "lm-studio"}
"""Of servers whose models may have any owner, or that have none yet."""
KEY_NEEDED = "It asks for a key: `summit setup --provider NAME --base-url ADDRESS` takes one."


async def find_servers(addresses: Sequence[str], *, seconds: float = ANSWER_SECONDS) -> list[LocalServer]:
    """The servers of models that answer at these addresses, in their order; any elsewhere is left out unasked."""
    async with httpx.AsyncClient(timeout=None, trust_env=False) as client:  # noqa: S113 - each has its own limit
        asked = [_find_server_at(client, address, seconds) for address in addresses if is_local(address)]
        return [one for one in await asyncio.gather(*asked) if one]


async def _find_server_at(client: httpx.AsyncClient, address: str, seconds: float) -> LocalServer | None:
    with suppress(TimeoutError, httpx.HTTPError, httpx.InvalidURL):
        async with asyncio.timeout(seconds):
            return None if await _is_summit(client, address) else await _identify_server(client, address)
    return None


async def _is_summit(client: httpx.AsyncClient, address: str) -> bool:
    """Whether it is a Summit: one listens where vLLM does, and speaks the same protocol."""
    _, body = await _read(client, f"{address}/version")
    with suppress(ValueError, RecursionError):
        told = json.loads(body)
        return isinstance(told, dict) and told.get("name") == "summit"
    return False


async def _identify_server(client: httpx.AsyncClient, address: str) -> LocalServer | None:
    status, body = await _read(client, f"{address}/models")
    if status in REFUSED_STATUSES:
        return LocalServer("other", address, [], KEY_NEEDED)
    listed = models_in(body)
    if status != httpx.codes.OK or not listed.ok:
        return None
    return LocalServer(kind_of(body, address), address, listed.models, listed.detail)


async def _read(client: httpx.AsyncClient, url: str) -> tuple[int, bytes]:
    async with client.stream("GET", url, headers=PLAIN_HEADERS) as answer:
        return answer.status_code, await body_of(answer)


def kind_of(body: bytes, address: str) -> ServerKind:
    """Which program it is, by what it calls its owner, or else by its port."""
    owners = [str(one.get("owned_by")) for one in json.loads(body)["data"]]
    told = [OWNERS[owner] for owner in owners if owner in OWNERS]
    return told[0] if told else PORTS.get(urlsplit(address).port, "other")

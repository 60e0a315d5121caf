"""Asks a provider for its models: the cheapest question that needs a working address and key."""

from __future__ import annotations

import asyncio
import json

import httpx

from app.ports import Probed, Provider

SECONDS = 10.0
MOST_SHOWN = 200
MOST_BYTES = 4_000_000
PLAIN = "identity"


async def probe(provider: Provider, seconds: float = SECONDS) -> Probed:
    """One request; what went wrong is told without the provider's own words, which may quote the key."""
    try:
        async with asyncio.timeout(seconds):
            return await _asked(provider)
    except (TimeoutError, httpx.TimeoutException):
        return Probed(ok=False, detail=f"It did not answer within {seconds:g} seconds.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Probed(ok=False, detail=f"It cannot be reached ({type(error).__name__}).")


async def _asked(provider: Provider) -> Probed:
    key = {"Authorization": f"Bearer {provider.api_key}"} if provider.api_key else {}
    headers = {"Accept-Encoding": PLAIN, **key}  # few packed bytes may be many
    address = f"{provider.base_url.rstrip('/')}/models"
    async with httpx.AsyncClient() as client, client.stream("GET", address, headers=headers) as answer:
        if answer.status_code in (401, 403):
            return Probed(ok=False, detail=f"It refuses the key ({answer.status_code}).")
        if not answer.is_success:
            return Probed(ok=False, detail=f"It answered {answer.status_code}.")
        return _read(await _body(answer))


async def _body(answer: httpx.Response) -> bytes:
    """The body, or nothing of one that is too long or packed."""
    body = b""
    if answer.headers.get("content-encoding", PLAIN) != PLAIN:
        return body
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > MOST_BYTES:
            return b""
    return body


def _read(body: bytes) -> Probed:
    try:
        names = [str(model["id"]) for model in json.loads(body)["data"]][:MOST_SHOWN]
    except (ValueError, TypeError, KeyError, RecursionError):
        return Probed(ok=False, detail="It answered, but not as an OpenAI-compatible server does.")
    return Probed(ok=True, detail=f"It answers and has {len(names)} models.", models=names)

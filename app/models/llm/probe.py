"""Tests a provider: its models first, the cheapest question that needs a working address and key, then one of them."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches

import httpx

from app.models.llm.trial import REFUSED_STATUSES, KeyRefused, Trial
from app.models.model.providers import Probed, Provider

PROBE_SECONDS = 10.0
TRIAL_SECONDS, TRIAL_TOKENS = 20.0, 512
MOST_SHOWN, MOST_CLOSE = 200, 5
MOST_BYTES = 4_000_000
PLAIN_ENCODING = "identity"
PLAIN_HEADERS = {"Accept-Encoding": PLAIN_ENCODING}
"""Few packed bytes may be many."""
UNLISTED = (404, 405, 501)
"""What servers answer that list no models."""


async def probe(
    provider: Provider,
    model: str = "",
    *,
    seconds: float = PROBE_SECONDS,
    trial_seconds: float = TRIAL_SECONDS,
    trial_tokens: int = TRIAL_TOKENS,
) -> Probed:
    """The models of a provider and, where one is named, which features of the protocol work with it.

    ``seconds`` bound the list, ``trial_seconds`` and ``trial_tokens`` each answer of the model. What went wrong is said
    without the provider's own words, which may quote the key.
    """
    headers = headers_of(provider)
    address = provider.base_url.rstrip("/")
    try:
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - each question has its own limit
            async with asyncio.timeout(seconds):
                found = await _list_models(client, address, headers, model)
            if not (model and found.ok):
                return found
            return await _try_model(Trial(client, address, headers, model, trial_seconds, trial_tokens), found)
    except (TimeoutError, httpx.TimeoutException):
        return Probed(ok=False, detail=f"It did not answer within {seconds:g} seconds.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Probed(ok=False, detail=f"It cannot be reached ({type(error).__name__}).")
    except KeyRefused as refused:
        return Probed(ok=False, detail=str(refused))


async def lacks(provider: Provider, model: str, *, seconds: float = PROBE_SECONDS) -> Probed | None:
    """What a provider has instead of a model; None unless it lists its models and this one is not among them."""
    address = provider.base_url.rstrip("/")
    with suppress(TimeoutError, httpx.HTTPError, httpx.InvalidURL):
        async with asyncio.timeout(seconds), httpx.AsyncClient(timeout=None) as client:  # noqa: S113 - it is bounded
            found = await _list_models(client, address, headers_of(provider), model)
            return found if found.models and not found.ok else None
    return None


def headers_of(provider: Provider) -> dict[str, str]:
    """Return the headers of a request to a provider."""
    key = {"Authorization": f"Bearer {provider.api_key}"} if provider.api_key else {}
    return {**PLAIN_HEADERS, **key}


async def _list_models(client: httpx.AsyncClient, address: str, headers: dict[str, str], model: str) -> Probed:
    async with client.stream("GET", f"{address}/models", headers=headers) as answer:
        if answer.status_code in REFUSED_STATUSES:
            return Probed(ok=False, detail=str(KeyRefused(answer.status_code)))
        if model and answer.status_code in UNLISTED:
            return Probed(ok=True, detail="It lists no models.")
        if not answer.is_success:
            return Probed(ok=False, detail=f"It answered {answer.status_code}.")
        return models_in(await body_of(answer), model)


async def _try_model(trial: Trial, found: Probed) -> Probed:
    """What was found of a provider, and what works with one of its models."""
    features = await trial.features()
    works = [name for name, fine in features.items() if fine]
    if not works:
        statuses = ", ".join(map(str, dict.fromkeys(trial.statuses))) or f"nothing within {trial.seconds:g} seconds"
        return replace(found, ok=False, detail=f"{found.detail} {trial.model} gives no answer of use ({statuses}).")
    lacks = [name for name, fine in features.items() if not fine]
    told = f"With {trial.model} these work: {', '.join(works)}." + (
        f" These do not: {', '.join(lacks)}." if lacks else ""
    )
    changes = "" if {"tools", "json_schema"} & {*works} else " It can answer, but change nothing."
    return replace(found, detail=f"{found.detail} {told}{changes}", model=trial.model, features=features)


async def body_of(answer: httpx.Response, most: int = MOST_BYTES) -> bytes:
    """The body, or nothing of one that is too long or packed."""
    body = b""
    if answer.headers.get("content-encoding", PLAIN_ENCODING) != PLAIN_ENCODING:
        return body
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > most:
            return b""
    return body


def models_in(body: bytes, model: str = "") -> Probed:
    """What a list of models says, and of one of them whether it is there."""
    try:
        names = [str(listed["id"]) for listed in json.loads(body)["data"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return Probed(ok=False, detail="It answered, but not as an OpenAI-compatible server does.")
    if model and model not in names and f"{model}:latest" not in names:  # Ollama's name of the usual one
        closest = get_close_matches(model, names, n=MOST_CLOSE, cutoff=0.3)
        others = [name for name in names if name not in closest]
        return Probed(ok=False, detail=f"It has no model {model}.", models=[*closest, *others][:MOST_SHOWN])
    return Probed(ok=True, detail=f"It answers and has {len(names)} models.", models=names[:MOST_SHOWN])

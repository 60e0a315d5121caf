"""Asks a provider for its models: the cheapest question that needs a working address and key."""

from __future__ import annotations

import httpx

from app.ports import Probed, Provider

SECONDS = 10.0
MOST_SHOWN = 200
MOST_BYTES = 4_000_000


async def probe(provider: Provider) -> Probed:
    """One request; what went wrong is told without the provider's own words, which may quote the key."""
    headers = {"Authorization": f"Bearer {provider.api_key}"} if provider.api_key else {}
    try:
        async with httpx.AsyncClient(timeout=SECONDS) as client:
            answer = await client.get(f"{provider.base_url.rstrip('/')}/models", headers=headers)
    except httpx.TimeoutException:
        return Probed(ok=False, detail=f"It did not answer within {SECONDS:.0f} seconds.")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return Probed(ok=False, detail=f"It cannot be reached ({type(error).__name__}).")
    if answer.status_code in (401, 403):
        return Probed(ok=False, detail=f"It refuses the key ({answer.status_code}).")
    if answer.is_error or len(answer.content) > MOST_BYTES:
        return Probed(ok=False, detail=f"It answered {answer.status_code}.")
    return _read(answer)


def _read(answer: httpx.Response) -> Probed:
    try:
        names = [str(model["id"]) for model in answer.json()["data"]][:MOST_SHOWN]
    except (ValueError, TypeError, KeyError):
        return Probed(ok=False, detail="It answered, but not as an OpenAI-compatible server does.")
    return Probed(ok=True, detail=f"It answers and has {len(names)} models.", models=names)

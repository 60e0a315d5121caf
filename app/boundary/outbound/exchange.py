"""One request to one checked address, and its answer within limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx

from app.boundary.model import Fetched, TargetFailed, TargetRefused
from app.boundary.outbound.target import CheckedTarget

AGENT = "Summit"
# Compressed answers are neither asked for nor unpacked: a few bytes could become gigabytes.
PLAIN = frozenset({"", "identity"})


@dataclass(frozen=True)
class OutboundRequest:
    """What is sent, and how much of an answer is taken in, in bytes; ``protected`` never goes readable over the net."""

    method: str
    max_bytes: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    protected: bool = False


async def exchange(client: httpx.AsyncClient, target: CheckedTarget, asked: OutboundRequest) -> Fetched:
    """The answer of the first of the target's addresses that lets us connect.

    Raises:
        TargetRefused: the answer is too large or compressed.
        TargetFailed: no address lets us connect, or the answer breaks off.

    """
    for address in target.addresses:
        try:
            async with client.stream(
                asked.method,
                target.pinned_url(address),
                content=asked.body,
                headers={**asked.headers, "Host": target.host_header, **_HOW},
                extensions={"sni_hostname": target.name},
            ) as answer:
                return await _read(answer, target, asked.max_bytes)
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            failure = error  # nothing was sent: the next address may do better
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise TargetFailed(f"The connection to {target.name} broke off.") from error
    raise TargetFailed(f"{target.name} lets nobody connect.") from failure


_HOW = {"User-Agent": AGENT, "Accept-Encoding": "identity"}


async def _read(answer: httpx.Response, target: CheckedTarget, max_bytes: int) -> Fetched:
    if answer.headers.get("content-encoding", "").strip().lower() not in PLAIN:
        raise TargetRefused(f"{target.name} sends compressed answers, which are not read.")
    body = bytearray()
    async for chunk in answer.aiter_raw():
        body += chunk
        if len(body) > max_bytes:
            raise TargetRefused(f"The answer of {target.name} is larger than {max_bytes} bytes.")
    return Fetched(answer.status_code, str(target.url), dict(answer.headers), bytes(body))

"""Wrong keys: each further one of an address is answered later, and the audit log tells of them.

A right key is never slowed. Only what could be guessed, which keys of ours with their 256 random bits cannot, is turned
away unread while too many wrong ones of its address wait for their answer.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.types import Scope

from app.errors import TooManyRequests, WrongKey
from app.http.accounts.model.audit import Refusal
from app.http.accounts.store.audit import AuditLog
from app.http.auth import Caller, is_own_form
from app.http.deps import Services
from app.settings import Settings

WINDOW_SECONDS = 600.0
LONGEST_SECONDS = 10.0
TOLD_ONE_BY_ONE = 10
MOST_REMEMBERED = 10_000
IPV6_NETWORK = 64
"""Bits of an IPv6 address that its owner does not choose."""


@dataclass
class Tries:
    """The wrong keys of one address: how many since the first one, and how many wait for their answer."""

    since: float
    count: int = 0
    waiting: int = 0


@dataclass(frozen=True)
class WrongKeys:
    """One for a server; pauses begin with ``seconds`` and double, ``most`` may wait for their answer at once."""

    seconds: float
    most: int
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    _tries: dict[str, Tries] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings) -> WrongKeys:
        """As the settings say."""
        return cls(settings.wrong_key_seconds, settings.max_waiting_wrong_keys)

    def admit(self, address: str, authorization: str | None) -> None:
        """Raises TooManyRequests for a guess of an address whose wrong keys pile up."""
        tries = self._tries.get(address)
        if tries and tries.waiting >= self.most and authorization and not is_own_form(authorization):
            raise self._refusal()

    def count(self, address: str) -> int:
        """How many wrong keys of this address there were lately, this one included."""
        return self._of(address).count + 1

    async def hold(self, address: str) -> None:
        """Count a wrong key and wait as long as its answer has to; raises TooManyRequests where too many wait."""
        tries = self._of(address)
        tries.count += 1
        if tries.waiting >= self.most:
            raise self._refusal()
        tries.waiting += 1
        try:
            await self.sleep(min(self.seconds * 2 ** min(tries.count - 1, 30), LONGEST_SECONDS))
        finally:
            tries.waiting -= 1

    def _of(self, address: str) -> Tries:
        now = self.clock()
        known = self._tries.get(address)
        if known is None or (now - known.since > WINDOW_SECONDS and not known.waiting):
            known = self._tries[address] = Tries(now)
            self._forget(now)
        return known

    def _forget(self, now: float) -> None:
        if len(self._tries) > MOST_REMEMBERED:
            over = [one for one, tries in self._tries.items() if now - tries.since > WINDOW_SECONDS]
            for one in over or list(self._tries)[:1]:
                del self._tries[one]

    def _refusal(self) -> TooManyRequests:
        return TooManyRequests(
            "Too many wrong keys came from this address at once.",
            hint="Wait, then send the right key.",
            retry_seconds=int(LONGEST_SECONDS),
        )


async def unless_wrong(
    scope: Scope, authorization: str | None, action: Refusal, look: Callable[[], Awaitable[Caller]]
) -> Caller:
    """Who ``look`` finds. What it raises as WrongKey is told to the audit log, and raised in good time."""
    wrong: WrongKeys = scope["state"]["wrong_keys"]
    address = address_of(scope)
    wrong.admit(address, authorization)
    try:
        return await look()
    except WrongKey:
        if is_told(count := wrong.count(address)):
            services: Services = scope["state"]["services"]
            await services.get(AuditLog).record_refusal(
                f"somebody at {address}", action, f"try {count} within 10 minutes"
            )
        await wrong.hold(address)
        raise


def is_told(count: int) -> bool:
    """Whether the audit log tells of this wrong key: of the first ones each, of a flood ever fewer."""
    return count <= TOLD_ONE_BY_ONE or count & (count - 1) == 0


def address_of(scope: Scope) -> str:
    """Where a connection comes from; of IPv6 the network, as one machine has all addresses in it."""
    host = (scope.get("client") or ("elsewhere", 0))[0]
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, IPV6_NETWORK), strict=False))

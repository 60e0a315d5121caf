"""One address to call: read from a URL, resolved once, and pinned to what it resolved to."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import httpx

from app.boundary.model import TargetFailed, TargetRefused
from app.boundary.outbound.addresses import Network, may_be_called

PORTS = {"http": 80, "https": 443}
LONGEST_URL = 2000
LARGEST_PORT = 65535
MOST_ADDRESSES = 3
PRIVATE = (
    "{host} is an address inside a private network. To call your own servers, list their networks in "
    "SUMMIT_ALLOWED_NETWORKS."
)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


@dataclass(frozen=True)
class CheckedTarget:
    """Where a request goes: the URL as given, and the addresses that its host had when it was checked."""

    url: httpx.URL
    addresses: tuple[str, ...]

    def pinned_url(self, address: str) -> httpx.URL:
        """The URL with the checked address in place of the name, so that nothing is resolved a second time."""
        return self.url.copy_with(host=address)

    @property
    def host_header(self) -> str:
        """The name and port, as the server expects to be called."""
        return self.url.netloc.decode("ascii")

    @property
    def readable_on_the_way(self) -> bool:
        """Whether strangers may read what is sent: plain HTTP over the public internet."""
        return self.url.scheme == "http" and any(may_be_called(address) for address in self.addresses)

    @property
    def name(self) -> str:
        """The name that the server's certificate must carry."""
        return _name(self.url)


async def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, best first; raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


async def find_target(text: str, allowed: Sequence[Network], resolving: Resolve = resolve) -> CheckedTarget:
    """Read, resolve and check an address.

    Raises:
        TargetRefused: it is no web address, or one of the host's addresses is not public.
        TargetFailed: the host is not known.

    """
    url = _read(text)
    return CheckedTarget(url, await addresses_of(_name(url), url.port or PORTS[url.scheme], allowed, resolving))


async def addresses_of(
    host: str, port: int, allowed: Sequence[Network], resolving: Resolve = resolve
) -> tuple[str, ...]:
    """The addresses of a server, best first, all of them checked; raises TargetRefused and TargetFailed."""
    try:
        addresses = await resolving(host, port)
    except (OSError, UnicodeError) as error:
        raise TargetFailed(f"No server named {host} is known.") from error
    if not addresses:
        raise TargetFailed(f"No server named {host} is known.")
    if not all(may_be_called(address, allowed) for address in addresses):
        raise TargetRefused(PRIVATE.format(host=host))
    return tuple(addresses[:MOST_ADDRESSES])


def _read(text: str) -> httpx.URL:
    try:
        url = httpx.URL(text)
        host = url.host  # decoded only now: a name such as xn-- stands for nothing
    except (httpx.InvalidURL, ValueError) as error:
        raise TargetRefused("That is no web address.") from error
    port = PORTS.get(url.scheme, 0) if url.port is None else url.port
    if not host or len(text) > LONGEST_URL or not 0 < port <= LARGEST_PORT or url.scheme not in PORTS:
        raise TargetRefused("A web address begins with https:// or http:// and names a server.")
    if url.userinfo:
        raise TargetRefused("The address holds a user name or password; leave them out.")
    return url.copy_with(fragment=None)


def _name(url: httpx.URL) -> str:
    return url.raw_host.decode("ascii")

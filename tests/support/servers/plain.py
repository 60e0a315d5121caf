"""HTTP clients for servers of this machine."""

from __future__ import annotations

import ssl
from collections.abc import Mapping

import httpx

from tests.support.waiting import HANG_SECONDS

# A client reads all authorities of the system when it is made: 60 ms, which thousands of tests need not spend.
NO_AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def plain_client(url: str, headers: Mapping[str, str] | None = None, seconds: float = HANG_SECONDS) -> httpx.Client:
    """A client that speaks HTTP without TLS."""
    return httpx.Client(base_url=url, headers=headers, timeout=seconds, verify=NO_AUTHORITIES)

"""What is on this machine, and what is elsewhere."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def is_loopback(host: str) -> bool:
    """Whether an address or name can only be reached from this machine."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_local(url: str) -> bool:
    """Whether a URL leads to this machine; one that cannot be read does not."""
    try:
        return is_loopback(urlsplit(url).hostname or "")
    except ValueError:
        return False

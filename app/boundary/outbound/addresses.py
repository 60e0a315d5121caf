"""Which network addresses may be called: those of the public internet, and the networks an operator allows."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# RFC 6052: the last four bytes are an IPv4 address that a gateway will call.
TRANSLATED = IPv6Network("64:ff9b::/96")
# Not reserved as such by `ipaddress`, and never a server on the internet.
UNWANTED = [ip_network(text) for text in ("64:ff9b:1::/48", "::/96", "2002::/16", "2001::/32", "fec0::/10")]


def may_be_called(text: str, allowed: Sequence[Network] = ()) -> bool:
    """Whether a literal address (zone ids cut off) is public, or lies in one of the allowed networks."""
    address = _unwrap_ipv4(ip_address(text.partition("%")[0]))
    return _is_public(address) or any(address in network for network in allowed if network.version == address.version)


def _unwrap_ipv4(address: Address) -> Address:
    """The IPv4 address that is embedded in an IPv6 address, if any."""
    if isinstance(address, IPv4Address):
        return address
    if address in TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address


def _is_public(address: Address) -> bool:
    unwanted = any(address in network for network in UNWANTED if network.version == address.version)
    return address.is_global and not address.is_multicast and not address.is_reserved and not unwanted

from __future__ import annotations

from ipaddress import ip_network

import pytest

from app.boundary.outbound.addresses import may_be_called

PRIVATE = """
127.0.0.1 127.8.9.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1
198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ff02::1 fec0::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe
64:ff9b:1::1 2002:7f00:1::1 2001:0:7f00:1::1 2001:db8::1
""".split()
PUBLIC = "1.1.1.1 8.8.8.8 93.184.216.34 2606:4700:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808".split()


@pytest.mark.parametrize("address", PRIVATE)
def test_what_leads_into_a_network_of_ones_own_is_not_called(address: str) -> None:
    assert not may_be_called(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_the_public_internet_is_called(address: str) -> None:
    assert may_be_called(address)


def test_an_allowed_network_is_called_and_its_neighbour_is_not() -> None:
    allowed = [ip_network("192.168.1.0/24"), ip_network("fd00::/8")]
    assert may_be_called("192.168.1.77", allowed)
    assert may_be_called("::ffff:192.168.1.77", allowed)
    assert may_be_called("fd00::5", allowed)
    assert not may_be_called("192.168.2.77", allowed)
    assert not may_be_called("127.0.0.1", allowed)

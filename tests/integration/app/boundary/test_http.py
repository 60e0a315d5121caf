"""Every test calls a real server on a real socket; only the name service is scripted."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Sequence
from ipaddress import IPv4Network, ip_network
from pathlib import Path

import pytest

from app.boundary.model import TargetFailed, TargetRefused
from app.boundary.outbound.http import SafeHttp
from app.boundary.outbound.target import Resolve
from tests.support.peers.certificate import certificate_for
from tests.support.peers.site import Site, answer, site
from tests.support.waiting import HANG_SECONDS

# As a self-hoster allows one machine: a stand-in for the internet, where no test may go.
OUTSIDE = ip_network("127.0.0.77/32")
assert isinstance(OUTSIDE, IPv4Network)


@pytest.fixture
async def web() -> AsyncIterator[Site]:
    async with site("127.0.0.77") as running:
        yield running


def names(**addresses: str | list[str]) -> Resolve:
    """A name service; a list is answered one by one, its last entry for ever."""

    async def resolving(host: str, port: int) -> Sequence[str]:
        found = addresses.get(host.replace(".", "_"), host)
        if isinstance(found, str):
            return found.split()
        return (found.pop(0) if len(found) > 1 else found[0]).split()

    return resolving


def caller(**addresses: str | list[str]) -> SafeHttp:
    return SafeHttp([OUTSIDE], resolving=names(**addresses), seconds=HANG_SECONDS)


async def test_a_page_is_fetched_from_the_checked_address_under_its_own_name(web: Site) -> None:
    web.script("/cal.ics", answer(body=b"BEGIN:VCALENDAR", ETag='"7"'))
    fetched = await caller(cal_example="127.0.0.77").fetch(
        f"http://cal.example:{web.port}/cal.ics", headers={"If-None-Match": '"6"'}
    )
    assert (fetched.status, fetched.body, fetched.headers["etag"]) == (200, b"BEGIN:VCALENDAR", '"7"')
    (heard,) = web.heard
    assert heard.headers["host"] == f"cal.example:{web.port}"
    assert heard.headers["if-none-match"] == '"6"'
    assert heard.headers["accept-encoding"] == "identity"


async def test_a_status_is_an_answer_and_no_error(web: Site) -> None:
    web.script("/gone", answer(410, b"gone"))
    fetched = await caller().fetch(f"http://127.0.0.77:{web.port}/gone")
    assert (fetched.status, fetched.body) == (410, b"gone")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://2130706433:{port}/",
        "http://0x7f.1:{port}/",
        "http://0:{port}/",
        "http://169.254.169.254/latest/meta-data/",
    ],
)
async def test_ones_own_network_is_refused_however_it_is_spelt(url: str) -> None:
    async with site("127.0.0.1") as inside:
        with pytest.raises(TargetRefused, match="private network"):
            await SafeHttp([OUTSIDE], seconds=HANG_SECONDS).fetch(url.format(port=inside.port))
        with pytest.raises(TargetRefused, match="private network"):
            await SafeHttp([OUTSIDE]).check(url.format(port=inside.port))
        assert inside.heard == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://a.example/x",
        "file:///etc/passwd",
        "a.example",
        "http://",
        "http://u:p@a.example/",
        "http://[::1",
        "http://a:99999/",
        "http://a:0/",
        "http://xn--/",
        "//x",
    ],
)
async def test_what_is_no_plain_web_address_is_refused(url: str) -> None:
    with pytest.raises(TargetRefused):
        await caller().check(url)


async def test_one_private_address_among_public_ones_is_enough_to_refuse(web: Site) -> None:
    with pytest.raises(TargetRefused, match="private network"):
        await caller(mixed_example="127.0.0.77 10.0.0.1").fetch(f"http://mixed.example:{web.port}/")
    assert web.heard == []


async def test_a_name_that_changes_its_address_after_the_check_gains_nothing(web: Site) -> None:
    async with site("127.0.0.1") as inside:
        web.script("/", answer(body=b"outside"))
        inside.script("/", answer(body=b"inside"))
        turning: list[str] = ["127.0.0.77", "127.0.0.1"]
        http = caller(turning_example=turning)
        assert (await http.fetch(f"http://turning.example:{web.port}/")).body == b"outside"
        assert turning == ["127.0.0.1"]  # one look-up a call: what was checked is what was called
        with pytest.raises(TargetRefused):
            await http.fetch(f"http://turning.example:{inside.port}/")
        assert inside.heard == []


async def test_redirects_are_followed_each_one_checked_anew(web: Site) -> None:
    async with site("127.0.0.1") as inside:
        web.script("/a", answer(302, Location="/b"))
        web.script("/b", answer(301, Location=f"http://127.0.0.1:{inside.port}/secret"))
        with pytest.raises(TargetRefused, match="private network"):
            await caller().fetch(f"http://127.0.0.77:{web.port}/a")
        assert [heard.path for heard in web.heard] == ["/a", "/b"]
        assert inside.heard == []


async def test_a_redirect_elsewhere_does_not_take_headers_along(web: Site) -> None:
    web.script("/a", answer(302, Location=f"http://other.example:{web.port}/b"))
    web.script("/b", answer(body=b"ok"))
    http = caller(first_example="127.0.0.77", other_example="127.0.0.77")
    fetched = await http.fetch(f"http://first.example:{web.port}/a", headers={"Authorization": "Bearer mine"})
    assert fetched.url == f"http://other.example:{web.port}/b"
    assert ["authorization" in heard.headers for heard in web.heard] == [True, False]


async def test_redirects_without_end_are_refused(web: Site) -> None:
    web.script("/", answer(302, Location="/"))
    with pytest.raises(TargetRefused, match="redirect"):
        await caller().fetch(f"http://127.0.0.77:{web.port}/")


async def test_a_post_follows_no_redirect(web: Site) -> None:
    web.script("/hook", answer(307, Location="/elsewhere"))
    fetched = await caller().post(f"http://127.0.0.77:{web.port}/hook", b"{}", headers={"X-Sign": "1"})
    assert (fetched.status, [heard.path for heard in web.heard]) == (307, ["/hook"])
    assert (web.heard[0].method, web.heard[0].body, web.heard[0].headers["x-sign"]) == ("POST", b"{}", "1")


async def test_an_answer_without_end_is_cut_off_at_the_limit(web: Site) -> None:
    web.script("/big", answer(body=b"x" * 200_000))
    with pytest.raises(TargetRefused, match="larger than 1000 bytes"):
        await caller().fetch(f"http://127.0.0.77:{web.port}/big", max_bytes=1000)


async def test_a_compressed_answer_is_not_unpacked(web: Site) -> None:
    web.script("/bomb", answer(body=gzip.compress(b"0" * 10_000_000), Content_Encoding="gzip"))
    with pytest.raises(TargetRefused, match="compressed"):
        await caller().fetch(f"http://127.0.0.77:{web.port}/bomb")


async def test_a_server_that_dawdles_is_left_within_the_time(web: Site) -> None:
    web.script("/slow", 3600.0)
    hasty = SafeHttp([OUTSIDE], resolving=names(), seconds=0.2)
    with pytest.raises(TargetFailed, match=r"0\.2 seconds"):
        await hasty.fetch(f"http://127.0.0.77:{web.port}/slow")


@pytest.mark.parametrize("broken", [b"", b"HTTP/1.1 200 X\r\nContent-Length: 99\r\n\r\nshort", b"nonsense\r\n\r\n"])
async def test_an_answer_that_breaks_off_is_a_failure(web: Site, broken: bytes) -> None:
    web.script("/", broken)
    with pytest.raises(TargetFailed):
        await caller().fetch(f"http://127.0.0.77:{web.port}/")


async def test_the_next_address_is_tried_where_one_lets_nobody_connect(web: Site) -> None:
    web.script("/", answer(body=b"ok"))
    two = names(two_example="127.0.0.76 127.0.0.77")
    http = SafeHttp([ip_network("127.0.0.76/31")], resolving=two, seconds=HANG_SECONDS)
    assert (await http.fetch(f"http://two.example:{web.port}/")).body == b"ok"


async def test_nobody_there_and_an_unknown_name_are_failures_that_may_pass() -> None:
    with pytest.raises(TargetFailed, match="lets nobody connect"):
        await caller().fetch("http://127.0.0.77:1/")
    with pytest.raises(TargetFailed, match="No server named"):
        await SafeHttp().check("http://no-such-name.invalid/")


async def test_a_certificate_is_checked_against_the_name_though_the_address_is_called(tmp_path: Path) -> None:
    tls, trusted = certificate_for("hook.example", tmp_path)
    async with site("127.0.0.77", tls) as web:
        web.script("/", answer(body=b"ok"))
        resolving = names(hook_example="127.0.0.77", other_example="127.0.0.77")
        http = SafeHttp([OUTSIDE], resolving=resolving, trusted=trusted, seconds=HANG_SECONDS)
        assert (await http.fetch(f"https://hook.example:{web.port}/")).body == b"ok"
        with pytest.raises(TargetFailed):
            await http.fetch(f"https://other.example:{web.port}/")
        with pytest.raises(TargetFailed):
            await SafeHttp([OUTSIDE], resolving=resolving).fetch(f"https://hook.example:{web.port}/")
        assert len(web.heard) == 1


async def test_a_redirect_to_the_clear_is_refused(tmp_path: Path) -> None:
    tls, trusted = certificate_for("hook.example", tmp_path)
    async with site("127.0.0.77", tls) as web:
        web.script("/", answer(302, Location="http://hook.example/"))
        resolving = names(hook_example="127.0.0.77")
        http = SafeHttp([OUTSIDE], resolving=resolving, trusted=trusted, seconds=HANG_SECONDS)
        with pytest.raises(TargetRefused, match="https to http"):
            await http.fetch(f"https://hook.example:{web.port}/")

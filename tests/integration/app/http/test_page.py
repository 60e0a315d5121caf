"""The page is served whole, from the package, under a policy that lets it call nobody else."""

from __future__ import annotations

import re

import httpx

from app.http.routes.page import FOLDER
from tests.support.servers.api import NewClient

MOST_BYTES = 300_000
REFERENCE = re.compile(r'(?:href|src)="(/[^"]+)"|(?:from |import\()"(\./[^"]+)"|url\("(/[^"]+)"\)')
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=", re.IGNORECASE)
MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")
ADDRESS = re.compile(r"""["'(](?:https?:)?//[a-z0-9]""", re.IGNORECASE)


def test_the_front_is_the_page(client: NewClient) -> None:
    answer = client().get("/")
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_all_that_it_names_is_served_and_light(client: NewClient) -> None:
    page, named, total = client(), {"/", "/page/worker.js"}, 0
    seen: set[str] = set()
    while named - seen:
        path = min(named - seen)
        seen.add(path)
        answer = page.get(path)
        assert answer.status_code == 200, path
        if path == "/docs":
            continue
        total += len(answer.content)
        if not path.endswith((".png", ".woff2")):
            found = REFERENCE.findall(answer.text)
            named |= {("/page/" + one[2:] if one.startswith("./") else one) for parts in found for one in parts if one}
    assert {f"/page/{path.name}" for path in FOLDER.glob("*.js")} <= seen
    assert total < MOST_BYTES, total


def test_a_file_that_the_browser_has_is_not_sent_again(client: NewClient) -> None:
    page = client()
    first = page.get("/page/main.js")
    assert first.headers["content-type"].startswith("text/javascript")
    again = page.get("/page/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_nothing_outside_the_folder_is_served(client: NewClient) -> None:
    for path in ("/page/../settings.py", "/page/%2e%2e/settings.py", "/page/nothing.js", "/page/"):
        assert client().get(path).status_code == 404


def test_no_file_makes_markup_of_text_or_calls_elsewhere() -> None:
    for path in FOLDER.rglob("*"):
        if path.suffix in {".js", ".html", ".css"}:
            text = path.read_text()
            assert not MARKUP.search(text), path.name
            assert not ADDRESS.search(text.replace("http://www.w3.org/2000/svg", "")), path.name
            assert path.suffix != ".html" or not INLINE.search(text), path.name


def test_the_reference_keeps_its_place_under_the_same_policy(client: NewClient) -> None:
    answer: httpx.Response = client().get("/docs")
    assert "Summit: reference" in answer.text
    named = [one for parts in REFERENCE.findall(answer.text) for one in parts if one]
    for path in named:
        assert client().get(path).status_code == 200, path
    policy = client().get("/").headers["content-security-policy"]
    assert {client().get(path).headers["content-security-policy"] for path in ("/docs", *named)} == {policy}

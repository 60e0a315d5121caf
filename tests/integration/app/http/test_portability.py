"""Everything of one's own over HTTP: the conversation goes on in another account, and nothing is left in the first."""

from __future__ import annotations

import json
import tarfile
from io import BytesIO
from typing import Any

import httpx

from tests.integration.app.voice.test_clips import JFK
from tests.support.servers.api import NewClient, problem

LISTS = ("todos", "events", "notes", "instructions", "memos", "threads", "changes", "turns")
SAID = (
    "buy stamps, and book the dentist on friday at 3pm",
    "note that the code of the gate is 1234",
    "my name is Ada",
    "remind me to water the plants tomorrow at 9",
)
ERASE = {"confirm": "erase everything"}


def say(user: httpx.Client, text: str) -> dict[str, Any]:
    answer = user.post("/v1/turns", json={"text": text, "timezone": "Europe/Lisbon"})
    assert answer.status_code < 300, answer.text
    found: dict[str, Any] = answer.json()
    return found


def shown(user: httpx.Client) -> dict[str, list[Any]]:
    """What the lists say, without what names the account."""
    found = {name: user.get(f"/v1/{name}") for name in LISTS}
    return {name: answer.json()["items"] for name, answer in found.items() if answer.status_code == 200}


def exported(user: httpx.Client) -> bytes:
    made = user.post("/v1/export")
    assert made.status_code == 201, made.text
    fetched = user.get(made.json()["url"])
    assert len(fetched.content) == made.json()["size_bytes"]
    return fetched.content


def test_a_conversation_goes_on_in_another_account_and_nothing_stays(alice: httpx.Client, bob: httpx.Client) -> None:
    for text in SAID:
        say(alice, text)
    kept = alice.post("/v1/memos", files={"audio": ("clip.flac", JFK, "audio/flac")})
    assert kept.status_code < 300, kept.text
    archive, before = exported(alice), shown(alice)
    taken = bob.put("/v1/import", content=archive, headers={"Content-Type": "application/x-tar"})
    assert taken.status_code == 200, taken.text
    assert {name: len(items) for name, items in shown(bob).items()} == {
        name: len(items) for name, items in before.items()
    }
    assert [one["task"] for one in shown(bob)["todos"]] == [one["task"] for one in before["todos"]]
    memo = shown(bob)["memos"][0]["id"]
    assert bob.get(f"/v1/memos/{memo}/audio").content == JFK
    assert "plants" in say(bob, "undo that")["reply"]
    receipt = alice.post("/v1/erase", json=ERASE).json()
    assert receipt["left"] == 0
    assert receipt["erased"]["rows"]["changes"] == len(before["changes"])
    assert receipt["erased"]["recordings"] == 1
    assert {name: items for name, items in shown(alice).items() if items and name != "threads"} == {}
    assert alice.get(f"/v1/memos/{memo}/audio").status_code == 404
    assert say(alice, "what is on my list?")["reply"] == "You have no open tasks."


def test_the_manifest_says_what_is_left_out_and_why(alice: httpx.Client) -> None:
    with tarfile.open(fileobj=BytesIO(exported(alice))) as archive:
        file = archive.extractfile("manifest.json")
        assert file
        manifest = json.load(file)
    assert manifest["format"] == 1
    assert "only this server can read" in manifest["not_exported"]["providers"]


def test_only_who_may_do_everything_may_do_this(alice: httpx.Client, bob: httpx.Client, client: NewClient) -> None:
    key = alice.post("/v1/keys", json={"name": "phone", "scopes": ["read", "write"]}).json()["api_key"]
    made = alice.post("/v1/export").json()
    phone = client(key)
    for answer in (
        phone.post("/v1/export"),
        phone.get(made["url"]),
        phone.put("/v1/import", content=b""),
        phone.post("/v1/erase", json=ERASE),
    ):
        problem(answer, 403)
    problem(bob.get(made["url"]), 404)


def test_erasing_wants_the_words(alice: httpx.Client) -> None:
    say(alice, SAID[0])
    for body in ({}, {"confirm": "yes"}, {"confirm": True}):
        problem(alice.post("/v1/erase", json=body), 422)
    assert shown(alice)["todos"]


def test_an_account_with_something_takes_nothing_in(alice: httpx.Client) -> None:
    say(alice, SAID[0])
    refused = problem(alice.put("/v1/import", content=exported(alice)), 409)
    assert "holds something already" in refused["detail"]
    problem(alice.put("/v1/import", content=b"no archive"), 409)

from __future__ import annotations

import httpx

from tests.app.api.conftest import problem


def test_the_profile_is_there_from_the_start_and_every_change_can_be_undone(alice: httpx.Client) -> None:
    empty = alice.get("/v1/profile")
    assert (empty.json()["name"], empty.headers["etag"]) == (None, '"0"')
    named = alice.patch("/v1/profile", json={"name": "Alice"}, headers={"If-Match": '"0"'})
    assert (named.status_code, named.json()["name"]) == (200, "Alice")
    working = alice.patch("/v1/profile", json={"job": "baker"}, headers={"If-Match": named.headers["etag"]})
    assert (working.json()["name"], working.json()["job"]) == ("Alice", "baker")
    change = working.headers["x-change-id"]
    assert alice.post(f"/v1/changes/{change}/undo").status_code == 200
    assert alice.get("/v1/profile").json()["job"] is None


def test_a_lost_update_of_the_profile_is_refused(alice: httpx.Client) -> None:
    problem(alice.patch("/v1/profile", json={"name": "Alice"}, headers={"If-Match": '"3"'}), 412)
    alice.patch("/v1/profile", json={"name": "Alice"})
    document = problem(alice.patch("/v1/profile", json={"name": "Eve"}, headers={"If-Match": '"0"'}), 412)
    assert document["current"]["name"] == "Alice"


def test_everyone_has_a_profile_of_their_own(alice: httpx.Client, bob: httpx.Client) -> None:
    alice.patch("/v1/profile", json={"name": "Alice"})
    assert bob.get("/v1/profile").json()["name"] is None

from __future__ import annotations

from typing import Any

import httpx

from tests.support.servers.api import problem


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


MONTHS = ("February", "April")


def tell(client: httpx.Client, text: str, day: str) -> dict[str, Any]:
    said = {"text": text, "captured_at": f"{day}T10:00:00+00:00", "timezone": "Europe/Lisbon"}
    answer = client.post("/v1/turns", json=said)
    assert answer.status_code == 200, answer.text
    turn: dict[str, Any] = answer.json()
    return turn


def history(client: httpx.Client, **query: Any) -> list[tuple[str, str, str, str | None]]:
    items = client.get("/v1/profile/history", params=query).json()["items"]
    return [
        (item["name"], item["value"], item["valid_from"][:10], item["valid_to"] and item["valid_to"][:10])
        for item in items
    ]


def test_the_profile_keeps_what_was_so_and_answers_about_it(alice: httpx.Client) -> None:
    tell(alice, "I'm a baker", "2026-02-03")
    tell(alice, "I live in Porto", "2026-02-10")
    moved = tell(alice, "I live in Lisbon now", "2026-04-20")
    tell(alice, "my job is teacher", "2026-05-05")
    assert history(alice, name="job") == [
        ("job", "teacher", "2026-05-05", None),
        ("job", "baker", "2026-02-03", "2026-05-05"),
    ]
    source = alice.get("/v1/profile/history", params={"name": "location"}).json()["items"][0]["source"]
    assert (source["turn_id"], source["agent"]) == (moved["id"], "update_profile")
    for question, answer in {
        "what did I say my job was in March?": "on Tuesday 3 February, your job was “baker”, until Tuesday 5 May.",
        "what was my job before?": "on Tuesday 3 February, your job was “baker”, until Tuesday 5 May.",
        "what was my job in June?": "on Tuesday 5 May, your job was “teacher”, and that still stands.",
        "when did I move to Lisbon?": "on Monday 20 April, you lived in “Lisbon”, and that still stands.",
        "where did I live in March?": "on Tuesday 10 February, you lived in “Porto”, until Monday 20 April.",
    }.items():
        turn = tell(alice, question, "2026-11-18")
        assert (turn["changes"], turn["disposition"]) == ([], "reply")
        assert turn["reply"] == f"As you told me {answer}", question
    assert tell(alice, "what was my job in January?", "2026-11-18")["reply"].startswith("You had not told me by then;")


def test_what_was_undone_was_never_so(alice: httpx.Client) -> None:
    tell(alice, "I'm a baker", "2026-02-03")
    wrong = tell(alice, "my job is teacher", "2026-05-05")
    assert alice.post(wrong["changes"][0]["undo"]).status_code == 200
    assert history(alice) == [("job", "baker", "2026-02-03", None)]
    alice.patch("/v1/profile", json={"job": None})
    assert history(alice)[0][:2] == ("job", "baker")
    assert history(alice)[0][3] is not None


def test_other_facts_have_a_history_too(alice: httpx.Client) -> None:
    tell(alice, "my shoe size is 42", "2026-02-03")
    tell(alice, "my shoe size is 43", "2026-03-03")
    assert history(alice) == [
        ("shoe size", "43", "2026-03-03", None),
        ("shoe size", "42", "2026-02-03", "2026-03-03"),
    ]
    assert "“42”" in tell(alice, "what was my shoe size in february?", "2026-11-18")["reply"]


def test_the_history_is_paged_and_private(alice: httpx.Client, bob: httpx.Client) -> None:
    for number in range(5):
        alice.patch("/v1/profile", json={"job": f"job {number}"})
    first = alice.get("/v1/profile/history", params={"limit": 3}).json()
    second = alice.get("/v1/profile/history", params={"limit": 3, "cursor": first["next"]}).json()
    assert [item["value"] for page in (first, second) for item in page["items"]] == [
        f"job {n}" for n in range(4, -1, -1)
    ]
    assert second["next"] is None
    assert bob.get("/v1/profile/history").json() == {"items": [], "next": None}
    problem(alice.get("/v1/profile/history", params={"cursor": "x"}), 422)


def test_a_fact_holds_from_the_day_that_was_stated_with_it(alice: httpx.Client) -> None:
    tell(alice, "I'm a baker", "2026-02-03")
    told = tell(alice, "since march i work at Acme", "2026-05-05")
    assert told["reply"] == "Noted: your job is Acme (since March)."
    assert history(alice, name="job") == [
        ("job", "Acme", "2026-03-01", None),
        ("job", "baker", "2026-02-03", "2026-03-01"),
    ]
    assert alice.get("/v1/profile").json()["since"] == {"job": "2026-03-01"}
    asked = {month: tell(alice, f"what did I say my job was in {month}", "2026-06-10")["reply"] for month in MONTHS}
    assert asked == {
        "February": "As you told me on Tuesday 3 February, your job was “baker”, until Sunday 1 March.",
        "April": "As you told me on Tuesday 5 May, your job was “Acme” since Sunday 1 March, and that still stands.",
    }
    tell(alice, "I'm a teacher", "2026-07-01")
    assert alice.get("/v1/profile").json()["since"] == {}
    assert history(alice, name="job")[0] == ("job", "teacher", "2026-07-01", None)
    tell(alice, "undo that", "2026-07-01")
    assert history(alice, name="job")[0] == ("job", "Acme", "2026-03-01", None)


def test_a_day_before_the_fact_that_it_ends(alice: httpx.Client) -> None:
    tell(alice, "I live in Porto", "2026-02-03")
    tell(alice, "I've been living in Lisbon since january", "2026-05-05")
    assert history(alice, name="location") == [
        ("location", "Lisbon", "2026-01-01", None),
        ("location", "Porto", "2026-02-03", "2026-02-03"),
    ]
    assert "Lisbon" in tell(alice, "where did I live in February?", "2026-06-10")["reply"]

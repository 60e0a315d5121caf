"""What users tell of themselves through a model over HTTP: it joins what is known, and holds since when they said."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from app.principal import Principal, acting_as
from app.storage.database import Database
from app.storage.store import TenantStore
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import Wanted, mind_at, model
from tests.support.servers.turn_server import TurnServer, turn_server

Said = tuple[str, Call]


def new(**fields: Any) -> Call:
    return Call("Profile", fields)


def patched(*patches: tuple[str, str, Any]) -> Call:
    listed = [{"op": op, "path": path, "value": value} for op, path, value in patches]
    return Call("PatchDoc", {"json_doc_id": "profile", "planned_edits": "-", "patches": listed})


async def profile_after(database: Database, *said: Said) -> dict[str, Any]:
    """The profile once all was said, each message answered by the model with one call."""
    script: Mapping[str, Wanted] = {text: {"update_profile": [call]} for text, call in said}
    with ScriptedModelServer() as models:
        models.script("/chat/completions", model(script))
        async with turn_server(database, mind_at(models)) as server:
            for text, _ in said:
                await server.say(text)
            return await stored(server)


async def stored(server: TurnServer) -> dict[str, Any]:
    with acting_as(Principal(server.user)):
        found = await TenantStore(server.database).asearch(("profile", str(server.user)))
    return dict(found[0].value) if found else {}


BAKER = "I have been a baker at Rolls since march, and I live in Porto"
CAR = ("my car is a blue Golf", new(facts={"car": "blue Golf"}))
KEEN = ("I am into chess and rowing", new(interests=["chess", "rowing"]))


async def test_each_fact_holds_since_its_own_words(database: Database) -> None:
    call = new(job="baker at Rolls", location="Porto", since={"job": "since march", "location": "since 1999"})
    profile = await profile_after(database, (BAKER, call))
    assert (profile["job"], profile["location"]) == ("baker at Rolls", "Porto")
    assert profile["since"] == {"job": "2026-03-01"}


async def test_one_fact_holds_since_what_the_message_says(database: Database) -> None:
    said = ("I joined Rolls in march", new(job="Rolls"))
    assert (await profile_after(database, said))["since"] == {"job": "2026-03-01"}


async def test_a_day_of_the_models_own_is_not_taken(database: Database) -> None:
    said = ("I work at Rolls", new(job="Rolls", since={"job": "2020-01-01"}))
    assert (await profile_after(database, said)).get("since", {}) == {}


async def test_what_changes_holds_no_longer_since_then_and_the_rest_does(database: Database) -> None:
    first = new(job="baker at Rolls", location="Porto", since={"job": "since march"})
    moved = ("I moved to Lisbon in may", patched(("replace", "/location", "Lisbon")))
    waiter = ("I am a waiter now", patched(("replace", "/job", "waiter")))
    assert (await profile_after(database, (BAKER, first), moved))["since"] == {
        "job": "2026-03-01",
        "location": "2026-05-01",
    }
    assert (await profile_after(database, (BAKER, first), moved, waiter))["since"] == {"location": "2026-05-01"}


@pytest.mark.parametrize(
    "call",
    [patched(("add", "/facts/dog", "Rex")), new(facts={"dog": "Rex"}), patched(("replace", "/facts", {"dog": "Rex"}))],
    ids=["patched", "new", "replaced"],
)
async def test_what_is_known_stays_beside_what_is_said_now(database: Database, call: Call) -> None:
    profile = await profile_after(database, CAR, KEEN, ("my dog is called Rex", call))
    assert profile["facts"] == {"car": "blue Golf", "dog": "Rex"}
    assert profile["interests"] == ["chess", "rowing"]


async def test_interests_join_and_leave_when_the_user_says_so(database: Database) -> None:
    more = ("I took up sailing", patched(("add", "/interests/-", "sailing")))
    less = ("drop the chess", patched(("replace", "/interests", ["sailing"])))
    profile = await profile_after(database, KEEN, more, less)
    assert profile["interests"] == ["rowing", "sailing"]


async def test_a_fact_goes_when_it_is_named_and_no_other(database: Database) -> None:
    dog = ("my dog is called Rex", patched(("add", "/facts/dog", "Rex")))
    gone = ("forget about the car", patched(("replace", "/facts", {})))
    assert (await profile_after(database, CAR, dog, gone))["facts"] == {"dog": "Rex"}


async def test_what_the_user_did_not_say_is_left_out(database: Database) -> None:
    said = ("my dog is called Rex", new(facts={"dog": "Rex", "bank code": "4711 99"}, job="spy"))
    profile = await profile_after(database, said)
    assert profile["facts"] == {"dog": "Rex"}
    assert profile.get("job") is None

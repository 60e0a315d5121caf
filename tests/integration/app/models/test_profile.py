"""What users tell of themselves through a model: it joins what is known, and holds since when they said."""

from __future__ import annotations

from typing import Any

from app.database.database import Database
from app.database.store import TenantStore
from app.principal import Principal, acting_as
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.minds import mind_at, model
from tests.support.servers.turn_server import TurnServer, turn_server

Said = tuple[str, Call]


def told(**fields: Any) -> Call:
    return Call("save_profile", fields)


async def profile_after(database: Database, *said: Said) -> dict[str, Any]:
    """The profile once all was said, each message answered by the model with one call."""
    with ScriptedModelServer() as models:
        models.script("/chat/completions", model({text: [call] for text, call in said}))
        async with turn_server(database, mind_at(models)) as server:
            for text, _ in said:
                await server.say(text)
            return await stored(server)


async def stored(server: TurnServer) -> dict[str, Any]:
    with acting_as(Principal(server.user)):
        found = await TenantStore(server.database).asearch(("profile", str(server.user)))
    return dict(found[0].value) if found else {}


CAR = ("my car is a blue Golf since march", told(facts=[{"name": "car", "value": "blue Golf", "since": "2026-03-01"}]))
KEEN = ("I am into chess and rowing", told(interests=["chess", "rowing"]))


async def test_what_is_known_stays_beside_what_is_said_now(database: Database) -> None:
    dog = ("my dog is called Rex", told(facts=[{"name": "dog", "value": "Rex"}]))
    more = ("I took up sailing, and chess as ever", told(interests=["sailing", "chess"]))
    profile = await profile_after(database, CAR, KEEN, dog, more)
    assert profile["facts"] == {"car": "blue Golf", "dog": "Rex"}
    assert profile["since"] == {"car": "2026-03-01"}
    assert profile["interests"] == ["chess", "rowing", "sailing"]


async def test_what_is_no_longer_true_goes_by_its_name_and_nothing_else(database: Database) -> None:
    gone = ("I sold the car and gave up chess", told(forget=["car", "chess"]))
    profile = await profile_after(database, CAR, KEEN, gone)
    assert (profile["facts"], profile["since"], profile["interests"]) == ({}, {}, ["rowing"])


async def test_what_the_user_did_not_say_is_asked(database: Database) -> None:
    spy = ("my dog is called Rex", told(job="spy"))
    assert (await profile_after(database, spy)).get("job") is None

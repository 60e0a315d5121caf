"""The built-in understanding as the port wants it."""

from __future__ import annotations

import gc

from pydantic import TypeAdapter

from agents.contract import Proposed, RouterDecision
from agents.ports import Understanding
from agents.records import FIELD_TYPES
from agents.time.feasts import CALENDARS, _calendar
from agents.time.search import grammar
from agents.understanding import BuiltIn, understand_line
from agents.understanding.warm import warm
from tests.support.asking import ask

MESSAGE = "ring granny tomorrow at 5, book the vet for friday 3pm and make a camping list: tent, rope"


async def test_route_settles_everything_in_one_pass() -> None:
    understanding: Understanding = BuiltIn()
    decision = await understanding.route(ask(MESSAGE))
    assert isinstance(decision, RouterDecision)
    assert decision.understanding == "built-in"
    assert all(target.proposed is not None for target in decision.targets)


async def test_propose_gives_a_worker_the_same_share() -> None:
    understanding = BuiltIn()
    decision = await understanding.route(ask(MESSAGE))
    for target in decision.targets:
        assert await understanding.propose(target.worker, ask(MESSAGE)) == target.proposed


async def test_a_worker_without_a_share_says_what_it_did_not_understand() -> None:
    assert await BuiltIn().propose("update_notes", ask("add glue")) == Proposed(unclear=["add glue"])


async def test_of_what_is_too_long_whole_sentences_are_read_and_the_rest_is_named() -> None:
    decision = await BuiltIn(longest=60).route(ask("buy glue. ring granny tomorrow at 5. book the vet for friday 3pm."))
    assert decision.unread == "book the vet for friday 3pm."
    assert [target.worker for target in decision.targets] == ["update_todos"]
    assert len(decision.targets[0].proposed.proposals if decision.targets[0].proposed else []) == 2


async def test_half_a_request_is_none() -> None:
    decision = await BuiltIn(longest=40).route(ask("delete the note about the boiler if it is older than two years"))
    assert (decision.targets, decision.unread[:15]) == ([], "delete the note")
    share = await BuiltIn(longest=40).propose(
        "update_notes", ask("delete the note about the boiler if it is old enough")
    )
    assert share.proposals == []
    assert share.unclear


async def test_the_same_ask_gets_the_same_decision() -> None:
    assert await BuiltIn().route(ask(MESSAGE)) == await BuiltIn().route(ask(MESSAGE))


async def test_proposed_fields_are_valid_records() -> None:
    for target in (await BuiltIn().route(ask(MESSAGE))).targets:
        for proposal in target.proposed.proposals if target.proposed else []:
            TypeAdapter(FIELD_TYPES[proposal.kind]).validate_python(proposal.fields)


def test_a_line_shows_intents_times_and_proposals() -> None:
    line = understand_line(
        {"id": "x", "text": "water the fern every monday at 7am", "now": "2026-11-18T10:30:00", "tz": "Europe/Lisbon"}
    )
    assert (line["id"], line["disposition"], len(line["proposals"])) == ("x", "dispatch", 1)
    assert line["time"] == [
        {
            "text": "every monday at 7am",
            "start": "2026-11-23T07:00:00+00:00",
            "end": None,
            "grain": "minute",
            "rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=7;BYMINUTE=0",
            "seconds": None,
            "kind": "set",
        }
    ]


def test_the_calendars_of_feasts_are_loaded_before_the_first_message() -> None:
    _calendar.cache_clear()
    warm.cache_clear()
    BuiltIn()
    assert _calendar.cache_info().currsize == len(CALENDARS)


def test_what_is_loaded_once_is_kept_from_the_garbage_collector() -> None:
    gc.unfreeze()
    warm.cache_clear()
    BuiltIn()
    assert gc.get_freeze_count() > len(grammar().by_word)

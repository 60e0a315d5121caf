"""A message of very many requests is turned away before it is worked on."""

from __future__ import annotations

import pytest

from agents.mind import BuiltIn
from agents.mind.message import MOST_REQUESTS
from tests.support.asking import ask

MANY = {"lines": "buy milk\n", "sentences": "Call mom. ", "one breath": "call mom tomorrow and ", "letters": "a\n"}


@pytest.mark.parametrize("name", MANY)
async def test_nothing_is_done_of_more_requests_than_a_turn_takes(name: str) -> None:
    unit = MANY[name]
    decision = await BuiltIn().route(ask(unit * (20_000 // len(unit))))
    assert not decision.targets
    assert not decision.questions
    assert "requests in one message" in decision.acknowledgement
    assert decision.acknowledgement.endswith("I left everything as it is.")


async def test_a_long_list_of_tasks_is_taken_whole() -> None:
    text = "\n".join(f"fix the chair {number}" for number in range(MOST_REQUESTS))
    [target] = (await BuiltIn().route(ask(text))).targets
    assert target.proposed is not None
    assert len(target.proposed.proposals) == MOST_REQUESTS


async def test_a_long_list_of_things_is_one_request() -> None:
    [target] = (await BuiltIn().route(ask("packing list: " + ", ".join(f"thing {n}" for n in range(500))))).targets
    assert target.proposed is not None
    assert len(target.proposed.proposals) == 1

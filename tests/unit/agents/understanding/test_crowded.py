"""A message of very many requests is turned away before it is worked on."""

from __future__ import annotations

import pytest

from agents.understanding import BuiltIn
from agents.understanding.message import MOST_REQUESTS
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
    text = "\n".join(f"buy part {number} of the clock" for number in range(MOST_REQUESTS))
    [target] = (await BuiltIn().route(ask(text))).targets
    assert target.proposed is not None
    assert len(target.proposed.proposals) == MOST_REQUESTS


async def test_a_list_of_things_is_one_request() -> None:
    things = "socks, charger, tent pegs, a torch, two mugs, soap, the red towel, matches, plasters, a map, rope, tea"
    [target] = (await BuiltIn().route(ask(f"packing list: {things}"))).targets
    assert target.proposed is not None
    [proposal] = target.proposed.proposals
    assert len(proposal.fields["items"]) == things.count(",") + 1

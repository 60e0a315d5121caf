"""A step of a model: within a turn it is a part of the turn's use of models and of its time, elsewhere it is alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from app.models.llm.breaker import Breakers
from app.models.llm.choice import Unbilled
from app.models.llm.limits import ModelLimits
from app.models.llm.requests import ModelTarget
from app.models.llm.steps import ModelThinker
from app.models.metering import start_meter, turn_meter
from app.models.model.thinking import NoThought
from tests.support.fakes import ScriptedModelServer, chat
from tests.support.minds import OneModel

WORDS = [{"role": "user", "content": "How often?"}]


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/chat/completions", chat(text="Twice a day."))
        yield server


@pytest.fixture
async def thinker(models: ScriptedModelServer) -> AsyncIterator[ModelThinker]:
    target = ModelTarget(models.base_url, "scripted", "sk-test-key")
    found = ModelThinker(OneModel(lambda _: Unbilled(), target, target), ModelLimits(), Breakers(10**9, 1.0))
    yield found
    await found.close()


async def test_each_step_tells_what_it_took_itself(thinker: ModelThinker) -> None:
    assert turn_meter() is None
    assert [(await thinker.think(WORDS, [])).tokens for _ in range(2)] == [120, 120]
    meter = start_meter()
    assert [(await thinker.think(WORDS, [])).tokens for _ in range(2)] == [120, 120]
    assert (meter.calls, meter.tokens_in + meter.tokens_out) == (2, 240)


async def test_the_time_of_a_turn_that_is_over_leaves_none_for_a_step(
    models: ScriptedModelServer, thinker: ModelThinker
) -> None:
    start_meter().deadline = float("-inf")
    with pytest.raises(NoThought) as failure:
        await thinker.think(WORDS, [])
    assert (failure.value.kind, models.requests) == ("too late", [])


async def test_the_first_step_of_a_turn_starts_the_clock_of_the_turn(thinker: ModelThinker) -> None:
    meter = start_meter()
    await thinker.think(WORDS, [])
    assert meter.deadline is not None
    assert meter.remaining_seconds(ModelLimits().budget_seconds) < ModelLimits().budget_seconds

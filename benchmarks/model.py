"""Measures what Summit adds to a language model's own time, over HTTP with a scripted model.

    python -m benchmarks model [--turns 60]

Overhead is a turn's whole time less the time its one question waited for the model. Beside it, in the same run and turn
about, stand the same messages understood by the built-in mind alone, and a bare call of ChatOpenAI with the same
prompt; a machine's speed is in all three, so their ratios say the same everywhere. The last line is a turn whose one
answer takes a second and has something for four agents.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.minds import message_of
from tests.support.servers.running import running

CALLS = (
    Call("create_task", {"title": "buy milk"}),
    Call("create_note", {"title": "the code is 7"}),
    Call("save_profile", {"name": "Ada"}),
    Call("create_event", {"title": "dentist", "start": "2026-11-20T15:00"}),
)
FOUR = "buy milk, note the code is 7, my name is Ada and dentist friday 3pm"
WARM_UP = 5


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    turns = parser.parse_args().turns + WARM_UP
    with ScriptedModelServer() as models, ExitStack() as stack:
        models.script("/chat/completions", at_once)
        asked = stack.enter_context(served(SUMMIT_LLM_BASE_URL=models.base_url, SUMMIT_LLM_MODEL="m"))
        compare(asked, stack.enter_context(served()), models, turns)
        models.script("/chat/completions", after_a_second)
        four = say(asked, FOUR)
    print(f"four agents after an answer of 1 s: {four['usage']['ms']['total'] / 1000:.2f} s")


@contextmanager
def served(**settings: str) -> Iterator[httpx.Client]:
    """A client of a server of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder) / "data", **settings) as server,
        server.client() as client,
    ):
        yield client


def compare(asked: httpx.Client, plain: httpx.Client, models: ScriptedModelServer, turns: int) -> None:
    """The same messages with a model, without one, and as a bare call, turn about."""
    spent, whole, built_in, bare = [], [], [], []
    client = ChatOpenAI(model="m", base_url=models.base_url, api_key=SecretStr("none"), max_retries=0)
    with asyncio.Runner() as runner:
        for number in range(turns):
            text = f"buy milk {number}"
            usage = say(asked, text)["usage"]
            assert usage["model"]["calls"] == 1
            whole.append(usage["ms"]["total"])
            spent.append(usage["ms"]["total"] - usage["model"]["ms"])
            built_in.append(say(plain, text)["usage"]["ms"]["total"])
            bare.append(runner.run(in_turn(client, models.to("/chat/completions")[-1:])))
    show("overhead a turn, ms", spent[WARM_UP:])
    show("the same turn with the model's answers, which take no time, ms", whole[WARM_UP:])
    show("the same turn without a model, ms", built_in[WARM_UP:])
    show("a bare call of ChatOpenAI with the same prompts, ms", bare[WARM_UP:])
    ideal = median(built_in[WARM_UP:]) + median(bare[WARM_UP:])
    print(f"overhead over a turn without a model: {median(spent[WARM_UP:]) / median(built_in[WARM_UP:]):.2f}")
    print(f"the turn over a turn without a model and a bare call: {median(whole[WARM_UP:]) / ideal:.2f}")


async def in_turn(client: ChatOpenAI, asked: Sequence[RecordedRequest]) -> float:
    """Milliseconds of the same questions, one after the other, by ChatOpenAI alone."""
    began = time.monotonic()
    for request in asked:
        await client.ainvoke(request.json["messages"], tools=request.json["tools"])
    return (time.monotonic() - began) * 1000


def show(what: str, spent: list[float]) -> None:
    """One line."""
    print(f"{what}: p50 {median(spent):.1f}  p95 {quantiles(spent, n=20)[-1]:.1f}  ({len(spent)} turns)")


def say(client: httpx.Client, text: str) -> dict[str, Any]:
    """The finished turn."""
    answer = client.post("/v1/turns", json={"text": text})
    answer.raise_for_status()
    return dict(answer.json())


def at_once(request: RecordedRequest) -> Reply:
    """One task for each message, without delay."""
    return chat(Call("create_task", {"title": message_of(request)}))(request)


def after_a_second(request: RecordedRequest) -> Reply:
    """Four changes, after a second."""
    return chat(*CALLS, delay_seconds=1.0)(request)


if __name__ == "__main__":
    main()

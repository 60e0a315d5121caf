"""Measures what Summit adds to a language model's own time, over HTTP with a scripted model.

    python -m benchmarks model [--turns 60]

Overhead is a turn's whole time less the time its two questions (router, one agent) waited for the model. Beside it, in
the same run and turn about, stand the same messages understood by the built-in mind alone, and two bare calls of
ChatOpenAI with the same prompts; a machine's speed is in all three, so their ratios say the same everywhere. The next
line is how long after the last agent's commit the reply begins, as a client hears of both over server-sent events: what
was committed needs no model to be told. It asks for an answer in the model's own words, too, which takes the model a
tenth of a second; the last line is a turn whose four agents are answered after one second each, side by side.
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
from tests.support.minds import agent_of, message_of, route
from tests.support.servers.running import running

CALLS = {
    "update_todos": Call("Task", {"task": "buy milk"}),
    "update_notes": Call("Note", {"content": "the code is 7"}),
    "update_profile": Call("Profile", {"name": "Ada"}),
    "update_events": Call("Appointment", {"title": "dentist", "when": "friday 3pm"}),
}
FOUR = "buy milk, note the code is 7, my name is Ada and dentist friday 3pm"
MIXED = "buy soap, and which of my things needs the most courage after errand"
WARM_UP = 5
ALWAYS_ASK = {"SUMMIT_LLM_FAST_PATH": "2"}


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    turns = parser.parse_args().turns + WARM_UP
    with ScriptedModelServer() as models, ExitStack() as stack:
        models.script("/chat/completions", at_once)
        asked = stack.enter_context(served(SUMMIT_LLM_BASE_URL=models.base_url, SUMMIT_LLM_MODEL="m", **ALWAYS_ASK))
        compare(asked, stack.enter_context(served()), models, turns)
        models.script("/chat/completions", answering_slowly)
        waits = [first_words(asked, f"{MIXED} {number}") for number in range(turns)][WARM_UP:]
        models.script("/chat/completions", after_a_second)
        four = say(asked, FOUR)
    show("last commit to first words of the reply, ms", waits)
    print(f"four agents of 1 s each, side by side: {four['usage']['ms']['total'] / 1000:.2f} s")


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
    """The same messages with a model, without one, and as two bare calls, turn about."""
    spent, whole, built_in, bare = [], [], [], []
    client = ChatOpenAI(model="m", base_url=models.base_url, api_key=SecretStr("none"), max_retries=0)
    with asyncio.Runner() as runner:
        for number in range(turns):
            text = f"buy milk {number}"
            usage = say(asked, text)["usage"]
            assert usage["model"]["calls"] == 2
            whole.append(usage["ms"]["total"])
            spent.append(usage["ms"]["total"] - usage["model"]["ms"])
            built_in.append(say(plain, text)["usage"]["ms"]["total"])
            bare.append(runner.run(in_turn(client, models.to("/chat/completions")[-2:])))
    show("overhead a turn, ms", spent[WARM_UP:])
    show("the same turn with the model's answers, which take no time, ms", whole[WARM_UP:])
    show("the same turn without a model, ms", built_in[WARM_UP:])
    show("two bare calls of ChatOpenAI with the same prompts, ms", bare[WARM_UP:])
    ideal = median(built_in[WARM_UP:]) + median(bare[WARM_UP:])
    print(f"overhead over a turn without a model: {median(spent[WARM_UP:]) / median(built_in[WARM_UP:]):.2f}")
    print(f"the turn over a turn without a model and two bare calls: {median(whole[WARM_UP:]) / ideal:.2f}")


async def in_turn(client: ChatOpenAI, asked: Sequence[RecordedRequest]) -> float:
    """Milliseconds of the same questions, one after the other, by ChatOpenAI alone."""
    began = time.monotonic()
    for request in asked:
        await client.ainvoke(request.json["messages"], tools=request.json["tools"])
    return (time.monotonic() - began) * 1000


def show(what: str, spent: list[float]) -> None:
    """One line."""
    print(f"{what}: p50 {median(spent):.1f}  p95 {quantiles(spent, n=20)[-1]:.1f}  ({len(spent)} turns)")


def first_words(client: httpx.Client, text: str) -> float:
    """Milliseconds from the last change to the beginning of the reply, as they arrive here."""
    heard: dict[str, float] = {}
    headers = {"Accept": "text/event-stream"}
    with client.stream("POST", "/v1/turns", json={"text": text}, headers=headers) as stream:
        for line in stream.iter_lines():
            kind = line.removeprefix("event: ")
            if kind == "change.applied" or (kind == "reply.delta" and kind not in heard):
                heard[kind] = time.monotonic()
    return (heard["reply.delta"] - heard["change.applied"]) * 1000


def say(client: httpx.Client, text: str) -> dict[str, Any]:
    """The finished turn."""
    answer = client.post("/v1/turns", json={"text": text})
    answer.raise_for_status()
    return dict(answer.json())


def at_once(request: RecordedRequest) -> Reply:
    """One task for each message, without delay."""
    if agent_of(request) == "route":
        return chat(route("update_todos", words=message_of(request)))(request)
    return chat(Call("Task", {"task": message_of(request)}))(request)


def answering_slowly(request: RecordedRequest) -> Reply:
    """A task at once, and an answer that begins after a tenth of a second."""
    agent = agent_of(request)
    if agent == "route":
        return chat(route("update_todos", "recall", words=message_of(request)))(request)
    if agent == "update_todos":
        return chat(Call("Task", {"task": message_of(request)}))(request)
    return chat(text="Calling the landlord, I would say.", delay_seconds=0.1)(request)


def after_a_second(request: RecordedRequest) -> Reply:
    """Four agents, each after a second."""
    agent = agent_of(request)
    if agent == "route":
        return chat(route(*CALLS, words=message_of(request)))(request)
    return chat(CALLS[agent], delay_seconds=1.0)(request)


if __name__ == "__main__":
    main()

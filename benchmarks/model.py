"""Measures what Summit adds to a language model's own time, over HTTP with a scripted model.

    python -m benchmarks model [--turns 60]

Overhead is a turn's whole time less the time its two questions (router, one agent) waited for the model. The second
line is how long after the last agent's commit the reply begins, as a client hears of both over server-sent events: what
was committed needs no model to be told. It asks for an answer in the model's own words, too, which takes the model a
tenth of a second; the third line is a turn whose four agents are answered after one second each, side by side.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx

from tests.app.llm.minds import agent_of, message_of, route
from tests.app.running import running
from tests.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat

CALLS = {
    "update_todos": Call("Task", {"task": "buy milk"}),
    "update_notes": Call("Note", {"content": "the code is 7"}),
    "update_profile": Call("Profile", {"name": "Ada"}),
    "update_events": Call("Appointment", {"title": "dentist", "when": "friday 3pm"}),
}
FOUR = "buy milk, note the code is 7, my name is Ada and dentist friday 3pm"
MIXED = "buy soap, and which of my things needs the most courage after errand"
WARM_UP = 5


def main() -> None:
    """Print the three lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    options = parser.parse_args()
    with ScriptedModelServer() as models, tempfile.TemporaryDirectory() as folder:
        settings = {"SUMMIT_LLM_BASE_URL": models.base_url, "SUMMIT_LLM_MODEL": "m", "SUMMIT_LLM_FAST_PATH": "2"}
        with running(Path(folder) / "data", **settings) as server, server.client() as client:
            models.script("/chat/completions", at_once)
            spent = [overhead(client, f"buy milk {number}") for number in range(options.turns + WARM_UP)][WARM_UP:]
            models.script("/chat/completions", answering_slowly)
            waits = [first_words(client, f"{MIXED} {number}") for number in range(options.turns + WARM_UP)][WARM_UP:]
            models.script("/chat/completions", after_a_second)
            four = say(client, FOUR)
    show("overhead a turn, ms", spent)
    show("last commit to first words of the reply, ms", waits)
    print(f"four agents of 1 s each, side by side: {four['usage']['ms']['total'] / 1000:.2f} s")


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


def overhead(client: httpx.Client, text: str) -> float:
    """Milliseconds of one turn that were not the model's."""
    usage = say(client, text)["usage"]
    assert usage["model"]["calls"] == 2
    return float(usage["ms"]["total"] - usage["model"]["ms"])


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

"""Long work: a goal of many steps is begun beside the conversation, told about and stopped; its user talks on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from langgraph.runtime import Runtime

from agents.context import Context, clock_of, language_of, user_of
from agents.contract import Proposed
from agents.languages import say, say_later, say_number, speaking
from agents.phrases import quote
from agents.ports import Ledger, LongRun, LongWork, NotBegun, Understanding
from agents.rendering.changes import claim_sentence, told_apart
from agents.specialists.agent import Agent, AgentInput, Reports
from agents.user_words.starting import REQUESTING, Started, called_by, started_by
from agents.user_words.verdicts import verdict_of

STOPPING = re.compile(r"(?:please\s+)?(?:stop|cancel|halt|abort|stopp|beende|pare|cancele|cancela)\b", re.IGNORECASE)
ASKING = re.compile(r"(?:and\s+)?(?:how|what|status|is|are|did|has|have|wie|was|como)\b", re.IGNORECASE)
RUN_BEGUN = say_later("I work on “{goal}” beside our conversation now. Ask me how it goes, or tell me to stop it.")
REFUSALS: dict[NotBegun, str] = {
    "stopped": say_later("I did not begin “{goal}”: all runs are stopped. Allow them again first."),
    "no model": say_later("I did not begin “{goal}”: long work needs a language model."),
    "one already": say_later("I did not begin “{goal}”: one message begins one piece of long work. Say it again."),
    "not here": say_later("I did not begin “{goal}”: long work is not possible here."),
    "by a workflow": say_later(
        "I did not begin “{goal}”: a workflow said so, and workflows start no workflows, or they would never end."
    ),
    "no project": say_later(
        "I did not begin “{goal}”: no project is registered. Register its folder first, with “summit project add” or "
        "on the page; then say “start”, the project's name, and what to build."
    ),
    "which project": say_later(
        "I did not begin “{goal}”: say in which project. Say “start”, the project's name, and what to build; “summit "
        "project list” shows the names."
    ),
}
STATES = {
    "queued": say_later("“{goal}” has not begun yet."),
    "running": say_later("I am working on “{goal}”."),
    "waiting": say_later("“{goal}” waits for your answer: {told}"),
    "done": say_later("“{goal}” has ended. In its own words: {told}"),
}
RUN_CHANGED = say_later("What it changed: {told}")
UNCHANGED = say_later("Your records show no change by it.")
ALLOWED = say_later("I told “{goal}” that it may: {told}")
REFUSED = say_later("I told “{goal}” that it may not: {told}")
NOTHING_ASKED = say_later("Nothing waits for your approval.")
SEVERAL_WAIT = say_later("More than one waits for your approval, so I decided none: {told}. Decide each on the page.")
RUNNING = say_later("I run “{name}” now and tell you what comes of it.")
GIVE = say_later("“{name}” has to be given: {inputs}. Say it after the name, or start it over the API.")
NO_RUNS = say_later("I work on nothing beside our conversation.")
MOST_TOLD, MOST_CHANGES = 3, 5
LONGEST_GOAL = 120
INNER_MARKS = str.maketrans("“”„", "\u2018\u2019\u2018")


class LongWorkAgent(Agent):
    """Begins runs and tells of them; what a run does is in its own trace."""

    worker = "research"

    def __init__(self, understanding: Understanding, ledger: Ledger, work: LongWork | None = None) -> None:
        super().__init__(understanding, ledger)
        self._work = work

    async def research(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Begin what is asked for, once however often the turn is run; or tell how it goes, or stop it."""
        words = (task["assignment"].text or task["words"]).strip()
        with speaking(task.get("language") or language_of(runtime.context)):
            told = await self._handle_request(words, runtime.context, task)
        return self.make_report(Proposed(answers=told))

    async def _handle_request(self, words: str, context: Context, task: AgentInput) -> list[str]:
        user = user_of(context)
        allow = verdict_of(words, task.get("recent", []))
        if allow is not None:
            decided = await self._work.decide(user, task["turn_id"], allow=allow) if self._work else []
            return [_say_decided(decided, allow=allow)]
        if self._work is None:
            return [say(REFUSALS["not here"], goal=_short(words))]
        if started := started_by(called_by(words), await self._work.workflows(user)):
            return [await self._start_workflow(started, user, task["turn_id"])]
        if STOPPING.match(words):
            count = await self._work.stop(user)
            asked = say_number("I told {count} run to stop.", "I told {count} runs to stop.", count)
            return [asked if count else say(NO_RUNS)]
        if ASKING.match(words) or (words.endswith("?") and not REQUESTING.match(words)):
            runs = await self._work.latest(user, MOST_TOLD)
            return [part for run in runs for part in _state(run, clock_of(context))] or [say(NO_RUNS)]
        refusal = await self._work.begin(user, task["turn_id"], words)
        return [say(REFUSALS[refusal] if refusal else RUN_BEGUN, goal=_short(words))]

    async def _start_workflow(self, started: Started, user: str, turn_id: str) -> str:
        """Run a workflow by name; what is said after the name is its one input."""
        one = started.workflow
        if len(one.inputs) > 1 or bool(one.inputs) != bool(started.given):
            return say(GIVE, name=one.name, inputs=", ".join(one.inputs))
        inputs = dict.fromkeys(one.inputs, started.given)
        refusal = await self._work.start(user, turn_id, one.slug, inputs) if self._work else "not here"
        return say(REFUSALS[refusal], goal=one.name) if refusal else say(RUNNING, name=one.name)


def _say_decided(runs: Sequence[LongRun], *, allow: bool) -> str:
    if len(runs) == 1:
        return say(ALLOWED if allow else REFUSED, goal=_short(runs[0].goal), told=runs[0].told)
    if not runs:
        return say(NOTHING_ASKED)
    return say(SEVERAL_WAIT, told="; ".join(f"{quote(_short(run.goal))}: {run.told}" for run in runs))


def _state(run: LongRun, now: datetime) -> Iterator[str]:
    """How it goes: a model's words are quoted as the run's, and what it changed is told from the ledger."""
    yield say(STATES[run.status], goal=_short(run.goal), told=_quote_foreign(run.told))
    if run.status == "done":
        made = told_apart([change for change in run.changes if change.status == "applied"], now)
        sentences = [claim_sentence(change, now) for change in made[:MOST_CHANGES]]
        more = [f"({say('{count} more', count=len(made) - MOST_CHANGES)}.)"] if len(made) > MOST_CHANGES else []
        yield say(RUN_CHANGED, told=" ".join([*sentences, *more])) if made else say(UNCHANGED)


def _quote_foreign(words: str) -> str:
    """Words of somebody else in quotation marks, which they do not end by themselves."""
    return quote(words.translate(INNER_MARKS))


def _short(goal: str) -> str:
    return goal if len(goal) <= LONGEST_GOAL else f"{goal[:LONGEST_GOAL].rstrip()}…"

"""Work on a project as a graph: requirements, a yes, a plan, each phase built, checked and reviewed, a yes, its end.

The state says at which stage a run is; each stage is checkpointed before the next begins, so a run goes on at the phase
and step where it was. `gate` holds an interrupt and nothing else. Agents work through a Workshop, which does nothing
twice under one key.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal
from uuid import uuid5

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.tracing import step_spans
from app.work.projects.model.workshops import AgentStep, Bench, StepEnd, WorkRefused
from app.work.projects.workshop import MachineWorkshop
from app.work.runs.engine import Session
from app.work.runs.lessons import LessonRetriever, as_told
from app.work.runs.model.runs import Run, RunEventDraft, RunWork
from app.work.runs.pipeline_state import (
    APPROVED,
    IN_PHASE,
    PipelineState,
    Stage,
    beginning,
    phase_ended,
    result_of,
    taught,
)
from app.work.runs.roles import NotReadable, Role, learning, read_plan, read_review, render_step
from app.work.runs.stopping import Stopped

log = logging.getLogger(__name__)

MOST_SHOWN = 8000
MOST_TRIES = 3
"""Of one step that ends by something that passes: a git lock, an overloaded server, memory."""
MOST_FAILED = 2
MOST_PARKS = 24
PARK_PAUSES = 20
"""Pauses that a usage limit is waited for where it does not say until when."""
REMINDING_SECONDS = 5.0
PAUSE_SECONDS = 30.0
LONGEST_PARK = 8 * 86_400.0
"""Limits of a week are among them."""
NOTHING_RUNS = "The project has no checks; name some in .summit/config.toml."


@dataclass(frozen=True)
class Allowed:
    """How often a phase may come back, dollars that agents may tell of (0: any), and the pause before another try.

    ``phase_dollars`` are those of one phase.
    """

    rounds: int
    dollars: float = 0.0
    phase_dollars: float = 0.0
    pause_seconds: float = PAUSE_SECONDS


Next = Literal["gate", "work", "finalize"]
Graph = CompiledStateGraph[PipelineState, Session, PipelineState, PipelineState]


class Pipeline:
    """The stages; ``workshop`` and ``work`` are shared by all runs."""

    def __init__(
        self, workshop: MachineWorkshop, work: RunWork, allowed: Allowed, lessons: LessonRetriever | None = None
    ) -> None:
        self._lessons = lessons
        self._workshop = workshop
        self._work = work
        self._allowed = allowed
        self._stages: dict[Stage, Callable[[PipelineState, Session], Coroutine[Any, Any, PipelineState]]] = {
            "open": self._open,
            "require": self._require,
            "agree": self._agree,
            "plan": self._plan,
            "build": self._build,
            "check": self._check,
            "review": self._review,
            "offer": self._offer,
            "publish": self._publish,
            "look_back": self._look_back,
        }

    def graph(self, saver: BaseCheckpointSaver[Any] | None) -> Graph:
        """The graph over a checkpointer; without one its host brings its own."""
        made = StateGraph(PipelineState, context_schema=Session)
        made.add_node("work", step_spans(self.do, "work"))
        made.add_node("gate", gate)
        made.add_node("finalize", step_spans(self.finalize, "finalize"))
        made.add_edge(START, "work")
        made.add_edge("gate", "work")
        made.add_conditional_edges("work", after_work, {name: name for name in ("gate", "work", "finalize")})
        made.add_edge("finalize", END)
        return made.compile(checkpointer=saver)

    async def do(self, state: PipelineState, runtime: Runtime[Session]) -> PipelineState:
        """One stage, as far as it gets."""
        session, state = runtime.context, {**beginning(state["goal"]), **state}  # one that an earlier version began
        if reason := self._limit(state, session):
            return PipelineState(stop=reason, ask=None, decision=None)
        try:
            done = await session.stop.unless(self._stages[state["stage"]](state, session))
        except Stopped:
            return PipelineState(stop=session.stop.reason or "failed", ask=None, decision=None)
        except WorkRefused as refusal:
            return PipelineState(stop="failed", why=str(refusal), ask=None, decision=None)
        await self._keep_progress({**state, **done})
        return done

    async def finalize(self, state: PipelineState) -> PipelineState:
        """Every way out passes here."""
        reason = state.get("stop") or "failed"
        return PipelineState(stop=reason, result=result_of(state, reason))

    def _limit(self, state: PipelineState, session: Session) -> str:
        if session.stop.reason:
            return session.stop.reason
        if state["steps"] >= session.run.limits.steps:
            return "max_steps"
        if state["stage"] in IN_PHASE and 0 < self._allowed.phase_dollars <= state["cost"] - state["begun"]:
            return "budget_exceeded"
        return "budget_exceeded" if 0 < self._allowed.dollars <= state["cost"] else ""

    async def _open(self, state: PipelineState, session: Session) -> PipelineState:
        run = session.run
        if run.project is None:
            raise WorkRefused("This run has no project.")
        if run.project.confirm and (settled := _ask_to_begin(state, run)):
            return settled
        bench = await self._workshop.open(run.user_id, run.id, run.project, run.goal)
        await self._trace(session, "open", "open", {"branch": bench.branch, "agent": bench.agent})
        begun = PipelineState(
            ask=None, decision=None, bench=asdict(bench), known=await self._recall_lessons(bench, session)
        )
        if run.project.kind == "learn":
            return {**begun, "stage": "build", "phases": [learning().model_dump()], "learns": True}
        return {**begun, "stage": "require"}

    async def _recall_lessons(self, bench: Bench, session: Session) -> str:
        """What earlier runs learned of this project; work goes on without it where it cannot be had in time."""
        if self._lessons is None:
            return ""
        try:
            async with asyncio.timeout(REMINDING_SECONDS):
                found = await self._lessons.lessons_for(session.run.user_id, taught(bench.root, session.run.goal))
        except TimeoutError:
            return ""
        shown = [{"id": str(one.id), "kind": one.kind, "text": one.text} for one in found]
        await self._trace(session, "retrieve", "retrieve", {"lessons": shown})
        return as_told(found) if found else ""

    async def _require(self, state: PipelineState, session: Session) -> PipelineState:
        done = await self._step(
            state, session, "pm", f"requirements-{state['requirements']}.{state['tries']}", goal=state["goal"]
        )
        if _stays(done):
            return done
        if not (await self._workshop.read(_bench(state), "prd.md")).strip():
            return _again(state, done, "You wrote no .summit/work/prd.md, which is what you were asked for.")
        return {**done, "stage": "agree", "notes": "", "tries": 0}

    async def _agree(self, state: PipelineState, session: Session) -> PipelineState:
        decision = state.get("decision")
        text = await self._workshop.read(_bench(state), "prd.md")
        if decision is None:
            ask = _ask(session.run, f"agree-{state['requirements']}", "start_work", {"requirements": text[:MOST_SHOWN]})
            return PipelineState(ask={**ask, "reason": "Are these requirements what you want?"})
        settled = PipelineState(ask=None, decision=None)
        if stop := _stop_reason(decision):
            return {**settled, "stop": stop}
        if decision["status"] == "edited":
            text = str((decision.get("answer") or {}).get("arguments", {}).get("requirements") or text)
            await self._workshop.write(_bench(state), "prd.md", text)
        if decision["status"] in ("approved", "edited"):
            return {**settled, "stage": "plan"}
        words = _words(decision)
        if not words or state["requirements"] >= self._allowed.rounds:
            return {**settled, "stop": "cancelled", "why": words or "The requirements were rejected."}
        notes = f"The user says about your requirements: {words}"
        return {**settled, "stage": "require", "requirements": state["requirements"] + 1, "notes": notes}

    async def _plan(self, state: PipelineState, session: Session) -> PipelineState:
        done = await self._step(state, session, "em", f"plan-{state['tries']}", goal=state["goal"])
        if _stays(done):
            return done
        try:
            plan = read_plan(await self._workshop.read(_bench(state), "plan.json"))
        except NotReadable as error:
            return _again(state, done, str(error))
        phases = [phase.model_dump() for phase in plan.phases]
        await self._trace(session, "plan", "phases", {"phases": [phase["title"] for phase in phases]})
        first = PipelineState(stage="build", phases=phases, phase=0, round=1, notes="", tries=0)
        return {**done, **first, "begun": done["cost"]}

    async def _build(self, state: PipelineState, session: Session) -> PipelineState:
        done = await self._step(state, session, "engineer", _place(state, "build"), **_phase(state))
        return done if _stays(done) else {**done, "stage": "check", "notes": "", "tries": 0}

    async def _check(self, state: PipelineState, session: Session) -> PipelineState:
        checked = await self._workshop.check(_bench(state))
        data = {**_where(state), "ok": checked.ok, "commands": list(checked.commands), "text": checked.text[-1000:]}
        await self._trace(session, "check", f"{_place(state, 'check')}-{state['steps']}", data)
        if not checked.ok:
            return self._back(state, f"The project's checks fail:\n{checked.text}")
        return PipelineState(stage="review", checked=list(checked.commands), notes="")

    async def _review(self, state: PipelineState, session: Session) -> PipelineState:
        done = await self._step(
            state, session, "reviewer", _place(state, "review"), file=_review_file(state), **_phase(state)
        )
        if _stays(done):
            return done
        try:
            review = read_review(await self._workshop.read(_bench(state), _review_file(state)))
        except NotReadable as error:
            return self._back({**state, **done}, f"The review could not be read: {error}")
        await self._trace(session, "verdict", _place(state, "verdict"), {**_where(state), **review.model_dump()})
        if review.verdict == "sent_back":
            return {**done, **self._back(state, "The review says:\n- " + "\n- ".join(review.findings))}
        if review.verdict == "fixed" and not (again := await self._workshop.check(_bench(state))).ok:
            return {**done, **self._back(state, f"After the review's fixes the checks fail:\n{again.text}")}
        last = state["phase"] + 1 >= len(state["phases"])
        ended = phase_ended({**state, **done}, APPROVED)
        onward = PipelineState(phase=state["phase"] + 1, round=1, notes="", tries=0, ended=ended, begun=done["cost"])
        return {**done, **onward, "stage": "offer" if last else "build"}

    async def _offer(self, state: PipelineState, session: Session) -> PipelineState:
        decision = state.get("decision")
        if decision is None:
            bench = _bench(state)
            shown = {"branch": bench.branch, "changes": (await self._workshop.changes(bench))[-MOST_SHOWN:]}
            shown["checks"] = ", ".join(state["checked"]) or NOTHING_RUNS
            if left := await self._workshop.left_out(bench):
                shown["left_out"] = f"Made by checks, not committed: {', '.join(left)}"[:MOST_SHOWN]
            ask = _ask(session.run, f"offer-{len(state['phases'])}", "publish_work", shown)
            return PipelineState(ask={**ask, "reason": "The work is done and reviewed. Shall it go out?"})
        settled = PipelineState(ask=None, decision=None)
        if stop := _stop_reason(decision):
            return {**settled, "stop": stop}
        if decision["status"] in ("approved", "edited"):
            return {**settled, "stage": "publish"}
        words = _words(decision)
        if not words or len(state["phases"]) >= 8 + self._allowed.rounds:
            return {**settled, "stage": "look_back", "published": "Nothing was published."}
        more = {"title": "What was asked for at the end", "goal": words, "done_when": "that is so"}
        return {**settled, "stage": "build", "phases": [*state["phases"], more], "round": 1, "notes": ""}

    async def _publish(self, state: PipelineState, session: Session) -> PipelineState:
        bench = _bench(state)
        requirements = await self._workshop.read(bench, "prd.md")
        where = await self._workshop.publish(bench, state["goal"].splitlines()[0][:70], requirements)
        await self._trace(session, "publish", "publish", {"where": where})
        return PipelineState(stage="look_back", published=where)

    async def _look_back(self, state: PipelineState, session: Session) -> PipelineState:
        done = await self._step(state, session, "postmortem", "postmortem", goal=state["goal"])
        text = await self._workshop.read(_bench(state), "postmortem.md")
        _, _, lesson = text.rpartition("Lesson:")
        ended = PipelineState(stop="goal_achieved", lesson=lesson.strip()[:1000], ask=None, decision=None)
        return {**done, **ended}

    async def _step(self, state: PipelineState, session: Session, role: Role, key: str, **values: Any) -> PipelineState:
        """Let an agent do its part; what came of it, with ``ask``, ``stop`` or ``tries`` where it is to go on later."""
        if stop := _help_stop_reason(state.get("decision") or {}):
            return PipelineState(stop=stop, ask=None, decision=None)
        bench = _bench(state)
        knowledge = "\n\n".join(filter(None, (await self._workshop.knowledge(bench), state["known"])))
        title, prompt = render_step(role, knowledge=knowledge, notes=state["notes"], **values)
        step = AgentStep(
            f"{key}-{session.run.id.hex[:8]}", prompt, title, state["session"], state["tries"], state["learns"]
        )
        attempt = f"{key}:{state['tries']}.{state['parks']}"
        where = {"role": role, **_where(state)}
        await self._trace(session, role, attempt, {**where, "title": title})
        end = await self._workshop.work(bench, step, self._hearing(session, role, attempt))
        await self._trace(session, role, f"{attempt}:end", {**where, "end": end.action, "why": end.why})
        spent = PipelineState(cost=state["cost"] + end.cost_usd, steps=state["steps"] + 1, ask=None, decision=None)
        return {**spent, **await self._went(state, session, key, end)}

    async def _went(self, state: PipelineState, session: Session, key: str, end: StepEnd) -> PipelineState:
        """What the end of a step comes to."""
        tries = state["tries"] + 1
        match end.action:
            case "done":
                return PipelineState(session="", parks=0)
            case "park" if state["parks"] < MOST_PARKS:
                parks = state["parks"] + 1
                pause = {"kind": "pause", "until": self._until(end)}
                return PipelineState(ask={**_ask(session.run, f"{key}-park-{parks}", "park", {}), **pause}, parks=parks)
            case "ask":
                ask = _ask(session.run, f"{key}-help-{tries}", "coding_agent", {"agent": _bench(state).agent})
                reason = f"{end.why} See to it and answer, then the step is tried again; reject to end the run."
                return PipelineState(ask={**ask, "kind": "question", "reason": reason}, tries=tries)
            case "failed" if tries >= MOST_FAILED:
                return PipelineState(stop="failed", why=end.why)
            case _ if tries >= MOST_TRIES:
                return PipelineState(stop="no_progress", why=end.why)
        if end.action == "back_off":
            await asyncio.sleep(self._allowed.pause_seconds)
        return PipelineState(tries=tries, session=end.session if end.action == "resume" else "")

    def _until(self, end: StepEnd) -> float:
        """When a usage limit is looked at again, in seconds since 1970."""
        now, pause = datetime.now(UTC).timestamp(), self._allowed.pause_seconds
        return min(now + LONGEST_PARK, max(now + pause, end.until)) if end.until else now + PARK_PAUSES * pause

    def _back(self, state: PipelineState, notes: str) -> PipelineState:
        """Another round of the phase, if it may have one."""
        if state["round"] >= self._allowed.rounds:
            return PipelineState(stop="no_progress", why=notes)
        return PipelineState(stage="build", round=state["round"] + 1, notes=notes, tries=0)

    def _hearing(self, session: Session, role: Role, key: str) -> Callable[[Mapping[str, Any]], Awaitable[None]]:
        """Tells the trace what an agent reports; a claim after a crash counts anew."""
        heard = 0

        async def tell(event: Mapping[str, Any]) -> None:
            nonlocal heard
            heard += 1
            await self._trace(session, role, f"{key}:{session.run.generation}:{heard}", {"agent": dict(event)})

        return tell

    async def _trace(self, session: Session, node: str, key: str, data: Mapping[str, Any]) -> None:
        await self._work.record(session.run, [RunEventDraft(key, "run.step", {"node": node, **data})])

    async def _keep_progress(self, state: PipelineState) -> None:
        if "bench" not in state:
            return
        shown = {
            name: state.get(name) for name in ("goal", "stage", "phases", "phase", "round", "ended", "checked", "cost")
        }
        await self._workshop.write(_bench(state), "progress.json", json.dumps(shown, indent=1))


async def gate(state: PipelineState) -> PipelineState:
    """Wait for a person: nothing else, as whatever stood here before it would be done again."""
    return PipelineState(decision=interrupt(state["ask"]))


def after_work(state: PipelineState) -> Next:
    """The end, a question, or the next stage."""
    if state["stop"]:
        return "finalize"
    return "gate" if state.get("ask") else "work"


def _bench(state: PipelineState) -> Bench:
    return Bench(**state["bench"])


def _phase(state: PipelineState) -> dict[str, Any]:
    phase = state["phases"][state["phase"]]
    place = {"number": state["phase"] + 1, "count": len(state["phases"]), "phase": phase["title"]}
    return {**place, "phase_goal": phase["goal"], "done_when": phase["done_when"]}


def _ask_to_begin(state: PipelineState, run: Run) -> PipelineState | None:
    """The question whether agents may begin at all, or the end; None for a yes."""
    decision = state.get("decision")
    if decision is None:
        ask = _ask(run, "begin", "begin_work", {"goal": run.goal})
        return PipelineState(ask={**ask, "reason": "Coding agents execute programs on the server. Shall they begin?"})
    if decision["status"] in ("approved", "edited"):
        return None
    return PipelineState(ask=None, decision=None, stop=_stop_reason(decision) or "cancelled")


def _where(state: PipelineState) -> dict[str, int]:
    """Which phase, and in which round, an event tells of."""
    return {"phase": state["phase"] + 1, "round": state["round"]} if state["stage"] in IN_PHASE else {}


def _place(state: PipelineState, what: str) -> str:
    return f"{what}-{state['phase'] + 1}.{state['round']}"


def _review_file(state: PipelineState) -> str:
    return f"{_place(state, 'review')}.json"


def _ask(run: Run, key: str, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    call = {"id": str(uuid5(run.id, f"call:{key}")), "name": name, "arguments": dict(arguments)}
    return {"id": str(uuid5(run.id, f"ask:{key}")), "kind": "approval", "call": call}


def _stays(done: PipelineState) -> bool:
    """Whether a step is to be taken up again, or the run ends by it."""
    return bool(done.get("stop") or done.get("ask") or done.get("tries") or done.get("parks"))


def _again(state: PipelineState, done: PipelineState, notes: str) -> PipelineState:
    """The same step with what was wrong, a few times."""
    tries = state["tries"] + 1
    if tries >= MOST_TRIES:
        return {**done, "stop": "no_progress", "why": notes}
    return {**done, "tries": tries, "notes": notes}


def _stop_reason(decision: Mapping[str, Any]) -> str:
    """The reason to stop that a decision is; empty for any other."""
    if decision.get("status") == "expired":
        return "needs_input"
    if decision.get("status") == "stopped":
        return str((decision.get("answer") or {}).get("reason") or "cancelled")
    return ""


def _help_stop_reason(decision: Mapping[str, Any]) -> str:
    """The reason to stop that an answer to a call for help is."""
    return "cancelled" if decision.get("status") == "rejected" else _stop_reason(decision)


def _words(decision: Mapping[str, Any]) -> str:
    return str((decision.get("answer") or {}).get("text", "")).strip()

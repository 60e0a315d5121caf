"""The loop of a run as a graph: perceive, retrieve, plan, gate, act, observe, reflect, until something ends it.

Each node is checkpointed before the next begins. `gate` holds an interrupt and nothing else, as code before one runs
again; `act` looks up what a call did before it makes it, so that no effect happens twice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import wraps
from typing import Any, Literal
from uuid import UUID, uuid5
from zoneinfo import ZoneInfo

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from app.errors import OutOfReach
from app.models.model.thinking import NoThought, Thinker, ToolCall
from app.principal import StaleLease
from app.tracing import Attributes, span, step_spans
from app.turns.run_throttle import RunThrottle
from app.work.runs.answers import not_made
from app.work.runs.ending import reason_of, result_of
from app.work.runs.lessons import LESSONS, LessonRetriever, as_told
from app.work.runs.loops import MAX_STEPS_KEPT, CallStep, is_looping, keeps_failing, step_of
from app.work.runs.model.lessons import Lesson
from app.work.runs.model.runs import Run, RunEventDraft, RunWork
from app.work.runs.planners import SYSTEM, PlanFirst, Planned, Planner, React, as_said
from app.work.runs.reflection import Reflection, reflect
from app.work.runs.state import RunState
from app.work.runs.stopping import Stop, Stopped
from app.work.runs.tools.people import DELEGATE, DelegateForm, FinishForm, QuestionForm
from app.work.runs.tools.policy import rule, situation_of
from app.work.runs.tools.tool import Form, Registry, Tool, ToolContext, ToolOutcome, failed_outcome, outcome_from

log = logging.getLogger(__name__)

MOST_CHARS = 12_000
"""Of one observation that the model is shown."""
MOST_SILENT, MOST_BLOCKED, MOST_IDLE = 2, 2, 5
REMINDING_SECONDS = 10.0
LEAST_STEPS = 2
"""Of a child: one call and an end."""
NUDGE = "You repeat yourself and nothing changes. Do something else, or finish with what you have."
SPEAK = "Call one tool. If nothing is left to do, call `finish`."
NOBODY_KNOWS = "The server stopped while this was under way; whether it took effect is unknown."


@dataclass(frozen=True)
class Session:
    """One claim of a run: what its nodes work with."""

    run: Run
    stop: Stop
    tools: ToolContext
    served: Mapping[str, Tool] = field(default_factory=dict)
    """Tools of other servers that this claim is connected with."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Programs that were granted and cannot be had here, and why."""


Next = Literal["act", "gate", "plan", "observe", "finalize"]
Graph = CompiledStateGraph[RunState, Session, RunState, RunState]


class Engine:
    """The nodes; ``thinker``, ``work`` and ``registry`` are shared by all runs."""

    def __init__(
        self,
        thinker: Thinker,
        work: RunWork,
        registry: Registry,
        lessons: LessonRetriever | None = None,
        run_throttle: RunThrottle | None = None,
    ) -> None:
        self._lessons = lessons
        self._run_throttle = run_throttle or RunThrottle()
        self._thinker = thinker
        self._work = work
        self._registry = registry
        react = React()
        self._planners: dict[str, Planner] = {"react": react, "plan_first": PlanFirst(react)}

    def graph(self, saver: BaseCheckpointSaver[Any] | None) -> Graph:
        """The graph over a checkpointer; without one its host brings its own."""
        made = StateGraph(RunState, context_schema=Session)
        for node in (self.perceive, self.retrieve, self.plan, self.act, self.observe, self.reflect, self.finalize):
            made.add_node(node.__name__, step_spans(self._in_its_time(node), node.__name__))
        made.add_node("gate", gate)
        made.add_edge(START, "perceive")
        made.add_edge("perceive", "retrieve")
        made.add_edge("retrieve", "plan")
        made.add_conditional_edges("plan", after_plan, {name: name for name in ("gate", "act", "plan", "finalize")})
        made.add_edge("gate", "act")
        made.add_conditional_edges("act", after_act, {name: name for name in ("gate", "observe", "finalize")})
        made.add_edge("observe", "reflect")
        made.add_conditional_edges("reflect", after_reflect, {name: name for name in ("plan", "finalize")})
        made.add_edge("finalize", END)
        return made.compile(checkpointer=saver)

    def _in_its_time(self, node: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(node)
        async def wait_and_run(*args: Any, **kwargs: Any) -> Any:
            await self._run_throttle.step()
            return await node(*args, **kwargs)

        return wait_and_run

    async def perceive(self, state: RunState) -> RunState:
        """The goal as the first words of the transcript."""
        return RunState(transcript=[{"role": "user", "content": f"The goal: {state['goal']}"}])

    async def retrieve(self, state: RunState, runtime: Runtime[Session]) -> RunState:
        """Remind the run of what earlier ones learned; the rest of memory is searched by a tool."""
        session = runtime.context
        found = await self._recall_lessons(session, state["goal"])
        data = {
            "node": "retrieve",
            "planner": state["planner"],
            "tools": [tool.name for tool in self._available_tools(session)],
            "absent": {**self._registry.absent, **session.missing},
            "lessons": [{"id": str(one.id), "kind": one.kind, "text": one.text} for one in found],
        }
        await self._trace(session, RunEventDraft("retrieve", "run.step", data))
        if not found:
            return RunState()
        tainted = state["tainted"] or (LESSONS if any(one.foreign for one in found) else "")
        told = {"role": "user", "content": as_told(found)}
        return RunState(transcript=[*state["transcript"], told], tainted=tainted)

    async def _recall_lessons(self, session: Session, goal: str) -> Sequence[Lesson]:
        """Lessons for a goal; a run goes on without them where they cannot be had in time."""
        if self._lessons is None:
            return []
        try:
            async with asyncio.timeout(REMINDING_SECONDS):
                return await self._lessons.lessons_for(session.run.user_id, goal)
        except TimeoutError:
            return []

    async def plan(self, state: RunState, runtime: Runtime[Session]) -> RunState:
        """The next call, and whether it is made, asked about or refused."""
        session = runtime.context
        if reason := self._limit(state, session):
            return RunState(stop=reason)
        state = {**state, **await self._receive_messages(state, session)}
        try:
            found = await session.stop.unless(self._next(state, session))
        except Stopped:
            return RunState(stop=session.stop.reason or "failed")
        except NoThought as failure:
            return await self._without_model(state, session, failure.kind)
        return await self._apply_planned(state, session, found)

    async def _without_model(self, state: RunState, session: Session, kind: str) -> RunState:
        """The end of a run whose model gives nothing."""
        log.warning("a run ends without its model: %s", kind)
        if kind == "out of credits":
            return RunState(stop="budget_exceeded")
        step = state["step"] + 1
        data = {"node": "plan", "step": step, "failure": kind}
        await self._trace(session, RunEventDraft(f"no-thought:{step}", "run.step", data))
        return RunState(stop="failed", fault=kind)

    async def act(self, state: RunState, runtime: Runtime[Session]) -> RunState:
        """Make the call, at most once, unless its user decided otherwise."""
        session = runtime.context
        call, decision = state.get("call") or {}, state.get("decision")
        if decision and (settled := _resolve_decision(state, call, decision)) is not None:
            return settled
        call = _call_after_decision(call, decision)
        edited = bool(decision and decision["status"] == "edited")
        left = _left_out(state, "the user changed the call before") if edited else RunState()
        await session.stop.look(self._work)
        if session.stop.reason:
            return RunState(stop=session.stop.reason, ask=None, decision=None)
        try:
            outcome = await self._run_call(state, session, call)
        except Stopped:
            acts = [*state["acts"], _act(call, failed_outcome("broken", NOBODY_KNOWS), unknown=True)]
            return RunState(stop=session.stop.reason or "failed", acts=acts, ask=None, decision=None)
        if outcome is None:
            return left | RunState(call=call, ask=_unknown(call), decision=None, unknown=True)
        return left | RunState(call=call, outcome=outcome.document(), ask=None, decision=None, unknown=False)

    async def observe(self, state: RunState, runtime: Runtime[Session]) -> RunState:
        """What came of the call, for the model, the trace and the end; foreign words taint the run."""
        call, outcome = state["call"] or {}, outcome_from(state["outcome"] or {})
        tool = self._tool(runtime.context, call["name"])
        foreign = bool(tool and tool.taints and outcome.ok) or outcome.foreign
        shown = outcome.text[: max(0, min(MOST_CHARS, runtime.context.run.limits.output_chars - state["taken"]))]
        content = f'<observation tool="{call["name"]}" ok="{outcome.ok}">\n{_harmless(shown)}\n</observation>'
        data = {"node": "observe", "step": state["step"], "tool": call["name"], **outcome.document()}
        await self._trace(
            runtime.context, RunEventDraft(f"observe:{state['step']}", "run.step", {**data, "text": shown})
        )
        state = {**state, "transcript": [*state["transcript"], {"role": "user", "content": content}]}
        left = RunState() if outcome.ok else _left_out(state, "the call before failed")
        return (
            RunState(
                transcript=state["transcript"],
                tainted=state["tainted"] or (call["name"] if foreign else ""),
                acts=[*state["acts"], _act(call, outcome, unknown=state.get("unknown", False))],
                taken=state["taken"] + len(shown),
                unknown=False,
            )
            | left
        )

    async def reflect(self, state: RunState, runtime: Runtime[Session]) -> RunState:
        """Whether the run gets on; nudged once, stopped the next time."""
        call, outcome = state["call"] or {}, state["outcome"] or {}
        errors = 0 if outcome["ok"] else state["errors"] + 1
        found = reflect(call, outcome, errors)
        step = step_of(call["name"], call["arguments"], outcome["text"], error=not outcome["ok"])
        steps = [*(CallStep(*one) for one in state["steps"]), step][-MAX_STEPS_KEPT:]
        idle = _idle(state["idle"], self._tool(runtime.context, call["name"]), outcome)
        update = RunState(errors=errors, idle=idle, steps=[[one.action, one.outcome, one.error] for one in steps])
        update = {**update, **_keep_lesson(state, found), **_apply_hint(state, found)}
        stuck = _stuck_reason(steps, idle)
        if stuck:
            transcript = update.get("transcript", state["transcript"])
            nudge = RunState(nudged=True, transcript=[*transcript, {"role": "user", "content": NUDGE}])
            update = {**update, **(RunState(stop=stuck) if state["nudged"] else nudge)}
        if found.verdict != "success" or stuck:
            data = {"node": "reflect", "step": state["step"], "verdict": found.verdict, "failure": found.failure_type}
            draft = RunEventDraft(
                f"reflect:{state['step']}", "run.step", {**data, "stuck": stuck, **_replaced_plan(state, update)}
            )
            await self._trace(runtime.context, draft)
        return update

    async def finalize(self, state: RunState) -> RunState:
        """Every way out passes here."""
        reason = reason_of(state)
        return RunState(stop=reason, result=result_of(state, reason))

    def _available_tools(self, session: Session) -> list[Tool]:
        found = [*self._registry.tools_for(session.tools), *session.served.values()]
        return [tool for tool in found if tool.name != DELEGATE] if session.run.parent_id else found

    def _tool(self, session: Session, name: str) -> Tool | None:
        return self._registry.tools.get(name) or session.served.get(name)

    def _limit(self, state: RunState, session: Session) -> str:
        """The limit that is reached before a further step."""
        limits = session.run.limits
        if session.stop.reason:
            return session.stop.reason
        if state["step"] >= limits.steps:
            return "max_steps"
        spent = state["tokens"] >= limits.tokens or state["credits"] >= limits.credits > 0
        return "budget_exceeded" if spent or state["taken"] >= limits.output_chars else ""

    async def _receive_messages(self, state: RunState, session: Session) -> RunState:
        """What the user said meanwhile, as the user's own words."""
        words = await self._work.messages(session.run, state["heard"])
        if not words:
            return RunState()
        state = {**state, **_left_out(state, "the user said something meanwhile")}
        told = [{"role": "user", "content": f"The user says: {text}"} for _, text in words]
        said = [*state["said"], *(text for _, text in words)]
        return RunState(heard=words[-1][0], said=said, queued=[], transcript=[*state["transcript"], *told])

    async def _next(self, state: RunState, session: Session) -> Planned:
        if state.get("queued"):
            return _next_queued(state)
        zone = session.tools.timezone
        now = datetime.now(ZoneInfo(zone)).isoformat(timespec="minutes")
        system = SYSTEM.format(now=now, zone=zone, beside="")
        return await self._planners[state["planner"]].next(state, self._thinker, self._available_tools(session), system)

    async def _apply_planned(self, state: RunState, session: Session, found: Planned) -> RunState:
        """The state with the call that was found."""
        update = RunState(
            step=state["step"] + 1,
            heard=state["heard"],
            said=state["said"],
            plan=found.plan,
            reserve=found.reserve,
            finished=found.finished,
            queued=found.queued,
            tokens=state["tokens"] + found.tokens,
            credits=state["credits"] + found.credits,
            ask=None,
            decision=None,
            outcome=None,
            call=None,
            transcript=state["transcript"],
        )
        if found.call is None:
            return (
                _continue_after_note(state, update, found)
                if found.note or _has_named(state, found)
                else _take_text_answer(state, update, found.text)
            )
        line = {"role": "assistant", "content": as_said(found.call)}
        update["transcript"] = [*state["transcript"], line, *_note(found.note)]
        data = {
            "node": "plan",
            "step": update["step"],
            "tool": found.call.name,
            "arguments": dict(found.call.arguments),
        }
        if found.plan and found.plan != state.get("plan"):
            data |= {"plan": found.plan, "reserve": found.reserve, "rejected": found.rejected}
        await self._trace(session, RunEventDraft(f"plan:{update['step']}", "run.step", data))
        return {**update, "silent": 0, **self._resolve_call({**state, **update}, session, found.call)}

    def _resolve_call(self, state: RunState, session: Session, call: ToolCall) -> RunState:
        """What becomes of a call: an end, a question, an approval, a refusal, or an act."""
        call_id = uuid5(session.run.id, f"call:{state['step']}")
        made = {"id": str(call_id), "name": call.name, "arguments": dict(call.arguments)}
        tool = self._tool(session, call.name)
        if tool is None:
            return RunState(call={**made, "refused": f"There is no tool {call.name}."})
        form = tool.read(call.arguments)
        if isinstance(form, ToolOutcome):
            return RunState(call={**made, "refused": form.text})
        if isinstance(form, FinishForm):
            stop = "goal_achieved" if form.achieved else "no_progress"
            kept = RunState(lesson=form.lesson, learned=form.learned, about_user=form.about_user)
            return {**kept, "stop": stop, "answer": form.answer}
        if isinstance(form, DelegateForm):
            return _delegate(state, session, form, made)
        if isinstance(form, QuestionForm):
            ask = {"id": str(uuid5(call_id, "question")), "kind": "question", "call": made, "reason": form.question}
            return RunState(call=made, ask=ask)
        return self._apply_policy(state, session, tool, form, made)

    def _apply_policy(
        self, state: RunState, session: Session, tool: Tool, form: Form, made: dict[str, Any]
    ) -> RunState:
        context = _context(session, state, made["id"])
        ruling = rule(situation_of(tool, form, context, tainted=bool(state["tainted"])))
        if ruling.decision == "allow":
            return RunState(call=made)
        if ruling.decision == "ask":
            ask = {"id": str(uuid5(UUID(made["id"]), "approval")), "kind": "approval", "call": made}
            return RunState(call=made, ask={**ask, "reason": ruling.reason})
        blocked = state["blocked"] + 1
        refused = RunState(call={**made, "refused": f"That is not allowed: {ruling.reason}."}, blocked=blocked)
        return {**refused, "stop": "unsafe_action_blocked"} if blocked >= MOST_BLOCKED else refused

    async def _run_call(self, state: RunState, session: Session, call: dict[str, Any]) -> ToolOutcome | None:
        """What came of a call, now or before a crash; None when nobody knows and it must not be made again."""
        found = self._callable(state, session, call)
        if isinstance(found, ToolOutcome):
            return found
        tool, form = found
        context = _context(session, state, call["id"])
        if wrong := await tool.before(context, form):
            return failed_outcome("precondition", wrong)
        known = await self._work.begin_effect(session.run, context.call_id, tool.name)
        if known and known.outcome is not None:
            return outcome_from(known.outcome)
        if known and not tool.idempotent:
            return None
        return await self._execute_tool(session, tool, form, context)

    def _callable(self, state: RunState, session: Session, call: dict[str, Any]) -> tuple[Tool, Form] | ToolOutcome:
        """The tool and its arguments, or why it is not called."""
        if call.get("refused"):
            return failed_outcome("refused" if state["blocked"] else "invalid", call["refused"])
        tool = self._tool(session, call["name"])
        if tool is None:
            return failed_outcome("unreachable", f"The server of {call['name']} cannot be reached now.")
        form = tool.read(call["arguments"])
        return form if isinstance(form, ToolOutcome) else (tool, form)

    async def _execute_tool(self, session: Session, tool: Tool, form: Form, context: ToolContext) -> ToolOutcome | None:
        """Make a call and keep what it did."""
        try:
            outcome = await _act_and_verify(session, tool, form, context)
        except (Stopped, StaleLease, OutOfReach):
            raise
        except TimeoutError:
            if not tool.idempotent:
                return None
            outcome = failed_outcome("timeout", f"It took longer than {tool.seconds:g} s.")
        except Exception:
            log.exception("the tool %s broke", tool.name)
            outcome = failed_outcome("broken", "The tool broke; see the server's log.")
        await self._work.end_effect(session.run, context.call_id, outcome.document())
        return outcome

    async def _trace(self, session: Session, *events: RunEventDraft) -> None:
        await self._work.record(session.run, events)


async def _act_and_verify(session: Session, tool: Tool, form: Form, context: ToolContext) -> ToolOutcome:
    """What a tool did, and whether that is so afterwards."""
    told: Attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool.name}
    with span(f"execute_tool {tool.name}", told) as call:
        async with asyncio.timeout(tool.seconds):
            outcome = await session.stop.unless(tool.act(context, form))
        if outcome.ok and (wrong := await tool.after(context, form)):
            outcome = failed_outcome("postcondition", wrong)
        if not outcome.ok:
            call.fail(outcome.failure)
        return outcome


async def gate(state: RunState) -> RunState:
    """Wait for a person: nothing else, as whatever stood here before it would be done again."""
    return RunState(decision=interrupt(state["ask"]))


def after_plan(state: RunState) -> Next:
    """The end, a question, the call, or another try where the model called nothing."""
    if state["stop"]:
        return "finalize"
    if state.get("ask"):
        return "gate"
    return "act" if state.get("call") else "plan"


def after_act(state: RunState) -> Next:
    """The end, a question about a call whose outcome nobody knows, or its outcome."""
    if state["stop"]:
        return "finalize"
    return "gate" if state.get("ask") else "observe"


def after_reflect(state: RunState) -> Next:
    """The end, or the next step."""
    return "finalize" if state["stop"] else "plan"


def _resolve_decision(state: RunState, call: dict[str, Any], decision: dict[str, Any]) -> RunState | None:
    """What a decision comes to by itself; None when the call is to be made now."""
    status, answer = decision["status"], decision.get("answer") or {}
    if status == "expired":
        return RunState(stop="needs_input", ask=None, decision=None)
    if status == "stopped":
        return RunState(stop=str(answer.get("reason") or "cancelled"), ask=None, decision=None)
    kind = (state.get("ask") or {}).get("kind")
    if kind == "delegate":
        return _come_back(state, call, answer)
    words = str(answer.get("text", ""))
    settled = RunState(ask=None, decision=None, call=call)
    if status == "responded":
        said = [*state["said"], words]
        settled = {**settled, **_left_out(state, "the user answered in words")}
        return {**settled, "said": said, "outcome": ToolOutcome(f"The user says: {words}").document()}
    if status == "rejected":
        told = f"The user says no{f': {words}' if words else ''}. It was not done."
        if kind == "unknown":
            told = "Whether it took effect stays unknown; it was not done again."
        return {**settled, "unknown": kind == "unknown", "outcome": failed_outcome("refused", told).document()}
    return None


def _delegate(state: RunState, session: Session, form: DelegateForm, made: dict[str, Any]) -> RunState:
    """What is left of the run's limits, for a child; its parent keeps a step to end with."""
    limits = session.run.limits
    steps = min(form.steps, limits.steps - state["step"] - 1)
    left = {
        "steps": steps,
        "seconds": limits.seconds - session.stop.active_seconds,
        "credits": limits.credits - state["credits"],
        "tokens": limits.tokens - state["tokens"],
        "output_chars": limits.output_chars - state["taken"],
    }
    if session.run.parent_id or steps < LEAST_STEPS:
        why = "a part is not handed on again" if session.run.parent_id else "not enough of the limits is left"
        return RunState(call={**made, "refused": f"That is not done: {why}."})
    given = {"said": state["said"], "tainted": state["tainted"]}
    ask = {"id": str(uuid5(UUID(made["id"]), "child")), "kind": "delegate", "call": made, "reason": ""}
    return RunState(call=made, ask={**ask, "limits": left, "given": given})


def _come_back(state: RunState, call: dict[str, Any], child: dict[str, Any]) -> RunState:
    """What a child came to; what it took counts as its parent's."""
    result, usage = child.get("result") or {}, child.get("usage") or {}
    text, changed = str(result.get("answer", "")), bool(result.get("done"))
    ok = child.get("stop_reason") == "goal_achieved"
    outcome = ToolOutcome(text, ok=ok, changed=changed, failure="" if ok else "broken", foreign=True)
    return RunState(
        ask=None,
        decision=None,
        call=call,
        outcome=outcome.document(),
        step=state["step"] + int(usage.get("step", 0)),
        tokens=state["tokens"] + int(usage.get("tokens", 0)),
        credits=state["credits"] + int(usage.get("credits", 0)),
    )


def _call_after_decision(call: dict[str, Any], decision: dict[str, Any] | None) -> dict[str, Any]:
    """The call as it is made: with the arguments that its user gave it, or once more where nobody knows."""
    if not decision:
        return call
    if decision["status"] == "edited":
        arguments = (decision.get("answer") or {}).get("arguments", call["arguments"])
        return {**call, "arguments": arguments, "id": str(uuid5(UUID(call["id"]), "edited"))}
    again = decision.get("kind") == "unknown"
    return {**call, "id": str(uuid5(UUID(call["id"]), "again"))} if again else call


def _unknown(call: dict[str, Any]) -> dict[str, Any]:
    ask = {"id": str(uuid5(UUID(call["id"]), "unknown")), "kind": "unknown", "call": call}
    return {**ask, "reason": f"{NOBODY_KNOWS} Approve to do it again, reject to leave it."}


def _next_queued(state: RunState) -> Planned:
    """The next call of an answer that had several; the model is asked again after the last one."""
    first, *rest = state["queued"]
    call = ToolCall(first["name"], first["arguments"])
    plan, reserve, finished = state.get("plan"), state.get("reserve", []), state.get("finished", [])
    return Planned(call, plan=plan, reserve=reserve, queued=rest, finished=finished)


def _left_out(state: RunState, why: str) -> RunState:
    """Further calls of an answer are not made once something came between, and the model is told which."""
    queued = state.get("queued", [])
    if not queued:
        return RunState()
    return RunState(queued=[], transcript=[*state["transcript"], *_note(not_made(queued, why))])


def _note(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}] if text else []


def _has_named(state: RunState, found: Planned) -> bool:
    return found.finished != state.get("finished", [])


def _continue_after_note(state: RunState, update: RunState, found: Planned) -> RunState:
    """An answer that only named steps, or of which nothing could be made: on with the next one."""
    said = {"role": "assistant", "content": found.text or "..."}
    return {**update, "transcript": [*state["transcript"], said, *_note(found.note or "That is noted. Go on.")]}


def _replaced_plan(state: RunState, update: RunState) -> dict[str, Any]:
    """What the trace tells of a plan that is given up."""
    if "plan" not in update:
        return {}
    return {"rejected": [state.get("plan")], "plan": update["plan"], "reserve": update["reserve"]}


def _take_text_answer(state: RunState, update: RunState, text: str) -> RunState:
    """Words without a call: asked for a call once, then taken for the answer."""
    silent = state["silent"] + 1
    if silent >= MOST_SILENT:
        return {**update, "stop": "goal_achieved" if text else "no_progress", "answer": text}
    told = [{"role": "assistant", "content": text or "..."}, {"role": "user", "content": SPEAK}]
    return {**update, "silent": silent, "transcript": [*state["transcript"], *told]}


def _context(session: Session, state: RunState, call_id: str) -> ToolContext:
    return ToolContext(
        **{**vars(session.tools), "call_id": UUID(call_id), "at": datetime.now(UTC), "said": tuple(state["said"])}
    )


def _act(call: dict[str, Any], outcome: ToolOutcome, *, unknown: bool) -> dict[str, Any]:
    return {"name": call["name"], **outcome.document(), "text": outcome.text[:1000], "unknown": unknown}


def _harmless(text: str) -> str:
    """An observation that cannot end itself."""
    return text.replace("</observation", "< /observation")


def _idle(before: int, tool: Tool | None, outcome: dict[str, Any]) -> int:
    """How many writes in a row changed nothing; reading neither counts nor ends the count."""
    if tool is None or tool.risk == "read" or not outcome["ok"]:
        return before
    return 0 if outcome["changed"] else before + 1


def _stuck_reason(steps: Sequence[CallStep], idle: int) -> str:
    if is_looping(steps):
        return "loop_detected"
    if idle >= MOST_IDLE:
        return "no_state_change"
    return "no_progress" if keeps_failing(steps) else ""


def _keep_lesson(state: RunState, found: Reflection) -> RunState:
    return RunState(lesson=state["lesson"] or found.lesson)


def _apply_hint(state: RunState, found: Reflection) -> RunState:
    """A hint to repair the step, or another plan where this one does not hold: one in reserve, else a new one."""
    if found.verdict == "success":
        return RunState()
    if found.verdict == "replan" and state.get("plan"):
        reserve = state["reserve"]
        chosen, rest = (reserve[0], reserve[1:]) if reserve else (None, [])
        way = f"Go by this one: {chosen['title']}" if chosen else "Make another one, in view of what failed."
        transcript = [*state["transcript"], *_note(f"The plan does not hold. {way}")]
        return RunState(plan=chosen, reserve=rest, finished=[], errors=0, transcript=transcript)
    return RunState(transcript=[*state["transcript"], *_note(found.next_hint or "Try another way.")])

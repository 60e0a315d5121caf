"""One job of a run: claim it, work until it ends or has to ask, and commit which of the two it was."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.types import Command

from agents.conventions import conventions_from
from app.boundary.programs import Programs
from app.errors import OutOfReach
from app.http.accounts.store.users import Users
from app.principal import Fence, Principal, StaleLease, acting_as
from app.tracing import Attributes, TraceSpan, span
from app.work.runs import pipeline_state
from app.work.runs.ending import reason_of, result_of
from app.work.runs.engine import Engine, Session
from app.work.runs.lessons import lessons_of
from app.work.runs.model.lessons import NewLesson
from app.work.runs.model.runs import Approval, Grant, NewApproval, NewRun, Run, RunLimits, RunWork, StopReason
from app.work.runs.pipeline import Pipeline
from app.work.runs.planners import choose_planner
from app.work.runs.state import RunState, beginning
from app.work.runs.stopping import PULSE_SECONDS, Stop
from app.work.runs.tool_servers import NamedServers
from app.work.runs.tools.served import tools_of
from app.work.runs.tools.tool import Tool, ToolContext

log = logging.getLogger(__name__)

NODES_A_STEP = 6
BESIDE_STEPS = 50
ATTEMPTS = 5
"""Claims of a run whose every claim broke, until it ends as failed."""
RootsOf = Callable[[UUID], Path]


@dataclass(frozen=True)
class RunSurroundings:
    """What runs live in: where a user's files are, and the zone of users who have not set one."""

    files: RootsOf
    users: Users
    timezone: str
    pulse_seconds: float = PULSE_SECONDS
    servers: NamedServers | None = None
    server_seconds: float = 30.0
    programs: Programs | None = None
    learns: bool = True


class RunWorker:
    """Works on runs; ``prune`` forgets the checkpoints of a thread that has ended."""

    def __init__(
        self,
        engine: Engine,
        work: RunWork,
        saver: BaseCheckpointSaver[Any],
        around: RunSurroundings,
        prune: Callable[[str], Awaitable[None]],
        pipeline: Pipeline | None = None,
    ) -> None:
        self._work = work
        self._graph = engine.graph(saver)
        self._projects = pipeline.graph(saver) if pipeline else None
        self._around = around
        self._prune = prune

    async def run(self, user_id: UUID, run_id: UUID) -> None:
        """Work on a run until it ends or waits; raises what a later try may get over."""
        run = await self._work.claim(user_id, run_id)
        if run is None:
            return
        told: Attributes = {"summit.run.id": str(run.id), "summit.user.id": str(user_id)}
        with acting_as(Principal(user_id, Fence(run.id, run.generation))), span("run", told, trace=run.id) as claim:
            stop = Stop(run, pulse_seconds=self._around.pulse_seconds)
            looking = asyncio.create_task(stop.supervise(self._work))
            try:
                await self._work_on(run, stop, claim)
            except StaleLease:
                log.info("run %s goes on elsewhere", run.id)
            finally:
                looking.cancel()
                with suppress(asyncio.CancelledError):
                    await looking

    async def _work_on(self, run: Run, stop: Stop, claim: TraceSpan) -> None:
        try:
            state = await self._until_still(run, stop)
        except (StaleLease, OutOfReach, asyncio.CancelledError):
            raise
        except Exception:
            log.exception("run %s broke", run.id)
            if run.generation < ATTEMPTS:
                raise
            state = await self._values(run)
        claim.tell({"summit.outcome": reason_of(state) if state else "waiting"})
        if state is not None:
            await self._finish(run, stop, state)

    async def _until_still(self, run: Run, stop: Stop) -> RunState | None:
        """The state at the end; None when the run waits for its user."""
        await stop.look(self._work)
        async with self._open_server_tools(run) as served:
            grant = await self._work.grant(run.user_id)
            missing = await self._missing(grant)
            tools = await self._tools(run, grant, without=missing)
            return await self._run_until_end_or_question(run, stop, Session(run, stop, tools, served, missing))

    async def _missing(self, grant: Grant) -> Mapping[str, str]:
        """Programs that were granted and cannot be had here, and why."""
        if not grant.programs or self._around.programs is None:
            return {}
        objection = await self._around.programs.objection()
        return dict.fromkeys(grant.programs, objection) if objection else {}

    @asynccontextmanager
    async def _open_server_tools(self, run: Run) -> AsyncGenerator[Mapping[str, Tool]]:
        """The tools of other servers; coding agents that work on a project have their own."""
        if self._around.servers is None or run.project:
            yield {}
            return
        user = await self._around.users.get(run.user_id)
        async with self._around.servers.open(run.user_id, user.name if user else "") as servers:
            for name, why in servers.missing.items():
                log.warning("run %s goes without the tools of %s: %s", run.id, name, why)
            yield tools_of(servers, self._around.server_seconds)

    async def _run_until_end_or_question(self, run: Run, stop: Stop, session: Session) -> RunState | None:
        config, graph = _config(run), self._graph_of(run)
        while True:
            snapshot = await graph.aget_state(config)
            values = cast("RunState", snapshot.values)
            if values.get("result") is not None:
                return values
            given: Any = None if values and snapshot.next else _first(run)
            if snapshot.interrupts:
                decision = await self._decision(run, stop, snapshot.interrupts[0].value)
                if decision is None:
                    return None
                given = Command(resume=decision)
            await graph.ainvoke(given, config, context=session, durability="sync")
            if stop.lost:
                raise StaleLease

    async def _decision(self, run: Run, stop: Stop, asked: dict[str, Any]) -> dict[str, Any] | None:
        """What the gate goes on with; None while nobody has decided."""
        if stop.reason:
            return {"status": "stopped", "answer": {"reason": stop.reason}}
        if asked["kind"] == "delegate":
            return await self._delegate(run, stop, asked)
        if asked["kind"] == "pause":
            return await self._park_until_reset(run, stop, asked)
        new = NewApproval(UUID(asked["id"]), asked["kind"], asked["call"], asked["reason"])
        approval: Approval = await self._work.ask_once(run, new, stop.usage())
        if approval.status == "pending":
            return None
        if approval.status == "withdrawn":
            return {"status": "stopped", "answer": {"reason": "cancelled"}}
        return {"status": approval.status, "answer": approval.answer, "kind": approval.kind}

    async def _park_until_reset(self, run: Run, stop: Stop, asked: dict[str, Any]) -> dict[str, Any] | None:
        """None before a usage limit ends: the run waits for that without a worker, and its time does not pass."""
        until = datetime.fromtimestamp(asked["until"], UTC)
        if until <= datetime.now(UTC):
            return {"status": "over"}
        await self._work.park(run, f"parked:{asked['id']}", until, stop.usage())
        return None

    async def _delegate(self, run: Run, stop: Stop, asked: dict[str, Any]) -> dict[str, Any] | None:
        """What a child came to; None while it works, and its parent with its job waits for it."""
        child = NewRun(
            user_id=run.user_id,
            id=UUID(asked["id"]),
            goal=str(asked["call"]["arguments"]["goal"]),
            limits=RunLimits(**asked["limits"]),
            allowed=run.allowed,
            thread_id=run.thread_id,
            parent_id=run.id,
            given=asked["given"],
        )
        begun = await self._work.delegate(run, child, stop.usage())
        if begun.status != "done":
            return None
        stop.add(float(begun.usage.get("active_ms", 0)) / 1000)
        answer = {"result": begun.result, "usage": dict(begun.usage), "stop_reason": begun.stop_reason}
        return {"status": "ended", "answer": answer, "kind": "delegate"}

    async def _values(self, run: Run) -> RunState:
        values = (await self._graph_of(run).aget_state(_config(run))).values
        return cast("RunState", values or _first(run))

    def _graph_of(self, run: Run) -> Any:
        """The graph that a run follows: that of work on a project, where it has one."""
        if run.project is None:
            return self._graph
        if self._projects is None:
            raise RuntimeError("this worker knows no projects")
        return self._projects

    async def _finish(self, run: Run, stop: Stop, state: RunState) -> None:
        reason = reason_of(state)
        usage = {**stop.usage(), **{name: state.get(name, 0) for name in ("step", "tokens", "credits")}}
        lessons = await self._lessons(run, reason, state)
        await self._work.finish(run, reason, state.get("result") or result_of(state, reason), usage, lessons)
        await self._prune(_thread(run))

    async def _lessons(self, run: Run, reason: StopReason, state: RunState) -> Sequence[NewLesson]:
        """What a run leaves; a part is told by its whole."""
        if run.parent_id or not self._around.learns:
            return []
        if run.project:
            return pipeline_state.lessons_of_work(cast("pipeline_state.PipelineState", state), reason)
        user = await self._around.users.get(run.user_id)
        return lessons_of(state, reason, user_info=bool(user and user.settings.get("run_user_info")))

    async def _tools(self, run: Run, grant: Grant, *, without: Mapping[str, str]) -> ToolContext:
        user = await self._around.users.get(run.user_id)
        zone = (user.settings.get("timezone") if user else None) or self._around.timezone
        roots = [self._around.files(run.user_id), *map(Path, grant.roots)]
        return ToolContext(
            user_id=run.user_id,
            run_id=run.id,
            call_id=run.id,
            at=datetime.now(UTC),
            timezone=zone,
            conventions=conventions_from(user.settings.get("conventions") if user else None),
            roots=roots,
            programs=[name for name in grant.programs if name not in without],
            allowed=run.allowed,
        )


def _first(run: Run) -> Any:
    """The state before the first step."""
    if run.project:
        return pipeline_state.beginning(run.goal)
    return beginning(run.goal, choose_planner(run.planner, run.goal), run.given)


def _thread(run: Run) -> str:
    return f"{run.user_id}:{run.id}"


def _config(run: Run) -> RunnableConfig:
    return RunnableConfig(
        configurable={"thread_id": _thread(run)}, recursion_limit=run.limits.steps * NODES_A_STEP + BESIDE_STEPS
    )

"""Runs and work on projects for LangGraph Studio: the same nodes and tools, without a database.

Studio keeps the state and resumes what waits; what calls did is remembered as long as the process lives.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NotRequired, cast
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from typing_extensions import TypedDict

from agents.context import LOCAL_USER
from app.boundary.outbound.http import SafeHttp
from app.models.llm.choice import QuickModels, breakers, limits, quick_targets
from app.models.llm.steps import ModelThinker
from app.models.model.thinking import Thinker
from app.settings import Settings
from app.work.projects.build import compose_stages
from app.work.projects.model.projects import Project
from app.work.projects.model.workshops import ProjectWork, WorkKind
from app.work.projects.store import Projects
from app.work.runs import pipeline_state
from app.work.runs.build import ANYWHERE
from app.work.runs.engine import Engine, Session
from app.work.runs.limits import most_of
from app.work.runs.model.runs import Allowance, Effect, PlannerName, Pulse, Run, RunWork, Switch
from app.work.runs.planners import choose_planner
from app.work.runs.state import beginning
from app.work.runs.stopping import Stop
from app.work.runs.tools.files import file_tools
from app.work.runs.tools.people import people_tools
from app.work.runs.tools.tool import ToolContext, registry_of
from app.work.runs.tools.web import WebTools

NO_MODEL = "Runs need a language model: set SUMMIT_LLM_MODEL, and SUMMIT_LLM_BASE_URL where it is not OpenAI's."
NO_ROOT = "Say in the context's `root` which folder is to be worked on; it lies below one of SUMMIT_PROJECT_FOLDERS."
NO_GOAL = "Give a `goal`."
Enter = Callable[[Any, str, Mapping[str, Any]], tuple[Any, Session]]
"""From the input, the thread and the context of a call to what the graph is given, and its session."""


class RunContext(TypedDict):
    """For whom a run works, where, how it plans, and what it may do without asking."""

    user_id: NotRequired[str]
    timezone: NotRequired[str]
    planner: NotRequired[PlannerName]
    allow: NotRequired[list[Allowance]]


class WorkContext(TypedDict):
    """Which folder agents work on, which agent, and whether they build or write down what agents should know."""

    root: NotRequired[str]
    agent: NotRequired[str]
    kind: NotRequired[WorkKind]


class InMemory:
    """As much of app.work.runs.model.runs.RunWork as the nodes use; nobody stops a run here but Studio."""

    def __init__(self) -> None:
        self._effects: dict[UUID, Effect] = {}

    async def pulse(self, _run: Run, _usage: Mapping[str, Any]) -> Pulse:
        """Nothing asks it to stop."""
        return Pulse(cancel_requested=False, switch=Switch(engaged=False))

    async def record(self, _run: Run, _events: Sequence[Any]) -> None:
        """Studio shows each step itself."""

    async def messages(self, _run: Run, _after: int) -> Sequence[tuple[int, str]]:
        """Nobody says anything meanwhile."""
        return []

    async def begin_effect(self, _run: Run, call_id: UUID, tool: str) -> Effect | None:
        """What there is of a call already."""
        known = self._effects.get(call_id)
        self._effects.setdefault(call_id, Effect(call_id, tool, None))
        return known

    async def end_effect(self, _run: Run, call_id: UUID, outcome: Mapping[str, Any]) -> None:
        """Keep what a call did."""
        self._effects[call_id] = replace(self._effects[call_id], outcome=outcome)


class OneFolder:
    """As much of app.work.projects.model.projects.Projects as the stages use: folders by ids from ``id_of``."""

    def __init__(self) -> None:
        self._roots: dict[UUID, str] = {}

    def id_of(self, root: str) -> UUID:
        """The id of a folder, the same each time."""
        project_id = uuid5(NAMESPACE_URL, root)
        self._roots[project_id] = root
        return project_id

    async def get(self, _user_id: UUID, project_id: UUID) -> Project | None:
        """The folder as a project."""
        root = self._roots.get(project_id)
        now = datetime.now(UTC)
        return Project(project_id, Path(root).name, root, "", None, now, None) if root else None


def open_runs(settings: Settings, thinker: Thinker | None = None) -> Any:
    """The graph of runs; it opens without a model, and says what it lacks when it is given a goal.

    Studio refuses what blocks its loop, such as reading the machine's own zone, so that is done here.
    """
    outbound = SafeHttp(settings.allowed_networks, seconds=settings.outbound_seconds)
    searching = SafeHttp(ANYWHERE, seconds=settings.outbound_seconds)
    web = WebTools(outbound, searching, settings.search_url, settings.page_hosts)
    registry = registry_of([*people_tools(), *file_tools(), *web.tools()])
    zone = settings.default_timezone
    engine = Engine(thinker or _thinker(settings), cast("RunWork", InMemory()), registry)

    def enter(given: Any, _thread: str, context: Mapping[str, Any]) -> tuple[Any, Session]:
        if not (thinker or settings.llm_model):
            raise ValueError(NO_MODEL)
        planner = context.get("planner", "auto")
        if isinstance(given, dict):
            given = beginning(goal := _goal(given), choose_planner(planner, goal))
        return given, _session(settings, uuid4(), {"timezone": zone, **context})

    return _with_session(engine.graph(None), RunContext, enter)


def open_projects(settings: Settings) -> Any:
    """The graph of work on projects, in folders that the settings allow."""
    folders, zone = OneFolder(), settings.default_timezone
    stages = compose_stages(
        settings, cast("Projects", folders), cast("RunWork", InMemory()), _thinker(settings), lessons=None
    )

    def enter(given: Any, thread: str, context: Mapping[str, Any]) -> tuple[Any, Session]:
        root = str(context.get("root") or "")
        if not root:
            raise ValueError(NO_ROOT)
        goal = _goal(given) if isinstance(given, dict) else ""
        work = ProjectWork(folders.id_of(root), context.get("agent", ""), context.get("kind", "build"))
        session = _session(settings, uuid5(NAMESPACE_URL, thread), {"timezone": zone, **context}, goal, work)
        return pipeline_state.beginning(goal) if goal else given, session

    return _with_session(stages.graph(None), WorkContext, enter)


def _with_session(graph: CompiledStateGraph[Any, Any, Any, Any], context_schema: type, enter: Enter) -> Any:
    """A graph that makes its session of Studio's plain context."""

    class Opened(CompiledStateGraph[Any, Any, Any, Any]):
        def astream(
            self,
            input: Any,  # noqa: A002 - the name that callers give
            config: RunnableConfig | None = None,
            *,
            context: Any = None,
            **options: Any,
        ) -> AsyncIterator[Any]:
            """As any graph, within a session."""
            thread = str(((config or {}).get("configurable") or {}).get("thread_id") or uuid4())
            given, session = enter(input, thread, context or {})
            return super().astream(given, config, context=session, **options)

    return Opened(**{**vars(graph), "context_schema": context_schema})


def _goal(given: Mapping[str, Any]) -> str:
    goal = str(given.get("goal") or "").strip()
    if not goal:
        raise ValueError(NO_GOAL)
    return goal


def _session(
    settings: Settings, run_id: UUID, context: Mapping[str, Any], goal: str = "", project: ProjectWork | None = None
) -> Session:
    user_id = UUID(context.get("user_id") or LOCAL_USER)
    now = datetime.now(UTC)
    run = Run(
        user_id=user_id,
        id=run_id,
        goal=goal,
        status="running",
        planner="auto",
        limits=most_of(settings, project=project is not None),
        allowed=context.get("allow", []),
        generation=1,
        cancel_requested=False,
        created_at=now,
        parent_id=run_id,  # nothing works off a further run here, so it is offered none
        project=project,
    )
    tools = ToolContext(
        user_id=user_id,
        run_id=run_id,
        call_id=run_id,
        at=now,
        timezone=context["timezone"],
        roots=[settings.data_dir / "files" / str(user_id)],
        allowed=run.allowed,
    )
    return Session(run, Stop(run), tools)


def _thinker(settings: Settings) -> ModelThinker:
    return ModelThinker(QuickModels(quick_targets(settings)), limits(settings), breakers(settings))

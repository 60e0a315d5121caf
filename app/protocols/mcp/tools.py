"""The tools: each change of a record is a turn that carries its reading, so the one engine decides.

A result carries the turn, its changes and the addresses that take them back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from app.protocols.mcp.calls import Calls

Result = dict[str, Any]
Effect = Literal["reads", "adds", "changes"]
CHANGE_FIELDS_SHOWN = ("id", "op", "kind", "record_id", "title", "status", "error", "conflicts", "undo")
ID = "Its id, as list_tasks shows it."
TIME_DESCRIPTION = "A day (2026-11-18) or a time (2026-11-18T15:00); without an offset it is the user's own time."
INSTANT = "A time such as 2026-11-18T15:00; without an offset it is the user's own time."
MAX_LIST_ITEMS = 100
RUN_SECONDS, LOOK_SECONDS = 60.0, 0.3


class Arguments(BaseModel):
    """Base of what tools take: unknown names are refused."""

    model_config = ConfigDict(extra="forbid")


class Once(Arguments):
    """A call that may be repeated."""

    request_id: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")] | None = Field(
        None, description="Any ASCII text without spaces, new for each wish: the same call again does nothing twice."
    )


class AddTask(Once):
    """A new task."""

    task: str = Field(min_length=1, max_length=500)
    deadline: str | None = Field(None, description=TIME_DESCRIPTION)
    remind_at: str | None = Field(None, description=INSTANT)
    priority: Literal["low", "medium", "high"] | None = None
    list: str | None = Field(None, description="The list it belongs to.")
    notes: str = ""


class ListTasks(Arguments):
    """Which tasks."""

    status: str | None = Field(None, description="Such as `not started` or `done`.")
    list: str | None = None
    containing: str | None = Field(None, description="Only tasks with these words.")
    due_before: str | None = Field(None, description=TIME_DESCRIPTION)
    limit: int = Field(50, ge=1, le=MAX_LIST_ITEMS)


class CompleteTask(Once):
    """A task that is done."""

    id: str = Field(description=ID)


class MoveTask(Once):
    """A task that moves to another time or list."""

    id: str = Field(description=ID)
    deadline: str | None = Field(None, description=TIME_DESCRIPTION)
    remind_at: str | None = Field(None, description=INSTANT)
    list: str | None = None


class Schedule(Once):
    """A new appointment."""

    title: str = Field(min_length=1, max_length=500)
    start: str = Field(description=TIME_DESCRIPTION)
    end: str | None = Field(None, description=TIME_DESCRIPTION)
    location: str | None = None
    notes: str = ""


class FreeTime(Arguments):
    """Which time to look at."""

    start: str = Field(description=TIME_DESCRIPTION)
    end: str = Field(description=TIME_DESCRIPTION)
    minutes: int = Field(30, ge=1, le=24 * 60, description="Length of the openings to look for.")


class Note(Once):
    """Something to keep."""

    content: str = Field(min_length=1)
    summary: str = ""


class IndexMemo(Once):
    """Words to remember."""

    transcript: str = Field(min_length=1, description="What was said, or any text to be found and quoted later.")
    title: str = Field("", description="Default: the first words.")
    captured_at: str | None = Field(None, description=f"When it was said. {INSTANT}")


class QueryMemory(Arguments):
    """What to look for."""

    query: str = Field(min_length=1, max_length=2000)
    limit: int = Field(5, ge=1, le=50)


class Ask(Arguments):
    """A question about what was said or kept."""

    question: str = Field(min_length=1, max_length=2000)
    thread_id: str | None = Field(None, description="The conversation that it follows, for what “it” and “there” mean.")


class Say(Once):
    """A message to the assistant."""

    text: str = Field(min_length=1)
    thread_id: str | None = Field(None, description="The conversation; default: the main one.")
    answers: str | None = Field(None, description="The id of the question that it answers: then it answers no other.")


class RunWorkflow(Once):
    """Which workflow, and what it is given."""

    name: str = Field(min_length=1, max_length=120, description="Its name, or its slug.")
    inputs: dict[str, str] = Field(default_factory=dict, description="What it wants; a refusal names what is missing.")


class Undo(Once):
    """What to take back: a change, or a whole turn."""

    change_id: str | None = None
    turn_id: str | None = None


@dataclass(frozen=True)
class Tool:
    """What a tool is called, takes and does."""

    name: str
    description: str
    effect: Effect
    takes: type[BaseModel]
    act: Callable[[Calls, Any], Awaitable[Result]]


async def _add_task(calls: Calls, task: AddTask) -> Result:
    fields = task.model_dump(exclude={"request_id"}, exclude_none=True, exclude_defaults=True)
    return await _turn(calls, f"Add the task “{task.task}”", "create", "todo", fields, task.request_id)


async def _list_tasks(calls: Calls, wanted: ListTasks) -> Result:
    return await calls.get(
        "/v1/todos",
        status=wanted.status,
        list=wanted.list,
        q=wanted.containing,
        due_before=wanted.due_before,
        limit=wanted.limit,
    )


async def _complete_task(calls: Calls, done: CompleteTask) -> Result:
    task = await calls.get(f"/v1/todos/{_segment(done.id)}")
    said = f"Complete the task “{task['task']}”"
    return await _turn(calls, said, "complete", "todo", {}, done.request_id, task["id"])


async def _move_task(calls: Calls, move: MoveTask) -> Result:
    task = await calls.get(f"/v1/todos/{_segment(move.id)}")
    fields = move.model_dump(exclude={"request_id", "id"}, exclude_none=True)
    return await _turn(calls, f"Move the task “{task['task']}”", "update", "todo", fields, move.request_id, task["id"])


async def _schedule(calls: Calls, event: Schedule) -> Result:
    fields = event.model_dump(exclude={"request_id"}, exclude_none=True, exclude_defaults=True)
    return await _turn(calls, f"Schedule “{event.title}”", "create", "event", fields, event.request_id)


async def _free_time(calls: Calls, wanted: FreeTime) -> Result:
    return await calls.get("/v1/freebusy", **{"from": wanted.start, "to": wanted.end, "minutes": wanted.minutes})


async def _note(calls: Calls, note: Note) -> Result:
    fields = note.model_dump(exclude={"request_id"}, exclude_defaults=True)
    return await _turn(calls, "Keep this note", "create", "note", fields, note.request_id)


async def _index_memo(calls: Calls, memo: IndexMemo) -> Result:
    body = memo.model_dump(exclude={"request_id"}, exclude_none=True, exclude_defaults=True)
    kept, change = await calls.post_change("/v1/memos", body, memo.request_id)
    undo = f"/v1/changes/{change}/undo" if change else None
    return {"memo_id": kept["id"], "title": kept["title"], "captured_at": kept["captured_at"], "undo": undo}


async def _query_memory(calls: Calls, wanted: QueryMemory) -> Result:
    return await calls.post("/v1/memory/search", wanted.model_dump())


async def _ask(calls: Calls, asked: Ask) -> Result:
    return await calls.post("/v1/memory/ask", asked.model_dump(exclude_none=True))


async def _say(calls: Calls, said: Say) -> Result:
    body = said.model_dump(exclude={"request_id"}, exclude_none=True)
    return _turn_view(await calls.post("/v1/turns", body, said.request_id))


async def _run_workflow(calls: Calls, wanted: RunWorkflow) -> Result:
    """What its steps came to, where it ends within a minute; else how far it is."""
    kept = (await calls.get("/v1/workflows"))["items"]
    slugs = {name.lower(): one["slug"] for one in kept for name in (one["definition"]["name"], one["slug"])}
    slug = slugs.get(wanted.name.lower())
    if slug is None:
        there = ", ".join(one["slug"] for one in kept) or "none"
        raise ValueError(f"there is no workflow of that name; there are: {there}")
    started = await calls.post(f"/v1/workflows/{slug}/runs", {"inputs": wanted.inputs}, wanted.request_id)
    path = f"/v1/workflows/{slug}/runs/{started['id']}"
    for _ in range(int(RUN_SECONDS / LOOK_SECONDS)):
        run = await calls.get(path)
        if run["finished_at"]:
            break
        await asyncio.sleep(LOOK_SECONDS)
    steps = [{name: step[name] for name in ("id", "state", "output", "details")} for step in run["steps"]]
    return {"run_id": run["id"], "status": run["status"], "message": run["message"], "steps": steps}


async def _undo(calls: Calls, what: Undo) -> Result:
    if (what.change_id is None) == (what.turn_id is None):
        raise ValueError("name either change_id or turn_id")
    path = f"changes/{_segment(what.change_id)}" if what.change_id else f"turns/{_segment(what.turn_id or '')}"
    undone = await calls.post(f"/v1/{path}/undo", {}, what.request_id)
    return {"changes": [_change(one) for one in undone.get("changes", [undone])]}


async def _turn(
    calls: Calls, text: str, op: str, kind: str, fields: Result, key: str | None, record_id: str | None = None
) -> Result:
    reading = {"op": op, "kind": kind, "fields": fields, **({"record_id": record_id} if record_id else {})}
    return _turn_view(await calls.post("/v1/turns", {"text": text, "reading": [reading]}, key))


def _turn_view(turn: Result) -> Result:
    kept = {name: turn[name] for name in ("reply", "status", "question", "thread_id")}
    undo = f"/v1/turns/{turn['id']}/undo"
    return {"turn_id": turn["id"], **kept, "changes": [_change(one) for one in turn["changes"]], "undo": undo}


def _change(change: Result) -> Result:
    return {name: change[name] for name in CHANGE_FIELDS_SHOWN}


def _segment(value: str) -> str:
    """An id as a part of a path; raises ValueError for what would lead elsewhere."""
    if not value.replace("-", "").isalnum() or not value.isascii():
        raise ValueError("that is no id")
    return value


TOOLS = (
    Tool("add_task", "Add a task to the user's list.", "adds", AddTask, _add_task),
    Tool("list_tasks", "List the user's tasks.", "reads", ListTasks, _list_tasks),
    Tool(
        "complete_task",
        "Mark a task as done; a repeating one moves on to its next round.",
        "changes",
        CompleteTask,
        _complete_task,
    ),
    Tool("move_task", "Move a task to another day, reminder or list.", "changes", MoveTask, _move_task),
    Tool("schedule", "Put an appointment into the calendar; a clash is told.", "adds", Schedule, _schedule),
    Tool("free_time", "When the user is busy and free, and the first openings.", "reads", FreeTime, _free_time),
    Tool("note", "Keep a note.", "adds", Note, _note),
    Tool(
        "index_memo",
        "Remember a text: nothing is acted on, its words are found by query_memory and quoted by ask.",
        "adds",
        IndexMemo,
        _index_memo,
    ),
    Tool(
        "query_memory",
        "Search what the user ever said or kept; quotes with their source.",
        "reads",
        QueryMemory,
        _query_memory,
    ),
    Tool(
        "ask",
        "Answer a question from what the user said or kept, with citations, or say that there is nothing.",
        "reads",
        Ask,
        _ask,
    ),
    Tool(
        "say",
        "Say something to the assistant in the user's words; it may change anything the words ask for.",
        "changes",
        Say,
        _say,
    ),
    Tool(
        "run_workflow",
        "Run one of the user's workflows by its name; what comes of words that are not theirs waits for a yes.",
        "changes",
        RunWorkflow,
        _run_workflow,
    ),
    Tool("undo", "Take back one change, or all changes of a turn.", "changes", Undo, _undo),
)

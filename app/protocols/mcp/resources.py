"""What can be read as documents: the day, a memo, a list; and prompts to begin with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote
from zoneinfo import ZoneInfo

from app.protocols.mcp.calls import Calls, ToolRefused

TODAY = "summit://today"
MEMO = "summit://memo/"
LIST = "summit://list/"
TEMPLATES = {
    "memo": (f"{MEMO}{{id}}", "A voice memo with its transcript."),
    "list": (f"{LIST}{{name}}", "The tasks of one list."),
}
PLAN = """\
Read summit://today. Propose an order for today's tasks around the appointments, with free_time where a task needs an
opening. Ask before you change anything."""
REVIEW = """\
List the tasks that are done and those that are overdue (list_tasks), and what is scheduled next week. Say in five
sentences how the week went, then propose what to move. Ask before you change anything."""
RECALL = """\
Use ask for the user's question. Quote its citations word for word; where it found nothing, say so."""
PROMPTS = {
    "plan_my_day": ("Plan today around what is fixed.", PLAN),
    "weekly_review": ("Look back on the week and ahead to the next.", REVIEW),
    "ask_my_memory": ("Answer from what was said or kept.", RECALL),
}


async def read(calls: Calls, uri: str) -> dict[str, Any]:
    """The document at an address; raises Refused."""
    if uri == TODAY:
        return await today(calls)
    if uri.startswith(MEMO) and uri.removeprefix(MEMO).replace("-", "").isalnum():
        return await calls.get(f"/v1/memos/{uri.removeprefix(MEMO)}")
    if uri.startswith(LIST):
        return await calls.get("/v1/todos", list=unquote(uri.removeprefix(LIST)), limit=200)
    raise ToolRefused(f"There is no resource at {uri[:100]}.")


async def today(calls: Calls) -> dict[str, Any]:
    """What takes place today in the user's zone, and what is due until its end."""
    zone = ZoneInfo((await calls.get("/v1/settings"))["timezone"])
    day = datetime.now(UTC).astimezone(zone).date()
    tomorrow = str(day + timedelta(days=1))
    events = await calls.get("/v1/occurrences", **{"from": str(day), "to": tomorrow})
    due = await calls.get("/v1/todos", due_before=tomorrow, sort="deadline", limit=200)
    open_tasks = [task for task in due["items"] if task["status"] not in ("done", "archived")]
    return {"day": str(day), "timezone": zone.key, "events": events["items"], "due": open_tasks}

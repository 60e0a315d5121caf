"""Timers and reminders: what rings, when, and what is left of it."""

from __future__ import annotations

from datetime import datetime

from agents.dates_in_words import say_clock, say_duration, say_when
from agents.phrases import say_count
from agents.records import ToDo
from agents.rendering.agenda import MAX_LIST_LINES
from agents.understanding.questions.days import asked_span
from agents.understanding.questions.query import Query
from agents.understanding.situation import Situation


def running_timers(situation: Situation) -> list[ToDo]:
    """Return the timers that have not rung, the next one first."""
    todos = [item.record for item in situation.items("todo").find_under("timer") if isinstance(item.record, ToDo)]
    running = [todo for todo in todos if todo.remind_at and todo.remind_at > situation.now]
    return sorted(running, key=_rings_at)


def timers(query: Query, situation: Situation) -> list[str]:
    """Return how much is left of each timer, of those named if any are."""
    running = running_timers(situation)
    named = {item.id for item in query.named}
    shown = [todo for todo in running if todo.id in named] or running
    if not shown:
        return ["You have no timer running."]
    return [_say_time_left(todo, situation) for todo in shown[:MAX_LIST_LINES]]


def _say_time_left(todo: ToDo, situation: Situation) -> str:
    seconds = (_rings_at(todo) - situation.now).total_seconds()
    at = _rings_at(todo).astimezone(situation.clock.zone)
    return f"{todo.task}: {say_duration(max(1, round(seconds / 60)))} left, rings at {say_clock(at)}."


def _rings_at(todo: ToDo) -> datetime:
    assert todo.remind_at is not None  # noqa: S101 - only those that ring are looked at
    return todo.remind_at


def reminders(query: Query, situation: Situation) -> list[str]:
    """Return the reminders that are to come, on the days asked about."""
    todos = [item.record for item in situation.items("todo").find_under("rings") if isinstance(item.record, ToDo)]
    coming = [todo for todo in todos if todo.remind_at and todo.status == "not started"]
    if query.when:
        since, until = asked_span(query, situation)
        coming = [todo for todo in coming if since <= _rings_at(todo) < until]
    named = {item.id for item in query.named}
    coming = sorted((todo for todo in coming if not named or todo.id in named), key=_rings_at)
    if not coming:
        return ["You have no reminders then." if query.when else "You have no reminders."]
    shown = [f"{todo.task} ({say_when(_rings_at(todo), situation.now)})" for todo in coming[:MAX_LIST_LINES]]
    more = f" and {len(coming) - MAX_LIST_LINES} more" if len(coming) > MAX_LIST_LINES else ""
    return [f"You have {say_count(len(coming), 'reminder')}: {'; '.join(shown)}{more}."]

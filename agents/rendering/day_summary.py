"""The text of a briefing: a user's day, from the records at the time it fires."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.dates_in_words import say_clock, say_when
from agents.phrases import quote, say_count, say_list
from agents.records import ToDo
from agents.recurrence.missed import say_missed
from agents.rendering.item_names import codes_of, detailed_title

MOST_NAMED = 10


@dataclass(frozen=True)
class Happening:
    """One thing on the calendar of the day; ``start`` is on the user's clock."""

    title: str
    start: datetime
    whole_day: bool = False


def say_day_ahead(happenings: Sequence[Happening], due: Sequence[ToDo], now: datetime) -> str:
    """The day in sentences: what is on, then what is due or overdue; ``now`` is the user's clock."""
    head = f"Your day, {now:%A} {now.day} {now:%B}:"
    if not happenings and not due:
        return f"{head} nothing is on and nothing is due."
    codes = codes_of((todo.id, todo.task) for todo in due)
    due = [todo.model_copy(update={"task": detailed_title(todo.task, codes.get(todo.id, ""))}) for todo in due]
    told = [_calendar(happenings), _overdue(due, now), _due_today(due, now)]
    return " ".join([head, *filter(None, told)])


def _calendar(happenings: Sequence[Happening]) -> str:
    if not happenings:
        return "nothing is on your calendar."
    ordered = sorted(happenings, key=lambda one: (not one.whole_day, one.start))
    told = [f"{quote(one.title)} {'all day' if one.whole_day else f'at {say_clock(one.start)}'}" for one in ordered]
    return f"{say_count(len(told), 'event')}: {_say_titles(told)}."


def _overdue(due: Sequence[ToDo], now: datetime) -> str:
    late = [todo for todo in due if _is_overdue(todo, now)]
    told = [
        f"{quote(todo.task)} (since {say_when(todo.deadline, now)}{say_missed(todo, now)})"
        for todo in late
        if todo.deadline
    ]
    return f"Overdue: {_say_titles(told)}." if told else ""


def _due_today(due: Sequence[ToDo], now: datetime) -> str:
    told = [_due_words(todo, now) for todo in due if not _is_overdue(todo, now)]
    return f"Due today: {_say_titles(told)}." if told else ""


def _due_words(todo: ToDo, now: datetime) -> str:
    if isinstance(todo.deadline, datetime):
        return f"{quote(todo.task)} at {say_clock(todo.deadline.astimezone(now.tzinfo))}"
    return quote(todo.task)


def _is_overdue(todo: ToDo, now: datetime) -> bool:
    if isinstance(todo.deadline, datetime):
        return todo.deadline < now
    return todo.deadline is not None and todo.deadline < now.date()


def _say_titles(told: Sequence[str]) -> str:
    shown = list(told[:MOST_NAMED])
    return say_list([*shown, f"{len(told) - len(shown)} more"] if len(told) > len(shown) else shown)

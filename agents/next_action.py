"""Which task is the one next action: by energy, by the time at hand and by what is due.

Score of an open task: priority (3, 2, 1 for high, medium, low or none) plus nearness of its deadline (up to 5, less one
for every two days). Low energy turns the scale: that sum counts a quarter, easy tasks gain 2, hard ones lose 2, short
ones gain up to 4, and the first micro-step that is not done yet is suggested. With minutes at hand, only tasks that fit
them are considered, by their estimate or else by the rule of thumb; if none fits, such a step of the best one does.
What became of earlier suggestions of a task is added last: at most 1 in favour, 4 against (suggestion_feedback).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from agents.contract import FocusSuggestion
from agents.dates_in_words import say_duration, say_when
from agents.estimates import estimated_minutes
from agents.phrases import quote
from agents.records import ToDo
from agents.recurrence.missed import say_missed
from agents.suggestion_feedback import Track, preference_score

Energy = Literal["low", "medium", "high"]
STEP_MINUTES = 5
PRIORITY = {"high": 3.0, "medium": 2.0, "low": 1.0, None: 1.0}
DIFFICULTY = {"easy": 2.0, "medium": 0.0, "hard": -2.0, None: 0.0}
CHEERS: dict[Energy, str] = {
    "low": "Small is fine: five minutes are enough to begin.",
    "medium": "One thing at a time. You've got this.",
    "high": "Good moment for the thing that matters most.",
}


@dataclass(frozen=True)
class Candidate:
    """An open task, with the micro-steps that it may be begun by."""

    todo: ToDo
    steps: list[str]

    @property
    def length(self) -> int:
        """Minutes: as estimated by the user, or else by the rule of thumb."""
        return self.todo.time_to_complete or estimated_minutes(self.todo.task, self.todo.solutions)

    @property
    def open_steps(self) -> list[str]:
        """The steps that are not done yet."""
        return [step for step in self.steps if step not in self.todo.done_steps]


@dataclass(frozen=True)
class Moment:
    """What a suggestion has to fit: the user's clock, energy and, if they are limited, the minutes at hand."""

    now: datetime
    energy: Energy
    minutes: int | None = None


def suggestion(tasks: Sequence[Candidate], moment: Moment, tracks: Mapping[str, Track]) -> FocusSuggestion | None:
    """The best of the tasks that fit the moment, or a step of it; None when not even a step fits."""
    fitting = _fitting(tasks, moment.minutes)
    if not fitting:
        return None
    best = max(fitting, key=lambda task: score(task, moment) + preference_score(tracks.get(task.todo.id), moment.now))
    return _as_suggestion(best, moment)


def say_too_long(tasks: Sequence[Candidate], minutes: int, which: str) -> str:
    """That none of the tasks fits into the minutes at hand; ``which`` tells which tasks these are."""
    least = min(tasks, key=lambda task: task.length)
    shortest = f"the shortest, {quote(least.todo.task)}, takes about {say_duration(least.length)}"
    return f"None of your {which} tasks fits into {say_duration(minutes)}: {shortest}."


def score(task: Candidate, moment: Moment) -> float:
    """How well a task fits the moment; see the module's formula."""
    todo, today = task.todo, moment.now.date()
    due = todo.deadline.date() if isinstance(todo.deadline, datetime) else todo.deadline
    value = PRIORITY[todo.priority] + _nearness(due, today) + (0.5 if todo.status == "in progress" else 0)
    if moment.energy == "low":
        return value / 4 + DIFFICULTY[todo.difficulty] + max(0.0, 4 - task.length / 10)
    hard = 0.5 if moment.energy == "high" and todo.difficulty == "hard" else 0
    return value + hard - (0.2 if moment.minutes and task.length > moment.minutes else 0)


def _nearness(due: date | None, today: date) -> float:
    return min(max(0.0, 4 - (due - today).days / 2), 5.0) if due else 0.0


def _fitting(tasks: Sequence[Candidate], minutes: int | None) -> list[Candidate]:
    """The tasks that fit the minutes at hand: estimated ones first, last those of which only a step does."""
    if minutes is None:
        return list(tasks)
    short = [task for task in tasks if task.length <= minutes]
    estimated = [task for task in short if task.todo.time_to_complete]
    return estimated or short or [task for task in tasks if task.open_steps and minutes >= STEP_MINUTES]


def _as_suggestion(task: Candidate, moment: Moment) -> FocusSuggestion:
    part = moment.minutes is not None and task.length > moment.minutes
    step = task.open_steps[0] if task.open_steps and (part or moment.energy == "low") else None
    return FocusSuggestion(
        action=step or task.todo.task,
        task_id=task.todo.id,
        step=step,
        minutes=min(task.length, STEP_MINUTES if step else task.length),
        why=_why(task.todo, moment, part=part),
        encouragement=CHEERS[moment.energy],
    )


def _is_over(deadline: datetime | date, now: datetime) -> bool:
    return deadline < now if isinstance(deadline, datetime) else deadline < now.date()


def _why(todo: ToDo, moment: Moment, *, part: bool) -> str:
    reasons, minutes = list[str](), moment.minutes
    if todo.deadline:
        verb = "was" if _is_over(todo.deadline, moment.now) else "is"
        reasons.append(f"it {verb} due {say_when(todo.deadline, moment.now)}{say_missed(todo, moment.now)}")
    if todo.priority == "high":
        reasons.append("it has high priority")
    if minutes and todo.time_to_complete and todo.time_to_complete <= minutes:
        reasons.append(f"it takes {say_duration(todo.time_to_complete)} and you have {say_duration(minutes)}")
    if minutes and part:
        reasons.append(f"all of it takes longer than {say_duration(minutes)}, but a first step fits")
    return f"{quote(todo.task)}: {' and '.join(reasons) if reasons else 'it is a good one to get moving with'}."

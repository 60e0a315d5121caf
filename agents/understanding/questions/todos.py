"""Which tasks there are: by day, state, priority, length, by what they lack and by words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from agents.dates_in_words import say_duration, say_when
from agents.index.items import Item
from agents.index.words import words_of
from agents.phrases import quote, say_count, say_list
from agents.records import ToDo
from agents.recurrence.missed import say_missed
from agents.rendering.agenda import MAX_LIST_LINES, coming_days
from agents.timers import is_timer
from agents.understanding.ground import coverage, find_by_words, is_open
from agents.understanding.matching import tell_apart
from agents.understanding.questions.days import is_week
from agents.understanding.questions.query import Query
from agents.understanding.records.lists import TASK_LIST
from agents.understanding.records.past import period_in
from agents.understanding.situation import Situation
from agents.understanding.values.days import days_of, say_days
from agents.understanding.values.slots import TAG

OPEN_TASK_STATES = ("not started", "in progress")
LEVELS = ("high", "medium", "low")
BESIDE_LEVELS = frozenset("high low medium urgent top highest lowest p1 p2 p3".split())
DIFFICULTIES = ("hard", "medium", "easy")
STATES = {
    **dict.fromkeys("snoozed asleep hidden sleeping".split(), "snoozed"),
    **dict.fromkeys(("archived", "archive"), "archived"),
}
"""What tasks are that are not shown, by the words for it."""
LACKING = {
    "prio": ("priority", "a priority"),
    "estim": ("time_to_complete", "an estimate"),
    "diffic": ("difficulty", "a difficulty"),
}
UNDATED = frozenset("date dates deadline deadlines due day undated".split())
GENERAL = frozenset(
    words_of("task todo chore job thing stuff deadline open overdue left list work priority high low medium to do")
)
HALF_COVERED = 0.5
Chosen = tuple[list[ToDo], str]
"""Tasks, and what they have in common, as the end of a sentence."""


def todos(query: Query, situation: Situation) -> list[str]:
    """Return the tasks that are asked for."""
    label: str = "open task"
    states: tuple[str, ...] = OPEN_TASK_STATES
    if query.has("begun"):
        label, states = "task", ("in progress",)
    state = next((name for word, name in STATES.items() if word in query.word_set), "")
    if state:
        return [sentence(_in_state(state, situation), f"{state} task", "", situation)]
    level = next((name for name in reversed(LEVELS) if query.has(name)), None)
    days = _days_asked(query, situation) if level is None and not query.has("late") else None
    found = [task for task in _tasks(situation, days) if task.status in states]
    by_level = "by" in query.word_set and not query.word_set & BESIDE_LEVELS
    if by_level:
        level = None
    if level and any(task.priority for task in found) and "most" not in query.word_set:
        found = [task for task in found if task.priority == level]
        label = f"{level}-priority {label}"
    ends = []
    for choose in (_of_day, _lacking, _of_length, _extreme, _about):
        found, end = choose(query, found, situation)
        ends.append(end)
    return [sentence(found, label, "".join(ends), situation, by_level=by_level)]


def _tasks(situation: Situation, days: tuple[date, date] | None = None) -> list[ToDo]:
    """Return the tasks; with ``days`` only those that may be due then."""
    items = situation.items("todo")
    todos = [item.record for item in (items.find_between(*days) if days else items) if isinstance(item.record, ToDo)]
    return [todo for todo in todos if not is_timer(vars(todo))]


def _in_state(state: str, situation: Situation) -> list[ToDo]:
    """Return the tasks that are put off or put away."""
    if state == "snoozed":
        return [task for task in _tasks(situation) if task.status in OPEN_TASK_STATES and task.snooze_until is not None]
    return [task for task in _tasks(situation) if task.status == state]


def _of_day(query: Query, tasks: list[ToDo], situation: Situation) -> Chosen:
    late, days = query.has("late"), _days_asked(query, situation)
    if days is None and not late:
        return tasks, ""
    first, until = days or (date.max, date.min)
    dated = [(task, day) for task in tasks if (day := _day(task, situation))]
    due = [task for task, day in dated if first <= day <= until or (late and day < situation.now.date())]
    if days is None:
        return due, " that are overdue"
    return due, f"{' overdue or' if late else ''} due {say_days(first, until, situation.scene)}"


def _days_asked(query: Query, situation: Situation) -> tuple[date, date] | None:
    """Return the first and the last day on which tasks are asked for to be due; None where none is said."""
    if query.when is None or query.when.moment is None:
        return None
    today = situation.now.date()
    first, last = days_of(query.when, situation.scene)
    if query.when.kind == "open_before":
        first = min(first, today)
    coming = coming_days(first, last, today) if is_week(query.when) else None
    return first, coming[1] if coming else last


def _day(task: ToDo, situation: Situation) -> date | None:
    when = task.remind_at if task.deadline is None else task.deadline
    return when.astimezone(situation.clock.zone).date() if isinstance(when, datetime) else when


def _lacking(query: Query, tasks: list[ToDo], _situation: Situation) -> Chosen:
    """Return those that have nothing where something is missed; a reminder is dated by when it rings."""
    if not query.has("lacking"):
        return tasks, ""
    named = next((LACKING[name] for name in LACKING if any(word.startswith(name) for word in query.words)), None)
    if named is None and not query.word_set & UNDATED:
        return tasks, ""
    part, name = named or ("deadline", "a deadline")
    missing = [task for task in tasks if getattr(task, part) is None and not (part == "deadline" and task.remind_at)]
    return missing, f" without {name}"


def _of_length(query: Query, tasks: list[ToDo], _situation: Situation) -> Chosen:
    if query.minutes is None:
        return tasks, ""
    most = not query.has("over") or query.has("less")
    known = [(task, task.time_to_complete) for task in tasks]
    fitting = [task for task, size in known if size and (size <= query.minutes if most else size >= query.minutes)]
    return fitting, f" of {'at most' if most else 'at least'} {say_duration(query.minutes)}"


def _extreme(query: Query, tasks: list[ToDo], _situation: Situation) -> Chosen:
    """Return the longest, shortest, hardest, easiest or most important of them, where that is asked for."""
    dated = sorted((task for task in tasks if task.deadline), key=lambda task: str(task.deadline))
    if "next" in query.word_set and query.when is None and dated:
        return dated[:1], ""
    if query.has("long", "short"):
        known = [task.time_to_complete for task in tasks if task.time_to_complete]
        wanted = (max(known) if query.has("long") else min(known)) if known else None
        return [task for task in tasks if task.time_to_complete == wanted] if known else tasks, ""
    if query.has("hard", "easy"):
        order = DIFFICULTIES if query.has("hard") else DIFFICULTIES[::-1]
        return _foremost(tasks, "difficulty", order), ""
    return (_foremost(tasks, "priority", LEVELS), "") if query.has("high") and "most" in query.word_set else (tasks, "")


def _foremost(tasks: list[ToDo], part: str, order: Sequence[str]) -> list[ToDo]:
    known = {getattr(task, part) for task in tasks}
    best = next((level for level in order if level in known), None)
    return [task for task in tasks if best is None or getattr(task, part) == best]


def _about(query: Query, tasks: list[ToDo], situation: Situation) -> Chosen:
    """Return those that a name fits: in title, list, tags or notes."""
    group = "" if set(query.listed.lower().split()) <= TASK_LIST else query.listed
    name = f"{query.about} {group}".strip()
    if not set(words_of(name)) - GENERAL:
        return tasks, ""
    fitting = {item.id for item in find_by_words(name, situation.items("todo")) if coverage(name, item) >= HALF_COVERED}
    found = [task for task in tasks if task.id in fitting]
    by_name = {item.id for item in query.named}
    found = found or [task for task in tasks if task.id in by_name]
    return found, f" about {quote(name)}"


def sentence(tasks: Sequence[ToDo], label: str, end: str, situation: Situation, *, by_level: bool = False) -> str:
    """Return so many tasks of a kind, the soonest due or the most important first; ``end`` says what they share."""
    if not tasks:
        return f"You have no {label}s{end}."
    known = situation.items("todo")
    items = [item for task in tasks if (item := known.get(task.id))]
    ordered = sorted(items, key=lambda item: (_rank(item) if by_level else 0, item.day or date.max, item.title))
    shown = [_say_task(item, situation) for item in tell_apart(ordered[:MAX_LIST_LINES], situation.now)]
    more = f" and {len(items) - MAX_LIST_LINES} more" if len(items) > MAX_LIST_LINES else ""
    end = end.replace(" that are ", " that is ") if len(items) == 1 else end
    return f"You have {say_count(len(items), label)}{end}: {'; '.join(shown)}{more}."


def _rank(item: Item) -> int:
    """Return the place of a task's priority, the highest first; without one it comes last."""
    priority = getattr(item.record, "priority", None)
    return LEVELS.index(priority) if priority in LEVELS else len(LEVELS)


def _say_task(item: Item, situation: Situation) -> str:
    task = item.record
    if not isinstance(task, ToDo) or not task.deadline:
        return item.title
    return f"{item.title} (due {say_when(task.deadline, situation.now)}{say_missed(task, situation.now)})"


def say_tagged(query: Query, situation: Situation) -> list[str]:
    """Return what has a label: open tasks and notes."""
    typed = TAG.search(query.text)
    label = (typed[1] if typed else query.listed or query.about).lower().removeprefix("#")
    if not label:
        return todos(query, situation)
    kept = situation.items("todo", "note").where(is_open)
    items = [item for item in kept if label in (tag.lower() for tag in getattr(item.record, "tags", []))]
    if not items:
        return [f"Nothing is tagged {quote(label)}."]
    titles = [item.title for item in tell_apart(items[:MAX_LIST_LINES], situation.now)]
    return [f"Tagged {quote(label)}: {say_list(titles)}."]


def finished_tasks(query: Query, situation: Situation) -> list[str]:
    """Return the tasks that were finished, in a stretch of the past if one is said."""
    tasks = [task for task in _tasks(situation) if task.status == "done"]
    period = period_in(query.when_said, situation.scene) if query.when_said else None
    if period is not None:
        tasks = [task for task in tasks if period.start <= task.updated_at < period.end]
    end = f" {period.label}" if period else ""
    tasks, about = _about(query, tasks, situation)
    return [sentence(tasks, "finished task", end + about, situation)]


def work_left(_query: Query, situation: Situation) -> list[str]:
    """Return how long the open tasks take together, as far as that is known."""
    tasks = [task for task in _tasks(situation) if task.status in OPEN_TASK_STATES]
    known = [task.time_to_complete for task in tasks if task.time_to_complete]
    unknown = [task.task for task in tasks if not task.time_to_complete]
    if not known:
        return [f"You have {say_count(len(tasks), 'open task')}, and I do not know how long any of them takes."]
    rest = f" I do not know how long these take: {say_list(unknown[:MAX_LIST_LINES])}." if unknown else ""
    return [f"Your open tasks take about {say_duration(sum(known))} together.{rest}"]

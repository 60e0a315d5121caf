"""One thing that is named: when and where it is, how long it takes, how long it is until then, whether it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from agents.dates_in_words import say_duration, say_span, say_when
from agents.index.items import Item
from agents.index.words import tokens
from agents.phrases import quote, say_count, say_list
from agents.records import Event, Note, ToDo
from agents.recurrence.describe import describe_rule
from agents.recurrence.missed import say_missed
from agents.rendering.agenda import Slot
from agents.time import find_times
from agents.understanding.matching import tell_apart
from agents.understanding.questions.days import asked_span, date_itself
from agents.understanding.questions.notes import noted_about, text_of
from agents.understanding.questions.query import Query, telling_words
from agents.understanding.records import pointed
from agents.understanding.series.occurrences import of_event
from agents.understanding.situation import Situation
from agents.understanding.steps import say_steps
from agents.understanding.values.days import whole_days

MOST_TOLD = 6
ONE_AFTER = frozenset("the one round after that and when whens is s what what's when's whats".split())
LEFT = frozenset("left remaining remain still open".split())
YEARS = timedelta(days=800)
Saying = Callable[[Item, Query, Situation], str]


def details(query: Query, situation: Situation) -> list[str]:
    """Return what is known of the things named."""
    if after := _round_after(query, situation):
        return [after]
    if not query.named:
        return []
    told = _each(query, situation, _when_where)
    noted = [] if query.has("timing") else _say_notes(query, situation)
    return [*noted, *(one for one in told if one not in noted)]


def _round_after(query: Query, situation: Situation) -> str:
    """Return the round of a series after the one just told or skipped, "whens the one after"; empty for none."""
    said = {*tokens(query.about)} or query.loose
    if not {"one", "after"} <= said <= ONE_AFTER or query.named or query.when is not None:
        return ""
    items = pointed.lately(situation.scene, ("event",))
    event = items[0].record if len(items) == 1 else None
    day = _day_told(event, situation) if isinstance(event, Event) and event.recurrence else None
    if day is None or not isinstance(event, Event):
        return ""
    first = whole_days(day, day, situation.scene)[1]
    rounds = of_event(event, situation.scene, first, first + YEARS)
    later = next((slot for slot in rounds if slot.start >= first), None)
    return f"{event.title}: {say_span(later.start, later.end, situation.now)}." if later else ""


def _day_told(event: Event, situation: Situation) -> date | None:
    """Return the day of the round that the last reply told, or told to be left out."""
    replied = situation.ask.recent[-1].replied.replace(event.title, "") if situation.ask.recent else ""
    told = [found.start for found in find_times(replied, situation.clock) if found.day_said and found.start]
    return told[0].date() if told else None


def _say_notes(query: Query, situation: Situation) -> list[str]:
    """Return the notes that share as many words with a question as the things named do."""
    telling = set(telling_words(query))
    named = max((len(telling.intersection(item.words)) for item in query.named), default=1)
    return [f"You noted: {text_of(item)}" for item in noted_about(query, named, situation)]


def lengths(query: Query, situation: Situation) -> list[str]:
    """Return how long the things named take, or how long it is between two of them."""
    events = [item for item in query.named if isinstance(item.record, Event)]
    if "between" in query.word_set and len(events) > 1:
        return _between(events[0], events[1], situation)
    told = _each(query, situation, _length)
    records = [item.record for item in query.named]
    known = any(isinstance(one, Event) or getattr(one, "time_to_complete", None) for one in records)
    return told if known else _say_notes(query, situation) or told


def _between(first: Item, second: Item, situation: Situation) -> list[str]:
    """Return how long it is from the end of one thing to the begin of the other."""
    times = sorted(slots[0] for item in (first, second) if (slots := _coming(item, situation)))
    if len(times) < 2 or times[1][0] < times[0][1]:  # noqa: PLR2004 - both of the two
        return [f"{first.title} and {second.title} overlap."] if len(times) > 1 else []
    minutes = round((times[1][0] - times[0][1]).total_seconds() / 60)
    return [f"There are {say_duration(minutes)} between {first.title} and {second.title}."]


def _coming(item: Item, situation: Situation) -> list[tuple[datetime, datetime]]:
    event = item.record
    slots = of_event(event, situation.scene, situation.now, situation.now + YEARS) if isinstance(event, Event) else []
    return [(slot.start, slot.end) for slot in slots]


def states(query: Query, situation: Situation) -> list[str]:
    """Return whether the things named are done, or when they are."""
    return _each(query, situation, _state)


def countdowns(query: Query, situation: Situation) -> list[str]:
    """Return how long it is until the things named, or until a day, counted from now."""
    if not query.named:
        return date_itself(query, situation)
    times = [(item, at) for item in query.named[:MOST_TOLD] if (at := _next_time(item, situation))]
    now = situation.now
    ahead = [(item, at) for item, at in times if at >= (now if isinstance(at, datetime) else now.date())] or times
    told = [_until(item.title, at, query, situation) for item, at in ahead]
    return told or details(query, situation)


def _each(query: Query, situation: Situation, say: Saying) -> list[str]:
    items = _rather(query.named)
    if "next" in query.word_set:
        ahead = [(str(at), item) for item in items if (at := _next_time(item, situation))]
        items = [min(ahead, key=lambda pair: pair[0])[1]] if ahead else items
    return [say(item, query, situation) for item in tell_apart(items[:MOST_TOLD], situation.now)]


def _rather(items: Sequence[Item]) -> list[Item]:
    """Return those still open where some are; notes only where nothing else has the name."""
    dated = [item for item in items if item.kind != "note"] or list(items)
    return [item for item in dated if getattr(item.record, "status", "") not in ("done", "archived")] or dated


def _when_where(item: Item, query: Query, situation: Situation) -> str:
    record = item.record
    if isinstance(record, Note):
        return f"You noted: {text_of(item)}"
    if isinstance(record, Event):
        slot = _slot(record, query, situation)
        start, end = (slot.start, slot.end) if slot and not slot.whole_day else (record.start, record.end)
        place = f", at {record.location}" if record.location else ""
        rhythm = f", {describe_rule(record.recurrence)}" if record.recurrence else ""
        return f"{item.title}: {say_span(start, end, situation.now)}{rhythm}{place}{_say_time_left(start, situation)}."
    if isinstance(record, ToDo) and record.status in ("done", "archived"):
        return _state(item, query, situation)
    due = getattr(record, "remind_at", None) or getattr(record, "deadline", None)
    late = say_missed(record, situation.now) if isinstance(record, ToDo) else ""
    level = f" It has {getattr(record, 'priority', None) or 'no'} priority."
    told = f"{item.title}: due {say_when(due, situation.now)}{late}." if due else f"{item.title} has no date."
    return told + (level if query.has("high", "low", "medium") else "")


def _slot(event: Event, query: Query, situation: Situation) -> Slot | None:
    """Return the occurrence of the time asked about, else the next one of a series."""
    ahead = (situation.now, situation.now + YEARS)
    spans = [asked_span(query, situation), ahead] if query.when else [ahead]
    found = [of_event(event, situation.scene, *span) for span in spans]
    return next((slots[0] for slots in found if slots), None) if query.when or event.recurrence else None


def _say_time_left(start: date | datetime, situation: Situation) -> str:
    """Return how long it is until something today."""
    if not isinstance(start, datetime) or not timedelta() < start - situation.now < timedelta(days=1):
        return ""
    return f", in {say_duration(round((start - situation.now).total_seconds() / 60))}"


def _length(item: Item, _query: Query, situation: Situation) -> str:
    record = item.record
    if isinstance(record, Event) and isinstance(record.start, datetime) and isinstance(record.end, datetime):
        minutes = round((record.end - record.start).total_seconds() / 60)
        return f"{item.title} takes {say_duration(minutes)}: {say_span(record.start, record.end, situation.now)}."
    known = getattr(record, "time_to_complete", None)
    return f"{item.title} takes about {say_duration(known)}." if known else f"{item.title} has no length."


def steps(query: Query, _situation: Situation) -> list[str]:
    """Return the steps of the tasks that are named; of what is left only those still to do."""
    tasks = [item.record for item in query.named[:MOST_TOLD] if isinstance(item.record, ToDo)]
    return [_say_left(task) if query.word_set & LEFT and task.done_steps else say_steps(task) for task in tasks]


def _say_left(task: ToDo) -> str:
    """Return the steps of a task that are not done."""
    left = [step for step in task.solutions if step not in task.done_steps]
    return (
        f"{quote(task.task)}: still to do: {'; '.join(left)}." if left else f"All steps of {quote(task.task)} are done."
    )


def _state(item: Item, query: Query, situation: Situation) -> str:
    record = item.record
    if not isinstance(record, ToDo):
        return _when_where(item, query, situation)
    if record.status == "archived":
        return f"{item.title} is put away."
    if record.status == "done":
        return f"{item.title} is done."
    left = [step for step in record.solutions if step not in record.done_steps]
    steps = f" Still to do: {say_list(left)}." if left and record.done_steps else ""
    due = f", due {say_when(record.deadline, situation.now)}" if record.deadline else ""
    begun = "in progress, not done yet" if record.status == "in progress" else "not done yet, still open"
    return f"{quote(item.title)} is {begun}{due}.{steps}"


def _next_time(item: Item, situation: Situation) -> datetime | date | None:
    record = item.record
    if isinstance(record, Event):
        slots = of_event(record, situation.scene, situation.now, situation.now + YEARS)
        coming = next((slot for slot in slots if slot.start > situation.now), None)
        return (coming.start.date() if coming.whole_day else coming.start) if coming else None
    due: datetime | date | None = getattr(record, "remind_at", None) or getattr(record, "deadline", None)
    return due


def _until(title: str, at: datetime | date, query: Query, situation: Situation) -> str:
    when = say_when(at, situation.now)
    if not isinstance(at, datetime) or query.word_set & {"days", "weeks"}:
        day = at.astimezone(situation.clock.zone).date() if isinstance(at, datetime) else at
        return f"{title} is in {say_count((day - situation.now.date()).days, 'day')}: {when}."
    return f"{title} is in {say_duration(round((at - situation.now).total_seconds() / 60))}: {when}."

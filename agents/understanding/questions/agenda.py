"""What is on: on a day, over several, next, and what overlaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice

from agents.dates_in_words import say_day, say_duration, say_when
from agents.index.items import Item
from agents.index.words import words_of
from agents.phrases import quote, say_count, say_list
from agents.records import Event, ToDo
from agents.rendering.agenda import Slot, coming_days, say_slot, say_slots, say_stretch
from agents.rendering.item_names import titles_of
from agents.understanding.matching import has_words
from agents.understanding.questions.days import Span, asked_span, is_week, last_day, say_days_on
from agents.understanding.questions.query import Query
from agents.understanding.series.occurrences import busy, has_round
from agents.understanding.situation import Situation
from agents.understanding.values.days import whole_days

YEAR = timedelta(days=366)
WEEK = timedelta(days=7)
ONE_DAY = timedelta(days=1, hours=1)
CLASH_DAYS, MOST_CLASHES = 14, 10
MOST_REPEATING = 100
"""So many recurring tasks are looked at for later rounds."""
NOTHING_SAID = frozenset(words_of("event appointment meeting calendar agenda plan birthday"))


def agenda(query: Query, situation: Situation) -> list[str]:
    """Return what stands on the calendar at the time asked about, and what is due then."""
    span = asked_span(query, situation)
    slots = [slot for slot in busy(situation.scene, *span) if slot.end > situation.now or span[1] <= situation.now]
    who = _topic(query, slots)
    slots = [slot for slot in slots if not who or _is_about(who, slot)]
    after = _after_week(span, who, situation) if is_week(query.when) else ""
    if query.when is None:
        return [_upcoming(slots, who, situation)]
    where = say_days_on(span, query, situation)
    if not slots:
        said = f" with {who}" if who else ""
        return [f"You have nothing{said} on your calendar {where}.{also_due(span, situation)}{after}"]
    if query.loose & {"first", "last"} and "things" not in query.word_set:
        end = "First" if "first" in query.loose else "Last"
        return [f"{end} {where}: {say_slot(slots[0 if end == 'First' else -1], situation.now, same_day=True)}."]
    listed = "; ".join(say_slots(slots, situation.now, same_day=span[1] - span[0] <= ONE_DAY))
    return [f"You have {say_count(len(slots), 'event')} {where}: {listed}.{also_due(span, situation)}{after}"]


def _topic(query: Query, slots: Sequence[Slot]) -> str:
    """Return the words that narrow the calendar down: those that stand in an event of that time."""
    beside = query.word_set & {"after", "before", "besides", "except", "else", "apart", "other"}
    words = query.about if not beside and set(words_of(query.about)) - NOTHING_SAID else ""
    return words if any(_is_about(words, slot) for slot in slots) or "with" in query.word_set else ""


def _upcoming(slots: Sequence[Slot], who: str, situation: Situation) -> str:
    ahead = [slot for slot in slots if slot.end > situation.now]
    if not ahead:
        said = f"nothing with {who}" if who else "nothing"
        return f"You have {said} on your calendar in the next 30 days."
    return f"Coming up: {'; '.join(say_slots(ahead, situation.now))}."


def _is_about(words: str, slot: Slot) -> bool:
    """Return whether all words of a name stand in an event's title or notes."""
    return has_words(f"{slot.event.title} {slot.event.notes or ''}", words)


def _after_week(span: Span, who: str, situation: Situation) -> str:
    """Return what comes in the days after a week that is nearly over."""
    coming = coming_days(span[0].date(), last_day(span[1]), situation.now.date())
    if coming is None:
        return ""
    since, until = whole_days(*coming, situation.scene)
    found = [slot for slot in busy(situation.scene, since, until) if slot.start >= since]
    listed = "; ".join(say_slots([slot for slot in found if not who or _is_about(who, slot)], situation.now))
    last = say_day(coming[1], situation.now)
    return f" After that, until {last}: {listed or 'nothing on your calendar'}.{also_due((since, until), situation)}"


def also_due(span: Span, situation: Situation) -> str:
    """Return open tasks and reminders of these days, by title."""
    days = span[0].date(), last_day(span[1])
    items = [item for item in situation.items("todo", "note").find_between(*days) if _is_awake(item)]
    due = [item for item in items if item.day and span[0].date() <= item.day <= last_day(span[1])]
    repeating = islice(filter(_is_awake, situation.items("todo").find_under("repeats")), MOST_REPEATING)
    ringing = [item for item in items if item not in due and _rings(item, span)]
    again = [item for item in repeating if item not in [*due, *ringing] and has_round(item.record, *span)]
    due += [item for item in again if getattr(item.record, "deadline", None)]
    ringing += [item for item in again if item not in due]
    titles = titles_of([*due, *ringing])
    said = f" Due: {say_list(titles[: len(due)])}." if due else ""
    return said + (f" Reminders: {say_list(titles[len(due) :])}." if ringing else "")


def _is_awake(item: Item) -> bool:
    return getattr(item.record, "status", "") in ("not started", "in progress", "active")


def _rings(item: Item, span: Span) -> bool:
    at = item.record.remind_at if isinstance(item.record, ToDo) else None
    return at is not None and span[0] <= at < span[1]


def coming_next(query: Query, situation: Situation) -> list[str]:
    """Return the next event, of those named if any are."""
    until = asked_span(query, situation)[1] if query.when else situation.now + YEAR
    ahead = [slot for slot in busy(situation.scene, situation.now, until) if slot.start > situation.now]
    named = {item.id for item in query.named if item.kind == "event"}
    ahead = [slot for slot in ahead if slot.event.id in named] or ahead
    if not ahead:
        return [f"You have nothing coming up on your calendar.{also_due(asked_span(query, situation), situation)}"]
    return [_next(ahead[0], situation)]


def next_soon(situation: Situation) -> list[str]:
    """Return the next event, if one begins within a week."""
    ahead = busy(situation.scene, situation.now, situation.now + WEEK)
    coming = next((slot for slot in ahead if slot.start > situation.now and not slot.whole_day), None)
    return [_next(coming, situation)] if coming else []


def _next(slot: Slot, situation: Situation) -> str:
    left = round((slot.start - situation.now).total_seconds() / 60)
    return f"Next is {say_slot(slot, situation.now)}, in {say_duration(left)}.{_say_what_rings_before(slot, situation)}"


def _say_what_rings_before(slot: Slot, situation: Situation) -> str:
    """Return the first reminder that comes before an event; empty where none does."""
    until = min(slot.start, situation.now + WEEK)
    days = situation.now.date(), last_day(until)
    items = situation.items("todo").find_between(*days)
    ringing = [item for item in items if _is_awake(item) and _rings(item, (situation.now, until))]
    at, name = min(((getattr(item.record, "remind_at", None), item.title) for item in ringing), default=(None, ""))
    return f" Before it I remind you of {quote(name)}, {say_when(at, situation.now)}." if at else ""


def hours_of_day(query: Query, situation: Situation) -> list[str]:
    """Return when what is on now, or is on next, begins and ends."""
    today = situation.now.date()
    span = asked_span(query, situation) if query.when else whole_days(today, today, situation.scene)
    slots = [slot for slot in busy(situation.scene, *span) if slot.end > situation.now]
    return ["; ".join(say_slots(slots, situation.now)) + "."] if slots else coming_next(query, situation)


def clashes(query: Query, situation: Situation) -> list[str]:
    """Return each pair of appointments that overlaps: with one that is named, else on the days asked about."""
    events = [item.record for item in query.named if isinstance(item.record, Event)]
    for event in events[:1]:
        if isinstance(event.start, datetime) and isinstance(event.end, datetime):
            return [_against(event, event.start, event.end, situation)]
    today = situation.now.date()
    near = whole_days(today, today + timedelta(days=CLASH_DAYS - 1), situation.scene)
    span = asked_span(query, situation) if query.when else near
    where = say_days_on(span, query, situation) if query.when else "in the next two weeks"
    pairs = list(islice(_pairs([slot for slot in busy(situation.scene, *span) if slot.event.busy]), MOST_CLASHES + 1))
    if not pairs:
        return [f"Nothing clashes {where}."]
    shown = pairs[:MOST_CLASHES]
    listed = "; ".join(f"{_name_slot(one, situation)} with {_name_slot(two, situation)}" for one, two in shown)
    count = say_count(len(pairs), "clash") if shown == pairs else f"More than {MOST_CLASHES} clashes"
    return [f"{count} {where}: {listed}."]


def _against(event: Event, start: datetime, end: datetime, situation: Situation) -> str:
    others = [one for one in busy(situation.scene, start, end) if one.event.id != event.id and one.event.busy]
    if not others:
        return f"No, nothing else is on then: {quote(event.title)} has that time to itself."
    return f"Yes, it overlaps with {say_list([_name_slot(slot, situation) for slot in others[:MOST_CLASHES]])}."


def _pairs(slots: Sequence[Slot]) -> Iterator[tuple[Slot, Slot]]:
    """Return those that overlap; they come by their starts, so only the next few can overlap one."""
    for place, one in enumerate(slots):
        for two in slots[place + 1 :]:
            if two.start >= one.end:
                break
            yield one, two


def _name_slot(slot: Slot, situation: Situation) -> str:
    return f"{quote(slot.event.title)} ({say_stretch(slot, situation.now)})"

"""Free time: whether a time is free, which stretches are, and the first times that something fits into."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from agents.contract import Option, Pending, Proposal
from agents.conventions import as_time
from agents.dates_in_words import WEEKDAYS, say_day, say_duration, say_span, say_spans
from agents.ledger.free_slots import clock_on_day, first_free_slots, gaps, merge_spans, working_spans
from agents.phrases import quote, say_either, say_list
from agents.records import Event, ToDo
from agents.recurrence.expand import OccurrenceSpan
from agents.rendering.agenda import say_slots
from agents.time import FoundTime
from agents.understanding.questions.days import asked_span, last_day, say_days_on
from agents.understanding.questions.query import Query
from agents.understanding.questions.vocabulary import GROUPS
from agents.understanding.series.occurrences import busy
from agents.understanding.share import Share, answer, ask
from agents.understanding.situation import Situation
from agents.understanding.values.days import PART_HOURS, days_of, label_of, part_of_day, span_of, whole_days
from agents.understanding.values.slots import without_article

MOST_OFFERED, MOST_STRETCHES = 3, 8
MIN_FREE_SPAN = timedelta(minutes=15)
USUAL_MINUTES, SHORTEST_MINUTES = 60, 30
DAY_BEGINS, NIGHT_HOURS = 7, 2
DAYS_AHEAD, NEXT_DAYS, MOST_DAYS = 7, 14, 56


def room(query: Query, situation: Situation) -> Share:
    """Return whether a time is free, when there is time, or an offer of times for something."""
    purpose = _purpose(query)
    if query.when and _is_at_clock(query.when) and not part_of_day(query.when):
        return answer(query.text, _is_free(query, situation))
    if purpose:
        return _offer(purpose, query, situation)
    if query.minutes:
        return answer(query.text, _first_free(query.minutes, query, situation))
    seeks = query.word_set & {"when", "which", "gap", "gaps", "slot", "slots", "find", "earliest"}
    tell = _stretches if query.when is None or _part_of_days(query) or seeks else _is_free
    return answer(query.text, tell(query, situation))


def _is_at_clock(when: FoundTime) -> bool:
    """Return whether one hour is said: a part of a day or a stretch of it leaves room to look for one."""
    return when.timed and when.kind == "point" and not any(part in when.text.lower() for part in PART_HOURS)


def _purpose(query: Query) -> str:
    """Return what time is wanted for, if it is said: a thing to do, and no gap or free day itself."""
    tasks = any(isinstance(item.record, ToDo) for item in query.named)
    words = query.purpose or (query.about if tasks else "")
    return "" if set(words.lower().split()) & NO_PURPOSE else without_article(words)


NO_PURPOSE = GROUPS["free"] | frozenset("weekend day evening hour hours morning afternoon week time off".split())


def _is_free(query: Query, situation: Situation) -> str:
    """Return whether nothing stands in the time asked about, and what does if something does."""
    start, end = asked_span(query, situation)
    taken = [one for one in busy(situation.scene, start, end) if one.event.busy]
    taken = [one for one in taken if one.end > situation.now or end <= situation.now]
    timed = query.when is not None and query.when.timed
    said = _on(say_span(start, end, situation.now)) if timed else say_days_on((start, end), query, situation)
    wants_busy = "busy" in query.word_set
    if not taken:
        return f"{'No' if wants_busy else 'Yes'}, you are free {said}."
    one_day = start.date() == last_day(end)
    listed = say_list(say_slots(taken, situation.now, same_day=one_day))
    return f"{'Yes' if wants_busy else 'Not quite'}: {said} you have {listed}."


def _hours(query: Query, situation: Situation) -> list[OccurrenceSpan]:
    event = next((item.record for item in query.named if isinstance(item.record, Event)), None)
    beside = query.word_set & {"before", "after"} if query.when is None else None
    if beside and event and isinstance(event.start, datetime) and isinstance(event.end, datetime):
        return [_beside(event.start, event.end, situation, before="before" in beside)]
    part = _part_of_days(query)
    if part:
        return [_hours_of(day, part, situation) for day in _days_asked(query, situation)]
    return _hours_said(query.when, situation)


def _hours_said(when: FoundTime | None, situation: Situation) -> list[OccurrenceSpan]:
    """Return the hours that were said, else working hours of the days said or of the coming two weeks."""
    zone, conventions = situation.clock.zone, situation.ask.conventions
    if when is None or when.moment is None:
        return list(working_spans(situation.now.date(), NEXT_DAYS, zone, conventions))
    if when.timed and when.start and when.end:
        return [OccurrenceSpan(when.start.astimezone(UTC), when.end.astimezone(UTC))]
    if any(part in when.text.lower() for part in PART_HOURS) and when.start:
        return [OccurrenceSpan(*(end.astimezone(UTC) for end in span_of(when, SHORTEST_MINUTES)))]
    first, last = days_of(when, situation.scene)
    days = min((last - first).days + 1, MOST_DAYS)
    every = conventions.model_copy(update={"working_days": tuple(map(str.lower, WEEKDAYS))})
    return list(working_spans(first, days, zone, conventions)) or list(working_spans(first, days, zone, every))


def _part_of_days(query: Query) -> tuple[int, int] | None:
    """Return the hours of the mornings or evenings that are asked about over several days."""
    single = query.when is not None and (query.when.timed or part_of_day(query.when))
    named = (hours for name, hours in PART_HOURS.items() if {name, f"{name}s"} & query.word_set)
    return None if single else next(named, None)


def _days_asked(query: Query, situation: Situation) -> list[date]:
    today = situation.now.date()
    ahead = today, today + timedelta(days=DAYS_AHEAD - 1)
    first, last = days_of(query.when, situation.scene) if query.when else ahead
    return [first + timedelta(days=at) for at in range(min((last - first).days + 1, MOST_DAYS))]


def _hours_of(day: date, hours: tuple[int, int], situation: Situation) -> OccurrenceSpan:
    midnight = whole_days(day, day, situation.scene)[0]
    return OccurrenceSpan(*(midnight.replace(hour=hour).astimezone(UTC) for hour in hours))


def _beside(start: datetime, end: datetime, situation: Situation, *, before: bool) -> OccurrenceSpan:
    """Return the time of that day before something, or the time after it."""
    first, last = whole_days(start.astimezone(situation.clock.zone).date(), end.date(), situation.scene)
    morning, night = first + timedelta(hours=DAY_BEGINS), last - timedelta(hours=NIGHT_HOURS)
    spans = (max(morning, situation.now), start) if before else (max(end, situation.now), max(night, end))
    return OccurrenceSpan(spans[0].astimezone(UTC), max(*spans).astimezone(UTC))


def _stretches(query: Query, situation: Situation) -> str:
    """Return all free stretches of the hours asked about, the coming ones."""
    within = _hours(query, situation)
    taken = merge_spans(_busy_spans(within, situation))
    now = situation.now.astimezone(UTC)
    left = [OccurrenceSpan(max(gap.start, now), gap.end) for hours in within for gap in gaps(hours, taken)]
    free = [gap for gap in left if gap.end - gap.start >= MIN_FREE_SPAN][:MOST_STRETCHES]
    if not free:
        return f"You have no free time {_days(query.when, situation)}."
    return f"You are free {_on(say_list(_spans(free, situation)))}."


def _on(said: str) -> str:
    """Return a day as when something is: "on Friday 20 November", but "tomorrow"."""
    return f"on {said}" if said[:1].isupper() else said


def _spans(spans: Sequence[OccurrenceSpan], situation: Situation) -> list[str]:
    return say_spans([(one.start, one.end) for one in spans], situation.now)


def _days(when: FoundTime | None, situation: Situation) -> str:
    if when is None or when.moment is None:
        return "in the next two weeks"
    first, last = (say_day(day, situation.now) for day in days_of(when, situation.scene))
    return first if first == last else f"from {first} to {last}"


def _busy_spans(within: Sequence[OccurrenceSpan], situation: Situation) -> list[OccurrenceSpan]:
    """Return what is taken between the first and the last of these hours."""
    slots = busy(situation.scene, within[0].start, within[-1].end) if within else []
    return [OccurrenceSpan(slot.start.astimezone(UTC), slot.end.astimezone(UTC)) for slot in slots if slot.event.busy]


def _openings(minutes: int, query: Query, situation: Situation) -> list[OccurrenceSpan]:
    within, now = _from_working_hours(_hours(query, situation), query, situation), situation.now.astimezone(UTC)
    return first_free_slots(_busy_spans(within, situation), timedelta(minutes=minutes), now, within, MOST_OFFERED)


def _from_working_hours(
    spans: Sequence[OccurrenceSpan], query: Query, situation: Situation
) -> Sequence[OccurrenceSpan]:
    """Return mornings from when work begins: nobody means six o'clock who asks for time "one morning"."""
    if _part_of_days(query) is None and not (query.when and (part_of_day(query.when) or query.when.stretch)):
        return spans
    zone, begin = situation.clock.zone, as_time(situation.ask.conventions.working_start)
    opened = [clock_on_day(span.start.astimezone(zone).date(), begin, zone) for span in spans]
    pairs = zip(spans, opened, strict=True)
    return [OccurrenceSpan(at, span.end) if span.start < at < span.end else span for span, at in pairs]


def _first_free(minutes: int, query: Query, situation: Situation) -> str:
    spans = _spans(_openings(minutes, query, situation), situation)
    length = say_duration(minutes)
    if not spans:
        return f"You have no free {length} {_days(query.when, situation)}."
    first, *others = spans
    more = f" After that: {say_either(others)}." if others else ""
    return f"You are free for {length} {_on(first)}.{more}"


def _offer(purpose: str, query: Query, situation: Situation) -> Share:
    """Return the first free times for something, as a question whose answer books it."""
    tasks = [item.record for item in query.named if isinstance(item.record, ToDo)]
    task = tasks[0] if len(tasks) == 1 else None
    minutes = query.minutes or (task.time_to_complete if task else None) or USUAL_MINUTES
    fields = {"title": task.task, "task_id": task.id} if task else {"title": purpose}
    draft = Proposal(op="create", kind="event", fields=fields, reason="you asked for room for it")
    free = _openings(minutes, query, situation)
    asked = _offer_text(quote(str(fields["title"])), _spans(free, situation), minutes)
    zone = situation.clock.zone
    labels = [label_of(one.start.astimezone(zone), one.end.astimezone(zone)) for one in free]
    options, said = [Option(label=label) for label in labels], situation.ask
    pending = Pending(missing="when", text=said.text, at=said.at, proposals=[draft], options=options)
    return ask(query.text, asked, pending, labels)


def _offer_text(name: str, spans: Sequence[str], minutes: int) -> str:
    if not spans:
        return f"I see no free {say_duration(minutes)} for {name} then. When shall I book it?"
    first, *others = spans
    later = f" Later: {say_either(others)}." if others else ""
    return f"{first[0].upper()}{first[1:]} is free for {name}.{later} Shall I book {'the first' if others else 'it'}?"

"""Answers from what is stored: exact titles, counts and times, and "none" when there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta

from agents.dates_in_words import say_day, say_duration, say_span, say_when
from agents.phrases import quoted, say_count, say_list
from agents.records import Event, Kind, ToDo
from agents.recurrence.missed import say_missed
from agents.rendering.agenda import MOST, Slot, coming_days, say_slot, say_slots
from agents.rendering.item_names import titles_of
from agents.time import Found
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, imported, series
from agents.understanding.items.occurrences import busy
from agents.understanding.items.sized import FOREMOST, LIMIT, extreme, foremost, limited
from agents.understanding.questions.topics import names_any, topics
from agents.understanding.references import Item, alike, apart, mentioned, words_of
from agents.understanding.requests.tasks import filled, hint_day, is_closed, is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.days import days_of, on_days, say_days, span_of, whole_days
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
Span = tuple[datetime, datetime]


def tasks(_intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Which tasks, and how many: by day, priority, state and words."""
    asked = clause.text if P.UNTIL.search(clause.text) else P.DUE.sub("", clause.text)
    slots = filled(P.RIGHT_NOW.sub("", asked), scene, clause)
    wanted, label = state_of(clause.text)
    found = [item for item in scene.items("todo") if wanted(item)]
    slots.priority = slots.priority or ("high" if P.PRIORITIES.search(clause.text) else None)
    if slots.priority and not FOREMOST.search(clause.text):
        found = [item for item in found if isinstance(item.record, ToDo) and item.record.priority == slots.priority]
        label = f"{slots.priority}-priority {label}"
    found, when = _due(found, slots.when, clause.text, scene)
    found, length = limited(found, slots.minutes, clause.text)
    found, when = foremost(extreme(found, clause.text), clause.text), when + length
    about, but = topics(LIMIT.sub(" ", slots.title) if length else slots.title)
    if about:
        found = [item for item in found if names_any(about, item)]
        when += f" about {quoted(' '.join(about))}"
    if but:
        found = [item for item in found if not names_any(but, item)]
        when += f" besides {quoted(' '.join(but))}"
    return answer(clause.text, tasks_sentence(found, label, when, scene))


def state_of(text: str) -> tuple[Callable[[Item], bool], str]:
    """Whether finished or open tasks are asked for: a test, and what such a task is called."""
    if P.DOING.search(text):
        return _is_begun, "task"
    if P.DID.search(text):
        return _is_done, "finished task"
    finished = re.search(r"\b(?:done|finished|completed)\b", text, re.IGNORECASE) and not re.search(
        r"\bnot (?:done|finished)\b|\b(?:get|be|getting|to be|gets) (?:done|finished|completed)\b", text, re.IGNORECASE
    )
    return (is_closed, "finished task") if finished else (is_open, "open task")


def _is_begun(item: Item) -> bool:
    return isinstance(item.record, ToDo) and item.record.status == "in progress"


def _is_done(item: Item) -> bool:
    return isinstance(item.record, ToDo) and item.record.status == "done"


def _due(found: Sequence[Item], when: Found | None, text: str, scene: Scene) -> tuple[list[Item], str]:
    today = scene.now.date()
    if re.search(r"\boverdue\b", text, re.IGNORECASE):
        return [item for item in found if item.day and item.day < today], " that are overdue"
    if when is None:
        return list(found), ""
    first, last = days_of(when, scene)
    if P.DID.search(text):
        done = [item for item in found if first <= item.record.updated_at.astimezone(scene.clock.zone).date() <= last]
        return done, f" {say_days(first, last, scene)}"
    coming = coming_days(first, last, today) if _is_week(when) else None
    last = coming[1] if coming else last
    return [item for item in found if item.day and first <= item.day <= last], f" due {say_days(first, last, scene)}"


def tasks_sentence(found: Sequence[Item], label: str, when: str, scene: Scene) -> str:
    """So many tasks of that kind, the soonest due first; ``when`` says what they have in common."""
    if not found:
        return f"You have no {label}s{when}."
    ordered = sorted(found, key=lambda item: (item.day or date.max, item.title))
    shown = [_task(item, scene) for item in apart(ordered[:MOST])]
    more = f" and {len(found) - MOST} more" if len(found) > MOST else ""
    when = when.replace(" that are ", " that is ") if len(found) == 1 else when
    return f"You have {say_count(len(found), label)}{when}: {'; '.join(shown)}{more}."


def _task(item: Item, scene: Scene) -> str:
    todo = item.record
    if not isinstance(todo, ToDo) or not todo.deadline:
        return item.title
    return f"{item.title} (due {say_when(todo.deadline, scene.now)}{say_missed(todo, scene.now)})"


def calendar(_intent: Intent, clause: Clause, scene: Scene) -> Share:
    """What is on, on a day or over several."""
    slots = filled(clause.text, scene, clause)
    first, last = _asked_span(slots.when, scene)
    shown = [slot for slot in busy(scene, first, last) if slot.end > scene.now or last <= scene.now]
    someone = P.WITH.search(slots.title)
    if someone:
        shown = [slot for slot in shown if _is_with(someone["who"], slot)]
    ends = (last - timedelta(microseconds=1)).date()
    after = _after(first.date(), ends, someone and someone["who"], scene) if _is_week(slots.when) else ""
    if someone and not shown:
        return answer(clause.text, f"You have nothing with {someone['who']} on your calendar.{after}")
    if slots.when is None:
        return answer(clause.text, _upcoming([slot for slot in shown if slot.end > scene.now], scene))
    label, due = _on(first.date(), ends, slots.when, scene), _also_due(first, last, scene) + after
    if not shown:
        return answer(clause.text, f"You have nothing on your calendar {label}.{due}")
    listed = "; ".join(say_slots(shown, scene.now, same_day=(last - first) <= timedelta(days=1, hours=1)))
    return answer(clause.text, f"You have {say_count(len(shown), 'event')} {label}: {listed}.{due}")


def _on(first: date, last: date, when: Found, scene: Scene) -> str:
    """The days that were asked about; on the last day of a week, today is what is left of it."""
    return on_days(last if _is_week(when) and last == scene.now.date() else first, last, scene)


def _is_week(when: Found | None) -> bool:
    return when is not None and when.grain == "week"


def _after(first: date, last: date, who: str | None, scene: Scene) -> str:
    """What comes in the days after a week that is nearly over."""
    coming = coming_days(first, last, scene.now.date())
    if coming is None:
        return ""
    since, until = whole_days(*coming, scene)
    slots = [slot for slot in busy(scene, since, until) if slot.start >= since and (not who or _is_with(who, slot))]
    listed = "; ".join(say_slots(slots, scene.now)) or "nothing on your calendar"
    return f" After that, until {say_day(coming[1], scene.now)}: {listed}.{_also_due(since, until, scene)}"


def _is_with(who: str, slot: Slot) -> bool:
    """Whether all words of a name stand in an event's title or notes."""
    have = words_of(f"{slot.event.title} {slot.event.notes or ''}")
    return all(any(alike(word, other) for other in have) for word in words_of(who))


def _asked_span(when: Found | None, scene: Scene) -> Span:
    if when is None or when.moment is None:
        return scene.now, scene.now + timedelta(days=30)
    if when.timed and when.start and when.end:
        return when.start, when.end
    return whole_days(*days_of(when, scene), scene)


def _upcoming(shown: Sequence[Slot], scene: Scene) -> str:
    if not shown:
        return "You have nothing on your calendar in the next 30 days."
    return f"Coming up: {'; '.join(say_slots(shown, scene.now))}."


def _also_due(first: datetime, last: datetime, scene: Scene) -> str:
    """Tasks and reminders of these days, by title."""
    open_ones = [item for item in scene.items("todo", "note") if is_open(item)]
    found = [item for item in open_ones if item.day and first.date() <= item.day < last.date()]
    later = [item for item in open_ones if item not in found and _rings(item, first, last)]
    titles = titles_of([*found, *later])
    due = f" Due: {say_list(titles[: len(found)])}." if found else ""
    return due + (f" Reminders: {say_list(titles[len(found) :])}." if later else "")


def _rings(item: Item, first: datetime, last: datetime) -> bool:
    at = item.record.remind_at if isinstance(item.record, ToDo) else None
    return at is not None and first <= at < last


def free(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Whether a span is free, and what stands there if not."""
    slots = filled(P.CLOCK_RANGE.sub(r"\1 to ", clause.text), scene, clause)
    when = slots.when or (filled(scene.told, scene, clause).when if scene.told else None)
    if when is None or when.moment is None:
        return calendar(intent, clause, scene)
    start, end = _asked_span(when, scene)
    if when.timed and not when.end:
        start, end = span_of(when, slots.minutes or 60)
    clash = [slot for slot in busy(scene, start, end) if slot.event.busy and (slot.end > scene.now or end <= scene.now)]
    said = (
        say_span(start, end, scene.now)
        if when.timed
        else _on(start.date(), (end - timedelta(microseconds=1)).date(), when, scene)
    )
    taken = P.BUSY.search(clause.text) is not None
    if not clash:
        return answer(clause.text, f"{'No' if taken else 'Yes'}, you are free {said}.")
    listed = "; ".join(say_slots(clash, scene.now))
    return answer(clause.text, f"{'Yes' if taken else 'Not quite'}: {said} you have {listed}.")


def when_is(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """When and where something is."""
    rest = intent.parts.get("rest", "")
    if "next" in clause.text.lower().split() and not _named(rest):
        return _next(clause, scene)
    phrase = re.sub(
        r"(?:\band\b|&)\s*where\b.*$|\b(?:starts?|begins?|leaves?|ends?|finish(?:es)?|over|due|on|again|is|happening)\s*$",
        "",
        re.sub(r"^(?:(?:the|my|our)\s+)?next\s+(?=[a-z])", "", rest, flags=re.IGNORECASE),
        flags=re.IGNORECASE,
    )
    phrase = P.NEXT.sub("", phrase)
    slots = filled(phrase, scene, clause)
    phrase = slots.title if slots.when and slots.title else phrase
    if P.BEING_THERE.fullmatch(phrase.strip()) and any(share.answers for share in scene.before):
        return Share(text=clause.text)  # when something is has just been told
    phrase = P.LAST_WORD.sub("", phrase).strip() or phrase
    of_us = phrase.strip().lower() in ("i", "we")
    phrase = "it" if of_us else phrase
    kinds: tuple[Kind, ...] = ("event",) if of_us else ("event", "todo")
    found = choose.search(phrase or "it", scene, kinds, is_open, hint_day(slots))
    found = found or series.next_of(clause.text, scene)
    if not found and phrase == "it" and scene.before:  # what the question before it asked about
        found = mentioned(" ".join(scene.before[-1].answers), scene.items("event", "todo"))
    if not found and slots.when and re.match(r"(?:when|what time)\b", clause.text, re.IGNORECASE):
        return calendar(intent, clause, scene)
    if not found:
        there = imported.elsewhere(phrase, scene)
        return answer(clause.text, f"{say_slot(there, scene.now)}.") if there else choose.none(phrase, scene)
    said = (
        _length if re.match(r"how (?:long (?:is|are|does|will|do)|much time)\b", clause.text, re.IGNORECASE) else _when
    )
    return answer(clause.text, *[said(item, scene) for item in apart(found[:5])])


def _length(item: Item, scene: Scene) -> str:
    record = item.record
    if isinstance(record, Event) and isinstance(record.start, datetime) and isinstance(record.end, datetime):
        minutes = round((record.end - record.start).total_seconds() / 60)
        return f"{item.title} takes {say_duration(minutes)}: {say_span(record.start, record.end, scene.now)}."
    known = getattr(record, "time_to_complete", None)
    return f"{item.title} takes about {say_duration(known)}." if known else f"{item.title} has no length."


def _named(rest: str) -> bool:
    return bool(set(words_of(rest)) - set(words_of("next event appointment meeting thing up what is my")))


def _next(clause: Clause, scene: Scene) -> Share:
    coming = [slot for slot in busy(scene, scene.now, scene.now + timedelta(days=366)) if slot.start > scene.now][:1]
    if not coming:
        return answer(clause.text, "You have nothing coming up on your calendar.")
    left = round((coming[0].start - scene.now).total_seconds() / 60)
    return answer(clause.text, f"Next is {say_slot(coming[0], scene.now)}, in {say_duration(left)}.")


def _left(start: date | datetime, scene: Scene) -> str:
    """How long until something today begins."""
    if not isinstance(start, datetime) or not timedelta() < start - scene.now < timedelta(days=1):
        return ""
    return f", in {say_duration(round((start - scene.now).total_seconds() / 60))}"


def _when(item: Item, scene: Scene) -> str:
    record = item.record
    if isinstance(record, Event):
        coming = [
            slot for slot in busy(scene, scene.now, scene.now + timedelta(days=366)) if slot.event.id == record.id
        ]
        start, end = (coming[0].start, coming[0].end) if coming and record.recurrence else (record.start, record.end)
        place = f", at {record.location}" if record.location else ""
        return f"{item.title}: {say_span(start, end, scene.now)}{place}{_left(start, scene)}."
    due = getattr(record, "remind_at", None) or getattr(record, "deadline", None)
    late = say_missed(record, scene.now) if isinstance(record, ToDo) else ""
    return f"{item.title}: due {say_when(due, scene.now)}{late}." if due else f"{item.title} has no date."

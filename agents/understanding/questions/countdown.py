"""How long until something: until its next occurrence, counted from now."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from agents.dates_in_words import say_duration, say_when
from agents.phrases import say_count
from agents.records import Event
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.items.occurrences import busy, of_event
from agents.understanding.references import Item, words_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
ANYTHING = words_of("next event appointment meeting thing up my calendar")
AHEAD = timedelta(days=800)
Coming = Sequence[tuple[str, datetime | date]]


def countdown(clause: Clause, scene: Scene) -> Share | None:
    """The answer to "how long until the dentist"; None when that is not asked, or nothing stored is meant."""
    match = P.UNTIL.match(clause.text.strip(" ?!."))
    if match is None:
        return None
    ahead = _next_of_all(scene) if set(words_of(match["what"])) <= set(ANYTHING) else _named(match["what"], scene)
    return answer(clause.text, *[_sentence(title, at, match["unit"], scene) for title, at in ahead]) if ahead else None


def _next_of_all(scene: Scene) -> Coming:
    slots = busy(scene, scene.now, scene.now + AHEAD)
    return [(slot.event.title, slot.start) for slot in slots if slot.start > scene.now][:1]


def _named(phrase: str, scene: Scene) -> Coming:
    found = choose.search(phrase, scene, ("event", "todo"), is_open, None)[:5] or series.next_of(phrase, scene)
    times = [(item.title, _coming(item, scene)) for item in found]
    return [(title, at) for title, at in times if at is not None]


def _coming(item: Item, scene: Scene) -> datetime | date | None:
    record = item.record
    if isinstance(record, Event):
        slots = of_event(record, scene, scene.now, scene.now + AHEAD)
        following = next((slot for slot in slots if slot.start > scene.now), None)
        return (following.start.date() if following.whole_day else following.start) if following else None
    due: datetime | date | None = getattr(record, "remind_at", None) or getattr(record, "deadline", None)
    return due


def _sentence(title: str, at: datetime | date, unit: str | None, scene: Scene) -> str:
    when = say_when(at, scene.now)
    if not isinstance(at, datetime) or unit in ("days", "weeks"):
        day = at.astimezone(scene.clock.zone).date() if isinstance(at, datetime) else at
        return f"{title} is in {say_count((day - scene.now.date()).days, 'day')}: {when}."
    return f"{title} is in {say_duration(round((at - scene.now).total_seconds() / 60))}: {when}."

"""A time as the user worded it and as a model worked it out: both agree, or code decides, or the user is asked.

Code reads the words within their clause ("dinner at 8" is 20:00). Where it reads nothing, the model's value counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.dates_in_words import say_when
from agents.grounding.worded import TIMES, Wish, moved_fields, stored_items, todo_time, words_of_user
from agents.languages import say, speaking
from agents.ports import Ask
from agents.recurrence.rules import is_rule
from agents.time import Found, find_times
from agents.understanding.references import Item
from agents.understanding.requests import events
from agents.understanding.requests.tasks import filled
from agents.understanding.scene import Scene, scene_of
from agents.understanding.slots.slots import Slots
from agents.understanding.text.clauses import Clause, split

APART = timedelta(hours=3, minutes=17)
"""How much later words are read once more: what moves with the clock counts from now."""
RULE = "FREQ="


@dataclass(frozen=True)
class Doubt:
    """Two readings of the time of one field, the code's and the model's."""

    field: str
    words: str
    read: str
    stated: str

    @property
    def text(self) -> str:
        """The question that shows both."""
        return say("Is “{words}” {read} or {stated}?", words=self.words, read=self.read, stated=self.stated)


def agreed(wish: Wish, ask: Ask, plain: Sequence[Proposal]) -> tuple[Wish, Doubt | None]:
    """The wish with each time as code and model agree on it; with a doubt where they do not.

    ``plain`` are the proposals that the built-in understanding reads in the same words.
    """
    scene, fields = scene_of(ask), dict(wish.fields)
    reading = _Reading(wish, ask, scene, plain)
    for name in TIMES.get(wish.kind, ()):
        if isinstance(fields.get(name), dict):
            found = reading.of(name, fields[name])
            if isinstance(found, Doubt):
                return wish, found
            fields[name] = found
    return replace(wish, fields=fields), None


@dataclass
class _Reading:
    """One wish and everything that its times may be read by."""

    wish: Wish
    ask: Ask
    scene: Scene
    plain: Sequence[Proposal]

    @property
    def item(self) -> Item | None:
        """The stored item that is changed."""
        return next((item for item in stored_items(self.ask) if item.id == self.wish.record_id), None)

    def of(self, name: str, time: Mapping[str, Any]) -> str | Slots | Doubt | None:
        """What goes into the field: the words, a reading of them, a doubt, or None to clear it."""
        words, value = _text(time.get("words")), _text(time.get("value"))
        if not value or not words or self._series() or (self.ask.english and not words_of_user(words, self.ask)):
            return words or value or None
        stated = _stated(value, self.scene)
        meant = self._fields(name, stated)
        if not meant:
            return words
        code = self._in_clause(words) or filled(words, self.scene, Clause(words))
        read = {} if self._from_now(name, words) else self._fields(name, code)
        return self._decided(name, words, (code, read), (stated, meant))

    def _decided(
        self, name: str, words: str, by_code: tuple[Slots, dict[str, Any]], by_model: tuple[Slots, dict[str, Any]]
    ) -> Slots | Doubt:
        (code, read), (stated, meant) = by_code, by_model
        if read and (_same(read, meant) or _plain_dates(read) or _by_convention(code)):
            return code
        if not read or any(_same(meant, proposal.fields) for proposal in self.plain if proposal.kind == self.wish.kind):
            return stated
        with speaking(self.ask.reply_language):
            return Doubt(name, words, self._said(read), self._said(meant))

    def _series(self) -> bool:
        """Whether a whole series may be meant, or one of it: its words are read elsewhere."""
        item = self.item
        return item is not None and item.kind == "event" and bool(getattr(item.record, "recurrence", None))

    def _fields(self, name: str, slots: Slots) -> dict[str, Any]:
        wish = self.wish
        if wish.op == "update":
            return moved_fields(name, slots, self.item, self.ask, self.scene)
        if wish.kind == "event":
            return events.when_fields(slots, str(wish.fields.get("title", "that"))) or {}
        return todo_time(name, slots, self.scene)

    def _in_clause(self, words: str) -> Slots | None:
        """The words as they are read within the clause that they stand in."""
        clauses = split(self.ask.text, self.scene.clock)
        clause = next((one for one in clauses if words.lower() in one.text.lower()), None)
        if clause is None:
            return None
        slots = filled(clause.text, self.scene, clause)
        begin = slots.text.lower().find(words.lower())
        slots.times = [time for time in slots.times if time.span[0] < begin + len(words) and begin < time.span[1]]
        return slots if slots.times and begin >= 0 else None

    def _from_now(self, name: str, words: str) -> bool:
        """Whether words that move a stored time are read as if they counted from now: "half an hour earlier"."""
        if self.item is None:
            return False
        later = scene_of(self.ask.model_copy(update={"at": self.ask.at + APART}))
        here, there = filled(words, self.scene, Clause(words)), filled(words, later, Clause(words))
        moved = (here.when, there.when)
        return all(moved) and _shift(*moved) == APART and bool(self._fields(name, here))

    def _said(self, fields: Mapping[str, Any]) -> str:
        when = next((value for name, value in fields.items() if name in MOMENTS and value), "")
        if not isinstance(when, str) or not when:
            return str(fields.get("recurrence") or "none")
        moment = datetime.fromisoformat(when) if "T" in when else date.fromisoformat(when)
        return say_when(moment, self.scene.now)


MOMENTS = ("start", "deadline", "remind_at", "snooze_until")


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _stated(value: str, scene: Scene) -> Slots:
    """A model's value: a day, an instant, a span or a rule."""
    if RULE in value:
        rule = value[value.index(RULE) :].strip()
        times = [Found(value, (0, 0), "set", start=scene.now, rrule=rule)] if is_rule(rule) else []
        return Slots(value, times=times)
    return Slots(value, times=[time for time in find_times(value, scene.clock) if time.day_said])


def _shift(here: Found | None, there: Found | None) -> timedelta | None:
    if here is None or there is None or here.moment is None or there.moment is None:
        return None
    return there.moment - here.moment


def _same(read: Mapping[str, Any], meant: Mapping[str, Any]) -> bool:
    """Whether two readings are at the same time; an end or a rule counts where both have one."""
    both = [name for name in (*MOMENTS, "recurrence") if read.get(name) and meant.get(name)]
    return bool(both) and all(_equal(name, read[name], meant[name]) for name in both)


def _equal(name: str, one: Any, other: Any) -> bool:
    if name == "recurrence":
        return _parts(one) == _parts(other)
    if "T" in one and "T" in other:
        return datetime.fromisoformat(one) == datetime.fromisoformat(other)
    return bool(one[: len("2026-11-20")] == other[: len("2026-11-20")])


def _parts(rule: str) -> set[str]:
    """The parts of a recurrence rule, without those that say nothing."""
    return {part for part in rule.upper().split(";") if part not in ("INTERVAL=1", "WKST=MO")}


def _by_convention(slots: Slots) -> bool:
    """Whether a time is what the user's conventions make of a part of the day, and no hour was said."""
    return slots.when is not None and bool(slots.when.assumptions) and not slots.when.ambiguous


def _plain_dates(read: Mapping[str, Any]) -> bool:
    """Whether code read days without a clock time."""
    moments = [str(read[name]) for name in MOMENTS if read.get(name)]
    return bool(moments) and not any("T" in moment for moment in moments)

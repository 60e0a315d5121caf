"""Times that count from a record, "an hour before the flight", "the day before at six"; and places that are its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.phrases import quote
from agents.reading.reading import Clause, Slot
from agents.reading.words import split_words
from agents.records import Event
from agents.time import FoundTime, find_times, merge_phrases, on_day
from agents.understanding.ground import is_pointing, one_named, pointed_at
from agents.understanding.series.occurrences import of_event
from agents.understanding.situation import Situation, day_of
from agents.understanding.slot_values import EDGES, NUMBERS, UNITS, blank_slots, seconds_in
from agents.understanding.values.moves import hour_of

BEFORE_WORDS = frozenset(("before", "beforehand", "ahead", "earlier", "prior"))
AFTER_WORDS = frozenset(("after", "afterwards", "afterward", "later", "following"))
HOURS = {"night": 20, "evening": 19, "morning": 9, "afternoon": 15}
DAYS = {"day": 1, "night": 1, "evening": 1, "morning": 1, "afternoon": 1, "week": 7, "fortnight": 14, "weekend": 7}
COUNTED = {*UNITS, *DAYS, "month"}
DAY_SECONDS = 86_400
THEN, BESIDE_THEN = frozenset("then there slot time".split()), frozenset("that in into at to for the".split())
PLACE_NOUNS = frozenset("place venue location spot room".split())
ANCHOR_HORIZON = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Distance:
    """How far from a record: seconds, days or months, before or after, at an hour that is said; and its name."""

    seconds: int
    days: int
    sign: int
    hour: str
    name: str
    months: int = 0


def count_from(words: str, name: str, situation: Situation, said: str = "") -> str:
    """Return words for the time that lies so far from a record, as a date and an hour; empty where none is meant.

    The record is the one that the words name, or else the one called ``name``, or else the one just spoken of. Where
    there is none, it lies so far from the last day that was ``said``.
    """
    distance = _distance(words, situation)
    if distance is None:
        known = _day_known(words, situation)
        return f"on {known:%Y-%m-%d}" if known else ""
    item = _anchor_before(situation) if not distance.name and not name else None
    item = item or _record(name if is_pointing(distance.name) and name else distance.name, situation)
    start = _start(item, situation) if item else None
    if not distance.name and (start is None or not situation.touched):
        start = _last_day(said, situation) or start
    start = start or _day_known(distance.name, situation)
    if start is None:
        return ""
    if distance.months:
        way = "before" if distance.sign < 0 else "after"
        return f"{distance.months} months {way} {start:%Y-%m-%d} {distance.hour}".strip()
    if distance.seconds and item is not None and hour_of(item, situation.scene) is None:
        return ""
    if distance.seconds:
        moment = start + distance.sign * timedelta(seconds=distance.seconds)
        return f"on {moment:%Y-%m-%d at %H:%M}"
    day: date = start.date() + distance.sign * timedelta(days=distance.days)
    return f"on {day:%Y-%m-%d} {distance.hour}".strip()


def _anchor_before(situation: Situation) -> Item | None:
    """Return the record from which the clause before counted: "3 days before the fair ... and a week before"."""
    before = situation.clauses[: situation.at][-1:]
    return anchor_of(before[0].words("w"), situation) if before else None


def _day_known(words: str, situation: Situation) -> datetime | None:
    """Return the day of which words name a fact about the user: "my birthday"."""
    known = situation.ask.records.profile
    said = set(words_of(words))
    named = [value for name, value in (known.facts if known else {}).items() if said and said <= set(words_of(name))]
    return _last_day(named[0], situation) if len(named) == 1 else None


def _last_day(said: str, situation: Situation) -> datetime | None:
    """Return the last day or instant that words say."""
    days = [found.start for found in find_times(said, situation.clock) if found.day_said and found.start]
    return days[-1] if days else None


def anchor_of(words: str, situation: Situation) -> Item | None:
    """Return the record that words count a time from, by its name: "an hour before the dentist"; None for none."""
    distance = _distance(words, situation)
    return _record(distance.name, situation) if distance and not is_pointing(distance.name) else None


def day_before_which(words: str, situation: Situation) -> date | None:
    """Return the day of the record before which something is to be done: "before the fair", "before then"."""
    first, _, rest = words.strip().partition(" ")
    name = "it" if rest.strip(EDGES) == "then" else rest.strip(EDGES)
    item = _record(name, situation) if first.lower() in BEFORE_WORDS and name else None
    start = _start(item, situation) if item else None
    return start.date() if start else None


def edge_of(name: str, situation: Situation, *, end: bool) -> str:
    """Return words for the moment when a record begins or ends, as a date and an hour; empty where none is meant."""
    item = _record(name, situation)
    start = _start(item, situation) if item else None
    if item is None or start is None or not isinstance(item.record, Event):
        return ""
    first, last = item.record.start, item.record.end
    if not isinstance(first, datetime) or not isinstance(last, datetime):
        return ""
    return f"on {start + (last - first if end else timedelta()):%Y-%m-%d at %H:%M}"


def is_counted(words: str, situation: Situation) -> bool:
    """Return whether words are a time that counts from something else, which has to be known."""
    return _distance(words, situation) is not None


def _distance(words: str, situation: Situation) -> Distance | None:
    """Return the distance that words say; None where they are no more than a time."""
    spans = split_words(words)
    said = [words[a:b].lower() for a, b in spans]
    at = next((n for n, word in enumerate(said) if n and word in BEFORE_WORDS | AFTER_WORDS), None)
    own = next((n for n, word in enumerate(said) if word == "of" and said[n - 1 : n] == ["day"]), None)
    if (at is None and own is None) or _is_time(words, situation):
        return None
    if at is None:
        name, clock = _split_off_clock(words[spans[own or 0][1] :], situation)
        hour = clock or next((f"at {HOURS[word]}:00" for word in said[:own] if word in HOURS), "")
        return Distance(0, 0, 0, hour, name) if name else None
    head, rest = said[:at], words[spans[at][1] :]
    unit = next((word.removesuffix("s") for word in reversed(head) if word.removesuffix("s") in COUNTED), "")
    if not unit:
        return None
    length = seconds_in(" ".join(head), situation) or 0
    count = next((NUMBERS[word] for word in head if word in NUMBERS), 1)
    name, clock = _split_off_clock(rest, situation)
    hour = clock or (f"at {HOURS[unit]}:00" if unit in HOURS else "")
    sign = -1 if said[at] in BEFORE_WORDS else 1
    if unit == "month":
        return Distance(0, 0, sign, hour, name.strip(EDGES), months=count)
    if unit not in DAYS:
        return Distance(length or UNITS[unit] * count, 0, sign, "", name.strip(EDGES))
    count = length // (DAYS[unit] * DAY_SECONDS) if length >= DAY_SECONDS else count
    return Distance(0, DAYS[unit] * count, sign, hour, name.strip())


def _split_off_clock(words: str, situation: Situation) -> tuple[str, str]:
    """Return words without a clock time in them, and this with "at"; empty where there is none."""
    clock = next((found for found in find_times(words, situation.clock) if found.timed and not found.day_said), None)
    if clock is None:
        return words.strip(EDGES), ""
    name = f"{words[: clock.span[0]]} {words[clock.span[1] :]}".strip(EDGES)
    return name, clock.text if clock.text.lower().startswith("at ") else f"at {clock.text}"


def _is_time(words: str, situation: Situation) -> bool:
    """Return whether the time library reads all of the words as one day: "the day before christmas"."""
    spans = [one.span for one in find_times(words, situation.clock) if one.day_said and one.kind != "duration"]
    return any(last - first >= len(words.strip()) - 1 for first, last in spans)


def _record(name: str, situation: Situation) -> Item | None:
    if name and not is_pointing(name):
        found = one_named(name, (), situation, ("event",)).items or one_named(name, (), situation, ("todo",)).items
    else:
        found = pointed_at("it", situation, ("event",)) or pointed_at("it", situation, ("todo",))
    return found[0] if len(found) == 1 else None


def on_that_day(words: str, situation: Situation) -> list[FoundTime]:
    """Return the times of words such as "that evening" on the day of what was just spoken of; none for any others."""
    about = pointed_at("it", situation, ("event", "todo")) if situation.clock.anchor is None else []
    day = day_of(about[-1], situation.clock) if about else None
    clock = replace(situation.clock, anchor=day)
    then = list(merge_phrases(find_times(words, clock), clock)) if day else []
    same = then == list(merge_phrases(find_times(words, situation.clock), situation.clock))
    return [] if same or is_counted(words, situation) else then


def asked_then(clause: Clause, situation: Situation, hours: Sequence[FoundTime] = ()) -> list[FoundTime]:
    """Return the time that the last message asked about, which "then" or "there" means where nothing was made since.

    It is known to be asked about where the reply tells of its day, on which the ``hours`` are that are said beside it.
    """
    waits = situation.pending is not None and not situation.pending.kept
    if not situation.ask.recent or waits or situation.touched or not _says_then(clause):
        return []
    said, reply = situation.ask.recent[-1].said, situation.ask.recent[-1].replied
    made = any(change.title.lower() in reply.lower() for change in situation.ask.recent_changes[-1:])
    times = merge_phrases(find_times(said, situation.clock), situation.clock)
    asked = [one for one in times if one.kind in ("point", "interval") and one.start]
    told = {one.start.date() for one in find_times(reply, situation.clock) if one.start}
    day = asked[0].start.date() if len(asked) == 1 and asked[0].start else None
    if made or day not in told or day is None or any(one.day_said or not one.timed for one in hours):
        return []
    return [on_day(one, day, situation.clock) for one in hours] if hours else asked


def _says_then(clause: Clause) -> bool:
    """Return whether a clause says "then" or "there" for its time: in its slot, or behind the name of what is meant."""
    words = tokens(clause.words("w"))
    if THEN & set(words):
        return set(words) <= THEN | BESIDE_THEN
    named = clause.all("t", "g")
    behind = tokens(blank_slots(clause)[named[0].end - clause.start :]) if named and clause.act != "todo" else []
    return bool({"then", "there"} & set(behind))


def with_known_place(clause: Clause, situation: Situation) -> tuple[Clause, str]:
    """Return a clause with the place of a record for "same place as choir"; and what is said where it has none."""
    same = next((slot for slot in clause.all("p", "g") if _is_same_place(slot, clause)), None)
    if same is None:
        return clause, ""
    name = (same.text if same.name == "g" else same.text.partition(" as ")[2]).strip(EDGES)
    item = _record(name, situation)
    place = item.record.location if item and isinstance(item.record, Event) else None
    known = replace(same, name="p", text=place or "")
    others = (slot for slot in clause.slots if slot.name != "p" or slot is same)
    told = quote(item.title if item else name or "that")
    told = "" if place else f"I know no place of {told}."
    return replace(clause, slots=tuple(known if slot is same else slot for slot in others)), told


def _is_same_place(slot: Slot, clause: Clause) -> bool:
    """Return whether a place is "the same place", or "same place as" stands before the name of a record."""
    before = tokens(slot.text if slot.name == "p" else clause.text[: slot.start - clause.start])
    said = [word for word in before if word not in ("the", "at")]
    said = said[:2] if slot.name == "p" else said[-3:-1] if said[-1:] == ["as"] else []
    return said[:1] == ["same"] and said[1:] != [] and said[1] in PLACE_NOUNS


def _start(item: Item, situation: Situation) -> datetime | None:
    """Return when a record begins next, in the speaker's zone; the midnight of a day that has no hour."""
    record, zone = item.record, situation.clock.zone
    if isinstance(record, Event):
        coming = of_event(record, situation.scene, situation.now, situation.now + ANCHOR_HORIZON)
        return coming[0].start.astimezone(zone) if coming else None
    due = getattr(record, "deadline", None) or getattr(record, "remind_at", None)
    if isinstance(due, datetime):
        return due.astimezone(zone)
    day = day_of(item, situation.clock)
    return datetime(day.year, day.month, day.day, tzinfo=zone) if day else None

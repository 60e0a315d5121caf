"""New values for one record: what the slots of a clause change about a task, an appointment or a note."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

from agents.fields import FIELDS
from agents.index.items import Item
from agents.index.words import tokens
from agents.reading.reading import Clause
from agents.records import FIELD_TYPES, NAMED_BY, Event, Note, ToDo
from agents.recurrence.days_of_month import CODES
from agents.recurrence.rules import next_after
from agents.time import FoundTime, on_day
from agents.timers import is_timer
from agents.understanding.changes.anchor import asked_then, count_from, on_that_day
from agents.understanding.scene import Scene
from agents.understanding.situation import Situation, day_of
from agents.understanding.slot_values import (
    EDGES,
    NOTHING_WORDS,
    levels_of,
    loose_words,
    minutes_of,
    read_times,
    shift_of,
    times_of,
    title_of,
)
from agents.understanding.values import forms
from agents.understanding.values.days import is_weekday
from agents.understanding.values.moves import dated_from, hour_of, move_fields, near, with_its_hour
from agents.understanding.values.slots import without_article

BEGUN_WORDS = frozenset("progress started start begun began underway halfway working".split())
TELLING_WHICH = frozenset(("overdue", "late"))
"""Words for a state that tell which records are meant, and are none that one gives them."""
ENDED_WORDS = frozenset("done finished complete completed ticked".split())
LONGER, SHORTER = frozenset(("extend", "longer", "lengthen")), frozenset(("shorten", "shorter", "cut", "trim"))
EMPTYING = NOTHING_WORDS | frozenset("stop stops isn't not longer off doesn't".split())
LEVELS = frozenset("high higher low lower medium urgent top p1 p2 p3 easy hard".split())
ENDING = frozenset("until till end ends ending finish finishes over".split())
WEEK = 7
PARTS_OF_NAMES = frozenset("for with about".split())
PARTING_NAMES = PARTS_OF_NAMES | frozenset("at in on to from by".split())
"""Words with which a part of a name begins."""
CALLING = frozenset("call called name named title titled".split())
REPLACING = CALLING | frozenset("swap switch exchange trade change replace rename".split())
SAME_TIME = re.compile(r"\b(?:at )?(?:the )?same time\b", re.IGNORECASE)
HOUR = re.compile(r"\d{1,2}(?:[:.]\d\d)?(?:am|pm)?|am|pm|noon|midnight")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
DAYS, END = re.compile(r"BYDAY=[^;]+"), re.compile(r";(?:UNTIL|COUNT)=[^;]+")
SAME_FIELDS = {
    **dict.fromkeys(("deadline", "day", "date", "time"), ("deadline", "remind_at", "snooze_until", "start", "end")),
    "priority": ("priority",), "place": ("location",), "length": ("time_to_complete",),
}  # fmt: skip
"""What "the same deadline" and such copy from the last change."""
DAY, NOON = len("2026-11-18"), 12
MOST_DIGITS = 3
ADDING = frozenset(("too", "also", "plus"))
"""Words beside days that add them to those of a series; so does "as well"."""


def new_values(clause: Clause, item: Item, situation: Situation) -> dict[str, Any]:
    """Return the fields of a record that a clause gives new values; empty if none of its slots has one for it."""
    gone = {} if times_of(clause, situation) or clause.all("sh", "n") else _find_emptied(clause, item)
    if gone:
        return gone
    record = item.record
    if count := _bare_minutes(clause, record):
        return {"remind_at": forms.instant(situation.now + timedelta(minutes=count))}
    fields = levels_of(clause, item.kind) | _times(clause, item, situation) | _name(clause, item)
    if clause.act == "fix" and "deadline" in fields and _was_put_off(item, situation) and not _tells_deadline(clause):
        fields["snooze_until"] = fields.pop("deadline")
    if isinstance(record, ToDo) and (status := status_of(clause)) and status != "done":
        fields["status"] = status
    if isinstance(record, Event) and (place := clause.words("p").strip(EDGES)):
        fields["location"] = place
    if isinstance(record, ToDo) and record.status == "done" and fields.get("remind_at"):
        fields.setdefault("status", "not started")  # it would not ring
    minutes = minutes_of(clause, situation)
    if minutes and isinstance(record, ToDo) and record.remind_at and (clause.act == "fix" or is_timer(vars(record))):
        fields["remind_at"] = forms.instant(situation.now + timedelta(minutes=minutes))
    elif minutes and isinstance(record, ToDo):
        fields["time_to_complete"] = minutes
    elif minutes and isinstance(record, Event):
        fields |= _ending(item, fields, minutes, situation)
    return fields or _same_again(clause, item, situation)


def _bare_minutes(clause: Clause, record: object) -> int:
    """Return the minutes of a timer that is corrected by a number alone, "make it 11"; 0 where none is."""
    words = clause.words("d", "w").strip(EDGES)
    fits = isinstance(record, ToDo) and is_timer(vars(record)) and clause.act in ("fix", "edit")
    return int(words) if fits and words.isdecimal() and len(words) <= MOST_DIGITS else 0


def _tells_deadline(clause: Clause) -> bool:
    """Return whether words say that a time is when something is due, not when it comes back."""
    return bool({"due", "by", "deadline", "before"} & {*tokens(clause.words("w", "g")), *loose_words(clause)})


def _was_put_off(item: Item, situation: Situation) -> bool:
    """Return whether the last turn put a thing off, so that another day is when it comes back."""
    return any(row.record_id == item.id and "snooze_until" in row.fields for row in situation.just_done())


def _find_emptied(clause: Clause, item: Item) -> dict[str, Any]:
    """Return the fields that a clause empties, "no deadline"; nothing where it says none, or gives a value."""
    said = {*tokens(clause.words("w", "pr", "p", "df", "d")), *loose_words(clause)}
    if not said & EMPTYING or said & LEVELS or any(word[0].isdigit() for word in said):
        return {}
    known = FIELD_TYPES[item.kind].model_fields
    wanted = [name for name, field in FIELDS.items() if name in known and said & set(field.nouns.split())]
    return {name: known[name].get_default() for name in wanted if getattr(item.record, name, None)}


def _same_again(clause: Clause, item: Item, situation: Situation) -> dict[str, Any]:
    """Return the values of the last change that a clause gives another record too: "same deadline for the forms"."""
    said = set(loose_words(clause))
    if "same" not in said:
        return {}
    last = situation.scene.proposals[-1:] or situation.just_done()[-1:]
    wanted = {name for noun, names in SAME_FIELDS.items() if noun in said for name in names}
    fields = {name: value for one in last if one.kind == item.kind for name, value in one.fields.items()}
    return {name: value for name, value in fields.items() if name in wanted}


def status_of(clause: Clause) -> str:
    """Return the status that a clause names; empty if it names none."""
    said = set(tokens(clause.words("st"))) - TELLING_WHICH
    if not said and not clause.all("w", "sh", "d", "pr", "df", "n", "p", "x"):
        said = set(loose_words(clause)) & {*BEGUN_WORDS, "not"} if BEGUN_WORDS & set(loose_words(clause)) else set()
    if said & {"not", "isn't"}:
        return "not started"
    if said & ENDED_WORDS:
        return "done"
    return "in progress" if said & BEGUN_WORDS else "not started" if said else ""


def _ending(item: Item, fields: dict[str, Any], minutes: int, situation: Situation) -> dict[str, Any]:
    """Return the end of an appointment that takes so long, from its new start if it has one."""
    start = fields.get("start")
    if isinstance(start, str) and len(start) > DAY:
        return {"end": forms.instant(datetime.fromisoformat(start) + timedelta(minutes=minutes))}
    return _lasting(item, minutes, situation.scene)


def _until(item: Item, when: FoundTime, scene: Scene) -> dict[str, str]:
    """Return the end of an event that goes on until a clock time, on the half of the day that comes after its start."""
    start, end = getattr(item.record, "start", None), when.end or when.start
    if not isinstance(start, datetime) or end is None or not when.timed:
        return {}
    local = start.astimezone(scene.clock.zone)
    moment = local.replace(hour=end.hour, minute=end.minute)
    moment = moment + timedelta(hours=NOON) if moment <= local and end.hour < NOON else moment
    return _lasting(item, round((moment - local).total_seconds() / 60), scene)


def _lasting(item: Item, minutes: int, scene: Scene) -> dict[str, str]:
    """Return the end of an event that takes so many minutes; nothing for what has no clock time."""
    event = item.record
    if minutes <= 0 or not isinstance(event, Event) or not isinstance(event.start, datetime):
        return {}
    said = [one.fields["start"] for one in scene.proposals if one.record_id == item.id and "start" in one.fields]
    start = datetime.fromisoformat(said[-1]) if said and len(said[-1]) > DAY else event.start
    end = start.astimezone(UTC) + timedelta(minutes=minutes)
    return {"end": forms.instant(end.astimezone(scene.clock.zone))}


def _times(clause: Clause, item: Item, situation: Situation) -> dict[str, Any]:
    record = item.record
    shift = shift_of(clause, situation)
    if shift is not None:
        longer = _change_length(clause, item, shift, situation)
        return longer or move_fields(item, shift, situation.scene)
    times = new_times(clause, item, situation)
    repeat = next((found for found in times if found.kind == "set" and found.rrule), None)
    if repeat is not None:
        return _as_series(item, repeat, times, clause, situation)
    places = [found for found in times if found.kind not in ("set", "duration")]
    if not places:
        return _without_time(record) if _takes_time_away(clause) else {}
    to, said_twice = places[-1], len({one.moment for one in places}) < len(places)
    if isinstance(record, Event) and to.kind in ("point", "open_before") and is_end(clause, to) and not said_twice:
        begin = move_fields(item, places[0], situation.scene) if len(places) > 1 else {}
        if to.timed:
            return begin | _until(item, to, situation.scene)
        if not isinstance(record.start, datetime):
            return begin | _last_day(record.start, begin.get("start", ""), to, clause)
    return move_fields(item, to, situation.scene)


def _last_day(old: date, begin: str, to: FoundTime, clause: Clause) -> dict[str, Any]:
    """Return the end of whole days; a weekday by itself is the first one from their beginning on."""
    first, last = date.fromisoformat(begin) if begin else old, forms.last_day(to)
    if last and is_weekday(clause.words("w")):
        last = first + timedelta(days=(last.weekday() - first.weekday()) % 7)
    return {"end": forms.day(last)} if last and last >= first else {}


def _as_series(
    item: Item, repeat: FoundTime, times: Sequence[FoundTime], clause: Clause, situation: Situation
) -> dict[str, Any]:
    """Return a record as a series: what repeats, from when on."""
    record = item.record
    if _adds(clause) and (more := with_more_days(item, repeat, situation)):
        return more
    if not isinstance(record, ToDo | Event):
        return {"recurrence": repeat.rrule} | _first_round(repeat, situation) if isinstance(record, Note) else {}
    hour = next((found for found in times if found.timed and found.kind == "point"), None)
    placed = repeat.timed or hour or "BY" in (repeat.rrule or "")
    first = _near(item, move_fields(item, hour or repeat, situation.scene), clause, situation) if placed else {}
    return first | {"recurrence": _on_its_days(repeat.rrule or "", record)}


def with_more_days(item: Item, repeat: FoundTime, situation: Situation) -> dict[str, Any]:
    """Return a weekly series on some more weekdays, at its own hour; empty where it is none.

    One that begins within a week begins on the first of all its days.
    """
    rule = _with_its_days(repeat.rrule or "", item.record)
    if not rule or repeat.start is None:
        return {}
    begins, today, first = day_of(item, situation.clock), situation.now.date(), repeat.start.date()
    soon = begins is not None and today < first < begins <= today + timedelta(days=WEEK) and not repeat.timed
    return {"recurrence": rule} | (move_fields(item, repeat, situation.scene) if soon else {})


def _first_round(repeat: FoundTime, situation: Situation) -> dict[str, Any]:
    """Return the day on which a note comes up first: one that begins today is for the next time."""
    first = repeat.start
    if first and first <= situation.now:
        first = next_after(repeat.rrule or "", first.replace(tzinfo=None), situation.now.replace(tzinfo=None))
    return {"deadline": forms.day(first)} if first else {}


def _near(item: Item, fields: dict[str, Any], clause: Clause, situation: Situation) -> dict[str, Any]:
    """Return new times of an appointment with a bare hour on the half of the day that lies nearer to the old one."""
    old, start = getattr(item.record, "start", None), fields.get("start", "")
    if not isinstance(old, datetime) or len(start) <= DAY:
        return fields
    new = datetime.fromisoformat(start)
    shift = near(old.astimezone(situation.clock.zone), new, clause.words("w")) - new
    return {name: forms.instant(datetime.fromisoformat(value) + shift) for name, value in fields.items()}


def _on_its_days(rule: str, record: ToDo | Event) -> str:
    """Return a rule with the weekdays of the one before, where it says only how often, and its end."""
    old = record.recurrence or ""
    days, end = DAYS.search(old), END.search(old)
    if days and "WEEKLY" in rule and "BYDAY" not in rule:
        rule = f"{rule};{days[0]}"
    return rule if end is None or END.search(rule) else f"{rule}{end[0]}"


def _adds(clause: Clause) -> bool:
    """Return whether the words beside a time say that it comes to those there are: "wednesdays too"."""
    slots, at = clause.all("w"), clause.start
    if not slots or clause.all("x"):
        return False
    before = tokens(clause.text[: slots[0].start - at])[-2:]
    behind = tokens(clause.text[slots[-1].start - at :])
    return bool(ADDING & {*before, *behind}) or ("as", "well") in pairwise(behind)


def _with_its_days(rule: str, record: object) -> str:
    """Return the rule of a weekly record with the days of another one added; empty where either has none."""
    own = getattr(record, "recurrence", None) or ""
    known, added = DAYS.search(own), DAYS.search(rule)
    if not known or not added or "WEEKLY" not in own or "WEEKLY" not in rule:
        return ""
    days = {*known[0].removeprefix("BYDAY=").split(","), *added[0].removeprefix("BYDAY=").split(",")}
    return DAYS.sub(f"BYDAY={','.join(code for code in CODES if code in days)}", own)


def is_end(clause: Clause, to: FoundTime) -> bool:
    """Return whether a time is when something ends."""
    return to.role == "until" or bool(ENDING & {*tokens(clause.words("w")), *loose_words(clause)})


def new_times(clause: Clause, item: Item, situation: Situation) -> list[FoundTime]:
    """Return the new times that a clause says; "the friday after" and "quarter past" count from the record's own."""
    same = {"same", "time"} <= set(tokens(clause.words("w")))
    times = times_of(clause, situation, *(("n",) if _is_hour(clause, item) else ("w",)))
    if same:  # the record's own hour, not the hour of now
        return read_times(SAME_TIME.sub(" ", clause.words("w")), situation.clock)
    counted = count_from(clause.words("w"), item.title, situation) if clause.all("w") else ""
    then = on_that_day(clause.words("w"), situation) if clause.all("w") and not counted else []
    if counted or then:
        return then or read_times(counted, situation.clock)
    slots = clause.all("w")
    said = " ".join(slot.text for slot in slots)
    words = with_its_hour(dated_from(item, said) if len(slots) == 1 else said, item, situation.scene)
    if words != said:
        return read_times(words, situation.clock)
    far = isinstance(item.record, Event) and item.day is not None and (item.day - situation.now.date()).days > WEEK
    if other_half := _other_half(clause, item, times, situation):
        return read_times(other_half, situation.clock)
    if (clause.act == "fix" or far) and len(times) == 1 and not times[0].timed:
        return [_nearest(times[0], item, clause, situation)]
    return times or asked_then(clause, situation)


def _other_half(clause: Clause, item: Item, times: Sequence[FoundTime], situation: Situation) -> str:
    """Return the hour of what was just made on the other half of its day, "no, in the morning"; empty for none."""
    old, made = hour_of(item, situation.scene), {row.record_id for row in situation.just_done()}
    if clause.act != "fix" or old is None or item.id not in made:
        return ""
    other = (old + timedelta(hours=NOON)).time()
    stretch = times[0].stretch if len(times) == 1 and not times[0].day_said else None
    within = stretch is not None and stretch[0].time() <= other < stretch[1].time()
    half = "am" if old.hour >= NOON else "pm"
    said = "".join(tokens(clause.words("w"))).replace(".", "")
    return f"at {other:%H:%M}" if within or said == half else ""


def _is_hour(clause: Clause, item: Item) -> bool:
    """Return whether the new value is an hour of what has one, and no name: "change the reminder to 10"."""
    said = tokens(clause.words("n"))
    timed = isinstance(item.record, Event) or bool(getattr(item.record, "remind_at", None))
    return timed and bool(said) and not clause.all("w", "x") and all(HOUR.fullmatch(word) for word in said)


def _nearest(found: FoundTime, item: Item, clause: Clause, situation: Situation) -> FoundTime:
    """Return a weekday that corrects another as the one nearest to it: "no, the sunday" of the 20th is the 21st."""
    old = day_of(item, situation.clock)
    if old is None or found.start is None or not is_weekday(clause.words("w")):
        return found
    ahead = (found.start.date().weekday() - old.weekday() + 3) % 7 - 3
    day = old + timedelta(days=ahead)
    return on_day(found, day, situation.clock) if day >= situation.now.date() else found


def _takes_time_away(clause: Clause) -> bool:
    """Return whether the time that a clause gives is none: "no deadline", "drop the date"."""
    loose = set(loose_words(clause))
    named = bool(loose & {"deadline", "date"}) and not clause.all("w")
    return bool(NOTHING_WORDS & set(tokens(clause.words("w")))) or (named and bool((NOTHING_WORDS | {"off"}) & loose))


def _without_time(record: object) -> dict[str, Any]:
    if isinstance(record, ToDo):
        return {"remind_at": None} if record.remind_at and not record.deadline else {"deadline": None}
    return {"deadline": None} if isinstance(record, Note) else {}


def _change_length(clause: Clause, item: Item, shift: timedelta, situation: Situation) -> dict[str, Any]:
    """Return the new end of an appointment that is made longer or shorter; empty where it is moved."""
    said = {*tokens(clause.words("sh")), *loose_words(clause)}
    event = item.record
    if not said & (LONGER | SHORTER) or not isinstance(event, Event):
        return {}
    if not isinstance(event.start, datetime) or not isinstance(event.end, datetime):
        return {}
    sign = -1 if said & SHORTER else 1
    length = event.end - event.start + sign * abs(shift)
    return _lasting(item, round(length.total_seconds() / 60), situation.scene)


def _name(clause: Clause, item: Item) -> dict[str, Any]:
    """Return a new name; words that stand in place of others change only those."""
    new = "" if _is_hour(clause, item) else title_of(clause, "n")
    old = without_article(clause.words("x").strip(EDGES))
    if not new:
        return {}
    record = item.record
    if isinstance(record, Note):
        return _reword_note(record, item, old, new)
    name = NAMED_BY[item.kind]
    if NUMBER.fullmatch(new) and len(NUMBER.findall(item.title)) == 1:
        return {name: NUMBER.sub(new, item.title)}
    if part := _part_said(clause):
        named = _with_part(item, *part, old)
        return {name: named} if named else {}
    named = _reword(item.title, old, new) if old else new
    return {name: new if named == item.title else named}


def _reword_note(note: Note, item: Item, old: str, new: str) -> dict[str, Any]:
    """Return a note with another number or other words in its text, or else another name."""
    if NUMBER.fullmatch(new) and len(NUMBER.findall(note.content)) == 1:
        return {"content": NUMBER.sub(new, note.content)}
    if old and old.lower() in note.content.lower():
        return {"content": _reword(note.content, old, new)}
    named = _reword(item.title, old, new) if old else new
    return {NAMED_BY.get(item.kind, "summary"): new if named == item.title else named}


def _reword(text: str, old: str, new: str) -> str:
    """Return a text with words in place of others."""
    return re.sub(re.escape(old), lambda _: new, text, flags=re.IGNORECASE)


def _part_said(clause: Clause) -> tuple[str, str] | None:
    """Return the preposition and the words of what is a part of a name, "for Milo"; None for a whole name."""
    slot, said = clause.all("n")[0], set(loose_words(clause))
    first, _, rest = slot.text.strip(EDGES).partition(" ")
    if first.lower() in PARTS_OF_NAMES and rest and not said & CALLING:
        return first.lower(), rest
    before = tokens(clause.text[: slot.start - clause.start])[-1:]
    return (before[0], slot.text.strip(EDGES)) if before in (["for"], ["with"]) and not said & REPLACING else None


def _with_part(item: Item, preposition: str, rest: str, old: str) -> str:
    """Return a title with what stands behind a preposition added, or in place of what stands there; "" where unclear.

    Words that are retracted are replaced by themselves; "pay for the coach" is for nobody.
    """
    words = item.title.split()
    if old and old.lower() in item.title.lower():
        behind = f"{preposition} {old}".lower() in item.title.lower()
        return _reword(item.title, old, rest if behind else f"{preposition} {rest}")
    at = next((n for n, word in enumerate(words) if n and word.lower() == preposition), len(words))
    end = next((n for n, word in enumerate(words) if n > at and word.lower() in PARTING_NAMES), len(words))
    if at == 1 and item.kind == "todo":
        return ""
    return " ".join([*words[:at], preposition, rest, *words[end:]])

"""Sentences about changes, made from ledger rows and from nothing else (P1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.colors import NAMES
from agents.contract import ALREADY, Change, Conflict
from agents.list_lines import gone, lines_in
from agents.phrases import WEEKDAYS, say_count, say_duration, say_either, say_list, say_on, say_when
from agents.policies.rules import rules_in
from agents.records import FIELD_TYPES, Kind, title_of
from agents.recurrence.describe import REPEATING, describe_rule
from agents.recurrence.rules import missed_rounds, parts_of
from agents.rendering.item_names import codes_of, titled
from agents.rendering.policies import describe_rules

NOUN: dict[Kind, str] = {kind: kind for kind in ("event", "note", "profile", "instruction")} | {"todo": "task"}
FAILED_VERB = {
    "create": "add",
    "update": "change",
    "complete": "complete",
    "archive": "archive",
    "delete": "delete",
    "undo": "undo",
}
FIELD_WORDS = {
    "time_to_complete": "estimate",
    "remind_at": "reminder",
    "snooze_until": "snoozed until",
    "recurrence": "repeats",
    "solutions": "steps",
    "done_steps": "steps done",
    "task": "name",
    "all_day": "all day",
    "start": "starts",
    "end": "ends",
}
MOST_TOLD = 12
"""Lines of a list that are named as gone."""
WEEKDAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WHEN_FIELDS = frozenset({"deadline", "remind_at", "snooze_until", "start", "end"})


def claim_sentence(change: Change, now: datetime) -> str:
    """What one row of the ledger amounts to, as a sentence; ``now`` is the turn's clock in the user's zone."""
    if change.status == "failed":
        return _failed(change, change.error or "")
    if change.status == "needs_confirmation":
        return f"“{change.title}” waits for your yes."
    return SENTENCES[change.op](change, now)


def told_apart(changes: Sequence[Change]) -> list[Change]:
    """The changes with titles that differ: items with the same title get their short ids appended.

    What was changed as one, as a series and the occurrence that leaves it, is one item.
    """
    others = [clash for change in changes for clash in change.conflicts if not clash.calendar]
    wholes = {change.together or change.id: change for change in reversed(changes)}.values()
    # A sentence says of what kind its item is, so only items of one kind can be taken for each other.
    named = [(change.record_id or change.id, f"{change.kind} {change.title}") for change in wholes]
    codes = codes_of([*named, *((clash.record_id, f"event {clash.title}") for clash in others)])
    return [_with_codes(change, codes) for change in changes] if codes else list(changes)


def _with_codes(change: Change, codes: Mapping[str, str]) -> Change:
    others = [
        clash.model_copy(update={"title": titled(clash.title, codes.get(clash.record_id, ""))})
        for clash in change.conflicts
    ]
    title = titled(change.title, codes.get(change.record_id or change.id, ""))
    return change.model_copy(update={"title": title, "conflicts": others})


def _failed(change: Change, error: str) -> str:
    if error.endswith(f" {ALREADY}"):
        return f"{error[:1].upper()}{error[1:]}, so I changed nothing."
    return f"I could not {FAILED_VERB[change.op]} “{change.title}”: {error}."


def _created(change: Change, now: datetime) -> str:
    return CREATED[change.kind](change, change.after or {}, now)


def _task_added(change: Change, after: dict[str, Any], now: datetime) -> str:
    if after["remind_at"]:
        return f"Set a reminder: “{change.title}”, {say_moment(after['remind_at'], now)}{_repeats(after)}."
    facts = _facts(after, now)
    facts += [f"about {say_duration(after['time_to_complete'])}"] if after["time_to_complete"] else []
    return f"Added “{change.title}” to your tasks{''.join(', ' + fact for fact in facts)}{_repeats(after)}."


def _event_booked(change: Change, after: dict[str, Any], now: datetime) -> str:
    place = f", at {after['location']}" if after["location"] else ""
    return (
        f"Booked “{change.title}” for {say_event_span(after, now)}{place}{_repeats(after)}.{say_conflicts(change, now)}"
    )


def _note_kept(change: Change, after: dict[str, Any], now: datetime) -> str:
    facts = f"{''.join(', ' + fact for fact in _facts(after, now))}{_repeats(after)}"
    if after["category"] == "list":
        items = say_list([item["text"] for item in after["items"]])
        return f"Started the list “{change.title}”{f' with {items}' if items else ''}{facts}."
    return f"Kept as {_article(after['category'])}: “{change.title}”{facts}."


def _facts(after: dict[str, Any], now: datetime) -> list[str]:
    """When something is due and how urgent it is, where that was said."""
    facts = [f"due {say_moment(after['deadline'], now)}"] if after.get("deadline") else []
    return [*facts, f"{after['priority']} priority"] if after.get("priority") else facts


def _profile_kept(change: Change, _after: dict[str, Any], now: datetime) -> str:
    old, new = (change.before or {}).get("facts", {}), change.fields.get("facts") or {}
    facts = [f"{name} {value}" for name, value in new.items() if old.get(name) != value]
    facts += [f"{name} cleared" for name in old if "facts" in change.fields and name not in new]
    rest = {name: value for name, value in change.fields.items() if name not in ("facts", "since")}
    told = [*facts, *([_values(change.model_copy(update={"fields": rest}), now)] if rest else [])]
    return f"Noted about you: {'; '.join([*told, *_stated(change, now)])}."


def _stated(change: Change, now: datetime) -> list[str]:
    """From when on facts hold, where that was said now."""
    old, new = (change.before or {}).get("since", {}), change.fields.get("since") or {}
    return [f"{name} since {say_moment(day, now)}" for name, day in new.items() if old.get(name) != day]


def _wish_kept(change: Change, after: dict[str, Any], _now: datetime) -> str:
    return f"Saved your standing instruction: “{change.title}”. {_enforced(after)}"


def _enforced(instruction: dict[str, Any]) -> str:
    """Whether code obeys an instruction, and what it does; the rest is advice."""
    rules = rules_in(instruction.get("policy"))
    if rules:
        return f"From now on {describe_rules(rules)}."
    return "I keep it as advice: I have no rule that enforces it."


def _updated(change: Change, now: datetime) -> str:
    if change.kind == "profile":
        return _profile_kept(change, {}, now)
    if change.kind == "instruction":
        return f"Changed your standing instruction to “{change.title}”. {_enforced(change.after or {})}"
    if change.kind == "event" and (told := _event_changed(change, now)):
        return told
    return _one_field(change) or f"Changed “{change.title}”: {_values(change, now)}.{say_conflicts(change, now)}"


def _one_field(change: Change) -> str:
    """A change that has a word of its own: renamed, reopened, another line on a list; empty for any other."""
    fields, before = set(change.fields), change.before or {}
    if fields == {"title"} or (change.kind == "todo" and fields == {"task"}):
        return f"Renamed “{title_of(change.kind, before)}” to “{change.title}”."
    if change.kind == "todo" and fields == {"status"} and before.get("status") in ("done", "archived"):
        return f"Reopened “{change.title}”."
    if change.kind == "note" and fields == {"items"}:
        off = lines_off(change)
        return f"“{change.title}” now has {_items(change.fields['items'])}{f'; {off}' if off else ''}."
    return ""


def _event_changed(change: Change, now: datetime) -> str:
    """A change of an event's time, days or colour; empty for any other."""
    if {"start", "end"} & set(change.fields):
        when = _series_times(change, now) or say_event_span(change.after or {}, now)
        place = f", at {change.fields['location']}" if change.fields.get("location") else ""
        return f"{_shifted(change)} {when}{place}.{say_conflicts(change, now)}"
    if set(change.fields) == {"exdates"}:
        return _left_out(change, now)
    if set(change.fields) == {"recurrence"} and (last := _last_day(change)):
        return f"“{change.title}” takes place until {say_when(last, now)}; that is the end of the series."
    if set(change.fields) == {"color"}:
        return f"“{change.title}” is {NAMES.get(change.fields['color'], change.fields['color'])} on your calendar now."
    return ""


def _last_day(change: Change) -> date | None:
    """The day on which a series ends now, where nothing else of it has changed."""
    old, new = (parts_of((record or {}).get("recurrence") or "") for record in (change.before, change.after))
    last = new.get("UNTIL", "")
    return date.fromisoformat(last[:8]) if last and {**old, "UNTIL": last} == new else None


def _shifted(change: Change) -> str:
    """What became of an event's time: one that begins as before is longer or shorter, not moved."""
    before, after = change.before or {}, change.after or {}
    if before.get("start") == after.get("start"):
        return f"Changed the length of “{change.title}”:"
    return f"Moved “{change.title}” to"


def _series_times(change: Change, now: datetime) -> str:
    """When a series takes place after a change, by its weekdays and hours; empty for anything else."""
    after = change.after or {}
    if not after.get("recurrence"):
        return ""
    start, end = _parsed(after["start"], now), _parsed(after["end"], now)
    said = parts_of(after["recurrence"]).get("BYDAY", "") if "recurrence" in change.fields else ""
    days = say_list([f"{WEEKDAYS[WEEKDAY_CODES.index(code)]}s" for code in said.split(",") if code in WEEKDAY_CODES])
    hours = f"{start:%H:%M}-{end:%H:%M}" if isinstance(start, datetime) else ""
    when = " at ".join(part for part in (days, hours) if part)
    return when and f"{when}, each time"


def _left_out(change: Change, now: datetime) -> str:
    """Which occurrences a series loses, or takes back."""
    old, new = (change.before or {}).get("exdates", []), change.fields["exdates"]
    out = say_list([say_on(_parsed(value, now), now) for value in new if value not in old])
    back = say_list([say_on(_parsed(value, now), now) for value in old if value not in new])
    if out and change.together:  # the next row says what became of it
        return f"Took “{change.title}” {out} out of its series.{say_conflicts(change, now)}"
    lost = [f"“{change.title}” is cancelled {out}; the series goes on"] if out else []
    again = [f"“{change.title}” takes place again {back}"] if back else []
    return f"{'; '.join([*lost, *again])}.{say_conflicts(change, now)}"


def _completed(change: Change, now: datetime) -> str:
    name = next((name for name in ("deadline", "remind_at") if change.fields.get(name)), None)
    if name is None or not (change.after or {}).get("recurrence"):
        return f"Marked “{change.title}” as done."
    next_time = f"Marked “{change.title}” as done for this time; next {say_moment(change.fields[name], now)}."
    return f"{next_time}{_missed(change, name, now)}"


def _missed(change: Change, name: str, now: datetime) -> str:
    """Name the occurrences missed between the due one and now, as rolling forward skips them."""
    due = (change.before or {}).get(name)
    if not due:
        return ""
    count = missed_rounds(change.before or {}, due, now)
    return (
        f" {say_count(count, 'time').capitalize()} in between {'was' if count == 1 else 'were'} missed."
        if count
        else ""
    )


def _archived(change: Change, _now: datetime) -> str:
    return f"Archived “{change.title}”."


def _deleted(change: Change, _now: datetime) -> str:
    kind = "reminder" if (change.before or {}).get("kind") == "reminder" else NOUN[change.kind]
    return f"Deleted the {kind} “{change.title}”."


def _undone(change: Change, now: datetime) -> str:
    if change.after is None:
        return f"Undone: the {NOUN[change.kind]} “{change.title}” is gone again."
    return f"Undone: “{change.title}” is back as it was.{say_conflicts(change, now)}"


SENTENCES: dict[str, Callable[[Change, datetime], str]] = {
    "create": _created,
    "update": _updated,
    "complete": _completed,
    "archive": _archived,
    "delete": _deleted,
    "undo": _undone,
}
CREATED: dict[Kind, Callable[[Change, dict[str, Any], datetime], str]] = {
    "todo": _task_added,
    "event": _event_booked,
    "note": _note_kept,
    "profile": _profile_kept,
    "instruction": _wish_kept,
}


def say_moment(value: str, now: datetime) -> str:
    """A day or an instant in JSON form, in words."""
    return say_when(_parsed(value, now), now)


def _parsed(value: str, now: datetime) -> date:
    if len(value) == len("2026-11-18"):
        return date.fromisoformat(value)
    zone = now.tzinfo or ZoneInfo("UTC")
    return datetime.fromisoformat(value).astimezone(zone)


def say_event_span(event: dict[str, Any], now: datetime) -> str:
    """From when to when an event lasts, in words; ``start`` and ``end`` are in JSON form."""
    start, end = _parsed(event["start"], now), _parsed(event["end"], now)
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return say_when(start, now) if start == end else f"{say_when(start, now)} to {say_when(end, now)}"
    if start.date() == end.date():
        return f"{say_when(start, now)}-{end:%H:%M}"
    return f"{say_when(start, now)} to {say_when(end, now)}"


def _repeats(record: dict[str, Any]) -> str:
    return f" ({describe_rule(record['recurrence'])})" if record.get("recurrence") else ""


def say_conflicts(change: Change, now: datetime) -> str:
    """What an event overlaps with and where there is room instead, as sentences with a space before; empty for none."""
    if not change.conflicts:
        return ""
    others = [f"“{clash.title}” ({_when(clash, now)}{_origin(clash)})" for clash in change.conflicts]
    wanted_back = change.op == "undo"
    room = [] if wanted_back else [say_event_span(free.model_dump(), now) for free in change.alternatives]
    return f" It overlaps with {say_list(others)}.{f' Free instead: {say_either(room)}.' if room else ''}"


def _when(clash: Conflict, now: datetime) -> str:
    days = not isinstance(_parsed(clash.start, now), datetime)
    return f"{say_event_span(clash.model_dump(), now)}{', all day' if days else ''}"


def _origin(clash: Conflict) -> str:
    return f", from {clash.calendar}" if clash.calendar else ""


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _items(items: list[dict[str, Any]]) -> str:
    return say_list([f"{item['text']} (done)" if item["done"] else item["text"] for item in items]) or "no items"


def lines_off(change: Change) -> str:
    """Which lines a list loses, or would lose; empty for none."""
    lines = [line["text"] for line in gone(lines_in(change.before), lines_in(change.fields))]
    if len(lines) > MOST_TOLD:
        lines = [*lines[:MOST_TOLD], f"{len(lines) - MOST_TOLD} more"]
    return f"{say_list(lines)} {'is' if len(lines) == 1 else 'are'} off it" if lines else ""


def _values(change: Change, now: datetime) -> str:
    # In the order of the model: a database gives the keys back in an order of its own.
    fields = {name: change.fields[name] for name in FIELD_TYPES[change.kind].model_fields if name in change.fields}
    return "; ".join(f"{FIELD_WORDS.get(name, name)} {_value(name, value, now)}" for name, value in fields.items())


def _value(name: str, value: Any, now: datetime) -> str:
    if value is None or value in ("", []):
        return "cleared"
    if name in WHEN_FIELDS:
        return say_moment(value, now)
    if name == "recurrence":
        return said if (said := describe_rule(value)) != REPEATING else "from now on"
    if name == "time_to_complete":
        return say_duration(value)
    if isinstance(value, dict):
        return say_list([f"{key}: {item}" for key, item in value.items()])
    return say_list([str(item) for item in value]) if isinstance(value, list) else f"“{value}”"

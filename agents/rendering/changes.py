"""Sentences about changes, made from ledger rows and from nothing else (P1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from agents.colors import NAMES
from agents.contract import ALREADY, Change, Conflict
from agents.dates_in_words import say_duration, say_on, say_when
from agents.languages import deferred, retold, say, say_number, weekday_name
from agents.list_lines import gone, lines_in
from agents.phrases import say_either, say_list
from agents.policies.rules import rules_in
from agents.records import FIELD_TYPES, Kind, title_of
from agents.recurrence.describe import REPEATING, describe_rule
from agents.recurrence.rules import missed_rounds, parts_of
from agents.rendering.item_names import codes_of, titled
from agents.rendering.policies import describe_rules

FAILED = {
    "create": deferred("I could not add “{title}”: {error}."),
    "update": deferred("I could not change “{title}”: {error}."),
    "complete": deferred("I could not complete “{title}”: {error}."),
    "archive": deferred("I could not archive “{title}”: {error}."),
    "delete": deferred("I could not delete “{title}”: {error}."),
    "undo": deferred("I could not undo “{title}”: {error}."),
}
DELETED = {
    "reminder": deferred("Deleted the reminder “{title}”."),
    "todo": deferred("Deleted the task “{title}”."),
    "event": deferred("Deleted the event “{title}”."),
    "note": deferred("Deleted the note “{title}”."),
    "profile": deferred("Deleted the profile “{title}”."),
    "instruction": deferred("Deleted the instruction “{title}”."),
    "memo": deferred("Deleted the memo “{title}”."),
}
GONE_AGAIN: dict[Kind, str] = {
    "todo": deferred("Undone: the task “{title}” is gone again."),
    "event": deferred("Undone: the event “{title}” is gone again."),
    "note": deferred("Undone: the note “{title}” is gone again."),
    "profile": deferred("Undone: the profile “{title}” is gone again."),
    "instruction": deferred("Undone: the instruction “{title}” is gone again."),
    "memo": deferred("Undone: the memo “{title}” is gone again."),
}
FIELD_WORDS = {
    "time_to_complete": deferred("estimate"),
    "remind_at": deferred("reminder"),
    "snooze_until": deferred("snoozed until"),
    "recurrence": deferred("repeats"),
    "solutions": deferred("steps"),
    "done_steps": deferred("steps done"),
    "task": deferred("name"),
    "all_day": deferred("all day"),
    "start": deferred("starts"),
    "end": deferred("ends"),
    "deadline": deferred("deadline"),
    "priority": deferred("priority"),
    "list": deferred("list"),
    "tags": deferred("tags"),
    "status": deferred("status"),
    "title": deferred("title"),
    "location": deferred("location"),
    "notes": deferred("notes"),
    "content": deferred("content"),
    "summary": deferred("summary"),
    "category": deferred("category"),
    "items": deferred("items"),
    "color": deferred("color"),
    "kind": deferred("kind"),
    "job": deferred("job"),
    "college": deferred("college"),
    "course": deferred("course"),
    "interests": deferred("interests"),
    "difficulty": deferred("difficulty"),
    "exdates": deferred("skipped days"),
    "busy": deferred("busy"),
}
PRIORITIES = {
    "high": deferred("high priority"),
    "medium": deferred("medium priority"),
    "low": deferred("low priority"),
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
        return say("“{title}” waits for your yes.", title=change.title)
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
    reason = retold(error)
    if error.endswith(f" {ALREADY}"):
        return say("{reason}, so I changed nothing.", reason=f"{reason[:1].upper()}{reason[1:]}")
    return say(FAILED[change.op], title=change.title, error=reason)


def _created(change: Change, now: datetime) -> str:
    return CREATED[change.kind](change, change.after or {}, now)


def _task_added(change: Change, after: dict[str, Any], now: datetime) -> str:
    if after["remind_at"]:
        when = f"{say_moment(after['remind_at'], now)}{_repeats(after)}"
        return say("Set a reminder: “{title}”, {when}.", title=change.title, when=when)
    facts = _facts(after, now)
    length = after["time_to_complete"]
    facts += [say("about {length}", length=say_duration(length))] if length else []
    return say("Added “{title}” to your tasks{facts}.", title=change.title, facts=_behind(facts, after))


def _event_booked(change: Change, after: dict[str, Any], now: datetime) -> str:
    when = f"{say_event_span(after, now)}{_place(after)}{_repeats(after)}"
    return say("Booked “{title}” for {when}.", title=change.title, when=when) + say_conflicts(change, now)


def _place(event: dict[str, Any]) -> str:
    return say(", at {place}", place=event["location"]) if event.get("location") else ""


def _note_kept(change: Change, after: dict[str, Any], now: datetime) -> str:
    facts = _behind(_facts(after, now), after)
    if after["category"] == "list":
        items = say_list([item["text"] for item in after["items"]])
        if items:
            return say("Started the list “{title}” with {items}{facts}.", title=change.title, items=items, facts=facts)
        return say("Started the list “{title}”{facts}.", title=change.title, facts=facts)
    return say(KEPT[after["category"]], title=change.title, facts=facts)


def _behind(facts: Sequence[str], after: dict[str, Any]) -> str:
    """Facts as they stand behind a title, and how it repeats."""
    return f"{''.join(', ' + fact for fact in facts)}{_repeats(after)}"


def _facts(after: dict[str, Any], now: datetime) -> list[str]:
    """When something is due and how urgent it is, where that was said."""
    facts = [say("due {when}", when=say_moment(after["deadline"], now))] if after.get("deadline") else []
    priority = after.get("priority")
    return [*facts, say(PRIORITIES[priority])] if priority else facts


def _memo_kept(change: Change, _after: dict[str, Any], _now: datetime) -> str:
    return say("Kept the memo “{title}”.", title=change.title)


def _profile_kept(change: Change, _after: dict[str, Any], now: datetime) -> str:
    old, new = (change.before or {}).get("facts", {}), change.fields.get("facts") or {}
    facts = [f"{name} {value}" for name, value in new.items() if old.get(name) != value]
    facts += [say("{name} cleared", name=name) for name in old if "facts" in change.fields and name not in new]
    rest = {name: value for name, value in change.fields.items() if name not in ("facts", "since")}
    told = [*facts, *([say_values(change.model_copy(update={"fields": rest}), now)] if rest else [])]
    return say("Noted about you: {facts}.", facts="; ".join([*told, *_stated(change, now)]))


def _stated(change: Change, now: datetime) -> list[str]:
    """From when on facts hold, where that was said now."""
    old, new = (change.before or {}).get("since", {}), change.fields.get("since") or {}
    changed = [(name, day) for name, day in new.items() if old.get(name) != day]
    return [say("{name} since {day}", name=name, day=say_moment(day, now)) for name, day in changed]


def _wish_kept(change: Change, after: dict[str, Any], _now: datetime) -> str:
    return say("Saved your standing instruction: “{title}”. {enforced}", title=change.title, enforced=_enforced(after))


def _enforced(instruction: dict[str, Any]) -> str:
    """Whether code obeys an instruction, and what it does; the rest is advice."""
    rules = rules_in(instruction.get("policy"))
    if rules:
        return say("From now on {rules}.", rules=describe_rules(rules))
    return say("I keep it as advice: I have no rule that enforces it.")


def _updated(change: Change, now: datetime) -> str:
    if change.kind == "profile":
        return _profile_kept(change, {}, now)
    if change.kind == "instruction":
        enforced = _enforced(change.after or {})
        return say("Changed your standing instruction to “{title}”. {enforced}", title=change.title, enforced=enforced)
    if change.kind == "event" and (told := _event_changed(change, now)):
        return told
    if told := _one_field(change):
        return told
    return say("Changed “{title}”: {values}.", title=change.title, values=say_values(change, now)) + say_conflicts(
        change, now
    )


def _one_field(change: Change) -> str:
    """A change that has a word of its own: renamed, reopened, another line on a list; empty for any other."""
    fields, before = set(change.fields), change.before or {}
    if change.kind == "memo" and "transcript_id" in fields:
        return say("Corrected the words of the memo “{title}”.", title=change.title)
    if fields == {"title"} or (change.kind == "todo" and fields == {"task"}):
        return say("Renamed “{old}” to “{title}”.", old=title_of(change.kind, before), title=change.title)
    if change.kind == "todo" and fields == {"status"} and before.get("status") in ("done", "archived"):
        return say("Reopened “{title}”.", title=change.title)
    if change.kind == "note" and fields == {"items"}:
        off = lines_off(change)
        items = f"{_items(change.fields['items'])}{f'; {off}' if off else ''}"
        return say("“{title}” now has {items}.", title=change.title, items=items)
    return ""


def _event_changed(change: Change, now: datetime) -> str:
    """A change of an event's time, days or colour; empty for any other."""
    if {"start", "end"} & set(change.fields):
        when = _series_times(change, now) or say_event_span(change.after or {}, now)
        told = say(_shifted(change), title=change.title, when=f"{when}{_place(change.fields)}")
        return f"{told}{say_conflicts(change, now)}"
    if set(change.fields) == {"exdates"}:
        return _left_out(change, now)
    if set(change.fields) == {"recurrence"} and (last := _last_day(change)):
        template = deferred("“{title}” takes place until {day}; that is the end of the series.")
        return say(template, title=change.title, day=say_when(last, now))
    if set(change.fields) == {"color"}:
        color = retold(NAMES.get(change.fields["color"], change.fields["color"]))
        return say("“{title}” is {color} on your calendar now.", title=change.title, color=color)
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
        return deferred("Changed the length of “{title}”: {when}.")
    return deferred("Moved “{title}” to {when}.")


def _series_times(change: Change, now: datetime) -> str:
    """When a series takes place after a change, by its weekdays and hours; empty for anything else."""
    after = change.after or {}
    if not after.get("recurrence"):
        return ""
    start, end = _parsed(after["start"], now), _parsed(after["end"], now)
    said = parts_of(after["recurrence"]).get("BYDAY", "") if "recurrence" in change.fields else ""
    named = [weekday_name(WEEKDAY_CODES.index(code)) for code in said.split(",") if code in WEEKDAY_CODES]
    days = say_list([say("{weekday}s", weekday=weekday) for weekday in named])
    hours = f"{start:%H:%M}-{end:%H:%M}" if isinstance(start, datetime) else ""
    when = say("{day} at {clock}", day=days, clock=hours) if days and hours else days or hours
    return when and say("{when}, each time", when=when)


def _left_out(change: Change, now: datetime) -> str:
    """Which occurrences a series loses, or takes back."""
    old, new = (change.before or {}).get("exdates", []), change.fields["exdates"]
    out = say_list([say_on(_parsed(value, now), now) for value in new if value not in old])
    back = say_list([say_on(_parsed(value, now), now) for value in old if value not in new])
    if out and change.together:  # the next row says what became of it
        taken = say("Took “{title}” {days} out of its series.", title=change.title, days=out)
        return f"{taken}{say_conflicts(change, now)}"
    lost = [say("“{title}” is cancelled {days}; the series goes on", title=change.title, days=out)] if out else []
    again = [say("“{title}” takes place again {days}", title=change.title, days=back)] if back else []
    return f"{'; '.join([*lost, *again])}.{say_conflicts(change, now)}"


def _completed(change: Change, now: datetime) -> str:
    name = next((name for name in ("deadline", "remind_at") if change.fields.get(name)), None)
    if name is None or not (change.after or {}).get("recurrence"):
        return say("Marked “{title}” as done.", title=change.title)
    when = say_moment(change.fields[name], now)
    next_time = say("Marked “{title}” as done for this time; next {when}.", title=change.title, when=when)
    return f"{next_time}{_missed(change, name, now)}"


def _missed(change: Change, name: str, now: datetime) -> str:
    """Name the occurrences missed between the due one and now, as rolling forward skips them."""
    due = (change.before or {}).get(name)
    if not due:
        return ""
    count = missed_rounds(change.before or {}, due, now)
    if not count:
        return ""
    return say_number(" {count} time in between was missed.", " {count} times in between were missed.", count)


def _archived(change: Change, _now: datetime) -> str:
    return say("Archived “{title}”.", title=change.title)


def _deleted(change: Change, _now: datetime) -> str:
    kind = "reminder" if (change.before or {}).get("kind") == "reminder" else change.kind
    return say(DELETED[kind], title=change.title)


def _undone(change: Change, now: datetime) -> str:
    if change.after is None:
        return say(GONE_AGAIN[change.kind], title=change.title)
    return say("Undone: “{title}” is back as it was.", title=change.title) + say_conflicts(change, now)


KEPT = {
    "note": deferred("Kept as a note: “{title}”{facts}."),
    "idea": deferred("Kept as an idea: “{title}”{facts}."),
    "question": deferred("Kept as a question: “{title}”{facts}."),
    "thought": deferred("Kept as a thought: “{title}”{facts}."),
}
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
    "memo": _memo_kept,
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
    start, end = _parsed(event["start"], now), _parsed(event["end"] or event["start"], now)
    if not isinstance(start, datetime) or not isinstance(end, datetime):
        return say_when(start, now) if start == end else _from_to(start, end, now)
    if start.date() == end.date():
        return f"{say_when(start, now)}-{end:%H:%M}"
    return _from_to(start, end, now)


def _from_to(start: date, end: date, now: datetime) -> str:
    return say("{start} to {end}", start=say_when(start, now), end=say_when(end, now))


def _repeats(record: dict[str, Any]) -> str:
    return f" ({describe_rule(record['recurrence'])})" if record.get("recurrence") else ""


def say_conflicts(change: Change, now: datetime) -> str:
    """What an event overlaps with and where there is room instead, as sentences with a space before; empty for none."""
    if not change.conflicts:
        return ""
    others = [f"“{clash.title}” ({_when(clash, now)}{_origin(clash)})" for clash in change.conflicts]
    wanted_back = change.op == "undo"
    room = [] if wanted_back else [say_event_span(free.model_dump(), now) for free in change.alternatives]
    free = say(" Free instead: {times}.", times=say_either(room)) if room else ""
    return say(" It overlaps with {others}.", others=say_list(others)) + free


def _when(clash: Conflict, now: datetime) -> str:
    days = not isinstance(_parsed(clash.start, now), datetime)
    when = say_event_span(clash.model_dump(), now)
    return say("{when}, all day", when=when) if days else when


def _origin(clash: Conflict) -> str:
    return say(", from {calendar}", calendar=clash.calendar) if clash.calendar else ""


def _items(items: list[dict[str, Any]]) -> str:
    lines = [say("{text} (done)", text=item["text"]) if item["done"] else item["text"] for item in items]
    return say_list(lines) or say("no items")


def lines_off(change: Change) -> str:
    """Which lines a list loses, or would lose; empty for none."""
    lines = [line["text"] for line in gone(lines_in(change.before), lines_in(change.fields))]
    if len(lines) > MOST_TOLD:
        lines = [*lines[:MOST_TOLD], say("{count} more", count=len(lines) - MOST_TOLD)]
    return say_number("{lines} is off it", "{lines} are off it", len(lines), lines=say_list(lines)) if lines else ""


def say_values(change: Change, now: datetime) -> str:
    """The fields that a change sets, each with its new value."""
    # In the order of the model: a database gives the keys back in an order of its own.
    fields = {name: change.fields[name] for name in FIELD_TYPES[change.kind].model_fields if name in change.fields}
    return "; ".join(f"{name_field(name)} {say_value(name, value, now)}" for name, value in fields.items())


def name_field(name: str) -> str:
    """Return what people call a field."""
    return say(FIELD_WORDS[name]) if name in FIELD_WORDS else name


def say_value(name: str, value: Any, now: datetime) -> str:
    """Return the value of a field in words."""
    if value is None or value in ("", []):
        return say("cleared")
    if name in WHEN_FIELDS or name == "exdates":
        return say_list([say_moment(when, now) for when in ([value] if isinstance(value, str) else value)])
    if name == "recurrence":
        return said if (said := describe_rule(value)) != say(REPEATING) else say("from now on")
    if name == "time_to_complete":
        return say_duration(value)
    if isinstance(value, dict):
        return say_list([f"{key}: {item}" for key, item in value.items()])
    return say_list([str(item) for item in value]) if isinstance(value, list) else f"“{value}”"

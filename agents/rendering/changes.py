"""Sentences about changes, made from ledger rows and from nothing else (P1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from agents.colors import COLOR_NAMES
from agents.contract import ALREADY, Change, Conflict
from agents.dates_in_words import say_clock, say_duration, say_hours, say_moments, say_on, say_when
from agents.languages import retold, say, say_later, say_number, weekday_name
from agents.list_lines import Line, lines_in, lost_lines, name_of
from agents.phrases import quote, say_either, say_list
from agents.policies.rules import rules_in
from agents.records import FIELD_TYPES, Kind, title_of
from agents.recurrence.describe import describe_rule
from agents.recurrence.rules import missed_rounds, parts_of
from agents.rendering.facts import lost_facts, new_facts
from agents.rendering.field_words import needs_at, parse_moment, say_event_span, say_field, say_moment
from agents.rendering.item_names import codes_of, codes_where_alike, detailed_title
from agents.rendering.policies import describe_rules
from agents.timers import TIMER_TAG, is_timer

FAILED = {
    "create": say_later("I could not add “{title}”: {error}."),
    "update": say_later("I could not change “{title}”: {error}."),
    "complete": say_later("I could not complete “{title}”: {error}."),
    "archive": say_later("I could not archive “{title}”: {error}."),
    "delete": say_later("I could not delete “{title}”: {error}."),
    "undo": say_later("I could not undo “{title}”: {error}."),
}
DELETED = {
    "reminder": say_later("Deleted the reminder “{title}”."),
    "todo": say_later("Deleted the task “{title}”."),
    "event": say_later("Deleted the event “{title}”."),
    "note": say_later("Deleted the note “{title}”."),
    "profile": say_later("Deleted the profile “{title}”."),
    "instruction": say_later("Deleted the instruction “{title}”."),
    "memo": say_later("Deleted the memo “{title}”."),
}
GONE_AGAIN: dict[Kind, str] = {
    "todo": say_later("Undone: the task “{title}” is gone again."),
    "event": say_later("Undone: the event “{title}” is gone again."),
    "note": say_later("Undone: the note “{title}” is gone again."),
    "profile": say_later("Undone: the profile “{title}” is gone again."),
    "instruction": say_later("Undone: the instruction “{title}” is gone again."),
    "memo": say_later("Undone: the memo “{title}” is gone again."),
}
MOMENTS = ("start", "remind_at", "deadline")
MOST_TOLD = 12
"""Lines of a list that are named as gone."""
WEEKDAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def claim_sentence(change: Change, now: datetime) -> str:
    """What one row of the ledger amounts to, as a sentence; ``now`` is the turn's clock in the user's zone."""
    if change.status == "failed":
        return _say_failed(change, change.error or "")
    if change.status == "needs_confirmation":
        return say("“{title}” needs your confirmation.", title=change.title)
    return SENTENCES[change.op](change, now)


def told_apart(changes: Sequence[Change], now: datetime | None = None) -> list[Change]:
    """The changes with titles that differ: those of one title with their times, or else with their short ids.

    What was changed as one, as a series and the occurrence that leaves it, is one item. Times need ``now``.
    """
    others = [clash for change in changes for clash in change.conflicts if not clash.calendar]
    wholes = {change.together or change.id: change for change in reversed(changes)}.values()
    # A sentence says of what kind its item is, so only items of one kind can be taken for each other.
    named = [
        (change.record_id or change.id, f"{change.kind} {change.title}", _time_of(change, now)) for change in wholes
    ]
    clashing = [(one.record_id, f"event {one.title}", say_moment(one.start, now) if now else "") for one in others]
    shared = codes_of((known, title) for known, title, _ in [*named, *clashing])
    codes = codes_where_alike([*named, *clashing])
    return [_with_details(change, shared, codes, now) for change in changes] if shared else list(changes)


def _time_of(change: Change, now: datetime | None) -> str:
    """Return when an item takes place or is due; empty where that is not known."""
    record = change.after or change.before or {}
    moment = next((record[name] for name in MOMENTS if record.get(name)), None)
    return say_moment(moment, now) if now and moment else ""


def _with_details(change: Change, shared: Mapping[str, str], codes: Mapping[str, str], now: datetime | None) -> Change:
    others = [
        clash.model_copy(update={"title": detailed_title(clash.title, codes.get(clash.record_id, ""))})
        for clash in change.conflicts
    ]
    known = change.record_id or change.id
    when = "" if known not in shared or _tells_time(change) else _time_of(change, now)
    return change.model_copy(
        update={"title": detailed_title(change.title, when, codes.get(known, "")), "conflicts": others}
    )


def _tells_time(change: Change) -> bool:
    """Return whether the sentence about a change, or the question, tells when its item is anyhow."""
    lost_lines = change.op == "delete" and change.has_been_held
    return change.op == "create" or lost_lines or bool({*MOMENTS, "exdates"} & set(change.fields))


def _say_failed(change: Change, error: str) -> str:
    reason = retold(error)
    if error.endswith(f" {ALREADY}") and change.kind == "profile":
        return say("I know that already.")
    if error.endswith(f" {ALREADY}"):
        return f"{reason[:1].upper()}{reason[1:]}."
    return say(FAILED[change.op], title=change.title, error=reason)


def _say_created(change: Change, now: datetime) -> str:
    return CREATED[change.kind](change, change.after or {}, now)


def _task_added(change: Change, after: dict[str, Any], now: datetime) -> str:
    if clock := _timer_rings(after, now):
        named = change.title.lower() != TIMER_TAG
        told = (
            say_later("Timer set: “{title}” rings at {clock}.")
            if named
            else say_later("Timer set: it rings at {clock}.")
        )
        return say(told, title=change.title, clock=clock)
    if after["remind_at"]:
        when = f"{say_moment(after['remind_at'], now)}{_repeats(after)}"
        return say("Set a reminder: “{title}”, {when}.", title=change.title, when=when)
    facts = _facts(after, now)
    length = after["time_to_complete"]
    facts += [say("about {length}", length=say_duration(length))] if length else []
    facts += [say_field("list", after["list"], now)] if after.get("list") else []
    return say("Added “{title}” to your tasks{facts}.", title=change.title, facts=_behind(facts, after))


def _event_booked(change: Change, after: dict[str, Any], now: datetime) -> str:
    when = f"{say_event_span(after, now)}{_place(after)}{_repeats(after)}"
    return say("Booked “{title}” for {when}.", title=change.title, when=when) + say_conflicts(change, now)


def _place(event: dict[str, Any]) -> str:
    place = event.get("location") or ""
    return say(", at {place}", place=place) if place and needs_at(place) else f", {place}" if place else ""


def _note_kept(change: Change, after: dict[str, Any], now: datetime) -> str:
    facts = _behind(_facts(after, now), after)
    if after["category"] == "list":
        items = say_list([item["text"] for item in after["items"]])
        if items:
            return say("Started the list “{title}” with {items}{facts}.", title=change.title, items=items, facts=facts)
        return say("Started the list “{title}”{facts}.", title=change.title, facts=facts)
    return say(NOTE_KEPT_BY_CATEGORY[after["category"]], title=change.title, facts=facts)


def _behind(facts: Sequence[str], after: dict[str, Any]) -> str:
    """Facts as they stand behind a title, and how it repeats."""
    return f"{''.join(', ' + fact for fact in facts)}{_repeats(after)}"


def _facts(after: dict[str, Any], now: datetime) -> list[str]:
    """When something is due and how urgent it is, where that was said."""
    facts = [say("due {when}", when=say_moment(after["deadline"], now))] if after.get("deadline") else []
    priority = after.get("priority")
    return [*facts, say_field("priority", priority, now)] if priority else facts


def _memo_kept(change: Change, _after: dict[str, Any], _now: datetime) -> str:
    return say("Kept the memo “{title}”.", title=change.title)


def _profile_kept(change: Change, _after: dict[str, Any], now: datetime) -> str:
    told, lost = new_facts(change, now), lost_facts(change)
    noted = [say("Noted: {facts}.", facts=say_list(told))] if told else []
    forgotten = [say("Forgotten: {facts}.", facts=say_list(lost))] if lost else []
    return " ".join([*noted, *forgotten]) or say("Your profile is as it was.")


def _wish_kept(change: Change, after: dict[str, Any], _now: datetime) -> str:
    return say("Got it: “{title}”. {enforced}", title=change.title, enforced=_say_enforcement(after))


def _say_enforcement(instruction: dict[str, Any]) -> str:
    """Whether code obeys an instruction, and what it does; the rest is advice."""
    rules = rules_in(instruction.get("policy"))
    if rules:
        return say("From now on {rules}.", rules=describe_rules(rules))
    return say("I'll keep it in mind, though I can't enforce it.")


def _say_updated(change: Change, now: datetime) -> str:
    if change.kind == "profile":
        return _profile_kept(change, {}, now)
    if change.kind == "instruction":
        enforced = _say_enforcement(change.after or {})
        return say("Your instruction is now “{title}”. {enforced}", title=change.title, enforced=enforced)
    if change.kind == "event" and (told := _event_changed(change, now)):
        return told
    if told := _one_field(change) or _steps_changed(change) or _timer_changed(change, now):
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


def _steps_changed(change: Change) -> str:
    """Steps of a task that were ticked or added; empty for any other change."""
    fields, before = set(change.fields), change.before or {}
    if fields == {"done_steps"} and (ticked := _fresh("done_steps", change)):
        steps = say_list([quote(step) for step in ticked])
        return say_number(
            "Step {steps} of “{title}” is done.",
            "Steps {steps} of “{title}” are done.",
            len(ticked),
            steps=steps,
            title=change.title,
        )
    if fields == {"solutions"} and before.get("solutions") and (added := _fresh("solutions", change)):
        steps = say_list([quote(step) for step in added])
        return say("“{title}” has another step: {steps}.", title=change.title, steps=steps)
    return ""


def _timer_changed(change: Change, now: datetime) -> str:
    """A timer that rings at another time; empty for any other change."""
    clock = _timer_rings(change.after or {}, now) if set(change.fields) == {"remind_at"} else ""
    return say("“{title}” rings at {clock} now.", title=change.title, clock=clock) if clock else ""


def _timer_rings(record: dict[str, Any], now: datetime) -> str:
    """When a timer rings today, to the second; empty for anything else."""
    if not record.get("remind_at") or not is_timer(record):
        return ""
    at = parse_moment(record["remind_at"], now)
    return say_clock(at, seconds=True) if isinstance(at, datetime) and at.date() == now.date() else ""


def _fresh(name: str, change: Change) -> list[str]:
    """What a change only adds to a list; nothing where it takes something away."""
    old, new = (change.before or {}).get(name) or [], change.fields[name] or []
    return [one for one in new if one not in old] if set(old) <= set(new) else []


def _event_changed(change: Change, now: datetime) -> str:
    """A change of an event's time, days or colour; empty for any other."""
    if {"start", "end"} & set(change.fields):
        when = _series_times(change, now) or say_event_span(change.after or {}, now)
        told = say(_shift_template(change), title=change.title, when=f"{when}{_place(change.fields)}")
        return f"{told}{say_conflicts(change, now)}"
    if set(change.fields) == {"exdates"}:
        return _left_out(change, now)
    if set(change.fields) == {"recurrence"} and (last := _last_day(change)):
        template = say_later("“{title}” takes place until {day}; that is the end of the series.")
        return say(template, title=change.title, day=say_when(last, now))
    if set(change.fields) == {"color"}:
        color = retold(COLOR_NAMES.get(change.fields["color"], change.fields["color"]))
        return say("“{title}” is {color} on your calendar now.", title=change.title, color=color)
    return ""


def _last_day(change: Change) -> date | None:
    """The day on which a series ends now, where nothing else of it has changed."""
    old, new = (parts_of((record or {}).get("recurrence") or "") for record in (change.before, change.after))
    last = new.get("UNTIL", "")
    return date.fromisoformat(last[:8]) if last and {**old, "UNTIL": last} == new else None


def _shift_template(change: Change) -> str:
    """What became of an event's time: one that begins as before is longer or shorter, not moved."""
    before, after = change.before or {}, change.after or {}
    if before.get("start") == after.get("start"):
        return say_later("Changed the length of “{title}”: {when}.")
    return say_later("Moved “{title}” to {when}.")


def _series_times(change: Change, now: datetime) -> str:
    """When a series takes place after a change, by its weekdays and hours; empty for anything else."""
    after = change.after or {}
    if not after.get("recurrence"):
        return ""
    start, end = parse_moment(after["start"], now), parse_moment(after["end"], now)
    said = parts_of(after["recurrence"]).get("BYDAY", "") if "recurrence" in change.fields else ""
    named = [weekday_name(WEEKDAY_CODES.index(code)) for code in said.split(",") if code in WEEKDAY_CODES]
    days = say_list([say("{weekday}s", weekday=weekday) for weekday in named])
    hours = ""
    if isinstance(start, datetime) and isinstance(end, datetime):
        hours = say_hours(start, end, now, day_known=True)
    when = say("{day}, {hours}", day=days, hours=hours) if days and hours else days or hours
    return when and say("{when}, each time", when=when)


def _left_out(change: Change, now: datetime) -> str:
    """Which occurrences a series loses, or takes back."""
    old, new = (change.before or {}).get("exdates", []), change.fields["exdates"]
    out = _days_on([day for day in new if day not in old], now)
    back = _days_on([day for day in old if day not in new], now)
    if out and change.together:  # the next row says what became of it
        taken = say("Took “{title}” {days} out of its series.", title=change.title, days=out)
        return f"{taken}{say_conflicts(change, now)}"
    lost = [say("“{title}” is cancelled {days}; the series goes on", title=change.title, days=out)] if out else []
    again = [say("“{title}” takes place again {days}", title=change.title, days=back)] if back else []
    return f"{'; '.join([*lost, *again])}.{say_conflicts(change, now)}"


def _days_on(values: Sequence[str], now: datetime) -> str:
    """Return days as when something is, the hour once where it is the same: "on Friday 4 and tomorrow at 9"."""
    moments = [parse_moment(value, now) for value in values]
    if not moments:
        return ""
    said = say_moments(moments, now)
    day = _date_of(moments[0])
    lead = say_on(day if said[0] == say_when(day, now) else moments[0], now)
    return say_list([lead, *said[1:]])


def _say_completed(change: Change, now: datetime) -> str:
    name = next((name for name in ("deadline", "remind_at") if change.fields.get(name)), None)
    if name is None or not (change.after or {}).get("recurrence"):
        return say("Marked “{title}” as done.", title=change.title)
    when = say_moment(change.fields[name], now)
    next_time = say("Marked “{title}” as done for this time; next {when}.", title=change.title, when=when)
    return f"{next_time}{_say_missed(change, name, now)}"


def _say_missed(change: Change, name: str, now: datetime) -> str:
    """Name the occurrences missed between the due one and now, as rolling forward skips them."""
    due = (change.before or {}).get(name)
    if not due:
        return ""
    count = missed_rounds(change.before or {}, due, now)
    if not count:
        return ""
    return say_number(" {count} time in between was missed.", " {count} times in between were missed.", count)


def _say_archived(change: Change, _now: datetime) -> str:
    return say("Archived “{title}”.", title=change.title)


def _say_deleted(change: Change, _now: datetime) -> str:
    kind = "reminder" if (change.before or {}).get("kind") == "reminder" else change.kind
    return say(DELETED[kind], title=change.title)


def _undone(change: Change, now: datetime) -> str:
    if change.after is None:
        return say(GONE_AGAIN[change.kind], title=change.title)
    return say("Undone: “{title}” is back as it was.", title=change.title) + say_conflicts(change, now)


NOTE_KEPT_BY_CATEGORY = {
    "note": say_later("Kept as a note: “{title}”{facts}."),
    "idea": say_later("Kept as an idea: “{title}”{facts}."),
    "question": say_later("Kept as a question: “{title}”{facts}."),
    "thought": say_later("Kept as a thought: “{title}”{facts}."),
}
SENTENCES: dict[str, Callable[[Change, datetime], str]] = {
    "create": _say_created,
    "update": _say_updated,
    "complete": _say_completed,
    "archive": _say_archived,
    "delete": _say_deleted,
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


def _repeats(record: dict[str, Any]) -> str:
    return f" ({describe_rule(record['recurrence'])})" if record.get("recurrence") else ""


def say_conflicts(change: Change, now: datetime) -> str:
    """Return what an event overlaps with and when there is room instead, with a space before; empty for nothing."""
    if not change.conflicts:
        return ""
    day = _day_of(change, now)
    others = say_list([f"{quote(one.title)} ({_when(one, now, day)}{_origin(one)})" for one in change.conflicts])
    room = [] if change.op == "undo" else _room(change, now, day)
    if not room:
        return say(" That overlaps {others}.", others=others)
    return say(" That overlaps {others}; {times} would be free.", others=others, times=say_either(room))


def _day_of(change: Change, now: datetime) -> date | None:
    """Return the day that the sentence about an event has said; none where it lasts for several or is a series."""
    after = change.after or {**(change.before or {}), **change.fields}
    if not after.get("start") or change.op == "undo" or set(change.fields) == {"exdates"}:
        return None
    days = {_date_of(parse_moment(after.get(name) or after["start"], now)) for name in ("start", "end")}
    return days.pop() if len(days) == 1 and not (after.get("recurrence") and change.op == "update") else None


def _date_of(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _room(change: Change, now: datetime, day: date | None) -> list[str]:
    """Return the free times: by their beginnings, as they last as long as what was wanted."""
    return say_moments([parse_moment(free.start, now) for free in change.alternatives], now, day)


def _when(clash: Conflict, now: datetime, day: date | None) -> str:
    days = not isinstance(parse_moment(clash.start, now), datetime)
    if days and clash.start == clash.end == str(day):
        return say("all day")
    when = say_event_span(clash.model_dump(), now, known=day)
    return say("{when}, all day", when=when) if days else when


def _origin(clash: Conflict) -> str:
    return say(", from {calendar}", calendar=clash.calendar) if clash.calendar else ""


def _items(items: list[dict[str, Any]]) -> str:
    lines = [say("{text} (done)", text=item["text"]) if item["done"] else item["text"] for item in items]
    return say_list(lines) or say("no items")


def lines_off(change: Change) -> str:
    """Which lines a list loses, or would lose; empty for none."""
    lines = _say_lines(lost_lines(lines_in(change.before), lines_in(change.fields)))
    return say_number("{lines} is off it", "{lines} are off it", len(lines), lines=say_list(lines)) if lines else ""


def say_line_changes(change: Change) -> str:
    """Return which lines a list would lose, gain, have ticked or open again; empty where it has no such change."""
    before, wanted = lines_in(change.before), lines_in(change.fields)
    known = {name_of(line): line["done"] for line in before}
    on = _say_lines([line for line in wanted if name_of(line) not in known])
    turned = [line for line in wanted if known.get(name_of(line), line["done"]) != line["done"]]
    done, undone = (_say_lines([line for line in turned if line["done"] is state]) for state in (True, False))
    parts = [
        lines_off(change),
        say_number("{lines} is on it", "{lines} are on it", len(on), lines=say_list(on)) if on else "",
        say_number("{lines} is ticked", "{lines} are ticked", len(done), lines=say_list(done)) if done else "",
        say_number("{lines} is open", "{lines} are open", len(undone), lines=say_list(undone)) if undone else "",
    ]
    return say_list([part for part in parts if part])


def _say_lines(lines: Sequence[Line]) -> list[str]:
    """Return lines as they are told; of many the first."""
    told = [line["text"] for line in lines]
    more = len(told) - MOST_TOLD
    return told if more <= 0 else [*told[:MOST_TOLD], say("{count} more", count=more)]


def say_values(change: Change, now: datetime) -> str:
    """Return the fields that a change sets, as people say them."""
    # In the order of the model: a database gives the keys back in an order of its own.
    names = [name for name in FIELD_TYPES[change.kind].model_fields if name in change.fields]
    return say_list([say_field(name, change.fields[name], now) for name in names])

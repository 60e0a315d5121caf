"""What becomes of the rounds of a series: fewer weekdays, an end, another time from some day on, one round skipped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from agents.contract import Proposal
from agents.dates_in_words import MONTHS
from agents.index.items import Item
from agents.index.words import tokens
from agents.ledger.next_round import next_round
from agents.reading.reading import Clause
from agents.records import Event, ToDo
from agents.recurrence.days_of_month import CODES
from agents.rendering.agenda import Slot
from agents.time import FoundTime, on_day, to_instant
from agents.understanding.changes.revise import END, new_times
from agents.understanding.series import apart, series
from agents.understanding.share import bind, propose
from agents.understanding.situation import Situation
from agents.understanding.slot_values import both_days, loose_words, read_times
from agents.understanding.values import forms
from agents.understanding.values.days import days_of
from agents.understanding.values.moves import shifted_event

ONLY_WORDS = frozenset(("only", "just"))
STARTING = frozenset("from starting start starts as beginning begins after since".split())
LAST_WORDS = frozenset(("last", "final"))
SKIPPING = frozenset("skip skipping once time round".split())
WEEKDAYS_OF = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*days\b", re.IGNORECASE)
OF_RULE = re.compile(r"BYDAY=([A-Z,]+)")
DAILY = re.compile(r"FREQ=DAILY(?!.*INTERVAL)")
MOMENTS = ("start", "end", "deadline", "remind_at")
MONTH_NAMES = frozenset(map(str.lower, MONTHS))
A_WEEK = timedelta(days=7)
YEARS = timedelta(days=800)


def change_rounds(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    """Return what a clause changes about the rounds of a recurring appointment as a whole; none if it does not."""
    event = item.record
    if not isinstance(event, Event) or not event.recurrence:
        return []
    times = [found for found in new_times(clause, item, situation) if found.kind != "duration"]
    return (
        _fewer_days(clause, item, times) or _end_series(clause, event, times, situation)
        or _from_then_on(clause, event, times, situation)
    )  # fmt: skip


def _fewer_days(clause: Clause, item: Item, times: Sequence[FoundTime]) -> list[Proposal]:
    """Return a series of several weekdays on those that are left: "only wednesdays"."""
    there = _days_of(getattr(item.record, "recurrence", None) or "")
    kept = {CODES[one.start.weekday()] for one in times if one.start and one.day_said and not one.timed}
    said = {*tokens(clause.words("w")), *loose_words(clause)}
    if not ONLY_WORDS & said or not kept or not kept < set(there) or _since(clause, times) is not None:
        return []
    fewer = without_days(item, {*there} - kept)
    return [fewer] if fewer else []


def weekdays_in(text: str) -> set[str]:
    """Return the weekdays that words name in the plural, as rules have them."""
    return {name[:2].upper() for name in WEEKDAYS_OF.findall(text)}


def _days_of(rule: str) -> list[str]:
    found = OF_RULE.search(rule)
    return found[1].split(",") if found else []


def without_days(item: Item, dropped: set[str]) -> Proposal | None:
    """Return the series without some weekdays; None where these are all of its days, or none of them."""
    rule = DAILY.sub(f"FREQ=WEEKLY;BYDAY={','.join(CODES)}", getattr(item.record, "recurrence", None) or "")
    days = _days_of(rule)
    kept = [day for day in days if day not in dropped]
    if not dropped or not dropped <= set(days) or not kept or "WEEKLY" not in rule:
        return None
    fields: dict[str, object] = {"recurrence": OF_RULE.sub(f"BYDAY={','.join(kept)}", rule)}
    moments = {name: moment for name in MOMENTS if (moment := getattr(item.record, name, None))}
    first = next(iter(moments.values()), None)
    if first is not None and CODES[first.weekday()] not in kept:
        ahead = timedelta(days=min((CODES.index(day) - first.weekday()) % len(CODES) for day in kept))
        fields |= {name: forms.moment(moment + ahead) for name, moment in moments.items()}
    return propose(item, "update", fields, "you dropped some of its days")


def _end_series(clause: Clause, event: Event, times: Sequence[FoundTime], situation: Situation) -> list[Proposal]:
    """Return a series with its last day: "runs until june", "the last one is on the 17th"."""
    to = times[0] if len(times) == 1 else None
    if to is None or to.timed or to.kind == "set" or not to.day_said:
        return []
    last = forms.last_day(to)
    said = {*tokens(clause.words("v", "g")), *loose_words(clause)}
    final = LAST_WORDS & said and series.on_days(event, *days_of(to, situation.scene), situation.scene)
    return [_ending(event, last)] if last and (to.role == "until" or final) else []


def end_from(event: Event, times: Sequence[FoundTime]) -> Proposal | None:
    """Return a series that ends before the day from which it is dropped."""
    first = next((found.start for found in times if found.kind == "open_after" and found.start), None)
    return _ending(event, first.date() - timedelta(days=1)) if first else None


def _ending(event: Event, last: date, reason: str = "you said when it ends") -> Proposal:
    """Return a series with its last day."""
    rule = f"{END.sub('', event.recurrence or '')};UNTIL={last:%Y%m%d}"
    return apart.change_series(event, {"recurrence": rule}, reason)


def _from_then_on(clause: Clause, event: Event, times: Sequence[FoundTime], situation: Situation) -> list[Proposal]:
    """Return a series that ends before a day, and another one with the new time or days from then on."""
    since = _since(clause, times)
    repeat = next((found for found in times if found.kind == "set" and found.rrule), None)
    hour = next((found for found in times if found.timed and found.kind in ("point", "interval")), None)
    before = series.on_days(event, situation.now.date(), since - timedelta(days=1), situation.scene) if since else []
    if since is None or not before or (repeat is None and hour is None):
        return []
    coming = series.on_days(event, since, since + YEARS, situation.scene)[:1]
    first = repeat.start.date() if repeat and repeat.start else coming[0].start.date() if coming else since
    at = hour or (repeat if repeat and repeat.timed else None)
    day = replace(times[0], kind="point", start=to_instant(datetime.combine(first, time()), situation.clock.zone))
    placed = on_day(at, first, situation.clock) if at else replace(day, end=None, timed=False, grain="day")
    start = shifted_event(event, placed, situation.scene)
    rule = repeat.rrule if repeat and repeat.rrule else event.recurrence or ""
    fields = apart.kept_of(event) | start | {"recurrence": rule}
    other = Proposal(op="create", kind="event", fields=fields, reason="from then on")
    ended = _ending(event, since - timedelta(days=1), "it is otherwise from then on")
    return bind(f"from {event.id} {since}", ended, other)


def _since(clause: Clause, times: Sequence[FoundTime]) -> date | None:
    """Return the day from which something holds that a clause says: "from 17 june on", "starting in september"."""
    later = next((found.start for found in times if found.kind == "open_after" and found.start), None)
    if later is not None:
        return later.date()
    said = set(tokens(clause.words("w")))
    first = next((found.start for found in times if found.kind == "set" and found.day_said and found.start), None)
    if first is None or not STARTING & said:
        return None
    return first.date().replace(day=1) if said & MONTH_NAMES else first.date()


def leave_out(clause: Clause, item: Item | None, situation: Situation) -> list[Proposal]:
    """Return a series without the weekdays or rounds that a clause retracts or excepts; none if it has none then."""
    fewer = without_days(item, weekdays_in(clause.words("x", "v", "w"))) if item else None
    event = item.record if item else None
    if fewer or not isinstance(event, Event) or not event.recurrence:
        return [fewer] if fewer else []
    out = rounds_on_days(event, clause.words("x", "v", "w"), situation)
    return [apart.without(event, out)] if out else []


def rounds_on_days(event: Event, words: str, situation: Situation) -> list[Slot]:
    """Return the rounds of a series on the days that some words say."""
    said = [day for one in read_times(words, situation.clock) for day in both_days(one)]
    times = [one for one in said if one.moment and one.day_said]
    return [slot for one in times for slot in _rounds_on(days_of(one, situation.scene), event, situation)]


def _rounds_on(days: tuple[date, date], event: Event, situation: Situation) -> Sequence[Slot]:
    """Return the rounds of a series on some days; where it has none today, "this saturday" is the next."""
    found, today = series.on_days(event, *days, situation.scene), situation.now.date()
    if found or set(days) != {today}:
        return found
    return series.on_days(event, today + A_WEEK, today + A_WEEK, situation.scene)


def skip_round(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    """Return a recurring task at its next round, where one round is to be skipped; none where all of it is meant."""
    record = item.record
    once = clause.all("v", "w") or SKIPPING & {*tokens(clause.words("a", "g")), *loose_words(clause)}
    if not isinstance(record, ToDo) or not record.recurrence or not once:
        return []
    rolled = next_round(record.model_dump(mode="json"), situation.now, situation.ask.timezone)
    return [propose(item, "update", rolled, "you skipped a round")] if rolled else []

"""Hours that answer an offer of times without its day: they are of the day on offer, and of its half of the day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from agents.contract import Pending, Proposal
from agents.dates_in_words import say_spans, say_when
from agents.phrases import quote, say_either
from agents.time import FoundTime, find_times, on_day
from agents.understanding.outcome import Outcome, ask_for
from agents.understanding.situation import Situation
from agents.understanding.slot_values import on_its_half
from agents.understanding.values.days import label_of


def offers_of(pending: Pending | None, situation: Situation) -> list[FoundTime | None]:
    """Return the times that a question offers, None for what is none."""
    options = pending.options if pending else []
    return [next(iter(find_times(option.label, situation.clock)), None) for option in options]


def days_on_offer(pending: Pending | None, situation: Situation) -> list[date]:
    """Return the days of the times on offer, each once."""
    return list(dict.fromkeys(one.start.date() for one in offers_of(pending, situation) if one and one.start))


def at_offered_hour(found: FoundTime, situation: Situation) -> FoundTime:
    """Return a bare hour on the half of the day of what is on offer on its day."""
    offered = [one for one in offers_of(situation.pending, situation) if one and one.start and one.timed]
    day = found.start.date() if found.start else None
    same = next((one for one in offered if one.start and one.start.date() == day), None)
    if same is None or not found.timed or found.stretch or found.kind not in ("point", "interval"):
        return found
    moved = on_its_half(found, same)
    last = moved.end - timedelta(microseconds=1) if moved.end else moved.start
    return moved if last and moved.start and last.date() == moved.start.date() else found


def which_day(times: Sequence[FoundTime], draft: Proposal, situation: Situation) -> Outcome | None:
    """Return the question on which of several days on offer an hour is meant; None where a day is said."""
    days, pending = days_on_offer(situation.pending, situation), situation.pending
    hours = [one for one in times if one.timed and not one.day_said and one.kind in ("point", "interval")]
    if len(days) < 2 or len(hours) != 1 or len(times) != 1 or pending is None:  # noqa: PLR2004 - several
        return None
    at = [at_offered_hour(on_day(hours[0], day, situation.clock), situation) for day in days]
    spans = [(one.start, one.end) for one in at if one.start]
    said = [say_spans([(a, b)], situation.now)[0] if b else say_when(a, situation.now) for a, b in spans]
    asked = f"{quote(draft.fields['title'])}: {say_either(said)}?"
    return ask_for("when", asked, draft, pending.text, situation, [label_of(*span) for span in spans])

"""Appointments: from a title and a time to an event, or to the question that is missing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.schedule import is_free_day
from agents.time import Found, find_times, on_day
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.items.anchors import hanging
from agents.understanding.references import Item
from agents.understanding.requests import either, tasks
from agents.understanding.requests.linking import task_for
from agents.understanding.requests.tasks import choose_when, filled
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change, lost
from agents.understanding.slots import forms
from agents.understanding.slots.days import asked_day, on_days
from agents.understanding.slots.occasions import occasion
from agents.understanding.slots.slots import Slots, blank, tidy, without_article
from agents.understanding.text.clauses import Clause
from agents.understanding.text.enumerated import on_each_day, weekly
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import WHOLE_DAY_NOUNS

P = patterns_of(__name__)
ALL_DAY = P.ALL_DAY
EVENING_NOUNS = frozenset(
    "night nights dinner supper drinks cocktails party concert gig pub banquet gala table".split()
)
EARLY = frozenset("early earlies breakfast".split())
"""What takes place before noon: "an early shift from six till two"."""
HALF_A_DAY = timedelta(hours=12)
FIRST_WORDS = 3
LONGEST_NIGHT, ONE_DAY = timedelta(hours=16), timedelta(days=1)
WHO = P.WHO


def schedule(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new event; its time is asked for when none was said."""
    text = _thing(intent, clause)
    whole = ALL_DAY.search(text) is not None
    slots = filled(ALL_DAY.sub(" ", text), scene, clause, place=True)
    if slots.when is None and scene.told:
        slots.times = filled(scene.told, scene, clause).times
    _on_asked_day(slots, scene)
    _same_slot(slots, clause, scene)
    title = _person(slots.title, scene) or without_article(occasion(WHO.sub("", slots.title)))
    if not title:
        return lost(clause.text)
    fields = _named(tidy(blank(title, hanging(title, scene))) or title, slots, clause, scene)
    draft = Proposal(op="create", kind="event", fields=fields, reason="you asked to schedule it")
    in_the_evening(slots, title, scene.now)
    doubtful = _doubtful(slots, title, draft, scene)
    if doubtful is not None:
        return doubtful
    times = times_said(slots, title, scene)
    if not times and whole and slots.when and slots.when.moment:
        times = [_all_day(slots.when)]
    if (
        not times
        and (P.PLANNING.match(clause.text) or P.ORDERED.match(clause.text))
        and not P.CALENDAR.search(clause.text)
    ):
        return tasks.add(Intent("add_task", intent.sure, {"rest": clause.text}), clause, scene)
    there = _there(title, slots, scene) if not times and clause.text == intent.parts.get("rest", clause.text) else None
    if there is not None:
        return change(clause.text, choose.propose(there, "update", {"location": slots.place}, "you said where"))
    if not times:
        return choose_when(draft, _when_question(title, slots, scene), scene)
    return change(clause.text, *[draft.model_copy(update={"fields": fields | each}) for each in times])


def _doubtful(slots: Slots, title: str, draft: Proposal, scene: Scene) -> Share | None:
    """The question about times that cannot stand as they were said; None when they can."""
    if slots.when and _backwards(slots.when):
        return choose_when(draft, f"That would end before it begins. From when to when is {title}?", scene)
    if slots.when and slots.when.kind == "open_before" and slots.when.timed:
        return choose_when(draft, f"From when to when is {title}?", scene)
    return either.either_question(slots.times, slots.text, draft, scene)


def _on_asked_day(slots: Slots, scene: Scene) -> None:
    """A clock time without a day is on the day that was just asked about: "am i free friday?", "gym at 3 then"."""
    placed = [found for found in slots.times if found.moment]
    bare = [found for found in placed if found.timed and not found.day_said and found.kind in ("point", "interval")]
    day = asked_day(scene) if bare and len(bare) == len(placed) else None
    if day:
        slots.times = [on_day(found, day, scene.clock) if found in bare else found for found in slots.times]


def _person(title: str, scene: Scene) -> str:
    """Who is meant by "put her down for thursday": the one told of just before."""
    told = P.TOLD_OF.match(scene.told) if title.lower() in ("him", "her", "them") else None
    return without_article(told["who"].strip()) if told else ""


def _when_question(title: str, slots: Slots, scene: Scene) -> str:
    """Asks for what is missing: the clock time of a day that was said, or both."""
    when = slots.when
    if when and when.day_said and when.moment and when.grain == "day" and not slots.repeat:
        day = when.moment.date()
        return f"What time is {title} {on_days(day, day, scene)}?"
    return f"When is {title}? Please tell me the day and the time."


def _there(title: str, slots: Slots, scene: Scene) -> Item | None:
    """The one event of that name ahead, when only its place is said: "playdate at zara's"."""
    found = choose.search(
        title, scene, ("event",), lambda item: item.day is not None and item.day >= scene.now.date(), None
    )
    return (
        found[0] if slots.place and slots.when is None and len(found) == 1 and named_wholly(title, found[0]) else None
    )


def _named(title: str, slots: Slots, clause: Clause, scene: Scene) -> dict[str, Any]:
    """Everything about a new event but its time."""
    fields: dict[str, Any] = {"title": title}
    task = task_for(title, clause, scene)
    if task:
        fields = {"title": task.task, "task_id": task.id}
        slots.minutes = slots.minutes or task.time_to_complete
    if is_free_day(title):
        fields["busy"] = False
    if slots.place:
        fields["location"] = slots.place
    if slots.notes:
        fields["notes"] = slots.notes
    return fields


def times_said(slots: Slots, title: str, scene: Scene) -> list[dict[str, Any]]:
    """When it takes place, once for each day that was named; empty when the time is still missing."""
    days = [] if slots.repeat else on_each_day(slots.times, slots.text, scene.clock)
    last = next((found.end for found in slots.times if found.role == "until" and found.end), None)
    if days and last:
        return [_timed(days[0], slots.minutes) | {"recurrence": weekly(days, last)}]
    if days:
        return [_timed(day, slots.minutes) for day in days]
    once = when_fields(slots, title)
    return [once] if once else []


def _thing(intent: Intent, clause: Clause) -> str:
    """The words for what shall be on the calendar and when, without those that ask for it."""
    text = P.GOES_ON.sub("", f"{intent.parts.get('rest', clause.text)} {intent.parts.get('lead', '')}".strip())
    text = P.MONTHLY.sub(r"\g<between>\g<day> of every month", text)
    text = P.HEAD.sub("", P.OFTEN.sub("", P.CALENDAR.sub(" ", text)))
    text = P.BARE_RANGE.sub(r"from \1 to \2", text) if clause.text.lower().startswith("block") else text
    text = P.AFTER_THAT.sub("", text)
    return re.sub(r"\s+in there(?:\s+instead)?\b|\s+instead\b", " ", text)


def _all_day(when: Found) -> dict[str, Any]:
    first = when.start or when.moment
    assert first is not None  # noqa: S101 - the caller saw a moment
    return {"start": forms.day(first), "end": forms.day(forms.last_day(when) or first), "all_day": True}


def in_the_evening(slots: Slots, title: str, now: datetime) -> None:
    """Dinner at seven is at 19:00, today if no day was said and it is still to come."""
    when = slots.when
    late = EVENING_NOUNS & set(title.lower().replace("'s", "").split())
    early = EARLY & set(title.lower().split()) and not P.LATE.search(when.text) if when else False
    if early and when and when.timed and when.start and when.start.hour >= 12 and when.start - HALF_A_DAY > now:
        sooner = replace(when, start=when.start - HALF_A_DAY, end=when.end and when.end - HALF_A_DAY)
        slots.times = [sooner if found is when else found for found in slots.times]
    # "A gala from ten till one" is over at lunch.
    latest = 8 if when and when.end else 11
    if (
        late
        and when
        and when.timed
        and when.start
        and 5 <= when.start.hour <= latest
        and not P.MORNING.search(when.text)
    ):
        tonight = not when.day_said and when.start - HALF_A_DAY > now
        shift = -HALF_A_DAY if tonight else HALF_A_DAY
        later = replace(when, start=when.start + shift, end=when.end and when.end + shift)
        slots.times = [later if found is when else found for found in slots.times]


def _same_slot(slots: Slots, clause: Clause, scene: Scene) -> None:
    """Take the day of the event just talked about for "instead", "in there", and what the same sentence adds to it."""
    lone = next((found for found in slots.times if found.timed and not found.day_said), None)
    said = re.escape(" ".join(clause.text.split()[:FIRST_WORDS]))
    then = rf"(?:\b(?:then|after that|afterwards|followed by)|(?<![.!?;\n])\s+(?:and|plus)|,|&)[\s,]+(?:then\s+|also\s+)*{said}"
    follows = _booked_before(scene) and re.search(then, scene.ask.text, re.IGNORECASE) is not None
    told = _told_day(scene) if lone and not slots.repeat else None
    if told is not None:
        slots.times = [on_day(found, told, scene.clock) if found is lone else found for found in slots.times]
    elif lone and scene.clock.anchor and (follows or re.search(r"\bin there\b|\binstead\b", clause.text)):
        slots.times = [
            on_day(found, scene.clock.anchor, scene.clock) if found is lone else found for found in slots.times
        ]


def _told_day(scene: Scene) -> date | None:
    """The one coming day that the words before are about: "i'm in leeds on friday, book lunch with tom at one"."""
    said = [found.moment.date() for found in find_times(scene.told, scene.clock) if found.day_said and found.moment]
    coming = {day for day in said if day >= scene.now.date()}
    return coming.pop() if len(coming) == 1 == len(said) and not scene.before[-1].proposals else None


def _booked_before(scene: Scene) -> bool:
    """Whether the part of the message just before this one booked something."""
    return any(item.kind == "event" and item.op == "create" for share in scene.before[-1:] for item in share.proposals)


def _backwards(when: Found) -> bool:
    """Whether the end was said to come first: "from 5pm to 4pm" is no night of twenty-three hours."""
    return bool(when.kind == "interval" and when.timed and when.start and when.end) and (
        LONGEST_NIGHT < when.end - when.start < ONE_DAY and len(P.DAYS_SAID.findall(when.text)) < 2  # type: ignore[operator]
    )


def when_fields(slots: Slots, title: str) -> dict[str, Any] | None:
    """Start, end and recurrence; None when the time is still missing."""
    when = slots.when
    if when is None or when.moment is None:
        return None
    fields: dict[str, Any] = {"recurrence": slots.repeat.rrule} if slots.repeat else {}
    if when.timed:
        return fields | _timed(when, slots.minutes)
    if when.kind == "interval" or when.grain == "weekend" or whole_day(title):
        last = forms.last_day(when)
        first = when.start or when.moment
        return fields | {"start": forms.day(first), "end": forms.day(last or first), "all_day": True}
    return None


def _timed(when: Found, minutes: int | None) -> dict[str, Any]:
    start = when.start or when.moment
    assert start is not None  # noqa: S101 - the caller saw a moment
    end = when.end if when.end and when.end > start else None
    if end is None and minutes:
        end = (start.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(start.tzinfo)
    return {"start": forms.instant(start)} | ({"end": forms.instant(end)} if end else {})


def whole_day(title: str) -> bool:
    """Whether a thing takes whole days by its nature."""
    return bool(WHOLE_DAY_NOUNS & set(title.lower().replace("-", " ").split()))

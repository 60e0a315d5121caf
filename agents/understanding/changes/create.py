"""New things: tasks, reminders, timers, appointments, notes, facts about the user, standing wishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

from agents.contract import Proposal
from agents.dates_in_words import say_clock, say_moments, say_when
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.ledger.reminder_time import LATE_TOLERANCE
from agents.ledger.transitions import differing
from agents.phrases import quote, say_either
from agents.reading.reading import Clause, Slot
from agents.records import Event, ToDo
from agents.reminders import BRIEFING
from agents.specialists.schedule import is_free_day
from agents.time import FoundTime, find_times, on_day
from agents.timers import TIMER_TAG
from agents.understanding.changes import anchor
from agents.understanding.changes import event_times as events
from agents.understanding.changes.conversion import TURNING, convert, summary_of
from agents.understanding.changes.lists import list_name
from agents.understanding.changes.revise import ENDING
from agents.understanding.changes.rounds import rounds_on_days
from agents.understanding.changes.several_times import (
    are_choices,
    conflicting,
    each_time,
    either_time,
    hours_of_days,
    on_each_of_range,
)
from agents.understanding.changes.task_steps import PARTING, STEPS, ask_step, break_up
from agents.understanding.decide import ask_to_confirm
from agents.understanding.ground import ground, is_open, is_pointing, kinds_in, names_in, one_named, pointed_at
from agents.understanding.matching import candidates
from agents.understanding.outcome import Outcome, already, ask_for, do, not_understood, update
from agents.understanding.records import profile
from agents.understanding.series.apart import without
from agents.understanding.share import fill, propose
from agents.understanding.situation import DRAFT, STORED, Situation, day_of, preview
from agents.understanding.slot_values import (
    EDGES,
    JOINING,
    blank_slots,
    details_of,
    levels_of,
    loose_words,
    outside_words,
    seconds_in,
    title_of,
)
from agents.understanding.steps import steps_for
from agents.understanding.values import forms
from agents.understanding.values import task_times as tasks
from agents.understanding.values.days import is_weekday, label_of, on_days
from agents.understanding.values.slots import TAGGING, Slots, strip_tags, tags_in, without_article

ASKED_REASON = "you asked for it"
DAY_SECONDS, MOST_SAID = 86_400, 3
DAWN = 5
"""Alarms end a night: from this hour on a bare one is before noon."""
MAX_EVENT_LENGTH = timedelta(hours=16)
LASTING_DAY = frozenset(("all", "whole", "full"))
CATEGORIES = ("idea", "thought", "question")
LINKING = frozenset("about at before after in on to from by".split())
"""Words with which no task begins: what follows them belongs to the task before."""
BEING = frozenset(("is", "are", "was"))
ALARM = frozenset(("alarm", "wake"))
BLOCKING = frozenset(("block", "keep", "hold"))
SURELY = 0.5
GOING_ON = frozenset("and but or which because cos since".split())
ASIDE = frozenset("i i'm im i've ive i'll thanks thank thx ta sorry never".split())
"""Words with which one rather speaks to the assistant, or of oneself."""
ENDS = frozenset(".!?;\n")
LONGEST_NOTE = 20_000
OWN = frozenset("i i'm im i've ive i'd i'll me my mine myself we we're our us".split())
"""Words by which one speaks of oneself."""


def todo(clause: Clause, situation: Situation) -> Outcome:
    """Return a new task or habit; one of that very name is changed instead, a step joins its task."""
    title = strip_tags(title_of(clause, "t", "i") or title_of(clause, "c"))
    broken = break_up(clause, situation) if clause.all("g") and PARTING & set(loose_words(clause)) else None
    other = (
        broken
        or ask_step(clause, situation)
        or convert(clause, situation)
        or _with_steps(clause, situation)
        or _several(clause, situation)
    )
    if other is not None:
        return other
    if clause.all("g") and clause.all("t"):
        return _step(clause, title, situation)
    title = title or title_of(clause, "g", "q")
    slots = details_of(clause, title, situation)
    _count_from_record(clause, slots, title, situation)
    heading = {"deadline": forms.day(situation.day)} if situation.day and situation.heading else {}
    fields: dict[str, Any] = heading | tasks.details(slots)
    when = slots.when
    if when is None and (day := anchor.day_before_which(clause.words("w"), situation)):
        fields["deadline"] = forms.day(day)
    lasts = when is not None and when.kind == "interval" and when.start is not None and when.end is not None
    if title and when and when.timed and not slots.repeat and (lasts or (slots.place and when.role == "when")):
        return event(clause, situation)  # what has a beginning and an end, or a place, takes time of the day
    if "habit" in loose_words(clause):
        fields["kind"] = "habit"
    fields |= _group_of(clause)
    if not title and not fields:
        return not_understood(clause.text)
    draft = Proposal(op="create", kind="todo", fields=fields, reason=ASKED_REASON)
    if not title:
        return ask_for("rephrase", "What is the task?", draft, clause.text, situation)
    each = [fields | {"deadline": due} for one in each_time(clause, slots, situation.clock) if (due := forms.due(one))]
    once = None if each else _update_existing(title, fields, clause, situation)
    outcome = once or do(clause.text, *(task(title, one) for one in each or [fields]))
    undated, words = slots.when is None and "deadline" not in fields, clause.words("w")
    if undated and (anchor.is_counted(words, situation) or anchor.BEFORE_WORDS & set(tokens(words)[:1])):
        outcome.share.unclear.append(words)
    return outcome


def _group_of(clause: Clause) -> dict[str, Any]:
    """Return the tags and the list that a new task is put under."""
    tags, name = tags_in(clause.text), list_name(clause) if clause.all("l") else ""
    if name and TAGGING & set(loose_words(clause)):
        return {"tags": [*tags, name.lower()]}
    return ({"tags": tags} if tags else {}) | ({"list": name} if name else {})


def task(title: str, fields: dict[str, Any], reason: str = ASKED_REASON) -> Proposal:
    """Return a new task, with the steps that are known for one of more than one action; the page shows them as ours."""
    steps = steps_for(title)
    known = {"task": title} | ({"solutions": steps} if steps else {})
    return Proposal(op="create", kind="todo", fields=known | fields, reason=reason)


def _with_steps(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a task with the steps that are said with it; None where none are."""
    if not clause.all("t") or not clause.all("i") or not STEPS & set(loose_words(clause)):
        return None
    said = {"solutions": names_in(clause, "i")} | tasks.details(details_of(clause, "", situation))
    return do(clause.text, task(title_of(clause, "t"), said))


def _several(clause: Clause, situation: Situation) -> Outcome | None:
    """Return several tasks of one clause, with what it says of all of them; None where it names one."""
    titles = names_in(clause, "t", "i")
    if len(titles) < 2 or any(name.split()[0].lower() in JOINING | LINKING for name in titles[1:]):  # noqa: PLR2004
        return None
    fields = tasks.details(details_of(clause, "", situation))
    return do(clause.text, *(task(title.strip(EDGES), fields) for title in titles))


def _update_existing(title: str, fields: dict[str, Any], clause: Clause, situation: Situation) -> Outcome | None:
    """Return the change of the open task of that very name; None when there is none."""
    called = situation.items("todo").find_called(sorted(words_of(title)))
    same = [item for item in called if is_open(item) and not item.id.startswith(DRAFT)]
    near = same or _with_a_verb(title, situation)
    if len(near) != 1 or {"another", "second"} & set(loose_words(clause)):
        return None
    fields = differing("todo", near[0].record.model_dump(mode="json"), fields)
    if not fields:
        return already(clause.text, f"{quote(near[0].title)} is on your tasks already.") if same else None
    if not same:
        return ask_to_confirm(clause.text, [propose(near[0], "update", fields)], situation)
    return update(clause.text, same[0], fields, "it was on your tasks already")


def _with_a_verb(title: str, situation: Situation) -> list[Item]:
    """Return the open tasks of which a name of several words lacks only the verb: "headlight on the van"."""
    words = words_of(title)
    near = situation.items("todo").find_under("word", words[:1]) if len(words) > 1 else []
    lacking = [item for item in near if list(item.words[1:]) == words]
    return [item for item in lacking if is_open(item) and not item.id.startswith(DRAFT)]


def _step(clause: Clause, title: str, situation: Situation) -> Outcome:
    """Return one more step of the task that is named."""
    target = ground(clause, situation, ("todo",))
    item = target.only
    if item is None or not isinstance(item.record, ToDo):
        return do(clause.text, task(title_of(clause, "t", "g"), tasks.details(details_of(clause, title, situation))))
    return update(clause.text, item, {"solutions": [*item.record.solutions, title]}, fit=target.fit)


def remind(clause: Clause, situation: Situation) -> Outcome:
    """Return a reminder or a timer; what it is about or its time is asked for where it is missing."""
    title = title_of(clause, "t", "c", "i")
    title = "" if is_pointing(title) else title
    timer = _timer(clause, title, situation)
    if timer is not None:
        return timer
    slots = details_of(clause, title, _at_dawn(situation) if ALARM & set(loose_words(clause)) else situation)
    _count_from_record(clause, slots, title, situation)
    at = tasks.remind_at(slots.when, situation.scene) if slots.when else None
    task_made = _task_as_reminder(title, at, clause, situation) if at else None
    if task_made is not None:
        return task_made
    told = clause.words("q") if not title else ""
    alarm = "alarm" if ALARM & set(loose_words(clause)) and not names_in(clause) else ""
    title = title or ("daily briefing" if told else alarm or _about(clause, situation))
    fields: dict[str, Any] = {"task": title, "kind": "reminder"} | ({"tags": [BRIEFING]} if told else {})
    fields |= slots.levels
    if slots.repeat:
        fields["recurrence"] = slots.repeat.rrule
    draft = Proposal(op="create", kind="todo", fields=fields, reason="you asked to be reminded")
    over = at if at and not slots.repeat and datetime.fromisoformat(at) < situation.now - LATE_TOLERANCE else None
    if alarm and title == alarm:
        draft.fields["tags"] = [TIMER_TAG]
    if not draft.fields["task"]:
        passed = f"{say_when(datetime.fromisoformat(over), situation.now)} has passed. " if over else ""
        bare = {"kind": "reminder"} | ({"remind_at": at} if at and not over else {})
        asked = f"{passed[:1].upper()}{passed[1:]}What shall I remind you about?"
        draft = draft.model_copy(update={"fields": bare})
        return ask_for("rephrase", asked, draft, clause.text, situation)
    several = [tasks.remind_at(one, situation.scene) for one in each_time(clause, slots, situation.clock)]
    each = [fill(draft, {"remind_at": one}) for one in several if one]
    if each or (at and not over):
        return do(clause.text, *(each or [fill(draft, {"remind_at": at})]))
    if over:
        return _tomorrow_instead(datetime.fromisoformat(over), draft, clause, situation)
    asked = f"When shall I remind you about {quote(str(draft.fields['task']))}?"
    return ask_for("when", asked, draft, clause.text, situation)


def _at_dawn(situation: Situation) -> Situation:
    """Return the situation of one who sleeps."""
    clock = situation.clock
    early = clock.conventions.model_copy(update={"first_morning_hour": min(DAWN, clock.conventions.first_morning_hour)})
    return replace(situation, scene=replace(situation.scene, clock=replace(clock, conventions=early)))


def _task_as_reminder(title: str, at: str, clause: Clause, situation: Situation) -> Outcome | None:
    """Return a task made a reminder: "make the flat tyre a reminder for 6pm"; None where no task is meant."""
    reminder = {"kind": "reminder", "remind_at": at}
    if TURNING & set(loose_words(clause)):
        found = one_named(title or clause.words("g"), (), situation, ("todo",))
        if found.only:
            return update(clause.text, found.only, reminder, fit=found.fit)
    made = None if title else _task_just_made(clause, situation)
    return update(clause.text, made, reminder) if made else None


def _task_just_made(clause: Clause, situation: Situation) -> Item | None:
    """Return the task that this message just made; None where a reminder is about something else."""
    latest = situation.item(situation.touched[-1]) if situation.touched else None
    if latest is None or latest.id not in situation.drafts or not isinstance(latest.record, ToDo):
        return None
    other = day_of(latest, situation.clock) is None and _counts_from_it(clause)
    rings = latest.record.remind_at is not None or not all(map(is_pointing, names_in(clause)))
    return None if other or rings else latest


def _tomorrow_instead(at: datetime, draft: Proposal, clause: Clause, situation: Situation) -> Outcome:
    """Return the question for another time of a reminder that is over; an hour of today is offered for tomorrow."""
    at, name = at.astimezone(situation.clock.zone), quote(str(draft.fields["task"]))
    if at.date() != situation.now.date():
        asked = f"That would have been {say_when(at, situation.now)}. When shall I remind you about {name}?"
        return ask_for("when", asked, draft, clause.text, situation)
    asked = f"{say_clock(at)} has passed. Shall I remind you about {name} tomorrow at {say_clock(at)}?"
    return ask_for("when", asked, draft, clause.text, situation, [label_of(at + timedelta(days=1))])


def _timer(clause: Clause, title: str, situation: Situation) -> Outcome | None:
    """Return a reminder so long from now; None where a time is said or no length is."""
    said = tokens(clause.words("w"))
    length = clause.words("d")
    seconds = seconds_in(length, situation) if clause.all("d") and not said else None
    if length.strip().isdigit():
        seconds = int(length) * 60
    if len(said) == 2 and said[0] == "in" and said[1].isdigit():  # noqa: PLR2004 - "in 20": minutes
        seconds = int(said[1]) * 60
    if not seconds:
        return None
    begun = situation.now.astimezone(UTC) + timedelta(seconds=seconds)
    at = forms.instant(begun.astimezone(situation.now.tzinfo))
    fields = {"task": title or "timer", "kind": "reminder", "remind_at": at} | ({} if said else {"tags": [TIMER_TAG]})
    return do(clause.text, Proposal(op="create", kind="todo", fields=fields, reason="you asked for a timer"))


def _count_from_record(clause: Clause, slots: Slots, title: str, situation: Situation) -> None:
    """Read a time that counts from something stored, whose name stands behind it as a name or as the title."""
    words = clause.words("w")
    repeated = slots.repeat
    words = words.replace(repeated.text, " ") if repeated else words
    before = situation.ask.text[: clause.start]
    written = anchor.count_from(words, clause.words("g") or clause.words("v"), situation, before) if words else ""
    if not written and title and words:
        written = anchor.count_from(words, title, situation)
    said = set(loose_words(clause))
    if not words and clause.all("g") and said & {"when", "once", "as"} and said & {*ENDING, "starts", "begins"}:
        written = anchor.edge_of(clause.words("g"), situation, end=bool(said & ENDING))
    if written:
        slots.times = [*find_times(written, situation.clock), *([repeated] if repeated else [])]
    elif words and (then := anchor.on_that_day(words, situation)):
        slots.times = then
    elif words and anchor.is_counted(words, situation):
        slots.times = []  # "the day after the fair at 3" is not today at 3 where nobody knows the fair
    slots.times = anchor.asked_then(clause, situation, slots.times) or slots.times


def _counts_from_it(clause: Clause) -> bool:
    """Return whether a time counts from what was spoken of, which then has a day: "the day before"."""
    return bool((anchor.BEFORE_WORDS | anchor.AFTER_WORDS) & set(tokens(clause.words("w"))[-1:]))


def _about(clause: Clause, situation: Situation) -> str:
    """Return what a reminder without a title is about: what this message or the last turn made, or what is named."""
    if clause.all("g") and not is_pointing(clause.words("g")):
        named = ground(clause, situation).only
        return named.title if named else clause.words("g").strip(EDGES)
    counted_from = anchor.anchor_of(clause.words("w"), situation) if clause.all("w") else None
    if counted_from is not None:
        return counted_from.title
    asked = [one.pending.proposals for share in situation.shares[-1:] for one in share.questions]
    wanted = [str(item.fields.get("title") or item.fields.get("task") or "") for some in asked for item in some]
    if wanted and not situation.touched:
        return wanted[0]  # what this message asks about, and not what came before it
    counted = _counts_from_it(clause)
    about = pointed_at("them" if counted else "it", situation, STORED)
    dated = [item for item in about if counted and day_of(item, situation.clock)]
    return (dated or about)[-1].title if about else ""


def event(clause: Clause, situation: Situation) -> Outcome:
    """Return an appointment, once for each day that is named; its time is asked for where none is said."""
    title = without_article(_with_its_noun(clause) or title_of(clause, "g", "q") or _what_is(clause))
    if not title:
        return _ask_for_name(clause, situation)
    slots = details_of(clause, title, situation)
    _count_from_record(clause, slots, title, situation)
    if not slots.repeat:
        slots.times = on_each_of_range(_from_first_day(slots.times, situation), situation.clock)
    events.in_the_evening(slots, title, situation.now)
    if BLOCKING & set(loose_words(clause)):
        events.for_the_whole_stretch(slots)
    fields: dict[str, Any] = {"title": title} if clause.all("t") or not clause.all("g") else {}
    fields |= {"location": slots.place} if slots.place else {}
    fields |= {"busy": False} if is_free_day(title) else {}
    like = _likeness(clause, slots, situation)
    fields = {"title": title} | _work_on(title, situation) | like | fields
    draft = Proposal(op="create", kind="event", fields=fields, reason="you asked to schedule it")
    either = either_time(clause, slots, situation.clock)
    if len(either) > 1:
        return _which_time(draft, either, clause, situation)
    if not slots.repeat and (undated := hours_of_days(slots.times, situation.clock)):
        return _which_time(draft, undated, clause, situation)
    times = _with_rounds(slots, _each_time(slots, title, situation)) or _all_day(clause, slots.when)
    if not times or _backwards(slots.when):
        return _when(draft, slots, clause, situation)
    drafts = [fill(draft, each) for each in times]
    if slots.repeat and clause.all("x"):
        drafts = [_without_excepted(clause, one, situation) for one in drafts]
    over = str(times[0]["start"])[:10] < forms.day(situation.now)
    back = over and anchor.is_counted(clause.words("w"), situation)
    unsure = back or is_pointing(title) or conflicting(slots.times) or are_choices(clause)
    return do(clause.text, *drafts, fit=0.4 if unsure else 1.0)


def _ask_for_name(clause: Clause, situation: Situation) -> Outcome:
    """Return the question what a time is called that is kept free: "block that day out"."""
    slots = details_of(clause, "", situation)
    _count_from_record(clause, slots, "", situation)
    events.for_the_whole_stretch(slots)
    times = events.times_said(slots, "", situation.scene) or _whole_days(slots.when)
    if not times or not BLOCKING & set(loose_words(clause)):
        return not_understood(clause.text)
    draft = Proposal(op="create", kind="event", fields=times[0], reason="you asked to keep it free")
    return ask_for("rephrase", "What shall I call it?", draft, clause.text, situation)


def _without_excepted(clause: Clause, draft: Proposal, situation: Situation) -> Proposal:
    """Return a new series without the rounds that are excepted of it: "every tuesday, but not next week"."""
    after = preview(draft, DRAFT, None, situation.ask)
    made = Event.model_validate(after) if after else None
    out = rounds_on_days(made, clause.words("x"), situation) if made else []
    return fill(draft, without(made, out).fields) if made and out else draft


def _what_is(clause: Clause) -> str:
    """Return what words tell of that were taken for something to note: "rehearsals are"."""
    return " ".join(word for word in title_of(clause, "c").split() if word.lower() not in BEING)


def _from_first_day(times: Sequence[FoundTime], situation: Situation) -> list[FoundTime]:
    """Return an hour on the first day that is said with it where nothing repeats: "at 8, starting monday"."""
    days = [found for found in times if found.kind == "open_after" and found.day_said and not found.timed]
    hours = [found for found in times if found.timed and not found.day_said and found.kind in ("point", "interval")]
    if len(days) != 1 or len(hours) != 1 or len(times) != 2 or days[0].start is None:  # noqa: PLR2004 - one of each
        return list(times)
    return [on_day(hours[0], days[0].start.date(), situation.clock)]


def _likeness(clause: Clause, slots: Slots, situation: Situation) -> dict[str, Any]:
    """Return what a copy of a stored appointment has of it, "copy the dentist to friday": place and notes.

    Its length and its hour are added to the times of the clause.
    """
    if clause.all("t") or not clause.all("g"):
        return {}
    item = ground(clause, situation, ("event",)).only
    event = item.record if item else None
    if not isinstance(event, Event) or not isinstance(event.start, datetime):
        return {}
    if isinstance(event.end, datetime):
        slots.minutes = slots.minutes or round((event.end - event.start).total_seconds() / 60)
    when = slots.when
    if when and when.day_said and not when.timed and when.start:
        hour = event.start.astimezone(situation.clock.zone)
        start = when.start.replace(hour=hour.hour, minute=hour.minute)
        slots.change_time(when, start=start, end=None, timed=True, grain="minute")
    own = {"title": event.title, "location": event.location, "notes": event.notes}
    return {name: value for name, value in own.items() if value}


def _work_on(title: str, situation: Situation) -> dict[str, Any]:
    """Return the open task that an appointment of its name is for: "block two hours for the report"."""
    words = words_of(title)
    tasks_called = [item for item in situation.items("todo").find_called(words) if is_open(item)]
    like = [] if tasks_called else candidates(title, situation.items("todo"), is_open)
    near = tasks_called or [item for item in like if words[-1:] == list(item.words[-1:])]
    chosen = [item for item in near if not getattr(item.record, "remind_at", None) and not item.id.startswith(DRAFT)]
    return {"task_id": chosen[0].id} if len(chosen) == 1 else {}


def _with_its_noun(clause: Clause) -> str:
    """Return the title with the noun in front of it that no slot has: "meeting" of "meeting with Ana"."""
    title = title_of(clause, "t")
    if tokens(title)[:1] != ["with"]:
        return title
    before = tokens(clause.text[: clause.all("t")[0].start - clause.start])[-1:]
    return " ".join([*before, title]) if kinds_in(before) else title


def _which_time(draft: Proposal, either: Sequence[FoundTime], clause: Clause, situation: Situation) -> Outcome:
    """Return the question which of several times is meant."""
    times: list[date] = [found.start if found.timed else found.start.date() for found in either if found.start]
    said = say_either(say_moments(times, situation.now)) if len(times) <= MOST_SAID else "which day"
    asked = f"{quote(draft.fields['title'])}: {said}?"
    ends = [found.end if found.timed else None for found in either if found.start]
    return ask_for("when", asked, draft, clause.text, situation, list(map(label_of, times, ends)))


def _with_rounds(slots: Slots, times: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return hours on as many days in a row as are said beside them: "9pm till 7am, three nights"."""
    when, seconds = slots.when, sum(found.seconds or 0 for found in slots.times if found.kind == "duration")
    days, rest = divmod((slots.minutes or 0) * 60 or seconds, DAY_SECONDS)
    lasts = when is not None and when.timed and when.start and when.end
    if not lasts or slots.repeat or len(times) != 1 or days < 2 or rest:  # noqa: PLR2004 - several
        return times
    return [times[0] | {"recurrence": f"FREQ=DAILY;COUNT={days}"}]


def _each_time(slots: Slots, title: str, situation: Situation) -> list[dict[str, Any]]:
    """Return the fields of each time: several days with hours of their own are as many appointments."""
    own = [found for found in slots.times if found.kind in ("point", "interval") and found.timed and found.day_said]
    ends = any(found.role == "until" for found in slots.times)
    if len(own) > 1 and not ends and not slots.repeat and not conflicting(own):
        each = [events.when_fields(replace(slots, times=[found]), title) for found in own]
        return [fields for fields in each if fields]
    return events.times_said(slots, title, situation.scene)


def _backwards(when: FoundTime | None) -> bool:
    """Return whether an end was said before its beginning: "from 5pm to 4pm" is no night of twenty-three hours."""
    lasts = when is not None and when.timed and when.start and when.end
    return bool(lasts) and MAX_EVENT_LENGTH < when.end - when.start < timedelta(days=1)  # type: ignore[union-attr, operator]


def _all_day(clause: Clause, when: FoundTime | None) -> list[dict[str, Any]]:
    said = tokens(clause.text)
    whole = any(first in LASTING_DAY and then in ("day", "of") for first, then in pairwise(said))
    return _whole_days(when) if whole else []


def _whole_days(when: FoundTime | None) -> list[dict[str, Any]]:
    """Return the fields of whole days; none where no day is said."""
    if when is None or when.moment is None or not when.day_said:
        return []
    first: date = when.start or when.moment
    return [{"start": forms.day(first), "end": forms.day(forms.last_day(when) or first), "all_day": True}]


def _when(draft: Proposal, slots: Slots, clause: Clause, situation: Situation) -> Outcome:
    """Return the question for what is missing: the clock time of a day that was said, or both."""
    when, title = slots.when, draft.fields["title"]
    asked = f"{quote(title)}: {'' if slots.repeat else 'which day, and '}what time?"
    if when and when.day_said and when.moment and when.grain == "day" and not slots.repeat:
        day = when.moment.date()
        asked = f"{quote(title)} {on_days(day, day, situation.scene)}: what time?"
        draft.fields["start"] = forms.day(day)
    if slots.repeat and slots.repeat.moment:
        draft.fields |= {"start": forms.day(slots.repeat.moment), "recurrence": slots.repeat.rrule}
    return ask_for("when", asked, draft, clause.text, situation)


def note(clause: Clause, situation: Situation) -> Outcome:
    """Return a note in the user's words, or what the remark before it said."""
    content = _as_written(clause) or title_of(clause, "t", "q")
    content += _going_on(clause, situation) if content else ""
    if (not content or is_pointing(content)) and situation.remarks:
        content = situation.remarks[0].text.strip(EDGES)
    if not content:
        return not_understood(clause.text)
    said = loose_words(clause) + tokens(content)[:1]
    category = next((name for name in CATEGORIES if name in said), "note")
    fields = {"category": category, "content": content, "summary": summary_of(content)} | levels_of(clause, "note")
    dated = any(slot.text not in content for slot in clause.all("w"))
    times = tasks.details(details_of(clause, content, situation)) if dated else {}
    fields |= {name: times[name] for name in ("deadline", "recurrence") if name in times}
    return do(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked to keep it"))


def _going_on(clause: Clause, situation: Situation) -> str:
    """Return the rest of a note that goes on in what was read as a remark: "... and the council has not been"."""
    rest = next(iter(situation.clauses[situation.at + 1 :]), None)
    words = situation.ask.text[clause.end : rest.end] if rest and rest.act == "remark" and not rest.slots else ""
    joint, then = [*tokens(words), "", ""][:2]
    goes_on = joint in GOING_ON and then not in ASIDE and not set(words) & ENDS
    return words.rstrip(EDGES) if goes_on else ""


def _as_written(clause: Clause) -> str:
    """Return the words of a note with the signs between them, and a time behind them that tells of what they say."""
    said = clause.all("c")
    if not said:
        return ""
    start, end = said[0].start - clause.start, said[-1].end - clause.start
    behind = [slot for slot in clause.all("w") if not clause.text[end : slot.start - clause.start].strip()]
    told = " " in clause.text[start:end].strip() and len(behind) == 1 and behind[0].start >= said[-1].end
    words = clause.text[start : behind[0].end - clause.start if told else end]
    return words.strip(EDGES)[:LONGEST_NOTE]


def fact(clause: Clause, situation: Situation) -> Outcome:
    """Return facts about the user as one change of the profile."""
    facts: dict[str, Any] = {}
    for slot, name in profile.FACTS.items():
        if said := clause.all(slot):
            whole = clause.text[said[0].start - clause.start : said[-1].end - clause.start]
            facts[name] = without_article(title_of(clause, slot) if len(said) == 1 else whole)
    if likes := clause.all("flike"):
        facts["interests"] = [slot.text.strip(EDGES) for slot in likes]
    if others := clause.all("fother"):
        facts["facts"] = dict(_named_fact(slot.text.strip(EDGES)) for slot in others)
    if not facts:
        return not_understood(clause.text)
    if others and len(facts) == 1 and _is_of_somebody(clause):
        words = Slot("c", clause.text, clause.start, clause.end, 1.0)
        return note(replace(clause, slots=(words,)), situation)
    since = {name: day for name, words in _since_words(clause) if (day := profile.day_of(words, situation.scene))}
    if since:
        facts["since"] = since
    return Outcome(profile.remember(facts, clause.text, situation.scene))


def _is_of_somebody(clause: Clause) -> bool:
    """Return whether a fact is told of another one than the user: "dad's allergic to nuts"."""
    loose = [word for word in loose_words(clause) if word not in outside_words()]
    own = OWN & {*tokens(clause.text)}
    return bool(loose) and not own


def _since_words(clause: Clause) -> list[tuple[str, str]]:
    """Return the names of facts with the words for since when each holds: those right behind it, else those of all."""
    told = [slot for slot in clause.slots if slot.name in profile.FACTS or slot.name == "fother"]
    times = clause.all("w")
    ends = [*(slot.start for slot in told[1:]), clause.end]
    outside = [slot.text for slot in times if slot.start < told[0].start or slot.start > told[-1].start]
    shared = outside[0] if len(times) == 1 and outside else ""
    shared = shared or (blank_slots(clause) if not times and "since" in loose_words(clause) else "")
    dated: list[tuple[str, str]] = []
    for slot, end in zip(told, ends, strict=False):
        own = next((time.text for time in times if slot.end <= time.start < end), shared)
        dated.append((profile.FACTS.get(slot.name) or _named_fact(slot.text.strip(EDGES))[0], own))
    return [(name, words) for name, words in dated if words]


def _named_fact(said: str) -> tuple[str, str]:
    """Return the name and the value of a fact: "blood type is O negative"; what has no value is its own."""
    words = said.split()
    at = next((n for n, word in enumerate(words) if word.lower() in BEING), 0)
    if not at or at == len(words) - 1:
        return said, said
    value = " ".join(words[at + 1 :]).rstrip(",")
    return " ".join(words[:at]).lower().removeprefix("my "), value.removesuffix(" now").rstrip(",")


def _one_day(text: str, situation: Situation) -> FoundTime | None:
    """Return the one day that words are about; None where they name none, or several, or what comes again."""
    times = find_times(text, situation.clock)
    is_day = len(times) == 1 and times[0].kind == "point" and times[0].day_said and times[0].grain == "day"
    return times[0] if is_day and not times[0].timed and not is_weekday(times[0].text) else None


def rule(clause: Clause, situation: Situation) -> Outcome:
    """Return a standing wish in the user's words."""
    text = title_of(clause, "c") or clause.text.strip(EDGES)
    day = _one_day(text, situation) if clause.topic == "advice" else None
    if day is not None and day.start is not None:  # what is so on one day is no wish: "school is closed on the 18th"
        title = f"{text[: day.span[0]]} {text[day.span[1] :]}".strip(EDGES)
        fields = {"title": " ".join(title.split()), "start": forms.day(day.start), "all_day": True}
        whole = Proposal(op="create", kind="event", fields=fields, reason="it is on one day")
        return ask_to_confirm(clause.text, [whole], situation)
    fields = {"text": text[:2000]}
    draft = Proposal(op="create", kind="instruction", fields=fields, reason="you asked for it from now on")
    surely = bool(clause.all("c")) or clause.sure > SURELY or len(situation.clauses) == 1
    return do(clause.text, draft, fit=1.0 if surely else SURELY)

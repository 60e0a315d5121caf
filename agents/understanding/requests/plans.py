"""Plans told as facts, put on the calendar: "we have a meeting on tuesday at 4", "i'm off friday", "i'm seeing anna at six"."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.contract import Proposal
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.items.anchors import anchored
from agents.understanding.requests import events, tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.slots import Slots
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import EVENT_NOUNS, WHOLE_DAY_NOUNS

P = patterns_of(__name__)
PLAN_REASON = "you told me"
PRONOUNS = frozenset("he she they".split())
LENT = frozenset("kids children boys girls baby dog car van keys house flat day time lot".split())
"""What somebody may have for a while without its being theirs to go to: "sam's got the car tomorrow at five"."""
STATES = frozenset(
    "idea question feeling headache cold lot problem issue thought cat dog kid car house hunch chance deadline".split()
)


def planned(clause: Clause, scene: Scene) -> Share | None:
    """Put a plan on the calendar: "we have a meeting on tuesday at 4", "my trip is from the 3rd to the 7th"."""
    share = _told(replace(clause, text=anchored(clause.text, scene)), scene)
    if share is not None:
        share.proposals = [item.model_copy(update={"reason": PLAN_REASON}) for item in share.proposals]
    return share


def _told(clause: Clause, scene: Scene) -> Share | None:
    seeing = P.SEEING.match(clause.text)
    if seeing:
        return _seen(f"{seeing['what']} {seeing['lead']}".strip(), clause, scene)
    return _of_others(clause, scene) or _under_way(clause, scene)


def _of_others(clause: Clause, scene: Scene) -> Share | None:
    """What somebody else has then, and hours of work."""
    held = P.HAS.match(clause.text)
    working = P.WORKING.match(clause.text)
    rest = _held(held) if held else f"{'cover' if working['cover'] else 'work'} {working['what']}" if working else ""
    return _seen(rest, clause, scene) if rest else None


def _under_way(clause: Clause, scene: Scene) -> Share | None:
    """Journeys, visits, who comes and who is away; what is left is an appointment with its time."""
    journey = P.JOURNEY.match(clause.text)
    if journey:
        way = "flight" if journey["fly"] else "drive" if journey["drive"] else journey["by"]
        return _seen(f"{way} {journey['where']}", clause, scene)
    leaving = P.LEAVING.match(clause.text)
    if leaving and (left := _seen(f"leave {leaving['where']}", clause, scene)):
        return left
    visit = P.VISIT.match(clause.text)
    if visit and (there := _seen(visit["to"] or visit["for"], clause, scene)):
        return there
    arriving = P.ARRIVING.match(clause.text)
    if arriving and (arrival := _arrival(arriving, clause, scene)):
        return arrival
    away = P.GUEST.match(clause.text) or P.GOING.match(clause.text)
    if away:
        return _away(away, clause, scene)
    match = P.PLANNED.match(clause.text)
    return _occurs(match, clause, scene) if match else None


def _occurs(match: re.Match[str], clause: Clause, scene: Scene) -> Share | None:
    """An appointment told with its time: "my trip is from the 3rd to the 7th", "the boiler's booked for friday at nine"."""
    slots = tasks.filled(clause.text, scene, clause)
    when = slots.when
    what = match["what"] or match["told"]
    if (
        not _occasion(what, slots)
        or when is None
        or when.role == "deadline"
        or when.moment is None
        or when.moment < scene.now
        or choose.search(what, scene, ("event",), lambda _: True, None)
    ):
        return None
    rest = clause.text[match.start("what" if match["what"] else "told") :]
    if P.MORE_TOLD.search(rest):
        return None
    return events.schedule(Intent("schedule", 0.7, {"rest": P.IS_SET.sub(",", rest, count=1)}), clause, scene)


def _occasion(what: str, slots: Slots) -> bool:
    """Whether a plan is an appointment: by its name, or by a clock time and a name that is no mere state."""
    words = set(what.lower().split())
    when = slots.when
    timed = (
        when is not None
        and when.timed
        and when.role == "when"
        and (
            P.HAVING.match(slots.text) is not None
            or (when.day_said and slots.repeat is None and P.IS_SET.search(slots.text) is not None)
        )
    )
    yearly = slots.repeat is not None and bool(WHOLE_DAY_NOUNS & words)
    return yearly or bool(EVENT_NOUNS & words) or (timed and not words & STATES)


def _seen(rest: str, clause: Clause, scene: Scene) -> Share | None:
    """An appointment told with its clock time, and its day if its name does not say what it is: "i have yoga at 6"."""
    slots = tasks.filled(rest, scene, clause)
    when = slots.when
    if (
        when is None
        or not when.timed
        or not (when.day_said or slots.repeat or EVENT_NOUNS & set(slots.title.lower().split()))
        or when.role != "when"
        or not (when.kind == "interval" or P.BY_CLOCK.search(rest))
    ):
        return None
    if (when.moment and when.moment < scene.now) or set(slots.title.lower().split()) & STATES:
        return None
    return events.schedule(Intent("schedule", 0.7, {"rest": rest}), clause, scene)


def _held(held: re.Match[str]) -> str:
    """What somebody else has, with its owner: "dad's got the memory clinic on thursday at ten" is dad's."""
    if held["what"].split()[0].lower() in LENT:
        return ""
    who = held["who"].removeprefix("my ").removeprefix("the ")
    if P.WITH_ME.search(held["what"]):
        return f"{P.WITH_ME.sub(f'with {who}', held['what'])} {held['lead']}".strip()
    whose = "" if who.lower() in PRONOUNS else f"{held['who']}' " if who.endswith("s") else f"{held['who']}'s "
    return f"{whose}{held['what']} {held['lead']}".strip()


def _arrival(arriving: re.Match[str], clause: Clause, scene: Scene) -> Share | None:
    """Who or what comes or goes at a day and hour: "the plumber is coming tomorrow between 8 and 10"."""
    who = arriving["who"].removesuffix("'s")
    deed = f" {arriving['deed']}" if P.KEPT_DEEDS.match(arriving["deed"] + arriving["rest"]) else ""
    rest = f"{who}{deed}{arriving['rest']}"
    slots = tasks.filled(arriving["rest"], scene, clause)
    when = slots.when
    if (
        when is None
        or not (when.timed and (when.day_said or slots.repeat or not scene.alone))
        or not (when.end is not None or P.BY_CLOCK.search(arriving["rest"]))
        or when.role != "when"
        or when.moment is None
        or when.moment < scene.now
        or choose.search(who, scene, ("event",), lambda _: True, None)
    ):
        return None
    return events.schedule(Intent("schedule", 0.7, {"rest": rest}), clause, scene)


def _away(going: re.Match[str], clause: Clause, scene: Scene) -> Share | None:
    """Whole days away: "we're going camping from the 11th to the 13th"."""
    slots = tasks.filled(going["what"], scene, clause)
    when = slots.when
    if when and when.timed and when.day_said and P.GERUND.match(going["what"]):
        return _seen(going["what"], clause, scene)
    if when is None or when.moment is None or when.moment < scene.now or not slots.title:
        return None
    if when.timed and not (when.kind == "interval" and when.day_said):
        return None
    if when.timed:
        events.in_the_evening(slots, slots.title, scene.now)
        drafts = [{"title": slots.title} | times for times in events.times_said(slots, slots.title, scene)]
        return change(
            clause.text, *[Proposal(op="create", kind="event", fields=one, reason=PLAN_REASON) for one in drafts]
        )
    long = when.kind == "interval" or when.grain in ("weekend", "week")
    if not long and not (P.OFF_WORK.match(going[0]) and when.day_said and when.moment.date() > scene.now.date()):
        return None
    times = events.when_fields(slots, slots.title) or {
        "start": forms.day(when.moment),
        "end": forms.day(when.moment),
        "all_day": True,
    }
    fields = {"title": events.WHO.sub("", slots.title)} | times
    return (
        change(clause.text, Proposal(op="create", kind="event", fields=fields, reason=PLAN_REASON))
        if len(fields) > 1
        else None
    )

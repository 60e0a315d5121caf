"""Plans told as facts, put on the calendar: "we have a meeting on tuesday at 4", "i'm off friday", "i'm seeing anna at six"."""

from __future__ import annotations

import re
from dataclasses import replace

from agents.contract import Proposal
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

STANDS = r"(?:\s(?:is|are|starts?|begins?)|'s)(?:\s(?:now\s|all\s)?(?:booked(?:\sin)?|scheduled|arranged|set|confirmed|down))?"
DAY = (
    r"an? week|on(?! me\b| us\b)|at|from|this|next|tomorrow|today|tonight|\w+day|"
    r"the (?:\d|first\b|second\b|third\b|\w+(?:st|nd|rd|th)\b)|january|february|march|april|may|june|july|august|september|october|november|december"
)
PLANNED = re.compile(
    r"(?:(?:i|we)(?:'ve| have)?(?: got)?\s+(?:a|an|my|the|our)\s+|(?:there's|there is)\s+(?:a|an)\s+|(?:my|"
    r"our)\s+)(?P<what>[\w' -]{2,60}?)(?=\s+(?:is|on|at|from|this|next|tomorrow|today|tonight|with|in|every)\b)|"
    rf"(?:(?:his|her|their|the)\s+)?(?P<told>(?!(?:it|that|this|there|what|which|he|she|they|i|we|you)(?:'\w+)?\b)[\w' -]{{2,60}}?)(?={STANDS}\s(?:for|{DAY})\b)",
    re.IGNORECASE,
)
HAS = re.compile(
    r"(?P<lead>(?:(?:every|each|on|tomorrow|next|this)\b.{0,50}?\s)?)(?P<who>(?:(?:my|our|the)\s)?(?!(?:it|that|this|there|what|who|which|i|we|you|everyone|nobody)\b)[\w-]+)"
    r"(?:'s got|\s(?:has|have)(?: got)?)\s+(?!to\b|no\b|now\b|just\b|been\b|gone\b|come\b|said\b|had\b|made\b|done\b|sent\b|left\b|\w+(?:ly|ed|wn|tten|ken|ven)\b|never\b|already\b)"
    r"(?:(?:an?|the|its|his|her|their)\s)?(?P<what>[^,.;]{3,120})$",
    re.IGNORECASE,
)
PLAN_REASON = "you told me"
WITH_ME = re.compile(r"\bwith (?:me|us)\b", re.IGNORECASE)
PRONOUNS = frozenset("he she they".split())
LENT = frozenset("kids children boys girls baby dog car van keys house flat day time lot".split())
"""What somebody may have for a while without its being theirs to go to: "sam's got the car tomorrow at five"."""
WORKING = re.compile(
    r"(?:i'm|i am|i'll be|we're|we are|we'll be)\s+(?:working|(?P<cover>covering(?=\s(?:for\s|[\w-]+'s\s|.{0,20}\bshift\b)))|on shift|at work)\s+(?P<what>.{3,120})$",
    re.IGNORECASE,
)
GOING = re.compile(
    r"(?:(?:i'm|i am|we're|we are|i'll be|we'll be)\s+(?:going\s+(?:to be\s+|on\s+|to\s+)?|(?=travel|away|off|out|on|in\b|at\b|with\b|down\b|up\b|over\b|"
    r"visiting|camping|hiking|staying))|(?=closed for|away|out of (?:office|town)|ooo|off work|working from home|wfh|on (?:annual )?leave)\b)(?P<what>.{3,120})$",
    re.IGNORECASE,
)
GUEST = re.compile(
    r"(?P<what>(?!(?:it|that|this|there|he|she|they|what|who)\b)(?:(?:my|our|the)\s+[\w' -]{2,40}?|[a-z]+(?: and (?:my |our )?[a-z]+)?)(?:\s+(?:is|are|will be)|'s|'re)\s+(?:in town|coming (?:over|to stay|to visit|up|down)|here|visiting|staying|over|away|abroad|on (?:holiday|vacation|leave))\b.{3,80})$",
    re.IGNORECASE,
)
ARRIVING = re.compile(
    r"(?:(?:so|and|oh|by the way|fyi)[\s,]+)*(?P<who>(?:(?:my|our|the|his|her|a|an|some|two|three)\s)?(?!(?:it|that|this|there|he|she|they|what|who|which|everyone|nobody|i|we|you)\b)"
    r"[\w'-]+(?:\s(?!is\b|are\b|was\b)[\w'&-]+){0,5}?)"
    r"(?:\s(?:is|are|will be)|'s|'re)?\s(?P<deed>com(?:ing|es?)(?:\s(?:over|by|round|around|here|in))?|dropping (?:by|in)|stopping by|visiting|arriv(?:es?|ing)|lands?|landing|leav(?:es?|ing)|depart(?:s|ing)?|"
    r"takes off|taking off|gets in|getting in|(?<=is )here|(?<='s )here)"
    r"\b(?P<rest>.{3,100})$",
    re.IGNORECASE,
)
GERUND = re.compile(r"(?!(?:being|doing|having|getting)\b)\w{3,}ing\b", re.IGNORECASE)
KEPT_DEEDS = re.compile(r"(?:arriv|land|get|(?:leav|depart)\w+ (?:for|from)\b)", re.IGNORECASE)
OFF_WORK = re.compile(
    r"(?:(?:i'm|i am|i'll be|we're|we are|we'll be)\s+(?:going\s+(?:to be\s+)?)?)?(?:on\s+)?(?:off|working from home|wfh|away|out of (?:the )?(?:office|town)|ooo|leave|holiday|vacation|pto|annual leave)\b",
    re.IGNORECASE,
)
BY_CLOCK = re.compile(r"\b(?:at|from|o'clock|noon|half past|quarter)\b|\d", re.IGNORECASE)
SEEING = re.compile(
    r"(?P<lead>(?:(?:every|each|on|tomorrow|next|this)\b.{0,50}?\s)?)(?:(?:i'm|i am|we're|we are)\s+(?:seeing|meeting(?: with)?|having(?: an?)?|getting my|playing)|(?:i|we)(?: have|'ve got))\s+"
    r"(?!to\b|been\b|\w+ed\b|no\b|never\b|had\b|an idea\b)(?P<what>.{3,120})$",
    re.IGNORECASE,
)
JOURNEY = re.compile(
    r"(?:i'm|we're|i am|we are)\s+(?:(?P<fly>flying)|(?P<drive>driving)|(?:taking|getting|catching)\s(?:the|a)\s(?P<by>train|bus|ferry|coach|flight|plane|eurostar))\s+"
    r"(?P<where>(?:(?:out|over|up|down|back|home)\s)?(?:to|from)\s.{3,100})$",
    re.IGNORECASE,
)
LEAVING = re.compile(
    r"(?:i|we)(?:'m|'re| am| are)?\s(?:leave|leaving|set off|setting off|head off|heading off|head out|heading out)\s(?P<where>(?:for|to)\s.{3,100})$",
    re.IGNORECASE,
)
VISIT = re.compile(
    r"(?:i'm|we're|i am|we are)\s+(?:going|off|heading|popping)\s+(?:(?:over|out|down|up|round|back)\s)?(?:to\s+(?P<to>(?:the|an?|my|our|his|her|their|[\w-]+'s)\s.{3,100})|for\s+(?P<for>.{3,100}))$",
    re.IGNORECASE,
)
HAVING = re.compile(r"(?:i|we)(?:'ve| have)\b|(?:there's|there is)\b", re.IGNORECASE)
IS_SET = re.compile(rf"{STANDS}(?:\sfor)?(?=\s(?:{DAY})\b)", re.IGNORECASE)
MORE_TOLD = re.compile(
    r"\b(?:and|so|but)\s(?:(?:i|we|he|she|they)(?:'\w+)?|[\w-]+\s(?:can't|cannot|won't|isn't|aren't|can|is|are|has|have|will|wants|needs|said|says))\s",
    re.IGNORECASE,
)
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
    seeing = SEEING.match(clause.text)
    if seeing:
        return _seen(f"{seeing['what']} {seeing['lead']}".strip(), clause, scene)
    return _of_others(clause, scene) or _under_way(clause, scene)


def _of_others(clause: Clause, scene: Scene) -> Share | None:
    """What somebody else has then, and hours of work."""
    held = HAS.match(clause.text)
    working = WORKING.match(clause.text)
    rest = _held(held) if held else f"{'cover' if working['cover'] else 'work'} {working['what']}" if working else ""
    return _seen(rest, clause, scene) if rest else None


def _under_way(clause: Clause, scene: Scene) -> Share | None:
    """Journeys, visits, who comes and who is away; what is left is an appointment with its time."""
    journey = JOURNEY.match(clause.text)
    if journey:
        way = "flight" if journey["fly"] else "drive" if journey["drive"] else journey["by"]
        return _seen(f"{way} {journey['where']}", clause, scene)
    leaving = LEAVING.match(clause.text)
    if leaving and (left := _seen(f"leave {leaving['where']}", clause, scene)):
        return left
    visit = VISIT.match(clause.text)
    if visit and (there := _seen(visit["to"] or visit["for"], clause, scene)):
        return there
    arriving = ARRIVING.match(clause.text)
    if arriving and (arrival := _arrival(arriving, clause, scene)):
        return arrival
    away = GUEST.match(clause.text) or GOING.match(clause.text)
    if away:
        return _away(away, clause, scene)
    match = PLANNED.match(clause.text)
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
    if MORE_TOLD.search(rest):
        return None
    return events.schedule(Intent("schedule", 0.7, {"rest": IS_SET.sub(",", rest, count=1)}), clause, scene)


def _occasion(what: str, slots: Slots) -> bool:
    """Whether a plan is an appointment: by its name, or by a clock time and a name that is no mere state."""
    words = set(what.lower().split())
    when = slots.when
    timed = (
        when is not None
        and when.timed
        and when.role == "when"
        and (
            HAVING.match(slots.text) is not None
            or (when.day_said and slots.repeat is None and IS_SET.search(slots.text) is not None)
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
        or not (when.kind == "interval" or BY_CLOCK.search(rest))
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
    if WITH_ME.search(held["what"]):
        return f"{WITH_ME.sub(f'with {who}', held['what'])} {held['lead']}".strip()
    whose = "" if who.lower() in PRONOUNS else f"{held['who']}' " if who.endswith("s") else f"{held['who']}'s "
    return f"{whose}{held['what']} {held['lead']}".strip()


def _arrival(arriving: re.Match[str], clause: Clause, scene: Scene) -> Share | None:
    """Who or what comes or goes at a day and hour: "the plumber is coming tomorrow between 8 and 10"."""
    who = arriving["who"].removesuffix("'s")
    deed = f" {arriving['deed']}" if KEPT_DEEDS.match(arriving["deed"] + arriving["rest"]) else ""
    rest = f"{who}{deed}{arriving['rest']}"
    slots = tasks.filled(arriving["rest"], scene, clause)
    when = slots.when
    if (
        when is None
        or not (when.timed and (when.day_said or slots.repeat or not scene.alone))
        or not (when.end is not None or BY_CLOCK.search(arriving["rest"]))
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
    if when and when.timed and when.day_said and GERUND.match(going["what"]):
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
    if not long and not (OFF_WORK.match(going[0]) and when.day_said and when.moment.date() > scene.now.date()):
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

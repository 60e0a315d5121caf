"""Times told by an event: "the day before the eye test", "an hour before my flight", as a date and a clock time."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from dateutil.relativedelta import relativedelta

from agents.records import Event
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, pointed
from agents.understanding.items.occurrences import busy
from agents.understanding.items.told import is_open
from agents.understanding.references import words_of
from agents.understanding.scene import Scene

COUNTS = {
    "a": 1, "an": 1, "the": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10, "fifteen": 15, "twenty": 20,
    "thirty": 30, "forty": 40, "forty-five": 45, "ninety": 90, "half an": 0.5, "half": 0.5, "a couple of": 2, "an hour and a half": 1.5,
}  # fmt: skip
WEEK = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
ANCHORED = re.compile(
    rf"(?P<count>{'|'.join(sorted(COUNTS, key=len, reverse=True))}|\d{{1,3}})\s+(?P<unit>day|night|evening|morning|week|hour|"
    rf"minute|min|weekend|(?:{'|'.join(WEEK)})day)s?\s+(?P<way>before|after|ahead of|of)\s+(?P<what>(?!i\b|we\b|you\b|that\b|noon\b|midnight\b|\d)[\w' -]{{2,50}}?)"
    r"(?=\s+(?:to|about|that|at|on)\b|\s*[,.]|$)",
    re.IGNORECASE,
)
# "the flight to penang to check in": one "to" may be of the name; so may the last one of all.
WITH_TO = ANCHORED.pattern.replace("{2,50}?)", "{2,50})")
TO_ITS_END = re.compile(WITH_TO.replace("|at|on)\\b|\\s*[,.]|$)", ")\\b)"), re.IGNORECASE)
TO_THE_END = re.compile(WITH_TO.replace("\\s+(?:to|about|that|at|on)\\b|", ""), re.IGNORECASE)
HOURS = frozenset({"hour", "minute", "min"})
CLOCKS = {"night": "20:00", "evening": "19:00", "morning": "09:00"}
AHEAD = timedelta(days=366)
P = patterns_of(__name__)

BEFORE_IT = re.compile(
    rf"(?P<count>{'|'.join(sorted(COUNTS, key=len, reverse=True))}|\d{{1,3}})\s+(?P<unit>day|night|evening|morning|week|hour|minute|min)s?\s+"
    r"(?P<way>before|after|earlier|ahead)(?:hand|\s+(?:(?:it|that|he|she|they)\s+(?:comes?|starts?|arrives?|begins?|leaves?|gets? here|(?:is|are) here|(?:is|are) due)|it|that|then))?(?=\s+(?:to|about|that)\b|\s*[,.]|$)",
    re.IGNORECASE,
)


def anchored(text: str, scene: Scene) -> str:
    """The text with such a time written out; unchanged when no one event is meant."""
    lone = BEFORE_IT.search(text)
    begins = _just_booked(scene, lone["unit"].lower()) if lone else None
    if lone and begins:
        return f"{text[: lone.start()]}{_written(lone, begins)}{text[lone.end() :]}"
    named = P.OF_IT.sub("", text[: lone.start()]).strip(" ,") if lone and lone.end() == len(text) else ""
    start = _start(named, scene) if named else None
    if lone and start:
        return f"“{named}” {_written(lone, start)}"
    for form in (TO_THE_END, TO_ITS_END, ANCHORED):
        match = form.search(text)
        if match and form is not ANCHORED and not _in_full(match["what"], scene):
            continue
        start = _known(match, scene) if match else None
        if match and start:
            return f"{text[: match.start()]}{_written(match, start)}{text[match.end() :]}"
    return text


def hanging(text: str, scene: Scene) -> list[tuple[int, int]]:
    """Where a text counts from something whose day nobody knows: "the day after the exam"; times there are none."""
    found = [match for form in (ANCHORED, P.HANGING) for match in form.finditer(text) if not _is_time(match, scene)]
    return [match.span() for match in found]


def _is_time(match: re.Match[str], scene: Scene) -> bool:
    """Whether words count from a time: "the week before christmas", "the monday of next week"."""
    named, counted = match.groupdict(), match[0]
    if named.get("way") == "of" and named["count"].lower() != "the":
        return True
    return any(found.span[1] == len(counted) and found.day_said for found in find_times(counted, scene.clock))


def _known(match: re.Match[str], scene: Scene) -> datetime | None:
    """When what is counted from begins: an event, a task that ends, or a day told of in the profile."""
    what, short = match["what"], match["unit"].lower() in ("hour", "minute", "min")
    if match["way"].lower() == "of" and match["count"].lower() != "the":
        return None
    return _start(what, scene) or _due(what, scene) or (None if short else _fact(what, scene))


def _fact(what: str, scene: Scene) -> datetime | None:
    """The next time that a day of the profile comes round: "my brother's birthday"."""
    facts = scene.ask.records.profile.facts if scene.ask.records.profile else {}
    told = next((value for name, value in facts.items() if set(words_of(name)) == set(words_of(what))), "")
    day = next((found.moment for found in find_times(told, scene.clock) if found.day_said and found.moment), None)
    while day and day.date() < scene.now.date():
        day += relativedelta(years=1)
    return day


def ahead(words: str, start: datetime) -> str:
    """Words that are nothing but a time before something, with its beginning known: "two hours before"; else empty."""
    lone = BEFORE_IT.fullmatch(words.strip())
    return _written(lone, start) if lone else ""


def _in_full(what: str, scene: Scene) -> bool:
    """Whether all of the words are of one event's name."""
    found = choose.search(what, scene, ("event",), lambda _: True, None)
    return len(found) == 1 and set(words_of(what)) <= set(words_of(found[0].title))


def told_before(text: str, scene: Scene) -> str:
    """The name of the event that this message booked just before, when a reminder is for some time before it."""
    lone, said = BEFORE_IT.search(text), ANCHORED.search(text)
    if said and not lone:
        return said["what"].removeprefix("the ").removeprefix("my ")
    names = [
        str(item.fields.get("title", ""))
        for share in scene.before[-1:]
        for item in share.proposals
        if item.kind == "event"
    ]
    return names[-1] if lone and names else (_talked_of(scene) if lone else "") or _open_task_of(scene)


def _open_task_of(scene: Scene) -> str:
    """The one open task that the story before is about: "I never gave Jonas his pump back. Remind me on Thursday?"."""
    told = choose.search("it", scene, ("todo",), is_open, None) if scene.story else []
    return told[0].title if len(told) == 1 else ""


def _just_booked(scene: Scene, unit: str) -> datetime | None:
    """When the event begins that this message booked just before; whole days have no hours to count from."""
    starts = [
        item.fields.get("start") for share in scene.before[-1:] for item in share.proposals if item.kind == "event"
    ]
    said = str(starts[-1]) if starts and starts[-1] else ""
    if not starts and (scene.told or _talked_of(scene)):
        return _start("it", scene) or _deadline_of(scene)
    if len(said) == len("2026-11-18"):
        return datetime.fromisoformat(said).replace(tzinfo=scene.clock.zone) if unit not in HOURS else None
    return datetime.fromisoformat(said) if said else None


def _deadline_of(scene: Scene) -> datetime | None:
    """The hour by which the one task that the last reply was about has to be done."""
    found = pointed.lately(scene, ("todo",))
    due = getattr(found[0].record, "deadline", None) if len(found) == 1 else None
    return due if isinstance(due, datetime) else None


def _talked_of(scene: Scene) -> str:
    """The one event, or else the one task with an hour, that the last reply was about."""
    found = pointed.lately(scene, ("event",)) if scene.ask.recent and not scene.before else []
    if not found and scene.ask.recent and not scene.before and _deadline_of(scene):
        found = pointed.lately(scene, ("todo",))
    return found[0].title if len(found) == 1 and found[0].title.lower() in scene.ask.recent[-1].replied.lower() else ""


def _start(what: str, scene: Scene) -> datetime | None:
    found = choose.search(what, scene, ("event",), lambda _: True, None)
    if len(found) != 1 or not isinstance(found[0].record, Event):
        return None
    coming = [slot.start for slot in busy(scene, scene.now, scene.now + AHEAD) if slot.event.id == found[0].id]
    return coming[0] if coming else None


def _due(what: str, scene: Scene) -> datetime | None:
    """The day on which what a task is about ends: "a week before the pass expires"."""
    found = (
        choose.search(P.ENDING.sub("", what), scene, ("todo",), lambda _: True, None) if P.ENDING.search(what) else []
    )
    day = found[0].day if len(found) == 1 else None
    return datetime(day.year, day.month, day.day, tzinfo=scene.clock.zone) if day else None


def _written(match: re.Match[str], start: datetime) -> str:
    unit, count = match["unit"].lower(), _count(match["count"].lower())
    sign = {"after": 1, "of": 0}.get(match["way"].lower(), -1)
    if unit in HOURS:
        return f"on {start + sign * timedelta(minutes=count * (60 if unit == 'hour' else 1)):%Y-%m-%d at %H:%M}"
    name = "satur" if unit == "weekend" else unit.removesuffix("day")
    if name in WEEK:
        to = (WEEK.index(name) - start.weekday()) * (sign or 1) % 7 or 7
        return f"on {start.date() + (sign or 1) * timedelta(days=to):%Y-%m-%d}"
    day: date = start.date() + sign * timedelta(days=round(count * (7 if unit == "week" else 1)))
    return f"on {day:%Y-%m-%d}" + (f" at {CLOCKS[unit]}" if unit in CLOCKS else "")


def _count(word: str) -> float:
    return COUNTS.get(word) or float(word)

"""Questions about the calendar itself: which weekday a date is, and how long it is until then."""

from __future__ import annotations

from datetime import date

from agents.dates_in_words import MONTHS, WEEKDAYS
from agents.phrases import say_count
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import pointed
from agents.understanding.questions import queries
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
WEEK = 7


def _of_them(clause: Clause, scene: Scene) -> Share | None:
    """When and where the things are that the last reply named."""
    named = pointed.lately(scene, ("event", "todo"))[:5]
    told = [queries.when_is(Intent("when_is", 0.8, {"rest": item.title}), clause, scene) for item in named]
    lines = dict.fromkeys(line for share in told for line in share.answers)
    return answer(clause.text, *lines) if lines else None


def date_answer(clause: Clause, scene: Scene) -> Share | None:
    """The answer about a date; None when the words are about none."""
    said = clause.text.strip(" .!")
    if P.OF_THEM.fullmatch(said):
        return _of_them(clause, scene)
    which, far = P.WHICH_DAY.fullmatch(said), P.HOW_FAR.fullmatch(said)
    found = which or far
    day = _day(found["when"], scene) if found else None
    if found is None or day is None:
        return None
    named = f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]} {day.year}"
    if which:
        return answer(clause.text, f"That is {named}.")
    days = (day - scene.now.date()).days
    if days < 0:
        return None
    weeks = found["unit"] == "weeks" and days >= WEEK
    left = f"about {say_count(round(days / WEEK), 'week')}" if weeks else say_count(days, "day")
    return answer(clause.text, f"{left[0].upper()}{left[1:]}, until {named}.")


def _day(words: str, scene: Scene) -> date | None:
    """The one day that words are, and nothing besides."""
    times = find_times(words, scene.clock)
    whole = len(times) == 1 and times[0].text.strip() == words.strip()
    point = whole and times[0].kind == "point" and not times[0].timed and times[0].grain == "day"
    return times[0].start.date() if point and times[0].start else None

"""Instructions about when: stretches of the day in which nothing is scheduled, and quiet hours."""

from __future__ import annotations

import re
from typing import Literal

from agents.policies.clock_words import (
    CLOCK,
    DAYS,
    PART,
    clock,
    days_in,
    minutes_of_day,
    part_of_day,
)
from agents.policies.matching import kept, singulars
from agents.policies.rules import QuietTime, Rule, TimeLimit

DAY = 24 * 60
Stretch = tuple[int, int]
NOT = r"(?:never|don't|do not|no|not|nothing|avoid|without|can't|cannot|won't|stop)"
FORBIDS = re.compile(
    rf"\b{NOT}\b(?:\s+(?:ever|want|do|have|take|like|accept|work|let me|i))*\s*"
    r"(?P<verb>schedul\w*|book\w*|plan\w*|put\w*|add\w*|set\w*(?: up)?|arrang\w*|giv\w*|have|tak\w*|remind\w*|ping\w*|notif\w*)?"
    r"\s*(?P<what>.{0,60}?)\s*(?=\b(?:before|after|past|until|till|earlier|later|between|from|on|at|during|in|over)\b|$)"
)
KEEP = re.compile(
    r"\b(?:keep|leave|hold|block|protect|reserve|save)\s+(?P<what>.{2,80}?)\s*\b(?:free|clear|open|empty|blocked|meeting[\s-]free|"
    r"for (?:myself|me|family|lunch|focus\w*|deep work|gym)|off|untouched)\b"
)
PROTECT = re.compile(r"^(?:always\s+)?(?:block(?: off| out)?|protect|reserve)\s+(?:my\s+)?(?P<what>.{2,60})$")
ONLY = re.compile(
    r"\b(?:only\s+(?:ever\s+)?(?:schedul\w*|book\w*|plan\w*|put|have|take|do)\s*(?P<what>.{0,40}?)|(?P<what2>[\w\s]{2,30}?)\s+only)"
    r"\s*(?=\b(?:between|from|in|on|after|before|at)\b)"
)
BEFORE = re.compile(rf"\b(?:before|earlier than|until|till|prior to)\s+(?P<at>{CLOCK})")
AFTER = re.compile(
    rf"\b(?:after|(?<!half )(?<!quarter )past|later than|from)\s+(?P<at>{CLOCK})(?:\s+(?:on|onwards?))?(?!\s*(?:to|until|till|-|and)\s*\d)"
)
BETWEEN = re.compile(rf"(?:\b(?:between|from|during)\s+)?(?P<from>{CLOCK})\s*(?:-|to|and|until|till)\s*(?P<to>{CLOCK})")
QUIET = re.compile(
    r"\bquiet (?:hours|time)\b|\bdo[\s-]not[\s-]disturb\b|\bdnd\b|\b(?:don't|do not|never)\s+(?:ever\s+)?"
    r"(?:disturb|bother|ping|notify|nudge|buzz|wake|message|text)\b|\bno\s+(?:notifications?|pings?|nudges?|messages?)\b"
)
MORNING_END = 7 * 60
ANY_EVENT = frozenset(
    """
    anything something nothing event appointment stuff thing any a an the my me for new more at all in schedule calendar
    it to work day on i us else commitment plan booking so that be is early late i'm and or every one other up want
    """.split()
)
MEETING_WORDS = (
    "meeting",
    "call",
    "sync",
    "standup",
    "interview",
    "review",
    "demo",
    "workshop",
    "catchup",
    "conference",
    "presentation",
)
EVENTFUL = (
    ANY_EVENT | set(MEETING_WORDS) | {"work", "task", "deadline", "class", "lesson", "session", "travel", "stuff"}
)
TODO_WORDS = frozenset({"task", "todo", "deadline", "chore", "reminder", "remind", "habit"})


def quiet_hours(text: str) -> list[Rule]:
    """When nothing nudges."""
    if not QUIET.search(text):
        return []
    span = BETWEEN.search(text)
    if span and (found := _between(span)):
        return [QuietTime(start=clock(found[0]), end=clock(found[1] % DAY))] if found[0] != found[1] % DAY else []
    after, before = AFTER.search(text), BEFORE.search(text)
    start = minutes_of_day(after["at"]) if after else None
    end = minutes_of_day(before["at"]) if before else None
    if start is not None:
        evening = start + 12 * 60 if start < 12 * 60 and "am" not in (after["at"] if after else "") else start
        return [QuietTime(start=clock(evening % DAY), end=clock((end or MORNING_END) % DAY))]
    passing = before is not None and before[0].startswith(("until", "till"))  # today's, which is no standing rule
    return [QuietTime(start="00:00", end=clock(end))] if end and not passing else []


def only(text: str) -> list[Rule]:
    """Scheduled only then: everything else is a limit."""
    match = ONLY.search(text)
    if match is None:
        return []
    rest = text[match.end() :]
    about = _about(match["what"] or match["what2"] or "")
    days = days_in(rest)
    stretches = _stretches(rest)
    open_days = [_limit((0, DAY), day_names=_others(days), about=about)] if days and len(days) < 7 else []
    outside = [
        _limit(part, about=about) for start, end in stretches for part in ((0, start), (end, DAY)) if part[0] < part[1]
    ]
    return [*open_days, *outside]


def never(text: str) -> list[Rule]:
    """Never then: before nine, on fridays, over lunch."""
    kept = KEEP.search(text) or PROTECT.search(text)
    if kept:
        stretches, days = _stretches(kept["what"]), days_in(kept["what"])
        return [_limit(part, day_names=days) for part in stretches or ([(0, DAY)] if days else [])]
    match = FORBIDS.search(text)
    if match is None:
        return []
    if not (match["verb"] or match[0].startswith("nothing") or singulars(match["what"]) <= EVENTFUL):
        return []
    rest, what = text[match.end() :], f"{match['verb'] or ''} {match['what']}"
    stretches, days = _stretches(rest), days_in(f"{rest} {match['what']}")
    kinds = _kinds(what)
    about = tuple(word for word in _about(what) if "todo" not in kinds or not TODO_WORDS & singulars(word))
    whole: list[Stretch] = [(0, DAY)] if days else []
    return [_limit(part, day_names=days, about=about, kinds=kinds) for part in stretches or whole]


def _limit(
    part: Stretch,
    *,
    day_names: tuple[str, ...] = (),
    about: tuple[str, ...] = (),
    kinds: tuple[Literal["event", "todo"], ...] = ("event",),
) -> TimeLimit:
    stated = {"days": day_names, "start": clock(part[0]), "end": clock(part[1]), "about": about, "kinds": kinds}
    return TimeLimit.model_validate(stated)


def _stretches(text: str) -> list[Stretch]:
    """The stretches of a day that words mean: before nine, after six, twelve to one, mornings."""
    span = BETWEEN.search(text)
    if span and (found := _between(span)):
        start, end = found
        return [(start, end)] if start < end else [(start, DAY), (0, end)]
    before, after = BEFORE.search(text), AFTER.search(text)
    early = minutes_of_day(before["at"]) if before else None
    late = minutes_of_day(after["at"]) if after else None
    found_ones: list[Stretch] = []
    if early:
        found_ones.append((0, early))
    if late is not None and late < DAY:
        found_ones.append((late, DAY))
    if found_ones:
        return found_ones
    part = part_of_day(text) if re.search(rf"\b{PART}\b", text) else None
    if part is None:
        return []
    return [(_minutes(part[0]), _minutes(part[1]))]


def _between(match: re.Match[str]) -> Stretch | None:
    start = minutes_of_day(match["from"])
    end = minutes_of_day(match["to"], after=start)
    return None if start is None or end is None else (start, end)


def _minutes(said: str) -> int:
    return int(said[:2]) * 60 + int(said[3:])


def _others(days: tuple[str, ...]) -> tuple[str, ...]:
    from agents.policies.clock_words import WEEK

    return tuple(day for day in WEEK if day not in days)


def _kinds(what: str) -> tuple[Literal["event", "todo"], ...]:
    return ("todo",) if TODO_WORDS & singulars(what) else ("event",)


def _about(what: str) -> tuple[str, ...]:
    said = [word for word in kept(re.sub(rf"\b{DAYS}\b", " ", what), ANY_EVENT) if not _is_verb(word)]
    if any(word.startswith("meeting") for word in said):
        return tuple(dict.fromkeys([*MEETING_WORDS, *said[:2]]))
    return tuple(said)


def _is_verb(word: str) -> bool:
    return re.match(r"(?:schedul|book|plan|put|add|set|arrang|giv|have|tak|do|let|about)", word) is not None

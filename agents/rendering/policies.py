"""A rule in words: what is done from now on."""

from __future__ import annotations

from collections.abc import Sequence

from agents.dates_in_words import say_duration
from agents.languages import WEEKDAYS, say, say_later, weekday_name
from agents.phrases import say_list
from agents.policies.rules import AskOnConflict, ConfirmBefore, Default, QuietTime, Rule, TimeLimit, Tone

VERBS = {
    "create": say_later("add"),
    "update": say_later("change"),
    "complete": say_later("complete"),
    "archive": say_later("archive"),
    "delete": say_later("delete"),
}
URGENT = {
    "todo": say_later("urgent tasks"),
    "event": say_later("urgent events"),
    "note": say_later("urgent notes"),
    "profile": say_later("your profile"),
    "instruction": say_later("urgent instructions"),
}
PRIORITY = {
    "high": say_later("new {things} get high priority unless you say another"),
    "medium": say_later("new {things} get medium priority unless you say another"),
    "low": say_later("new {things} get low priority unless you say another"),
}
LENGTHS = {"short": [say_later("I keep my replies short")], "long": [say_later("I tell the details too")]}
PLURALS = {
    "todo": say_later("tasks"),
    "event": say_later("events"),
    "note": say_later("notes"),
    "profile": say_later("your profile"),
    "instruction": say_later("instructions"),
}


def describe_rules(rules: Sequence[Rule]) -> str:
    """What the rules make me do, as one sentence's end after "from now on": "I ask before I add tasks"."""
    return say_list([_describe_rule(rule) for rule in rules])


def _describe_rule(rule: Rule) -> str:
    match rule:
        case ConfirmBefore():
            acts = say_list([say(VERBS[op]) for op in rule.ops if op in VERBS])
            things = f"{_things(rule.kinds) or say('anything')}{_about(rule.about)}{_days(rule.days)}"
            return say("I ask before I {acts} {things}", acts=acts, things=things)
        case Default():
            return _describe_default(rule)
        case TimeLimit():
            meetings = "meeting" in rule.about
            shown = say("meetings") if meetings else f"{_things(rule.kinds)}{_about(rule.about)}"
            return say("I ask before I put {things} {when}", things=shown, when=_stretch(rule))
        case AskOnConflict():
            return say("I ask before events overlap")
        case QuietTime():
            return say("nothing nudges you from {start} to {end}", start=rule.start, end=rule.end)
        case Tone():
            told = [*map(say, LENGTHS.get(rule.length or "", ())), *([say("I use no emojis")] if rule.plain else [])]
            return say_list(told)


def _things(kinds: Sequence[str]) -> str:
    return say_list([say(PLURALS[kind]) for kind in kinds])


def _describe_default(rule: Default) -> str:
    named = say(URGENT[rule.kind] if rule.urgent else PLURALS[rule.kind])
    things = f"{named}{_about(rule.about)}"
    length = say_duration(rule.value) if isinstance(rule.value, int) else ""
    match rule.field:
        case "priority":
            return say(PRIORITY[str(rule.value)], things=things)
        case "time_to_complete":
            if not length:
                return say("new {things} get an estimate unless you give one", things=things)
            return say("new {things} get an estimate of {length} unless you give one", things=things, length=length)
        case "duration":
            return say("new {things} last {length} unless you say otherwise", things=things, length=length)
        case "remind_before":
            return say("I remind you {length} before {things}", length=length, things=things)


def _stretch(rule: TimeLimit) -> str:
    days = _days(rule.days).strip()
    if (rule.start, rule.end) == ("00:00", "24:00"):
        return days or say("anywhere")
    if rule.start == "00:00":
        clock = say("before {end}", end=rule.end)
    elif rule.end == "24:00":
        clock = say("after {start}", start=rule.start)
    else:
        clock = say("between {start} and {end}", start=rule.start, end=rule.end)
    return f"{clock} {days}".strip()


def _days(days: Sequence[str]) -> str:
    named = [say("{weekday}s", weekday=weekday_name(WEEKDAYS.index(day.capitalize()))) for day in days]
    return say(" on {days}", days=say_list(named)) if days else ""


def _about(words: Sequence[str]) -> str:
    return say(" about {words}", words=say_list([f"“{word}”" for word in words])) if words else ""

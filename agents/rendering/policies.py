"""A rule in words: what is done from now on."""

from __future__ import annotations

from collections.abc import Sequence

from agents.phrases import say_duration, say_list
from agents.policies.rules import AskOnConflict, ConfirmBefore, Default, QuietTime, Rule, TimeLimit, Tone

VERBS = {"create": "add", "update": "change", "complete": "complete", "archive": "archive", "delete": "delete"}
LENGTHS = {"short": ["I keep my replies short"], "long": ["I tell the details too"]}
PLURALS = {
    "todo": "tasks",
    "event": "events",
    "note": "notes",
    "profile": "your profile",
    "instruction": "instructions",
}


def describe_rules(rules: Sequence[Rule]) -> str:
    """What the rules make me do, as one sentence's end after "from now on": "I ask before I add tasks"."""
    return say_list([_told(rule) for rule in rules])


def _told(rule: Rule) -> str:
    match rule:
        case ConfirmBefore():
            verbs = say_list([VERBS[op] for op in rule.ops if op in VERBS])
            things = say_list([PLURALS[kind] for kind in rule.kinds]) or "anything"
            return f"I ask before I {verbs} {things}{_about(rule.about)}{_days(rule.days)}"
        case Default():
            return _filled(rule)
        case TimeLimit():
            things = say_list([PLURALS[kind] for kind in rule.kinds])
            shown = "meetings" if "meeting" in rule.about else f"{things}{_about(rule.about)}"
            return f"I ask before I put {shown} {_stretch(rule)}"
        case AskOnConflict():
            return "I ask before events overlap"
        case QuietTime():
            return f"nothing nudges you from {rule.start} to {rule.end}"
        case Tone():
            return say_list([*LENGTHS.get(rule.length or "", ()), *(["I use no emojis"] if rule.plain else [])])


def _filled(rule: Default) -> str:
    things = f"{'urgent ' if rule.urgent else ''}{PLURALS[rule.kind]}{_about(rule.about)}"
    length = say_duration(rule.value) if isinstance(rule.value, int) else ""
    match rule.field:
        case "priority":
            return f"new {things} get {rule.value} priority unless you say another"
        case "time_to_complete":
            return f"new {things} get an estimate{f' of {length}' if length else ''} unless you give one"
        case "duration":
            return f"new {things} last {length} unless you say otherwise"
        case "remind_before":
            return f"I remind you {length} before {things}"


def _stretch(rule: TimeLimit) -> str:
    days = _days(rule.days).strip()
    if (rule.start, rule.end) == ("00:00", "24:00"):
        return days or "anywhere"
    if rule.start == "00:00":
        clock = f"before {rule.end}"
    elif rule.end == "24:00":
        clock = f"after {rule.start}"
    else:
        clock = f"between {rule.start} and {rule.end}"
    return f"{clock} {days}".strip()


def _days(days: Sequence[str]) -> str:
    return f" on {say_list([f'{day.capitalize()}s' for day in days])}" if days else ""


def _about(words: Sequence[str]) -> str:
    return f" about {say_list([f'“{word}”' for word in words])}" if words else ""

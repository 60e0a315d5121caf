"""Clauses without a word of request: a fact, a mood, a plan, a bare title, an imperative, or just talk."""

from __future__ import annotations

from agents.phrases import quoted
from agents.time import Found
from agents.time.literal import passed_on
from agents.understanding.dialogue import focus, smalltalk
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.model.classifier import guess
from agents.understanding.questions import queries, shown, stored
from agents.understanding.requests import deeds, events, owed, placing, plans, profile, tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, lost
from agents.understanding.slots import forms
from agents.understanding.slots.slots import Slots
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.own_errands import is_errand
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import EVENT_NOUNS, PARTICLE, TASK_VERBS, UNSURE_VERBS, WHOLE_DAY_NOUNS

P = patterns_of(__name__)
CONDITION = P.CONDITION
QUESTION = P.QUESTION
OF_STORED = frozenset("lower raise bump mark reschedule rename snooze archive untick reopen unsnooze".split())
SETTING, NO_EVENT = frozenset({"set", "flag", "log"}), frozenset({"the", "up", "aside", "out", "a", "an", "my"})
MAX_EVENT_WORDS = 12
SURELY_OWN, LIKELY_OWN = 0.3, 0.85
"""Below these probabilities of being out of scope an imperative is a task: the first for verbs often said to machines."""


def bare(clause: Clause, scene: Scene) -> Share:
    """No request word at all: a fact, a mood, a time with a name, an imperative, or words to ask about."""
    text = clause.text
    facts = profile.facts_since(text, scene)
    if facts and not QUESTION.match(text) and not CONDITION.match(text):
        return profile.remember(facts, text, scene)
    if focus.expresses_energy(text):
        return focus.coach(Intent("focus", 0.8), clause, scene)
    if (
        QUESTION.match(text)
        and not P.DO_IT.match(text)
        and not P.MEANS.match(text)
        and (clause.text.endswith("?") or len(text.split()) > 2)
    ):
        return stored.recalled(clause, scene) or lost(text)
    known = deeds.reported(clause, scene) or plans.planned(clause, scene) or owed.owed(clause, scene)
    if (
        known is None
        and not _goes_on(text, scene)
        and (is_statement(text) or P.RANG.search(text) or _taken_off(text, scene))
    ):
        return bare_statement(text, scene)
    return known or _named(clause, scene)


def _goes_on(text: str, scene: Scene) -> bool:
    """Whether words are one more to book: "book the vet tuesday at 3 and the dentist wednesday at 2"."""
    booked = scene.before[-1].proposals if scene.before else []
    return (
        bool(booked)
        and all(item.op == "create" and item.kind == "event" for item in booked)
        and (P.ONE_MORE.match(text) is not None)
    )


def _taken_off(text: str, scene: Scene) -> bool:
    """Whether words only name what the words after them drop: "leave the tree this year. take it off my list"."""
    if not P.TAKEN_OFF.match(scene.later):
        return False
    named = choose.search(text.partition(" ")[2], scene, ("todo", "event"), tasks.is_open, None)
    return len(named) == 1


def bare_statement(text: str, scene: Scene) -> Share:
    """A statement: heard, remembered for what may point at it, and nothing changed."""
    scene.tell(text)
    return smalltalk.small_talk_answer(text)


def _named(clause: Clause, scene: Scene) -> Share:
    """A bare title: with a clock time and no verb an event, with a verb or a deadline a task."""
    words = clause.text.lower().split()
    if words[0] in OF_STORED or P.OF_NOTHING.match(clause.text):
        return lost(clause.text)
    slots = tasks.filled(clause.text, scene, clause)
    if not slots.title and slots.when and slots.when.day_said and scene.ask.text.rstrip().endswith("?"):
        return queries.calendar(Intent("query_calendar", 0.8, {"rest": clause.text}), clause, scene)
    return placing.detailed(slots, clause, scene) or _titled_so(slots, words, clause, scene)


def _titled_so(slots: Slots, words: list[str], clause: Clause, scene: Scene) -> Share:
    verb = imperative(words)
    when = slots.when
    named = set(slots.title.lower().replace("'s", "").split())
    noun = (
        bool(EVENT_NOUNS & named)
        or P.COMPOUND.match(clause.text) is not None
        or bool(when and when.kind == "interval" and (WHOLE_DAY_NOUNS & named or not when.timed))
    )
    if when and P.OFTEN_A_DAY.fullmatch(when.text.strip()) and slots.title:
        return tasks.add(Intent("add_task", 0.75), clause, scene)
    if when and _places(when) and (_outright(words, clause.text, when) or _titled(slots, when, verb, noun)):
        return events.schedule(Intent("schedule", 0.7), clause, scene)
    if noun and when is None and words[0] in EVENT_NOUNS and not verb and len(words) <= MAX_EVENT_WORDS:
        return events.schedule(Intent("schedule", 0.6), clause, scene)
    if when and (ended := forms.last_day(when)) and ended < scene.now.date() and not clause.context:
        return bare_statement(clause.text, scene)
    if when and words[0] in SETTING and len(words) > 2 and words[1] not in NO_EVENT:
        return events.schedule(Intent("schedule", 0.7), clause, scene)
    if when and when.kind == "set" and not noun and slots.title:
        return tasks.add(Intent("add_task", 0.75), clause, scene)
    if (
        verb
        and len(words) > 1
        and slots.title
        and not (clause.listed or _detailed(slots))
        and _unsure(words[0], clause.text, scene)
    ):
        return _offered(slots, clause, scene)
    if verb and len(words) > 1 and slots.title:
        return tasks.add(Intent("add_task", 0.7), clause, scene)
    if (_detailed(slots) or clause.context) and slots.title and len(slots.title.split()) <= MAX_EVENT_WORDS:
        return tasks.add(Intent("add_task", 0.6), clause, scene)
    asked = scene.alone and P.PLEA.search(scene.ask.text) is not None
    return (shown.about(clause, scene) if asked else None) or lost(clause.text)


def _places(when: Found) -> bool:
    """Whether a phrase says when something takes place: "friday at 12", "friday from 12"; a deadline does not."""
    return when.role == "when" or (when.kind == "open_after" and when.timed and when.day_said)


def _outright(words: list[str], text: str, when: Found) -> bool:
    """Whether words are an appointment even as an imperative: a whole day, or to meet someone at an hour."""
    return events.ALL_DAY.search(text) is not None or (words[0] == "meet" and when.timed)


def _titled(slots: Slots, when: Found, verb: bool, noun: bool) -> bool:  # noqa: FBT001 - what kind of words they are
    """Whether a name beside a time is an appointment."""
    return (
        not verb
        and 0 < len(slots.title.split()) <= MAX_EVENT_WORDS
        and (when.timed or noun)
        and (when.kind != "set" or noun or when.end is not None or slots.minutes is not None)
    )


def _unsure(verb: str, text: str, scene: Scene) -> bool:
    """Whether an imperative may be meant for Summit itself, unless the model reads it as a task."""
    found = guess(text)
    if PARTICLE.match(text) or is_errand(text) or passed_on(text):
        return False
    if verb not in UNSURE_VERBS or (found.label == "add_task" and found.chances["ood"] < SURELY_OWN):
        return False
    if found.chances["ood"] >= LIKELY_OWN or P.TO_SUMMIT.match(text):
        return True
    return bool(choose.search(text.partition(" ")[2], scene, ("event", "todo", "note"), lambda _: True, None))


def _detailed(slots: Slots) -> bool:
    return bool(slots.when or slots.priority or slots.minutes or slots.difficulty)


def _offered(slots: Slots, clause: Clause, scene: Scene) -> Share:
    """An imperative that may be meant for Summit itself is offered as a task, not taken as one."""
    return choose.confirm(f"Shall I add {quoted(slots.title)} as a task?", [tasks.one(slots, clause)], scene)


def imperative(words: list[str]) -> bool:
    """Whether a title begins with a verb: "call mom" does, "call with mom" and "review friday" are things."""
    if not words or words[0] not in TASK_VERBS or P.COMPOUND.match(" ".join(words[:2])):
        return False
    return words[0] not in EVENT_NOUNS or (len(words) > 1 and words[1] not in ("with", "w", "w/", "at", "on"))

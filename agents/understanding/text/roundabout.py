"""Requests in roundabout forms as plain ones: "would you mind moving it", "my shopping list, add milk"."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered
from agents.understanding.grammar import patterns_of
from agents.understanding.text.inflection import base_of_gerund
from agents.understanding.text.loose_forms import LOOSE_FORMS
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)


SUBJECTS = {"it's": "is", "that's": "is", "it is": "is", "they're": "are", "it's been": "has been"}
SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    *LOOSE_FORMS,
    (P.OFF_CALENDAR, r"delete \g<what>"),
    (P.DONE_THEN, r"move \g<what> to"),
    (P.THIS_DOWN, "note that "),
    (P.DID_I_SAY, r"what time is \g<what>"),
    (P.WHEN_ITS, "remind me at "),
    (P.WHEN_ITS_FIRST, r"at \g<when> "),
    (P.WHAT_I_NEED, r"\g<lead>\g<who> need to\g<when> "),
    (P.THEY_WANT, r"\g<lead>\g<verb> "),
    (P.THEY_WANT_AT, r"\g<lead>move \g<what> to "),
    (P.I_PENCIL, ""),
    (P.TOLD_WHEN, r"\g<asked> \g<verb> \g<what>?"),
    (P.ANOTHER_FOR, r"add \g<items> to my \g<list> list"),
    (P.MOVED_ME, r"\g<lead>move the \g<what> to "),
    (P.TICK_TOPIC, r"\g<lead>tick off \g<what>."),
    (P.IN_ITS_PLACE, " in there instead"),
    (P.NEW_LIST, r"make a list called \g<list>: "),
    (P.LIST_THEN, r"\g<head>list called \g<list>: "),
    (P.TASK_THEN, r"\g<add> to "),
    (P.UNTIL_FOR, r"move \g<what> to \g<when>"),
    (P.THAN_THOUGHT, ""),
    (P.TOPIC_THEN_DEED, r"\g<lead>\g<verb> \g<what>"),
    (P.BROKEN_OFF, " "),
    (P.MINUTES_TO, r"\g<before> \g<minutes> minutes to "),
    (P.MEND_IT, ""),
    (P.IN_TOWN, r"\g<what> has been"),
    (P.FROM_TO, r"\g<day> from \g<hours>"),
    (P.NOT_THERE, r"\g<what> is \g<new> now"),
    (P.TO_LEVEL, r"set \g<what> to \g<level> priority"),
    (P.NOT_THEN, r"\g<what> is \g<new> now"),
    (P.INSTEAD, r"move \g<what> to \g<new>"),
    (P.WANTED_LIST, r"make a \g<list>"),
    (P.FOR_A_PLACE, r"\g<head>a \g<list> list: "),
    (P.LONE_KIND, r"\g<lead>\g<kind>: "),
    (P.TO_DO, "add task: "),
    (P.RANG_THEN, r"\g<what> is now at \g<when>"),
    (P.CANT_THEN, r"move \g<what> to \g<when>"),
    (P.TOPIC_COLON, r"\g<verb> \g<what>"),
    (P.GO_AWAY, r"snooze \g<what> "),
    (P.MOVE_TO, r"\g<lead>\g<verb> it "),
    (P.ENTER_IT, ". put that in my calendar"),
    (P.DO_BY, r"\g<lead>make \g<what> due \g<by>"),
)
TRIED = tuple((Prefiltered(shape), form) for shape, form in SHAPES)
TOPIC_DONE, TOPIC_SUBJECT, ASKED_POLITELY = Prefiltered(P.DONE_TOPIC), Prefiltered(P.TOPIC_FIRST), Prefiltered(P.POLITE)


def imperative(text: str) -> str:
    """Requests in roundabout forms as plain ones: "would you mind moving it", "report -> high"."""
    plain = ASKED_POLITELY.sub(lambda match: base_of_gerund(match["verb"].lower()) or match["verb"], text)
    listed = P.TOPIC_LIST.match(plain)
    if listed:
        return f"add {listed['items'] or listed['bought']} to my {listed['list']}list"
    plain = TOPIC_DONE.sub(_done_topic, plain)
    for shape, form in TRIED:
        plain = shape.sub(form, plain)
    plain = TOPIC_SUBJECT.sub(_subject, plain)
    kept = P.TO_LIST.match(plain)
    if kept:
        return f"add task: {kept['what']}"
    arrow = P.ARROW.match(plain)
    return f"set {arrow['what']} to {arrow['to']}" if arrow and not is_verb(arrow["what"].split()[0].lower()) else plain


def _done_topic(match: re.Match[str]) -> str:
    """A thing and that it is done, as a sentence of its own: "and the slides that's done" is ". the slides is done."."""
    return f"{'. ' if match.start() else match['lead']}{match['what'].strip()} is {match['done']}."


def _subject(match: re.Match[str]) -> str:
    """A topic said first as the subject: "the tax return it's due monday" is "the tax return is due monday"."""
    verb = match["verb"].lower()
    return f"{match['lead']}{match['what'].strip()} {SUBJECTS.get(verb) or verb.removeprefix('it ')}"

"""Where a question is looked up: as the topic of its clause tells, or what it names exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from agents.contract import Lookback
from agents.index.words import words_of
from agents.phrases import NOT_IN_NOTES
from agents.rendering.agenda import say_slot
from agents.understanding.questions import agenda, days, details, history, lines, notes, personal, ringing, todos
from agents.understanding.questions.query import OF_ONE, Query
from agents.understanding.records.imported import elsewhere
from agents.understanding.situation import Situation
from agents.understanding.values.slots import TAG
from agents.user_words.remembering import follows_memory

Answer = Callable[[Query, Situation], list[str] | Lookback]
ANSWERS: Mapping[str, Answer] = {
    "agenda": agenda.agenda, "next": agenda.coming_next, "hours": agenda.hours_of_day, "clash": agenda.clashes,
    "countdown": details.countdowns, "length": details.lengths, "details": details.details, "state": details.states,
    "steps": details.steps, "other": details.details, "todos": todos.todos, "finished": todos.finished_tasks,
    "workload": todos.work_left, "tagged": todos.say_tagged, "reminders": ringing.reminders, "timers": ringing.timers,
    "list": lines.say_lists, "notes": notes.notes, "profile": personal.profile, "former": personal.former_facts,
    "rules": personal.rules, "history": history.history, "last": history.just_done, "wayback": history.way_back,
    "clock": days.clock, "date": days.date_itself,
}  # fmt: skip
DOUBTED = 0.6
"""How surely a topic is told at least to be looked up at once."""
LIST = frozenset(words_of("list"))
PAST = frozenset("history former clock".split())
"""Topics that any question about what is over is easily taken for, and the one that needs no records."""
BROAD_TOPICS = frozenset(("agenda", "todos"))
"""Topics whose answer shows enough to see what was asked."""
NAMING = frozenset("details length countdown notes memory".split())
"""Topics of something that has a name, whatever it is."""


def look_up(query: Query, situation: Situation) -> list[str] | Lookback:
    """Return what is stored about a question, where its topic tells; of one not told surely first what was noted."""
    query = _of_a_list(query, situation)
    known = [] if query.sure >= DOUBTED else _facts_or_notes(query, situation)
    answer = ANSWERS.get(topic_of(query, situation), look_elsewhere)
    return known or answer(query, situation) or look_elsewhere(query, situation)


def _of_a_list(query: Query, situation: Situation) -> Query:
    """Return a question for tasks that has the name of a list as one for that: "what repairs do i have to make"."""
    said = set(words_of(" ".join(query.loose))) if query.topic == "todos" and query.bare else set[str]()
    called = [item for item in lines.lists_of(situation) if item.words and {*item.words} - LIST <= said]
    return replace(query, topic="list", listed=called[0].title) if said and len(called) == 1 else query


def topic_of(query: Query, situation: Situation) -> str:
    """Return what a question is about: a tag, a list and a running timer are told by their names."""
    named = {item.id for item in query.named}
    doubted = query.sure < DOUBTED or (query.bare and query.when is None and follows_memory(situation.ask.recent))
    strange = query.foreign or (query.about and not query.named)
    if doubted and (query.topic in PAST or (strange and query.topic not in BROAD_TOPICS)):
        return "memory"
    if TAG.search(query.text):
        return "tagged"
    if named and query.topic in NAMING and named <= {item.id for item in lines.lists_of(situation)}:
        return "list"
    if query.topic in NAMING and named & {todo.id for todo in ringing.running_timers(situation)}:
        return "timers"
    if query.topic == "workload" and (query.minutes or query.when or query.named):
        return "todos" if query.minutes else "agenda" if query.when else "length"
    tasks = any(item.kind == "todo" for item in query.named)
    return "details" if query.topic == "todos" and query.about and query.named and not tasks else query.topic


def look_elsewhere(query: Query, situation: Situation) -> list[str]:
    """Return the fact, the notes or the appointment that a question is about, else that there is nothing."""
    if known := _facts_or_notes(query, situation):
        return known
    there = elsewhere(query.about, situation.scene) if query.about else None
    if there or query.named:
        return [f"{say_slot(there, situation.now)}."] if there else details.details(query, situation)
    return agenda.agenda(query, situation) if query.topic in OF_ONE and query.when else [NOT_IN_NOTES]


def _facts_or_notes(query: Query, situation: Situation) -> list[str]:
    """Return the facts or else the notes that a question is about."""
    return personal.facts(query, situation) or notes.find_noted(query, situation)

"""What to do now: the one next task that fits the energy, the minutes and the kind of work that a message speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import takewhile

from agents.contract import Proposed
from agents.next_action import Candidate, Energy, Moment, say_too_long, suggestion
from agents.phrases import quote
from agents.ports import Ask
from agents.reading.reading import Clause
from agents.records import ToDo
from agents.suggestion_feedback import Feedback
from agents.understanding.ground import is_open
from agents.understanding.hearing import suggested_by, suggested_in
from agents.understanding.questions.vocabulary import GROUPS, words_in
from agents.understanding.series.occurrences import busy
from agents.understanding.share import Share
from agents.understanding.situation import Situation, situation_of
from agents.understanding.slot_values import minutes_of, seconds_in
from agents.understanding.steps import steps_for

SOON_SPAN = timedelta(hours=4)
NO_TASKS = "You have no open tasks, so nothing needs you right now."
ENERGIES: dict[str, Energy] = {"tired": "low", "lively": "high"}
"""How much energy there is, by what a clause is about."""
ALL_SKIPPED = "You have skipped all your open tasks; that is fine, rest."


def suggest_task(clause: Clause, situation: Situation) -> Share:
    """Return one suggestion from the open tasks, or the truth that there is none."""
    skipped = _skipped_task_ids(clause, situation)
    tasks = [task for task in _open(situation) if not _is_asleep(task, situation)]
    if not tasks:
        return Share("focus_coach", clause.text, answers=[NO_TASKS])
    left = [task for task in tasks if task.id not in skipped]
    if not left:
        return Share("focus_coach", clause.text, answers=[ALL_SKIPPED])
    candidates = [Candidate(task, task.solutions or steps_for(task.task)) for task in _as_asked(left, situation)]
    minutes = _minutes(clause, situation)
    moment = Moment(situation.now, energy_of([clause, *situation.clauses]), minutes)
    best = suggestion(candidates, moment, situation.ask.records.tracks)
    answers = [] if best else [say_too_long(candidates, minutes or 0, "other" if skipped else "open")]
    share = Share("focus_coach", clause.text, answers=answers, suggestion=best)
    share.feedback = Feedback(task_id=skipped[-1], outcome="skipped") if skipped else None
    return share


def suggest_anyway(ask: Ask) -> Proposed:
    """Return one suggestion for a message in which another mind found that this is asked for."""
    situation = situation_of(ask)
    whole = Clause("coach", 1.0, ask.text, 0, len(ask.text), (), {})
    share = suggest_task(whole, situation)
    return Proposed(answers=share.answers, suggestion=share.suggestion, feedback=share.feedback)


def energy_of(clauses: Sequence[Clause]) -> Energy:
    """Return the energy that clauses tell of."""
    return next((ENERGIES[clause.topic] for clause in clauses if clause.topic in ENERGIES), "medium")


def accept_suggestion(clause: Clause, situation: Situation) -> Share | None:
    """Return that what the last reply suggested is begun; None if it suggested nothing or nobody agrees to it."""
    suggested = suggested_in(situation.ask)
    others = {act: chance for act, chance in clause.chances.items() if act != "vague"}
    if len(suggested) != 1 or not (clause.act == "yes" or max(others, key=others.__getitem__, default="") == "yes"):
        return None
    told = f"Good. Tell me when {quote(suggested[0].task)} is done."
    share = Share("focus_coach", clause.text, answers=[told])
    share.feedback = Feedback(task_id=suggested[0].id, outcome="accepted")
    return share


def decline_suggestion(clause: Clause, situation: Situation) -> Share | None:
    """Return another suggestion in place of the last one; None if the last reply suggested nothing."""
    return suggest_task(clause, situation) if suggested_in(situation.ask) else None


def has_open_task(situation: Situation) -> bool:
    """Return whether there is a task that could be suggested."""
    return any(not _is_asleep(task, situation) for task in _open(situation))


def _open(situation: Situation) -> list[ToDo]:
    return [item.record for item in situation.items("todo").where(is_open) if isinstance(item.record, ToDo)]


def _is_asleep(task: ToDo, situation: Situation) -> bool:
    until = task.snooze_until
    if isinstance(until, datetime):
        return until > situation.now
    return isinstance(until, date) and until > situation.now.date()


def _as_asked(tasks: Sequence[ToDo], situation: Situation) -> Sequence[ToDo]:
    """Return the tasks as hard, as easy or as important as was asked for, if any is known to be."""
    said = set(words_in(situation.ask.text))
    level = "hard" if said & GROUPS["hard"] else "easy" if said & GROUPS["easy"] else ""
    fitting = [task for task in tasks if level and task.difficulty == level]
    if not fitting and "most" in said and said & GROUPS["high"]:
        fitting = [task for task in tasks if task.priority == "high"]
    return fitting or tasks


def _minutes(clause: Clause, situation: Situation) -> int | None:
    """Return the minutes at hand: as said, or until the next event within four hours."""
    lengths = [minutes_of(one, situation) for one in (clause, *situation.clauses)]
    lengths += [round(seconds / 60) for slot in clause.all("w") if (seconds := seconds_in(slot.text, situation))]
    said = next((minutes for minutes in lengths if minutes), None)
    if said:
        return said
    ahead = busy(situation.scene, situation.now, situation.now + SOON_SPAN)
    starts = [slot.start for slot in ahead if slot.start > situation.now and not slot.whole_day]
    return round((min(starts) - situation.now).total_seconds() / 60) if starts else None


def _skipped_task_ids(clause: Clause, situation: Situation) -> list[str]:
    """Return the tasks that the last replies suggested and that were passed over, this one among them."""
    if clause.act != "no" and clause.topic != "another":
        return []
    recent, todos = situation.ask.recent, situation.ask.records.todos
    latest = list(takewhile(bool, (suggested_by(exchange.replied, todos) for exchange in reversed(recent))))
    return [task.id for tasks in reversed(latest) for task in tasks]

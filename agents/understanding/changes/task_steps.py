"""Steps of a task: a task broken up into them, one of them ticked or renamed, all of them told."""

from __future__ import annotations

from agents.index.words import words_of
from agents.phrases import quote
from agents.reading.reading import Clause
from agents.records import ToDo
from agents.understanding.ground import MeantRecords, ground, names_in
from agents.understanding.outcome import ClauseOutcome, already, answer_outcome, change_outcome, not_there, propose
from agents.understanding.places import place_in
from agents.understanding.situation import Situation
from agents.understanding.slot_values import loose_words, title_of
from agents.understanding.steps import say_steps, steps_for

PARTS, UNSURE = ("n", "i", "t", "k"), 0.5
STEPS, PARTING = frozenset(("steps", "step")), frozenset("break split divide".split())


def break_up(clause: Clause, situation: Situation) -> ClauseOutcome | None:
    """Return a task with the steps known for it: "break the tax return into steps"; None where none is meant."""
    said = set(loose_words(clause))
    parts = _parts(clause) if PARTING & said else []
    if not (STEPS | PARTING) & said or clause.all("pr", "st") or (clause.all("n", "k", "w") and not parts):
        return None
    target = ground(clause, situation, ("todo",))
    record = target.items[0].record if len(target.items) == 1 else None
    if not isinstance(record, ToDo):
        return None
    if parts:
        return _broken_into(parts, target, record, clause)
    if record.solutions:
        return already(clause.text, say_steps(record))
    steps = steps_for(record.task)
    if not steps:
        asked = f"I know no steps for {quote(record.task)}. What would be the very first thing to do?"
        return answer_outcome(clause.text, asked)
    return change_outcome(
        clause.text, propose(target.items[0], "update", {"solutions": steps}, "you asked for its steps")
    )


def _broken_into(parts: list[str], target: MeantRecords, record: ToDo, clause: Clause) -> ClauseOutcome:
    """Return a task with the parts that are named as its steps; how they are spread over time is left undone."""
    named = propose(target.items[0], "update", {"solutions": [*record.solutions, *parts]}, "you named its steps")
    outcome = change_outcome(clause.text, named, fit=target.fit if len(parts) > 1 else UNSURE)
    outcome.share.unclear += [words for words in [clause.words("w", "d")] if words]
    return outcome


def _parts(clause: Clause) -> list[str]:
    """Return the parts into which a task is to be broken up, in their order."""
    names = names_in(clause, *PARTS)
    head, joined, tail = names[-1].partition(" and ") if len(names) > 1 else ("", "", "")
    return [*names[:-1], head, tail] if joined else names


def rename_step(clause: Clause, situation: Situation) -> ClauseOutcome | None:
    """Return a task with one of its steps in other words; None where no step is meant."""
    if not clause.all("k") or not clause.all("g") or not STEPS & {*words_of(clause.words("k")), *loose_words(clause)}:
        return None
    target = ground(clause, situation, ("todo",))
    record = target.items[0].record if len(target.items) == 1 else None
    step, new = (_step_said(clause, record), title_of(clause, "n")) if isinstance(record, ToDo) else (None, "")
    if not isinstance(record, ToDo) or step is None or not new:
        return None
    steps = [new if one == step else one for one in record.solutions]
    done = [new if one == step else one for one in record.done_steps]
    return change_outcome(clause.text, propose(target.items[0], "update", {"solutions": steps, "done_steps": done}))


def tick_step(clause: Clause, situation: Situation) -> ClauseOutcome:
    """Return a task with one of its steps done."""
    target = ground(clause, situation, ("todo",))
    record = target.items[0].record if len(target.items) == 1 else None
    if not isinstance(record, ToDo):
        return answer_outcome(clause.text, not_there(target.name))
    step = _step_said(clause, record)
    if step is None:
        return answer_outcome(clause.text, not_there(clause.words("k")))
    steps = [*(one for one in record.done_steps if one != step), step]
    return change_outcome(clause.text, propose(target.items[0], "update", {"done_steps": steps}), fit=target.fit)


def _step_said(clause: Clause, task: ToDo) -> str | None:
    """Return the step that a clause counts or names; None where it is none of the task's."""
    at = place_in(clause.words("k"), len(task.solutions))
    named = [step for step in task.solutions if set(words_of(clause.words("k"))) & set(words_of(step))]
    return task.solutions[at] if at is not None else named[0] if len(named) == 1 else None

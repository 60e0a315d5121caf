"""Steps of a task: a task broken up into them, one of them ticked or renamed, all of them told."""

from __future__ import annotations

from agents.index.words import words_of
from agents.phrases import quote
from agents.reading.reading import Clause
from agents.records import ToDo
from agents.understanding.ground import ground, names_in
from agents.understanding.outcome import Outcome, already, ask_for, not_there, tell, update
from agents.understanding.places import place_in
from agents.understanding.share import propose
from agents.understanding.situation import Situation
from agents.understanding.slot_values import loose_words, title_of
from agents.understanding.steps import say_steps, steps_for

PARTS, UNSURE = ("n", "i", "t", "k"), 0.5
ONE_MORE = "you added a step"
STEPS, PARTING = frozenset(("steps", "step")), frozenset("break split divide".split())


def break_up(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a task with the steps known for it: "break the tax return into steps"; None where none is meant."""
    said = set(loose_words(clause))
    parts = _parts(clause) if PARTING & said else names_in(clause, "i")
    if not (STEPS | PARTING) & said or clause.all("pr", "st") or (clause.all("n", "k", "w") and not parts):
        return None
    target = ground(clause, situation, ("todo",))
    item = target.only
    if item is None or not isinstance(item.record, ToDo):
        return None
    if parts:
        ours = not item.record.done_steps and item.record.solutions == steps_for(item.title)
        fields = {"solutions": [*([] if ours else item.record.solutions), *parts]}
        fit = target.fit if len(parts) > 1 else UNSURE
        outcome = update(clause.text, item, fields, "you named its steps", fit)
        outcome.share.unclear += filter(None, [clause.words("w", "d")])  # how they are spread over time is left undone
        return outcome
    if item.record.solutions:
        return already(clause.text, say_steps(item.record))
    if steps := steps_for(item.title):
        return update(clause.text, item, {"solutions": steps}, "you asked for its steps")
    asked = f"I know no steps for {quote(item.title)}. What would be the very first thing to do?"
    return tell(clause.text, asked)


def _parts(clause: Clause) -> list[str]:
    """Return the parts into which a task is to be broken up, in their order."""
    names = names_in(clause, *PARTS)
    head, joined, tail = names[-1].partition(" and ") if len(names) > 1 else ("", "", "")
    return [*names[:-1], head, tail] if joined else names


def rename_step(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a task with one of its steps in other words; None where no step is meant."""
    if not clause.all("k") or not clause.all("g") or not STEPS & {*words_of(clause.words("k")), *loose_words(clause)}:
        return None
    item, new = ground(clause, situation, ("todo",)).only, title_of(clause, "n")
    if item is None or not isinstance(item.record, ToDo) or not new:
        return None
    step = _step_said(clause, item.record)
    steps = [new if one == step else one for one in item.record.solutions]
    done = [new if one == step else one for one in item.record.done_steps]
    return update(clause.text, item, {"solutions": steps, "done_steps": done}) if step is not None else None


def ask_step(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the question which step is to be added to a task; None where a step is said, or none is to be added."""
    if not clause.all("g") or clause.all("t", "i", "c", "n") or not STEPS & set(loose_words(clause)):
        return None
    target = ground(clause, situation, ("todo",))
    item = target.only
    if item is None or not isinstance(item.record, ToDo):
        return not_there(clause.text, target.name) if not target.items else None
    draft = propose(item, "update", {"solutions": item.record.solutions}, ONE_MORE)
    return ask_for("rephrase", f"What step shall I add to {quote(item.title)}?", draft, clause.text, situation)


def one_more_step(clause: Clause, situation: Situation) -> Outcome | None:
    """Return one more step of the task to which the last turn added some; None where it did something else."""
    last, title = situation.just_done()[-1:], title_of(clause, "t", "i")
    item = situation.item(last[0].record_id) if last and not situation.touched else None
    if item is None or not isinstance(item.record, ToDo) or not title or set(last[0].fields) != {"solutions"}:
        return None
    before = (last[0].before or {}).get("solutions", [])
    added = len(item.record.solutions) > len(before) and item.record.solutions != steps_for(item.title)
    return update(clause.text, item, {"solutions": [*item.record.solutions, title]}, ONE_MORE) if added else None


def of_last_task(clause: Clause, situation: Situation) -> bool:
    """Return whether a step that is named without its task is one of the task that was just changed."""
    item = situation.latest()
    task = item.record if item else None
    told = STEPS & {*words_of(clause.words("k")), *loose_words(clause)}
    return bool(told) and not clause.all("g", "v") and isinstance(task, ToDo) and _step_said(clause, task) is not None


def tick_step(clause: Clause, situation: Situation) -> Outcome:
    """Return a task with one of its steps done; where none is named, the task that was just changed."""
    target = ground(clause, situation, ("todo",))
    item = target.only if clause.all("g") else situation.latest()
    if item is None or not isinstance(item.record, ToDo):
        return not_there(clause.text, target.name)
    step = _step_said(clause, item.record)
    if step is None:
        return not_there(clause.text, clause.words("k"))
    steps = [*(one for one in item.record.done_steps if one != step), step]
    return update(clause.text, item, {"done_steps": steps}, fit=target.fit if clause.all("g") else 1.0)


def _step_said(clause: Clause, task: ToDo) -> str | None:
    """Return the step that a clause counts or names; None where it is none of the task's."""
    at = place_in(clause.words("k"), len(task.solutions))
    named = [step for step in task.solutions if set(words_of(clause.words("k"))) & set(words_of(step))]
    return task.solutions[at] if at is not None else named[0] if len(named) == 1 else None

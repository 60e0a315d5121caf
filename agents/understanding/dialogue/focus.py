"""Asking for the one next action: the energy, the minutes and the kind of task that words tell."""

from __future__ import annotations

from agents.next_action import Candidate, Energy, Moment, say_too_long, suggestion
from agents.records import ToDo
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items.occurrences import busy
from agents.understanding.references import Item, mentioned
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.steps import steps_for
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
SHORT_MOOD = 3


def energy_in(text: str) -> Energy | None:
    """The energy that words express; None when they express none."""
    if P.LOW.search(text):
        return "low"
    return "high" if P.HIGH.search(text) else None


def expresses_energy(text: str) -> bool:
    """Whether a clause is about the speaker's own energy."""
    own = P.MOOD.match(text) is not None or (len(text.split()) <= SHORT_MOOD and not P.OF_OTHERS.match(text.strip()))
    return own and energy_in(text) is not None


def coach(
    intent: Intent, clause: Clause, scene: Scene, *, spared: frozenset[str] = frozenset(), wish: str = ""
) -> Share:
    """One suggestion from the open tasks, or the truth that there is none.

    ``spared`` are titles not to suggest, ``wish`` the words that asked for the suggestions before this one.
    """
    _ = intent
    text = f"{scene.told} {clause.text}"
    energy = energy_in(text) or energy_in(scene.ask.text) or energy_in(wish) or "medium"
    minutes = _minutes(f"{text} {wish}", scene)
    tasks = [item for item in scene.items("todo") if is_open(item) and not _asleep(item, scene)]
    if not tasks:
        return Share("focus_coach", clause.text, answers=["You have no open tasks, so nothing needs you right now."])
    tasks = [item for item in tasks if item.title.lower() not in spared]
    if not tasks:
        return Share("focus_coach", clause.text, answers=["You have skipped all your open tasks; that is fine, rest."])
    tasks = _as_hard(f"{clause.text} {wish}", mentioned(clause.text, tasks) or tasks)
    known = [Candidate(todo, todo.solutions or steps_for(todo.task)) for todo in map(_todo, tasks)]
    found = suggestion(known, Moment(scene.now, energy, minutes), scene.ask.records.tracks)
    which = "other" if spared else "open"
    answers = [] if found else [say_too_long(known, minutes or 0, which)]
    return Share("focus_coach", clause.text, answers=answers, suggestion=found)


def _todo(item: Item) -> ToDo:
    assert isinstance(item.record, ToDo)  # noqa: S101 - the candidates are tasks
    return item.record


def _as_hard(text: str, tasks: list[Item]) -> list[Item]:
    """The tasks as hard or as easy as was asked for, if any is known to be: "give me something easy"."""
    said = P.ASKED_HARD.search(text)
    wanted = ("hard" if said["hard"] or said["tough"] else "easy") if said else ""
    return [item for item in tasks if getattr(item.record, "difficulty", None) == wanted] or tasks


def _minutes(text: str, scene: Scene) -> int | None:
    """The minutes at hand: as said, or until the next event within four hours."""
    said = next(
        (
            found.seconds
            for found in find_times(P.WITHIN.sub("for ", text), scene.clock)
            if found.kind == "duration" and found.seconds
        ),
        None,
    )
    if said:
        return said // 60
    ahead = [
        slot
        for slot in busy(scene, scene.now, scene.now.replace(hour=23, minute=59))
        if slot.start > scene.now and not slot.whole_day
    ]
    left = round((ahead[0].start - scene.now).total_seconds() / 60) if ahead else None
    return left if left is not None and left <= 240 else None


def _asleep(item: Item, scene: Scene) -> bool:
    until = getattr(item.record, "snooze_until", None)
    if until is None:
        return False
    return bool(until > (scene.now if hasattr(until, "hour") else scene.now.date()))

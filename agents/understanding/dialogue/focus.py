"""The one next action: chosen by energy, by the time at hand and by what is due.

Score of an open task: priority (3, 2, 1 for high, medium, low or none) plus nearness of its deadline (up to 5, less one
for every two days). Low energy turns the scale: that sum counts a quarter, easy tasks gain 2, hard ones lose 2, short
ones gain up to 4, and the first micro-step is suggested. With minutes at hand, only tasks that fit them are considered,
by their estimate or else by the rule of thumb; if none fits, the first micro-step of the best one does.
What became of earlier suggestions of a task is added last, see ``agents.tracks.taste``: at most 1 in favour, 4 against.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Literal

from agents.contract import FocusSuggestion
from agents.estimates import estimated_minutes
from agents.overdue import say_missed
from agents.records import ToDo
from agents.tracks import taste
from agents.understanding.items.occurrences import busy
from agents.understanding.references import Item, mentioned
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.steps import steps_for
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.time.search import find_times
from agents.wording import quoted, say_duration, say_when

Energy = Literal["low", "medium", "high"]
LOW = re.compile(
    r"\b(?:tired|exhausted|drained|sleepy|wiped|burn(?:t|ed) out|low energy|no energy|overwhelmed|stressed|can't "
    r"focus|cannot focus|"
    r"unmotivated|mush|fried|running on (?:empty|fumes)|can't think|can't get (?:started|going)|all over the place|barely slept|"
    r"no sleep|so done|drowning|swamped|hungover|zonked|pooped|beat|spent|lazy|sluggish|foggy|wrecked|knackered|sick|shattered|worn out|frazzled|procrastinating|half asleep|dead on my feet|brain dead|brain fog|wiped|no juice|low battery|can't be bothered|can't be arsed|cream crackered|pooped|done in|ran ragged|burnt out)\b",
    re.IGNORECASE,
)
HIGH = re.compile(
    r"\b(?:energi[sz]ed|energetic|full of energy|(?:ton|lots|bunch) of energy|feel(?:ing)? (?:great|amazing|wonderful|fantastic|(?:really |so |pretty )?good(?! about)|fresh|rested)|pumped|motivated|on fire|wide awake|fired up|productive|ready "
    r"to go|focused|high energy|wired|buzzing|caffeinated|raring to go|on a roll|bouncing off the walls)\b",
    re.IGNORECASE,
)
MOOD = re.compile(r"^(?:i'm|im|i am|i feel|i'm feeling|feeling|i've been feeling|so|really|super)\b", re.IGNORECASE)
SHORT_MOOD = 3
OF_OTHERS = re.compile(r"(?:the|our|his|her|he|she|they)\b", re.IGNORECASE)
WITHIN = re.compile(r"\b(?:in|within)\s+(?=(?:\S+|half an|an) (?:spare |free )?(?:min|minute|hour)s?\b)", re.IGNORECASE)
ASKED_HARD = re.compile(
    r"\b(?:something|anything|one|task|thing)\s+(?:that's\s+|really\s+|very\s+|a bit\s+)*(?:(?P<hard>hard|challenging|difficult|tough|meaty|big)|easy|simple|light)(?:er)?\b|"
    r"\b(?:an?|the|my)\s+(?:really\s+|very\s+)?(?:(?P<tough>hard|challenging|difficult|tough)|easy|simple)(?:er|est|iest)?\s+(?:one|task|thing)\b",
    re.IGNORECASE,
)
PRIORITY = {"high": 3.0, "medium": 2.0, "low": 1.0, None: 1.0}
DIFFICULTY = {"easy": 2.0, "medium": 0.0, "hard": -2.0, None: 0.0}
STEP_MINUTES = 5
CHEERS: dict[Energy, str] = {
    "low": "Small is fine: five minutes are enough to begin.",
    "medium": "One thing at a time. You've got this.",
    "high": "Good moment for the thing that matters most.",
}


def energy_in(text: str) -> Energy | None:
    """The energy that words express; None when they express none."""
    if LOW.search(text):
        return "low"
    return "high" if HIGH.search(text) else None


def expresses_energy(text: str) -> bool:
    """Whether a clause is about the speaker's own energy."""
    own = MOOD.match(text) is not None or (len(text.split()) <= SHORT_MOOD and not OF_OTHERS.match(text.strip()))
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
    fitting = _fitting(tasks, minutes)
    if not fitting:
        return Share(
            "focus_coach", clause.text, answers=[_too_long(tasks, minutes or 0, "other" if spared else "open")]
        )
    return Share(
        "focus_coach", clause.text, suggestion=_suggest(_best(fitting, energy, minutes, scene), energy, minutes, scene)
    )


def _best(tasks: list[Item], energy: Energy, minutes: int | None, scene: Scene) -> Item:
    tracks, now = scene.ask.records.tracks, scene.now
    return max(tasks, key=lambda item: score(item, energy, now.date(), minutes) + taste(tracks.get(item.id), now))


def _as_hard(text: str, tasks: list[Item]) -> list[Item]:
    """The tasks as hard or as easy as was asked for, if any is known to be: "give me something easy"."""
    said = ASKED_HARD.search(text)
    wanted = ("hard" if said["hard"] or said["tough"] else "easy") if said else ""
    return [item for item in tasks if getattr(item.record, "difficulty", None) == wanted] or tasks


def _minutes(text: str, scene: Scene) -> int | None:
    """The minutes at hand: as said, or until the next event within four hours."""
    said = next(
        (
            found.seconds
            for found in find_times(WITHIN.sub("for ", text), scene.clock)
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


def _fitting(tasks: list[Item], minutes: int | None) -> list[Item]:
    """The tasks that fit the minutes at hand: estimated ones first, last those of which only a step does."""
    if minutes is None:
        return tasks
    short = [item for item in tasks if _length(item) <= minutes]
    estimated = [item for item in short if isinstance(item.record, ToDo) and item.record.time_to_complete]
    return estimated or short or [item for item in tasks if _steps(item) and minutes >= STEP_MINUTES]


def _too_long(tasks: list[Item], minutes: int, which: str) -> str:
    least = min(tasks, key=_length)
    shortest = f"the shortest, {quoted(least.title)}, takes about {say_duration(_length(least))}"
    return f"None of your {which} tasks fits into {say_duration(minutes)}: {shortest}."


def _length(item: Item) -> int:
    todo = item.record
    assert isinstance(todo, ToDo)  # noqa: S101 - the candidates are tasks
    return todo.time_to_complete or estimated_minutes(todo.task, todo.solutions)


def _steps(item: Item) -> list[str]:
    todo = item.record
    assert isinstance(todo, ToDo)  # noqa: S101 - the candidates are tasks
    return todo.solutions or steps_for(todo.task)


def score(item: Item, energy: Energy, today: date, minutes: int | None = None) -> float:
    """How well a task fits the moment; see the module's formula."""
    todo = item.record
    if not isinstance(todo, ToDo):
        return 0
    near = max(0.0, 4 - (item.day - today).days / 2) if item.day else 0.0
    value = PRIORITY[todo.priority] + min(near, 5.0) + (0.5 if todo.status == "in progress" else 0)
    length = _length(item)
    if energy == "low":
        return value / 4 + DIFFICULTY[todo.difficulty] + max(0.0, 4 - length / 10)
    return (
        value
        + (0.5 if energy == "high" and todo.difficulty == "hard" else 0)
        - (0.2 if minutes and length > minutes else 0)
    )


def _suggest(item: Item, energy: Energy, minutes: int | None, scene: Scene) -> FocusSuggestion:
    todo = item.record
    assert isinstance(todo, ToDo)  # noqa: S101 - the candidates are tasks
    length, steps = _length(item), _steps(item)
    part = minutes is not None and length > minutes
    step = steps[0] if steps and (part or energy == "low") else None
    return FocusSuggestion(
        action=step or todo.task,
        task_id=todo.id,
        step=step,
        minutes=min(length, STEP_MINUTES if step else length),
        why=_why(todo, minutes, scene, part=part),
        encouragement=CHEERS[energy],
    )


def _why(todo: ToDo, minutes: int | None, scene: Scene, *, part: bool) -> str:
    reasons = []
    if todo.deadline:
        reasons.append(f"it is due {say_when(todo.deadline, scene.now)}{say_missed(todo, scene.now)}")
    if todo.priority == "high":
        reasons.append("it has high priority")
    if minutes and todo.time_to_complete and todo.time_to_complete <= minutes:
        reasons.append(f"it takes {say_duration(todo.time_to_complete)} and you have {say_duration(minutes)}")
    if part and minutes:
        reasons.append(f"all of it takes longer than {say_duration(minutes)}, but a first step fits")
    return f"{quoted(todo.task)}: {' and '.join(reasons) if reasons else 'it is a good one to get moving with'}."

"""Micro-steps for tasks of more than one action; the lines of steps.tsv say which."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from agents.phrases import quote
from agents.records import ToDo

LONGEST_TASK = 160
PARTICLES = frozenset("up out off down away over in on around at with for to from about by near into of".split())
"""An object does not begin so: one who registers at the town hall does not pay for "at the town hall"."""
DETERMINER = r"(?P<det>(?:the|my|our|a|an|some|his|her|their) )?"
Shape = tuple[str, tuple[str, ...]]


def steps_for(task: str) -> list[str]:
    """Three to six steps that name the task's object; none for a task of one action."""
    text = task.strip().rstrip(".!")
    verb, _, rest = text.partition(" ")
    if len(text) > LONGEST_TASK or not rest:
        return []
    for pattern, steps in library().get(verb.lower(), ()):
        match = re.match(pattern, text, re.IGNORECASE)
        if match and match["x"].split()[0].lower() not in PARTICLES:
            return [step.replace("{x}", _object(match)).replace("{y}", match["x"].strip()) for step in steps]
    return []


def say_steps(task: ToDo) -> str:
    """Return the steps of a task in their order, those that are done told apart; or that none are known."""
    if not task.solutions:
        known = steps_for(task.task)
        return f"{quote(task.task)} has no steps yet." + (f" These could be some: {'; '.join(known)}." if known else "")
    told = [f"{step} (done)" if step in task.done_steps else step for step in task.solutions]
    return f"{quote(task.task)}: {'; '.join(f'{place}. {step}' for place, step in enumerate(told, start=1))}."


def _object(match: re.Match[str]) -> str:
    """The object as steps name it: "a laptop" is "the laptop" once it is talked about."""
    article = (match.groupdict().get("det") or "").strip().lower()
    thing = match["x"].strip()
    return thing if not article else f"{'the' if article in ('a', 'an', 'some') else article} {thing}"


def rows() -> list[tuple[str, str, str]]:
    """Verbs, the shape of the object, and the steps, in the order of the data."""
    lines = files("agents.understanding").joinpath("steps.tsv").read_text(encoding="utf-8").splitlines()
    parted = (line.split("\t") for line in lines if not line.startswith("#"))
    return [(verbs, shape, steps) for verbs, shape, steps in parted]


@cache
def library() -> dict[str, list[Shape]]:
    """The patterns by the first word of their verbs, in the order of the data; compiling all takes half a second."""
    found: dict[str, list[Shape]] = {}
    for verbs, shape, steps in rows():
        for verb in verbs.split("|"):
            pattern = rf"{verb}\s+{_shape(shape)}$"
            found.setdefault(verb.split()[0], []).append((pattern, tuple(steps.split(" | "))))
    return found


def _shape(shape: str) -> str:
    before, mark, words = shape.partition("X(")
    if mark:
        return rf"{before}{DETERMINER}(?P<x>.{{0,80}}?\b(?:{words}\b.{{0,60}})"
    return f"{shape[:-1]}{DETERMINER}(?P<x>.{{2,120}})" if shape.endswith("X") else shape

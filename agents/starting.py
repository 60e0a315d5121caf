"""Words that run one of the user's workflows: a verb of running, then the workflow's name, then what it is given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.ports import Workflow

STARTING = re.compile(
    r"(?:please\s+|now\s+|bitte\s+)?(?:run|start|launch|execute|starte|rode|execute|inicie)\s+"
    r"(?:(?:my|the|our|meine?n?|den|die|das|o|a|meu|minha)\s+)?(?P<called>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
WORD = re.compile(r"\w+")
BETWEEN = re.compile(
    r"(?:\s+(?:workflow|now|please)\b)*\s*(?:[:,\u2013-]|\b(?:with|about|on|for)\b)?\s*", re.IGNORECASE
)
AFTER = re.compile(r"(?:\s+(?:workflow|now|please|again|jetzt|bitte|agora))*[\s.!]*", re.IGNORECASE)


@dataclass(frozen=True)
class Started:
    """The workflow that words name, and the words that it is given."""

    workflow: Workflow
    given: str


def called_by(text: str) -> str:
    """What follows a verb of running; empty for all other words."""
    found = STARTING.fullmatch(text.strip())
    return found["called"] if found else ""


def started_by(called: str, workflows: Sequence[Workflow]) -> Started | None:
    """The workflow whose name the words begin with, the longest name first; one that takes nothing is given nothing."""
    names = [(name, one) for one in workflows for name in (one.name, one.slug)]
    for name, one in sorted(names, key=lambda item: -len(item[0])):
        end = _end_of(name, called)
        if end is None:
            continue
        rest = called[end:]
        if AFTER.fullmatch(rest):
            return Started(one, "")
        if one.inputs and (between := BETWEEN.match(rest)) and between.end():
            return Started(one, rest[between.end() :].strip())
    return None


def _end_of(name: str, called: str) -> int | None:
    """Where a name ends that the words begin with, its words compared without case and signs."""
    wanted = WORD.findall(name.replace("_", " ").lower())
    found = list(WORD.finditer(called))[: len(wanted)]
    if not wanted or [word[0].lower() for word in found] != wanted:
        return None
    return found[-1].end()

"""Words that run one of the user's workflows: a verb of running, then the workflow's name, then what it is given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.ports import Workflow
from agents.user_words.remembering import asks_for_what_is_known

STARTING = re.compile(
    r"(?:please\s+|now\s+|bitte\s+)?(?:run|start|launch|execute|starte|rode|execute|inicie)\s+"
    r"(?:(?:my|the|our|meine?n?|den|die|das|o|a|meu|minha)\s+)?(?P<called>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
WORD = re.compile(r"\w+")
BETWEEN_NAME_AND_INPUT = re.compile(
    r"(?:\s+(?:workflow|now|please)\b)*\s*(?:[:,\u2013-]|\b(?:with|about|on|for)\b)?\s*", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?:\s+(?:workflow|now|please)\b)*[.!]\s+")
QUESTION = re.compile(r"(?:[^.!?]|[.!?](?=\S))+\?\s*")
"""One sentence that asks."""
REQUESTING = re.compile(r"(?:can|could|would|will|kannst|könntest|pode|poderia)\b", re.IGNORECASE)
AFTER_NAME = re.compile(r"(?:\s+(?:workflow|now|please|again|jetzt|bitte|agora))*[\s.!]*", re.IGNORECASE)


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
        if AFTER_NAME.fullmatch(rest):
            return Started(one, "")
        if one.inputs and (given := _input_after_name(rest)) is not None:
            return Started(one, given)
    return None


def _input_after_name(rest: str) -> str | None:
    """What is said after a name. A further sentence is given only where it asks: what it orders is for others."""
    if ended := SENTENCE_END.match(rest):
        further = rest[ended.end() :].strip()
        return further if _asks(further) else None
    between = BETWEEN_NAME_AND_INPUT.match(rest)
    return rest[between.end() :].strip() if between and between.end() else None


def _asks(words: str) -> bool:
    """Whether words only ask after something; "Can you add milk?" wants something done."""
    marked = QUESTION.fullmatch(words) is not None and not REQUESTING.match(words)
    return marked or asks_for_what_is_known(words)


def _end_of(name: str, called: str) -> int | None:
    """Where a name ends that the words begin with, its words compared without case and signs."""
    wanted = WORD.findall(name.replace("_", " ").lower())
    found = list(WORD.finditer(called))[: len(wanted)]
    if not wanted or [word[0].lower() for word in found] != wanted:
        return None
    return found[-1].end()

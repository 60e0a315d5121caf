"""What a message wants as a whole: the model's word for it, unless what the rules made of it says it more surely."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Proposal, RouterDecision
from agents.ports import Ask
from agents.understanding.grammar import patterns_of
from agents.understanding.handle import readings
from agents.understanding.model.classifier import Guess, guess
from agents.understanding.text.clauses import Clause, split
from agents.understanding.text.patterns.pattern import Name
from agents.understanding.text.restated import restated
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
NOT_DATED = frozenset({"ood", "chitchat", "query_calendar", "query_tasks"})
MADE: dict[str, Name] = {
    "todo": "add_task",
    "event": "schedule",
    "note": "note",
    "profile": "profile",
    "instruction": "instruction",
}


def wanted(ask: Ask, decision: RouterDecision) -> tuple[str, float, list[Name]]:
    """The intent of the message, how probable it is, and the reading that decided each clause."""
    clauses, proposals = split(restated(ask.text)), proposed(decision)
    names = [_read(clause) for clause in clauses]
    likeliest = guess(ask.text)
    label = _surer(likeliest.label, ask.text, names, proposals)
    return label, _chance(label, likeliest), _named(names, proposals)


def proposed(decision: RouterDecision) -> list[Proposal]:
    """Everything that a decision would change."""
    return [item for target in decision.targets if target.proposed for item in target.proposed.proposals]


def _surer(label: str, text: str, names: Sequence[Name], proposals: Sequence[Proposal]) -> str:
    """The label, or what the rules know better: who they are told the user is, and reminders and tasks asked for."""
    if not proposals or any(item.op != "create" for item in proposals):
        return label
    kinds = {item.kind for item in proposals}
    if kinds == {"profile"}:
        return "profile_fact"
    reminders = [item for item in proposals if item.fields.get("kind") == "reminder"]
    if label in NOT_DATED and len(reminders) == len(proposals) and "remind" in names and P.REMINDING.search(text):
        return "reminder"
    bare = kinds == {"todo"} and not reminders and set(names) == {"unknown"}
    return "add_task" if bare and label == "schedule_event" and is_verb(text.split(maxsplit=1)[0].lower()) else label


def _chance(label: str, likeliest: Guess) -> float:
    """What the rules decided against the model counts as much as the model's own word did."""
    return likeliest.chances.get(label, 0.0) if label == likeliest.label else max(likeliest.chances.values())


def _read(clause: Clause) -> Name:
    return next((intent.name for intent in readings(clause)), "unknown")


def _named(names: Sequence[Name], proposals: Sequence[Proposal]) -> list[Name]:
    """The readings, each once; what no pattern read, or one that nothing came of, is named by what it came to."""
    idle = {"unknown"} if any(item.op == "update" for item in proposals) else {"unknown", "update"}
    came_to = list(dict.fromkeys(_made(item) for item in proposals))
    known = [name for name in names if name not in idle]
    spare = [name for name in came_to if name not in known] or came_to
    return list(dict.fromkeys(name for read in names for name in (spare if read in idle and spare else [read])))


def _made(item: Proposal) -> Name:
    if item.op in ("complete", "archive", "delete", "undo"):
        return item.op
    if item.op == "update":
        return "update"
    return "remind" if item.fields.get("kind") == "reminder" else MADE[item.kind]

"""What a message wants as a whole, in the words that public collections of such sentences use."""

from __future__ import annotations

from agents.contract import RouterDecision
from agents.ports import Ask
from agents.reading.reading import Clause
from agents.understanding.hearing import heard_in
from agents.understanding.situation import situation_of

INTENTS = {
    "todo": "add_task", "remind": "reminder", "event": "schedule_event", "list": "note", "note": "note",
    "noteadd": "note", "fact": "profile_fact", "factout": "profile_fact", "rule": "standing_instruction",
    "ruleout": "standing_instruction", "edit": "update_item", "snooze": "update_item", "done": "complete_task",
    "reopen": "update_item", "drop": "delete_task", "listout": "note", "listdone": "note", "undo": "update_item",
    "fix": "update_item", "more": "add_task", "yes": "affirm", "no": "negate", "pick": "affirm", "tell": "affirm",
    "ask": "ask_memory", "coach": "focus", "help": "chitchat", "chat": "chitchat", "remark": "chitchat",
    "cannot": "ood", "vague": "ood",
}  # fmt: skip
"""What an act of the reader is called there, where nothing else tells."""
OF_EVENTS = {"update_item": "move_event", "delete_task": "cancel_event"}
OF_ANSWERS = {"update_events": "query_calendar", "update_todos": "query_tasks"}


def message_intent(ask: Ask, decision: RouterDecision) -> tuple[str, float, list[str]]:
    """Return the intent of the message, how probable it is, and the act of each clause."""
    clauses = heard_in(ask.text, ask, situation_of(ask).clock).reading.clauses
    if not clauses:
        return "ood", 1.0, []
    # It is about what asks for something, as far as that is sure.
    first = max(clauses, key=lambda clause: (clause.act not in ("chat", "remark"), clause.sure))
    return _intent_of(first, decision), first.sure, list(dict.fromkeys(clause.act for clause in clauses))


def _intent_of(clause: Clause, decision: RouterDecision) -> str:
    intent = INTENTS[clause.act]
    kinds = {item.kind for target in decision.targets if target.proposed for item in target.proposed.proposals}
    if clause.act == "ask":
        return next((OF_ANSWERS[one.worker] for one in decision.targets if one.worker in OF_ANSWERS), intent)
    return OF_EVENTS.get(intent, intent) if kinds == {"event"} else intent

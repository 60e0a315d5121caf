"""How sure the built-in understanding is that it has understood a whole message: the fast path past any model."""

from __future__ import annotations

from agents.contract import Pending, Proposed, RouterDecision
from agents.phrases import NOTHING_CALLED
from agents.ports import Ask
from agents.understanding import floor
from agents.understanding.discourse import corrections, pending
from agents.understanding.handle import readings
from agents.understanding.model.classifier import guess
from agents.understanding.requests.convert import CONVERT
from agents.understanding.scene import scene_of
from agents.understanding.text.clauses import Clause, split
from agents.understanding.text.patterns.pattern import Name
from agents.understanding.text.restated import restated

CERTAIN, NOT_AT_ALL = 1.0, 0.0
NO_PATTERN = 0.9
"""What the classifier alone counts where no pattern fits."""
LONGEST = 60
"""Words of a message that the built-in understanding is trusted with."""
LABELS: dict[Name, tuple[str, ...]] = {
    "add_task": ("add_task", "reminder"), "need": ("add_task", "note"), "remind": ("reminder",),
    "complete": ("complete_task",), "archive": ("complete_task", "delete_task"),
    "reopen": ("update_item", "complete_task"), "start": ("update_item",), "snooze": ("update_item", "move_event"),
    "convert": ("update_item", "add_task"), "schedule": ("schedule_event", "add_task"),
    "move": ("move_event", "update_item"), "update": ("update_item", "move_event"),
    "delete": ("delete_task", "cancel_event"), "note": ("note",), "list_create": ("note", "add_task"),
    "list_add": ("note", "add_task"), "list_remove": ("note", "delete_task", "update_item"),
    "profile": ("profile_fact",), "instruction": ("standing_instruction",),
    "instruction_drop": ("standing_instruction", "delete_task"), "query_tasks": ("query_tasks",),
    "query_calendar": ("query_calendar",), "free": ("query_calendar",), "when_is": ("query_calendar", "ask_memory"),
    "list_query": ("query_tasks", "ask_memory"), "note_query": ("ask_memory", "query_tasks"),
    "ask_memory": ("ask_memory",), "profile_query": ("ask_memory",), "focus": ("focus",),
    "small_talk": ("chitchat", "affirm", "negate"), "out_of_scope": ("ood",),
}  # fmt: skip


def sureness(ask: Ask, decision: RouterDecision) -> float:
    """From 0 to 1: how probably ``decision`` is all that the message wants.

    1 where only code may decide: answers to a question that waits, undos, corrections of the last change, and one kind
    made of another, which a model has no word for. Else the least sure clause counts, by its pattern and by the classifier; anything asked or not understood counts as 0.
    """
    answered = _answered(ask.pending, ask) if ask.pending else None
    if answered is not None:
        return min((_clause(clause.text) for clause in split(restated(answered.rest))), default=CERTAIN)
    if (
        decision.look_back
        or ask.history is not None
        or _undoes(decision)
        or _converts(decision)
        or (ask.pending is None and corrections.correct(restated(ask.text), scene_of(ask)) is not None)
    ):
        return CERTAIN
    if (
        decision.unclear
        or decision.questions
        or _empty(decision)
        or len(ask.text.split()) > LONGEST
        or unused(decision)
    ):
        return NOT_AT_ALL
    return min((_clause(clause.text) for clause in split(restated(ask.text))), default=NOT_AT_ALL)


def _clause(text: str) -> float:
    found, guessed = next(iter(readings(Clause(text))), None), guess(text)
    if found is None:
        return guessed.sure * NO_PATTERN
    chances = guessed.chances
    likely = sum(chances.get(label, 0.0) for label in LABELS.get(found.name, ()))
    return (found.sure + likely) / 2


def _answered(waiting: Pending, ask: Ask) -> pending.Answered | None:
    """What the message answers of a question that waits; None when it does not answer it."""
    if pending.retold(waiting, ask) is not None:
        return pending.Answered([])
    return pending.answer_to(waiting, scene_of(ask))


def _undoes(decision: RouterDecision) -> bool:
    return any(proposal.op == "undo" for settled in _settled(decision) for proposal in settled.proposals)


def _converts(decision: RouterDecision) -> bool:
    return any(proposal.group.startswith(CONVERT) for settled in _settled(decision) for proposal in settled.proposals)


def _empty(decision: RouterDecision) -> bool:
    """Whether the answer is that nothing was found: a model may know what was meant."""
    answers = [sentence for settled in _settled(decision) for sentence in settled.answers]
    return any(sentence.startswith(NOTHING_CALLED) for sentence in answers)


def unused(decision: RouterDecision) -> bool:
    """Whether words were left aside, or something is asked because of them: a model may know what was meant."""
    held = [item.hold for settled in _settled(decision) for item in settled.proposals]
    told = [decision.acknowledgement, *(question.text for question in decision.questions)]
    return any(floor.NOTHING in text for text in told) or any(why.startswith(floor.NOTHING.lower()) for why in held)


def _settled(decision: RouterDecision) -> list[Proposed]:
    return [target.proposed for target in decision.targets if target.proposed]

"""Messages without a model: those that none has to read, and why there was none, in the language of the reply."""

from __future__ import annotations

from agents.languages import say, say_later
from agents.ports import Ask
from agents.user_words.mentions import short_answer
from app.models.llm.faults import FaultKind, ModelFailed

YES_OR_NO = ("proceed", "transcript")
UNDOING = frozenset({"undo", "undo that", "undo it", "rückgängig", "desfazer", "desfaz"})
WAIT_REPLY = say_later(
    "(The language model's server asks to wait {seconds} s; I can still handle tasks, calendar and notes.)"
)
FAULT_REPLIES: dict[FaultKind, str] = {
    "unreachable": say_later("(The language model's server cannot be reached, so this was understood without it.)"),
    "timeout": say_later("(The language model did not answer in time, so this was understood without it.)"),
    "too late": say_later("(The language model did not answer in time, so this was understood without it.)"),
    "rate limited": say_later("(The language model's server is asked too often, so this was understood without it.)"),
    "server error": say_later("(The language model's server has a fault, so this was understood without it.)"),
    "denied": say_later(
        "(The server of the language model refuses its key, its account or its name; please look at these. This was "
        "understood without it.)"
    ),
    "refused": say_later("(The language model's server refuses such requests, so this was understood without it.)"),
    "nonsense": say_later("(The language model gave no answer of use, so this was understood without it.)"),
    "out of credits": say_later("(You are out of credits for the language model, so this was understood without it.)"),
    "resting": say_later("(The language model failed just now and is left alone, so this was understood without it.)"),
    "too long": say_later("(This is more than the language model can take in, so it was understood without it.)"),
    "declined": say_later("(The language model declined to answer, so this was understood without it.)"),
}
BROKE_OFF = say_later("(The language model broke off here.)")


def is_closed_form(ask: Ask) -> bool:
    """Return whether a message is no more than a button, a yes or no to what waits, or a bare undo."""
    if ask.passed_on:
        return False
    said = ask.text.strip().casefold().rstrip(".! ")
    pending = ask.pending
    if pending is None:
        return said in UNDOING and bool(ask.recent_changes)
    buttons = {label.casefold() for label in (*pending.choices, *(option.label for option in pending.options))}
    return said in buttons or (pending.missing in YES_OR_NO and bool(short_answer(ask.text)))


def say_why(failure: ModelFailed) -> str:
    """Return the sentence; where the server says how long to wait, with that."""
    if failure.kind == "rate limited" and failure.retry_after and failure.retry_after >= 1:
        return say(WAIT_REPLY, seconds=round(failure.retry_after))
    return say(FAULT_REPLIES[failure.kind])

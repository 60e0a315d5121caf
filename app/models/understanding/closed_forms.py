"""Messages that no model has to read: a button, a bare yes or no to what waits, a bare undo."""

from __future__ import annotations

from agents.ports import Ask
from agents.user_words.mentions import short_answer

YES_OR_NO = ("proceed", "transcript")
UNDOING = frozenset({"undo", "undo that", "undo it", "rückgängig", "desfazer", "desfaz"})


def is_closed_form(ask: Ask) -> bool:
    """Return whether the words of a message are all that one of these forms has."""
    if ask.passed_on:
        return False
    said = ask.text.strip().casefold().rstrip(".! ")
    pending = ask.pending
    if pending is None:
        return said in UNDOING and bool(ask.recent_changes)
    buttons = {label.casefold() for label in (*pending.choices, *(option.label for option in pending.options))}
    return said in buttons or (pending.missing in YES_OR_NO and bool(short_answer(ask.text)))

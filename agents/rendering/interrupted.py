"""What a turn says that ended before its graph had answered: only what the ledger shows."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Change, Outcome
from agents.rendering.changes import told_apart

GAVE_UP = "Something went wrong on my side, several times, so I stopped. {done} Please say it again."
CANCELLED = "Cancelled. {done}"


def interrupted_outcome(words: str, changes: Sequence[Change]) -> Outcome:
    """``words``, one of the above, with the titles of what was already committed of ``changes``."""
    titles = [f"“{change.title}”" for change in told_apart(changes) if change.status == "applied"]
    done = f"Already done, and it can be undone: {', '.join(titles)}." if titles else "Nothing was changed."
    return Outcome(disposition="dispatch" if titles else "reply", reply=words.format(done=done))

"""What was done after all is not: "the form isn't done actually"."""

from __future__ import annotations

import re

from agents.contract import Proposal
from agents.understanding.items import choose
from agents.understanding.requests.tasks import is_closed
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause

NOT_DONE = re.compile(
    r"(?:(?:actually|wait|turns out|no)[\s,]+)*(?P<what>[\w' -]{2,80}?)\s+(?:is|are|was|were)(?:n't| not)\s+(?:actually |really |"
    r"quite |fully )*(?:done|finished|complete|completed|booked|paid|sent|fixed|sorted)\b(?: (?:yet|after all|actually|at all))*$",
    re.IGNORECASE,
)


KEPT = re.compile(
    r"(?:(?:oh|no|nah|scratch that|wait|actually|um|sorry|well|hang on|on second thou?ghts?|i changed my mind)[\s,.]+)*(?:keep|leave)\s(?:it|that|that one|them|this)"
    r"(?:\s(?:in|on|there|where it (?:is|was)|as it (?:is|was)|after all|actually|please|though))*",
    re.IGNORECASE,
)


def kept(clause: Clause, scene: Scene) -> Share | None:
    """Take back the removal just made: "no, keep it"; None when the last change took nothing away."""
    last = scene.last_change() if KEPT.fullmatch(clause.text.strip()) else None
    if last is None or last.op not in ("delete", "archive", "complete"):
        return None
    back = Proposal(op="undo", kind=last.kind, record_id=last.record_id, undo_of=last.id, reason="you want to keep it")
    return change(clause.text, back)


def not_done(clause: Clause, scene: Scene) -> Share | None:
    """Reopen the one closed task told of; None when no closed task is meant."""
    match = NOT_DONE.match(clause.text)
    found = choose.search(match["what"], scene, ("todo",), is_closed, None) if match else []
    if len(found) != 1 or not is_closed(found[0]):
        return None
    return change(clause.text, choose.propose(found[0], "update", {"status": "not started"}, "you said it is not done"))

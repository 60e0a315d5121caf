"""What is only supposed: "what if I moved lunch to 1?" is answered with what would come of it, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from agents.contract import Proposal
from agents.phrases import quoted, say_list, say_span
from agents.understanding.items.occurrences import busy
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.slots.moves import length_of
from agents.understanding.text.clauses import Clause

SUPPOSED = re.compile(
    r"(?:(?:and|so|ok|hmm+)[\s,]+)*(?:what (?:if|would happen if|happens if)|would it (?:work|help|be (?:ok|okay|possible|better)) if|suppose|supposing)\s+"
    r"(?:i|we|you)\s+(?:were to\s+)?(?P<verb>[a-z]+)\s+(?P<rest>.{2,200}?)[\s?.!]*",
    re.IGNORECASE,
)
PRESENT = {
    "pushed": "push", "moved": "move", "shifted": "shift", "cancelled": "cancel", "canceled": "cancel", "skipped": "skip",
    "booked": "book", "scheduled": "schedule", "rescheduled": "reschedule", "deleted": "delete", "dropped": "drop",
    "postponed": "postpone", "brought": "bring", "put": "put", "added": "add", "made": "make", "had": "schedule",
}  # fmt: skip
UNTOUCHED = "I have changed nothing; tell me to do it if you want it."


def hypothetical_answer(clause: Clause, scene: Scene, handle: Callable[[Clause, Scene], Share]) -> Share | None:
    """What a supposed move or appointment would run into; None for what supposes nothing of the kind.

    ``handle`` reads the request that is supposed.
    """
    match = SUPPOSED.fullmatch(clause.text.strip())
    verb = match["verb"].lower() if match else ""
    if match is None or verb not in (*PRESENT, *PRESENT.values()):
        return None
    share = handle(Clause(f"{PRESENT.get(verb, verb)} {match['rest']}", clause.context), scene)
    if not share.proposals:
        return share if share.answers else None
    told = [said for item in share.proposals if (said := _told(item, scene))]
    return answer(clause.text, *told, UNTOUCHED)


def _told(item: Proposal, scene: Scene) -> str:
    """What an event would clash with where it would stand; nothing for other changes."""
    event = next((event for event in scene.ask.records.events if event.id == item.record_id), None)
    start = item.fields.get("start")
    if item.kind != "event" or not isinstance(start, str) or len(start) <= len("2026-11-18"):
        return ""
    first = datetime.fromisoformat(start)
    end = item.fields.get("end")
    last = datetime.fromisoformat(end) if end else first + length_of(event)
    clashes = [
        slot.event.title for slot in busy(scene, first, last) if slot.event.id != item.record_id and not slot.whole_day
    ]
    title = item.fields.get("title") or (event.title if event else "")
    when = say_span(first, last, scene.now)
    if not clashes:
        return f"{quoted(title)} would be {when}, and nothing is in the way then."
    return f"{quoted(title)} would be {when} and overlap with {say_list([quoted(name) for name in dict.fromkeys(clashes)])}."

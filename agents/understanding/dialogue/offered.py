"""Free times that were offered for a clash: one that is picked by its place is where the appointment goes."""

from __future__ import annotations

from agents.index.words import tokens
from agents.ledger.approvals import LEFT_AS_IS
from agents.reading.reading import Clause
from agents.understanding.clause_reading import ClauseReading
from agents.understanding.ground import POINTING
from agents.understanding.outcome import Outcome, change_outcome, propose
from agents.understanding.places import PLACES, place_in
from agents.understanding.situation import Situation
from agents.understanding.slot_values import loose_words

PICKING = frozenset("pick fix edit tell more undo yes".split())
OFFERS = frozenset("option slot time alternative offer number".split())


def take_offered(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the appointment just made at the free time that is picked by its place, or left; None where none is."""
    newest = situation.ask.recent_changes[-1:]
    clashing = [one for one in situation.just_done() if one.alternatives and one.turn_id == newest[0].turn_id]
    if clause.act == "no" and len(clashing) == 1 and not clause.slots and not situation.touched:
        return Outcome(ClauseReading(text=clause.text, note=LEFT_AS_IS))  # the times, not the appointment
    if clause.act not in PICKING or situation.touched or len(clashing) != 1:
        return None
    if any(slot.name not in ("k", "g", "a") for slot in clause.slots) or (clause.act == "undo" and loose_words(clause)):
        return None
    words = clause.words("k", "g") or clause.text
    counted = {word.removesuffix("s") for word in tokens(words)} <= POINTING | PLACES.keys() | OFFERS
    at = place_in(words, len(clashing[0].alternatives)) if counted else None
    item = situation.item(clashing[0].record_id)
    if at is None or item is None:
        return None
    free = clashing[0].alternatives[at]
    return change_outcome(
        clause.text, propose(item, "update", {"start": free.start, "end": free.end}, "you picked this time")
    )

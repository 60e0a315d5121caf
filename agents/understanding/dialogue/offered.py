"""Free times that were offered for a clash: one that is picked by its place is where the appointment goes."""

from __future__ import annotations

from collections.abc import Sequence

from agents.contract import Opening
from agents.index.words import tokens
from agents.ledger.approvals import LEFT_AS_IS
from agents.reading.reading import Clause
from agents.understanding.dialogue.pick import EARLY_WORDS, LATE_WORDS
from agents.understanding.ground import POINTING
from agents.understanding.outcome import Outcome, update
from agents.understanding.places import PLACES, place_in
from agents.understanding.share import Share
from agents.understanding.situation import Situation
from agents.understanding.slot_values import loose_words

PICKING = frozenset("pick fix edit tell more undo yes".split())
OFFERS = frozenset("option slot time alternative offer number".split())


def take_offered(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the appointment just made at the free time that is picked by its place, or left; None where none is."""
    newest = situation.ask.recent_changes[-1:]
    clashing = [one for one in situation.just_done() if one.alternatives and one.turn_id == newest[0].turn_id]
    if clause.act == "no" and len(clashing) == 1 and not clause.slots and not situation.touched:
        return Outcome(Share(text=clause.text, note=LEFT_AS_IS))  # the times, not the appointment
    if clause.act not in PICKING or situation.touched or len(clashing) != 1:
        return None
    if any(slot.name not in ("k", "g", "a") for slot in clause.slots) or (clause.act == "undo" and loose_words(clause)):
        return None
    free = _picked_time(clause.words("k", "g") or clause.text, clashing[0].alternatives)
    item = situation.item(clashing[0].record_id)
    if free is None or item is None:
        return None
    return update(clause.text, item, {"start": free.start, "end": free.end}, "you picked this time")


def _picked_time(words: str, offered: Sequence[Opening]) -> Opening | None:
    """Return the time that words count, or the earlier or later one, where they say nothing else."""
    said = {word.removesuffix("s") for word in tokens(words)} - POINTING - OFFERS
    if said and (said <= EARLY_WORDS or said <= LATE_WORDS):
        return (min if said <= EARLY_WORDS else max)(offered, key=lambda free: free.start)
    at = place_in(words, len(offered)) if said <= PLACES.keys() else None
    return None if at is None else offered[at]

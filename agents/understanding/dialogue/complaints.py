"""Complaints: "that's wrong", "this is useless" get an apology and the way back, and change nothing."""

from __future__ import annotations

from agents.phrases import quoted
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
ENDS = P.ENDS
SORRY = "I'm sorry. Tell me what it should be in other words and I'll put it right."


def complaint_answer(clause: Clause, scene: Scene) -> Share | None:
    """An apology that names the last change, so that it can be taken back; None for everything else."""
    if not P.COMPLAINT.fullmatch(clause.text.strip()):
        return None
    if not scene.alone:
        return Share(note="I'm sorry.")
    return _apology(clause.text, scene)


def all_of(said: str, scene: Scene) -> Share | None:
    """The same for a message of nothing but complaints: as a correction "No. Wrong." would put "wrong" in a title's place."""
    parts = [part for part in ENDS.split(said.strip()) if part]
    angry = [part for part in parts if not P.NO.fullmatch(part)]
    if not angry or not all(P.COMPLAINT.fullmatch(part) or P.ALSO_ANGRY.fullmatch(part) for part in angry):
        return None
    return _apology(said, scene)


def _apology(said: str, scene: Scene) -> Share:
    last = scene.last_change()
    if last is None:
        return Share(note=SORRY)
    return answer(said, f"I'm sorry. Say “undo that” to take back {quoted(last.title)}, or tell me what it should be.")

"""What was done after all is not: "the form isn't done actually"."""

from __future__ import annotations

from agents.contract import Proposal
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, words_of
from agents.understanding.requests.tasks import is_closed
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)


CLOSING = ("delete", "archive", "complete")


def restored(clause: Clause, scene: Scene) -> Share | None:
    """The one archived task named, to be done again; None when none is, or when it was archived just now."""
    put_back = P.PUT_BACK.fullmatch(clause.text.strip(" .!"))
    if put_back is not None:
        return _brought_back(put_back["what"], clause, scene)
    match = P.RESTORED.fullmatch(clause.text.strip(" .!"))
    archived = choose.search(match["what"], scene, ("todo",), _is_archived, None) if match else []
    if len(archived) != 1 or not _is_archived(archived[0]):
        return None
    if any(row.record_id == archived[0].id for row in scene.ask.recent_changes):
        return None
    return change(clause.text, choose.propose(archived[0], "update", {"status": "not started"}, "you want it back"))


def _brought_back(what: str, clause: Clause, scene: Scene) -> Share | None:
    """The undo of what was taken away by that name: "bring padel back"."""
    said = words_of(what)
    gone = [
        row
        for row in scene.ask.recent_changes
        if row.status == "applied" and row.op in CLOSING and said and set(said) <= set(words_of(row.title))
    ]
    if len(gone) != 1:
        return None
    back = Proposal(
        op="undo", kind=gone[0].kind, record_id=gone[0].record_id, undo_of=gone[0].id, reason="you want it back"
    )
    return change(clause.text, back)


def _is_archived(item: Item) -> bool:
    return getattr(item.record, "status", "") == "archived"


def kept(clause: Clause, scene: Scene) -> Share | None:
    """Take back the removal just made: "no, keep it"; None when the last change took nothing away."""
    if not P.KEPT.fullmatch(clause.text.strip()):
        return None
    return _taken_back(clause, scene, CLOSING, "you want to keep it")


def not_done(clause: Clause, scene: Scene) -> Share | None:
    """Reopen the one closed task told of, or just completed: "actually not yet"; None when no closed task is meant."""
    if P.STILL.fullmatch(clause.text.strip(" .!")):
        return _taken_back(clause, scene, CLOSING, "it is still to be done")
    if P.NOT_YET.fullmatch(clause.text.strip(" .!")):
        return _taken_back(clause, scene, ("complete",), "it is not done yet")
    match = P.NOT_DONE.match(clause.text)
    found = choose.search(match["what"], scene, ("todo",), is_closed, None) if match else []
    if len(found) != 1 or not is_closed(found[0]):
        return None
    return change(clause.text, choose.propose(found[0], "update", {"status": "not started"}, "you said it is not done"))


def _taken_back(clause: Clause, scene: Scene, ops: tuple[str, ...], reason: str) -> Share | None:
    """The undo of the last change, if it was one of these."""
    last = scene.last_change()
    if last is None or last.op not in ops:
        return None
    back = Proposal(op="undo", kind=last.kind, record_id=last.record_id, undo_of=last.id, reason=reason)
    return change(clause.text, back)

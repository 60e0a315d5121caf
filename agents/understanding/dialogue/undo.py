"""What was done taken back: by name, by number, of a stretch of time, else all of the last turn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agents.contract import Change, Proposal
from agents.dates_in_words import say_when
from agents.index.words import tokens
from agents.ledger.atomic_groups import group_members, undo_of
from agents.phrases import quote, say_list, say_some
from agents.reading.reading import Clause
from agents.understanding.ground import POINTING, kinds_in, names_in
from agents.understanding.outcome import Outcome, do, tell, yes_or_no
from agents.understanding.places import places_in
from agents.understanding.records import lately
from agents.understanding.records.past import lookback, period_in
from agents.understanding.share import Share, delete
from agents.understanding.situation import Situation
from agents.understanding.slot_values import blank_slots

HALF = 0.5
TAKEN_BACK = "you took it back"
NOTHING_TO_UNDO = "There's nothing here to undo."
MOST_NAMED = 5
REDO_WORDS = frozenset(("redo", "undid", "undoing"))
DELETING = frozenset("cancel delete remove scrap drop".split())
COUNTED = frozenset("first second third fourth last former latter".split())
"""Words that count the changes of a turn."""


def undo(clause: Clause, situation: Situation) -> Outcome:
    """Return changes taken back: those named or counted, else all of the last turn."""
    said = tokens(clause.text)
    recent = situation.ask.recent_changes
    back = bool(REDO_WORDS & set(said)) or said.count("undo") > 1
    pool = lately.undos(recent) if back else lately.without_undos(recent)
    words = (name for name in names_in(clause, "g", "t", "i", "q") if not _is_kind(name))
    names = [name for name in words if not REDO_WORDS.issuperset(tokens(name)) and not lately.is_op(name)]
    then = (clause.words("v", "w") or blank_slots(clause)) if clause.all("a") and not back else ""
    named = _undo_named(names, clause, pool, situation) if names else _undo_all_of(then, clause, situation)
    if named is not None:
        return named
    turn = _of_kind(clause, _last_few(said, pool) or lately.applied_changes(lately.turn_of(pool)))
    ordinals = clause.words("k") or clause.words("g", "q", "t") or " ".join(word for word in said if word in COUNTED)
    ordinals = "" if set(tokens(ordinals)) <= {"the"} else ordinals  # "undo the rename" may have no other slot
    gone = _deleted_instead(said, turn, situation) if not ordinals and not back else None
    if gone is not None:
        return gone
    excepted = [item for name in names_in(clause, "x") for item in lately.find_named(name, turn)]
    chosen = _counted_changes(ordinals, turn) or _changes_meant(clause, ordinals, turn)
    if not chosen and ordinals and clause.all("k"):
        return _undo_named([clause.words("k")], clause, pool, situation)
    left = [item for item in chosen if item not in excepted]
    left = excepted if clause.sure < HALF and excepted else left  # rather these: "but not the rent"
    if not left:
        return tell(clause.text, NOTHING_TO_UNDO) if back or excepted else _undo_elsewhere(clause, situation)
    if not back and not _was_just_told(left[-1], situation):
        asked = f"Undo {say_list(_names(left))}?"
        return yes_or_no(asked, take_back(left, recent), clause.text, situation)
    return do(clause.text, *take_back(left, recent))


def _changes_meant(clause: Clause, ordinals: str, turn: Sequence[Change]) -> Sequence[Change]:
    """Return the changes of a turn that a clause names, in a slot or by a word of one title alone; else all of them."""
    if ordinals and clause.all("k"):
        return lately.find_named(ordinals, turn)
    return turn if clause.all("x") else lately.find_mentioned_in(tokens(clause.text), turn)


def _undo_all_of(then: str, clause: Clause, situation: Situation) -> Outcome | None:
    """Return the question whether all changes of a stretch of time are to be taken back; None if none is said."""
    past = situation.ask.history
    period = period_in(then, situation.scene) if then else None
    if period is None:
        return None
    if past is None:
        return Outcome(Share(look_back=lookback(period, [])))
    chosen = lately.applied_changes(period.holds(lately.without_undos(past)))
    if not chosen:
        return tell(clause.text, NOTHING_TO_UNDO)
    asked = f"Undo {say_some(_names(chosen), MOST_NAMED)}?"
    return yes_or_no(asked, take_back(chosen, past), clause.text, situation)


def _undo_elsewhere(clause: Clause, situation: Situation) -> Outcome:
    """Return the question whether the last change is to be taken back that was made in another conversation."""
    past = situation.ask.history
    if past is None:
        return Outcome(Share(look_back=lookback(None, [])))
    done = lately.applied_changes(lately.without_undos(past))
    last = [item for item in done if item.turn_id == done[-1].turn_id]
    if not last:
        return tell(clause.text, NOTHING_TO_UNDO)
    when = say_when(last[-1].created_at, situation.now)
    named = say_some(_names(last), MOST_NAMED)
    asked = f"{NOTHING_TO_UNDO} Your last change elsewhere was {named}, {when}: undo that?"
    return yes_or_no(asked, take_back(last, past), clause.text, situation)


def _names(changes: Sequence[Change]) -> list[str]:
    """Return the titles of changes in quotation marks, each once."""
    return list(dict.fromkeys(quote(item.title) for item in changes))


def _is_kind(name: str) -> bool:
    """Return whether a name says no more than a kind or a place: "the task", "the second event"."""
    return all(kinds_in([word]) for word in set(tokens(name)) - POINTING - COUNTED)


def _of_kind(clause: Clause, turn: list[Change]) -> list[Change]:
    """Return the changes of the kind that the words name, if they name one that is among them."""
    words = clause.words("g", "k")
    kinds = kinds_in(tokens(words)) if words and _is_kind(words) else ()
    return [item for item in turn if item.kind in kinds] or turn


def _last_few(said: Sequence[str], pool: Sequence[Change]) -> list[Change]:
    """Return as many of the last changes as words count, "the last two": none where they count none."""
    counts = [lately.COUNTS[then] for word, then in pairwise(said) if word == "last" and then in lately.COUNTS]
    return lately.applied_changes(pool)[-counts[0] :] if counts else []


def _counted_changes(words: str, turn: Sequence[Change]) -> list[Change]:
    """Return the changes that words count, or those of the operation that they name: "the first", "the deletion"."""
    op = lately.op_said(words) if lately.is_op(words) else None
    return [turn[at] for at in places_in(words, len(turn))] or [item for item in turn if item.op == op]


def _was_just_told(change_: Change, situation: Situation) -> bool:
    """Return whether a change is of the newest turn, and the last reply told of it."""
    newest, recent = situation.ask.recent_changes[-1], situation.ask.recent
    latest = change_.id == newest.id or change_.turn_id == newest.turn_id
    names = [change_.title, *map(str, change_.fields.values())] if change_.kind == "profile" else [change_.title]
    return latest and (not recent or any(name.lower() in recent[-1].replied.lower() for name in names))


def _deleted_instead(said: Sequence[str], turn: Sequence[Change], situation: Situation) -> Outcome | None:
    """Return what the last turn made deleted, where words of deletion are said rather than of taking back."""
    made_now = [item for row in turn if row.op == "create" and (item := situation.item(row.record_id))]
    if not DELETING & set(said) or not made_now or len(made_now) < len(turn):
        return None
    return do(" ".join(said), *map(delete, made_now))


def _undo_named(names: Sequence[str], clause: Clause, pool: Sequence[Change], situation: Situation) -> Outcome:
    """Return the newest change of each name taken back; the whole ledger is searched for a name that is not there."""
    past = situation.ask.history
    known = [*pool, *(lately.without_undos(past) if past else [])]
    found = [lately.distinct(lately.applied_changes(lately.find_named(name, known))) for name in names]
    if all(found):
        return do(clause.text, *take_back([max(changes, key=lambda one: one.created_at) for changes in found], known))
    if past is None:
        words = [word for name in names for word in lately.telling(name)]
        return Outcome(Share(look_back=lookback(None, words)))
    missing = quote(next(name for name, changes in zip(names, found, strict=True) if not changes))
    return tell(clause.text, f"I changed nothing called {missing}.")


def take_back(changes: Sequence[Change], known: Sequence[Change]) -> list[Proposal]:
    """Return what takes changes back, the newest first, with all of ``known`` that was made together with them."""
    together = any(item.together for item in changes)
    whole = group_members(changes, [item for item in known if item.status == "applied"]) if together else changes
    return [undo_of(item, TAKEN_BACK) for item in reversed(list(whole))]

"""Talk about what was just done: taking it back, correcting it, going on with the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from agents.contract import Change, Op, Proposal
from agents.dates_in_words import say_when
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.ledger.atomic_groups import group_members, undo_of
from agents.ledger.transitions import differing
from agents.phrases import quote, say_list, say_some
from agents.reading.reading import Clause
from agents.reading.words import COMMON
from agents.records import NAMED_BY, RECORD_TYPES
from agents.understanding.changes import change, create, lists
from agents.understanding.changes.anchor import AFTER_WORDS, BEFORE_WORDS
from agents.understanding.changes.conversion import convert
from agents.understanding.changes.revise import new_times, new_values, with_more_days
from agents.understanding.changes.rounds import leave_out
from agents.understanding.ground import (
    POINTING,
    SEVERAL,
    Meant,
    freshness,
    ground,
    is_at,
    is_pointing,
    kinds_in,
    names_in,
    one_named,
)
from agents.understanding.hearing import suggested_in
from agents.understanding.matching import find_mentioned, has_words
from agents.understanding.outcome import Outcome, do, not_understood, tell, update, yes_or_no
from agents.understanding.places import place_in, places_in
from agents.understanding.records import lately, profile
from agents.understanding.records.lists import add_lines, is_list, lines_added, lines_of, new_line, reword_line
from agents.understanding.records.members import without_member
from agents.understanding.records.past import lookback, period_in
from agents.understanding.records.pointed import told_since
from agents.understanding.records.reminders import without_reminders
from agents.understanding.share import Share, delete, propose
from agents.understanding.situation import STORED, Situation, day_of
from agents.understanding.slot_values import EDGES, blank_slots, loose_words, outside_words, times_of, title_of
from agents.understanding.values.moves import move_fields
from agents.understanding.values.slots import without_article

COMING = frozenset("coming comes joining joins join invite along".split())
JOINTS = (" for ", " with ")
HALF = 0.5
PLACING = frozenset(("there", "then"))
ENDING = ("delete", "complete", "archive")
TAKEN_BACK = "you took it back"
NOTHING_TO_UNDO = "There's nothing here to undo."
MOST_NAMED = 5
REDO_WORDS = frozenset(("redo", "undid", "undoing"))
DELETING = frozenset("cancel delete remove scrap drop".split())
COUNTED = frozenset("first second third fourth last former latter".split())
"""Words that count the changes of a turn."""
VALUES = ("w", "n", "d", "sh", "p", "pr", "df", "st")
FOREIGN_FIT = 0.5
"""How well a correction fits that would make another thing of what it corrects."""


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
        return yes_or_no(asked, _undoing(left, recent), clause.text, situation)
    return do(clause.text, *_undoing(left, recent))


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
    return yes_or_no(asked, _undoing(chosen, past), clause.text, situation)


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
    return yes_or_no(asked, _undoing(last, past), clause.text, situation)


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
        return do(clause.text, *_undoing([max(changes, key=lambda one: one.created_at) for changes in found], known))
    if past is None:
        words = [word for name in names for word in lately.telling(name)]
        return Outcome(Share(look_back=lookback(None, words)))
    missing = quote(next(name for name, changes in zip(names, found, strict=True) if not changes))
    return tell(clause.text, f"I changed nothing called {missing}.")


def _undoing(changes: Sequence[Change], known: Sequence[Change]) -> list[Proposal]:
    together = any(item.together for item in changes)
    whole = group_members(changes, [item for item in known if item.status == "applied"]) if together else changes
    return [undo_of(item, TAKEN_BACK) for item in reversed(list(whole))]


def fix(clause: Clause, situation: Situation) -> Outcome:
    """Return a correction of what this message or the last turn made: other values, other lines, another record."""
    names = [name for name in names_in(clause) if not is_pointing(name)]
    suggested = not names and clause.all(*VALUES) and suggested_in(situation.ask) and not situation.touched
    other = change.edit(clause, situation) if suggested else None if clause.slots else convert(clause, situation)
    for correct in (_left_out, _other_words, _other_list, _other_fact, _all_but_named):
        other = other or correct(clause, situation)
    if other is not None:
        return other
    together = f"{clause.words('g')} {clause.words('w')}"
    if names and clause.all("w") and one_named(together, (), situation).fit == 1:
        return _other_record([together], clause, situation)  # "interview seven" is a name
    if clause.all("k") and clause.all(*VALUES):
        return _counted_values(clause, situation)
    if names and clause.all(*VALUES):
        return change.edit(clause, situation)
    if names or clause.all("k"):
        return _other_record(names or [clause.words("k")], clause, situation)
    return _other_values(clause, situation)


def _left_out(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the series just changed without the rounds that a clause only retracts: "but not on the 9th"."""
    out = leave_out(clause, situation.latest(), situation) if clause.all("x") and not clause.all(*VALUES, "i") else []
    return do(clause.text, *out) if out else None


def _all_but_named(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the changes of the last turn taken back that a clause retracts by name: "but not the rent"."""
    if clause.all(*VALUES, "i", "g", "t", "k", "q") or situation.touched:
        return None
    turn = situation.just_done()
    named = [item for name in names_in(clause, "x") for item in lately.find_named(name, turn)]
    return do(clause.text, *_undoing(named, situation.ask.recent_changes)) if named else None


def _other_values(clause: Clause, situation: Situation) -> Outcome:
    """Return other values or lines for what was just made or changed."""
    done = situation.just_done()
    since = _named_before(situation) or _meant_since(clause, situation)
    ids = situation.touched[-1:] or ([since.id] if since else [row.record_id or "" for row in done])
    items = [item for record_id in dict.fromkeys(ids) if (item := situation.item(record_id))]
    ringing = [item for item in items if getattr(item.record, "remind_at", None)]
    relative = (BEFORE_WORDS | AFTER_WORDS) & set(tokens(clause.words("w")))
    items = ringing if relative and ringing else without_reminders("", items)
    instead = _meant_instead(clause, done, situation)
    if instead is not None:
        return instead
    if not items:
        return change.edit(clause, situation) if clause.slots else not_understood(clause.text)
    if clause.all("i") or (is_list(items[-1]) and clause.all("n")):
        return _other_lines(clause, situation)
    meant = [item for item in items if new_values(clause, item, situation)]
    if clause.all("w"):  # another time is meant of what has one
        meant = [item for item in meant if day_of(item, situation.clock)] or meant
    if not meant:
        said = [word for word in loose_words(clause) if word not in outside_words() or kinds_in([word])]
        back = not clause.slots and not said and not PLACING & {*loose_words(clause)}
        return undo(clause, situation) if back else not_understood(clause.text)
    several = bool(clause.all("a")) or bool(SEVERAL & {*tokens(clause.words("g")), *loose_words(clause)})
    fit = (1.0 if several or len(meant) == 1 else 0.6) * min(freshness(item, situation) for item in meant)
    if any(_is_foreign(clause.words("n"), item) for item in meant[-1:]):
        fit = min(fit, FOREIGN_FIT)
    target = Meant(meant if several else meant[-1:], fit, "it", several)
    return change.revise_records(clause, target, situation)


def _named_before(situation: Situation) -> Item | None:
    """Return the one thing changed lately that a remark before the correction names: "Priya says ..."."""
    changed = dict.fromkeys(row.record_id for row in situation.ask.recent_changes)
    items = [item for record_id in changed if (item := situation.item(record_id))]
    named = [item for remark in situation.remarks[:1] for item in find_mentioned(remark.text, items)]
    return named[0] if len(named) == 1 else None


def _meant_since(clause: Clause, situation: Situation) -> Item | None:
    """Return what was told since the last change, unless it is at the time already that a clause would give it."""
    since, times = told_since(situation.scene, STORED), times_of(clause, situation)
    return None if since and times and all(is_at(since, one, situation) for one in times) else since


def _is_foreign(name: str, item: Item) -> bool:
    """Return whether a name has a number and nothing of what it would replace: "2500 words" is none of an essay."""
    said = words_of(name)
    return any(word.isdigit() for word in said) and set(said).isdisjoint(item.words) and len(said) > 1


def _other_fact(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the fact that was just told with another value; None where none was, or more than one may be meant."""
    done = situation.ask.recent_changes[-1:]
    new = title_of(clause, "n", "p", "g", "t", "k", *profile.FACTS)
    if not done or done[0].kind != "profile" or done[0].op == "undo" or not new or situation.touched:
        return None
    names = [name for name in profile.FACTS.values() if done[0].fields.get(name)]
    names = ["location"] if clause.all("p", "fhome") and "location" in names else names
    return Outcome(profile.remember({names[0]: new}, clause.text, situation.scene)) if len(names) == 1 else None


def _counted_values(clause: Clause, situation: Situation) -> Outcome:
    """Return new values for the one of the last turn's records that is counted: "the second one is urgent"."""
    items = [item for row in situation.just_done() if (item := situation.item(row.record_id))]
    at = place_in(clause.words("k"), len(items))
    if at is None:
        return change.edit(clause, situation)
    return change.revise_records(clause, Meant([items[at]], 1.0, items[at].title), situation)


def _other_list(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the lines that were just added on the list that is named instead; None where no list was changed."""
    done = situation.just_done()
    item = situation.item(done[-1].record_id) if done and clause.all("l") else None
    found = lists.meant_lists(clause, situation) if item else []
    if item is None or not is_list(item) or len(found) != 1 or found[0].id == item.id:
        return None
    added = lines_added(item, situation.scene)
    kept = [line for line in lines_of(item) if line["text"] not in added]
    back = propose(item, "update", {"items": kept}, "you meant another list")
    there = propose(found[0], "update", {"items": add_lines(found[0], added)}, "you meant this list")
    return do(clause.text, back, there) if added else None


def _other_words(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the name of what was just made with other words in place of those retracted; None where it has none."""
    old, new = without_article(clause.words("x").strip(EDGES)), title_of(clause, "n")
    new = new or title_of(clause, "g", "t", "k", "p", "i")
    item = situation.latest()
    if item and not new and (left := without_member(old, item)):
        return update(clause.text, item, {NAMED_BY[item.kind]: left}, "one fewer")
    new = new or " ".join(word for word in loose_words(clause) if word not in outside_words())
    if not old or not new or item is None or old.lower() not in item.title.lower():
        return None
    slot = replace(clause.slots[0], name="n", text=without_article(new))
    kept = tuple(one for one in clause.slots if one.name not in ("n", "g", "t", "k", "p", "i"))
    fields = new_values(replace(clause, slots=(slot, *kept)), item, situation)
    return update(clause.text, item, fields, "you corrected it")


def _meant_instead(clause: Clause, done: Sequence[Change], situation: Situation) -> Outcome | None:
    """Return the change made for another stored record, where a new name is that of one; None where it is a name."""
    if not clause.all("n") or clause.all("w", "d", "p") or not done or done[-1].op == "create" or situation.touched:
        return None
    target = one_named(clause.words("n"), (), situation)
    return _other_record([clause.words("n")], clause, situation) if target.only and target.fit == 1 else None


def _other_record(names: Sequence[str], clause: Clause, situation: Situation) -> Outcome:
    """Return the last change taken back where it was made, and made for the record that is named.

    What is named of several things just changed, or was ended just now, is itself put back: "wait, the gel isn't".
    """
    turn = situation.just_done()
    own = lately.find_named(" ".join(names), turn)
    if len(own) == 1 and not situation.touched and (len(turn) > 1 or own[0].op in ENDING):
        return do(clause.text, *_undoing(own, situation.ask.recent_changes))
    done = [row for row in situation.just_done() if row.op != "create"]
    target = one_named(" ".join(names), (), situation, fits=lambda item: not done or item.id != done[-1].record_id)
    item = target.only
    if target.fit < 1 and len(names) == 1 and (alike := _renamed_alike(names[0], clause, situation)):
        return alike
    if item is None or not done:
        return change.edit(clause, situation)
    last = done[-1]
    fields = last.fields if item.kind == last.kind else {}
    if last.op == "update" and not fields:
        return not_understood(clause.text)
    return do(clause.text, undo_of(last, "you meant another"), propose(item, last.op, fields, "you meant this one"))


def _renamed_alike(name: str, clause: Clause, situation: Situation) -> Outcome | None:
    """Return what was just made with another word before the same noun: "i meant the electric bill" of a gas bill."""
    new, made = without_article(name).split(), [row for row in situation.just_done() if row.op == "create"]
    for item in filter(None, (situation.item(row.record_id) for row in made if len(new) == 2)):  # noqa: PLR2004
        words = item.title.split()
        at = next((n for n, word in enumerate(words) if word.lower() == new[1].lower()), 0)
        other = at > 1 and words[at - 1].lower() not in COMMON  # "gas", and no "the" or "with"
        if at:
            title = " ".join([*words[: at - other], *new, *words[at + 1 :]])
            return update(clause.text, item, {NAMED_BY[item.kind]: title}, "you corrected it")
    return None


def _other_lines(clause: Clause, situation: Situation) -> Outcome:
    """Return the list just changed with lines in place of others."""
    found = lists.meant_lists(clause, situation)
    if len(found) != 1:
        return lists.put_on(clause, situation)
    new = {word for line in lists.lines_said(clause) for word in words_of(line)}
    added = lines_added(found[0], situation.scene)
    said = lists.lines_said(clause) or [title_of(clause, "n") or title_of(clause, "g")]
    other = None if added or clause.all("x") else _done_to_another(clause, found[0], said, situation)
    if other is not None:
        return other
    within = [line for line in added if set(words_of(line)) <= new]
    gone = names_in(clause, "x") or within or (_lines_replaced(added, said[0]) if clause.all("n") else [])
    if clause.all("n") and not gone:
        return not_understood(clause.text)
    kept = [line for line in lines_of(found[0]) if not any(has_words(str(line["text"]), one) for one in gone)]
    said = [reword_line(gone[0], said[0])] if clause.all("n") and len(gone) == 1 else said
    there = {line["text"].lower() for line in kept}
    fresh = [new_line(line) for line in said if line.lower() not in there]
    if len(kept) == len(lines_of(found[0])) and not fresh:
        return not_understood(clause.text)
    return update(clause.text, found[0], {"items": [*kept, *fresh]}, "you corrected it")


def _done_to_another(clause: Clause, item: Item, said: Sequence[str], situation: Situation) -> Outcome | None:
    """Return a list as it was, with other lines taken off or ticked than the last change did; None where it did not."""
    done, now = situation.just_done()[-1:], lines_of(item)
    before = (done[0].before or {}).get("items", []) if done and done[0].record_id == item.id else []
    changed = [line for line in before if line not in now]
    if not changed:
        return None
    meant = lists.called_so(before, said)
    if not meant:
        asked = f"{quote(item.title)} has no {quote(say_list(said))}. Shall I put it back as it was?"
        return yes_or_no(asked, [undo_of(done[0], "you meant another")], clause.text, situation)
    ticked = len(now) == len(before)
    left = before if ticked else [line for line in before if line not in meant]
    lines = [{**line, "done": not line["done"]} if line in meant else line for line in left]
    return update(clause.text, item, {"items": lines}, "you meant another line")


def _lines_replaced(added: list[str], new: str) -> list[str]:
    """Return the one line that the last change put on a list, or of several the one of which there are as many now."""
    counted = [line for line in added if reword_line(line, new) != new]
    return next((found for found in (added, counted) if len(found) == 1), [])


def more(clause: Clause, situation: Situation) -> Outcome:
    """Return one more of what this message or the last turn did: another line, another record, another time."""
    made: list[Proposal | Change] = [*situation.just_done(), *situation.scene.proposals]
    last = made[-1] if made else None
    if last is None or (clause.all("t", "i") and clause.all("g", "l")):
        return lists.put_on(clause, situation) if clause.all("i") else create.todo(clause, situation)
    item = situation.item(last.record_id or "".join(situation.touched[-1:]))
    of_list = item is not None and is_list(item)
    if clause.all("i") or (of_list and clause.all("t")):
        return lists.put_on(clause, situation)
    own_days = _on_more_days(clause, item, last.fields, situation) if item and not clause.all("t", "g") else None
    again = own_days or book_again(clause, situation)
    if again or (last.op != "create" and clause.all("g", "t")):
        return again or _same_for_others(clause, last.op, last.fields, situation)
    if clause.all("t"):
        return _one_more_guest(clause, item) or _one_more(clause, last.kind, last.fields, situation)
    if clause.all("w") and last.op == "create" and item is not None and item.kind != "note":
        return _same_then(clause, item, last.fields, situation)
    return change.edit(clause, situation) if clause.slots else not_understood(clause.text)


def _on_more_days(clause: Clause, item: Item, fields: dict[str, Any], situation: Situation) -> Outcome | None:
    """Return a series on some more weekdays, "thursdays too", or one more at another hour; None for none."""
    repeat = next((found for found in times_of(clause, situation) if found.kind == "set" and found.rrule), None)
    if repeat is None or not getattr(item.record, "recurrence", None):
        return None
    days = {} if repeat.timed else with_more_days(item, repeat, situation)
    if days:
        return update(clause.text, item, days, "one more of its days")
    if not repeat.timed or "recurrence" not in fields:
        return None
    other = fields | move_fields(item, repeat, situation.scene) | {"recurrence": repeat.rrule}
    return do(clause.text, Proposal(op="create", kind=item.kind, fields=other, reason="one more"))


def book_again(clause: Clause, situation: Situation) -> Outcome | None:
    """Return what the last turn deleted at another time: "rebook it for friday"; None where that is not meant."""
    last = situation.just_done()[-1:]
    named = tokens(clause.words("g", "t"))
    if situation.touched or not clause.all("w") or not last or last[0].op != "delete" or last[0].before is None:
        return None
    if named and named[-1] not in POINTING and not has_words(last[0].title, clause.words("g", "t")):
        return None
    gone = RECORD_TYPES[last[0].kind].model_validate(last[0].before)
    fields = new_values(clause, Item(last[0].kind, gone.id, last[0].title, gone), situation)
    if not fields:
        return None
    back = undo_of(last[0], "you book it again")
    new = differing(last[0].kind, last[0].before, fields)
    moved = back.model_copy(update={"op": "update", "undo_of": None, "fields": new})
    return do(clause.text, back, *([moved] if new else []))


def _one_more_guest(clause: Clause, item: Item | None) -> Outcome | None:
    """Return the appointment just spoken of with one more guest: "Ola is coming too"; None where none is meant."""
    if item is None or item.kind != "event" or clause.all("w") or not COMING & {*loose_words(clause)}:
        return None
    joint = "and" if " with " in item.title else "with"
    named = f"{item.title} {joint} {title_of(clause, 't')}"
    return update(clause.text, item, {"title": named}, "one more guest")


def _event_then(clause: Clause, fields: dict[str, Any], situation: Situation) -> Outcome:
    """Return one more appointment, at the hours of the last one where the same are said."""
    item = situation.latest()
    if not {"same"} & set(tokens(clause.text)) or item is None or item.kind != "event":
        return create.event(clause, situation)
    known = Item(item.kind, item.id, _named_alike(clause, item.title), item.record)
    kept = {name: fields[name] for name in ("location", "notes", "busy") if name in fields}
    return _same_then(clause, known, kept | {"title": known.title}, situation)


def _named_alike(clause: Clause, title: str) -> str:
    """Return the name of what is the same for somebody else: "vet for Biscuit" after "vet for Mabel"."""
    new, said = title_of(clause, "t"), tokens(clause.text)
    joints = [joint for joint in JOINTS if joint in title]
    head, joint, tail = title.partition(joints[0] if len(joints) == 1 else JOINTS[0])
    is_name = len(tail.split()) in (1, 2) and tail[:1].isupper() == new[:1].isupper()
    return f"{head}{joint}{new}" if joint and is_name and {"same", "for"} <= set(said) else new


def _one_more(clause: Clause, kind: str, fields: dict[str, Any], situation: Situation) -> Outcome:
    if kind == "event":
        return _event_then(clause, fields, situation)
    if kind == "note":
        return create.note(clause, situation)
    if fields.get("kind") == "reminder" and clause.all("w"):
        return create.remind(clause, situation)
    outcome = create.todo(clause, situation)
    for draft in outcome.share.proposals if fields.get("deadline") and not clause.all("w") else ():
        draft.fields.setdefault("deadline", fields["deadline"])
    return outcome


def _same_for_others(clause: Clause, op: Op, fields: dict[str, Any], situation: Situation) -> Outcome:
    """Return the same change for the records that are named now; times that it says go before."""
    if op == "update" and clause.all(*VALUES):
        return change.edit(clause, situation)
    target = ground(clause, situation) if clause.all("g") else one_named(title_of(clause, "t"), (), situation)
    if not target.items and clause.all("t"):
        return create.todo(clause, situation)
    if not target.items:
        return tell(clause.text, f"I found nothing called {quote(target.name)}.")
    if target.only and target.only.kind == "todo" and without_member(clause.words("g"), target.only):
        return change.mark_done(clause, situation)  # "Bob too"
    drafts = [propose(item, op, fields, "the same again") for item in target.items]
    return do(clause.text, *drafts, fit=target.fit if len(drafts) == 1 or target.several else 0.5)


def _same_then(clause: Clause, item: Item, fields: dict[str, Any], situation: Situation) -> Outcome:
    """Return the same thing made once more at another time."""
    name = "title" if item.kind == "event" else "task"
    title = str(fields.get(name, "")).strip(EDGES)
    kept = {key: value for key, value in fields.items() if key not in ("start", "end", "deadline", "remind_at")}
    times = [found for found in new_times(clause, item, situation) if found.kind not in ("set", "duration")]
    each = [new for found in times if (new := move_fields(item, found, situation.scene))]
    drafts = [Proposal(op="create", kind=item.kind, fields=kept | new, reason="one more") for new in each]
    return do(clause.text, *drafts) if drafts and words_of(title) else not_understood(clause.text)

"""What was just done corrected: other values, other words, other lines, another record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.contract import Change
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.ledger.atomic_groups import undo_of
from agents.phrases import quote, say_list
from agents.reading.reading import Clause
from agents.reading.words import COMMON
from agents.records import NAMED_BY
from agents.understanding.changes import change, lists
from agents.understanding.changes.anchor import AFTER_WORDS, BEFORE_WORDS
from agents.understanding.changes.conversion import convert
from agents.understanding.changes.revise import new_values
from agents.understanding.changes.rounds import leave_out
from agents.understanding.dialogue.undo import take_back, undo
from agents.understanding.ground import SEVERAL, Meant, freshness, is_at, is_pointing, kinds_in, names_in, one_named
from agents.understanding.hearing import suggested_in
from agents.understanding.matching import find_mentioned, has_words
from agents.understanding.outcome import Outcome, do, not_understood, update, yes_or_no
from agents.understanding.places import place_in
from agents.understanding.records import lately, profile
from agents.understanding.records.lists import add_lines, is_list, lines_added, lines_of, new_line, reword_line
from agents.understanding.records.members import without_member
from agents.understanding.records.pointed import told_since
from agents.understanding.records.reminders import without_reminders
from agents.understanding.share import propose
from agents.understanding.situation import STORED, Situation, day_of
from agents.understanding.slot_values import EDGES, loose_words, outside_words, times_of, title_of
from agents.understanding.values.slots import without_article

VALUES = ("w", "n", "d", "sh", "p", "pr", "df", "st")
PLACING = frozenset(("there", "then"))
MENDING = ("fix", "edit")
ENDING = ("delete", "complete", "archive")
FOREIGN_FIT = 0.5
"""How well a correction fits that would make another thing of what it corrects."""


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
    if clause.all(*VALUES, "i", "g", "t", "k", "q") or situation.touched or "with" in loose_words(clause):
        return None  # "no, with Bob" is about a guest
    turn = situation.just_done()
    named = [item for name in names_in(clause, "x") for item in lately.find_named(name, turn)]
    return do(clause.text, *take_back(named, situation.ask.recent_changes)) if named else None


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
        alone = all(other.act not in MENDING for other in situation.clauses[situation.at + 1 :])  # "please" begins one
        back = alone and not clause.slots and not said and not PLACING & {*loose_words(clause)}
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
        return do(clause.text, *take_back(own, situation.ask.recent_changes))
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
    if {line["text"] for line in [*kept, *fresh]} == {line["text"] for line in lines_of(found[0])}:
        return not_understood(clause.text)  # there already, so that nothing would change
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

"""Changes of what is stored: values, status, putting off, deleting, adding to a note, forgetting facts and wishes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.index.items import Item
from agents.index.words import tokens
from agents.ledger.atomic_groups import undo_of
from agents.ledger.transitions import differing
from agents.phrases import quote
from agents.reading.reading import Clause
from agents.records import Event, Kind, Note, ToDo
from agents.time import FoundTime
from agents.timers import has_rung
from agents.understanding.changes import lists
from agents.understanding.changes.conversion import convert
from agents.understanding.changes.forgetting import reword_rule
from agents.understanding.changes.revise import new_values, status_of
from agents.understanding.changes.rounds import change_rounds
from agents.understanding.changes.task_steps import break_up, rename_step, tick_step
from agents.understanding.decide import question_about
from agents.understanding.ground import Fits, MeantRecords, ground, is_open, is_pointing, kinds_in, names_in, one_named
from agents.understanding.outcome import (
    MOST_OPTIONS,
    ClauseOutcome,
    already,
    answer_outcome,
    ask_for,
    change_outcome,
    not_there,
    not_understood,
    propose,
    settle,
    yes_or_no,
)
from agents.understanding.records.lists import append_lines, find_lists
from agents.understanding.records.members import names_a_part, without_member
from agents.understanding.series import series
from agents.understanding.series.apart import move_occurrences
from agents.understanding.situation import DRAFT, STORED, Situation
from agents.understanding.slot_values import NOTHING_WORDS, TAGGING, loose_words, shift_of, tags_of, times_of, title_of
from agents.understanding.values import forms
from agents.understanding.values import task_times as tasks
from agents.understanding.values.days import days_of
from agents.understanding.values.moves import move_fields
from agents.understanding.values.slots import Slots

MAX_UNASKED_CHANGES = 5
"""So many records are changed at once without a question, and fewer are deleted."""
DAY_SECONDS = 86_400
TIMED: tuple[Kind, ...] = ("todo", "event")
SLEEPING = frozenset("snooze snoozed hide sleep remind ask bug ping nudge again".split())
SWAPPING = frozenset("swap switch exchange trade".split())
UNTAGGING = frozenset("untag untagged off".split())
BESIDE = frozenset(("location", "title"))
"""What may change of a round as well when it is moved."""
PART_FIT = 0.5
"""How well one of several things that a task joins fits all of it."""
CONTENT = ("c", "i", "n", "t")


def any_state(_: Item) -> bool:
    """Return True: also what is done or put away is meant."""
    return True


def found_in(
    clause: Clause, situation: Situation, kinds: tuple[Kind, ...] = STORED, fits: Fits = is_open
) -> MeantRecords:
    """Return the records that a clause means, among those that fit; else, where they are named, among all."""
    target = ground(clause, situation, kinds, fits)
    by_time = clause.all("v", "a") and not clause.all("g", "k")
    return target if target.items or by_time else ground(clause, situation, kinds, any_state)


def edit(clause: Clause, situation: Situation) -> ClauseOutcome:
    """Return new values for the records that a clause means."""
    other = (
        _line_changed(clause, situation)
        or convert(clause, situation)
        or _status_changed(clause, situation)
        or _swap_times(clause, situation)
        or _file_under_tag(clause, situation)
        or reword_rule(clause, situation)
        or rename_step(clause, situation)
        or break_up(clause, situation)
    )
    if other is not None:
        return other
    timed = clause.all("w", "sh", "d", "p")
    target = found_in(clause, situation, TIMED) if timed else found_in(clause, situation)
    target = target if target.items else found_in(clause, situation)
    if clause.all("l") and not clause.all("g", "v"):
        target = MeantRecords(lists.meant_lists(clause, situation), 1.0, lists.list_name(clause))
    if not target.items:
        return lists.move_line(clause, situation) or answer_outcome(clause.text, not_there(target.name))
    return revise_records(clause, target, situation)


def _line_changed(clause: Clause, situation: Situation) -> ClauseOutcome | None:
    """Return a line of a list moved to another one, or open again; None where no line is meant."""
    if clause.all("i") and lists.UNDONE & set(loose_words(clause)):
        return lists.tick(clause, situation)
    return lists.move_line(clause, situation) if clause.all("i", "l") else None


def _status_changed(clause: Clause, situation: Situation) -> ClauseOutcome | None:
    status = status_of(clause)
    return (
        mark_done(clause, situation)
        if status == "done"
        else reopen(clause, situation)
        if status == "not started"
        else None
    )


def _swap_times(clause: Clause, situation: Situation) -> ClauseOutcome | None:
    """Return two appointments each at the time of the other; None where no two are to change places."""
    names = [slot.text for slot in clause.all("g")]
    if len(names) != 2 or clause.all("w") or not SWAPPING & {*loose_words(clause)}:  # noqa: PLR2004 - a pair
        return None
    found = [one_named(name, (), situation, ("event",)) for name in names]
    events = [target.items[0].record for target in found if len(target.items) == 1]
    starts = [event.start for event in events if isinstance(event, Event) and isinstance(event.start, datetime)]
    if len(starts) != 2 or events[0] is events[1]:  # noqa: PLR2004 - a pair
        return None
    moves = zip(found, [starts[1] - starts[0], starts[0] - starts[1]], strict=True)
    drafts = [
        propose(one.items[0], "update", move_fields(one.items[0], shift, situation.scene)) for one, shift in moves
    ]
    return change_outcome(clause.text, *drafts, fit=min(target.fit for target in found))


def _file_under_tag(clause: Clause, situation: Situation) -> ClauseOutcome | None:
    """Return records with one more tag: "file the receipt under taxes"; None where a list is named, or a value."""
    typed = tags_of(clause)
    tag = (typed[0] if typed else lists.list_name(clause).lower()).removeprefix("#")
    said = set(loose_words(clause))
    named = bool(typed) or bool(said & TAGGING)
    if not tag or not clause.all("g") or clause.all("i", "w", "n", "pr"):
        return None
    if not named and find_lists(tag, situation.scene):
        return None
    target = found_in(clause, situation, ("todo", "note"))
    off = bool(said & (NOTHING_WORDS | UNTAGGING))
    fresh = [{"tags": _change_tags(item, tag, off=off)} for item in target.items]
    drafts = [[propose(item, "update", one, "you filed it")] for item, one in zip(target.items, fresh, strict=True)]
    return settle(clause.text, target, drafts, situation) if drafts else None


def _change_tags(item: Item, tag: str, *, off: bool) -> list[str]:
    """Return the tags of a record with one more, or without one."""
    others = [one for one in _tags(item) if one.lower() != tag]
    return others if off else [*others, tag]


def _tags(item: Item) -> list[str]:
    return list(getattr(item.record, "tags", []))


def revise_records(clause: Clause, target: MeantRecords, situation: Situation) -> ClauseOutcome:
    """Return the new values of a clause for the records meant."""
    recurring = series.series_of(target.items)
    if recurring and (whole := _series_moved(clause, recurring, target, situation)):
        return whole
    target, drafts = _draft_updates(clause, target, situation)
    if not any(drafts):
        return _what_about(clause, target, situation)
    outcome = settle(clause.text, target, drafts, situation)
    if len(outcome.share.proposals) > MAX_UNASKED_CHANGES:
        asked = question_about(outcome.share.proposals, situation)
        return yes_or_no(asked, outcome.share.proposals, clause.text, situation)
    return outcome


def _draft_updates(
    clause: Clause, target: MeantRecords, situation: Situation
) -> tuple[MeantRecords, list[list[Proposal]]]:
    """Return new values for the records meant; of equals for as many as a question names: hundreds may be called so."""
    drafts = list[list[Proposal]]()
    for item in target.items:
        drafts.append(_draft(clause, item, situation))
        if not target.several and sum(map(bool, drafts)) == MOST_OPTIONS:
            break
    return replace(target, items=target.items[: len(drafts)]), drafts


def _draft(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    if (moved := _rounds_moved(clause, item, situation)) is not None:
        return moved
    fields = new_values(clause, item, situation)
    new = differing(item.kind, item.record.model_dump(mode="json"), fields)
    fields = fields if new.keys() & {"start", "end"} else new or fields  # where an end is not said it moves along
    return [propose(item, "update", fields, "you changed it")] if fields else []


def _rounds_moved(clause: Clause, item: Item, situation: Situation) -> list[Proposal] | None:
    """Return the rounds of a series that take place when a clause says at another time: they were not named.

    None where that is not what is asked.
    """
    event = item.record
    then = [found for found in times_of(clause, situation, "v") if found.moment and found.day_said]
    to = _where_to(clause, situation)
    if not isinstance(event, Event) or not event.recurrence or not then or to is None or clause.all("g"):
        return None
    out = [slot for found in then for slot in series.on_days(event, *days_of(found, situation.scene), situation.scene)]
    return move_occurrences(event, out, to, situation.scene)


def _where_to(clause: Clause, situation: Situation) -> FoundTime | timedelta | None:
    """Return the time to which something is moved, or by how much."""
    times = [found for found in times_of(clause, situation) if found.kind not in ("set", "duration")]
    return shift_of(clause, situation) or next(iter(times), None)


def _what_about(clause: Clause, target: MeantRecords, situation: Situation) -> ClauseOutcome:
    """Return the question what is to be changed about the one record that is named without a value."""
    if len(target.items) != 1 or not clause.all("g"):
        return not_understood(clause.text)
    item = target.items[0]
    asked = f"What shall I change about {quote(item.title)}?"
    return ask_for("rephrase", asked, propose(item, "update"), clause.text, situation)


def _series_moved(clause: Clause, event: Event, target: MeantRecords, situation: Situation) -> ClauseOutcome | None:
    """Return a series, or the occurrences of it that are named, at another time or with other details."""
    rounds = [] if event.id.startswith(DRAFT) else change_rounds(clause, target.items[0], situation)
    if rounds:
        return change_outcome(clause.text, *rounds, fit=target.fit)
    slots = Slots(clause.text, "")
    slots.times = times_of(clause, situation, "v")
    to = _where_to(clause, situation)
    repeats = any(found.kind == "set" for found in times_of(clause, situation))
    if repeats or event.id.startswith(DRAFT):
        return None
    fields = new_values(clause, target.items[0], situation)
    beside = {name: value for name, value in fields.items() if name in BESIDE}
    if beside and isinstance(to, FoundTime) and _takes_place(event, to, situation):
        slots.times, to, fields = [*slots.times, to], None, beside  # it tells which of them, and no other time
    if isinstance(to, timedelta) or (to is not None and to.role != "until"):
        share = series.move(event, clause.text, slots, to, situation.scene)
        for item in share.proposals:
            item.fields.update(beside if item.op == "create" or "exdates" not in item.fields else {})
        return ClauseOutcome(share, target.fit)
    altered = series.alter(event, clause.text, slots, fields, situation.scene) if fields and slots.times else None
    return ClauseOutcome(altered, target.fit) if altered else None


def _takes_place(event: Event, then: FoundTime, situation: Situation) -> bool:
    """Return whether a series takes place at a time, so that nothing of it would be moved there."""
    out = series.on_days(event, *days_of(then, situation.scene), situation.scene) if then.moment else []
    return bool(out) and not move_occurrences(event, out, then, situation.scene)


def snooze(clause: Clause, situation: Situation) -> ClauseOutcome:
    """Return tasks or notes hidden until later; the time is asked for where none is said."""
    target = found_in(clause, situation, ("todo", "note"), _may_sleep)
    due = [getattr(item.record, "deadline", None) for item in target.items]
    if due and all(due) and not SLEEPING & {*loose_words(clause)}:
        return revise_records(clause, target, situation)  # what is due "can wait till monday": it is due then
    until = _back_on(clause, situation)
    if until is None and len(target.items) == 1:
        draft = propose(target.items[0], "update", {"snooze_until": None}, "you asked to snooze it")
        return ask_for(
            "when", f"Until when shall I snooze {quote(target.items[0].title)}?", draft, clause.text, situation
        )
    drafts = [[propose(item, "update", {"snooze_until": until}, "you asked to snooze it")] for item in target.items]
    return settle(clause.text, target, drafts, situation) if until else not_understood(clause.text)


def _may_sleep(item: Item) -> bool:
    return is_open(item) or (isinstance(item.record, ToDo) and has_rung(item.record.model_dump()))


def _back_on(clause: Clause, situation: Situation) -> str | None:
    """Return when a snoozed record comes back: then, or so long from now."""
    shift = shift_of(clause, situation)
    if shift is not None:
        return forms.instant(situation.now + abs(shift))
    for found in times_of(clause, situation, "w", "d"):
        if found.kind == "duration" and found.seconds:
            later = situation.now + timedelta(seconds=found.seconds)
            return forms.instant(later) if found.seconds < DAY_SECONDS else forms.day(later)
        if found.moment and (until := tasks.back_on(found, situation.scene)):
            return until
    return None


def mark_done(clause: Clause, situation: Situation) -> ClauseOutcome:
    """Return tasks ticked off, or lines of a list, or a step of a task."""
    if clause.all("k") and clause.all("g"):
        return tick_step(clause, situation)
    if status_of(clause) == "in progress":
        target = ground(clause, situation, ("todo",))
        drafts = [[propose(item, "update", {"status": "in progress"}, "you began it")] for item in target.items]
        return settle(clause.text, target, drafts, situation)
    target = ground(clause, situation, ("todo",))
    if not target.items or target.fit < 1:
        lines = lists.owners(lists.lines_said(clause) or names_in(clause), clause, situation)
        if lines and (not target.items or len(lines) == 1):
            return lists.tick(clause, situation)
    if not target.items or _is_note(clause, target, situation):
        return _done_before(clause, target, situation)
    drafts = [[_done_in_part(clause, item) or _complete(item)] for item in target.items]
    named = [item for item, (draft,) in zip(target.items, drafts, strict=True) if draft.op == "complete"]
    if any(names_a_part(name, item) for name in names_in(clause) for item in named):
        target = replace(target, fit=min(target.fit, PART_FIT))
    return settle(clause.text, target, drafts, situation)


def _complete(item: Item) -> Proposal:
    return propose(item, "complete", reason="you said it is done")


def _done_in_part(clause: Clause, item: Item) -> Proposal | None:
    """Return a task for several people without the one who is named; None where all of it is done."""
    left = without_member(clause.words("g"), item)
    return propose(item, "update", {"task": left}, "one of them is done") if left else None


def _is_note(clause: Clause, target: MeantRecords, situation: Situation) -> bool:
    """Return whether a name says "idea" or "note" of a note there is, and of no task: the "shelf idea" is none."""
    said = {word for word in tokens(clause.words("g")) if kinds_in([word]) == ("note",)}
    other = any(said <= set(tokens(item.title)) for item in target.items)
    return bool(said) and not other and ground(clause, situation, ("note",)).fit == 1


def _done_before(clause: Clause, target: MeantRecords, situation: Situation) -> ClauseOutcome:
    closed = ground(clause, situation, ("todo",), any_state)
    if len(closed.items) == 1 and closed.fit == 1 and not target.items:
        known = quote(closed.items[0].title)
        return already(clause.text, f"{known} is done already.")
    other = ground(clause, situation, ("note", "event"))
    if len(other.items) == 1 and other.items[0].kind == "note":
        return change_outcome(clause.text, _complete(other.items[0]), fit=other.fit)
    return answer_outcome(clause.text, not_there(target.name))


def reopen(clause: Clause, situation: Situation) -> ClauseOutcome:
    """Return tasks or lines that are not done after all."""
    status = status_of(clause)
    wanted = status if status == "in progress" else "not started"
    target = ground(clause, situation, ("todo", "note"), _is_closed)
    if not target.items:
        lines = lists.owners(lists.lines_said(clause) or names_in(clause), clause, situation)
        if lines:
            return lists.tick(clause, situation)
        still = ground(clause, situation, ("todo",))
        if len(still.items) == 1 and wanted == "not started":
            known = quote(still.items[0].title)
            return already(clause.text, f"{known} is still open.")
        target = still
    if wanted == "not started" and (back := taken_back(clause, target, "complete", situation)):
        return back
    drafts = [
        [propose(item, "update", {"status": _reopened_status(item, wanted)}, "you reopened it")]
        for item in target.items
    ]
    return settle(clause.text, target, drafts, situation)


def taken_back(clause: Clause, target: MeantRecords, op: str, situation: Situation) -> ClauseOutcome | None:
    """Return the last change taken back, where words that only point at its record ask for the opposite of it."""
    done = situation.just_done()
    pointing = all(map(is_pointing, names_in(clause))) and not clause.all("v", "a")
    if not pointing or situation.touched or not done or done[-1].op != op or len(target.items) != 1:
        return None
    last = done[-1]
    return (
        change_outcome(clause.text, undo_of(last, "you took it back")) if last.record_id == target.items[0].id else None
    )


def _is_closed(item: Item) -> bool:
    return getattr(item.record, "status", "not started") not in ("not started", "active")


def _reopened_status(item: Item, wanted: str) -> str:
    return "active" if isinstance(item.record, Note) else wanted


def add_to_note(clause: Clause, situation: Situation) -> ClauseOutcome:
    """Return a note with more text, a list with more lines, or a task or event with a note."""
    content = title_of(clause, *CONTENT[:2]) or title_of(clause, *CONTENT[2:])
    target = ground(clause, situation, ("note",), any_state)
    if not target.items:
        target = ground(clause, situation)
    if not content:
        return not_understood(clause.text)
    drafts = [[propose(item, "update", _with_text(item, content), "you added to it")] for item in target.items]
    return settle(clause.text, target, drafts, situation)


def _with_text(item: Item, content: str) -> dict[str, Any]:
    record = item.record
    if isinstance(record, Note) and record.category == "list":
        return {"items": append_lines(item, [content])}
    name = "content" if isinstance(record, Note) else "notes"
    return {name: f"{getattr(record, name)}\n{content}".strip()}

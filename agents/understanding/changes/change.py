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
from agents.rendering.agenda import Slot
from agents.time import FoundTime
from agents.timers import has_rung
from agents.understanding.changes import lists
from agents.understanding.changes.anchor import asked_then
from agents.understanding.changes.conversion import convert
from agents.understanding.changes.forgetting import reword_rule
from agents.understanding.changes.revise import new_values, status_of
from agents.understanding.changes.rounds import change_rounds
from agents.understanding.changes.task_steps import break_up, of_last_task, rename_step, tick_step
from agents.understanding.decide import ask_to_confirm
from agents.understanding.ground import Meant, always, ground, is_open, is_pointing, kinds_in, names_in, one_named, seek
from agents.understanding.outcome import (
    MOST_OPTIONS,
    Outcome,
    already,
    ask_for,
    do,
    do_or_ask,
    not_there,
    not_understood,
)
from agents.understanding.records.lately import find_named
from agents.understanding.records.lists import add_lines, find_lists
from agents.understanding.records.members import names_a_part, without_member
from agents.understanding.series import series
from agents.understanding.series.apart import move_occurrences
from agents.understanding.series.occurrences import of_event
from agents.understanding.share import Share, propose
from agents.understanding.situation import DRAFT, STORED, Situation
from agents.understanding.slot_values import (
    NOTHING_WORDS,
    between,
    loose_words,
    read_times,
    shift_of,
    times_of,
    title_of,
)
from agents.understanding.values import forms
from agents.understanding.values import task_times as tasks
from agents.understanding.values.days import days_of
from agents.understanding.values.moves import move_fields
from agents.understanding.values.slots import TAGGING, Slots, tags_in

MAX_UNASKED_CHANGES = 5
"""So many records are changed at once without a question, and fewer are deleted."""
RUNG_LATELY = timedelta(minutes=15)
DAY_SECONDS, ONE_YEAR = 86_400, timedelta(days=366)
TIMED: tuple[Kind, ...] = ("todo", "event")
SLEEPING = frozenset("snooze snoozed hide sleep remind ask bug ping nudge again".split())
SWAPPING = frozenset("swap switch exchange trade".split())
UNTAGGING = frozenset("untag untagged off".split())
BESIDE = frozenset(("location", "title"))
"""What may change of a round as well when it is moved."""
PART_FIT = 0.5
"""How well one of several things that a task joins fits all of it."""
SNOOZED = "you asked to snooze it"


def _tell_when_apart(clause: Clause, situation: Situation) -> Clause:
    """Return a clause in which a day before "to" tells which records: "all the tasks due sunday to wednesday"."""
    times = clause.all("w")
    if len(times) < 2 or clause.all("v") or (clause.all("g") and not clause.all("a")):  # noqa: PLR2004 - from and to
        return clause
    gap, days = between(clause, times[-2], times[-1]), read_times(times[0].text, situation.clock)
    if "to" not in tokens(gap) or not days or any(one.timed or not one.day_said for one in days):
        return clause
    return replace(clause, slots=tuple(replace(one, name="v") if one in times[:-1] else one for one in clause.slots))


def edit(clause: Clause, situation: Situation) -> Outcome:
    """Return new values for the records that a clause means."""
    clause = _tell_when_apart(clause, situation)
    if clause.all("t") and not clause.all("g"):
        clause = replace(
            clause, slots=tuple(replace(one, name="g") if one.name == "t" else one for one in clause.slots)
        )
    special = (
        _line_changed,
        convert,
        _status_changed,
        _swap_times,
        _file_under_tag,
        reword_rule,
        rename_step,
        break_up,
    )
    other = next(filter(None, (builder(clause, situation) for builder in special)), None)
    if other is not None:
        return other
    target = seek(clause, situation, TIMED if clause.all("w", "sh", "d", "p") else STORED)
    target = target if target.items else seek(clause, situation)
    if clause.all("l") and not clause.all("g", "v"):
        target = Meant(lists.meant_lists(clause, situation), 1.0, lists.list_name(clause))
    if not target.items:
        return lists.move_line(clause, situation) or not_there(clause.text, target.name)
    return revise_records(clause, target, situation)


def _line_changed(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a line of a list moved to another one, or open again; None where no line is meant."""
    if clause.all("i") and lists.UNDONE & set(loose_words(clause)):
        return lists.tick(clause, situation)
    return lists.move_line(clause, situation) if clause.all("i", "l") else None


def _status_changed(clause: Clause, situation: Situation) -> Outcome | None:
    builder = {"done": mark_done, "not started": reopen}.get(status_of(clause))
    return builder(clause, situation) if builder else None


def _swap_times(clause: Clause, situation: Situation) -> Outcome | None:
    """Return two appointments each at the time of the other; None where no two are to change places."""
    names = [slot.text for slot in clause.all("g")]
    if len(names) != 2 or clause.all("w") or not SWAPPING & {*loose_words(clause)}:  # noqa: PLR2004 - a pair
        return None
    found = [one_named(name, (), situation, ("event",)) for name in names]
    items = [target.only for target in found if target.only]
    rounds = [slot for item in items if (slot := _next_round(item, situation)) and not slot.whole_day]
    if len(rounds) != 2 or items[0] is items[1]:  # noqa: PLR2004 - a pair
        return None
    apart = rounds[1].start - rounds[0].start
    moves = zip(items, rounds, (apart, -apart), strict=True)
    drafts = [draft for item, slot, by in moves for draft in _moved_once(item, slot, by, situation)]
    return do(clause.text, *drafts, fit=min(target.fit for target in found))


def _next_round(item: Item, situation: Situation) -> Slot | None:
    """Return when an appointment takes place next, or when it took place if it is over."""
    event = item.record
    if not isinstance(event, Event):
        return None
    ahead = of_event(event, situation.scene, situation.now, situation.now + ONE_YEAR)
    first = event.start if isinstance(event.start, datetime) else situation.now
    return next(iter(ahead or of_event(event, situation.scene, first, situation.now)), None)


def _moved_once(item: Item, slot: Slot, by: timedelta, situation: Situation) -> list[Proposal]:
    """Return an appointment so much later, of a series one round."""
    event = item.record
    if isinstance(event, Event) and event.recurrence:
        return move_occurrences(event, [slot], by, situation.scene)
    return [propose(item, "update", move_fields(item, by, situation.scene))]


def _file_under_tag(clause: Clause, situation: Situation) -> Outcome | None:
    """Return records with one more tag: "file the receipt under taxes"; None where a list is named, or a value."""
    typed = tags_in(clause.text)
    tag = (typed[0] if typed else lists.list_name(clause).lower()).removeprefix("#")
    said = set(loose_words(clause))
    named = bool(typed) or bool(said & TAGGING)
    if not tag or not clause.all("g") or clause.all("i", "w", "n", "pr"):
        return None
    if not named and find_lists(tag, situation.scene):
        return None
    target = seek(clause, situation, ("todo", "note"))
    off = bool(said & (NOTHING_WORDS | UNTAGGING))
    drafts = [[propose(item, "update", _change_tags(item, tag, off=off), "you filed it")] for item in target.items]
    return do_or_ask(clause.text, target, drafts, situation) if drafts else None


def _change_tags(item: Item, tag: str, *, off: bool) -> dict[str, Any]:
    """Return the tags of a record with one more, or without one."""
    others = [one for one in getattr(item.record, "tags", []) if one.lower() != tag]
    return {"tags": others if off else [*others, tag]}


def revise_records(clause: Clause, target: Meant, situation: Situation) -> Outcome:
    """Return the new values of a clause for the records meant."""
    recurring = series.series_of(target.items)
    if recurring and (whole := _series_moved(clause, recurring, target, situation)):
        return whole
    target, drafts = _draft_updates(clause, target, situation)
    if not any(drafts):
        return _what_about(clause, target, situation)
    outcome = do_or_ask(clause.text, target, drafts, situation)
    if len(outcome.share.proposals) > MAX_UNASKED_CHANGES:
        return ask_to_confirm(clause.text, outcome.share.proposals, situation)
    return outcome


def _draft_updates(clause: Clause, target: Meant, situation: Situation) -> tuple[Meant, list[list[Proposal]]]:
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
    return shift_of(clause, situation) or next(iter(times or asked_then(clause, situation)), None)


def _what_about(clause: Clause, target: Meant, situation: Situation) -> Outcome:
    """Return the question what is to be changed about the one record that is named without a value."""
    if target.only is None or not clause.all("g"):
        return not_understood(clause.text)
    asked = f"What shall I change about {quote(target.only.title)}?"
    return ask_for("rephrase", asked, propose(target.only, "update"), clause.text, situation)


def _series_moved(clause: Clause, event: Event, target: Meant, situation: Situation) -> Outcome | None:
    """Return a series, or the occurrences of it that are named, at another time or with other details."""
    if event.id.startswith(DRAFT):
        return None
    week, to = _week_of_round(clause, situation) or (None, _where_to(clause, situation))
    if week is None and (rounds := change_rounds(clause, target.items[0], situation)):
        return do(clause.text, *rounds, fit=target.fit)
    if any(found.kind == "set" for found in times_of(clause, situation)):
        return None
    slots = Slots(clause.text, times=[*times_of(clause, situation, "v"), *([week] if week else [])])
    fields = new_values(clause, target.items[0], situation)
    beside = {name: value for name, value in fields.items() if name in BESIDE}
    if beside and week is None and isinstance(to, FoundTime) and _takes_place(event, to, situation):
        slots.times, to, fields = [*slots.times, to], None, beside  # it tells which of them, and no other time
    if isinstance(to, timedelta) or (to is not None and to.role != "until"):
        share = series.move(event, clause.text, slots, to, situation.scene)
        for item in share.proposals:
            item.fields.update(beside if item.op == "create" or "exdates" not in item.fields else {})
        return Outcome(share, target.fit)
    altered = series.alter(event, clause.text, slots, fields, situation.scene) if fields and slots.times else None
    return Outcome(altered, target.fit) if altered else None


def _week_of_round(clause: Clause, situation: Situation) -> tuple[FoundTime, FoundTime | timedelta] | None:
    """Return the week whose round is meant, and where that goes: "next week's is at 7"; None where none is said so."""
    times = [found for found in times_of(clause, situation) if found.kind not in ("set", "duration")]
    weeks = [one for one in times if one.kind == "point" and one.grain == "week" and not one.timed]
    hours = [one for one in times if one.kind in ("point", "interval") and one.timed and not one.day_said]
    to = shift_of(clause, situation) or next(iter(hours), None)
    return (weeks[0], to) if to and len(weeks) == 1 and len(weeks) + len(hours) == len(times) else None


def _takes_place(event: Event, then: FoundTime, situation: Situation) -> bool:
    """Return whether a series takes place at a time, so that nothing of it would be moved there."""
    out = series.on_days(event, *days_of(then, situation.scene), situation.scene) if then.moment else []
    return bool(out) and not move_occurrences(event, out, then, situation.scene)


def _ringing(clause: Clause, situation: Situation) -> Meant | None:
    """Return the one reminder that rings just now, where words only point: "snooze that"."""
    if not all(map(is_pointing, names_in(clause))) or clause.all("v", "a") or situation.touched:
        return None
    days, rings = ((situation.now - RUNG_LATELY).date(), situation.now.date()), list[Item]()
    since = max(
        [situation.now - RUNG_LATELY, *(row.created_at for row in situation.just_done() if row.kind != "event")]
    )
    for item in situation.items("todo").find_between(*days):
        at = getattr(item.record, "remind_at", None)
        rings += [item] if at and since <= at <= situation.now and _may_sleep(item) else []
    return Meant(rings, 1.0, "that") if len(rings) == 1 else None


def snooze(clause: Clause, situation: Situation) -> Outcome:
    """Return tasks or notes hidden until later; the time is asked for where none is said."""
    target = _ringing(clause, situation) or seek(clause, situation, ("todo", "note"), _may_sleep)
    due = [getattr(item.record, "deadline", None) for item in target.items]
    if due and all(due) and not SLEEPING & {*loose_words(clause)}:
        return revise_records(clause, target, situation)  # what is due "can wait till monday": it is due then
    until = _back_on(clause, situation)
    drafts = [[propose(item, "update", {"snooze_until": until}, SNOOZED)] for item in target.items]
    if until is None and target.only:
        asked = f"Until when shall I snooze {quote(target.only.title)}?"
        return ask_for("when", asked, drafts[0][0], clause.text, situation)
    return do_or_ask(clause.text, target, drafts, situation) if until else not_understood(clause.text)


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


def mark_done(clause: Clause, situation: Situation) -> Outcome:
    """Return tasks ticked off, or lines of a list, or a step of a task."""
    if clause.all("k") and (clause.all("g") or of_last_task(clause, situation)):
        return tick_step(clause, situation)
    if clause.all("x") and not clause.all("g", "a", "v", "i"):
        return _done_otherwise(clause, situation)
    target = ground(clause, situation, ("todo",))
    if target.several and len(target.items) > 1 and not clause.all("g", "v"):
        target = replace(target, fit=min(target.fit, PART_FIT))
    if status_of(clause) == "in progress":
        drafts = [[propose(item, "update", {"status": "in progress"}, "you began it")] for item in target.items]
        return do_or_ask(clause.text, target, drafts, situation)
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
    return do_or_ask(clause.text, target, drafts, situation)


def _done_otherwise(clause: Clause, situation: Situation) -> Outcome:
    """Return what is excepted from what was just changed as it was, and done: "except the rent, that's paid"."""
    names = names_in(clause, "x")
    back = [item for name in names for item in find_named(name, situation.just_done()) if item.op != "complete"]
    target = one_named(" ".join(names), (), situation, ("todo",))
    done = [_complete(item) for item in target.items]
    undone = [undo_of(item, "you meant the others") for item in back]
    return do(clause.text, *undone, *done, fit=target.fit if target.only and back else PART_FIT)


def _complete(item: Item) -> Proposal:
    return propose(item, "complete", reason="you said it is done")


def _done_in_part(clause: Clause, item: Item) -> Proposal | None:
    """Return a task for several people without the one who is named; None where all of it is done."""
    left = without_member(clause.words("g"), item)
    return propose(item, "update", {"task": left}, "one of them is done") if left else None


def _is_note(clause: Clause, target: Meant, situation: Situation) -> bool:
    """Return whether a name says "idea" or "note" of a note there is, and of no task: the "shelf idea" is none."""
    said = {word for word in tokens(clause.words("g")) if kinds_in([word]) == ("note",)}
    other = any(said <= set(tokens(item.title)) for item in target.items)
    return bool(said) and not other and ground(clause, situation, ("note",)).fit == 1


def _done_before(clause: Clause, target: Meant, situation: Situation) -> Outcome:
    closed = ground(clause, situation, ("todo",), always)
    if closed.only and closed.only.id in situation.touched:
        return Outcome(Share(text=clause.text))  # another part of it: "ordered the flour and the milk"
    if closed.only and closed.fit == 1 and not target.items:
        return already(clause.text, f"{quote(closed.only.title)} is done already.")
    other = ground(clause, situation, ("note", "event"))
    if other.only and other.only.kind == "note":
        plain = getattr(other.only.record, "category", "") == "note"  # which is hardly ever done
        return do(clause.text, _complete(other.only), fit=min(other.fit, PART_FIT) if plain else other.fit)
    return not_there(clause.text, target.name)


def reopen(clause: Clause, situation: Situation) -> Outcome:
    """Return tasks or lines that are not done after all."""
    wanted = "in progress" if status_of(clause) == "in progress" else "not started"
    target = ground(clause, situation, ("todo", "note"), _is_closed)
    if not target.items:
        lines = lists.owners(lists.lines_said(clause) or names_in(clause), clause, situation)
        if lines:
            return lists.tick(clause, situation)
        target = ground(clause, situation, ("todo",))
        if target.only and wanted == "not started":
            return already(clause.text, f"{quote(target.only.title)} is still open.")
    if wanted == "not started" and (back := taken_back(clause, target, "complete", situation)):
        return back
    drafts = [[_reopen(item, wanted)] for item in target.items]
    return do_or_ask(clause.text, target, drafts, situation)


def _reopen(item: Item, wanted: str) -> Proposal:
    return propose(item, "update", {"status": "active" if item.kind == "note" else wanted}, "you reopened it")


def taken_back(clause: Clause, target: Meant, op: str, situation: Situation) -> Outcome | None:
    """Return the last change taken back, where words that only point at its record ask for the opposite of it."""
    done = situation.just_done()
    pointing = all(map(is_pointing, names_in(clause))) and not clause.all("v", "a")
    if not pointing or situation.touched or not done or done[-1].op != op or target.only is None:
        return None
    return do(clause.text, undo_of(done[-1], "you took it back")) if done[-1].record_id == target.only.id else None


def _is_closed(item: Item) -> bool:
    return getattr(item.record, "status", "not started") not in ("not started", "active")


def add_to_note(clause: Clause, situation: Situation) -> Outcome:
    """Return a note with more text, a list with more lines, or a task or event with a note."""
    content = title_of(clause, "c", "i") or title_of(clause, "n", "t")
    if not content:
        return not_understood(clause.text)
    target = ground(clause, situation, ("note",), always)
    target = target if target.items else ground(clause, situation)
    drafts = [[propose(item, "update", _with_text(item, content), "you added to it")] for item in target.items]
    return do_or_ask(clause.text, target, drafts, situation)


def _with_text(item: Item, content: str) -> dict[str, Any]:
    record = item.record
    if isinstance(record, Note) and record.category == "list":
        return {"items": add_lines(item, [content])}
    name = "content" if isinstance(record, Note) else "notes"
    return {name: f"{getattr(record, name)}\n{content}".strip()}

"""Records that go: deleted, put away, left out of a series; many are asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.contract import Proposal
from agents.index.items import Item
from agents.index.words import tokens
from agents.phrases import quote, say_some
from agents.reading.reading import Clause, Slot
from agents.records import Event, ToDo
from agents.understanding.changes import lists
from agents.understanding.changes.change import MAX_UNASKED_CHANGES
from agents.understanding.changes.revise import ENDED_WORDS
from agents.understanding.changes.rounds import end_from, leave_out, skip_round, weekdays_in, without_days
from agents.understanding.decide import question_about
from agents.understanding.ground import (
    ALL_WORDS,
    GUESSED,
    POINTING,
    Meant,
    find_mentioned_outside,
    is_farfetched,
    is_pointing,
    kinds_in,
    kinds_named,
    names_in,
    one_named,
    seek,
)
from agents.understanding.matching import candidates
from agents.understanding.outcome import Outcome, do, do_or_ask, tell, yes_or_no
from agents.understanding.records.members import without_member
from agents.understanding.series import series
from agents.understanding.series.occurrences import has_round
from agents.understanding.share import delete, propose
from agents.understanding.situation import DRAFT, Situation
from agents.understanding.slot_values import loose_words, times_of
from agents.understanding.values.days import days_of, whole_days
from agents.understanding.values.slots import Slots

CLOSED = {"done": ENDED_WORDS, "archived": frozenset(("archived",))}
"""The states of what is over, by the words that name them."""
MOST_ASKED_WITH_TIMES = 3
"""Records that a question tells with their times."""


def drop(clause: Clause, situation: Situation) -> Outcome:
    """Return records deleted, or the occurrences of a series that are named left out; many are asked about."""
    if not clause.all("g", "v", "a", "k", "i", "l"):  # "clear the afternoon": a time tells which are meant
        slots = (replace(slot, name="v") if slot.name == "w" else slot for slot in clause.slots)
        clause = replace(clause, slots=tuple(slots))
    other = find_mentioned_outside(clause, situation) if not clause.all("g", "v", "a", "k", "i", "l") else None
    if other is not None and other.items:
        return _all_dropped(clause, other, situation)
    pointer = next((word for word in loose_words(clause) if word in ("it", "that", "them")), "")
    if pointer and not clause.all("g", "a", "k", "i", "l"):
        clause = replace(clause, slots=(Slot("g", pointer, clause.start, clause.start, 1.0), *clause.slots))
    if not clause.all("g", "a", "i", "l") and (left := leave_out(clause, situation.latest(), situation)):
        return do(clause.text, *left)
    return _closed_ones(clause, situation) or _named_ones(clause, situation)


def _named_ones(clause: Clause, situation: Situation) -> Outcome:
    target = seek(clause, situation)
    if any(is_farfetched(name, item) for item in target.items for name in names_in(clause)[:1]):
        target = replace(target, fit=min(target.fit, GUESSED))
    if not target.items and (clause.all("i") or clause.all("l")):
        return _list_dropped(clause, situation)
    if (not target.items or target.fit < 1) and (other := _other_dropped(clause, target, situation)):
        return other
    part = _part_dropped(clause, target.only, situation) if target.only else []
    if part:
        return do(clause.text, *part, fit=target.fit)
    event = series.series_of(target.items)
    if event and not event.id.startswith(DRAFT):
        return _series_dropped(clause, event, target, situation)
    return _all_dropped(clause, target, situation)


def _closed_ones(clause: Clause, situation: Situation) -> Outcome | None:
    """Return what is done or put away dropped, where words mean all of that: "delete the done tasks"."""
    words = {*tokens(clause.words("g", "v", "a", "st", "t")), *loose_words(clause)}
    state = next((status for status, names in CLOSED.items() if names & words), None)
    telling = {*tokens(clause.words("g", "v", "t"))} - POINTING - ALL_WORDS - CLOSED.get(state or "", frozenset())
    named = names_in(clause)
    pointed = bool(named) and all(map(is_pointing, named)) and not clause.all("a", "st")
    if state is None or pointed or any(not kinds_in([word]) for word in telling):
        return None
    kinds = kinds_named(words, ("todo", "note"))
    found = [item for item in situation.items(*kinds) if getattr(item.record, "status", "") == state]
    if not found:
        return tell(clause.text, f"Nothing of yours is {state}.")
    drafts = [_propose_removal(clause, item) for item in found]
    if all(draft.op == "archive" for draft in drafts):
        return do(clause.text, *drafts)
    asked = f"Delete what is {state}: {say_some([quote(item.title) for item in found], MAX_UNASKED_CHANGES + 1)}?"
    return yes_or_no(asked, drafts, clause.text, situation)


def _part_dropped(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    """Return what goes of a record that stays: a round of a task, a guest of an appointment; nothing where all goes."""
    guests = without_member(clause.words("g"), item) if item.kind == "event" else ""
    gone = [propose(item, "update", {"title": guests}, "a guest does not come")] if guests else []
    return skip_round(clause, item, situation) or gone


def _series_dropped(clause: Clause, event: Event, target: Meant, situation: Situation) -> Outcome:
    """Return a series without its occurrences that are named, or the question how much of it is meant."""
    times = times_of(clause, situation, "v", "w")
    repeats = any(found.kind == "set" for found in times)
    fewer = without_days(target.items[0], weekdays_in(clause.words("v", "w"))) if repeats else None
    if less := fewer or end_from(event, times):
        return do(clause.text, less, fit=target.fit)
    return Outcome(series.cancel(event, clause.text, Slots(clause.text, times=times), situation.scene), target.fit)


def _all_dropped(clause: Clause, target: Meant, situation: Situation) -> Outcome:
    words = set(tokens(target.name))
    if not target.items and clause.all("v") and words and all(kinds_in([word]) for word in words - POINTING):
        return tell(clause.text, f"You have no {target.name} {clause.words('v')}.")
    timed = clause.all("v") and names_in(clause) and not target.items
    if timed and (other := one_named(target.name, (), situation)).items:
        then, known = clause.words("v").removeprefix("on "), other.items[0]
        spans = [
            whole_days(*days_of(one, situation.scene), situation.scene) for one in times_of(clause, situation, "v")
        ]
        if isinstance(known.record, ToDo) and any(has_round(known.record, *span) for span in spans):
            return tell(
                clause.text, f"Of a task I can only skip the next round: {quote(known.title)} comes again then."
            )
        return tell(clause.text, f"{quote(other.items[0].title)} is not on {then}.")
    drafts = [_gone_then(clause, item, situation) for item in target.items]
    unnamed = not clause.all("g") and bool(clause.all("v", "a")) and bool(drafts)
    if unnamed or (target.several and clause.all("a") and len(target.items) > 1):
        wanted = [one for draft in drafts for one in draft]
        return yes_or_no(_ask_to_drop(target, wanted, situation), wanted, clause.text, situation)
    return do_or_ask(clause.text, target, drafts, situation)


def _ask_to_drop(target: Meant, wanted: Sequence[Proposal], situation: Situation) -> str:
    """Return the question whether records are to go; of a few with when they are, of many by their names."""
    if len(target.items) <= MOST_ASKED_WITH_TIMES:
        return question_about(wanted, situation)
    return f"Delete {say_some([quote(item.title) for item in target.items], MAX_UNASKED_CHANGES + 1)}?"


def _gone_then(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    """Return a record deleted, of a series only its rounds at the times that are said."""
    return (leave_out(clause, item, situation) if clause.all("v") else []) or [_propose_removal(clause, item)]


def _propose_removal(clause: Clause, item: Item) -> Proposal:
    """Return a record deleted, or put away if the words say so and it can be."""
    if "archive" in loose_words(clause) and item.kind != "event":
        return propose(item, "archive", reason="you asked to put it away")
    return delete(item)


def _list_dropped(clause: Clause, situation: Situation) -> Outcome:
    if clause.all("i"):
        return lists.take_off(clause, situation)
    found = lists.meant_lists(clause, situation)
    target = Meant(found, 1.0, lists.list_name(clause))
    return do_or_ask(clause.text, target, [[delete(item)] for item in found], situation)


def _other_dropped(clause: Clause, target: Meant, situation: Situation) -> Outcome | None:
    """Return the line of a list or the standing wish that fits the name better; None where none does."""
    names = names_in(clause)
    if names and len(lists.owners(names, clause, situation)) == 1:
        return lists.take_off(clause, situation)
    rules = candidates(" ".join(names), situation.items("instruction")) if names and not target.items else []
    if len(rules) == 1:
        return do(clause.text, delete(rules[0], "you dropped the rule"), fit=0.5)
    return None

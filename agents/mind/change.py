"""Changes of what is stored: values, status, putting off, deleting, adding to a note, forgetting facts and wishes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from agents.contract import Proposal
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.ledger.atomic_groups import undo_of
from agents.mind import lists
from agents.mind.create import FACTS
from agents.mind.ground import Fits, Target, ground, is_open, is_pointing, names_in, one_named
from agents.mind.matching import candidates
from agents.mind.outcome import (
    MOST_OPTIONS,
    Outcome,
    already,
    ask_for,
    made,
    not_there,
    not_understood,
    propose,
    settle,
    told,
    which_of,
    yes_or_no,
)
from agents.mind.places import place_in
from agents.mind.records.lists import find_lists, joined
from agents.mind.revise import new_values, status_of
from agents.mind.rounds import change_rounds, leave_out, skip_round
from agents.mind.series import series
from agents.mind.series.fewer_days import without_days
from agents.mind.situation import DRAFT, STORED, Situation
from agents.mind.slot_values import EDGES, details_of, loose_words, shift_of, times_of, title_of
from agents.mind.values import forms
from agents.mind.values import task_times as tasks
from agents.mind.values.moves import moved
from agents.mind.values.slots import Slots
from agents.phrases import quoted, say_count, say_list
from agents.reading.reading import Clause
from agents.records import Event, Kind, Note, ToDo
from agents.time import Found
from agents.timers import has_rung

MANY = 5
"""So many records are changed at once without a question, and fewer are deleted."""
DAY_SECONDS = 86_400
TIMED: tuple[Kind, ...] = ("todo", "event")
SLEEPING = frozenset("snooze snoozed hide sleep remind ask bug ping nudge again".split())
SWAPPING = frozenset("swap switch exchange trade".split())
BESIDE = frozenset(("location", "title"))
"""What may change of a round as well when it is moved."""
CONTENT = ("c", "i", "n", "t")


def anyhow(_: Item) -> bool:
    """Return True: also what is done or put away is meant."""
    return True


def found_in(clause: Clause, situation: Situation, kinds: tuple[Kind, ...] = STORED, fits: Fits = is_open) -> Target:
    """Return the records that a clause means, among those that fit, else among all."""
    target = ground(clause, situation, kinds, fits)
    return target if target.items else ground(clause, situation, kinds, anyhow)


def edit(clause: Clause, situation: Situation) -> Outcome:
    """Return new values for the records that a clause means."""
    if (clause.all("i", "l")) and (line := lists.move_line(clause, situation)):
        return line
    if (status := status_of(clause)) in ("done", "not started"):
        return done(clause, situation) if status == "done" else reopen(clause, situation)
    other = _swapped(clause, situation) or _filed(clause, situation) or _reword_rule(clause, situation)
    if other is not None:
        return other
    timed = clause.all("w", "sh", "d", "p")
    target = found_in(clause, situation, TIMED) if timed else found_in(clause, situation)
    target = target if target.items else found_in(clause, situation)
    if clause.all("l") and not clause.all("g", "v"):
        target = Target(lists.meant_lists(clause, situation), 1.0, lists.list_name(clause))
    if not target.items:
        return lists.move_line(clause, situation) or told(clause.text, not_there(target.name))
    return revised(clause, target, situation)


def _swapped(clause: Clause, situation: Situation) -> Outcome | None:
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
    drafts = [propose(one.items[0], "update", moved(one.items[0], shift, situation.scene)) for one, shift in moves]
    return made(clause.text, *drafts, fit=min(target.fit for target in found))


def _filed(clause: Clause, situation: Situation) -> Outcome | None:
    """Return records with one more tag: "file the receipt under taxes"; None where a list is named, or a value."""
    tag = lists.list_name(clause).lower()
    if not tag or not clause.all("g") or clause.all("i", "w", "n", "pr") or find_lists(tag, situation.scene):
        return None
    target = found_in(clause, situation, ("todo", "note"))
    drafts = [[propose(item, "update", {"tags": [*_tags(item), tag]}, "you filed it")] for item in target.items]
    return settle(clause.text, target, drafts, situation) if drafts else None


def _tags(item: Item) -> list[str]:
    return list(getattr(item.record, "tags", []))


def revised(clause: Clause, target: Target, situation: Situation) -> Outcome:
    """Return the new values of a clause for the records meant."""
    recurring = series.series_of(target.items)
    if recurring and (whole := _series_moved(clause, recurring, target, situation)):
        return whole
    target, drafts = _drafted(clause, target, situation)
    if not any(drafts):
        return _what_about(clause, target, situation)
    outcome = settle(clause.text, target, drafts, situation)
    if len(outcome.share.proposals) > MANY:
        asked = f"Shall I change all {len(outcome.share.proposals)} of them?"
        return yes_or_no(asked, outcome.share.proposals, clause.text, situation)
    return outcome


def _drafted(clause: Clause, target: Target, situation: Situation) -> tuple[Target, list[list[Proposal]]]:
    """Return new values for the records meant; of equals for as many as a question names: hundreds may be called so."""
    drafts = list[list[Proposal]]()
    for item in target.items:
        drafts.append(_draft(clause, item, situation))
        if not target.several and sum(map(bool, drafts)) == MOST_OPTIONS:
            break
    return replace(target, items=target.items[: len(drafts)]), drafts


def _draft(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    fields = new_values(clause, item, situation)
    return [propose(item, "update", fields, "you changed it")] if fields else []


def _what_about(clause: Clause, target: Target, situation: Situation) -> Outcome:
    """Return the question what is to be changed about the one record that is named without a value."""
    if len(target.items) != 1 or not clause.all("g"):
        return not_understood(clause.text)
    item = target.items[0]
    asked = f"What shall I change about {quoted(item.title)}, and to what?"
    return ask_for("rephrase", asked, propose(item, "update"), clause.text, situation)


def _series_moved(clause: Clause, event: Event, target: Target, situation: Situation) -> Outcome | None:
    """Return a series, or the occurrences of it that are named, at another time or with other details."""
    rounds = [] if event.id.startswith(DRAFT) else change_rounds(clause, target.items[0], situation)
    if rounds:
        return made(clause.text, *rounds, fit=target.fit)
    slots = Slots(clause.text, "")
    slots.times = times_of(clause, situation, "v")
    times = [found for found in times_of(clause, situation) if found.kind not in ("set", "duration")]
    to: Found | timedelta | None = shift_of(clause, situation) or next(iter(times), None)
    repeats = any(found.kind == "set" for found in times_of(clause, situation))
    if repeats or event.id.startswith(DRAFT):
        return None
    if isinstance(to, timedelta) or (to is not None and to.role != "until"):
        share = series.move(event, clause.text, slots, to, situation.scene)
        beside = {
            name: value for name, value in new_values(clause, target.items[0], situation).items() if name in BESIDE
        }
        for item in share.proposals:
            item.fields.update(beside if item.op == "create" or "exdates" not in item.fields else {})
        return Outcome(share, target.fit)
    fields = new_values(clause, target.items[0], situation)
    altered = series.alter(event, clause.text, slots, fields, situation.scene) if fields and slots.times else None
    return Outcome(altered, target.fit) if altered else None


def snooze(clause: Clause, situation: Situation) -> Outcome:
    """Return tasks or notes hidden until later; the time is asked for where none is said."""
    target = found_in(clause, situation, ("todo", "note"), _may_sleep)
    due = [getattr(item.record, "deadline", None) for item in target.items]
    if due and all(due) and not SLEEPING & {*loose_words(clause)}:
        return revised(clause, target, situation)  # what is due "can wait till monday": it is due then
    until = _back_on(clause, situation)
    if until is None and len(target.items) == 1:
        draft = propose(target.items[0], "update", {"snooze_until": None}, "you asked to snooze it")
        return ask_for(
            "when", f"Until when shall I snooze {quoted(target.items[0].title)}?", draft, clause.text, situation
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


def done(clause: Clause, situation: Situation) -> Outcome:
    """Return tasks ticked off, or lines of a list, or a step of a task."""
    if clause.all("k") and clause.all("g"):
        return _step_done(clause, situation)
    if status_of(clause) == "in progress":
        target = ground(clause, situation, ("todo",))
        drafts = [[propose(item, "update", {"status": "in progress"}, "you began it")] for item in target.items]
        return settle(clause.text, target, drafts, situation)
    target = ground(clause, situation, ("todo",))
    if not target.items or target.fit < 1:
        lines = lists.owners(lists.lines_said(clause) or names_in(clause), clause, situation)
        if lines and (not target.items or len(lines) == 1):
            return lists.tick(clause, situation)
    if not target.items:
        return _done_before(clause, target, situation)
    drafts = [[propose(item, "complete", reason="you said it is done")] for item in target.items]
    return settle(clause.text, target, drafts, situation)


def _done_before(clause: Clause, target: Target, situation: Situation) -> Outcome:
    closed = ground(clause, situation, ("todo",), anyhow)
    if len(closed.items) == 1 and closed.fit == 1:
        known = quoted(closed.items[0].title)
        return already(clause.text, f"{known} is done already, so I changed nothing.")
    other = ground(clause, situation, ("note", "event"))
    if len(other.items) == 1 and other.items[0].kind == "note":
        return made(clause.text, propose(other.items[0], "complete", reason="you said it is done"), fit=other.fit)
    return told(clause.text, not_there(target.name))


def _step_done(clause: Clause, situation: Situation) -> Outcome:
    """Return a task with one of its steps done."""
    target = ground(clause, situation, ("todo",))
    record = target.items[0].record if len(target.items) == 1 else None
    if not isinstance(record, ToDo):
        return told(clause.text, not_there(target.name))
    at = place_in(clause.words("k"), len(record.solutions))
    named = [step for step in record.solutions if set(words_of(clause.words("k"))) & set(words_of(step))]
    step = record.solutions[at] if at is not None else named[0] if len(named) == 1 else None
    if step is None:
        return told(clause.text, not_there(clause.words("k")))
    steps = [*(one for one in record.done_steps if one != step), step]
    return made(clause.text, propose(target.items[0], "update", {"done_steps": steps}), fit=target.fit)


def reopen(clause: Clause, situation: Situation) -> Outcome:
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
            known = quoted(still.items[0].title)
            return already(clause.text, f"{known} is still open, so there is nothing to reopen.")
        target = still
    if wanted == "not started" and (back := taken_back(clause, target, "complete", situation)):
        return back
    drafts = [
        [propose(item, "update", {"status": _reopened(item, wanted)}, "you reopened it")] for item in target.items
    ]
    return settle(clause.text, target, drafts, situation)


def taken_back(clause: Clause, target: Target, op: str, situation: Situation) -> Outcome | None:
    """Return the last change taken back, where words that only point at its record ask for the opposite of it."""
    done = situation.just_done()
    pointing = all(map(is_pointing, names_in(clause))) and not clause.all("v", "a")
    if not pointing or situation.touched or not done or done[-1].op != op or len(target.items) != 1:
        return None
    last = done[-1]
    return made(clause.text, undo_of(last, "you took it back")) if last.record_id == target.items[0].id else None


def _is_closed(item: Item) -> bool:
    return getattr(item.record, "status", "not started") not in ("not started", "active")


def _reopened(item: Item, wanted: str) -> str:
    return "active" if isinstance(item.record, Note) else wanted


def drop(clause: Clause, situation: Situation) -> Outcome:
    """Return records deleted, or the occurrences of a series that are named left out; many are asked about."""
    if not clause.all("g", "a", "i", "l") and (left := leave_out(clause, situation.latest(), situation)):
        return made(clause.text, *left)
    target = found_in(clause, situation)
    if not target.items and (clause.all("i") or clause.all("l")):
        return _list_dropped(clause, situation)
    if (not target.items or target.fit < 1) and (other := _other_dropped(clause, target, situation)):
        return other
    part = _part_dropped(clause, target.items[0], situation) if len(target.items) == 1 else []
    if part:
        return made(clause.text, *part, fit=target.fit)
    event = series.series_of(target.items)
    if event and not event.id.startswith(DRAFT):
        return _series_dropped(clause, event, target, situation)
    return _all_dropped(clause, target, situation)


def _part_dropped(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    """Return what goes of a record that stays: a round of a task, a guest of an appointment; nothing where all goes."""
    guests = without_guest(clause.words("g"), item)
    gone = [propose(item, "update", {"title": guests}, "a guest does not come")] if guests else []
    return skip_round(clause, item, situation) or gone


def without_guest(name: str, item: Item) -> str:
    """Return the title of an appointment with several guests without the one that is named; empty where none is."""
    head, _, rest = item.title.partition(" with ")
    guests = [guest for guest in re.split(r"\s*,\s*|\s+and\s+|\s*&\s*", rest) if guest]
    left = [guest for guest in guests if set(words_of(guest)) != set(words_of(name))]
    return f"{head} with {' and '.join(left)}" if item.kind == "event" and 0 < len(left) < len(guests) else ""


def _series_dropped(clause: Clause, event: Event, target: Target, situation: Situation) -> Outcome:
    """Return a series without its occurrences that are named, or the question how much of it is meant."""
    fewer = _fewer_days(clause, event, situation)
    if fewer is not None:
        return made(clause.text, fewer, fit=target.fit)
    slots = details_of(clause, "", situation)
    slots.text, slots.times = clause.text, times_of(clause, situation, "v", "w")
    return Outcome(series.cancel(event, clause.text, slots, situation.scene), target.fit)


def _all_dropped(clause: Clause, target: Target, situation: Situation) -> Outcome:
    drafts = [_gone_then(clause, item, situation) for item in target.items]
    unnamed = not clause.all("g") and bool(clause.all("v")) and bool(drafts)
    if unnamed or (target.several and clause.all("a") and len(target.items) > 1):
        names = say_list([quoted(item.title) for item in target.items[: MANY + 1]])
        asked = f"Shall I really delete {say_count(len(target.items), 'item')}: {names}?"
        return yes_or_no(asked, [one for draft in drafts for one in draft], clause.text, situation)
    return settle(clause.text, target, drafts, situation)


def _gone_then(clause: Clause, item: Item, situation: Situation) -> list[Proposal]:
    """Return a record deleted, of a series only its rounds at the times that are said."""
    return (leave_out(clause, item, situation) if clause.all("v") else []) or [_gone(clause, item)]


def _fewer_days(clause: Clause, event: Event, situation: Situation) -> Proposal | None:
    """Return a series without the weekdays on which it no longer is; None where the words mean other occurrences."""
    repeats = any(found.kind == "set" for found in times_of(clause, situation, "v", "w"))
    return without_days(event, clause.words("v", "w")) if repeats else None


def _gone(clause: Clause, item: Item) -> Proposal:
    """Return a record deleted, or put away if the words say so and it can be."""
    away = "archive" in loose_words(clause) and item.kind != "event"
    return propose(
        item, "archive" if away else "delete", reason="you asked to put it away" if away else "you asked to delete it"
    )


def _list_dropped(clause: Clause, situation: Situation) -> Outcome:
    if clause.all("i"):
        return lists.take_off(clause, situation)
    found = lists.meant_lists(clause, situation)
    drafts = [[propose(item, "delete", reason="you asked to delete it")] for item in found]
    return settle(clause.text, Target(found, 1.0, lists.list_name(clause)), drafts, situation)


def _other_dropped(clause: Clause, target: Target, situation: Situation) -> Outcome | None:
    """Return the line of a list or the standing wish that fits the name better; None where none does."""
    names = names_in(clause)
    if names and len(lists.owners(names, clause, situation)) == 1:
        return lists.take_off(clause, situation)
    rules = candidates(" ".join(names), situation.items("instruction")) if names and not target.items else []
    if len(rules) == 1:
        return made(clause.text, propose(rules[0], "delete", reason="you dropped the rule"), fit=0.5)
    return None


def add_to_note(clause: Clause, situation: Situation) -> Outcome:
    """Return a note with more text, a list with more lines, or a task or event with a note."""
    content = title_of(clause, *CONTENT[:2]) or title_of(clause, *CONTENT[2:])
    target = ground(clause, situation, ("note",), anyhow)
    if not target.items:
        target = ground(clause, situation)
    if not content:
        return not_understood(clause.text)
    drafts = [[propose(item, "update", _with_text(item, content), "you added to it")] for item in target.items]
    return settle(clause.text, target, drafts, situation)


def _with_text(item: Item, content: str) -> dict[str, Any]:
    record = item.record
    if isinstance(record, Note) and record.category == "list":
        return {"items": joined(item, [content])}
    name = "content" if isinstance(record, Note) else "notes"
    return {name: f"{getattr(record, name)}\n{content}".strip()}


def forget_fact(clause: Clause, situation: Situation) -> Outcome:
    """Return the profile without facts."""
    known = situation.ask.records.profile
    if known is None:
        return told(clause.text, "You have not told me that.")
    fields: dict[str, Any] = {name: None for slot, name in FACTS.items() if clause.all(slot)}
    fields |= {name: None for name in FACTS.values() if name in words_of(clause.words("k"))}
    likes = [words_of(slot.text) for slot in clause.all("flike", "fother")]
    gone = _without(known.interests, likes)
    if len(gone) < len(known.interests):
        fields["interests"] = gone
    said = [set(words_of(slot.text)) for slot in clause.all("fother", "k", "g", "q")]
    facts = {name: value for name, value in known.facts.items() if not any(_is_fact(name, value, one) for one in said)}
    if len(facts) < len(known.facts):
        fields["facts"] = facts
    if not fields:
        return not_understood(clause.text)
    return made(
        clause.text, Proposal(op="update", kind="profile", record_id=known.id, fields=fields, reason="you told me")
    )


def _is_fact(name: str, value: str, said: set[str]) -> bool:
    return bool(said) and said <= {*words_of(name), *words_of(value)}


def _without(known: Sequence[str], gone: Sequence[Sequence[str]]) -> list[str]:
    return [one for one in known if not any(words and set(words) <= set(words_of(one)) for words in gone)]


def _reword_rule(clause: Clause, situation: Situation) -> Outcome | None:
    """Return a standing wish in other words; None where the clause means none."""
    rules = {"rule", "rules", "instruction"} & {*loose_words(clause), *tokens(clause.words("g"))}
    near = candidates(clause.words("g", "x"), situation.items("instruction")) if rules and clause.all("n") else []
    return _rule_changed(clause, near, situation) if near else None


def _rule_changed(clause: Clause, near: Sequence[Item], situation: Situation) -> Outcome:
    """Return the standing wishes meant with another value or in other words, whichever of them it is."""
    phrase, new = clause.words("c", "g", "k"), clause.words("n", "w").strip(EDGES)
    drafts = [
        [propose(item, "update", {"text": text}, "you changed the rule")]
        for item in near
        if (text := _reworded(item.title, clause.words("x") or phrase, new, whole=bool(clause.all("n"))))
    ]
    if not near or len(drafts) < len(near):
        return told(clause.text, not_there(phrase)) if not near else not_understood(clause.text)
    return settle(clause.text, Target(list(near), 1.0, phrase), drafts, situation)


def _reworded(text: str, said: str, new: str, *, whole: bool) -> str:
    """Return the text of a wish with a new number in place of the one that is meant, or all of it anew; else nothing.

    A number alone is no wish: without a number that it takes the place of, nobody can tell what it is to say.
    """
    numbers = [word for word in tokens(text) if word[0].isdigit()]
    old = [word for word in numbers if word in tokens(said)] or numbers
    number = next((word for word in tokens(new) if word[0].isdigit()), "")
    if number and len(old) == 1 and (set(old) & set(tokens(said)) or len(tokens(new)) == 1):
        return re.sub(rf"\b{re.escape(old[0])}\b", lambda _: number, text, count=1)
    return new if whole and any(word.isalpha() for word in words_of(new)) else ""


def drop_rule(clause: Clause, situation: Situation) -> Outcome:
    """Return a standing wish dropped: the one that the words fit best, or all."""
    known = list(situation.items("instruction"))
    phrase = clause.words("c", "g", "k")
    if clause.all("a") and not phrase:
        drafts = [propose(item, "delete", reason="you dropped the rule") for item in known]
        asked = f"Shall I drop all {len(known)} standing instructions?"
        return yes_or_no(asked, drafts, clause.text, situation) if drafts else told(clause.text, not_there("a rule"))
    found = candidates(phrase, known) if phrase.strip(EDGES) else known
    said = set(words_of(phrase))
    near = found or [item for item in known if said & set(item.words)]
    if clause.all("w", "n"):
        return _rule_changed(clause, near, situation)
    each = [[propose(item, "delete", reason="you dropped the rule")] for item in near]
    if len(near) > 1:
        return which_of(clause.text, near, each, situation)
    return made(clause.text, *each[0], fit=1.0 if found else 0.7) if near else told(clause.text, not_there(phrase))

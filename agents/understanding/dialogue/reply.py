"""Answers to the question that waits: a yes, a no, one of the things on offer, a time, a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from agents.contract import Option, Pending, Proposal
from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.ledger.approvals import LEFT_AS_IS
from agents.open_questions import waiting_in
from agents.phrases import THE_FIRST, quote
from agents.reading.reading import Clause, Slot
from agents.records import RECORD_TYPES
from agents.time import FoundTime, find_times, on_day
from agents.understanding.changes import event_times as events
from agents.understanding.changes.anchor import is_counted
from agents.understanding.changes.lists import lines_said
from agents.understanding.changes.revise import new_values
from agents.understanding.decide import least_chance
from agents.understanding.dialogue.offered_days import at_offered_hour, days_on_offer, offers_of, which_day
from agents.understanding.dialogue.pick import ALL_OPTION_WORDS, pick_options
from agents.understanding.ground import POINTING, is_pointing, names_in, one_named
from agents.understanding.hearing import name_in
from agents.understanding.matching import find_mentioned
from agents.understanding.outcome import Outcome, ask_for, do, not_understood
from agents.understanding.places import PLACES, place_in, places_in
from agents.understanding.records.lists import add_lines, new_line
from agents.understanding.share import Share, ask, change, fill
from agents.understanding.situation import STORED, Situation, preview
from agents.understanding.slot_values import (
    EDGES,
    details_of,
    levels_of,
    loose_words,
    outside_words,
    times_of,
    title_of,
)
from agents.understanding.values import forms
from agents.understanding.values import task_times as tasks
from agents.understanding.values.days import is_weekday

VALUES = ("w", "sh", "d", "p", "pr", "df", "n")
OF_KEPT = frozenset("yes pick tell".split())
"""Acts that answer a question of an earlier turn; what corrects something means what was done since."""
TIMES = frozenset("start deadline remind_at snooze_until".split())
NAMING_SLOTS = ("g", "v", "t", "i", "l", "c", "q", "a")
AGREEING = frozenset("yes yeah yep yup".split())
REFUSING = frozenset("no nope nah don't dont not".split())
SOFT = frozenset("no fix tell edit".split())
"""Acts by which a yes or no question is answered otherwise than by yes."""
CHANGING = frozenset("edit fix snooze more".split())
HALF_A_DAY = 12
SURELY_PICKED = 0.9
"""How sure a pick is that says more than which: "the second half was better" may be read as one."""
DAY = len("2026-11-18")
NAMED_OPS = {
    **dict.fromkeys(("delete", "archive"), frozenset("delete remove cancel drop scrap archive".split())),
    "complete": frozenset("complete finish tick".split()),
    "undo": frozenset("undo revert".split()),
}
"""The words by which a yes says what it agrees to."""
PARTING = frozenset(",.;:!?-\u2013\u2014\n")
Answer = Callable[[Clause, Pending, Situation], Outcome | None]


def answer_by_button(pending: Pending, text: str, situation: Situation) -> Outcome | None:
    """Return what a button of the question leads to, whose words are the whole message; None for other words."""
    said = text.strip().casefold()
    options = [option for option in pending.options if option.label.casefold() == said]
    if pending.missing == "which" and options and (drafts := drafts_for(pending, options[:1], situation)):
        return do(text, *drafts)
    choices = [choice.casefold() for choice in pending.choices]
    if pending.missing == "scope" and said in choices:
        return _apply_scope(pending, text, whole=choices.index(said) == len(choices) - 1)
    if pending.missing == "proceed" and said in ("yes", "no"):
        return accept_drafts(pending.proposals, text) if said == "yes" else decline_drafts(pending, text)
    return None


def answer_open(clause: Clause, situation: Situation) -> Outcome | None:
    """Return what a clause comes to as the answer to the question that waits; None if it is none."""
    pending = situation.pending
    if pending is None or _tells_more(clause, pending):
        return None
    if clause.act == "no" and not clause.all(*VALUES):
        return None if pending.kept and _is_last_told(situation) else decline_drafts(pending, clause.text)
    if pending.kept and clause.act not in OF_KEPT and not _is_bare_time(clause, pending):
        return None
    if clause.act == "undo" and (taken := _taken_back(clause, pending, situation)):
        return taken
    answer = ANSWERS.get((pending.missing, clause.act))
    if answer is None and pending.missing == "which" and len(situation.clauses) == 1:
        answer = _named_fully
    outcome = answer(clause, pending, situation) if answer else None
    return outcome if outcome and _is_meant(clause, outcome, pending, situation) else None


def _tells_more(clause: Clause, pending: Pending) -> bool:
    """Return whether words that nobody says beside an answer make it a remark: "thursday's still grand though"."""
    if tokens(clause.text)[:1] and tokens(clause.text)[0] in REFUSING:
        return False
    loose = [word for word in loose_words(clause) if word.isalpha() and word not in outside_words()]
    asked = {
        *tokens(pending.asked),
        *tokens(pending.text),
        *(word for one in pending.options for word in tokens(one.label)),
    }
    return clause.act in SOFT and pending.missing == "proceed" and not asked.issuperset(loose)


def _is_last_told(situation: Situation) -> bool:
    """Return whether the last reply told a change: a bare "no" is about that, and not about an older question."""
    done, recent = situation.just_done(), situation.ask.recent
    return bool(done and recent) and done[-1].title.lower() in recent[-1].replied.lower()


def _taken_back(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the question taken back, or the undoing that it asks about and that is wished for again."""
    if {item.op for item in pending.proposals} == {"undo"} and not clause.all("x"):
        return accept_drafts(pending.proposals, clause.text)
    only_asked = all(change.created_at < pending.at for change in situation.ask.recent_changes[-1:])
    pointing = all(map(is_pointing, names_in(clause, "g", "k"))) and only_asked  # "undo that" means the question then
    return decline_drafts(pending, clause.text) if pointing or not clause.all("g", "k") else None


def _is_bare_time(clause: Clause, pending: Pending) -> bool:
    """Return whether words are no more than a time, and a time is asked for."""
    timed = bool(clause.slots) and all(slot.name in ("w", "d") for slot in clause.slots)
    return pending.missing == "when" and timed and not loose_words(clause)


def _is_meant(clause: Clause, outcome: Outcome, pending: Pending, situation: Situation) -> bool:
    """Return whether words are surely enough an answer for what it does: "hello" agrees to no deletion."""
    if clause.act == "yes" and runs_on(clause, situation.clauses, situation.ask.text):
        return False
    only = pending.missing == "proceed" and len(pending.proposals) == 1
    spares = clause.all("x") and not clause.all("k", "g") and set(loose_words(clause)) <= outside_words()
    if clause.act == "pick" and (only or pending.missing == "which") and loose_words(clause) and not spares:
        return clause.sure >= SURELY_PICKED and not only  # of one thing none is picked
    if pending.missing != "scope" and (pending.missing, clause.act) != ("proceed", "yes"):
        return True
    acts = {act for missing, act in ANSWERS if missing == pending.missing} - CHANGING - {"no"}
    return sum(clause.chances.get(act, 0) for act in acts) >= least_chance(outcome.share)


def runs_on(clause: Clause, clauses: Sequence[Clause], text: str) -> bool:
    """Return whether one word goes on without a sign as something told: "yes I saw that film" agrees to nothing."""
    after = next((other for other in clauses if other.start >= clause.end), None)
    told = after is not None and after.act == "remark" and not PARTING & set(text[clause.end : after.start])
    return told and len(tokens(clause.text)) == 1


def left_open(clause: Clause, situation: Situation) -> Outcome | None:
    """Return that words change nothing which can only be about the question that waits, and do not answer it."""
    pending = situation.pending
    if pending is None:
        return None
    asks_back = clause.act == "ask" and not clause.slots and set(tokens(clause.text)) <= POINTING
    named = not all(is_pointing(slot.text) for slot in clause.all(*NAMING_SLOTS))
    about_done = bool(situation.just_done()) and (pending.kept or is_counted(clause.words("w"), situation))
    of_one = pending.missing == "when" and len(pending.proposals) == 1 and pending.proposals[0].record_id is not None
    ends_it = of_one and clause.act == "done"  # "that's done" of what was to be put off
    elsewhere = named or bool(situation.touched) or about_done or ends_it
    changes = clause.act in CHANGING | {"done", "reopen"} and not elsewhere
    answers = clause.act in ("yes", "pick", "tell")
    pointing = all(is_pointing(slot.text) for slot in clause.slots)
    agrees = clause.act == "yes" and pointing and len(situation.clauses) == 1
    if (asks_back or agrees) and pending.asked:
        again = pending.model_copy(update={"behind": None, "kept": False})
        return Outcome(ask(clause.text, pending.asked, again, pending.choices))
    if answers and len(situation.clauses) > 1:
        return Outcome(Share(text=clause.text))
    return not_understood(clause.text) if asks_back or changes or answers else None


def _named_fully(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the drafts for the one option that has all words of the message, which then says nothing else."""
    words = set(words_of(situation.ask.text))
    having = [option for option in pending.options if words and words <= set(words_of(option.label))]
    drafts = drafts_for(pending, having, situation) if len(having) == 1 else []
    return do(clause.text, *drafts) if drafts else None


def accept_drafts(drafts: Sequence[Proposal], text: str) -> Outcome:
    """Return the drafts, to which the user said yes."""
    return do(text, *(item.model_copy(update={"agreed": True}) for item in drafts))


def decline_drafts(pending: Pending, text: str) -> Outcome:
    """Return nothing done; what is held in the ledger is declined there."""
    held = [item.model_copy(update={"declined": True}) for item in pending.proposals if item.confirms]
    share = change(text, *held) if held else Share(text=text)
    share.note = LEFT_AS_IS
    return Outcome(share)


def _yes(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    if _wants_other_op(clause, pending):
        return None
    some = _some(clause, pending, situation) if clause.all("x", "k") else None
    if some is not None or (clause.all("x", "k") and len(pending.proposals) > 1):
        return some
    if clause.all(*VALUES) and (amended := _amend_draft(clause, pending, situation)):
        return amended
    waiting = [one for one in waiting_in(pending) if one.missing == "proceed"]
    if ALL_OPTION_WORDS & set(tokens(clause.text)) and len(waiting) > 1 and len(pending.proposals) == 1:
        return accept_drafts([item for one in waiting for item in one.proposals], clause.text)
    return accept_drafts(pending.proposals, clause.text)


def _wants_other_op(clause: Clause, pending: Pending) -> bool:
    """Return whether words name an operation that is none of those asked about: "delete it" agrees to no new task."""
    said = set(tokens(clause.text))
    named = {op for op, words in NAMED_OPS.items() if words & said}
    asked = f"{pending.asked} {pending.text}"
    return bool(named) and named.isdisjoint({item.op for item in pending.proposals}) and not said & set(tokens(asked))


def _more_lines(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the list that is asked about with more lines."""
    draft = pending.proposals[0] if len(pending.proposals) == 1 else None
    lines = lines_said(clause) or names_in(clause, "t")
    if draft is None or "items" not in draft.fields or not lines or situation.touched:
        return None
    known = draft.fields["items"]
    fresh = list(map(new_line, lines)) if any(isinstance(one, dict) for one in known) else lines
    return do(clause.text, fill(draft, {"items": [*known, *fresh]}, agreed=True))


def _some(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return some of the drafts: those named, or all but those excepted."""
    options = [_as_option(item, situation) for item in pending.proposals]
    named, spared = clause.words("k", "g", "a"), clause.words("x")
    if not named and {"only", "just"} & set(loose_words(clause)):
        named, spared = spared, ""
    chosen = [id(option) for option in pick_options(named, spared, options, situation)]
    drafts = [item for item, option in zip(pending.proposals, options, strict=True) if id(option) in chosen]
    return accept_drafts(drafts, clause.text) if drafts else None


def _as_option(draft: Proposal, situation: Situation) -> Option:
    known = situation.item(draft.record_id)
    name = name_in(draft.fields) or str(draft.fields.get("text") or "")
    return Option(label=(known.title if known else name)[:200], kind=draft.kind, record_id=draft.record_id)


def _amend_draft(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the one draft with other values: a correction of what is asked is a yes to the rest."""
    pointed = all(map(is_pointing, names_in(clause))) and not (clause.act == "edit" and clause.all("v"))
    if len(pending.proposals) != 1 or not pointed or not clause.all(*VALUES):
        return None
    draft = pending.proposals[0]
    if "items" in draft.fields and not clause.all("n"):
        return None  # lines are asked about, and no time of the list
    if draft.kind == "event" and situation.just_done() and is_counted(clause.words("w"), situation):
        return None  # "the night before" is when one is reminded of it
    item = as_stored(draft, situation) if draft.op in ("create", "update") else None
    fields = new_values(clause, item, situation) if item else {}
    if not fields or (clause.act != "yes" and _is_of_another(clause, draft, situation)):
        return None
    held = [draft.model_copy(update={"declined": True})] if draft.confirms else []
    record_id = None if draft.op == "create" else draft.record_id
    return do(clause.text, *held, fill(draft, fields, confirms=None, record_id=record_id, agreed=True))


def _is_of_another(clause: Clause, draft: Proposal, situation: Situation) -> bool:
    """Return whether "it" is rather what the message told of before, or what has the time that is moved."""
    told = [item for one in situation.remarks for item in find_mentioned(one.text, situation.items(*STORED))]
    if any(item.id != draft.record_id for item in told):
        return True
    without_time = draft.op == "create" and TIMES.isdisjoint(draft.fields)
    return without_time and (bool(clause.all("sh")) or draft.kind == "note")


def as_stored(draft: Proposal, situation: Situation) -> Item | None:
    """Return the record that a draft would leave, as if it were stored."""
    known = situation.item(draft.record_id)
    after = preview(draft, draft.record_id or "asked", known, situation.ask)
    if after is None:
        return known
    record: Any = RECORD_TYPES[draft.kind].model_validate(after)
    return Item(draft.kind, record.id, name_in(after), record)


def _which(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the drafts for the options that are picked."""
    words = clause.words("k", "g", "a", "v") or clause.words("t", "w", "n")
    words = words or ("" if clause.all("x") else clause.text)
    words = clause.text if set(tokens(words)) <= {"the"} and not clause.all("x") else words
    options = pick_options(words, clause.words("x"), pending.options, situation)
    drafts = drafts_for(pending, options, situation) or _other_than_offered(words, pending, situation)
    if len(drafts) == 1 and clause.all("k", "g") and clause.all(*VALUES):
        item = as_stored(drafts[0], situation)
        fields = new_values(clause, item, situation) if item and drafts[0].op == "update" else {}
        drafts = [fill(drafts[0], fields)]
    return do(clause.text, *drafts) if drafts else None


def _other_than_offered(words: str, pending: Pending, situation: Situation) -> list[Proposal]:
    """Return what was to be done to one of the options done to another record that is named: "neither, the report"."""
    target = one_named(words, (), situation)
    draft, item = pending.proposals[0] if pending.proposals else None, target.only
    if draft is None or draft.op == "update" or item is None or target.fit < 1 or is_pointing(words):
        return []
    named = not set(words_of(words)).isdisjoint(item.words)  # a time, or a list, names no record
    return [fill(draft, {}, kind=item.kind, record_id=item.id)] if named else []


def drafts_for(pending: Pending, options: Sequence[Option], situation: Situation) -> list[Proposal]:
    """Return what is to be done to the options: the drafts of each, else the one draft filled with it."""
    found: list[Proposal] = []
    for option in options:
        own = [item for item in pending.proposals if item.record_id and item.record_id == option.record_id]
        found += own or [_fill_draft(item, option, situation) for item in pending.proposals[:1] if not item.record_id]
    return found


def _fill_draft(draft: Proposal, option: Option, situation: Situation) -> Proposal:
    item, lines = situation.item(option.record_id), draft.fields.get("items")
    joined = {"items": add_lines(item, lines)} if item and lines is not None and draft.op == "update" else {}
    kind = option.kind or draft.kind
    return fill(draft, joined, kind=kind, record_id=option.record_id, undo_of=option.change_id)


def _scope(clause: Clause, pending: Pending, _situation: Situation) -> Outcome | None:
    said = set(tokens(clause.text))
    whole = bool(said & ALL_OPTION_WORDS)
    one = place_in(clause.text, 2) is not None or said & {"next", "only", "just", "this", "once", "that", "one"}
    return _apply_scope(pending, clause.text, whole=whole) if whole or one else None


def _apply_scope(pending: Pending, text: str, *, whole: bool) -> Outcome:
    return do(text, *(pending.proposals[-1:] if whole else pending.proposals[:-1]))


def _when(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the draft with its time; the hour is asked for where only a day is said of an appointment."""
    draft = pending.proposals[0] if pending.proposals else None
    if draft is None or clause.all("g"):
        return None
    own, clause = clause, _take_offered_time(clause, pending, situation)
    if clause is own and draft.kind == "event":
        if asked := which_day(times_of(clause, situation), draft, situation):
            return asked
        days = days_on_offer(pending, situation)
        situation = replace(situation, day=days[0]) if len(days) == 1 else situation
    fields = time_fields(clause, draft, situation)
    start = str((fields or {}).get("start", ""))
    if clause is own and len(start) > DAY and datetime.fromisoformat(start) < situation.now:
        return None  # what is over tells no time of what is to come
    if fields is None:
        return _without_time(clause, draft, pending, situation)
    place = own.words("p").strip(EDGES) if draft.kind == "event" else ""
    return do(own.text, fill(draft, fields | ({"location": place} if place else {})))


def _take_offered_time(clause: Clause, pending: Pending, situation: Situation) -> Clause:
    """Return the clause with the time on offer that it picks as its time: by place, by day or hour, or by a yes."""
    words = next((pending.options[at].label for at in _choose_offer(clause, pending, situation)), None)
    if words is None:
        return clause
    return replace(clause, text=words, start=0, end=len(words), slots=(Slot("w", words, 0, len(words), 1.0),))


def _choose_offer(clause: Clause, pending: Pending, situation: Situation) -> list[int]:
    """Return the place of the one time on offer that is picked; none where none or another time is."""
    offers = offers_of(pending, situation)
    words = clause.words("k", "w") or clause.text
    if set(tokens(words)) <= POINTING | PLACES.keys() and (counted := places_in(words, len(offers))):
        return counted[:1]
    times = [found for found in times_of(clause, situation, "w", "k") if found.moment]
    fitting = [at for at, one in enumerate(offers) if one and times and all(_is_offer(said, one) for said in times)]
    if times or clause.all("w"):
        return fitting if len(fitting) == 1 and not all(said.timed and said.day_said for said in times) else []
    agrees = clause.act == "yes" or bool(AGREEING & set(loose_words(clause)))
    if agrees and all(slot.name == "p" for slot in clause.slots):
        return [0] if len(offers) == 1 or pending.asked.endswith(THE_FIRST) else []
    return places_in(clause.words("k"), len(offers))[:1]


def _is_offer(said: FoundTime, offer: FoundTime) -> bool:
    """Return whether a day or an hour is that of a time on offer."""
    if said.moment is None or offer.start is None:
        return False
    same_day = not said.day_said or said.moment.date() == offer.start.date()
    same_day = same_day or (is_weekday(said.text) and said.moment.weekday() == offer.start.weekday())
    hour = (said.moment.hour - offer.start.hour) % HALF_A_DAY, said.moment.minute - offer.start.minute
    return same_day and (not said.timed or hour == (0, 0))


def _without_time(clause: Clause, draft: Proposal, pending: Pending, situation: Situation) -> Outcome | None:
    times = times_of(clause, situation)
    day = next((found.moment.date() for found in times if found.day_said and found.moment), None)
    if day is not None and day < situation.now.date():
        return None  # what is over tells no time of what is to come
    if draft.kind == "event" and day is not None:
        draft = fill(draft, {"start": forms.day(day)})
        return ask_for("when", f"What time is {quote(draft.fields['title'])} then?", draft, pending.text, situation)
    is_task = draft.kind == "todo" and draft.fields.get("kind") != "reminder" and draft.op == "create"
    return do(clause.text, draft) if is_task and clause.act == "tell" else None


def time_fields(clause: Clause, draft: Proposal, situation: Situation) -> dict[str, Any] | None:
    """Return the time that a draft lacks as its fields; None where the clause says none that fits."""
    slots = details_of(clause, str(draft.fields.get("title", "")), situation)
    slots.minutes = slots.minutes or _length_asked(situation)
    start = draft.fields.get("start")
    if isinstance(start, str) and not any(found.day_said for found in slots.times):
        day = date.fromisoformat(start[:10])
        slots.times = [on_day(found, day, situation.clock) if found.timed else found for found in slots.times]
    if draft.kind == "event":
        slots.times = [_on_offered_day(found, situation) for found in slots.times]
        slots.times = [at_offered_hour(found, situation) for found in slots.times]
    when = slots.when
    if when is None:
        return None
    extra = {"recurrence": slots.repeat.rrule} if slots.repeat else {}
    if draft.kind == "event":
        events.in_the_evening(slots, slots.title, situation.now)
        times = events.times_said(slots, slots.title, situation.scene)
        return times[0] | ({"location": slots.place} if slots.place else {}) if times else None
    if "snooze_until" in draft.fields:
        until = tasks.back_on(when, situation.scene)
        return {"snooze_until": until} if until else None
    if draft.fields.get("kind") == "reminder":
        at = tasks.remind_at(when, situation.scene)
        return {"remind_at": at} | extra if at else None
    due = forms.due(when)
    return {"deadline": due} | extra | levels_of(clause) if due else None


def _length_asked(situation: Situation) -> int | None:
    """Return the length that the message said in which the question arose: "block two hours for the report"."""
    asked = situation.pending.text if situation.pending else ""
    timed = find_times(asked, situation.clock)
    lengths = [found for found in timed if found.kind == "duration" and found.seconds]
    return round((lengths[0].seconds or 0) / 60) if len(lengths) == 1 else None


def _on_offered_day(found: FoundTime, situation: Situation) -> FoundTime:
    """Return a part of a day on the day that was offered, where it says none."""
    lone = situation.day and found.stretch and not found.day_said
    return on_day(found, situation.day, situation.clock) if lone and situation.day else found


def _fill_in_name(clause: Clause, pending: Pending, situation: Situation) -> Outcome | None:
    """Return the draft with the name or the values that it lacked."""
    draft = pending.proposals[0] if pending.proposals else None
    if draft is None:
        return None
    if "solutions" in draft.fields and draft.op == "update":
        if clause.act in SOFT and clause.all("w", "d", "sh", "pr", "df") and not clause.all("t", "n", "i"):
            return None  # a correction is no step
        step = title_of(clause, "t", "n", "i") or title_of(clause, "c", "g", "q") or clause.text.strip(EDGES)
        return do(clause.text, fill(draft, {"solutions": [*draft.fields["solutions"], step]}))
    if draft.op == "update":
        item = situation.item(draft.record_id)
        fields = new_values(clause, item, situation) if item else {}
        return do(clause.text, draft.model_copy(update={"fields": fields})) if fields else None
    title = title_of(clause, "t", "n") or title_of(clause, "c", "g", "q") or clause.text.strip(EDGES)
    name = "title" if draft.kind == "event" else "task"
    told = fill(draft, {name: title} | (time_fields(clause, draft, situation) or {}))
    if told.fields.get("kind") == "reminder" and not told.fields.get("remind_at"):
        return ask_for("when", "And when shall I remind you?", told, clause.text, situation)
    return do(clause.text, told)


ANSWERS: dict[tuple[str, str], Answer] = {
    **{("proceed", act): _amend_draft for act in ("fix", "tell", "no", "edit")},
    ("proceed", "yes"): _yes,
    ("proceed", "more"): _more_lines,
    ("proceed", "pick"): _some,
    **{("which", act): _which for act in ("pick", "tell", "yes", "fix")},
    **{("scope", act): _scope for act in ("pick", "tell", "yes", "fix")},
    **{("when", act): _when for act in ("tell", "pick", "fix", "yes", "more")},
    **{("rephrase", act): _fill_in_name for act in ("tell", "fix", "pick")},
}
"""How acts answer questions; a message of any other act leaves the question open."""

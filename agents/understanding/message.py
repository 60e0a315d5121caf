"""A whole message in one pass: heard, its clauses one after the other, one decision."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agents.contract import Op, RouterDecision
from agents.index.words import tokens
from agents.ledger.duplicates import new_ones
from agents.phrases import quote
from agents.ports import Ask
from agents.reading.reading import Clause, Reading, Slot
from agents.records import Kind
from agents.time import find_times, impossible_time, merge_phrases
from agents.understanding.changes import change, create, dropping, forgetting, lists
from agents.understanding.changes.anchor import with_known_place
from agents.understanding.changes.revise import new_values
from agents.understanding.decide import decide, drop_twins, hangs_on_a_question, is_only_asked, weigh
from agents.understanding.dialogue import reply
from agents.understanding.dialogue.answers import answer_clause
from agents.understanding.dialogue.correct import fix
from agents.understanding.dialogue.more import book_again, more
from agents.understanding.dialogue.offered import take_offered
from agents.understanding.dialogue.undo import undo
from agents.understanding.ground import Meant, find_near, is_open, is_pointing, names_in, with_somebody
from agents.understanding.hearing import heard_in
from agents.understanding.outcome import Outcome, ask_for, do_or_ask, tell
from agents.understanding.records.imported import elsewhere
from agents.understanding.share import Share, propose
from agents.understanding.situation import Situation, situation_of
from agents.understanding.slot_values import (
    EDGES,
    blank_slots,
    loose_words,
    outside_words,
    timed_words,
    times_of,
    trim_verbs,
)
from agents.understanding.values.days import contradiction
from agents.understanding.values.forms import last_day

Builder = Callable[[Clause, Situation], Outcome]
EMPTY = "I didn't catch anything. What can I do for you?"
MOST_REQUESTS = 200
"""With 500 open tasks so many take some two seconds, during which nobody else is answered."""
MOST_LINES = 2 * MOST_REQUESTS
TOO_MANY = (
    f"That is {{count}} requests in one message, and I take {MOST_REQUESTS} at most. Please send it in parts. "
    "I left everything as it is."
)
BUILDERS: dict[str, Builder] = {
    "todo": create.todo, "remind": create.remind, "event": create.event, "note": create.note, "fact": create.fact,
    "rule": create.rule, "list": lists.put_on, "listout": lists.take_off, "listdone": lists.tick,
    "noteadd": change.add_to_note, "edit": change.edit, "snooze": change.snooze, "done": change.mark_done,
    "reopen": change.reopen, "drop": dropping.drop, "factout": forgetting.forget_fact, "ruleout": forgetting.drop_rule,
    "undo": undo, "fix": fix, "more": more,
}  # fmt: skip
"""What makes changes of the acts that ask for some."""
THANKING = 2
"""So many words beside a yes may be thanks; more of them tell something."""
BOOKING = frozenset("book rebook schedule reschedule rearrange put".split())
RATHER_SURE = 0.85
"""So sure is an act of which it is said that what it wants is so already."""
MOST_TRIED, LEAST_LIKELY, LIKELY, MOST_SHOWN = 4, 0.05, 0.1, 6
OPS: dict[str, Op] = {"edit": "update", "fix": "update", "drop": "delete", "done": "complete"}
QUOTED = re.compile('["\'\u201c\u2018]([^"\u201d\u2019]{3,}?)["\'\u201d\u2019]')
MAKING = frozenset("todo event remind note list rule fact".split())
NAMING = ("t", "i", "g", "c", "q", "l", "v")
LOOSE_ENDS = frozenset("due by for at on est and then it's its".split())
VALUES = ("w", "d", "pr", "df", "p")
DATED = frozenset(("todo", "event", "remind"))
IN_TIME = DATED | {"edit", "fix", "more", "snooze"}
TIMES = frozenset("start end deadline remind_at recurrence all_day".split())
TOLD_BY_ANY_ACT = frozenset(("when", "rephrase"))
CALENDAR = frozenset(("calendar", "diary"))


def understand(ask: Ask) -> RouterDecision:
    """Return everything that a message asks for."""
    if not ask.text.strip():
        return RouterDecision(disposition="reply", acknowledgement=EMPTY)
    situation = situation_of(ask)
    button = reply.answer_by_button(ask.pending, ask.text, situation) if ask.pending else None
    if button is not None:
        return decide([button.share], situation).model_copy(update={"answered": True})
    lines = ask.text.count("\n")
    heard = heard_in(ask.text, ask, situation.clock) if lines <= MOST_LINES else None
    count = len(heard.reading.clauses) if heard else lines
    if heard is None or count > MOST_REQUESTS:
        return RouterDecision(disposition="reply", acknowledgement=TOO_MANY.format(count=count))
    said_right = _heard_right(heard.reading, ask)
    if said_right is not None and ask.pending:
        return understand(said_right).model_copy(update={"answered": True, "heard_right": ask.pending.memo_id})
    return decide_reading(heard.reading, situation)


def _heard_right(reading: Reading, ask: Ask) -> Ask | None:
    """Return the uncertain words of a recording as a message, with what follows the yes to them; None for no yes."""
    agrees, *more = reading.clauses or (None,)
    if ask.pending is None or ask.pending.missing != "transcript" or agrees is None or agrees.act != "yes":
        return None
    if any(other.act in ("remark", "chat") and len(tokens(other.text)) > THANKING for other in more):
        return None  # "right, what a day"
    said = ". ".join([ask.pending.text, *([reading.text[more[0].start :]] if more else [])])
    return ask.model_copy(update={"text": said, "at": ask.pending.at, "pending": None})


def decide_reading(reading: Reading, situation: Situation) -> RouterDecision:
    """Return what a message that was read comes to."""
    reading = join_parts(replace(reading, clauses=tuple(map(trim_verbs, reading.clauses))))
    reading = replace(reading, clauses=_without_bare_answer(reading.clauses, situation))
    situation.clauses = reading.clauses
    outcomes, doubts = list[tuple[Clause, Outcome]](), list[bool]()
    bound = False
    for at, said in enumerate(reading.clauses):
        situation.at = at
        _take_day(reading, situation)
        clause, no_place = with_known_place(said, situation)
        answer = reply.answer_open(clause, situation) if not bound else None
        bound = bound or answer is not None
        picked = None if answer else take_offered(clause, situation)
        outcome = answer or picked or reply.left_open(clause, situation) or outcome_of(clause, situation)
        outcome = without_impossible_day(clause, outcome, situation)
        outcome.share.answers += [no_place] if no_place and outcome.share.proposals else []
        surely = replace(clause, sure=clause.sure + _chance_of_alike(clause, outcome, situation))
        doubts.append(hangs_on_a_question(outcome.share, situation))
        situation.follow(outcome.share, asked=is_only_asked(surely, outcome, situation, doubt=doubts[-1]))
        pending = situation.pending
        is_told = answer is not None and pending is not None and pending.missing in TOLD_BY_ANY_ACT
        # What a question asked for is told by any act that has it: "friday at 3pm" corrects nothing then.
        outcomes.append((replace(surely, act="tell") if is_told else surely, outcome))
    drop_twins([outcome.share for _, outcome in outcomes], situation)
    told = zip(outcomes, doubts, strict=True)
    shares = [weigh(clause, outcome, situation, doubt=doubt) for (clause, outcome), doubt in told]
    return decide(shares, situation).model_copy(update={"answered": bound})


def join_parts(reading: Reading) -> Reading:
    """Return a reading in which what belongs together is one clause: it may be read in parts.

    A long list goes on behind a comma, and "urgent!!" or "quick one:" is said of the task behind it.
    """
    joined: list[Clause] = []
    for clause in reading.clauses:
        before = joined[-1] if joined else None
        gap = reading.text[before.end : clause.start].strip() if before else ""
        lines = clause.act == "list" and not clause.all("l") and bool(clause.all("i"))
        more = before and before.act == "list" and before.all("i") and lines and gap == ","
        if before and (more or (clause.act in DATED and _is_level(before))):
            text, slots = reading.text[before.start : clause.end], (*before.slots, *clause.slots)
            sure, whole = max(before.sure, clause.sure), before if more else clause
            joined[-1] = replace(whole, text=text, start=before.start, end=clause.end, slots=slots, sure=sure)
        else:
            joined.append(clause)
    return replace(reading, clauses=tuple(joined))


def _is_level(clause: Clause) -> bool:
    """Return whether a clause would make something and names no more than how urgent or hard it is."""
    named = {slot.name for slot in clause.slots}
    return clause.act in DATED and bool(named) and named <= {"pr", "df"}


def _without_bare_answer(clauses: tuple[Clause, ...], situation: Situation) -> tuple[Clause, ...]:
    """Return the clauses without a mere "no" that leads to another answer: "neither, i meant the report"."""
    if situation.pending is None or len(clauses) < 2 or clauses[0].act != "no" or clauses[0].slots:  # noqa: PLR2004
        return clauses
    return clauses[1:] if clauses[1].act in ("pick", "fix", "tell") and clauses[1].slots else clauses


def outcome_of(clause: Clause, situation: Situation) -> Outcome:
    """Return what one clause comes to by its act."""
    dated = clause.act in DATED and bool(CALENDAR & set(loose_words(clause))) and bool(clause.all("w"))
    builder = create.event if dated else BUILDERS.get(clause.act)
    if builder is not None:
        empty = clause.act in MAKING and not clause.slots and len(situation.clauses) > 1
        heads = clause.text.rstrip().endswith(":") and not clause.all(*NAMING)
        if heads or (empty and set(tokens(clause.text)) <= outside_words()):
            return Outcome(Share(text=clause.text))
        unnamed = clause.act in ("todo", "event") and clause.slots and not clause.all(*NAMING)
        again = said_again(clause, situation) or _booked_again(clause, situation)
        if again is not None:
            return again
        clause = _name_what_is_gone(clause, situation)
        if unnamed and situation.touched:
            builder = more if _says_another_day(clause, situation) else change.edit
        outcome = builder(clause, situation)
        so_already = outcome.known and clause.sure >= RATHER_SURE
        if acts(outcome) or so_already:
            return outcome
        return only_read(clause, situation) or second_best(clause, situation) or outcome
    if clause.act == "no" and situation.state == "did" and situation.just_done():
        return Outcome(undo(clause, situation).share, fit=0.5)
    return Outcome(answer_clause(clause, situation))


def _booked_again(clause: Clause, situation: Situation) -> Outcome | None:
    """Return what was just deleted at another time, where something new would be called no more than "rebook it"."""
    if clause.act in ("edit", "fix") and clause.all("g") and is_pointing(clause.words("g")):
        return book_again(clause, situation)
    books = clause.act in ("todo", "event") and _does_it(clause) and tokens(clause.words("t"))[0] in BOOKING
    due = any(found.role != "when" for found in times_of(clause, situation))
    return book_again(clause, situation) if books and not due and not loose_words(clause) else None


def _does_it(clause: Clause) -> bool:
    """Return whether something new would be called no more than what is done with "it": "rebook it"."""
    return tokens(clause.words("t"))[1:] in (["it"], ["that"])


def _name_what_is_gone(clause: Clause, situation: Situation) -> Clause:
    """Return a clause for something new with the name of what was just deleted for the "it" that it ends with."""
    last = situation.just_done()[-1:]
    if not last or last[0].op != "delete" or clause.act not in DATED or not _does_it(clause):
        return clause
    name = f"{clause.words('t').split()[0]} {last[0].title}"
    return replace(clause, slots=tuple(replace(one, text=name) if one.name == "t" else one for one in clause.slots))


def _says_another_day(clause: Clause, situation: Situation) -> bool:
    """Return whether a clause joins one more day to the time of the one before: "monday at 4 and thursday at 5"."""
    before = situation.clauses[situation.at - 1]
    gap = tokens(situation.start.ask.text[before.end : clause.start])
    dated = (any(one.day_said for one in times_of(each, situation)) for each in (before, clause))
    return bool({"and", "&"} & set(gap)) and before.act == clause.act and all(dated)


def _chance_of_alike(clause: Clause, outcome: Outcome, situation: Situation) -> float:
    """Return how probable the other acts are together that come to the same changes: "make it 5" edits or corrects."""
    wanted = _effects(outcome)
    others = [act for act, chance in clause.chances.items() if act != clause.act and chance >= LIKELY]
    tried = (act for act in others if act in BUILDERS and wanted and clause.act in BUILDERS)
    alike = [act for act in tried if _effects(BUILDERS[act](replace(clause, act=act), situation)) == wanted]
    return sum(clause.chances[act] for act in alike)


def _effects(outcome: Outcome) -> list[dict[str, object]]:
    """Return what a clause changes, whatever the reasons."""
    return [
        item.model_dump(include={"op", "kind", "record_id", "fields", "undo_of"}) for item in outcome.share.proposals
    ]


def acts(outcome: Outcome) -> bool:
    """Return whether something is done, asked or looked up."""
    return bool(outcome.share.proposals or outcome.share.questions or outcome.share.look_back)


def without_impossible_day(clause: Clause, outcome: Outcome, situation: Situation) -> Outcome:
    """Return the question for another day where a clause says one that there is not, or that is over."""
    words = timed_words(clause, "w")[1] if clause.act in IN_TIME else ""
    gone = impossible_time(words, situation.clock) if words.strip() else None
    drafts = [item for item in outcome.share.proposals if item.op == "create" and item.kind in ("todo", "event")]
    asking = [one.pending for one in outcome.share.questions if one.pending and one.pending.missing == "when"]
    drafts = drafts or [item for one in asking for item in one.proposals if item.op == "create"]
    if gone is None or not (outcome.share.proposals or drafts):
        return outcome
    none = contradiction(gone, situation.clock) or f"I find no {quote(' '.join(gone.split()))} ahead"
    if not drafts:
        return tell(clause.text, f"{none}.")
    draft = drafts[0].model_copy(update={"fields": {k: v for k, v in drafts[0].fields.items() if k not in TIMES}})
    name = str(draft.fields.get("task") or draft.fields.get("title"))
    return ask_for("when", f"{none}. {quote(name)}: which day?", draft, clause.text, situation)


def only_read(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the truth about an appointment of an imported calendar that is to be changed; None where none is meant."""
    if clause.act not in ("edit", "drop") or not clause.all("g"):
        return None
    slot = elsewhere(clause.words("g"), situation.scene)
    where = f"is in your calendar {slot.calendar}, which I can only read." if slot else ""
    return tell(clause.text, f"{quote(slot.event.title)} {where}") if slot else None


def said_again(clause: Clause, situation: Situation) -> Outcome | None:
    """Return that something is there already where its name and its time are said once more, and nothing else."""
    if clause.act not in ("edit", "snooze", *DATED) or not clause.all("g", "t") or not clause.all("w"):
        return None
    if loose_words(clause) or not times_of(clause, situation):
        return None
    for builder in (create.todo, create.event):
        outcome = builder(as_new(clause), situation)
        there = outcome.known or not new_ones(outcome.share.proposals, situation.start.ask)[0]
        if there and (outcome.known or outcome.share.proposals):
            return outcome
    return None


def second_best(clause: Clause, situation: Situation) -> Outcome | None:
    """Return what the next likely act comes to where the likeliest one comes to nothing; it is asked about."""
    nameless = clause.act in DATED and not clause.all(*NAMING)
    others = (act for act in BUILDERS if act != clause.act or nameless)
    ranked = sorted(others, key=lambda act: -clause.chances.get(act, 0))
    valued = clause.act == "edit" and clause.all(*VALUES) and not clause.all("x", "n", "sh", "v")
    for act in ranked[:MOST_TRIED]:
        if clause.chances.get(act, 0) < LEAST_LIKELY and not (valued and act in DATED):
            continue
        outcome = BUILDERS[act](as_new(clause) if act in DATED else clause, situation)
        if outcome.share.proposals and outcome.fit == 1:
            return Outcome(outcome.share, fit=0.5)
    return ask_which(clause, situation)


def ask_which(clause: Clause, situation: Situation) -> Outcome | None:
    """Return the question which record is meant where words only point at one, or share words with several."""
    op = OPS.get(clause.act)
    if op is None or clause.all("i", "l"):
        return None
    kinds: tuple[Kind, ...] = ("todo",) if clause.act in ("done", "reopen") else ("todo", "event")
    pool = situation.items(*kinds).where(is_open)
    name = " ".join(names_in(clause))
    if with_somebody(clause) or (not name and (len(situation.clauses) > 1 or clause.act == "fix")):
        return None  # whom a pronoun means was said before, if at all
    if clause.all("v") and not is_pointing(name):
        return None  # what is called so is not then
    near = sorted(find_near(name, pool), key=lambda item: (item.day is None, str(item.day)))
    near = near[:MOST_SHOWN]
    drafts = [[propose(item, op, new_values(clause, item, situation))] for item in near]
    if not drafts or (op == "update" and not all(draft.fields for (draft,) in drafts)):
        return None
    return do_or_ask(clause.text, Meant(near, 0.5, name), drafts, situation)


def as_new(clause: Clause) -> Clause:
    """Return a clause whose words are all the name of something new, but for its values."""
    named = [slot.text for slot in clause.all("g") if not is_pointing(slot.text)] if clause.act == "edit" else []
    words = named[0] if len(named) == 1 else blank_slots(clause, *VALUES)
    quote = QUOTED.search(words)
    said = (quote[1] if quote else words).split()
    while said and said[-1].lower().strip(EDGES) in {"", *LOOSE_ENDS}:
        said.pop()
    title = " ".join(said).strip(EDGES)
    slots = (Slot("t", title, clause.start, clause.start, 1.0), *(slot for slot in clause.slots if slot.name in VALUES))
    return clause if clause.all("t") or not title else replace(clause, slots=slots)


def _is_heading(clause: Clause, reading: Reading) -> bool:
    """Return whether a clause has a time that a colon follows."""
    return any(":" in (reading.text[slot.end : slot.end + 1], slot.text[-1]) for slot in clause.all("w"))


def _take_day(reading: Reading, situation: Situation) -> None:
    """Set the day of a clause whose times name none: that of a heading, of the appointment before, or of its slot."""
    clause, before = reading.clauses[situation.at], reading.clauses[: situation.at]
    begin = before[-1].end if before else 0
    gap = reading.text[begin : clause.start]
    times = merge_phrases(find_times(gap, situation.clock), situation.clock)
    days = [one.start.date() for one in times if one.day_said and one.start]
    if days and clause.act in DATED:
        situation.day, situation.heading = days[-1], ":" in gap or "\n" in gap
        return
    if situation.heading:
        return
    headed = [other for other in before if _is_heading(other, reading)]
    if headed and clause.act in DATED:
        heads = [last_day(one) for one in times_of(headed[-1], situation) if one.day_said]
        situation.day, situation.heading = next(iter(heads), None), True
        return
    goes_on = bool(before) and not any(sign in gap for sign in ".\n!?")
    instead = "instead" in loose_words(clause) and clause.act in DATED
    follows = goes_on and clause.act in ("event", "todo") and before[-1].act == "event"
    said = times_of(before[-1], situation, "v", "w") if before and instead else []
    day = next((one.start.date() for one in said if one.day_said and one.start), None)
    situation.day = day or situation.clock.anchor if follows or instead else None

"""To act, to ask or to say what was not understood: by what a wrong change, a lost one and a question cost."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count
from math import exp, log
from typing import Any

from agents.contract import WORKER_OF_KIND, Assignment, Change, Proposal, Proposed, Question, RouterDecision, Worker
from agents.index.items import Item
from agents.ledger.approvals import approval_questions
from agents.ledger.duplicates import new_ones
from agents.ledger.transitions import differing
from agents.phrases import quote, say_list
from agents.reading.reading import Clause
from agents.records import RECORD_TYPES, title_of
from agents.risk import MISREAD
from agents.understanding.hearing import name_in
from agents.understanding.outcome import Outcome, yes_or_no
from agents.understanding.records.lists import lines_of
from agents.understanding.records.reminders import with_reminders
from agents.understanding.share import Share
from agents.understanding.situation import Situation, day_of, preview
from agents.understanding.slot_values import unread_exception, unread_times
from agents.understanding.values.echo import echo_assumptions

COST_OF_DELETION, COST_OF_CHANGE, COST_OF_ADDITION, COST_OF_USELESS, COST_OF_QUESTION = 7, 6, 4, 2, 1
"""What a mistake costs that deletes, one that changes something (some are only incomplete) and one that adds something,
which is seen and taken back at once; a question that does not help and one that does. A deletion is soon taken back:
with 10, eighteen right changes of the conversations in train.jsonl are asked about, and three wrong ones."""
ANSWERING = frozenset("yes no pick tell".split())
OF_ACT, OF_SLOT, OF_FIT, OF_TIME, BIAS = 0.52, 0.2, 3.4, 0.67, 0.2
"""Weights of the odds of the act and of the least sure slot, of the logarithm of the fit, of a time not read; and what
they start from. A logistic regression on the 2,500 changes of the conversations in train.jsonl: whether each is one
that is expected. What it starts from is what costs least on them since the encoder was trained further. The length of
the message, loose words and the share of a title that is named tell nothing more."""
UNCLEAR = "I did not understand that. Could you say it in other words?"
LEAST_FIT = 0.05
UNCERTAIN_SLOTS = frozenset(("a", "x"))
"""Slots whose bounds matter little."""


def chance(clause: Clause, outcome: Outcome, situation: Situation) -> float:
    """Return how probably what a clause comes to is what was wanted, as fitted to annotated conversations."""
    slots = min((slot.sure for slot in clause.slots if slot.name not in UNCERTAIN_SLOTS), default=1.0)
    weight = BIAS + OF_ACT * _odds(clause.sure) + OF_SLOT * _odds(slots) + OF_FIT * log(max(outcome.fit, LEAST_FIT))
    return 1 / (1 + exp(OF_TIME * bool(unread_times(clause, situation)) - weight))


def _odds(sure: float) -> float:
    """Return the logarithm of the odds of a probability, within what the encoder can tell."""
    sure = min(max(sure, 0.02), 0.99)
    return log(sure / (1 - sure))


def least_chance(share: Share) -> float:
    """Return how probably right changes must be to cost less when made at once than when asked about."""
    saved = max((_worst(item) for item in share.proposals), default=COST_OF_CHANGE) - COST_OF_USELESS
    return saved / (saved + COST_OF_QUESTION)


def _worst(draft: Proposal) -> int:
    """Return what a draft costs that nobody wanted; a rule, or what is put away for another, is quickly back."""
    gone = (draft.op == "delete" and draft.kind != "instruction") or (draft.op == "archive" and not draft.group)
    return COST_OF_DELETION if gone else COST_OF_ADDITION if draft.op == "create" else COST_OF_CHANGE


def hangs_on_a_question(share: Share, situation: Situation) -> bool:
    """Return whether a clause changes a record that an earlier one only asks about."""
    return any(item.record_id in situation.asked for item in share.proposals if item.op != "create")


def is_only_asked(clause: Clause, outcome: Outcome, situation: Situation, *, doubt: bool) -> bool:
    """Return whether what a clause changes of what is stored is asked about; lines that it adds are seen at once."""
    wanted = outcome.share.proposals
    adds = all(_is_of_lines(item) and _only_adds(item, situation) for item in wanted)
    return not adds and not weigh(clause, outcome, situation, doubt=doubt).proposals


def weigh(clause: Clause, outcome: Outcome, situation: Situation, *, doubt: bool) -> Share:
    """Return what is done about a clause: its changes, or whether they are meant; an exception that was not read.

    With a ``doubt`` about its record it is asked about, however sure the words are.
    """
    share = outcome.share
    if share.proposals and (unread := unread_exception(clause, situation)):
        share = replace(share, unclear=[*share.unclear, unread])
    wanted = [item for item in share.proposals if not (item.agreed or item.confirms or item.declined)]
    backwards = any(_goes_into_the_past(item, situation) for item in wanted)
    sure = clause.act in ANSWERING or chance(clause, outcome, situation) >= least_chance(share)
    if not wanted or (sure and not backwards and not doubt):
        return share
    if len(clause.all("w")) <= 1 and all(_is_so(item, situation) for item in wanted):
        return share  # which costs nothing
    asked = ask_to_confirm(clause.text, share.proposals, situation).share
    return replace(asked, note=share.note, unclear=share.unclear)


def _goes_into_the_past(draft: Proposal, situation: Situation) -> bool:
    """Return whether an appointment to come would be moved to a day that is over, which people hardly ever mean."""
    known = situation.original(draft.record_id) if draft.op == "update" else None
    start, today = str(draft.fields.get("start") or ""), situation.now.date()
    was = day_of(known, situation.clock) if known and known.kind == "event" and start else None
    return was is not None and was >= today and datetime.fromisoformat(start).date() < today


def _is_so(draft: Proposal, situation: Situation) -> bool:
    """Return whether a change of a record would leave it as it is."""
    known = situation.original(draft.record_id)
    stored = known.record.model_dump(mode="json") if known and draft.op == "update" else None
    return stored is not None and not differing(draft.kind, stored, draft.fields)


def ask_to_confirm(text: str, drafts: Sequence[Proposal], situation: Situation) -> Outcome:
    """Return the question whether changes are meant, with all that a yes would write."""
    return yes_or_no(question_about(drafts, situation), drafts, text, situation)


def question_about(drafts: Sequence[Proposal], situation: Situation) -> str:
    """Return the words of the question whether changes are meant."""
    wanted = {item.undo_of for item in drafts if item.op == "undo"}
    changes = [*situation.ask.recent_changes, *(situation.ask.history or [])]
    undone = {change.id: change for change in changes if change.id in wanted}
    put_back = {change.record_id: change.before for change in undone.values()}
    others = [item for item in drafts if item.op != "undo"]
    rows = [_as_change(item, place, put_back.get(item.record_id), situation) for place, item in enumerate(others)]
    asked = [question.text for question in approval_questions(rows, situation.now)]
    names = [quote(undone[one].title if one in undone else "it") for one in dict.fromkeys(wanted) if one]
    back = [f"Undo {say_list(list(dict.fromkeys(names)))}?"] if names else []
    return " ".join([*back, *asked]) or "Shall I go on?"


def _as_change(draft: Proposal, place: int, put_back: dict[str, Any] | None, situation: Situation) -> Change:
    """Return a draft as a change that waits, as questions about held changes take it; its record may be put back."""
    known = situation.original(draft.record_id)
    if put_back:
        restored = RECORD_TYPES[draft.kind].model_validate(put_back)
        known = Item(draft.kind, restored.id, title_of(draft.kind, put_back), restored)
    profile = situation.start.ask.records.profile if draft.kind == "profile" else None
    stored = known.record if known else profile
    before = stored.model_dump(mode="json") if stored else None
    after = preview(draft, draft.record_id or "new", known, situation.ask)
    record = before or after
    title = title_of(draft.kind, record) if record else name_in(draft.fields) or str(draft.fields.get("text") or "it")
    return Change(
        id=f"asked-{place}", cursor=place, turn_id=None, agent="", seq=place, place=place, op=draft.op, kind=draft.kind,
        record_id=draft.record_id, title=title, fields=draft.fields,
        before=before, after=after, status="needs_confirmation", reason=MISREAD, created_at=situation.ask.at,
    )  # fmt: skip


def decide(shares: Sequence[Share], situation: Situation) -> RouterDecision:
    """Return the shares of a message as one decision: proposals by worker, questions and unclear words beside them."""
    acts = any(share.proposals or share.questions or share.answers or share.suggestion for share in shares)
    shares = [share for share in shares if not (share.filler and acts)]
    drop_overtaken(shares, situation)
    with_reminders(shares, situation.start)
    _finish(shares, situation)
    acting = [share for share in shares if share.proposals or share.answers or share.suggestion]
    questions = _joined_questions([question for share in shares for question in share.questions], situation)
    unclear = [words for share in shares for words in share.unclear]
    notes = [share.note for share in shares if share.note]
    asks = not acting and bool(questions or unclear)
    quiet = not any(share.answers or share.suggestion or _changes(share) for share in acting)
    return RouterDecision(
        disposition="dispatch" if any(map(_changes, acting)) else "clarify" if asks else "reply",
        targets=_assignments(acting),
        acknowledgement=" ".join(dict.fromkeys(notes)) if quiet else "",
        questions=questions,
        unclear=unclear if unclear or acting or notes or questions else [UNCLEAR],
        look_back=next((share.look_back for share in shares if share.look_back), None),
        look_ahead=situation.scene.look_ahead(),
    )


def drop_twins(shares: Sequence[Share], situation: Situation) -> None:
    """Leave out what the message asks for twice, and what is there to the word and the minute already."""
    seen: set[str] = set()
    for share in shares:
        kept = []
        for item in share.proposals:
            key = item.model_dump_json(exclude={"place", "reason"})
            ends = item.op in ("complete", "archive", "delete", "undo")
            known = f"{item.op} {item.record_id} {item.undo_of}" if ends else key
            if known not in seen or item.op == "create":
                kept.append(item)
            seen.add(known)
        share.proposals, there = new_ones(kept, situation.start.ask)
        share.answers, share.worker = [*share.answers, *there], share.worker or ("recall" if there else None)


def drop_overtaken(shares: Sequence[Share], situation: Situation) -> None:
    """Leave out questions about lines of a list that later changes or questions, worked out on top of them, have."""
    made, asked = set[str | None](), set[str | None]()
    for share in reversed(shares):
        share.questions = [one for one in share.questions if not _is_overtaken(one, made, asked, situation)]
        made |= {item.record_id for item in share.proposals if _is_of_lines(item)}
        asked |= {item.record_id for one in share.questions for item in _drafts(one) if _is_of_lines(item)}


def _is_of_lines(draft: Proposal) -> bool:
    return draft.op == "update" and draft.fields.keys() == {"items"}


def _drafts(question: Question) -> list[Proposal]:
    """Return what a yes would carry out."""
    return question.pending.proposals if question.pending.missing == "proceed" else []


def _is_overtaken(
    question: Question, made: Container[str | None], asked: Container[str | None], situation: Situation
) -> bool:
    drafts = _drafts(question)
    if len(drafts) != 1 or not _is_of_lines(drafts[0]):
        return False
    return drafts[0].record_id in asked or (drafts[0].record_id in made and _only_adds(drafts[0], situation))


def _only_adds(draft: Proposal, situation: Situation) -> bool:
    """Return whether a draft leaves all lines of a list where they are."""
    known = situation.original(draft.record_id)
    before = [line["text"] for line in lines_of(known)] if known else []
    after = [line["text"] if isinstance(line, dict) else line for line in draft.fields.get("items") or ()]
    return draft.fields.keys() == {"items"} and set(before) <= set(after)


def _finish(shares: Sequence[Share], situation: Situation) -> None:
    """Give each proposal its place in what was said and what was assumed about its time."""
    places = count()
    for share in shares:
        share.proposals = [item.model_copy(update={"place": next(places)}) for item in share.proposals]
    proposals = [item for share in shares for item in share.proposals]
    finished = iter(echo_assumptions(proposals, situation.ask, situation.clock))
    for share in shares:
        share.proposals = [next(finished) for _ in share.proposals]


def _joined_questions(questions: Sequence[Question], situation: Situation) -> list[Question]:
    """Return the questions, those that one yes answers as one."""
    simple = [one for one in questions if one.pending.missing == "proceed"]
    if len(simple) < 2:  # noqa: PLR2004 - nothing to join
        return list(questions)
    drafts = [item for one in simple for item in one.pending.proposals]
    pending = simple[0].pending.model_copy(update={"proposals": drafts})
    joined = Question(text=question_about(drafts, situation), options=["yes", "no"], pending=pending)
    return [joined, *(one for one in questions if one not in simple)]


def _changes(share: Share) -> bool:
    """Return whether a share would change anything: a no to a held change does not."""
    return any(not proposal.declined for proposal in share.proposals)


def _assignments(shares: Sequence[Share]) -> list[Assignment]:
    by_worker: dict[Worker, list[Share]] = {}
    for share in shares:
        for worker, part in _by_worker(share):
            by_worker.setdefault(worker, []).append(part)
    return [_assign(worker, parts) for worker, parts in by_worker.items()]


def _by_worker(share: Share) -> list[tuple[Worker, Share]]:
    """Return a share parted by workers; proposals of one group go to one of them."""
    groups: dict[Worker, list[Proposal]] = {}
    leaders: dict[str, Worker] = {}
    for proposal in share.proposals:
        worker = WORKER_OF_KIND[proposal.kind]
        worker = leaders.setdefault(proposal.group, worker) if proposal.group else worker
        groups.setdefault(worker, []).append(proposal)
    parts = [(worker, Share(worker, share.text, proposals=items)) for worker, items in groups.items()]
    if (share.answers or share.suggestion) and share.worker:
        parts.append((share.worker, replace(share, proposals=[], questions=[], unclear=[], note="", look_back=None)))
    return parts


def _assign(worker: Worker, shares: Sequence[Share]) -> Assignment:
    """Return several shares of one worker as one."""
    proposed = Proposed(
        proposals=_one_update_each([item for share in shares for item in share.proposals]),
        answers=list(dict.fromkeys(item for share in shares for item in share.answers)),
        suggestion=next((share.suggestion for share in reversed(shares) if share.suggestion), None),
        feedback=next((share.feedback for share in shares if share.feedback), None),
    )
    return Assignment(worker=worker, text=" ".join(share.text for share in shares), proposed=proposed)


def _one_update_each(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return several updates of one record as one, and several facts as one change of the profile."""
    found: dict[object, Proposal] = {}
    for place, item in enumerate(proposals):
        same = item.kind == "profile" or (item.op == "update" and item.record_id)
        key = (item.kind, item.record_id) if same else place
        known = found.get(key)
        found[key] = known.model_copy(update={"fields": _both(known.fields, item.fields)}) if known else item
    return list(found.values())


def _both(first: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    facts = {**first.get("facts", {}), **then.get("facts", {})}
    likes = list(dict.fromkeys([*first.get("interests", []), *then.get("interests", [])]))
    return {**first, **then, **({"facts": facts} if facts else {}), **({"interests": likes} if likes else {})}

"""A whole message: its waiting question, its clauses, and the one decision they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from agents.contract import WORKER_OF_KIND, Assignment, Disposition, Proposal, Proposed, RouterDecision, Worker
from agents.ledger.duplicates import new_ones
from agents.phrases import CANNOT
from agents.ports import Ask
from agents.understanding import floor, gate
from agents.understanding.dialogue import skipping
from agents.understanding.discourse import (
    all_told,
    anchoring,
    bringing_back,
    corrections,
    excepting,
    followups,
    leaning,
    pending,
    reactions,
    retractions,
    singled,
)
from agents.understanding.grammar import patterns_of
from agents.understanding.handle import handle
from agents.understanding.items.choose import confirm
from agents.understanding.items.reminders import with_reminders
from agents.understanding.references import words_of
from agents.understanding.requests import instructions, list_changes
from agents.understanding.requests.carrying import carried
from agents.understanding.requests.told_apart import parted
from agents.understanding.scene import Scene, scene_of
from agents.understanding.share import Share, lost
from agents.understanding.slots.echo import echoed
from agents.understanding.text import contrary
from agents.understanding.text.clauses import Clause, split
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent
from agents.understanding.text.journeys import both_ways
from agents.understanding.text.restated import LONGEST_SPEECH, restated
from agents.understanding.text.standing import defined
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb
from agents.understanding.titles import titled

P = patterns_of(__name__)
NEXT = 3
ENDING = frozenset(("complete", "delete", "archive"))
EMPTY = "I didn't catch anything. What can I do for you?"
LEFT = "All right, I left everything as it is."
UNCLEAR = "I did not understand that. Could you say it in other words?"


def understand(ask: Ask) -> RouterDecision:
    """Everything that a message asks for, in one pass."""
    if ask.pending is not None:
        again = pending.retold(ask.pending, ask)
        if again is not None:
            return understand(again).model_copy(update={"answered": True, "heard_right": ask.pending.memo_id})
        scene = scene_of(ask)
        answered = pending.answer_to(ask.pending, scene)
        if answered is not None:
            said = ask.text.removesuffix(answered.rest)
            shares = [gate.going_on(share, said, scene) for share in answered.shares]
            decision = decide([*shares, *_after_answer(answered, ask)], scene)
            return decision.model_copy(update={"answered": True})
    scene = anchoring.anchored(scene_of(ask))
    return decide(shares_of(scene), scene)


def _after_answer(answered: pending.Answered, ask: Ask) -> list[Share]:
    """What was asked for in the same breath as the answer."""
    if not answered.rest:
        return []
    rest = scene_of(ask.model_copy(update={"text": answered.rest, "pending": None, "recent_changes": []}))
    rest.before = list(answered.shares)
    return shares_of(rest)


def shares_of(scene: Scene) -> list[Share]:
    """What each clause of the scene's message comes to."""
    ask = scene.ask
    text = both_ways(restated(ask.text), scene.clock)
    whole = _as_one(text, scene)
    if whole is not None:
        return [whole]
    pairs = gate.checked(read_clauses(text, scene), scene)
    shares = _foreign_named([share for _, share in pairs], [clause for clause, _ in pairs])
    return _without_explained(_without_preamble(shares, [clause for clause, _ in pairs]), scene) or [lost(ask.text)]


def _as_one(text: str, scene: Scene) -> Share | None:
    """What the message comes to where it is one with the turn before, or asks for nothing that is divided."""
    if not text:
        return Share(note=EMPTY)
    if contrary.dropped(text):
        return Share(text=scene.ask.text, note=LEFT)
    if defined(text):
        return instructions.create(Intent("instruction", 0.9), Clause(text), scene)
    # "not that one" is no correction of an earlier change
    early = skipping.another(Clause(text), scene)
    if early is not None:
        return early
    corrected = _corrected(text, scene) if len(text) <= LONGEST_SPEECH and scene.ask.pending is None else None
    if corrected is not None:
        return gate.going_on(corrected, text, scene)
    opposed = contrary.contradicted(text)
    return _asked_which(opposed, scene) if opposed else None


def read_clauses(text: str, scene: Scene) -> list[tuple[Clause, Share]]:
    """The clauses of a message, each with what it comes to after those before it."""
    text = list_changes.addressed(text, scene)
    clauses = carried(parted(split(text, scene.clock), scene), scene)
    scene.alone = len(clauses) == 1
    pairs: list[tuple[Clause, Share]] = []
    for at, clause in enumerate(clauses, start=1):
        scene.later = " ".join(other.text for other in clauses[at : at + NEXT]).strip()
        share = handle(clause, scene)
        share.proposals = [item for item in share.proposals if not _done_before(item, scene)]
        if share.unclear or (not (share.proposals or share.questions) and _tells(clause.text, share, scene)):
            scene.tell(clause.text)
            anchoring.told_of(clause.text, scene)
        scene.follow(share)
        pairs.append((clause, share))
    return pairs


def _foreign_named(shares: list[Share], clauses: list[Clause]) -> list[Share]:
    """Beside what is done, the words of what cannot be done are named: a reply about the rest would pass over them."""
    if not any(share.proposals for share in shares):
        return shares
    pairs = zip(shares, clauses, strict=True)
    return [lost(clause.text) if share.note == CANNOT else share for share, clause in pairs]


def _tells(text: str, share: Share, scene: Scene) -> bool:
    """Whether words may say what a later "it" means: a statement, or a remark that names something stored."""
    said = set() if share.answers else set(words_of(text))
    return is_statement(text) or any(not said.isdisjoint(item.words) for item in scene.items("todo", "event"))


def _corrected(text: str, scene: Scene) -> Share | None:
    """What the message changes of what was just done; None when it is a request of its own."""
    spoken = corrections.spoken(text, scene.ask.text)
    return (
        bringing_back.brought_back(scene.ask.text, scene)
        or retractions.retracted(scene.ask.text, scene)
        or excepting.excepted(text, scene)
        or reactions.reaction_answer(scene.ask.text, scene)
        or singled.singled(text, scene)
        or corrections.correct(spoken, scene)
        or followups.followed(text, scene)
        or list_changes.further(text, scene)
        or leaning.leaned(text, scene)
        or all_told.single_answer(text, scene)
    )


def _asked_which(opposed: str, scene: Scene) -> Share:
    """A request and its opposite in one message: nothing is done before it is clear which one counts."""
    wanted = [item for clause in split(opposed, scene.clock) for item in handle(clause, scene).proposals]
    if not wanted:
        return lost(scene.ask.text)
    return confirm(f"You asked for “{opposed.strip(' ,.;')}”, and also not to. Shall I do it?", wanted, scene)


def _done_before(item: Proposal, scene: Scene) -> bool:
    """Whether the message has asked for that already: "that was wrong, undo it", "the bill is paid, so close it"."""
    asked = [other for share in scene.before for other in share.proposals if other.op == item.op]
    if item.op == "undo":
        return any(other.undo_of == item.undo_of for other in asked)
    if item.op == "update" and item.fields.get("status") == "not started":
        undone = [other.record_id for share in scene.before for other in share.proposals if other.op == "undo"]
        return item.record_id in undone
    return item.op in ENDING and any(other.record_id == item.record_id for other in asked)


def _without_preamble(shares: list[Share], clauses: list[Clause]) -> list[Share]:
    """The shares less tasks made of what only leads up to a question what to do: "baby asleep, half an hour, what now?"."""
    if not shares or shares[-1].suggestion is None:
        return shares
    asked = zip(shares[:-1], clauses, strict=False)
    return [
        *(share for share, clause in asked if not share.proposals or is_verb(trim(clause.text).split()[0].lower())),
        shares[-1],
    ]


def _without_explained(shares: list[Share], scene: Scene) -> list[Share]:
    """The shares less those whose words only said what a later "it" means."""
    if len(shares) > 1:
        shares = [share for share in shares if not (share.unclear and P.ALOUD.fullmatch(" ".join(share.unclear)))]
    if not scene.explained:
        return shares
    acted = [at for at, share in enumerate(shares) if share.proposals]
    return [share for at, share in enumerate(shares) if not share.unclear or at > max(acted, default=-1)]


def decide(shares: Sequence[Share], scene: Scene) -> RouterDecision:
    """Shares gathered by worker; questions and unclear words beside them."""
    shares = floor.kept([titled(share, scene) for share in shares], scene)
    with_reminders(shares, scene)
    for share in shares:
        share.proposals, there = new_ones(share.proposals, scene.ask)
        share.answers, share.worker = [*share.answers, *there], share.worker or ("recall" if there else None)
    _number(shares)
    _echo(shares, scene)
    acting = [share for share in shares if share.proposals or share.answers or share.suggestion]
    targets = _assignments(acting)
    questions = [question for share in shares for question in share.questions]
    unclear = [words for share in shares for words in share.unclear]
    notes = [share.note for share in shares if share.note]
    silent = not any(share.answers or share.suggestion or _changing(share) for share in acting)
    return RouterDecision(
        disposition=_disposition(acting, bool(questions or unclear)),
        targets=targets,
        acknowledgement=" ".join(dict.fromkeys(notes)) if silent else "",
        questions=questions,
        unclear=unclear if unclear or acting or notes or questions else [UNCLEAR],
        look_back=next((share.look_back for share in shares if share.look_back), None),
        look_ahead=scene.look_ahead(),
    )


def _number(shares: Sequence[Share]) -> None:
    """Every proposal knows its place in what was said, as its agent will not."""
    places = count()
    for share in shares:
        share.proposals = [item.model_copy(update={"place": next(places)}) for item in share.proposals]


def _echo(shares: Sequence[Share], scene: Scene) -> None:
    told = iter(echoed([item for share in shares for item in share.proposals], scene.ask, scene.clock))
    for share in shares:
        share.proposals = [next(told) for _ in share.proposals]


def _disposition(acting: Sequence[Share], asking: bool) -> Disposition:  # noqa: FBT001 - asking or not
    if any(_changing(share) for share in acting):
        return "dispatch"
    if acting:
        return "reply"
    return "clarify" if asking else "reply"


def _changing(share: Share) -> bool:
    """Whether a share would change anything: a no to a held change does not."""
    return any(not proposal.declined for proposal in share.proposals)


def _assignments(shares: Sequence[Share]) -> list[Assignment]:
    by_worker: dict[Worker, list[Share]] = {}
    for share in shares:
        for worker, part in _by_kind(share):
            by_worker.setdefault(worker, []).append(part)
    return [
        Assignment(worker=worker, text=" ".join(part.text for part in parts), proposed=_together(parts))
        for worker, parts in by_worker.items()
    ]


def _by_kind(share: Share) -> list[tuple[Worker, Share]]:
    """A share with proposals of several kinds goes to several workers; what belongs together, to one."""
    groups: dict[Worker, list[Proposal]] = {}
    leaders: dict[str, Worker] = {}
    for proposal in share.proposals:
        worker = WORKER_OF_KIND[proposal.kind]
        if proposal.group:
            worker = leaders.setdefault(proposal.group, worker)
        groups.setdefault(worker, []).append(proposal)
    parts = [(worker, Share(worker, share.text, proposals=items)) for worker, items in groups.items()]
    if (share.answers or share.suggestion) and share.worker:
        parts.append((share.worker, replace(share, proposals=[], questions=[], unclear=[], note="", look_back=None)))
    return parts


def _together(shares: Sequence[Share]) -> Proposed:
    parts = [share.proposed() for share in shares]
    return Proposed(
        proposals=_joined([item for part in parts for item in part.proposals]),
        answers=list(dict.fromkeys(item for part in parts for item in part.answers)),
        suggestion=next((part.suggestion for part in reversed(parts) if part.suggestion), None),
        feedback=next((part.feedback for part in parts if part.feedback), None),
    )


def _joined(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Several updates of one record as one, and several facts as one change of the profile."""
    found: dict[object, Proposal] = {}
    for place, item in enumerate(proposals):
        same = item.kind == "profile" or (item.op == "update" and item.record_id)
        key = (item.kind, item.record_id) if same else place
        known = found.get(key)
        found[key] = known.model_copy(update={"fields": _both(known.fields, item.fields)}) if known else item
    return list(found.values())


def _both(first: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    facts = {**first.get("facts", {}), **then.get("facts", {})}
    return {**first, **then, **({"facts": facts} if facts else {})}

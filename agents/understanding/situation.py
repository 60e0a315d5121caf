"""What a clause is understood against: the records, the clock, what was just done or asked, and what came before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal, cast

from agents.contract import Change, Pending, Proposal
from agents.index.index import Items
from agents.index.items import Item
from agents.ledger.transitions import ProposalRefused, Stamp, transition
from agents.ports import Ask
from agents.reading.reading import Clause
from agents.records import RECORD_TYPES, Event, Kind, Source, ToDo
from agents.time import Clock
from agents.understanding.hearing import surroundings
from agents.understanding.scene import Scene, scene_of
from agents.understanding.share import Share

State = Literal["idle", "did", "which", "when", "yes", "what"]
"""What a message comes after: nothing, a change, or a question for one of several, a time, a yes, other words."""
STORED: tuple[Kind, ...] = ("todo", "event", "note")
DRAFT = "draft-"


@dataclass(slots=True)
class Situation:
    """The surroundings of a message; ``scene`` is what does not change from clause to clause.

    ``clauses`` are all of the message, ``at`` is the place of the one at hand. What the clauses before it came to are
    the ``shares``; they are carried out on the records here, so that a later clause finds what an earlier one made or
    changed. ``drafts`` are their proposals of something new, by the id that it has meanwhile, and ``touched`` the ids
    of all that they are about, the latest last; those that are ``asked`` about stay as they are. ``day`` is that of
    hours and tasks which say none, of all that follow where it is a ``heading``. ``start`` is the scene before any of
    it.
    """

    scene: Scene
    state: State
    clauses: Sequence[Clause] = ()
    at: int = 0
    drafts: dict[str, Proposal] = field(default_factory=dict)
    touched: list[str] = field(default_factory=list)
    asked: set[str] = field(default_factory=set)
    day: date | None = None
    heading: bool = False
    start: Scene = field(init=False)

    def __post_init__(self) -> None:
        self.start = self.scene

    @property
    def ask(self) -> Ask:
        """The words with everything that gives them meaning."""
        return self.scene.ask

    @property
    def clock(self) -> Clock:
        """When and where it was said, and the day that the message is about so far."""
        return self.scene.clock

    @property
    def now(self) -> datetime:
        """The turn's clock in the speaker's zone."""
        return self.scene.now

    @property
    def pending(self) -> Pending | None:
        """The question that waits."""
        return self.ask.pending

    @property
    def shares(self) -> list[Share]:
        """What the clauses before came to."""
        return self.scene.before

    @property
    def remarks(self) -> list[Clause]:
        """The remarks of the message before the clause at hand, the nearest first."""
        return [clause for clause in reversed(self.clauses[: self.at]) if clause.act == "remark"]

    def items(self, *kinds: Kind) -> Items:
        """Stored items of these kinds; all tasks, events and notes where none is named."""
        return self.scene.items(*(kinds or STORED))

    def item(self, record_id: str | None) -> Item | None:
        """The stored item with this id."""
        return self.items(*STORED, "instruction").get(record_id)

    def original(self, record_id: str | None) -> Item | None:
        """The stored item with this id as it was before the message."""
        return self.start.items(*STORED, "instruction").get(record_id)

    def just_done(self) -> list[Change]:
        """The changes of the last turn that changed something and still stand."""
        return self.scene.just_done()

    def latest(self) -> Item | None:
        """Return what this message or the last turn changed last."""
        done = self.just_done()
        return self.item(self.touched[-1] if self.touched else done[-1].record_id if done else None)

    def follow(self, share: Share, *, asked: bool = False) -> None:
        """Carry out on the records here what a clause comes to; what it changes of something new joins the proposal.

        What is only ``asked`` about is not carried out, unless it is something new.
        """
        joined = [self._join(item) for item in share.proposals]
        held = [item for item in joined if item and item.declined]
        share.proposals = [*held, *(item for item, made in zip(share.proposals, joined, strict=True) if made is None)]
        for proposal in share.proposals:
            if asked and proposal.op != "create" and proposal.record_id:
                self.touched.append(proposal.record_id)
                self.asked.add(proposal.record_id)
            elif not proposal.declined:
                self._carry_out(proposal)
        self.scene.follow(share)

    def _join(self, proposal: Proposal) -> Proposal | None:
        """Give the fields to the proposal that makes the record, if this message makes it, and return that one.

        One that is held in the ledger is declined there, as it is made with other fields now.
        """
        made = self.drafts.get(proposal.record_id or "")
        if made is None or proposal.op != "update":
            return None
        held = made.model_copy(update={"declined": True}) if made.confirms else made
        made.fields |= proposal.fields
        made.agreed, made.confirms = made.agreed or bool(made.confirms), None
        self._carry_out(made.model_copy(update={"record_id": proposal.record_id}))
        return held

    def _carry_out(self, proposal: Proposal) -> None:
        if proposal.op == "undo":
            self._put_back(proposal)
            return
        known = self.item(proposal.record_id) if proposal.op != "create" else None
        record_id = proposal.record_id or f"{DRAFT}{len(self.drafts)}"
        after = preview(proposal, record_id, known, self.ask)
        if after is None and proposal.op not in ("delete", "archive"):
            return
        if proposal.op == "create" and not (proposal.record_id and not proposal.confirms):
            self.drafts[record_id] = proposal
        self.touched.append(record_id)
        if proposal.kind not in ("profile", "memo"):
            self._store(proposal.kind, record_id, after)

    def _put_back(self, proposal: Proposal) -> None:
        change = next((one for one in self.ask.recent_changes if one.id == proposal.undo_of), None)
        if change is None or change.record_id is None or change.kind in ("profile", "memo"):
            return
        self.touched.append(change.record_id)
        self._store(change.kind, change.record_id, change.before)

    def _store(self, kind: Kind, record_id: str, after: dict[str, Any] | None) -> None:
        record = RECORD_TYPES[kind].model_validate(after) if after else None
        records = self.ask.records.with_record(kind, record_id, record)
        self.scene = replace(self.scene, ask=self.ask.model_copy(update={"records": records}))


def preview(proposal: Proposal, record_id: str, known: Item | None, ask: Ask) -> dict[str, Any] | None:
    """Return a record in JSON form as a proposal would leave it; None if it goes or the proposal does not fit it."""
    before = known.record.model_dump(mode="json") if known else None
    if proposal.op == "undo" or (proposal.kind == "profile" and ask.records.profile is None and before is None):
        before = None
    try:
        return transition(proposal, record_id, before, Stamp(ask.at, ask.timezone, Source()))
    except ProposalRefused:
        return None


def day_of(item: Item, clock: Clock) -> date | None:
    """Return the day on which an item is, is due or rings, in the speaker's zone."""
    record = item.record
    when = record.start if isinstance(record, Event) else getattr(record, "deadline", None)
    if when is None and isinstance(record, ToDo):
        when = record.remind_at
    return when.astimezone(clock.zone).date() if isinstance(when, datetime) else when


def situation_of(ask: Ask) -> Situation:
    """Return the situation of a message before it is read."""
    return Situation(scene_of(ask), cast("State", surroundings(ask).context))

"""What agents tell one another: decisions, proposals, changes and reports."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from agents.intake import Said
from agents.records import Kind
from agents.suggestion_feedback import Feedback

Worker = Literal[
    "update_todos",
    "update_events",
    "update_notes",
    "update_profile",
    "update_instructions",
    "focus_coach",
    "recall",
    "research",
]
"""The agents that a message is handed to, by the names of their nodes in the graph.

``research`` is ``LongWorkAgent``, which begins runs and workflows, tells of them and stops them.
"""
WORKERS: tuple[Worker, ...] = get_args(Worker)
WORKER_OF_KIND: dict[Kind, Worker] = {
    "todo": "update_todos",
    "event": "update_events",
    "note": "update_notes",
    "profile": "update_profile",
    "instruction": "update_instructions",
    "memo": "update_notes",
}
WRITING_WORKERS = frozenset(WORKER_OF_KIND.values())

Op = Literal["create", "update", "complete", "archive", "delete", "undo"]
Disposition = Literal["dispatch", "reply", "clarify"]
ChangeStatus = Literal["applied", "failed", "needs_confirmation", "undone"]
UnderstandingUsed = Literal["built-in", "model", "fallback"]


ALREADY = "already"
"""How the refusal of a change ends that would change nothing."""


class Value(BaseModel):
    """Base of everything below: closed, and safe to keep in a checkpoint."""

    model_config = ConfigDict(extra="forbid")


class Proposal(Value):
    """One change that an agent wants; the ledger validates and applies each alone.

    ``undo_of`` names the change to revert when ``op`` is ``undo``; ``expected_version`` refuses a record that moved on.
    ``place`` is its place in what was said: agents run side by side, and "the second one" means the second said.
    ``hold`` says why it must wait for a yes, and ``hold_on_conflict`` why an event must if it overlaps with another;
    proposals of one ``group`` are held together. ``confirms`` names the held change that is answered now, by a yes or,
    when ``declined``, by a no. ``agreed``: the user said yes to exactly this when asked, and is not asked again.
    ``assumed`` are clauses that tell by which convention a time was read that the words left open.
    ``seen`` are the lines that a list had when its new ``items`` were worded: what others change meanwhile is kept.
    """

    op: Op
    kind: Kind
    record_id: str | None = None
    fields: dict[str, Any] = {}
    reason: str = ""
    expected_version: int | None = None
    undo_of: str | None = None
    place: int = 0
    hold: str = ""
    hold_on_conflict: str = ""
    group: str = ""
    confirms: str | None = None
    declined: bool = False
    agreed: bool = False
    assumed: list[str] = []
    seen: list[dict[str, Any]] | None = None


class Conflict(Value):
    """An event that stands where another is wanted: of the imported ``calendar`` if one is named, else one's own.

    ``start`` and ``end`` are instants, or first and last day.
    """

    record_id: str
    title: str
    start: str
    end: str
    calendar: str | None = None


class Opening(Value):
    """Free time for what clashes: instants, or first and last day."""

    start: str
    end: str


class Change(Value):
    """One row of the ledger: what was attempted and what became of it.

    ``cursor`` grows per user without gaps that matter; ``before`` and ``after`` are whole records in JSON form.
    Changes with the same ``together`` were made as one and are undone as one.
    A change that was held carries its proposal: ``fields`` are those wanted, ``after`` is as ``before``, and it waits
    until ``expires_at``. The change with its id in ``confirms`` is the answer; ``status`` follows that one.
    """

    id: str
    cursor: int
    turn_id: str | None
    agent: str
    seq: int
    place: int = 0
    op: Op
    kind: Kind
    record_id: str | None
    title: str
    fields: dict[str, Any]
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    status: ChangeStatus
    error: str | None = None
    reason: str = ""
    conflicts: list[Conflict] = []
    alternatives: list[Opening] = []
    undo_of: str | None = None
    confirms: str | None = None
    undo: str | None = None
    together: str | None = None
    created_at: AwareDatetime
    expires_at: AwareDatetime | None = None

    @property
    def has_been_held(self) -> bool:
        """Whether it had to wait for a yes, whatever came of it."""
        return self.expires_at is not None

    @property
    def declines(self) -> bool:
        """Whether it is the no to a held change: it belongs to no turn, as nothing was attempted."""
        return self.confirms is not None and self.status == "failed" and self.turn_id is None


class Option(Value):
    """One answer to a question: ``record_id`` of the item it stands for, ``change_id`` of a change to undo."""

    label: str
    kind: Kind | None = None
    record_id: str | None = None
    change_id: str | None = None


class Pending(Value):
    """A question that waits, as typed state: what was meant, what is missing and which answers fit.

    ``transcript`` waits for a yes to act on uncertain speech, ``which`` for a choice among options, ``scope`` for how
    much of a series is meant (the last proposal is about all of it), ``when`` for a time, ``proceed`` for a yes to the
    proposals, ``rephrase`` for other words. ``asked`` and ``choices`` are the question as it was put; one that was
    ``kept`` waits since an earlier turn, and the one ``behind`` it waits until this one is answered. ``memo_id`` is the
    recording whose words are uncertain. ``id`` stays the same as long as it waits: an answer names it.
    """

    id: str = ""
    missing: Literal["transcript", "which", "scope", "when", "proceed", "rephrase"]
    text: Said
    at: AwareDatetime
    proposals: list[Proposal] = []
    options: list[Option] = []
    asked: str = ""
    choices: list[str] = []
    kept: bool = False
    behind: Pending | None = None
    memo_id: str | None = None


class Question(Value):
    """One question to the user, with the answers it offers and the state that its answer fills."""

    text: str
    options: list[str] = []
    pending: Pending


class Citation(Value):
    """Where an answer about the past comes from."""

    source: Literal["memo", "note", "message", "fact"]
    id: str
    start_char: int
    end_char: int
    start_ms: int | None = None
    end_ms: int | None = None
    quote: str
    captured_at: AwareDatetime


class FocusSuggestion(Value):
    """The one next action that fits the moment; ``minutes`` is its estimate."""

    action: str
    task_id: str | None
    step: str | None
    minutes: int
    why: str
    encouragement: str


class LookAhead(Value):
    """Time whose imported appointments words ask for, [since, until); where not ``decisive``, only to be shown."""

    since: AwareDatetime
    until: AwareDatetime
    decisive: bool = True


class Imported(Value):
    """An appointment in the imported ``calendar``, once for each time it takes place; ``end`` is exclusive."""

    item: str
    title: str
    calendar: str
    start: AwareDatetime
    end: AwareDatetime
    whole_day: bool
    busy: bool


class Proposed(Value):
    """What understanding makes of one agent's part of a message.

    ``answers`` are sentences about stored records, never about changes; ``unclear`` is what nobody understood.
    ``understanding`` is set where another mind took part. With ``look_ahead`` it is not final.
    """

    proposals: list[Proposal] = []
    answers: list[str] = []
    questions: list[Question] = []
    unclear: list[str] = []
    suggestion: FocusSuggestion | None = None
    citations: list[Citation] = []
    understanding: UnderstandingUsed | None = None
    look_ahead: LookAhead | None = None
    feedback: Feedback | None = None


class Assignment(Value):
    """One agent's share of a message. ``proposed`` is set when routing already settled everything in one pass."""

    worker: Worker
    text: str
    proposed: Proposed | None = None


class Lookback(Value):
    """Changes that words ask for beyond the thread's last turns: of any thread and door, made in [since, until).

    ``words`` are beginnings of words, any of them in its title; with none every change is meant, with ``kind`` of one.
    """

    since: AwareDatetime | None = None
    until: AwareDatetime | None = None
    words: list[str] = []
    kind: Kind | None = None


class RouterDecision(Value):
    """The router's structured decision. ``acknowledgement`` is small talk or a lead-in; what a model says stands there.

    ``answered`` tells that the message was the answer to the question that waited; any other leaves it open.
    ``heard_right`` is the recording whose uncertain words it says yes to. With ``look_back`` or
    ``look_ahead`` it is not final: it is made again once the ledger was read. ``unread`` is the end of a message
    that is too long to be read; ``language`` is the reply's, as a BCP 47 tag, where a model chose one. ``said_early``
    are sentences that were heard while it was made, and ``without_model`` says why there was no model.
    """

    answered: bool = False
    heard_right: str | None = None
    disposition: Disposition
    targets: Annotated[list[Assignment], Field(max_length=len(WORKERS))] = []
    acknowledgement: str = ""
    questions: list[Question] = []
    unclear: list[str] = []
    unread: str = ""
    language: str = ""
    understanding: UnderstandingUsed = "built-in"
    look_back: Lookback | None = None
    look_ahead: LookAhead | None = None
    said_early: list[str] = []
    without_model: str = ""


class AgentReport(Value):
    """What one agent did; ``error`` tells people of a failure, ``assumed`` how times were read, by change ids."""

    worker: Worker
    changes: list[Change] = []
    assumed: dict[str, list[str]] = {}
    answers: list[str] = []
    questions: list[Question] = []
    unclear: list[str] = []
    suggestion: FocusSuggestion | None = None
    citations: list[Citation] = []
    understanding: UnderstandingUsed | None = None
    error: str | None = None


class ThreadSnapshot(Value):
    """What a thread waited for when a turn began: the turn before it and that turn's question."""

    turn_id: str
    last_turn: str | None = None
    pending: Pending | None = None


class Outcome(Value):
    """What a finished turn is about; its changes are read from the ledger. ``reported`` are the agents it covers.

    ``heard_right`` is the recording whose uncertain words its user said yes to. ``requests`` are the parts of the
    message that order, ask or answer: they are no memories; None where nobody told them from the rest. ``remarks`` are
    what the reply says beside the receipts of its changes; None for one that was written before they were told apart.
    """

    disposition: Disposition
    targets: list[Worker] = []
    reply: str
    remarks: str | None = None
    question: Question | None = None
    citations: list[Citation] = []
    suggestion: FocusSuggestion | None = None
    understanding: UnderstandingUsed = "built-in"
    reported: list[Worker] = []
    heard_right: str | None = None
    requests: list[str] | None = None

    @property
    def complete(self) -> bool:
        """Whether every agent that was given a part of the message has reported."""
        return set(self.targets) <= set(self.reported)

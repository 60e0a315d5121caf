"""What the doors and the turns need from storage, speech and jobs; the composition root supplies the adapters."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol
from uuid import UUID, uuid5

from agents.contract import Change, Outcome
from agents.ports import Batch
from agents.records import AnyRecord, Kind

TurnState = Literal["queued", "running", "done", "failed", "cancelled", "waiting"]
Strategy = Literal["enqueue", "reject", "interrupt", "rollback"]
MemoState = Literal["receiving", "received", "transcribing", "transcribed", "indexed", "acted", "needs_you", "failed"]
ThreadStatus = Literal["active", "completed", "archived"]
Scope = Literal["read", "write", "admin"]
EventType = Literal[
    "turn.accepted",
    "transcript.partial",
    "transcript.final",
    "route.decided",
    "agent.started",
    "agent.finished",
    "change.applied",
    "change.failed",
    "question.asked",
    "approval.required",
    "reply.delta",
    "reply.completed",
    "citation",
    "usage",
    "reminder.fired",
    "error",
    "turn.done",
]


def main_thread(user_id: UUID) -> UUID:
    """The id of a user's main thread: derived, so that nobody has to look it up."""
    return uuid5(user_id, "main")


@dataclass(frozen=True)
class NewTurn:
    """A message at the door. ``text`` is None for a clip, whose bytes are durable already and named by ``memo``."""

    user_id: UUID
    text: str | None
    captured_at: datetime
    timezone: str
    thread_id: UUID | None = None
    strategy: Strategy = "enqueue"
    idempotency_key: str | None = None
    body_hash: bytes = b""
    memo: NewMemo | None = None


@dataclass(frozen=True)
class NewMemo:
    """A clip that was saved: where its bytes came from and how many there are."""

    id: UUID
    container: str
    size: int
    sha256: bytes
    captured_at: datetime
    timezone: str


@dataclass(frozen=True)
class Turn:
    """One row of the inbox. ``generation`` is the fencing token of its current lease."""

    id: UUID
    user_id: UUID
    thread_id: UUID
    seq: int
    state: TurnState
    text: str | None
    memo_id: UUID | None
    captured_at: datetime
    timezone: str
    generation: int
    attempt: int
    cancel_requested: bool
    created_at: datetime
    finished_at: datetime | None = None
    result: Outcome | None = None
    usage: dict[str, Any] = field(default_factory=dict)
    unsure: bool = False
    canned_reply: str | None = None


@dataclass(frozen=True)
class Accepted:
    """What became of a submitted turn: its row, and whether an earlier request with the same key had made it."""

    turn: Turn
    replayed: bool


@dataclass(frozen=True)
class Event:
    """One event of a user's stream; ``seq`` grows per user."""

    seq: int
    turn_id: UUID | None
    type: EventType
    ts: datetime
    data: dict[str, Any]


class Inbox(Protocol):
    """The durable queue of turns: one writer per thread, leases, fencing tokens."""

    async def accept(self, new: NewTurn) -> Accepted:
        """Commit a turn before anyone is told about it; raises InvalidInput, NotFound, Conflict, TooManyRequests."""

    async def claim(self, user_id: UUID, thread_id: UUID) -> Turn | None:
        """Lease the head of a thread's queue, or None when there is nothing to do now."""

    async def renew(self, turn: Turn) -> bool:
        """Extend the lease; True when someone asked to cancel. Raises StaleLease when the lease was lost."""

    async def finish(self, turn: Turn, state: TurnState, outcome: Outcome, usage: dict[str, Any]) -> None:
        """Commit result, messages and final events at once; raises StaleLease when the lease was lost."""

    async def seal(self, turn: Turn) -> Turn:
        """End every write that may still be under way for a running turn; raises StaleLease when it was lost."""

    async def in_the_way(self, new: NewTurn) -> Turn | None:
        """The turn that runs where a new message wants to; None for a message that was accepted before."""

    async def release(self, turn: Turn) -> None:
        """Hand an unfinished turn back, so that the next claim need not wait for the lease to end."""

    async def expired(self, limit: int = 100) -> list[tuple[UUID, UUID]]:
        """(user, thread) pairs of all tenants that have a turn to run and nobody running it."""

    async def get(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """One turn."""

    async def request_cancel(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """Cancel a queued turn at once, ask a running one to stop; the row as it is then."""

    async def transcribed(
        self, user_id: UUID, memo_id: UUID, text: str, *, unsure: bool = False, reply: str | None = None
    ) -> Turn | None:
        """Give the turn that waits for a clip its words, or the ``reply`` it ends with when there are none."""


class EventLog(Protocol):
    """The user's stream of events, durable and resumable."""

    async def append(
        self, user_id: UUID, turn_id: UUID | None, events: Sequence[tuple[EventType, dict[str, Any]]]
    ) -> None:
        """Keep events and wake the listeners."""

    def follow(self, user_id: UUID, *, turn_id: UUID | None = None, after: int = 0) -> AsyncIterator[Event | None]:
        """Events with a larger seq, then live ones; None every five quiet seconds; ends after turn.done of turn_id."""


@dataclass(frozen=True)
class Page:
    """One page of rows; ``next`` is the cursor of the next page, None at the end."""

    items: list[Any]
    next: str | None


class RecordReader(Protocol):
    """Reads the records of one user."""

    async def get(self, user_id: UUID, kind: Kind, record_id: str) -> AnyRecord | None:
        """One record by its id or a unique prefix of at least 6 characters."""

    async def list(self, user_id: UUID, kind: Kind, filters: dict[str, Any], limit: int, cursor: str | None) -> Page:
        """Records, newest first or as ``filters['sort']`` says."""


class ChangeLog(Protocol):
    """The ledger as the doors use it."""

    async def apply(self, batch: Batch) -> list[Change]:
        """Apply proposals; see agents.ports.Ledger."""

    async def change(self, user_id: str, change_id: str) -> Change | None:
        """One change."""

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        """The changes of one or more turns, oldest first."""

    async def changes_after(self, user_id: str, cursor: int, limit: int) -> list[Change]:
        """Changes of the user with a larger cursor, oldest first."""


@dataclass(frozen=True)
class Thread:
    """A conversation."""

    id: UUID
    title: str
    summary: str
    status: ThreadStatus
    is_main: bool
    message_count: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class Message:
    """One message of a thread's full history; ``seq`` counts within the thread."""

    seq: int
    turn_id: UUID
    role: Literal["user", "assistant"]
    content: str
    token_count: int
    model: str | None
    created_at: datetime


class Threads(Protocol):
    """Conversations and their full history."""

    async def create(self, user_id: UUID, title: str) -> Thread:
        """A new conversation."""

    async def get(self, user_id: UUID, thread_id: UUID) -> Thread | None:
        """One conversation."""

    async def list(self, user_id: UUID, limit: int, cursor: str | None) -> Page:
        """Conversations, the latest first."""

    async def change(
        self, user_id: UUID, thread_id: UUID, *, title: str | None, status: ThreadStatus | None
    ) -> Thread | None:
        """Rename or archive."""

    async def delete(self, user_id: UUID, thread_id: UUID) -> bool:
        """Delete a conversation with its messages and checkpoints; its changes stay in the ledger."""

    async def messages(self, user_id: UUID, thread_id: UUID, after: int, limit: int) -> Sequence[Message]:
        """Messages with a larger seq, oldest first."""


@dataclass(frozen=True)
class User:
    """A tenant."""

    id: UUID
    name: str
    created_at: datetime
    settings: dict[str, Any]


@dataclass(frozen=True)
class ApiKey:
    """A key as it may be shown again: never the key itself. ``hint`` is its last four characters."""

    id: UUID
    user_id: UUID
    name: str
    hint: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    expires_at: datetime | None


class Users(Protocol):
    """Tenants, their settings and keys."""

    async def create(self, name: str, user_id: UUID | None = None) -> User:
        """A new tenant; with ``user_id`` the one that exists is returned unchanged."""

    async def get(self, user_id: UUID) -> User | None:
        """One tenant."""

    async def list(self) -> list[User]:
        """Every tenant (administration only)."""

    async def update_settings(self, user_id: UUID, values: dict[str, Any]) -> User:
        """Merge settings; None removes one."""

    async def create_key(
        self, user_id: UUID, name: str, digest: bytes, hint: str, scopes: Sequence[Scope], expires_at: datetime | None
    ) -> ApiKey:
        """Keep a key's SHA-256; the key itself is never stored."""

    async def find_key(self, digest: bytes) -> ApiKey | None:
        """The key with this digest, of any tenant; expired ones are returned too."""

    async def keys(self, user_id: UUID) -> Sequence[ApiKey]:
        """The tenant's keys."""

    async def delete_key(self, user_id: UUID, key_id: UUID) -> bool:
        """Revoke a key at once."""

    async def any_key(self) -> bool:
        """Whether any tenant has a key: then loopback needs one too."""


@dataclass(frozen=True)
class Memo:
    """A voice memo and what became of it."""

    id: UUID
    title: str
    transcript: str | None
    language: str | None
    segments: list[dict[str, Any]]
    engine: str | None
    confidence: float | None
    captured_at: datetime
    timezone: str
    state: MemoState
    reason: str | None
    retryable: bool
    turn_id: UUID | None
    container: str
    size: int
    duration_ms: int | None
    created_at: datetime
    updated_at: datetime


class Memos(Protocol):
    """Voice memos; their bytes lie in the clip folder."""

    async def get(self, user_id: UUID, memo_id: UUID) -> Memo | None:
        """One memo."""

    async def list(self, user_id: UUID, limit: int, cursor: str | None) -> Page:
        """Memos, the latest first."""

    async def set_state(self, user_id: UUID, memo_id: UUID, state: MemoState, **values: Any) -> None:
        """Move a memo on; ``values`` are columns such as transcript, segments, reason, retryable."""


class Replays(Protocol):
    """Answers kept for the idempotency keys of POSTs other than turns, for 24 hours."""

    async def find(self, user_id: UUID, key: str) -> tuple[bytes, int, dict[str, Any]] | None:
        """(body hash, status, body) of the request that used the key."""

    async def keep(self, user_id: UUID, key: str, body_hash: bytes, status: int, body: dict[str, Any]) -> None:
        """Remember an answer."""


@dataclass(frozen=True)
class SavedClip:
    """Bytes that survive a power cut; ``head`` has the first ones, for telling what they are."""

    path: Path
    size: int
    sha256: bytes
    head: bytes = b""


@dataclass(frozen=True)
class ReadyCheck:
    """One line of /readyz."""

    name: str
    ok: bool
    detail: str


class Clips(Protocol):
    """The folder of audio clips; bytes are durable before ``save`` returns."""

    async def save(self, user_id: UUID, memo_id: UUID, chunks: AsyncIterator[bytes], max_bytes: int) -> SavedClip:
        """Keep a clip; raises TooLarge beyond ``max_bytes`` and leaves nothing behind then."""

    def path(self, user_id: UUID, memo_id: UUID) -> Path:
        """Where the clip of a memo lies."""

    async def delete(self, user_id: UUID, memo_id: UUID) -> None:
        """Forget a clip; one that is not there is fine."""


class SpeechGate(Protocol):
    """What the door asks about speech before it accepts a clip."""

    async def check_upload(self, head: bytes, size: int) -> str:
        """The container that the first bytes prove; raises InvalidInput for anything that is no clip."""


class Turns(Protocol):
    """One turn from the door to its answer; app.turns holds the one implementation."""

    async def submit(self, new: NewTurn) -> Accepted:
        """Accept a turn durably and start it; see Inbox.accept for what it raises."""

    async def wait(self, user_id: UUID, turn_id: UUID, seconds: float) -> Turn:
        """The turn when it is finished, or as it is when the time is over."""

    async def cancel(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """Stop a turn; the row as it is then, None when there is no such turn."""

    async def undo(self, user_id: UUID, turn_id: UUID, origin: UUID) -> list[Change]:
        """Undo every applied change of a turn, newest first; ``origin`` makes a repeated request harmless."""

    async def undo_change(self, user_id: UUID, change_id: UUID, origin: UUID) -> Change:
        """Undo one change; raises NotFound, and answers a refusal as a failed change with its reason."""


class SpokenSegment(Protocol):
    """A sentence-sized part of a transcript, in milliseconds from the clip's start."""

    @property
    def start_ms(self) -> int: ...
    @property
    def end_ms(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def confidence(self) -> float | None: ...


class SpokenWords(Protocol):
    """What was said in a clip."""

    @property
    def text(self) -> str: ...
    @property
    def language(self) -> str | None: ...
    @property
    def segments(self) -> Sequence[SpokenSegment]: ...
    @property
    def engine(self) -> str: ...
    @property
    def confidence(self) -> float | None: ...
    def may_act(self, min_confidence: float) -> bool:
        """Whether a turn may act on these words without asking first."""


class Hearing(Protocol):
    """How one attempt to transcribe ended; ``transcript`` is set for success alone, else ``reason`` says why not."""

    @property
    def outcome(self) -> str: ...
    @property
    def transcript(self) -> SpokenWords | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def retryable(self) -> bool: ...
    @property
    def duration_ms(self) -> int | None: ...


class Transcriber(Protocol):
    """Turns a clip on disk into words."""

    async def transcribe(self, path: Path) -> Hearing:
        """Decode, gate and recognise one clip; what went wrong is an outcome, not an error."""

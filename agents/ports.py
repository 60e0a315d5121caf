"""What agents need from outside: a mind that understands words, and a ledger that keeps changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import count
from math import inf
from typing import Any, Literal, Protocol, Self, runtime_checkable

from langgraph.store.base import SearchItem
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, PrivateAttr

from agents.contract import (
    Change,
    Citation,
    Imported,
    LookAhead,
    Lookback,
    Pending,
    Proposal,
    Proposed,
    RouterDecision,
    Worker,
)
from agents.conventions import Conventions
from agents.index.index import Index, Layer
from agents.index.items import item_of
from agents.intake import Said
from agents.records import AnyRecord, Event, Instruction, Kind, Note, Profile, ToDo
from agents.suggestion_feedback import Track


class Records(BaseModel):
    """What is stored for the user and may matter now; ``tracks`` tell what became of suggestions, by task."""

    todos: list[ToDo] = []
    events: list[Event] = []
    notes: list[Note] = []
    profile: Profile | None = None
    instructions: list[Instruction] = []
    tracks: dict[str, Track] = {}
    _index: Index | None = PrivateAttr(None)

    @property
    def index(self) -> Index:
        """The same, found by word, day and name; made here where it does not come with what was read."""
        if self._index is None:
            layer = Layer()
            for kind in INDEXED:
                records: Sequence[AnyRecord] = getattr(self, f"{kind}s")
                layer.add(item_of(kind, record, (place,)) for place, record in enumerate(records))
            self._index = Index(layer)
        return self._index

    def with_index(self, index: Index) -> Self:
        """Return the same with an index that was made of them."""
        self._index = index
        return self

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy; one with other records has an index of its own."""
        made = super().model_copy(update=update, deep=deep)
        if update and not update.keys().isdisjoint(f"{kind}s" for kind in INDEXED):
            made._index = None  # noqa: SLF001 - a copy of this one
        return made

    def with_record(self, kind: Kind, record_id: str, record: AnyRecord | None) -> Records:
        """Return the same with a record put behind all others of its kind in place of what it was, or without it."""
        group = f"{kind}s"
        kept: list[AnyRecord] = getattr(self, group)
        if self.index.get(kind, record_id):
            kept = [one for one in kept if one.id != record_id]
        put = [item_of(kind, record, (inf, next(_serial)))] if record else []
        made = self.model_copy(update={group: [*kept, *([record] if record else [])]})
        return made.with_index(self.index.with_changes(put, [(kind, record_id)]))


INDEXED: tuple[Kind, ...] = ("todo", "event", "note", "instruction")
"""Kinds of records that words may mean."""

_serial = count()

Mark = tuple[int, int]
"""How far the changes of a user's records go: a number that grows with each, and how many were deleted."""


@runtime_checkable
class FollowedStore(Protocol):
    """A store that tells what changed since it was read; any other is read anew for each turn."""

    async def changed_since(self, user_id: str, since: Mark | None) -> tuple[Mark, list[SearchItem] | None]:
        """How far the changes go now, and the records and tracks that changed since, whatever became of them.

        None where all has to be read: nothing was read before, something was deleted, or very much changed.
        """


class Exchange(BaseModel):
    """One earlier turn of the thread: what was said and what was answered."""

    said: Said
    replied: Said


class LookedUp(BaseModel):
    """What memory said to a question."""

    question: str
    answer: str
    citations: list[Citation] = []


MOST_APPOINTMENTS = 500
"""Appointments of imported calendars that one look ahead brings at most."""


class Ask(BaseModel):
    """Words to understand, with everything that gives them meaning.

    ``at`` is when they were said, in the speaker's zone ``timezone``. ``summary`` is what the thread was about before
    the ``recent`` exchanges. ``recent_changes`` are the thread's last ones, newest last, for "undo that" and "no,
    Thursday"; ``history`` is what the ledger found when a decision asked to look back, and ``imported`` what it found
    in imported calendars when one asked to look ahead. ``pending`` is the question that waits for an answer, if one
    does. ``conventions`` say what everyday words about time mean to this user. ``words`` is the user's whole message
    where ``text`` is one agent's share of it, and ``language`` the BCP 47 tag of what the user speaks;
    ``reply_language`` is that of this message where a model named it, and only words the reply. ``draft`` is what was
    decided before the last look. ``turn_id`` is set where a turn that is run again may see what it has stored itself.
    ``passed_on`` is what the message has beside its user's own words: data, never a wish. ``hear`` takes sentences that
    can be said before the decision is made, and ``look_up`` asks memory a question.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    text: Said
    words: Said = ""
    at: AwareDatetime
    timezone: str
    records: Records = Records()
    recent: list[Exchange] = []
    summary: str = ""
    recent_changes: list[Change] = []
    history: list[Change] | None = None
    imported: list[Imported] | None = None
    draft: RouterDecision | None = None
    pending: Pending | None = None
    conventions: Conventions = Conventions()
    language: str = "en"
    reply_language: str = ""
    turn_id: str = ""
    passed_on: str = ""
    hear: Callable[[str], None] | None = Field(None, exclude=True, repr=False)
    look_up: Callable[[str], Awaitable[LookedUp]] | None = Field(None, exclude=True, repr=False)

    @property
    def english(self) -> bool:
        """Whether the user speaks English, the one language of the built-in understanding."""
        return self.language.lower().partition("-")[0] == "en"


class Understanding(Protocol):
    """Turns words into decisions; two adapters: the built-in one and a language model."""

    async def route(self, ask: Ask) -> RouterDecision:
        """Decide who handles which part of the message, or what to ask or answer."""

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """Turn one agent's part of the message into proposals, answers and questions."""


class Batch(BaseModel):
    """The proposals of one agent in one turn: applied at most once, whatever is retried.

    ``origin`` identifies the cause (the turn's id, or a request's) and with ``agent`` names the batch. ``at`` is the
    turn's clock; ``words`` are kept as the source of new records. ``conventions`` say when the user works; None are
    those that the ledger has stored.
    """

    user_id: str
    origin: str
    agent: str
    proposals: list[Proposal]
    at: AwareDatetime
    timezone: str
    turn_id: str | None = None
    words: str = ""
    memo_id: str | None = None
    conventions: Conventions | None = None


class Recollection(BaseModel):
    """What memory says to a question: words of the user's, with their sources, or that there are none.

    Where nothing was ``found``, a citation is what comes closest.
    With ``by_model`` a language model worded the answer from these sources; with ``without_model`` one was asked to in
    vain.
    """

    answer: str
    found: bool
    citations: list[Citation] = []
    by_model: bool = False
    without_model: bool = False


class Recollections(Protocol):
    """What the user ever said or kept."""

    async def recollect(
        self,
        user_id: str,
        question: str,
        at: AwareDatetime,
        timezone: str,
        conventions: Conventions,
        recent: Sequence[Exchange] = (),
    ) -> Recollection:
        """The answer to a question that is asked then and there, after ``recent`` turns."""

    async def quote(
        self, user_id: str, question: str, at: AwareDatetime, timezone: str, conventions: Conventions
    ) -> Recollection:
        """The same in quotes only, for a mind that words the answer itself."""


NotBegun = Literal["stopped", "no model", "one already", "not here", "no project", "which project", "by a workflow"]
"""Why long work is not begun: all of it is stopped, nobody can think, the message began another, it has no place.

Work of coding agents has no place where no project is registered, and a project has to be named. What a workflow says
starts no workflow.
"""


class LongRun(BaseModel):
    """Long work as its user hears of it: ``told`` is what it asks or ended with, perhaps in a model's words.

    ``changes`` are the ledger's rows of what it did, oldest first, once it has ended.
    """

    goal: str
    status: Literal["queued", "running", "waiting", "done"]
    told: str = ""
    changes: list[Change] = []


class Workflow(BaseModel):
    """Steps that the user wrote down under a name; ``inputs`` is what they have to be given."""

    slug: str
    name: str
    inputs: list[str] = []


class LongWork(Protocol):
    """Work of many steps beside the conversation."""

    async def workflows(self, user_id: str) -> Sequence[Workflow]:
        """Those that the user keeps."""

    async def start(self, user_id: str, turn_id: str, slug: str, inputs: Mapping[str, str]) -> NotBegun | None:
        """Commit that a workflow is run, once for a turn; or why it is not."""

    async def begin(self, user_id: str, turn_id: str, goal: str) -> NotBegun | None:
        """Commit that it begins, once for a turn; or why it does not."""

    async def latest(self, user_id: str, most: int) -> Sequence[LongRun]:
        """What is open, else what ended last."""

    async def stop(self, user_id: str) -> int:
        """Ask all that is open to stop; how many that are."""

    async def decide(self, user_id: str, turn_id: str, *, allow: bool) -> Sequence[LongRun]:
        """Allow or refuse, once for a turn, the one call that waits: its run, or all that wait where it is not one."""


class LedgerUnavailable(Exception):  # noqa: N818 - the state it is in
    """The ledger cannot be reached now; nobody is at fault, and the turn is run again when it answers."""


class Ledger(Protocol):
    """The append-only log of changes, and the records that follow from it."""

    async def apply(self, batch: Batch) -> list[Change]:
        """Apply each proposal alone, in one transaction; a batch applied before returns its recorded outcome."""

    async def changes_of_turn(self, user_id: str, *turn_ids: str) -> list[Change]:
        """The changes of one or more turns, oldest first, each turn's in the order they were said."""

    async def history(self, user_id: str, look: Lookback, limit: int) -> list[Change]:
        """The newest ``limit`` changes that the words ask for and that were applied once, oldest first."""

    async def imported_appointments(self, user_id: str, look: LookAhead, limit: int) -> list[Imported]:
        """The first ``limit`` appointments of imported calendars that take place then, earliest first."""

    async def change(self, user_id: str, change_id: str) -> Change | None:
        """One change with its derived status, or None."""

"""A turn as clients send and see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, model_validator

from agents.contract import Change, Citation, Disposition, FocusSuggestion, Outcome, UnderstandingUsed, Worker
from agents.contract import Question as AskedQuestion
from agents.records import FIELD_TYPES, SaidKind, Zone
from app.http.schemas import ChangeView, Document, Said, SpokenText, change_view
from app.records.routes.schemas import PATCHES
from app.turns.confirm import confirmation_text, effective_changes, remarks_left, still_waits
from app.turns.model.turns import Ahead, Strategy, Turn, TurnState, remarks_of
from app.voice.model import MemoState

MOST_WANTED = 200
CAPTURED_AT = "When it was said; dates such as “tomorrow” are counted from here. Default: now."
TIMEZONE = "IANA zone in which it was said. Default: the user's setting."
THREAD = "The conversation it belongs to. Default: the user's main one."
RECORDING: dict[MemoState, str] = {
    "received": "a recording that is not turned into words yet",
    "transcribing": "a recording that is being turned into words",
    "failed": "a recording that could not be turned into words; that is tried again",
}
ANSWERS = (
    "The `id` of the question that it answers. It answers no other: where that one is not open any more, nothing is "
    "changed, and the reply says so. Default: the question that waits in the thread, if the words answer it."
)
SPEAK = "Whether the reply is wanted aloud, too; the turn then says where at `speech_url`."
STRATEGY = "What to do while an earlier turn of the thread is unfinished."


class TurnContext(Document):
    """Where and when a message was said."""

    thread_id: UUID | None = Field(None, description=THREAD)
    captured_at: Said | None = Field(None, description=CAPTURED_AT, examples=["2026-11-18T09:30:00+01:00"])
    timezone: Zone | None = Field(None, description=TIMEZONE, examples=["Europe/Lisbon"])
    strategy: Strategy = Field("enqueue", description=STRATEGY)
    speak: bool = Field(default=False, strict=True, description=SPEAK)
    answers: UUID | None = Field(None, description=ANSWERS)


class WantedChange(Document):
    """One change as the sender wants it. It is validated like any other, and standing instructions count."""

    op: Literal["create", "update", "complete", "archive", "delete"]
    kind: SaidKind
    record_id: Annotated[str, Field(max_length=36)] | None = Field(
        None, description="Of what is changed; not of a new item."
    )
    fields: dict[str, Any] = Field(default_factory=dict)
    group: Annotated[str, Field(max_length=100)] = Field(
        "", description="What changes beside each other have in common that happen all together or not at all."
    )

    @model_validator(mode="after")
    def _fits_its_kind(self) -> WantedChange:
        if (self.op == "create") == (self.record_id is not None):
            raise ValueError("a new item has no record_id, and any other change needs one")
        if self.kind == "profile" and self.op not in ("create", "update"):
            raise ValueError("a profile is updated only")
        shape = FIELD_TYPES[self.kind] if self.op == "create" else PATCHES[self.kind]
        self.fields = shape.model_validate(self.fields).model_dump(mode="json", exclude_unset=True)
        return self


WantedChanges = Annotated[
    list[WantedChange],
    Field(min_length=1, max_length=MOST_WANTED),
    WithJsonSchema(
        {"type": "array", "items": WantedChange.model_json_schema(), "minItems": 1, "maxItems": MOST_WANTED}
    ),
]


class TextTurn(TurnContext):
    """A message in words."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"text": "call mom tomorrow at 5 and book the dentist for Friday 3pm"}]}
    )

    text: SpokenText = Field(description="What was said.", examples=["call mom tomorrow at 5"])
    reading: WantedChanges | None = Field(
        None,
        description="What it is to be read as: proposals of `POST /v1/understand`, edited or not. Default: its words.",
    )


class Confirmation(Document):
    """An answer to changes that wait for a confirmation."""

    accept: bool = Field(
        default=True, strict=True, description="Whether to apply it; false leaves everything as it is."
    )
    changes: Annotated[list[UUID], Field(min_length=1, max_length=1000)] | None = Field(
        None, description="Ids of the held changes that are answered; the others go on waiting. Null: all of them."
    )


class TurnInput(BaseModel):
    """What came in: words, or a clip whose words follow once it is transcribed."""

    text: str | None
    memo_id: UUID | None


class QuestionView(BaseModel):
    """One question that the next message may answer."""

    id: str = Field(description="Send it as `answers` of a turn: the message then answers this question or none.")
    text: str
    options: list[str]


class WaitsFor(BaseModel):
    """What keeps a queued turn from its beginning: turns of a thread run one after the other."""

    turn_id: UUID = Field(description="The turn it waits for; its own id when its recording has no words yet.")
    text: str = Field(
        description="The same in words.",
        examples=["An earlier message of this thread is a recording that is still turned into words."],
    )


class TurnView(BaseModel):
    """One message and what became of it. Until it is finished, `disposition` and `reply` are null."""

    id: UUID
    thread_id: UUID
    status: TurnState
    input: TurnInput
    disposition: Disposition | None = Field(
        description="dispatch: a change was attempted; clarify: it asks; else reply."
    )
    targets: list[Worker] = Field(description="The agents that worked on it.")
    reply: str | None = Field(description="The answer in words; it claims only what `changes` shows.")
    remarks: str | None = Field(None, description="What `reply` says beside what `changes` shows.")
    changes: list[ChangeView]
    question: QuestionView | None
    citations: list[Citation]
    speech_url: str | None = Field(None, description="Where its reply is heard, if that was asked for with `speak`.")
    suggestion: FocusSuggestion | None = Field(description="The one next action that `reply` suggests, as data.")
    understanding: UnderstandingUsed | None
    usage: dict[str, Any] = Field(description="Milliseconds by stage, tokens and credits.")
    waits_for: WaitsFor | None = Field(None, description="Of a queued turn: what it waits for.")


def turn_view(
    turn: Turn, changes: Sequence[Change], later: Turn | None = None, done: Sequence[Change] = ()
) -> TurnView:
    """A turn's row and its ledger rows as one document.

    ``later`` is the turn that ended its question; if a door gave that answer, it made the changes ``done``.
    """
    over = later is not None or not still_waits(turn, changes)
    view = TurnView(
        id=turn.id,
        thread_id=turn.thread_id,
        status="done" if over and turn.state == "waiting" else turn.state,
        input=TurnInput(text=turn.text, memo_id=turn.memo_id),
        changes=[change_view(change) for change in [*effective_changes(changes), *effective_changes(done)]],
        usage=turn.usage,
        speech_url=f"/v1/turns/{turn.id}/speech" if turn.speak and turn.result else None,
        **_outcome(turn.result),
    )
    return view.model_copy(update=_answer_fields(turn, changes, later)) if over else view


def waits_for(turn: Turn, ahead: Ahead) -> WaitsFor:
    """What a queued turn waits for, in words."""
    who = "This message" if ahead.turn_id == turn.id else "An earlier message of this thread"
    if ahead.memo_state is None:
        return WaitsFor(turn_id=ahead.turn_id, text=f"{who} is still being worked on.")
    what = RECORDING.get(ahead.memo_state, RECORDING["transcribing"])
    why = f" (so far: {ahead.reason.rstrip('.')})" if ahead.reason else ""
    return WaitsFor(turn_id=ahead.turn_id, text=f"{who} is {what}{why}.")


def _answer_fields(turn: Turn, changes: Sequence[Change], later: Turn | None) -> dict[str, Any]:
    """If the question was answered through the API, the reply to that answer replaces it."""
    if later and later.answers_turn_id == turn.id:
        told = (later.result.reply, remarks_of(later.result)) if later.result else ("", "")
    else:
        told = confirmation_text(changes, turn.captured_at.astimezone(ZoneInfo(turn.timezone))), remarks_left(changes)
    return {"question": None, **(dict(zip(("reply", "remarks"), told, strict=True)) if told[0] else {})}


def _outcome(outcome: Outcome | None) -> dict[str, Any]:
    if outcome is None:
        empty = dict.fromkeys(("disposition", "reply", "remarks", "question", "suggestion", "understanding"))
        return {**empty, "targets": [], "citations": []}
    return {
        "disposition": outcome.disposition,
        "targets": outcome.targets,
        "reply": outcome.reply,
        "remarks": remarks_of(outcome),
        "question": _question(outcome.question),
        "citations": outcome.citations,
        "suggestion": outcome.suggestion,
        "understanding": outcome.understanding,
    }


def _question(question: AskedQuestion | None) -> QuestionView | None:
    return QuestionView(id=question.pending.id, text=question.text, options=question.options) if question else None

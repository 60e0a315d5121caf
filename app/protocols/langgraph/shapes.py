"""What LangGraph's clients send and see: assistants, messages, runs and interrupts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar
from uuid import UUID, uuid5

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from agents.user_words.passed_on import join_parts
from app.errors import InvalidInput
from app.http.problems import invalid
from app.http.schemas import Document
from app.protocols.answered import goes_on
from app.protocols.openai.shapes import turn_document
from app.turns.model.threads import Message
from app.turns.model.turns import Strategy, Turn, TurnState
from app.turns.routes.schemas import TurnView

GRAPH = "summit"
# LangGraph's own servers derive the assistant of a graph in this way; clients may count on it.
ASSISTANT = uuid5(UUID("6ba7b821-9dad-11d1-80b4-00c04fd430c8"), GRAPH)
METADATA = {"graph_id": GRAPH, "assistant_id": str(ASSISTANT)}
NODE = "summit"
END = "__end__"
CONFIRM = "confirm"
STATUS: dict[TurnState, str] = {
    "queued": "pending",
    "running": "running",
    "done": "success",
    "failed": "error",
    "cancelled": "interrupted",
    "waiting": "interrupted",
}
Mode = Literal["values", "updates", "messages-tuple", "custom", "events", "debug", "tasks", "checkpoints"]
"""In the last three nothing comes: a graph around this one asks for them, and the turn is one step of it."""
DEFAULT_MODES: tuple[Mode, ...] = ("values",)
M = TypeVar("M", bound=BaseModel)
Names = Mapping[UUID, str]
"""How clients name the messages of turns."""


class Checkpoint(BaseModel):
    """A place in a thread."""

    checkpoint_id: str | None = None


class RunConfig(BaseModel):
    """What a client says of its run. It is kept; of ``configurable`` a checkpoint and a forced tool count."""

    model_config = ConfigDict(extra="allow")

    tags: list[str] | None = None
    metadata: dict[str, Any] | None = None
    recursion_limit: int | None = None
    configurable: dict[str, Any] | None = None


class RunRequest(Document):
    """A run to make. What is not named here cannot be honoured and is refused; null and empty values wish nothing."""

    assistant_id: str
    input: dict[str, Any] | None = None
    command: dict[str, Any] | None = None
    stream_mode: list[Mode] = Field(default_factory=lambda: [*DEFAULT_MODES])
    stream_subgraphs: bool = False
    stream_resumable: bool = True
    checkpoint: Checkpoint | None = None
    checkpoint_id: str | None = None
    multitask_strategy: Strategy = "enqueue"
    if_not_exists: Literal["create", "reject"] = "reject"
    on_disconnect: Literal["cancel", "continue"] = "continue"
    on_completion: Literal["keep"] = "keep"
    durability: Literal["sync", "async", "exit"] = "sync"
    metadata: dict[str, Any] | None = None
    config: RunConfig | None = None

    @field_validator("command")
    @classmethod
    def _without_nothing(cls, command: dict[str, Any]) -> dict[str, Any]:
        """Clients send all parts of a command, most of them empty; the end of the graph declines what waits."""
        said = {name: part for name, part in command.items() if part not in (None, [], {}) and name != "lg_name"}
        return {"resume": False} if said in ({"goto": END}, {"goto": [END]}) else said

    @property
    def config_values(self) -> dict[str, Any]:
        """What its config has as ``configurable``."""
        return (self.config and self.config.configurable) or {}

    @property
    def place(self) -> str | None:
        """The id of the checkpoint that it goes on from; None for the end of its thread."""
        configured = self.config_values.get("checkpoint_id")
        named = self.checkpoint.checkpoint_id if self.checkpoint else None
        return self.checkpoint_id or named or (str(configured) if configured else None)

    @property
    def client_data(self) -> dict[str, Any]:
        """What is kept with the run for its client."""
        config = self.config.model_dump(exclude_unset=True) if self.config else {}
        return {**({"metadata": self.metadata} if self.metadata else {}), **({"config": config} if config else {})}


def parse_document(model: type[M], document: dict[str, Any]) -> M:
    """The document as a model; raises InvalidInput with the names of the fields that cannot be honoured."""
    wished = {name: value for name, value in document.items() if value is not None and value not in ({}, [])}
    if isinstance(mode := wished.get("stream_mode"), str):
        wished["stream_mode"] = [mode]
    try:
        return model.model_validate(wished)
    except ValidationError as error:
        raise invalid([{**item, "loc": ("body", *item["loc"])} for item in error.errors()]) from error


def own_metadata(metadata: dict[str, Any] | None) -> dict[str, Any]:
    """Return what a client's metadata has beyond what everything here has."""
    return {name: value for name, value in (metadata or {}).items() if name not in METADATA}


def last_human(given: dict[str, Any]) -> tuple[str, str | None]:
    """Words and id of the last human message of an input; the messages before it are known from the thread.

    Whatever else is in the state of a graph around this one is its own.
    """
    messages = given.get("messages")
    for message in reversed(messages if isinstance(messages, list) else [messages]):
        if isinstance(message, str):
            return message, None
        if isinstance(message, dict) and (message.get("type") or message.get("role")) in ("human", "user"):
            named = message.get("id")
            return _words(message.get("content")), named if isinstance(named, str) else None
    raise InvalidInput("input: there is no human message.", hint='Send {"messages": [{"role": "user", ...}]}.')


def messages_go_on(given: dict[str, Any]) -> bool:
    """Whether an answer or what a tool gave stands behind the last human message of an input."""
    messages = given.get("messages")
    listed = [one for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    return goes_on([str(one.get("type") or one.get("role")) for one in listed])


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise InvalidInput("input: the content of a message is text, or a list of text blocks.")
    return join_parts([_block(block) for block in content])


def _block(block: object) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    raise InvalidInput("input: a message has a part that is not text, which cannot be read.")


def parse_resume(value: object, turn_id: UUID) -> bool | str:
    """What ``Command(resume=...)`` says: yes, no, or words."""
    if isinstance(value, dict) and set(value) == {str(turn_id)}:
        value = value[str(turn_id)]
    if isinstance(value, dict) and set(value) == {"decisions"}:
        value = value["decisions"]
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool | str):
        return value
    if isinstance(value, dict):
        said = {"accept": True, "approve": True, "ignore": False, "reject": False}.get(str(value.get("type")))
        said = value.get("accept") if said is None else said
        if isinstance(said, bool):
            return said
        if value.get("type") == "response" and isinstance(value.get("args"), str):
            return str(value["args"])
    raise InvalidInput("command: resume must be true, false, or words.", hint="True applies what is held.")


def messages_of(rows: Sequence[Message], view: TurnView | None, names: Names) -> list[dict[str, Any]]:
    """A thread's messages; the last reply is the one of ``view``, with what became of its turn."""
    shown = [
        human(row.turn_id, row.content, names.get(row.turn_id)) if row.role == "user" else ai(row.turn_id, row.content)
        for row in rows
    ]
    if view and shown and shown[-1]["id"] == ai_id(view.id):
        shown[-1] = ai_of(view)
    return shown


def ai_of(view: TurnView) -> dict[str, Any]:
    """The reply of a turn, with its changes and the addresses that undo them."""
    return {**ai(view.id, view.reply or ""), "response_metadata": {"summit": turn_document(view)}}


def human(turn_id: UUID, content: str, named: str | None = None) -> dict[str, Any]:
    """What the user said, under the name that its client gave it."""
    return {"type": "human", "id": named or f"{turn_id}:human", "content": content, **_PLAIN}


def ai(turn_id: UUID, content: str) -> dict[str, Any]:
    """What was replied."""
    return {"type": "ai", "id": ai_id(turn_id), "content": content, **_PLAIN, "tool_calls": []}


def ai_id(turn_id: UUID) -> str:
    """The id of a reply."""
    return f"{turn_id}:ai"


_PLAIN: dict[str, Any] = {"additional_kwargs": {}, "response_metadata": {}}


def interrupts_of(view: TurnView | None) -> list[dict[str, Any]]:
    """The open question of a turn in the form of an interrupt."""
    if view is None or view.status != "waiting" or view.question is None:
        return []
    held = [change for change in turn_document(view)["changes"] if change["status"] == "needs_confirmation"]
    value = {"question": view.question.text, "options": view.question.options, "changes": held}
    return [{"id": str(view.id), "value": {**value, **_review_request(view.question.text, held)}}]


def _review_request(question: str, held: list[dict[str, Any]]) -> dict[str, Any]:
    """What waits for a yes, also as chat pages show it with their buttons: one action, to approve or reject."""
    if not held:
        return {}
    action = {"name": CONFIRM, "args": {"changes": held}, "description": question}
    review = {"action_name": CONFIRM, "allowed_decisions": ["approve", "reject"]}
    return {"action_requests": [action], "review_configs": [review]}


def run_of(turn: Turn, view: TurnView, strategy: Strategy = "enqueue") -> dict[str, Any]:
    """A turn as a run."""
    kept = turn.client or {}
    return {
        "run_id": str(turn.id),
        "thread_id": str(turn.thread_id),
        "assistant_id": str(ASSISTANT),
        "created_at": turn.created_at.isoformat(),
        "updated_at": (turn.finished_at or datetime.now(UTC)).isoformat(),
        "status": STATUS[view.status],
        "metadata": {**(kept.get("metadata") or {}), **METADATA},
        "kwargs": {"config": kept["config"]} if "config" in kept else {},
        "multitask_strategy": strategy,
    }

"""What a workflow is: its trigger, its inputs and its steps, checked as a whole before it is kept."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from agents.recurrence.rules import is_rule, occurs, parts_of
from app.work.workflows.model import OF_A_MEMO
from app.work.workflows.template import variables

NAME_PATTERN = r"^[a-z][a-z0-9_]*$"
SLUG = r"^[a-z0-9]+(-[a-z0-9]+)*$"
FOREIGN = frozenset({"inputs.memo_title", "inputs.memo_text"})
"""Words that came with a recording: who spoke them is not known."""
RHYTHMS = ("HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
ANY_MOMENT = datetime(2026, 1, 1)  # noqa: DTZ001 - rules are read as wall clock

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=40)]
Words = Annotated[str, StringConstraints(min_length=1, max_length=4000)]


class DefinitionPart(BaseModel):
    """Base of the parts of a definition: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class OnMemo(DefinitionPart):
    """Runs when a memo has its transcript; brings the inputs memo_id, memo_title and memo_text."""

    kind: Literal["memo"]
    words: list[Annotated[str, StringConstraints(min_length=1, max_length=80)]] = Field(
        default_factory=list, max_length=20, description="Only memos that say one of these; empty for every memo."
    )


class OnSchedule(DefinitionPart):
    """Runs in a rhythm, on the wall clock of its user."""

    kind: Literal["schedule"]
    rule: str = Field(max_length=200, description="RFC 5545 without its name: FREQ=WEEKLY;BYDAY=SU;BYHOUR=18")

    @field_validator("rule")
    @classmethod
    def _can_be_followed(cls, rule: str) -> str:
        if not is_rule(rule):
            raise ValueError("a rule looks like FREQ=WEEKLY;BYDAY=SU;BYHOUR=18;BYMINUTE=0")
        parts = parts_of(rule)
        if parts["FREQ"] not in RHYTHMS or "BYSECOND" in parts or "," in parts.get("BYMINUTE", ""):
            raise ValueError("once an hour is the most frequent")
        if not occurs(rule, ANY_MOMENT):
            raise ValueError("this rule never comes to pass")
        return rule


class Step(DefinitionPart):
    """What every step has."""

    id: Name
    timeout_seconds: int = Field(60, ge=1, le=600, strict=True)
    retries: int = Field(0, ge=0, le=5, strict=True)
    on_failure: Literal["stop", "continue"] = "stop"

    def templates(self) -> tuple[str, ...]:
        """Its texts that may hold variables."""
        raise NotImplementedError

    @property
    def output(self) -> str:
        """The variable that holds what came of it."""
        return f"steps.{self.id}"


class MemoryQuery(Step):
    """Asks the memory; its output is the answer with its citations."""

    kind: Literal["memory_query"]
    question: Words

    def templates(self) -> tuple[str, ...]:
        return (self.question,)


class ModelCall(Step):
    """Asks the language model; its output is what it writes."""

    kind: Literal["model"]
    prompt: Words

    def templates(self) -> tuple[str, ...]:
        return (self.prompt,)


class TurnStep(Step):
    """Says a message as its user would; its output is the reply."""

    kind: Literal["turn"]
    message: Words
    act: bool = Field(default=False, strict=True, description="Act without a yes, even on words of memos or steps.")

    def templates(self) -> tuple[str, ...]:
        return (self.message,)


class McpTool(Step):
    """Calls a tool of a server that the administrator configured; its output is what the tool says.

    Only tools that the administrator said to read: what sends is for runs, which ask first.
    """

    kind: Literal["mcp_tool"]
    server: Annotated[str, StringConstraints(min_length=1, max_length=80)]
    tool: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    arguments: dict[str, Words | int | float | bool] = Field(default_factory=dict, max_length=30)

    def templates(self) -> tuple[str, ...]:
        return tuple(value for value in self.arguments.values() if isinstance(value, str))


class Condition(Step):
    """Goes on only where this holds; otherwise the workflow ends here, done."""

    kind: Literal["condition"]
    value: Words
    test: Literal["is_empty", "is_not_empty", "contains"]
    words: str = Field("", max_length=200, description="What `contains` looks for; upper and lower case are the same.")

    def templates(self) -> tuple[str, ...]:
        return (self.value,)

    @model_validator(mode="after")
    def _knows_what_to_look_for(self) -> Condition:
        if (self.test == "contains") != bool(self.words):
            raise ValueError("`contains` needs `words`, and nothing else takes them")
        return self


class Notify(Step):
    """Tells its user something."""

    kind: Literal["notify"]
    text: Words

    def templates(self) -> tuple[str, ...]:
        return (self.text,)


Address = Annotated[str, StringConstraints(min_length=1, max_length=254)]
AccountName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
FOLDER = r"^[ !#-\[\]-~]+$"


class MailRead(Step):
    """Reads mail of an account; its output is the newest mail that fits, and nothing there is marked as read."""

    kind: Literal["mail_read"]
    account: AccountName = Field(description="The name of one of your mail accounts.")
    folder: str = Field("INBOX", pattern=FOLDER, max_length=200, description="As the server names it.")
    unread: bool = Field(default=False, strict=True, description="Only mail that nobody has read.")
    sender: str = Field("", max_length=200, description="Only mail whose sender holds this.")
    subject: str = Field("", max_length=200, description="Only mail whose subject holds this.")
    days: int = Field(7, ge=1, le=365, strict=True, description="How far back.")
    most: int = Field(5, ge=1, le=20, strict=True, description="How many, the newest first.")

    def templates(self) -> tuple[str, ...]:
        return (self.sender, self.subject)


class MailSend(Step):
    """Writes mail that is sent once its user says yes, always; its output says that it waits."""

    kind: Literal["mail_send"]
    account: AccountName = Field(description="The name of one of your mail accounts.")
    to: list[Address] = Field(min_length=1, max_length=20)
    subject: str = Field(min_length=1, max_length=300)
    text: Words

    def templates(self) -> tuple[str, ...]:
        return (*self.to, self.subject, self.text)


def named_by(step: Step) -> list[str]:
    """The variables that a step uses."""
    return [name for template in step.templates() for name in variables(template)]


AnyStep = Annotated[
    MemoryQuery | ModelCall | TurnStep | McpTool | MailRead | MailSend | Condition | Notify,
    Field(discriminator="kind"),
]


class Definition(DefinitionPart):
    """A workflow; `Definition.model_json_schema()` is its JSON Schema."""

    slug: str = Field(pattern=SLUG, max_length=60)
    name: str = Field(min_length=1, max_length=120)
    inputs: list[Name] = Field(default_factory=list, max_length=20, description="What whoever starts it has to give.")
    trigger: Annotated[OnMemo | OnSchedule, Field(discriminator="kind")] | None = Field(
        default=None, description="What starts it beside its name."
    )
    steps: list[AnyStep] = Field(min_length=1, max_length=50)

    @model_validator(mode="after")
    def _holds_together(self) -> Definition:
        if self.trigger and self.inputs:
            raise ValueError(f"a {self.trigger.kind} gives no inputs of yours; leave out `inputs` or `trigger`")
        given = [*self.inputs, *(OF_A_MEMO if isinstance(self.trigger, OnMemo) else ())]
        if len(set(given)) < len(given):
            raise ValueError("two inputs have the same name")
        known = [f"inputs.{name}" for name in given]
        for step in self.steps:
            if step.output in known:
                raise ValueError(f"two steps are called {step.id}")
            for name in named_by(step):
                if name not in known:
                    there = ", ".join(known) or "none"
                    raise ValueError(f"step {step.id}: there is no {{{{{name}}}}} before it; known there: {there}")
            known.append(step.output)
        return self

    def asks_first(self, step: AnyStep) -> bool:
        """Whether the changes of a step wait for a yes: its message holds words that its user may not have said."""
        if not isinstance(step, TurnStep) or step.act:
            return False
        return any(name in FOREIGN or name.startswith("steps.") for name in named_by(step))

    def needs_model(self) -> bool:
        """Whether some step cannot be done without a language model."""
        return any(isinstance(step, ModelCall) for step in self.steps)

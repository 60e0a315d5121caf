"""The tools as a model sees them: natural, flat, typed. Their order and words never change while a server runs."""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any, Literal

from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model

TIME_FORMAT = "2026-11-20 or 2026-11-20T15:00"
TIME_WORDS = "Words that the time was taken from, copied."

NOT_SAID: Any = None
"""A field that a call may leave out; its type in the schema is as short as one that is needed."""
Lines = Annotated[list[str], BeforeValidator(lambda value: [value] if isinstance(value, str) else value)]
"""A lone text stands for a list of it."""
Numbers = list[int]
Yes = Annotated[Literal["yes"], WithJsonSchema({"type": "string", "enum": ["yes"]})]
Level = Literal["low", "medium", "high"]


class Form(BaseModel):
    """Base of the tools: flat forms. What fits none is put right by the model once, and else fails alone."""

    model_config = ConfigDict(extra="allow")


class CreateTask(Form):
    """Add one task, reminder (with remind_at) or habit."""

    title: str = Field(description="Without its time.")
    due: str = Field(NOT_SAID, description=TIME_FORMAT)
    remind_at: str = NOT_SAID
    repeat: str = Field(NOT_SAID, description="RRULE: FREQ=WEEKLY;BYDAY=MO")
    when_words: str = Field(NOT_SAID, description=TIME_WORDS)
    habit: Yes = NOT_SAID
    steps: Lines = Field(NOT_SAID, description="3 to 6, where it takes more than one action.")
    priority: Level = NOT_SAID
    minutes: int = NOT_SAID
    list: str = NOT_SAID
    notes: str = NOT_SAID


class UpdateTask(Form):
    """Change, move, snooze, finish or reopen a task, tick its steps. Only fields that change."""

    id: str
    title: str = NOT_SAID
    status: Literal["open", "in progress", "done", "archived"] = NOT_SAID
    due: str = Field(NOT_SAID, description=f'{TIME_FORMAT}; "" for none')
    remind_at: str = NOT_SAID
    snooze_until: str = NOT_SAID
    repeat: str = NOT_SAID
    when_words: str = NOT_SAID
    steps: Lines = Field(NOT_SAID, description="All, anew.")
    done_steps: Numbers = Field(NOT_SAID, description="Numbers of steps.")
    priority: Level = NOT_SAID
    minutes: int = NOT_SAID
    list: str = NOT_SAID
    notes: str = NOT_SAID


class CreateEvent(Form):
    """Add an appointment: people, a place or a start."""

    title: str = Field(description="Without time and place.")
    start: str = Field(description=f"{TIME_FORMAT}; a day for all day")
    end: str = Field(NOT_SAID, description="Default: one hour.")
    repeat: str = NOT_SAID
    when_words: str = NOT_SAID
    location: str = NOT_SAID
    notes: str = NOT_SAID


class UpdateEvent(Form):
    """Change or move an appointment. A new start keeps its length."""

    id: str
    scope: Literal["one", "following", "all"] = Field(NOT_SAID, description="Of one that repeats.")
    occurrence: str = Field(NOT_SAID, description="Its day.")
    title: str = NOT_SAID
    start: str = NOT_SAID
    end: str = NOT_SAID
    repeat: str = NOT_SAID
    when_words: str = NOT_SAID
    location: str = NOT_SAID
    notes: str = NOT_SAID


class CreateNote(Form):
    """Keep a note, or start a list with its items."""

    title: str
    text: str = NOT_SAID
    category: Literal["note", "idea", "list", "question", "thought"] = NOT_SAID
    items: Lines = NOT_SAID
    remind_at: str = NOT_SAID
    when_words: str = NOT_SAID


class UpdateNote(Form):
    """Change a note, or a list as a whole."""

    id: str
    title: str = NOT_SAID
    text: str = Field(NOT_SAID, description="All of it, anew.")
    add_text: str = Field(NOT_SAID, description="Goes behind it.")
    status: Literal["active", "completed", "archived"] = NOT_SAID
    remind_at: str = NOT_SAID
    when_words: str = NOT_SAID


class EditList(Form):
    """Change lines of a list, by their numbers."""

    id: str
    add: Lines = NOT_SAID
    tick: Numbers = Field(NOT_SAID, description="Got or done; they stay.")
    untick: Numbers = NOT_SAID
    remove: Numbers = NOT_SAID
    move: Numbers = NOT_SAID
    move_to: str = Field(NOT_SAID, description="Id of the other list.")


class Delete(Form):
    """Delete records, or one occurrence of an appointment that repeats."""

    ids: Lines = Field(description="Of records.")
    occurrence: str = Field(NOT_SAID, description="Its day.")


class Undo(Form):
    """Take back recent changes."""

    change_ids: Lines = Field(description="Of recent changes.")


class _Fact(BaseModel):
    name: str
    value: str = NOT_SAID
    since: str = NOT_SAID


class SaveProfile(Form):
    """Keep facts about the user."""

    name: str = NOT_SAID
    location: str = NOT_SAID
    job: str = NOT_SAID
    college: str = NOT_SAID
    course: str = NOT_SAID
    interests: Lines = Field(NOT_SAID, description="New ones only.")
    facts: list[_Fact] = Field(NOT_SAID, description="Others, such as diet, wife; since: a day.")
    forget: Lines = Field(NOT_SAID, description="Names of what is no longer true.")


class SaveWish(Form):
    """Keep how you should work from now on, in the user's words."""

    text: str


class DropWish(Form):
    """Give up a standing wish."""

    id: str


class _PlannedTask(BaseModel):
    title: str
    due: str = NOT_SAID
    steps: Lines = NOT_SAID


class OfferPlan(Form):
    """Offer tasks for a goal; nothing is stored before the user agrees."""

    about: str
    tasks: list[_PlannedTask]


class AnswerPending(Form):
    """The user's answer to your open question: yes, no, an option as worded, or the value."""

    answer: str
    leave_out: Numbers = Field(NOT_SAID, description="Numbers that the yes is not for.")


class SearchMemory(Form):
    """Look up what the user once said or recorded; you get the result."""

    question: str


class SuggestTask(Form):
    """Suggest the one task to do now; it is shown with why."""

    id: str
    step: str = NOT_SAID
    minutes: int = NOT_SAID
    why: str


class StartRun(Form):
    """Begin long work of many steps (research, reports), ask how it goes, or stop it."""

    goal: str = Field(description="In their words.")


CAPITALIZED = re.compile("[A-Z][a-z]+")
NAMED = {"_".join(CAPITALIZED.findall(form.__name__)).lower(): form for form in Form.__subclasses__()}
FORMS = {name: create_model(name, __base__=form, __doc__=form.__doc__) for name, form in NAMED.items()}
"""Each under the name that models see, which it has itself, too."""
SAID_BY_NAME = ("title", "default")
"""What pydantic adds to a schema: names once more, and that all may be missing."""


@cache
def tools() -> tuple[dict[str, Any], ...]:
    """Return all tools as the protocol has them, without what says nothing to a model."""
    return tuple(_lean(convert_to_openai_tool(form)) for form in FORMS.values())


def _lean(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name not in SAID_BY_NAME or isinstance(value, dict)}
    return {name: _lean(value) for name, value in kept.items() if (name, value) != ("additionalProperties", True)}

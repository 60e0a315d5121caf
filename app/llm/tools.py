"""The tools as a model sees them: natural, flat, typed. Their order and words never change while a server runs."""

from __future__ import annotations

from functools import cache
from typing import Any

from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field

from app.llm.form_fields import Lines, Minutes, Numbers, Worded, Words, objects, one_of

VALUE = "2026-11-20 or 2026-11-20T15:00"
SAID = "Words that the time was taken from, copied."


class CreateTask(Worded):
    """Add one task, reminder (with remind_at) or habit."""

    title: Words = Field(description="Without its time.")
    due: Words = Field(None, description=VALUE)
    remind_at: Words = None
    repeat: Words = Field(None, description="RRULE: FREQ=WEEKLY;BYDAY=MO")
    when_words: Words = Field(None, description=SAID)
    habit: one_of("yes") = None  # type: ignore[valid-type]
    steps: Lines = Field(None, description="3 to 6, where it takes more than one action.")
    priority: one_of("low", "medium", "high") = None  # type: ignore[valid-type]
    minutes: Minutes = None
    list: Words = None
    notes: Words = None


class UpdateTask(Worded):
    """Change, move, snooze, finish or reopen a task, tick its steps. Only fields that change."""

    id: Words
    title: Words = None
    status: one_of("open", "in progress", "done", "archived") = None  # type: ignore[valid-type]
    due: Words = Field(None, description=f'{VALUE}; "" for none')
    remind_at: Words = None
    snooze_until: Words = None
    repeat: Words = None
    when_words: Words = None
    steps: Lines = Field(None, description="All, anew.")
    done_steps: Numbers = Field(None, description="Numbers of steps.")
    priority: one_of("low", "medium", "high") = None  # type: ignore[valid-type]
    minutes: Minutes = None
    list: Words = None
    notes: Words = None


class CreateEvent(Worded):
    """Add an appointment: people, a place or a start."""

    title: Words = Field(description="Without time and place.")
    start: Words = Field(description=f"{VALUE}; a day for all day")
    end: Words = Field(None, description="Default: one hour.")
    repeat: Words = None
    when_words: Words = None
    location: Words = None
    notes: Words = None


class UpdateEvent(Worded):
    """Change or move an appointment. A new start keeps its length."""

    id: Words
    scope: one_of("one", "following", "all") = Field(None, description="Of one that repeats.")  # type: ignore[valid-type]
    occurrence: Words = Field(None, description="Its day.")
    title: Words = None
    start: Words = None
    end: Words = None
    repeat: Words = None
    when_words: Words = None
    location: Words = None
    notes: Words = None


class CreateNote(Worded):
    """Keep a note, or start a list with its items."""

    title: Words
    text: Words = None
    category: one_of("note", "idea", "list", "question", "thought") = None  # type: ignore[valid-type]
    items: Lines = None
    remind_at: Words = None
    when_words: Words = None


class UpdateNote(Worded):
    """Change a note, or a list as a whole."""

    id: Words
    title: Words = None
    text: Words = Field(None, description="All of it, anew.")
    add_text: Words = Field(None, description="Goes behind it.")
    status: one_of("active", "completed", "archived") = None  # type: ignore[valid-type]
    remind_at: Words = None
    when_words: Words = None


class EditList(Worded):
    """Change lines of a list, by their numbers."""

    id: Words
    add: Lines = None
    tick: Numbers = Field(None, description="Got or done; they stay.")
    untick: Numbers = None
    remove: Numbers = None
    move: Numbers = None
    move_to: Words = Field(None, description="Id of the other list.")


class Delete(Worded):
    """Delete records, or one occurrence of an appointment that repeats."""

    ids: Lines = Field(description="Of records.")
    occurrence: Words = Field(None, description="Its day.")


class Undo(Worded):
    """Take back recent changes."""

    change_ids: Lines = Field(description="Of recent changes.")


class SaveProfile(Worded):
    """Keep facts about the user."""

    name: Words = None
    location: Words = None
    job: Words = None
    college: Words = None
    course: Words = None
    interests: Lines = Field(None, description="New ones only.")
    facts: objects(name="text", value="text", since="text") = Field(  # type: ignore[valid-type]
        None, description="Others, such as diet, wife; since: a day."
    )
    forget: Lines = Field(None, description="Names of what is no longer true.")


class SaveWish(Worded):
    """Keep how you should work from now on, in the user's words."""

    text: Words


class DropWish(Worded):
    """Give up a standing wish."""

    id: Words


class OfferPlan(Worded):
    """Offer tasks for a goal; nothing is stored before the user agrees."""

    about: Words
    tasks: objects(title="text", due="text", steps="lines")  # type: ignore[valid-type]


class AnswerPending(Worded):
    """The user's answer to your open question: yes, no, an option as worded, or the value."""

    answer: Words
    leave_out: Numbers = Field(None, description="Numbers that the yes is not for.")


class SearchMemory(Worded):
    """Look up what the user once said or recorded; you get the result."""

    question: Words


class SuggestTask(Worded):
    """Suggest the one task to do now; it is shown with why."""

    id: Words
    step: Words = None
    minutes: Minutes = None
    why: Words


class StartRun(Worded):
    """Begin long work of many steps (research, reports), ask how it goes, or stop it."""

    goal: Words = Field(description="In their words.")


FORMS: dict[str, type[Worded]] = {
    "create_task": CreateTask,
    "update_task": UpdateTask,
    "create_event": CreateEvent,
    "update_event": UpdateEvent,
    "create_note": CreateNote,
    "update_note": UpdateNote,
    "edit_list": EditList,
    "delete": Delete,
    "undo": Undo,
    "save_profile": SaveProfile,
    "save_wish": SaveWish,
    "drop_wish": DropWish,
    "offer_plan": OfferPlan,
    "answer_pending": AnswerPending,
    "search_memory": SearchMemory,
    "suggest_task": SuggestTask,
    "start_run": StartRun,
}
SAID_BY_NAME = ("title", "default")
"""What pydantic adds to a schema: names once more, and that all may be missing."""


@cache
def tools() -> tuple[dict[str, Any], ...]:
    """Return all tools as the protocol has them, without what says nothing to a model."""
    return tuple(_tool(name, form) for name, form in FORMS.items())


def _tool(name: str, form: type[Worded]) -> dict[str, Any]:
    tool = _lean(convert_to_openai_tool(form))
    return {"type": "function", "function": {**tool["function"], "name": name}}


def _lean(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_lean(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: value for name, value in schema.items() if name not in SAID_BY_NAME or isinstance(value, dict)}
    return {name: _lean(value) for name, value in kept.items() if (name, value) != ("additionalProperties", True)}

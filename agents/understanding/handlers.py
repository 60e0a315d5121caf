"""The handler of every intent: what its words come to when no more specific form of speech fits them."""

from __future__ import annotations

from collections.abc import Callable

from agents.understanding.dialogue import focus, smalltalk, undo
from agents.understanding.questions import queries, stored
from agents.understanding.requests import (
    convert,
    edits,
    groceries,
    instructions,
    list_ticks,
    lists,
    notes,
    reminding,
    removal,
    scheduling,
    tasks,
)
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent, Name

Handler = Callable[[Intent, Clause, Scene], Share]
HANDLERS: dict[Name, Handler] = {
    "add_task": groceries.add,
    "need": lists.need,
    "remind": reminding.remind,
    "complete": list_ticks.complete,
    "archive": tasks.archive,
    "reopen": list_ticks.reopen,
    "start": tasks.status,
    "snooze": tasks.snooze,
    "convert": convert.convert,
    "schedule": scheduling.schedule,
    "move": edits.move,
    "relocate": edits.relocate,
    "update": edits.update,
    "delete": removal.delete,
    "delete_all": removal.delete_all,
    "note": notes.note,
    "list_create": lists.create_list,
    "list_add": lists.add_to_list,
    "list_remove": lists.take_off_list,
    "instruction": instructions.create,
    "instruction_change": instructions.reword,
    "instruction_drop": instructions.drop,
    "instruction_query": stored.instructions,
    "query_tasks": queries.tasks,
    "query_calendar": queries.calendar,
    "free": queries.free,
    "when_is": queries.when_is,
    "list_query": stored.list_lines,
    "note_query": stored.notes,
    "ask_memory": stored.memory,
    "profile_query": stored.profile,
    "focus": focus.coach,
    "undo": lambda intent, clause, scene: undo.take_back(intent, clause.text, scene),
    "redo": lambda _, clause, scene: undo.redo(clause.text, scene),
    "small_talk": lambda intent, clause, scene: smalltalk.small_talk(intent, clause.text, scene),
    "out_of_scope": lambda _, clause, __: smalltalk.out_of_scope(clause.text),
}

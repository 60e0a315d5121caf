"""The fields that people may say, whatever has them: their words, how their values are told, and how far they go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agents.languages import say_later

Form = Literal["text", "moment", "moments", "plain", "minutes", "rule", "lines", "color", "policy", "place"]


@dataclass(frozen=True)
class SayableField:
    """What the house knows of one field; templates are those of ``agents.languages``.

    ``name`` is what people call it, ``phrase`` says how ``{value}`` is told, and ``gone`` is said where it is emptied;
    left out: its own name, the value alone, that there is none. ``values`` have words of their own, any other one is
    told by its ``form``. ``nouns`` of a message speak of it. ``label`` stands before it where a model reads a task.
    What becomes of another kind keeps what ``is_carried``, lists are searched in what ``is_searched``, and runs are
    told of what ``is_offered``.
    """

    name: str = ""
    phrase: str = ""
    gone: str = ""
    values: Mapping[Any, str] = field(default_factory=dict)
    form: Form = "text"
    nouns: str = ""
    label: str = ""
    is_carried: bool = False
    is_searched: bool = False
    is_offered: bool = False


FIELDS: Mapping[str, SayableField] = {
    "task": SayableField(phrase=say_later("called {value}"), is_searched=True, is_offered=True),
    "title": SayableField(phrase=say_later("called {value}"), is_searched=True),
    "summary": SayableField(phrase=say_later("called {value}"), is_searched=True),
    "deadline": SayableField(
        say_later("deadline"),
        say_later("due {value}"),
        form="moment",
        nouns="deadline date due",
        is_carried=True,
        is_offered=True,
    ),
    "recurrence": SayableField(
        gone=say_later("no longer repeating"),
        form="rule",
        nouns="repeat repeats repeating repeated recurring recurrence series daily weekly monthly yearly",
        label="repeats ",
        is_carried=True,
    ),
    "priority": SayableField(
        say_later("priority"),
        values={
            "high": say_later("high priority"),
            "medium": say_later("medium priority"),
            "low": say_later("low priority"),
        },
        nouns="priority prio",
        label="priority ",
        is_carried=True,
        is_offered=True,
    ),
    "time_to_complete": SayableField(
        say_later("estimate"),
        say_later("about {value}"),
        form="minutes",
        nouns="estimate length duration",
        label="min ",
    ),
    "difficulty": SayableField(
        say_later("difficulty"),
        values={"easy": say_later("easy"), "medium": say_later("of medium difficulty"), "hard": say_later("hard")},
        nouns="difficulty",
        label="difficulty ",
    ),
    "list": SayableField(
        say_later("list"), say_later("on the list {value}"), label="list ", is_searched=True, is_offered=True
    ),
    "solutions": SayableField(say_later("steps"), say_later("with the steps {value}"), nouns="steps", is_searched=True),
    "done_steps": SayableField(say_later("steps done"), say_later("with {value} done"), nouns="steps"),
    "notes": SayableField(say_later("notes"), nouns="notes", is_carried=True, is_searched=True, is_offered=True),
    "tags": SayableField(
        say_later("tags"), say_later("tagged {value}"), nouns="tags", is_carried=True, is_searched=True
    ),
    "remind_at": SayableField(
        say_later("reminder"),
        say_later("with a reminder {value}"),
        form="moment",
        nouns="reminder remind",
        is_offered=True,
    ),
    "snooze_until": SayableField(
        phrase=say_later("snoozed until {value}"), gone=say_later("no longer snoozed"), form="moment"
    ),
    "start": SayableField(phrase=say_later("from {value}"), form="moment"),
    "end": SayableField(phrase=say_later("until {value}"), form="moment"),
    "exdates": SayableField(say_later("skipped days"), say_later("not {value}"), form="moments"),
    "zone": SayableField(is_carried=True),
    "location": SayableField(
        say_later("location"),
        form="place",
        nouns="place location address room",
        is_searched=True,
    ),
    "color": SayableField(form="color"),
    "all_day": SayableField(values={True: say_later("all day"), False: say_later("not all day")}),
    "busy": SayableField(values={True: say_later("busy"), False: say_later("free")}),
    "status": SayableField(
        values={
            "not started": say_later("not started"),
            "in progress": say_later("in progress"),
            "done": say_later("done"),
            "archived": say_later("archived"),
            "active": say_later("active again"),
        }
    ),
    "kind": SayableField(
        values={"todo": say_later("a task"), "reminder": say_later("a reminder"), "habit": say_later("a habit")}
    ),
    "category": SayableField(
        values={
            "note": say_later("a note"),
            "idea": say_later("an idea"),
            "question": say_later("a question"),
            "thought": say_later("a thought"),
            "list": say_later("a list"),
        }
    ),
    "content": SayableField(say_later("content"), is_searched=True),
    "items": SayableField(say_later("items"), form="lines", is_searched=True),
    "text": SayableField(is_searched=True),
    "policy": SayableField(form="policy"),
    "interests": SayableField(say_later("interests")),
    "job": SayableField(say_later("job")),
    "college": SayableField(say_later("college")),
    "course": SayableField(say_later("course")),
    "name": SayableField(say_later("name")),
}
MOMENTS = frozenset(name for name, known in FIELDS.items() if known.form == "moment")
"""Fields that are one day or instant each."""

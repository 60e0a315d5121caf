"""A hundred harmless requests: what is said, what a good model calls, and what must come of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from tests.support.fakes import Call

Request = tuple[str, Call, tuple[str, str]]
"""The message, the call of a good model, and the one change (op, title)."""

ERRANDS = (
    ("we're out of {thing}", "buy {thing}"),
    ("don't let me forget {thing}", "get {thing}"),
    ("I should really order {thing} soon", "order {thing}"),
    ("need to pick up {thing} on the way home", "pick up {thing}"),
)
THINGS = ("milk", "new tyres", "birthday candles", "printer paper", "blue paint")
MEETINGS = (
    ("I'm seeing {who} on {when}", "{who}", "friday at 3pm"),
    ("put {who} in my calendar for {when}", "{who}", "tomorrow at 10"),
    ("lunch with {who} {when}", "lunch with {who}", "next tuesday at 12:30"),
    ("can you book {who} for {when}?", "{who}", "monday 9am"),
)
STARTS = {
    "friday at 3pm": "2026-11-20T15:00",
    "tomorrow at 10": "2026-11-19T10:00",
    "next tuesday at 12:30": "2026-11-24T12:30",
    "monday 9am": "2026-11-23T09:00",
}
PEOPLE = ("Ana", "the plumber", "my sister", "Dr Lee", "the bank")
FACTS = (
    "gate code is 4711",
    "wifi is called Nest",
    "spare key hangs in the shed",
    "boiler makes a noise",
    "meter says 88",
)
LEADS = ("note that the", "remember the", "write down: the", "for the record, the")
DONE = (
    "I called mom",
    "mom is called, tick it off",
    "the call with mom is done",
    "mark call mom as done",
    "mom: done",
)
GONE = (
    "forget about calling mom",
    "drop the mom call",
    "delete call mom",
    "no longer need to call mom",
    "remove the call to mom",
)
MOVED = (
    "call mom is for friday now",
    "push the mom call to friday",
    "make it friday for mom",
    "mom can wait until friday",
    "friday is better for calling mom",
)
URGENT = (
    "the mom call is urgent",
    "make call mom high priority",
    "mom first, it's important",
    "raise mom to high",
    "call mom matters most",
)
WORK = ("I work as a {job}", "I'm a {job} now", "my job: {job}", "they hired me as a {job}")
JOBS = ("nurse", "teacher", "pilot", "welder", "baker")


def requests() -> Iterator[Request]:
    """All of them."""
    yield from _new_things()
    for words in DONE:
        yield words, Call("update_task", {"id": "call mom", "status": "done"}), ("complete", "call mom")
    for words in GONE:
        yield words, Call("delete", {"ids": ["call mom"]}), ("delete", "call mom")
    for words in MOVED:
        moved = {"id": "call mom", "due": "2026-11-20", "when_words": "friday"}
        yield words, Call("update_task", moved), ("update", "call mom")
    for words in URGENT:
        yield words, Call("update_task", {"id": "call mom", "priority": "high"}), ("update", "call mom")


def _new_things() -> Iterator[Request]:
    for (words, task), thing in product(ERRANDS, THINGS):
        made = task.format(thing=thing)
        yield words.format(thing=thing), Call("create_task", {"title": made}), ("create", made)
    for (words, title, when), who in product(MEETINGS, PEOPLE):
        made = re.sub(r"\b(?:the|my) ", "", title.format(who=who))
        call = Call("create_event", {"title": made, "start": STARTS[when], "when_words": when})
        yield words.format(who=who, when=when), call, ("create", made)
    for fact, lead in product(FACTS, LEADS):
        yield f"{lead} {fact}", Call("create_note", {"title": f"the {fact}"}), ("create", f"the {fact}")
    for words, job in product(WORK, JOBS):
        yield words.format(job=job), Call("save_profile", {"job": job}), ("create", "your profile")

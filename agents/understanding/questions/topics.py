"""What a question is about, from its words, its slots and the records that it names; the first topic that fits."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

from agents.index.items import Item
from agents.index.words import words_of
from agents.records import Note, Profile
from agents.understanding.questions.lines import lists_of
from agents.understanding.questions.personal import FIELDS, asked_fields, fact_names
from agents.understanding.questions.query import Query, meant_lists
from agents.understanding.questions.ringing import running_timers
from agents.understanding.questions.todos import STATES, TASKS_OF_ALL, UNDATED
from agents.understanding.questions.vocabulary import EMPTY, GROUPS
from agents.understanding.situation import Situation

Topic = Literal[
    "rules", "history", "way back", "timers", "clock", "date", "former", "profile", "clashes", "room", "tagged", "list",
    "countdown", "length", "steps", "state", "reminders", "details",
    "finished", "work left", "hours", "todos", "next", "agenda",
    "notes", "memory",
]  # fmt: skip
Fits = Callable[[Query, Situation], bool]
FIELD_NAMES = frozenset(words_of(" ".join(word for words, _ in FIELDS.values() for word in words)))
DUE = frozenset("due overdue deadline deadlines".split())
SHOWING = frozenset("list show tell give read".split())
TEST_WORDS = frozenset("did have has had is was are were do does if".split())
"""Words that begin a question which is answered by yes or no."""


def topic_of(query: Query, situation: Situation) -> Topic:
    """Return what a question is about."""
    if query.has("saying") and query.asks("i", "did") and not query.named and not asked_fields(query):
        return "memory"
    return next((topic for topic, fits in TOPICS if fits(query, situation)), "memory")


def _rules(query: Query, _situation: Situation) -> bool:
    return query.has("rule") and not query.named


def _history(query: Query, _situation: Situation) -> bool:
    """Return whether it asks what Summit did, or what the user had it do just now."""
    acted = query.has("change") and bool(query.said & {"did", "have", "you've", "just"})
    by_you = "you" in query.said and "i" not in query.said and not query.has("mine", "know")
    mine = "i" in query.said and not query.named and not query.has("saying")
    by_me = mine and ("just" in query.said or bool(query.said & GROUPS["made"])) and query.first != "when"
    listed = bool(query.said & {"changes"}) and not query.named and not query.about
    return listed or (acted and (by_you or by_me))


def _way_back(query: Query, _situation: Situation) -> bool:
    return query.has("back") and bool(query.said & {"can", "could", "if"}) and not query.when


def _timers(query: Query, situation: Situation) -> bool:
    running = {todo.id for todo in running_timers(situation)}
    named = [item for item in query.named if item.id in running]
    much = query.asks("how") and bool(query.said & {"time", "long", "longer"}) and not query.said & {"do", "day"}
    rest = much and query.has("left") and not query.about
    return query.has("timer") or bool(named) or bool(running and rest)


def _clock(query: Query, _situation: Situation) -> bool:
    asked = query.said & {"time", "day", "date", "clock"}
    other = query.loose - EMPTY - GROUPS["then"] - {"time", "day", "date", "clock", "today", "today's", "right"}
    today = not query.when_said or "today" in query.when_said.lower()
    meant = bool(query.said & {"it", "today", "today's", "date"}) and "my" not in query.said and not query.named
    plain = not other and not query.about and not query.has("lacking")
    return bool(asked) and plain and today and meant


def _date(query: Query, _situation: Situation) -> bool:
    """Return whether it asks which day a date is, or how far off."""
    when = query.when
    dated = when is not None and not when.timed and when.grain == "day" and not query.about and not query.named
    weekday = query.said & {"weekday", "date"} or query.asks("what", "day") or query.asks("which", "day")
    far = (
        "how" in query.said and (query.has("until") or query.asks("days")) and not query.has("task", "calendar", "free")
    )
    dated = dated and not query.said & {"my", "have", "else"}
    return bool(dated and (weekday or far) and not query.has("free", "calendar", "room"))


def _former(query: Query, situation: Situation) -> bool:
    since = query.asks("since", "when") and "i" in query.said
    past = query.said & {"before", "previously", "formerly", "since", "used", "old", "last"}
    then = bool(query.said & {"did", "was", "were"}) and bool(query.when_said)
    facts = bool(asked_fields(query)) or (then and bool(fact_names(query, situation)))
    return since or _since_when(query, situation) or (facts and bool(past or then) and not query.named)


def _since_when(query: Query, situation: Situation) -> bool:
    """Return whether it asks when something that is known about the user came to be: "when did i move to lisbon"."""
    known = situation.ask.records.profile
    values = [value for name in FIELDS if name != "name" for value in _values(known, name)]
    told = {word for value in values for word in words_of(value)}
    return query.first == "when" and query.asks("did", "i") and not query.named and not told.isdisjoint(query.said)


def _values(known: Profile | None, name: str) -> list[str]:
    value = getattr(known, name, None)
    return value if isinstance(value, list) else [value] if value else []


def _profile(query: Query, situation: Situation) -> bool:
    of_me = query.has("mine") and query.has("know") and not query.about
    who = query.asks("who", "am", "i") and not query.about and not query.loose - EMPTY
    asked = asked_fields(query) and query.when is None and not query.named and not query.has("calendar", "task", "list")
    known = situation.ask.records.profile
    whole = query.about.lower() in (*GROUPS["profile"], *(known.facts if known else ()))
    fields = (
        bool(asked)
        and bool(query.said & {"what", "where", "who", "name", "which", "remember", "tell"})
        and _only_fields(query)
    )
    return (query.has("profile") and not whole) or of_me or who or (fields and not fact_names(query, situation))


def _only_fields(query: Query) -> bool:
    """Return whether nothing but fields is named: "my job" is one, "my sister's job" is none."""
    loose = " ".join(word for word in query.loose if word not in EMPTY and word != "according")
    return set(words_of(query.about)) <= FIELD_NAMES and (not loose or set(words_of(loose)) <= FIELD_NAMES)


def _room(query: Query, _situation: Situation) -> bool:
    if (query.has("task") and not query.has("room")) or query.asks("how", "busy"):
        return False
    time = query.asks("time") and "what" not in query.said and "how" not in query.said
    for_it = bool(query.said & {"have", "any", "got", "find", "enough", "is"}) and (
        bool(query.about) or query.when is not None
    )
    length = query.minutes is not None and bool(query.said & {"find", "have", "got"}) and not query.has("left", "until")
    return (
        query.has("free", "room") or query.asks("room", "for") or length or (time and for_it and not query.has("left"))
    )


def _tagged(query: Query, _situation: Situation) -> bool:
    """Return whether it asks for what has a label."""
    named = query.listed or query.purpose
    return "#" in query.text or (bool(named) and bool(query.said & {"tag", "tags", "tagged"}))


def _list(query: Query, situation: Situation) -> bool:
    if query.listed and set(query.listed.lower().split()) <= TASKS_OF_ALL:
        return False
    there = lists_of(situation)
    on_one = any(item in there for item in query.named) and all(item.kind == "note" for item in query.named)
    noun = query.has("list") and query.first != "list" and not query.has("task")
    shop = query.has("shop") and bool(query.said & {"need", "get", "buy"})
    return (
        on_one
        or noun
        or bool(query.listed or query.lines)
        or (shop and not query.has("finish"))
        or bool(meant_lists(query.listed, there))
    )


def _steps(query: Query, _situation: Situation) -> bool:
    return bool(query.said & {"step", "steps"}) and any(item.kind == "todo" for item in query.named)


def _countdown(query: Query, _situation: Situation) -> bool:
    far = query.has("until") or query.said & {"days", "weeks", "far", "longer"}
    return bool(query.named) and "how" in query.said and bool(far)


def _length(query: Query, _situation: Situation) -> bool:
    return bool(query.named) and "how" in query.said and bool(query.said & {"long", "time", "hours", "minutes"})


def _state(query: Query, _situation: Situation) -> bool:
    """Return whether it asks if something named is done."""
    tasks = [item for item in query.named if item.kind == "todo"]
    mine = "i" in query.said and query.first in ("did", "have") and not query.said & {"got", "saying"}
    asked = query.first in TEST_WORDS and (query.has("state") or mine) and not query.has("saying")
    return bool(tasks) and asked and "when" not in query.said


def _reminders(query: Query, _situation: Situation) -> bool:
    return (
        query.has("ring") and not query.has("task") and (not query.about or any(_rings(item) for item in query.named))
    )


def _rings(item: Item) -> bool:
    return getattr(item.record, "remind_at", None) is not None


def _around(query: Query, _situation: Situation) -> bool:
    """Return whether it asks what else is on beside something named."""
    beside = query.said & {"after", "before", "besides", "except", "else", "apart", "other"}
    dated = any(item.kind == "event" for item in query.named) and query.when is not None
    return dated and bool(beside) and query.first not in TEST_WORDS - {"do", "have"}


def _details(query: Query, _situation: Situation) -> bool:
    """Return whether it asks about things that are named, and not for all tasks about them."""
    several = bool(query.said & GROUPS["task"] - DUE) or query.has("left", "many") or _is_to_do(query)
    several = several and "when" not in query.said and "where" not in query.said
    of_notes = all(isinstance(item.record, Note) for item in query.named)
    return bool(query.named) and not several and not of_notes


def _is_to_do(query: Query) -> bool:
    """Return whether it asks what is to be done."""
    return ("to", "do") in pairwise(query.words) or (query.asks("do") and bool(query.said & {"need", "must", "should"}))


def _finished(query: Query, _situation: Situation) -> bool:
    """Return whether it asks what the user has done, and not how something else ended."""
    past = bool(query.said & {"did", "have", "i've", "was"}) or query.has("many")
    verbs = query.said & GROUPS["finish"] - ({"did"} if query.said & {"have", "had"} else set())
    done = bool(verbs) and not query.said & {"need", "must", "should", "still", "be"}
    if done and query.has("task") and query.first in SHOWING and not query.has("lacking") and not query.about:
        return True
    mine = "i" in query.said or "i've" in query.said or query.has("task")
    other = query.loose - EMPTY - GROUPS["finish"] - GROUPS["task"] - GROUPS["many"]
    asked = bool(query.said & {"what", "which", "how", "many", "all", "anything"})
    return done and past and mine and asked and not query.about and not other


def _work_left(query: Query, _situation: Situation) -> bool:
    return query.asks("how", "much", "time") and query.has("task")


def _hours(query: Query, _situation: Situation) -> bool:
    ends = query.said & {"finish", "start", "begin", "end"}
    return (
        not query.named and bool(ends) and bool(query.asks("what", "time") or query.first == "when") and not query.about
    )


def _todos(query: Query, _situation: Situation) -> bool:
    said = query.said
    listed = bool(query.listed) and set(query.listed.lower().split()) <= TASKS_OF_ALL
    levels = query.has("high", "low", "medium") and not query.has("calendar")
    lacking = query.has("lacking") and bool(said & UNDATED)
    undone = query.has("finish") and bool(said & {"haven't", "havent", "not"}) and not query.about
    to_do = query.when is None and (query.has("left") or _is_to_do(query) or query.asks("get", "done"))
    begun = query.asks("i", "working") and query.when is None
    kept = bool(said & {*STATES, "tagged"}) and not query.has("calendar")
    return (
        kept
        or listed
        or undone
        or levels
        or lacking
        or to_do
        or begun
        or (query.has("task") and not query.has("calendar"))
    )


def _next(query: Query, _situation: Situation) -> bool:
    return query.has("next") and query.when is None and not query.has("task") and not query.about


def _agenda(query: Query, _situation: Situation) -> bool:
    if query.has("saying") and not query.has("calendar"):
        return False
    if query.bare and (query.when_said or (query.first == "what" and query.said & {"got", "on"})):
        return True
    unknown = bool(words_of(query.about)) and not query.has("calendar") and "with" not in query.said
    return query.has("calendar") or (query.when is not None and not (unknown and _knows(query)))


def _knows(query: Query) -> bool:
    """Return whether it asks after something said or noted rather than for what is on."""
    return bool(query.said & {"who", "why", "did", "was", "how", "which"})


def _notes(query: Query, _situation: Situation) -> bool:
    """Return whether it asks for notes, and not only whether something was ever said."""
    return query.has("note") and not query.said & {"task", "tasks", "todo", "todos"} and not query.has("saying")


TOPICS: tuple[tuple[Topic, Fits], ...] = (
    ("rules", _rules), ("way back", _way_back), ("history", _history), ("timers", _timers), ("clock", _clock),
    ("date", _date), ("former", _former), ("profile", _profile), ("clashes", lambda query, _: query.has("clash")),
    ("tagged", _tagged), ("list", _list), ("room", _room), ("work left", _work_left),
    ("countdown", _countdown), ("length", _length),
    ("steps", _steps), ("state", _state), ("reminders", _reminders),
    ("finished", _finished), ("agenda", _around), ("details", _details), ("hours", _hours), ("next", _next),
    ("notes", _notes), ("todos", _todos), ("agenda", _agenda),
    ("details", lambda query, _: bool(query.named)),
)  # fmt: skip

"""A question as values: the words that ask, the records that they name, the time and the length they speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property

from agents.index.items import Item
from agents.index.words import tokens, words_of
from agents.reading.reading import Clause
from agents.records import Event
from agents.time import FoundTime, find_times, on_day
from agents.understanding.ground import always, is_pointing, names_in, one_named
from agents.understanding.hearing import heard_in
from agents.understanding.matching import candidates
from agents.understanding.questions.vocabulary import EMPTY, GROUPS, words_in
from agents.understanding.records import pointed
from agents.understanding.situation import STORED, Situation, day_of
from agents.understanding.slot_values import NUMBERS, UNITS, keep_slots, loose_words, minutes_of, seconds_in, times_of
from agents.understanding.values.days import PART_HOURS, is_weekday
from agents.understanding.values.forms import beside_its_day
from agents.user_words.remembering import follows_memory

NAMING_SLOTS = ("g", "q", "t", "i", "k")
"""Slots whose words say what a question is about."""


@dataclass(frozen=True)
class Query:
    """One question: ``topic`` is what it is looked up in, as TOPICS_OF its act has it, and ``sure`` how probably.

    ``about`` are the words of what is asked about, ``named`` the records that have this name.
    ``purpose`` are those of these words that need not be the name of anything stored.
    ``listed`` is the name of a list and ``lines`` are the lines asked for; ``when_said`` are the words of the time.
    ``days`` are those of which each is asked about, where several are.
    """

    text: str
    topic: str
    sure: float
    words: tuple[str, ...]
    about: str = ""
    purpose: str = ""
    named: Sequence[Item] = ()
    when: FoundTime | None = None
    days: Sequence[FoundTime] = ()
    when_said: str = ""
    minutes: int | None = None
    listed: str = ""
    lines: tuple[str, ...] = ()
    loose: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def word_set(self) -> frozenset[str]:
        """All words of the question."""
        return frozenset(self.words)

    def has(self, *groups: str) -> bool:
        """Return whether one of its words belongs to a group of the vocabulary."""
        return any(not GROUPS[name].isdisjoint(self.word_set) for name in groups)

    def for_each_day(self) -> list[Query]:
        """Return the question about each of its days; itself where it is not about several."""
        several = len(self.days) > 1 and self.when == self.days[0] and self.topic in OF_A_TIME
        return [replace(self, when=day, days=()) for day in self.days] if several else [self]

    @property
    def bare(self) -> bool:
        """Whether nothing is named."""
        return not self.about and not self.named and not self.listed and not self.lines

    @property
    def foreign(self) -> bool:
        """Whether it has words that name something and are no name, time or length that was read."""
        return self.bare and self.when is None and self.minutes is None and not self.loose <= EMPTY


def query_of(clause: Clause, situation: Situation) -> Query:
    """Return what a clause asks, its names looked up among the stored records, whatever their state."""
    clause = _with_its_length(clause)
    words = words_in(clause.text)
    named = _named_records(clause, situation)
    times = [found for found in times_of(clause, situation, "w", "v") if found.moment]
    when = _time(times, clause, words, situation)
    bound = _time_beside(clause, named, situation) if when is None else None
    feast = _time_named(clause, situation) if when is None and not named else bound
    names = [slot.text for slot in clause.all(*NAMING_SLOTS) if not is_pointing(slot.text)]
    return Query(
        text=clause.text,
        topic=clause.topic,
        sure=clause.topic_sure,
        words=words,
        about="" if feast else " ".join(names),
        purpose=" ".join(slot.text for slot in clause.all("q", "t")),
        named=() if bound else named,
        when=when or feast,
        days=_days(times),
        when_said=" ".join(keep_slots(clause, "w", "v").split()),
        minutes=minutes_of(clause, situation) or _limit(words, clause, situation),
        listed=" ".join(word for word in clause.words("l").split() if word.lower() not in GROUPS["list"]),
        lines=tuple(slot.text for slot in clause.all("i")),
        loose=frozenset(words_in(" ".join(loose_words(clause)))),
    )


def _with_its_length(clause: Clause) -> Clause:
    """Return a clause in which a topic that is no more than a length is one: "free for an hour"."""
    lengths = [slot for slot in clause.all("q") if _is_length(slot.text)]
    return replace(clause, slots=tuple(replace(one, name="d") if one in lengths else one for one in clause.slots))


def _is_length(text: str) -> bool:
    said = [word.removesuffix("s") for word in tokens(text) if word not in NUMBERS and word not in ("half", "and")]
    return bool(said) and all(word in UNITS for word in said)


def _limit(words: Sequence[str], clause: Clause, situation: Situation) -> int | None:
    """Return the length that things asked for are at least or at most, where it stands in no slot."""
    limited = not clause.all("w", "v") and (GROUPS["over"] | GROUPS["less"]) & set(words)
    seconds = seconds_in(clause.text, situation) if limited else None
    return round(seconds / 60) if seconds else None


def follow_up(query: Query, situation: Situation) -> Query:
    """Return a question that names nothing as it goes on with what was said before; any other as it is."""
    if query.topic == "last" and query.named:
        return replace(query, topic="details")
    if query.topic == "room" and query.bare:
        return _other_time(query, situation) or _beside_last(query, situation) or _goes_on(query, situation)
    return _goes_on(query, situation)


def _goes_on(query: Query, situation: Situation) -> Query:
    """Return a question that names nothing as it goes on with the last question or reply."""
    if not query.bare or not situation.ask.recent or any(share.answers for share in situation.shares):
        return query
    timed = bool(query.when_said) and (query.topic == "last" or _only_dates(query))
    shown = [] if timed else _offered_records(situation) or pointed.lately(situation.scene, STORED)
    if shown and (query.topic == "last" or query.loose <= EMPTY):
        return _of_shown(query, shown)
    asked = _last_question(situation) if timed or query.topic == "last" else None
    if asked is None or (query.topic != "last" and asked.topic not in OF_A_TIME):
        return query
    times = query if query.when else asked
    return replace(
        asked, text=query.text, when=times.when, days=times.days, when_said=query.when_said or asked.when_said
    )


def _other_time(query: Query, situation: Situation) -> Query | None:
    """Return a question for free time of which only the day is another than in the one whose offer waits."""
    pending = situation.pending
    if pending is None or pending.missing != "when" or not pending.options or query.when is None:
        return None
    said = heard_in(pending.text, situation.ask, situation.clock).reading.clauses
    clause = next((clause for clause in said if clause.act == "ask" and clause.topic == "room"), None)
    if clause is None:
        return None
    asked = query_of(clause, situation)
    words = query.words if PART_HOURS.keys() & query.word_set else (*query.words, *(PART_HOURS.keys() & asked.word_set))
    when = _in_week_of(query.when, asked.when, situation) if is_weekday(query.when_said) else query.when
    minutes = query.minutes or asked.minutes
    return replace(asked, text=query.text, words=words, when=when, days=(), when_said=query.when_said, minutes=minutes)


def _in_week_of(day: FoundTime, week: FoundTime | None, situation: Situation) -> FoundTime:
    """Return a weekday in the week that was asked about before."""
    if week is None or week.grain != "week" or week.timed or week.start is None or day.start is None:
        return day
    ahead = timedelta(days=(day.start.weekday() - week.start.weekday()) % 7)
    return on_day(day, week.start.date() + ahead, situation.clock)


def _beside_last(query: Query, situation: Situation) -> Query | None:
    """Return a question for the time after or before the appointment just made or moved: "am i free after"."""
    latest = situation.latest()
    beside = {*query.words} & {"after", "afterwards", "before", "beforehand"}
    event = latest.record if latest else None
    if not beside or query.when is not None or latest is None or not isinstance(event, Event) or event.recurrence:
        return None
    way = "before" if beside & {"before", "beforehand"} else "after"
    return replace(query, named=[latest], words=(*query.words, way))


def _of_shown(query: Query, shown: Sequence[Item]) -> Query:
    """Return a question about one thing as one about what the last reply named; "what's left" may be of a list."""
    of_list = query.topic == "todos" and all(item.kind == "note" for item in shown)
    topic = "list" if of_list else "details" if query.topic == "last" else query.topic
    return replace(query, named=shown, topic=topic) if of_list or topic in OF_ONE else query


def _only_dates(query: Query) -> bool:
    """Return whether a question has hardly more than a time: "and next week"."""
    return query.topic == "agenda" and len(query.loose) <= MOST_LOOSE


def _last_question(situation: Situation) -> Query | None:
    """Return what the last message asked."""
    said = heard_in(situation.ask.recent[-1].said, situation.ask, situation.clock).reading.clauses
    asked = next((clause for clause in reversed(said) if clause.act == "ask"), None)
    return query_of(asked, situation) if asked else None


def _offered_records(situation: Situation) -> list[Item]:
    """Return the records that the question which waits lets the user choose among."""
    options = situation.pending.options if situation.pending else []
    return [item for option in options if (item := situation.item(option.record_id))]


def _named_records(clause: Clause, situation: Situation) -> Sequence[Item]:
    """Return the records that the names of a question mean: all of an exact name, or those with most of its words."""
    found: dict[str, Item] = {}
    of_memory = follows_memory(situation.ask.recent)
    for name in _phrases(clause):
        if is_pointing(name) and (of_memory or not clause.all("g")):
            continue
        target = one_named(name, [], situation, fits=always)
        items = target.items if target.fit >= LEAST_FIT else []
        found |= {item.id: item for item in items}
    return list(found.values())


BEFORE = frozenset(("before", "until", "till"))
LEAST_FIT = 0.5
MOST_LOOSE = 1
"""Words besides the time that a question about nothing else has at most."""
OF_A_TIME = frozenset("agenda room hours clash todos finished workload reminders history".split())
"""Topics of which another time may be asked for without a word for them."""
OF_ONE = frozenset("details state length countdown steps last".split())
"""Topics of questions about one thing: if it is not named, it is what was talked about."""


def _phrases(clause: Clause) -> list[str]:
    """Return the names that are looked up: those of stored records, then each topic."""
    names = [*names_in(clause, "g", "k"), clause.words("q"), clause.words("t")]
    return [words for words in names if words_of(words)]


def _time(said: list[FoundTime], clause: Clause, words: Sequence[str], situation: Situation) -> FoundTime | None:
    """Return the time that a question says, or that "my week", "the rest of the day" or "then" means."""
    whole = clause.topic in ("date", "countdown", "todos", "workload")  # what is due then is shown with its day
    times = said if whole else [beside_its_day(found, situation.clock, "open_before") for found in said]
    if times or POINTING_BACK & set(words):
        return next(iter(times), None) or _earlier_time(situation)
    own = words if "my" in words else words_in(keep_slots(clause, "w", "v"))
    stretch = next((said for word, said in STRETCHES.items() if word in own), "")
    return next(iter(find_times(stretch, situation.clock)), None)


def _days(times: list[FoundTime]) -> list[FoundTime]:
    """Return the days that a question names, or parts of them, where it says nothing else of time."""
    days = [found for found in times if found.kind == "point" and found.day_said and (found.stretch or not found.timed)]
    return days if days == times else []


POINTING_BACK = frozenset(("then", "that"))
STRETCHES = {"day": "today", "week": "this week", "weekend": "this weekend", "month": "this month"}


def _time_named(clause: Clause, situation: Situation) -> FoundTime | None:
    """Return the day that a name is: "christmas"."""
    name = clause.words("g", "q")
    times = find_times(name, situation.clock)
    return times[0] if len(times) == 1 and times[0].text.strip() == name.strip() and times[0].moment else None


def _time_beside(clause: Clause, named: Sequence[Item], situation: Situation) -> FoundTime | None:
    """Return the days up to a stored thing that is named with them: "before the wedding"; None where none are."""
    days = [day for item in named if (day := day_of(item, situation.clock))]
    if clause.topic not in OF_A_TIME or len(days) != 1 or not BEFORE & {*loose_words(clause)}:
        return None
    return next(iter(find_times(f"until {days[0] - timedelta(days=1):%Y-%m-%d}", situation.clock)), None)


def _earlier_time(situation: Situation) -> FoundTime | None:
    """Return the time that was named last: by a clause before, else by the last message."""
    before = situation.clauses[: situation.at]
    times = [found for clause in before for found in times_of(clause, situation, "w", "v") if found.moment]
    recent = situation.ask.recent[-1:]
    times = times or [found for one in recent for found in find_times(one.said, situation.clock) if found.moment]
    return times[-1] if times else None


def telling_words(query: Query) -> list[str]:
    """Return the words of a question that could stand in what is stored, the named ones first."""
    named = words_of(query.about)
    asked = words_of(" ".join(word for word in tokens(query.text) if word not in EMPTY))
    return list(dict.fromkeys([*named, *asked]))


def meant_lists(name: str, lists: Sequence[Item]) -> list[Item]:
    """Return the lists that a name may mean; a name without words of its own means none."""
    return candidates(name, lists) if words_of(name) else []

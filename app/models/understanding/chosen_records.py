"""Which records a model is shown, under short ids: all that matter while they fit, then the most telling ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from itertools import accumulate

from agents.ports import Ask
from agents.reading.words import telling
from agents.records import Event, Note, ToDo
from app.models.understanding.record_lines import Listed, line_of, next_start, plain

CHARS_PER_TOKEN = 4
SHORTEST_ID = 6
SOON, AHEAD = timedelta(days=2), timedelta(days=14)
RECENT_TURNS = 2
MEANT, NEAR, USUAL, FAR, CLOSED = range(5)
"""How telling a record is: meant by the words, due soon, open, far away; closed ones are shown only where meant."""


@dataclass
class ShortIds:
    """The beginnings of ids that tell them apart in one prompt."""

    full: dict[str, str] = field(default_factory=dict)

    def shorten(self, known: str) -> str:
        """Return the short id that stands for an id from now on."""
        lengths = range(min(SHORTEST_ID, len(known)), len(known) + 1)
        short = next(known[:length] for length in lengths if self.full.get(known[:length], known) == known)
        self.full[short] = known
        return short

    def resolve(self, said: str) -> str:
        """Return the id that a model means; its own words where it means none of them."""
        said = said.strip().strip("#[]()\"'")
        if said in self.full:
            return self.full[said]
        fitting = {one for short, one in self.full.items() if said and one.startswith(said)}
        return fitting.pop() if len(fitting) == 1 else said


@dataclass(frozen=True)
class Shown:
    """One record in a prompt, and how telling it is."""

    record: Listed
    group: int
    line: str


def choose_records(ask: Ask, budget_tokens: int) -> list[Shown]:
    """Return as many records as fit into the budget, in a stable order, the most telling ones where not all do."""
    lately = [text for one in ask.recent[-RECENT_TURNS:] for text in (one.said, one.replied)]
    pending = [ask.pending.asked or ask.pending.text] if ask.pending else []
    said = telling(" ".join([ask.text, *lately, *pending]))
    touched = {change.record_id for change in ask.recent_changes}
    records: list[Listed] = [*ask.records.todos, *ask.records.events, *ask.records.notes]
    grouped = [(one, _group(one, said, touched, ask.at)) for one in records]
    known = [Shown(one, group, line_of(one, ask.at, whole=group == MEANT)) for one, group in grouped]
    places = [place for place, one in enumerate(known) if one.group != CLOSED]
    places.sort(key=lambda place: (known[place].group, -records[place].updated_at.timestamp()))
    fitting = count_fitting((len(known[place].line) + SHORTEST_ID + 2 for place in places), budget_tokens)
    return [known[place] for place in sorted(places[:fitting])]


def count_fitting(lengths: Iterable[int], budget_tokens: int) -> int:
    """Return how many texts of these lengths, the first ones, fit into the budget."""
    return sum(whole <= budget_tokens * CHARS_PER_TOKEN for whole in accumulate(lengths))


def _group(record: Listed, said: frozenset[str], touched: set[str | None], now: datetime) -> int:
    if record.id in touched or not said.isdisjoint(_telling_words(record)):
        return MEANT
    if isinstance(record, ToDo) and record.status in ("done", "archived"):
        return CLOSED
    when = _when(record, now)
    if isinstance(record, Event) and (when is None or when < now.date()):
        return CLOSED
    if when is None:
        return USUAL
    return NEAR if when <= (now + SOON).date() else USUAL if when <= (now + AHEAD).date() else FAR


def _telling_words(record: Listed) -> frozenset[str]:
    texts = [record.task] if isinstance(record, ToDo) else []
    if isinstance(record, Event):
        texts = [record.title, record.location or ""]
    if isinstance(record, Note):
        texts = [record.summary, plain(record.content, 1000), *(line.text for line in record.items)]
    return frozenset().union(*map(telling, texts))


def _when(record: Listed, now: datetime) -> date | None:
    """Return the day on which something is, is due or rings next; None where it is over, or at no time."""
    if isinstance(record, Event):
        coming = next_start(record, now)
        return coming.astimezone(now.tzinfo).date() if coming else None
    when = (getattr(record, name, None) for name in ("deadline", "remind_at", "snooze_until"))
    first = next(filter(None, when), None)
    return first.astimezone(now.tzinfo).date() if isinstance(first, datetime) else first

"""What a thread was about, however long it lives: counts, the items named last and the open question, always whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime

from pydantic import AwareDatetime, Field

from agents.contract import Change, Op, Question, Value
from agents.dates_in_words import MONTHS
from agents.languages import speaking
from agents.phrases import quote, say_count, say_list
from agents.records import Kind

MOST_ITEMS = 30
MOST_LETTERS = 3000
"""A digest stays flat: the items named longest ago leave it, each as a whole."""

VERBS: dict[Op, str] = {
    "create": "added",
    "update": "changed",
    "complete": "done",
    "archive": "archived",
    "delete": "deleted",
    "undo": "undone",
}
NOUNS: dict[Kind, str] = {
    "todo": "task",
    "profile": "profile",
    "event": "event",
    "note": "note",
    "instruction": "wish",
    "memo": "memo",
}


class NamedItem(Value):
    """One item that the thread changed, and what was done to it last."""

    kind: Kind
    record_id: str
    title: str
    op: Op
    at: AwareDatetime


class ThreadSummary(Value):
    """A thread in a few lines, made of ledger rows and of the question that waits."""

    since: AwareDatetime | None = None
    changes: int = 0
    counts: dict[str, int] = Field(default_factory=dict)
    items: list[NamedItem] = Field(default_factory=list)
    question: str = ""

    def after(self, changes: Sequence[Change], question: Question | None, now: datetime) -> ThreadSummary:
        """The digest one turn later."""
        applied = [change for change in changes if change.status == "applied" and change.record_id]
        counts = dict(self.counts)
        for change in applied:
            name = f"{VERBS[change.op]} {change.kind}"
            counts[name] = counts.get(name, 0) + 1
        return ThreadSummary(
            since=self.since or now,
            changes=self.changes + len(applied),
            counts=counts,
            items=_newest_items([*self.items, *map(_as_item, applied)]),
            question=question.text if question else "",
        )

    def text(self) -> str:
        """The summary as text; empty as long as there is no change and no open question.

        Models read it in their prompt, whose other lines are English, too.
        """
        with speaking("en"):
            return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        if self.changes and self.since:
            yield f"Since {_day(self.since)}: {say_count(self.changes, 'change')} ({say_list(self._say_counts())})."
        if self.items:
            yield f"Last: {'; '.join(map(_say_item, reversed(self.items)))}."
        if self.question:
            yield f"Waiting for an answer: {self.question}"

    def _say_counts(self) -> list[str]:
        parts = [(name.split(maxsplit=1), count) for name, count in self.counts.items()]
        return [f"{say_count(count, NOUNS[kind])} {verb}" for (verb, kind), count in parts]  # type: ignore[index]


def _as_item(change: Change) -> NamedItem:
    return NamedItem(
        kind=change.kind, record_id=str(change.record_id), title=change.title, op=change.op, at=change.created_at
    )


def _newest_items(items: Sequence[NamedItem]) -> list[NamedItem]:
    """Each item once, as it was changed last; the newest ones that fit."""
    newest: dict[tuple[Kind, str], NamedItem] = {}
    for item in reversed(items):
        newest.setdefault((item.kind, item.record_id), item)
    kept: list[NamedItem] = []
    letters = 0
    for item in list(newest.values())[:MOST_ITEMS]:
        letters += len(item.title)
        if kept and letters > MOST_LETTERS:
            break
        kept.append(item)
    return kept[::-1]


def _say_item(item: NamedItem) -> str:
    return f"{NOUNS[item.kind]} {quote(item.title)} {VERBS[item.op]} {_day(item.at)}"


def _day(moment: date) -> str:
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"

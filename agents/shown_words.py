"""The words of what a model is shown beside the user's own: they may not be what a change is made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from agents.mind.matching import SAME, STOP, alike, words_of
from agents.ports import Ask
from agents.time.tokens import stem, tokenize


def merely_read(text: str, own: Sequence[str], ask: Ask) -> bool:
    """Whether a text has a telling word that is not the user's and stands in a record, another calendar or a reply."""
    words = [word for word in words_of(text) if word not in STOP and not any(alike(word, other) for other in own)]
    return bool(words) and not _shown(ask).isdisjoint(words)


def _shown(ask: Ask) -> set[str]:
    records = [*ask.records.todos, *ask.records.events, *ask.records.notes, *ask.records.instructions]
    stored = [texts_in(record.model_dump(mode="json", exclude={"source", "id"})) for record in records]
    others = [text for one in ask.imported or () for text in (one.title, one.calendar)]
    return set(stems_in([*chain(*stored), *others, *(exchange.replied for exchange in ask.recent)]))


def texts_in(value: Any) -> list[str]:
    """Every text within a value."""
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [value] if isinstance(value, str) else [text for part in parts for text in texts_in(part)]


def stems_in(values: Iterable[Any]) -> list[str]:
    """The stems of all words of some values."""
    words = [token.text for value in values for token in tokenize(str(value)) if token.text[0].isalnum()]
    return [stem(word) for word in dict.fromkeys([*words, *(SAME[word] for word in words if word in SAME)])]

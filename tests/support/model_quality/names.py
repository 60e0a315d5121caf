"""Ids of records and changes, and the titles that stand for them in dumps and recorded answers: ids are random."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SHORTEST = 6
"""Characters: a prompt may show the beginning of an id only."""
PLACEHOLDER = re.compile(r"\{(id|change) of: ([^{}]+)\}")


@dataclass
class Names:
    """What is stored when a turn begins: titles by id, of records and of earlier changes."""

    records: dict[str, str] = field(default_factory=dict)
    changes: dict[str, str] = field(default_factory=dict)

    def hidden(self, value: Any) -> Any:
        """A JSON value with a placeholder in place of each id, whole or its beginning."""
        return _each_text(value, self._hidden)

    def filled(self, value: Any, prompt: str) -> Any:
        """An answer with the ids that the prompt shows in place of its placeholders."""
        return _each_text(value, lambda text: PLACEHOLDER.sub(lambda found: self._id(found[1], found[2], prompt), text))

    def _hidden(self, text: str) -> str:
        for word, known in (("id", self.records), ("change", self.changes)):
            for one, title in known.items():
                shown = _shown(one, text)
                text = text.replace(shown, f"{{{word} of: {title}}}") if shown else text
        return text

    def _id(self, word: str, wanted: str, prompt: str) -> str:
        known, wanted = (self.records if word == "id" else self.changes), wanted.strip().lower()
        exact = [one for one, title in known.items() if title.lower() == wanted]
        found = [*exact, *(one for one, title in known.items() if wanted in title.lower())]
        if not found:
            return wanted
        one = found[-1] if word == "change" and not exact else found[0]
        return _shown(one, prompt) or one


def _shown(one: str, text: str) -> str:
    """The longest beginning of an id that a text has; empty when it has none."""
    lengths = range(len(one), SHORTEST - 1, -1)
    return next((one[:length] for length in lengths if one[:length] in text), "")


def _each_text(value: Any, made: Callable[[str], str]) -> Any:
    """A JSON value with each of its texts replaced."""
    if isinstance(value, dict):
        return {name: _each_text(inner, made) for name, inner in value.items()}
    if isinstance(value, list):
        return [_each_text(inner, made) for inner in value]
    return made(value) if isinstance(value, str) else value

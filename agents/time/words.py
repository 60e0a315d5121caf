"""The word lists of the time grammar, from data/words.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


@cache
def tables() -> dict[str, dict[str, str]]:
    """Every table: lists by name, the words of a list separated by spaces."""
    return tomllib.loads(files(__package__).joinpath("data/words.toml").read_text(encoding="utf-8"))


def word_sets(table: str) -> dict[str, frozenset[str]]:
    """The lists of a table by name."""
    return {name: frozenset(words.split()) for name, words in tables()[table].items()}


def by_word(table: str) -> dict[str, str]:
    """For each word of a table the name of its list."""
    return {word: name for name, words in tables()[table].items() for word in words.split()}

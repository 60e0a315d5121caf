"""Early Pythons, such as 3.11.2, leave a possessive repeat of a group in the middle of a repetition that failed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]  # there is no public way to a parsed pattern
from typing import Any

import pytest

from agents.time.tokens import tokenize
from tests.unit.agents.test_linear_patterns import modules, within

ROOT = Path(__file__).parents[3]
UNEVEN = frozenset({ops.POSSESSIVE_REPEAT, ops.ATOMIC_GROUP})
SPELLED = re.compile(r"(?<!\\)[*+?}]\+|\(\?>")


def operators(parsed: Any) -> Iterator[Any]:
    if isinstance(parsed, list | tuple | parser.SubPattern):
        for part in parsed:
            yield from operators(part)
    elif parsed in UNEVEN:
        yield parsed


def compiled() -> dict[str, tuple[str, int]]:
    """Every pattern that a module holds, by its words: where it is, and its flags."""
    return {
        pattern.pattern: (path, pattern.flags)
        for module in modules()
        for name, value in vars(module).items()
        for path, pattern in within(value, f"{module.__name__}.{name}")
    }


def misread(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if SPELLED.search(text) else ():
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SPELLED.search(node.value):
            yield f"{path}:{node.lineno}"


def test_every_python_reads_our_patterns_alike() -> None:
    found = [where for words, (where, flags) in compiled().items() if any(operators(parser.parse(words, flags)))]
    assert found == []


def test_no_piece_of_a_pattern_is_possessive_or_atomic() -> None:
    files = [path for package in ("agents", "graph", "app") for path in (ROOT / package).rglob("*.py")]
    assert files
    assert [where for path in files for where in misread(path)] == []


@pytest.mark.parametrize("words", ["a++", "(?:a|b)*+c", "a?+", "a{2,3}+", "x(?>a|b)"])
def test_both_checks_see_what_early_pythons_misread(words: str) -> None:
    assert SPELLED.search(words)
    assert list(operators(parser.parse(words)))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("in six weeks' time", ["in", "six", "weeks", "'", "time"]),
        ("o'neill's cat'", ["o'neill's", "cat", "'"]),
        ("ab'cd1 b2b", ["ab'cd", "1", "b", "2", "b"]),
        ("week's/end", ["week's", "/", "end"]),
        ("kings'5", ["kings", "'", "5"]),
    ],
)
def test_words_end_before_an_apostrophe_with_nothing_behind_it(text: str, words: list[str]) -> None:
    assert [token.text for token in tokenize(text)] == words

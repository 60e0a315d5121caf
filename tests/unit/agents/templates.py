"""Every template that code says, found in the source: what a catalog has to hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from agents.phrases import plural

ROOTS = ("agents", "graph", "app")
UNITS = {"day", "hour", "minute"}
ENGLISH_ALONE = ("agents/understanding", "agents/time")
"""Folders whose sentences are made for English alone."""


@cache
def templates() -> set[str]:
    """The templates without a number."""
    return {text for call in _calls("say", "say_later") if (text := _text(call, 0))}


@cache
def numbered() -> set[tuple[str, str]]:
    """The templates that go with a number, as singular and plural."""
    pairs = {(_text(call, 0), _text(call, 1)) for call in _calls("say_number")}
    nouns = {_text(call, 1) for call in _calls("say_count")} | UNITS
    counted = {(f"{{count}} {noun}", f"{{count}} {plural(noun)}") for noun in nouns if noun}
    return {pair for pair in pairs if all(pair)} | counted


def _calls(*names: str) -> Iterator[ast.Call]:
    return (call for call in _every_call() if isinstance(call.func, ast.Name) and call.func.id in names)


@cache
def _every_call() -> list[ast.Call]:
    return [call for root in ROOTS for path in Path(root).rglob("*.py") for call in _calls_of(path)]


def _calls_of(path: Path) -> Iterator[ast.Call]:
    """The calls of what a file has from the modules that say something."""
    if any(path.is_relative_to(alone) for alone in ENGLISH_ALONE):
        return
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    ours = {
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module in ("agents.languages", "agents.phrases")
        for alias in node.names
    }
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ours:
            yield node


def _text(call: ast.Call, place: int) -> str:
    node = call.args[place] if len(call.args) > place else None
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import agents

UNITS = ("7", "a-", "...", ", ", "so ", "and ", "no ")
"""What is repeated: runs of signs and letters, and words of which several may open a request.

White space comes in runs of one or two only: a message is read without the others."""
STARTS = ("add ", "put ", "move ", "make a ", "remind me to ", "the ", "what is ")
"""Words behind which a pattern that is matched from the beginning may try many ways to go on."""
SHORT, LONG = 200, 1600
NOTICED, SURE = 0.001, 0.1  # seconds
MOST = 24
"""How many times as long eight times as much text may take: 8 is linear, 64 quadratic."""
FROM_THE_START = ("numerals.",)
"""Where patterns are matched from the beginning, each in a loop over them; others in tuples are searched for."""
SEARCHING = frozenset({"search", "sub", "subn", "split", "finditer", "findall"})
Tried = tuple[str, re.Pattern[str], str]


def modules(package: ModuleType = agents) -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if not info.name.endswith(".__main__"):
            yield importlib.import_module(info.name)


def within(value: Any, name: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield name, value
    elif isinstance(value, tuple | list | set | frozenset):
        for at, one in enumerate(value):
            yield from within(one, f"{name}[{at}]")
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from within(one, f"{name}[{key!r}]")
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from within(getattr(value, field.name), f"{name}.{field.name}")


@cache
def used(package: ModuleType) -> dict[int, set[str]]:
    """The methods that the code calls on each object that a module names, by its id."""
    found: dict[int, set[str]] = {}
    for module in modules(package):
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                found.setdefault(id(meant(node.value, module)), set()).add(node.attr)
    return found


def meant(node: ast.AST, module: ModuleType) -> object:
    """What ``NAME`` or ``module.NAME`` stands for in a module."""
    if isinstance(node, ast.Name):
        return vars(module).get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return getattr(vars(module).get(node.value.id), node.attr, None)
    return None


def patterns(package: ModuleType = agents) -> dict[str, Tried]:
    """Every pattern once, and whether it is searched for or matched where it stands."""
    found: dict[str, Tried] = {}
    for module in modules(package):
        for name, value in vars(module).items():
            for path, pattern in within(value, f"{module.__name__}.{name}") if not name.startswith("__") else ():
                called = used(package).get(id(value), set()) | used(package).get(id(pattern), set())
                methods = called & {*SEARCHING, "match", "fullmatch"}
                looped = any(start in path for start in FROM_THE_START)
                searched = not (methods or looped) or bool(methods & SEARCHING)
                known = found.get(pattern.pattern)
                found[pattern.pattern] = (
                    path,
                    pattern,
                    "search" if searched or (known and known[2] == "search") else "match",
                )
    return found


def seconds(tried: Tried, text: str, times: int) -> float:
    """The least time of several: what else the machine does only adds to it."""
    run, spent = getattr(tried[1], tried[2]), []
    for _ in range(times):
        begun = time.thread_time()
        run(text)
        spent.append(time.thread_time() - begun)
    return min(spent)


def growth(tried: Tried, unit: str, start: str = "") -> float:
    """How many times as long a text of eight times the length takes; 0 where it is too quick to tell."""
    short, long = (f"{start}{unit * (size // len(unit))}!" for size in (SHORT, LONG))
    slow = seconds(tried, long, 1)
    if slow < NOTICED or (slow < SURE and (slow := seconds(tried, long, 5)) < NOTICED):
        return 0
    return slow / max(seconds(tried, short, 20), 1e-6)


def test_no_pattern_takes_longer_than_its_text_is_long() -> None:
    found = {
        (name, method, unit): round(times)
        for name, pattern, method in patterns().values()
        for unit in UNITS
        if (times := growth((name, pattern, method), unit)) > MOST
    }
    assert found == {}


def test_no_request_takes_longer_than_it_is_long() -> None:
    found = {
        (name, start): round(times)
        for name, pattern, method in patterns().values()
        for start in STARTS
        if method == "match" and (times := growth((name, pattern, method), "a-", start)) > MOST
    }
    assert found == {}


@pytest.mark.parametrize(
    ("start", "method", "quadratic"), [("", "search", True), ("", "match", False), (r"(?<!\d)", "search", False)]
)
def test_the_measure_tells_linear_from_quadratic(start: str, method: str, quadratic: bool) -> None:  # noqa: FBT001 - a case
    words = "|".join(rf"{start}\d+(?={last})" for last in "xyz")
    assert (growth(("", re.compile(words), method), "7") > MOST) is quadratic

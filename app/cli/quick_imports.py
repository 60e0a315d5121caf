"""Imports what a command needs without what makes that slow: walks of the garbage collector, and compiling patterns.

Python keeps no compiled regular expressions. There are some two thousand, which take a quarter of a start, so what
``re`` hands to its engine for each is kept beside the bytecode, under the same rules: made when it is missing, and left
alone where nothing may be written.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import marshal
import os
import re._compiler as compiler  # type: ignore[import-not-found]
import sys
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

FORM = f"1 {sys.version} {sys.byteorder} {compiler.MAGIC}".encode()
MOST = 5_000
"""Patterns that are kept; beyond, those that nothing uses any more are left out."""
FEW = 20
"""Unknown patterns that are not worth a new file: a few are in another order at each start, as sets are."""
CHECKSUM_BYTES = 4
CODE = 2
"""Where the engine is given its program, a list of numbers."""

Key = tuple[str | bytes, int]
Patterns = dict[Key, tuple[Any, ...]]
"""What the engine is given for each pattern and its flags, with the program packed."""


def import_quickly(name: str) -> ModuleType:
    """The module of that name, with all that it imports."""
    gc.disable()
    try:
        with kept_patterns(patterns_file()):
            return importlib.import_module(name)
    finally:
        gc.freeze()  # what is imported stays: nothing of it is ever walked through again
        gc.enable()


def patterns_file() -> Path | None:
    """Where Python keeps the bytecode of ``agents``, which has most patterns; None where it keeps none."""
    found = importlib.util.find_spec("agents")
    if sys.dont_write_bytecode or found is None or found.origin is None:
        return None
    return Path(importlib.util.cache_from_source(found.origin)).with_name(f"patterns.{sys.implementation.cache_tag}")


@contextmanager
def kept_patterns(file: Path | None) -> Iterator[None]:
    """Compile patterns inside with what the file knows, and keep in it what it did not know."""
    known, used, engine = _read(file) if file else {}, Patterns(), _Engine(vars(compiler)["_sre"])
    usual = compiler.compile
    _let_compile(_compile_with(known, used, engine, usual), engine)
    try:
        yield
    finally:
        _let_compile(usual, engine.real)
        if file and len(used.keys() - known.keys()) > FEW:
            _write(file, used if len(known) + len(used) > MOST else known | used)


def _let_compile(function: Callable[..., Any], engine: Any) -> None:
    compiler.compile = function
    vars(compiler)["_sre"] = engine


class _Engine:
    """The engine of ``re``, which notes what it was given last."""

    def __init__(self, real: ModuleType) -> None:
        self.real = real
        self.given: tuple[Any, ...] = ()

    def compile(self, *given: Any) -> Any:
        self.given = given
        return self.real.compile(*given)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


def _compile_with(
    known: Patterns, used: Patterns, engine: _Engine, usual: Callable[..., Any]
) -> Callable[[Any, int], Any]:
    def compile_pattern(pattern: Any, flags: int = 0) -> Any:
        key = (pattern, int(flags))
        if given := known.get(key) if isinstance(pattern, str | bytes) else None:
            used[key] = given
            return engine.real.compile(*given[:CODE], array("I", given[CODE]).tolist(), *given[CODE + 1 :])
        made = usual(pattern, flags)
        if isinstance(pattern, str | bytes):
            used[key] = _packed(engine.given)
        return made

    return compile_pattern


def _read(file: Path) -> Patterns:
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        content = file.read_bytes()
        checksum, body = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
        if int.from_bytes(checksum) == zlib.crc32(body) and body.startswith(FORM):
            return dict(marshal.loads(body[len(FORM) :]))  # noqa: S302 - as trustworthy as the bytecode beside it
    return {}


def _write(file: Path, patterns: Patterns) -> None:
    body = FORM + marshal.dumps(patterns)
    with contextlib.suppress(OSError):
        file.parent.mkdir(exist_ok=True)
        aside = file.with_suffix(f".{os.getpid()}")
        aside.write_bytes(zlib.crc32(body).to_bytes(CHECKSUM_BYTES) + body)
        aside.replace(file)


def _packed(given: tuple[Any, ...]) -> tuple[Any, ...]:
    """In types that marshal knows: flags are numbers of a class of their own."""
    plain: list[Any] = [int(value) if isinstance(value, int) else value for value in given]
    return (*plain[:CODE], array("I", plain[CODE]).tobytes(), *plain[CODE + 1 :])

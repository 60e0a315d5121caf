"""Patterns that were compiled once are compiled again by nobody, and do what they did."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.quick_imports import FEW, import_quickly, kept_patterns

PATTERNS: list[tuple[str | bytes, int]] = [
    (r"(?P<day>\d+)(?:st|nd|rd|th)?\s+(?P<month>[a-zé]+)\b", re.IGNORECASE),
    (r"(?<!\w)(?P<sign>[^\w\s])(?P=sign){3,}(?:a|b)*+$", re.MULTILINE | re.DOTALL),
    (rb"\x00+(\w)", re.ASCII),
    (r"[\u00e0-\u0fff]{2,5}?(?=x)", 0),
    *((rf"word{number}\b", 0) for number in range(FEW)),
]
TEXTS = ["on 3rd Méi or 14 MAY", "so!!!!", "äöüx", ""]


def found(pattern: re.Pattern[str], text: str) -> list[tuple[object, ...]]:
    return [(match.span(), match.groups(), match.groupdict()) for match in pattern.finditer(text)]


def compiled(file: Path | None) -> list[re.Pattern[Any]]:
    re.purge()
    with kept_patterns(file):
        return [re.compile(pattern, flags) for pattern, flags in PATTERNS]


def test_kept_patterns_are_the_same_patterns(tmp_path: Path) -> None:
    usual, made, kept = compiled(None), compiled(tmp_path / "patterns"), compiled(tmp_path / "patterns")
    for one, again in ((made, usual), (kept, usual)):
        assert [(p.pattern, p.flags, p.groups, p.groupindex) for p in one] == [
            (p.pattern, p.flags, p.groups, p.groupindex) for p in again
        ]
    for before, after in zip(usual, kept, strict=True):
        if isinstance(before.pattern, str):
            assert [found(after, text) for text in TEXTS] == [found(before, text) for text in TEXTS]
    assert kept[2].findall(b"\x00\x00a") == usual[2].findall(b"\x00\x00a") == [b"a"]


def test_what_the_file_knows_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled(tmp_path / "patterns")

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr("re._compiler.compile", refuse)
    assert len(compiled(tmp_path / "patterns")) == len(PATTERNS)


def test_python_compiles_as_before_afterwards(tmp_path: Path) -> None:
    before = re._compiler.compile, re._compiler._sre
    compiled(tmp_path / "patterns")
    assert (re._compiler.compile, re._compiler._sre) == before


@pytest.mark.parametrize("harm", [lambda content: content[:-9], lambda _: b"", lambda content: bytes(len(content))])
def test_a_damaged_file_is_made_again(tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    file = tmp_path / "patterns"
    compiled(file)
    whole = file.read_bytes()
    file.write_bytes(harm(whole))
    assert len(compiled(file)) == len(PATTERNS)
    assert file.read_bytes() == whole


def test_a_folder_that_cannot_be_written_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert len(compiled(tmp_path / "file" / "patterns")) == len(PATTERNS)


def test_garbage_is_collected_again_after_imports() -> None:
    import_quickly("json")
    assert gc.isenabled()

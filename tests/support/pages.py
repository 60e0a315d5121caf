"""The pages that people read, and the fenced blocks in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
CONTINUES = "\\"


@dataclass(frozen=True)
class Example:
    """One command of a console block, and what the page says that it prints; nothing where the page does not say."""

    command: str
    output: str


@dataclass(frozen=True)
class Block:
    """One fenced block: its language and its text."""

    language: str
    text: str


def pages() -> list[Path]:
    """Every page, in the order of their names."""
    top = (ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"))
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def blocks(page: Path) -> list[Block]:
    return [Block(language, text) for _, language, text in FENCE.findall(page.read_text())]


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", page.read_text())


def examples(page: Path) -> list[Example]:
    """The commands of the page's console blocks, in order."""
    return [example for block in blocks(page) if block.language == "console" for example in _commands(block.text)]


def _commands(text: str) -> list[Example]:
    found: list[tuple[list[str], list[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif found and found[-1][0][-1].endswith(CONTINUES) and not found[-1][1]:
            found[-1][0].append(line)
        else:
            assert found, f"a console block begins with a command: {line}"
            found[-1][1].append(line)
    return [Example("\n".join(command), "\n".join(output).strip()) for command, output in found]

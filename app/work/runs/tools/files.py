"""Tools for files inside the user's folders."""

from __future__ import annotations

import asyncio
import fnmatch
from collections.abc import Callable, Sequence

from pydantic import Field

from app.work.runs.tools.roots import Entry, PathRefused, Roots
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome, failed_outcome

MOST_BYTES = 1_000_000
MOST_ENTRIES = 500
PATH = "A path inside your folders, such as letters/rent.txt."


class OnePath(Form):
    """One path."""

    path: str = Field(min_length=1, max_length=2000, description=PATH)


class FolderPath(Form):
    """A folder."""

    path: str = Field("", max_length=2000, description="A folder; empty for the first of yours.")


class Pattern(FolderPath):
    """Which names are meant."""

    pattern: str = Field(min_length=1, max_length=200, description="Such as *.txt or **/invoice*.")


class NewContent(OnePath):
    """A file and what it is to hold."""

    content: str = Field(max_length=MOST_BYTES)


class TwoPaths(Form):
    """From where to where."""

    source: str = Field(min_length=1, max_length=2000, description=PATH)
    target: str = Field(min_length=1, max_length=2000, description=PATH)


async def _within(context: ToolContext, work: Callable[[Roots], ToolOutcome]) -> ToolOutcome:
    """Do something beside the event loop; what a path is refused for is told."""
    try:
        return await asyncio.to_thread(work, Roots(context.roots))
    except FileNotFoundError:
        return failed_outcome("not_found", "There is nothing with that path.")
    except PathRefused as refusal:
        return failed_outcome("refused", f"That is not done: {refusal}.")
    except OSError as error:
        return failed_outcome("broken", f"The file system says: {error.strerror}.")


async def _read(context: ToolContext, form: OnePath) -> ToolOutcome:
    def work(roots: Roots) -> ToolOutcome:
        return ToolOutcome(roots.read(form.path, MOST_BYTES).decode("utf-8", "replace"))

    return await _within(context, work)


async def _list(context: ToolContext, form: FolderPath) -> ToolOutcome:
    return await _within(context, lambda roots: _format_entries(roots.entries(form.path, MOST_ENTRIES, deep=False)))


async def _glob(context: ToolContext, form: Pattern) -> ToolOutcome:
    def work(roots: Roots) -> ToolOutcome:
        found = roots.entries(form.path, MOST_ENTRIES * 20, deep=True)
        return _format_entries([one for one in found if fnmatch.fnmatch(one.path, form.pattern)][:MOST_ENTRIES])

    return await _within(context, work)


async def _write(context: ToolContext, form: NewContent) -> ToolOutcome:
    def work(roots: Roots) -> ToolOutcome:
        changed = roots.write(form.path, form.content.encode())
        return ToolOutcome(f"{form.path} {'is written' if changed else 'held exactly that already'}.", changed=changed)

    return await _within(context, work)


async def _check_written(context: ToolContext, form: NewContent) -> str:
    found = await _within(context, lambda roots: ToolOutcome(_text(roots, form)))
    return "" if found.ok and found.text == form.content else f"{form.path} does not hold what was written."


def _text(roots: Roots, form: NewContent) -> str:
    return roots.read(form.path, MOST_BYTES * 4).decode("utf-8", "replace")


async def _copy(context: ToolContext, form: TwoPaths) -> ToolOutcome:
    def work(roots: Roots) -> ToolOutcome:
        changed = roots.copy(form.source, form.target, MOST_BYTES)
        return ToolOutcome(f"{form.source} is copied to {form.target}.", changed=changed)

    return await _within(context, work)


async def _move(context: ToolContext, form: TwoPaths) -> ToolOutcome:
    def work(roots: Roots) -> ToolOutcome:
        roots.move(form.source, form.target)
        return ToolOutcome(f"{form.source} is now {form.target}.", changed=True)

    return await _within(context, work)


async def _delete(context: ToolContext, form: OnePath) -> ToolOutcome:
    def work(roots: Roots) -> ToolOutcome:
        roots.delete(form.path)
        return ToolOutcome(f"{form.path} is deleted.", changed=True)

    return await _within(context, work)


def _format_entries(entries: Sequence[Entry]) -> ToolOutcome:
    lines = [f"{one.path}/" if one.folder else f"{one.path} ({one.size} bytes)" for one in entries]
    return ToolOutcome("\n".join(lines) or "There is nothing.")


def _path(form: OnePath) -> list[str]:
    return [form.path]


def file_tools() -> list[Tool]:
    """Read, list and find; write, copy, move and delete."""
    return [
        Tool("read_file", "Read a text file.", OnePath, "read", _read, idempotent=True, taints=True),
        Tool("list_files", "List a folder.", FolderPath, "read", _list, idempotent=True, taints=True),
        Tool("find_files", "Find files by their names.", Pattern, "read", _glob, idempotent=True, taints=True),
        Tool(
            "write_file",
            "Write a text file.",
            NewContent,
            "write",
            _write,
            idempotent=True,
            after=_check_written,
            writes=_path,
        ),
        Tool("copy_file", "Copy a file.", TwoPaths, "write", _copy, idempotent=True, writes=lambda form: [form.target]),
        Tool(
            "move_file",
            "Move or rename a file or a folder.",
            TwoPaths,
            "write",
            _move,
            writes=lambda form: [form.source, form.target],
        ),
        Tool("delete_file", "Delete a file or an empty folder.", OnePath, "write", _delete, deletes=lambda _: True),
    ]

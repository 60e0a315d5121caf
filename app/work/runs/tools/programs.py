"""Tools that execute programs: a shell and Python, for users to whom an administrator granted them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from pydantic import Field

from app.boundary.programs import Executed, Programs
from app.work.runs.tools.tool import Form, Tool, ToolContext, ToolOutcome, failed_outcome

WHERE_IT_RUNS = "It begins in the user's folder, /files. There is no network, and only what is written in /files stays."
BESIDE_SECONDS = 10.0
"""For starting a program and ending it."""


class ScriptForm(Form):
    """A script of the shell."""

    script: str = Field(min_length=1, max_length=20_000)


class CodeForm(Form):
    """A program."""

    code: str = Field(min_length=1, max_length=20_000, description="It prints what you want to read.")


class ProgramTools:
    """The tools over one kind of cage; ``seconds`` is how long a program may take."""

    def __init__(self, programs: Programs, seconds: float) -> None:
        self._programs = programs
        self._seconds = seconds + BESIDE_SECONDS

    def tools(self) -> list[Tool]:
        """Shell and Python."""
        return [
            Tool(
                "run_shell",
                f"Execute a script of the shell. {WHERE_IT_RUNS}",
                ScriptForm,
                "execute",
                self.shell,
                seconds=self._seconds,
                taints=True,
                program="shell",
            ),
            Tool(
                "run_python",
                f"Execute a program in Python with its standard library. {WHERE_IT_RUNS}",
                CodeForm,
                "execute",
                self.python,
                seconds=self._seconds,
                taints=True,
                program="python",
            ),
        ]

    async def shell(self, context: ToolContext, form: ScriptForm) -> ToolOutcome:
        """What a script printed."""
        return await _execute(context, lambda folders: self._programs.shell(form.script, folders))

    async def python(self, context: ToolContext, form: CodeForm) -> ToolOutcome:
        """What a program printed."""
        return await _execute(context, lambda folders: self._programs.python(form.code, folders))


async def _execute(context: ToolContext, start: Callable[[Sequence[Path]], Awaitable[Executed]]) -> ToolOutcome:
    if not context.roots:
        return failed_outcome("refused", "There is no folder to work in.")
    await asyncio.to_thread(context.roots[0].mkdir, mode=0o700, parents=True, exist_ok=True)
    done = await start(context.roots)
    text = f"{done.output}\n[...]" if done.cut else done.output
    if done.late:
        return failed_outcome("timeout", f"{text}\nIt was ended because it took too long.", foreign=True)
    if done.status:
        return failed_outcome("broken", f"{text}\nIt ended with status {done.status}.", foreign=True)
    return ToolOutcome(text or "It printed nothing.", changed=True)

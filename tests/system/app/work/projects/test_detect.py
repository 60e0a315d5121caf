"""Coding agents that are installed, logged out, broken or missing."""

from __future__ import annotations

from pathlib import Path

from app.work.projects.agents import AGENTS
from app.work.projects.children import ChildSurroundings
from app.work.projects.detect import AgentPrograms


def installed(folder: Path, name: str, script: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


async def test_each_agent_is_told_with_what_it_lacks(tmp_path: Path) -> None:
    installed(tmp_path, "claude", 'echo "2.1.0 (Claude Code)"; echo more')
    installed(tmp_path, "codex", '[ "$1" = login ] && { echo "Not logged in"; exit 1; }; echo codex-cli 1.2.3')
    installed(tmp_path, "cursor-agent", '[ "$1" = status ] && { echo "Logged in as ada"; exit 0; }; echo 2026.1')
    installed(tmp_path, "gemini", "echo boom; exit 3")
    found = {
        one.name: one
        for one in await AgentPrograms(ChildSurroundings({"PATH": f"{tmp_path}:/usr/bin:/bin"})).list_agents()
    }
    assert (found["claude"].version, found["claude"].logged_in) == ("2.1.0 (Claude Code)", None)
    assert (found["codex"].version, found["codex"].logged_in) == ("codex-cli 1.2.3", False)
    assert "Log in" in found["codex"].detail
    assert (found["cursor"].version, found["cursor"].logged_in) == ("2026.1", True)
    assert (found["gemini"].version, "boom" in found["gemini"].detail) == (None, True)


async def test_nothing_is_installed(tmp_path: Path) -> None:
    found = await AgentPrograms(ChildSurroundings({"PATH": str(tmp_path)})).list_agents()
    assert [one.name for one in found] == [agent.name for agent in AGENTS]
    assert all(one.program is None and "PATH" in one.detail for one in found)


async def test_a_program_that_hangs_is_given_up(tmp_path: Path) -> None:
    installed(tmp_path, "claude", "sleep 60")
    found = await AgentPrograms(ChildSurroundings({"PATH": f"{tmp_path}:/usr/bin:/bin"}), seconds=0.3).list_agents()
    assert "no answer" in found[0].detail

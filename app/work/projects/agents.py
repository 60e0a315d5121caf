"""The coding agents that Summit can supervise: how each is called without a person, and how its lines are read.

Prompts come over standard input, which is closed then. Formats: the agents' own pages on headless use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from app.work.projects.events import AgentEvent, dict_at, document_in, text_of

TURN_LIMIT_STATUS = 53
"""Gemini's exit status where it may take no more turns."""


class AgentCli(Protocol):
    """One coding agent on the command line."""

    @property
    def name(self) -> str:
        """What it is called here."""

    @property
    def programs(self) -> tuple[str, ...]:
        """Names of its program; the first that is installed counts."""

    @property
    def login(self) -> tuple[str, ...]:
        """Arguments that tell whether somebody is logged in; empty where only a trial call can tell."""

    @property
    def variables(self) -> tuple[str, ...]:
        """Variables of the environment that it may be given."""

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        """Arguments of a call that reports line by line; ``session`` is one to go on with, ``model`` one to use."""

    def parse(self, line: str) -> AgentEvent:
        """What a line of its output means."""


def other(line: str) -> AgentEvent:
    """A line that is no event of the format."""
    return AgentEvent("other", text_of(line.rstrip()))


@dataclass(frozen=True)
class Claude:
    """Claude Code: a result may say subtype success and is_error at once, and the program may stay after it."""

    name: str = "claude"
    programs: tuple[str, ...] = ("claude",)
    login: tuple[str, ...] = ()
    variables: tuple[str, ...] = ("ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "ANTHROPIC_BASE_URL")

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        """See AgentCli."""
        resumed = ["--resume", session] if session else []
        return [
            "-p",
            "--output-format",
            "stream-json",
            "--verbose",
            "--permission-mode",
            "acceptEdits",
            *_model(model),
            *resumed,
        ]

    def parse(self, line: str) -> AgentEvent:
        """See AgentCli."""
        found = document_in(line)
        if found is None:
            return other(line)
        session = str(found.get("session_id") or "")
        if found.get("type") == "system":
            return AgentEvent("started" if found.get("subtype") == "init" else "other", "", session=session)
        if found.get("type") == "result":
            failed = bool(found.get("is_error")) or found.get("subtype") != "success"
            return AgentEvent("result", text_of(found.get("result")), failed, session, _number(found, "total_cost_usd"))
        return _message(found, session)


@dataclass(frozen=True)
class Cursor:
    """Cursor's agent: messages as Claude Code's, tool calls as events of their own."""

    name: str = "cursor"
    programs: tuple[str, ...] = ("cursor-agent", "agent")
    login: tuple[str, ...] = ("status",)
    variables: tuple[str, ...] = ("CURSOR_API_KEY",)

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        """See AgentCli."""
        resumed = ["--resume", session] if session else []
        return ["-p", "--output-format=stream-json", "--trust", "--force", *_model(model), *resumed]

    def parse(self, line: str) -> AgentEvent:
        """See AgentCli."""
        found = document_in(line)
        if found is None or found.get("type") != "tool_call":
            return Claude().parse(line)
        done = found.get("subtype") == "completed"
        called = next(iter(dict_at(found, "tool_call")), "")
        return AgentEvent("tool_result" if done else "tool", text_of(called))


@dataclass(frozen=True)
class Codex:
    """Codex: threads, turns and items."""

    name: str = "codex"
    programs: tuple[str, ...] = ("codex",)
    login: tuple[str, ...] = ("login", "status")
    variables: tuple[str, ...] = ("OPENAI_API_KEY", "CODEX_API_KEY", "OPENAI_BASE_URL")

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        """See AgentCli."""
        resumed = ["resume", session] if session else []
        return ["exec", "--json", "--full-auto", *_model(model), *resumed, "-"]

    def parse(self, line: str) -> AgentEvent:
        """See AgentCli."""
        found = document_in(line)
        if found is None:
            return other(line)
        match found.get("type"):
            case "thread.started":
                return AgentEvent("started", session=str(found.get("thread_id") or ""))
            case "turn.completed":
                return AgentEvent("result")
            case "turn.failed":
                return AgentEvent("result", text_of(dict_at(found, "error").get("message")), failed=True)
            case "error":
                return AgentEvent("error", text_of(found), failed=True)
            case "item.completed" | "item.started":
                return self._item(dict_at(found, "item"), begun=found["type"] == "item.started")
        return AgentEvent("other")

    def _item(self, item: dict[str, Any], *, begun: bool) -> AgentEvent:
        kind = str(item.get("type") or item.get("item_type") or "")
        if kind == "error":
            return AgentEvent("error", text_of(item.get("message")), failed=True)
        if kind == "agent_message":
            return AgentEvent("said", text_of(item.get("text")))
        if kind == "reasoning":
            return AgentEvent("other")
        failed = bool(item.get("exit_code")) or item.get("status") == "failed"
        return AgentEvent("tool" if begun else "tool_result", text_of(item.get("command") or kind), failed)


@dataclass(frozen=True)
class Gemini:
    """Gemini CLI: exit status 53 says that it may take no more turns."""

    name: str = "gemini"
    programs: tuple[str, ...] = ("gemini",)
    login: tuple[str, ...] = ()
    variables: tuple[str, ...] = ("GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT")

    def arguments(self, session: str = "", model: str = "") -> list[str]:
        """See AgentCli."""
        resumed = ["--resume", session] if session else []
        return ["--output-format", "stream-json", "--approval-mode", "auto_edit", *_model(model), *resumed]

    def parse(self, line: str) -> AgentEvent:
        """See AgentCli."""
        found = document_in(line)
        if found is None:
            return other(line)
        match found.get("type"):
            case "init":
                return AgentEvent("started", session=str(found.get("session_id") or found.get("sessionId") or ""))
            case "message" if found.get("role") == "assistant":
                return AgentEvent("said", text_of(found.get("content")))
            case "tool_use":
                return AgentEvent("tool", text_of(found.get("tool_name")))
            case "tool_result":
                return AgentEvent("tool_result", text_of(found.get("output")), found.get("status") == "error")
            case "error":
                return AgentEvent("error", text_of(found.get("message")), found.get("severity") != "warning")
            case "result":
                failed = found.get("status") != "success"
                return AgentEvent("result", text_of(found.get("error")) if failed else "", failed)
        return AgentEvent("other")


PLAIN: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "claude": (("-p", "--permission-mode", "acceptEdits"), ()),
    "codex": (("exec", "--full-auto"), ("-",)),
    "cursor": (("-p", "--output-format=text", "--trust", "--force"), ()),
    "gemini": (("--output-format", "text", "--approval-mode", "auto_edit"), ()),
}
"""Arguments of a call whose output is for people: those before the model, and those after it."""


@dataclass(frozen=True)
class Plain:
    """An agent whose output is only kept, never read as events: alive while it prints, done when it ends well."""

    of: AgentCli

    @property
    def name(self) -> str:
        """See AgentCli."""
        return self.of.name

    @property
    def programs(self) -> tuple[str, ...]:
        """See AgentCli."""
        return self.of.programs

    @property
    def login(self) -> tuple[str, ...]:
        """See AgentCli."""
        return self.of.login

    @property
    def variables(self) -> tuple[str, ...]:
        """See AgentCli."""
        return self.of.variables

    def arguments(self, session: str = "", model: str = "") -> list[str]:  # noqa: ARG002 - nothing tells of a session
        """See AgentCli."""
        before, after = PLAIN[self.name]
        return [*before, *_model(model), *after]

    def parse(self, line: str) -> AgentEvent:
        """See AgentCli."""
        return AgentEvent("log", text_of(line.rstrip()))


AGENTS: tuple[AgentCli, ...] = (Claude(), Codex(), Cursor(), Gemini())


def _model(name: str) -> list[str]:
    return ["--model", name] if name else []


def _message(found: dict[str, Any], session: str) -> AgentEvent:
    if found.get("type") == "error" or found.get("error"):
        return AgentEvent("error", text_of(found.get("error") or found), failed=True, session=session)
    content = dict_at(found, "message").get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    for block in blocks:
        if block.get("type") == "tool_use":
            return AgentEvent("tool", text_of(block.get("name")), session=session)
        if block.get("type") == "tool_result":
            return AgentEvent("tool_result", text_of(block.get("content")), bool(block.get("is_error")), session)
    if found.get("type") == "assistant":
        return AgentEvent("said", text_of(content), session=session)
    return AgentEvent("other", session=session)


def _number(found: dict[str, Any], name: str) -> float | None:
    value = found.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

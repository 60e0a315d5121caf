"""How the lines of each agent are read, and which of them tell of trouble."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.work.projects.agents import AGENTS, AgentCli
from app.work.projects.events import Kind
from app.work.projects.heartbeat import Observed, Windows, judge
from app.work.projects.trouble import Trouble, reset_time, trouble_in, trouble_of

BY_NAME = {agent.name: agent for agent in AGENTS}
LINES: list[tuple[str, dict[str, Any], Kind, bool]] = [
    ("claude", {"type": "system", "subtype": "init", "session_id": "1"}, "started", False),
    ("claude", {"type": "assistant", "message": {"content": [{"type": "text", "text": "Hello"}]}}, "said", False),
    ("claude", {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash"}]}}, "tool", False),
    (
        "claude",
        {"type": "user", "message": {"content": [{"type": "tool_result", "content": "x"}]}},
        "tool_result",
        False,
    ),
    ("claude", {"type": "result", "subtype": "success", "is_error": True, "result": "no"}, "result", True),
    ("claude", {"type": "result", "subtype": "error_max_turns", "is_error": False}, "result", True),
    ("codex", {"type": "thread.started", "thread_id": "1"}, "started", False),
    ("codex", {"type": "item.started", "item": {"type": "command_execution", "command": "ls"}}, "tool", False),
    ("codex", {"type": "item.completed", "item": {"type": "command_execution", "exit_code": 1}}, "tool_result", True),
    ("codex", {"type": "item.completed", "item": {"type": "agent_message", "text": "Hello"}}, "said", False),
    ("codex", {"type": "turn.completed", "usage": {}}, "result", False),
    ("codex", {"type": "turn.failed", "error": {"message": "no"}}, "result", True),
    ("codex", {"type": "error", "message": "no"}, "error", True),
    ("cursor", {"type": "tool_call", "subtype": "started", "tool_call": {"readToolCall": {}}}, "tool", False),
    ("cursor", {"type": "tool_call", "subtype": "completed", "tool_call": {"readToolCall": {}}}, "tool_result", False),
    ("cursor", {"type": "result", "subtype": "success", "is_error": False, "result": "ok"}, "result", False),
    ("gemini", {"type": "init", "session_id": "1"}, "started", False),
    ("gemini", {"type": "message", "role": "assistant", "content": "Hello", "delta": True}, "said", False),
    ("gemini", {"type": "message", "role": "user", "content": "Hello"}, "other", False),
    ("gemini", {"type": "tool_use", "tool_name": "shell"}, "tool", False),
    ("gemini", {"type": "tool_result", "status": "error", "output": "no"}, "tool_result", True),
    ("gemini", {"type": "error", "severity": "warning", "message": "slow"}, "error", False),
    ("gemini", {"type": "result", "status": "success"}, "result", False),
]
NO_TROUBLE = [
    {"type": "assistant", "message": {"content": [{"type": "text", "text": "The server answered 401 Unauthorized."}]}},
    {"type": "user", "message": {"content": [{"type": "tool_result", "content": "429 Too Many Requests"}]}},
    {"type": "item.completed", "item": {"type": "command_execution", "command": "grep -n 'out of memory' log"}},
    {"type": "tool_call", "subtype": "completed", "tool_call": {"shellToolCall": {"result": "usage limit reached"}}},
    {"type": "tool_result", "status": "success", "output": "Do you trust the files in this folder?"},
]


@pytest.mark.parametrize(("name", "line", "kind", "failed"), LINES)
def test_each_line_is_one_kind_of_event(name: str, line: dict[str, Any], kind: Kind, failed: bool) -> None:  # noqa: FBT001
    event = BY_NAME[name].parse(json.dumps(line))
    assert (event.kind, event.failed) == (kind, failed)


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
@pytest.mark.parametrize(
    "line", ["", "\n", "{", "{}", "[]", "null", '{"type": 1}', '{"message": []}', "{" * 2000, "\x00ÿ"]
)
def test_no_line_stops_a_reader(agent: AgentCli, line: str) -> None:
    assert agent.parse(line).kind in ("other", "error")


@pytest.mark.parametrize("agent", AGENTS, ids=lambda agent: agent.name)
def test_what_an_agent_says_or_reads_is_no_trouble(agent: AgentCli) -> None:
    for line in NO_TROUBLE:
        assert trouble_in(agent.parse(json.dumps(line))) is None


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("You have reached your weekly limit, hit your weekly limit until Monday", "usage_limit"),
        ("Your credit balance is too low", "billing"),
        ("error: 503 service unavailable", "overloaded"),
        ("gave up after 5 tries, last status 401", "auth"),
        ("fatal: cannot create .git/HEAD.lock: File exists", "git_lock"),
        ("Killed: out of memory", "oom"),
        ("Overwrite it? [y/N]", "awaiting_input"),
        ("gave up after 5 tries, last status 429", "rate_limit"),
        ("read ECONNRESET", "network"),
        ("Compiling serde v1.0.429", None),
        ("warning: unused variable: `limit`", None),
        ("404 not found", None),
    ],
)
def test_plain_lines_tell_their_trouble(line: str, kind: Trouble | None) -> None:
    assert trouble_of(line) == kind


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Choose an authentication method first, see settings.json", "auth"),
        ("Error: OPENAI_API_KEY environment variable is not set", "auth"),
        ("Missing API key. Export ANTHROPIC_API_KEY and try again", "auth"),
        ("No credentials were found", "auth"),
        ("You are not authenticated", "auth"),
        ("Login required", "auth"),
        ("the method of the class has a type", None),
        ("wrote the key to api.txt", None),
    ],
)
def test_some_words_are_the_reason_of_an_end_and_no_trouble_before(line: str, kind: Trouble | None) -> None:
    assert trouble_of(line, at_end=True) == kind
    assert trouble_of(line) is None


@pytest.mark.parametrize("at_end", [False, True])
def test_a_long_line_takes_no_time(at_end: bool) -> None:  # noqa: FBT001
    assert trouble_of("please log " * 200_000, at_end=at_end) is None


def test_when_a_limit_ends() -> None:
    assert reset_time("usage limit reached|1893456000") == 1893456000
    assert reset_time('"resets_at": 1893456000') == 1893456000
    assert reset_time("usage limit reached") is None


@pytest.mark.parametrize(
    ("seen", "action"),
    [
        (Observed(quiet=1), "continue"),
        (Observed(quiet=301), "diagnose"),
        (Observed(quiet=1, repeats=20), "diagnose"),
        (Observed(quiet=1, trouble="overloaded"), "continue"),
        (Observed(status=1, trouble="overloaded"), "back_off"),
        (Observed(quiet=1, trouble="git_lock"), "back_off"),
        (Observed(result="good", since_result=1), "continue"),
        (Observed(result="good", since_result=11), "kill"),
        (Observed(status=0, result="good"), "done"),
        (Observed(status=0), "failed"),
        (Observed(status=137), "resume"),
        (Observed(status=137, resumed=1), "failed"),
        (Observed(status=1, trouble="network"), "resume"),
        (Observed(status=53), "failed"),
        (Observed(status=1, trouble="billing"), "ask"),
    ],
)
def test_what_was_seen_has_its_verdict(seen: Observed, action: str) -> None:
    assert judge(seen, Windows()).action == action


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (
            Observed(status=52, words="The lawn is closed."),
            "It ended with status 52. Its last words: “The lawn is closed.”.",
        ),
        (Observed(status=0, words="Bye"), "It ended without a result. Its last words: “Bye”."),
        (Observed(status=3), "It ended with status 3."),
        (
            Observed(status=9, trouble="auth", words="Who are you?"),
            "It needs a person: login. Its last words: “Who are you?”.",
        ),
    ],
)
def test_a_verdict_quotes_the_last_words(seen: Observed, why: str) -> None:
    assert judge(seen, Windows()).why == why

"""What may be kept as a workflow, and whose changes wait for a yes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from app.work.workflows.definition import Definition
from app.work.workflows.starters import starters
from app.work.workflows.template import fill, variables

SAY: dict[str, Any] = {"id": "say", "kind": "turn", "message": "Add milk"}
MEMO: dict[str, Any] = {"kind": "memo"}


def defined(*steps: dict[str, Any], **more: Any) -> Definition:
    return Definition.model_validate({"slug": "one", "name": "One", "steps": list(steps), **more})


def test_a_step_may_use_inputs_and_earlier_steps() -> None:
    found = defined(
        {"id": "find", "kind": "memory_query", "question": "{{inputs.topic}}?"},
        {"id": "tell", "kind": "notify", "text": "{{ steps.find }} about {{inputs.topic}}"},
        inputs=["topic"],
    )
    assert [step.id for step in found.steps] == ["find", "tell"]
    assert not found.needs_model()


@pytest.mark.parametrize(
    ("steps", "more", "told"),
    [
        ([{**SAY, "message": "{{inputs.topic}}"}], {}, "step say: there is no {{inputs.topic}} before it"),
        ([{**SAY, "message": "{{steps.say}}"}], {}, "step say: there is no {{steps.say}} before it"),
        ([{**SAY, "message": "{{steps.later}}"}, {**SAY, "id": "later"}], {}, "no {{steps.later}} before it"),
        ([{**SAY, "message": "{{inputs.memo_text}}"}], {}, "no {{inputs.memo_text}} before it"),
        ([{**SAY, "message": "{{ 1 + 1 }}"}], {"inputs": ["a"]}, "between {{ and }} stands one name"),
        ([{**SAY, "message": "{{inputs.a"}], {"inputs": ["a"]}, "between {{ and }} stands one name"),
        ([SAY, SAY], {}, "two steps are called say"),
        ([SAY], {"inputs": ["a", "a"]}, "two inputs have the same name"),
        ([SAY], {"inputs": ["a"], "trigger": MEMO}, "a memo gives no inputs of yours"),
        ([{"id": "t", "kind": "mcp_tool", "tool": "x"}], {}, "Field required"),
        ([{"id": "t", "kind": "shell", "run": "ls"}], {}, "'mail_send', 'condition', 'notify'"),
        ([{"id": "t", "kind": "mcp_tool", "server": "s", "tool": "x", "arguments": {"a": "{{b}}"}}], {}, "no {{b}}"),
        ([{**SAY, "prompt": "x"}], {}, "Extra inputs are not permitted"),
        ([], {}, "at least 1 item"),
        ([SAY], {"slug": "Not One"}, "String should match pattern"),
        ([{"id": "c", "kind": "condition", "value": "x", "test": "contains"}], {}, "`contains` needs `words`"),
        ([SAY], {"inputs": ["a"], "trigger": {"kind": "schedule", "rule": "FREQ=DAILY"}}, "gives no inputs"),
    ],
)
def test_what_cannot_work_is_an_error_when_it_is_saved(
    steps: list[dict[str, Any]], more: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValidationError) as error:
        defined(*steps, **more)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("every sunday", "a rule looks like"),
        ("FREQ=MINUTELY", "once an hour is the most frequent"),
        ("FREQ=HOURLY;BYMINUTE=0,1,2", "once an hour is the most frequent"),
        ("FREQ=HOURLY;BYSECOND=0,1", "once an hour is the most frequent"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "this rule never comes to pass"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_refused(rule: str, told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        defined(SAY, trigger={"kind": "schedule", "rule": rule})


@pytest.mark.parametrize(
    ("message", "act", "asks"),
    [
        ("Add milk", False, False),
        ("Add {{inputs.topic}}", False, False),
        ("Add {{inputs.memo_text}}", False, True),
        ("Add {{inputs.memo_title}}", False, True),
        ("Add {{steps.find}}", False, True),
        ("Add {{steps.find}}", True, False),
    ],
)
def test_changes_made_of_foreign_words_wait_for_a_yes(message: str, act: bool, asks: bool) -> None:  # noqa: FBT001
    find = {"id": "find", "kind": "memory_query", "question": "What now?"}
    given: dict[str, Any] = {"trigger": MEMO} if "memo" in message else {"inputs": ["topic"]}
    found = defined(find, {**SAY, "message": message, "act": act}, **given)
    assert [found.asks_first(step) for step in found.steps] == [False, asks]


def test_a_value_is_text_even_where_it_looks_like_a_variable() -> None:
    values = {"inputs.a": "{{inputs.b}}", "inputs.b": "secret"}
    assert fill("<{{inputs.a}}> {{ inputs.b }}", values) == "<{{inputs.b}}> secret"
    assert variables("{{inputs.b}} {{inputs.a}} {{inputs.b}}") == ["inputs.b", "inputs.a"]


def test_the_starters_can_be_saved() -> None:
    found = starters()
    assert list(found) == ["ask-my-memory", "meeting-notes-to-tasks", "weekly-review"]
    assert [name for name, one in found.items() if one.needs_model()] == ["meeting-notes-to-tasks"]
    asked = {name: [step.id for step in one.steps if one.asks_first(step)] for name, one in found.items()}
    assert asked == {"ask-my-memory": [], "meeting-notes-to-tasks": ["add"], "weekly-review": []}


def test_there_is_a_json_schema() -> None:
    schema = Definition.model_json_schema()
    kinds = schema["properties"]["steps"]["items"]["discriminator"]["mapping"]
    mail = ["mail_read", "mail_send"]
    assert sorted(kinds) == ["condition", *mail, "mcp_tool", "memory_query", "model", "notify", "turn"]


def test_the_examples_of_the_guide_can_be_saved() -> None:
    guide = (Path(__file__).parents[5] / "docs/guide/workflows.md").read_text("utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
    assert [Definition.model_validate(yaml.safe_load(one)).slug for one in examples] == ["roof"]
    assert all(f"`{name}`" in guide for name in starters())

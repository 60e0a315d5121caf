"""What the log tells of a repair that fails: its kind, and nothing that a user wrote."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from app.models.llm.requests import Call
from app.models.llm.trust import repair_calls
from app.models.llm.written_calls import Called


async def confused(messages: Sequence[BaseMessage], _tools: Sequence[Mapping[str, Any]]) -> list[Called]:
    """A model that puts words of its user where the name of a tool belongs."""
    known = re.findall("[0-9a-f]{32}", str(messages))[-1]
    return [
        {"name": "PatchFunctionName", "args": {"json_doc_id": known, "reasoning": [], "fixed_name": "Ada in Zanzibar"}}
    ]


async def test_a_repair_that_fails_is_told_without_words_of_the_user(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "app")
    wrong = Call("create_task", {"notes": "x"}, "title: field required")
    assert await repair_calls([wrong], [], confused) == [wrong]
    assert "was not put right: KeyError" in caplog.text
    assert "Zanzibar" not in caplog.text

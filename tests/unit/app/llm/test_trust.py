"""What the log tells of a repair that fails: its kind, and nothing that a user wrote."""

from __future__ import annotations

import re
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableLambda

from app.llm.requests import Call
from app.llm.trust import repaired


class Confused:
    """A model that puts words of its user where the name of a tool belongs."""

    def bind_tools(self, *_: Any, **__: Any) -> Runnable[Any, AIMessage]:
        return RunnableLambda(_renamed)


def _renamed(asked: Any) -> AIMessage:
    known = re.findall("[0-9a-f]{32}", str(asked))[-1]
    args = {"json_doc_id": known, "reasoning": [], "fixed_name": "meet Ada in Zanzibar"}
    return AIMessage("", tool_calls=[{"name": "PatchFunctionName", "args": args, "id": "1", "type": "tool_call"}])


async def test_a_repair_that_fails_is_told_without_words_of_the_user(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "app")
    wrong, client = Call("create_task", {"notes": "x"}, "title: field required"), Confused()
    asked: Any = client
    assert await repaired([wrong], [], asked) == [wrong]
    assert "was not put right: KeyError" in caplog.text
    assert "Zanzibar" not in caplog.text

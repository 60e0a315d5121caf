"""LangGraph's own client of the live server, a thread of it, and a user who wants to be asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.support.servers.live import key_of

if TYPE_CHECKING:
    from langgraph_sdk.client import SyncLangGraphClient


def langgraph_address(user: httpx.Client) -> str:
    """Where LangGraph's clients find the live server."""
    return str(user.base_url.copy_with(path="/lg"))


@pytest.fixture
def sdk(alice: httpx.Client) -> Iterator[SyncLangGraphClient]:
    from langgraph_sdk import get_sync_client

    with get_sync_client(url=langgraph_address(alice), api_key=key_of(alice)) as made:
        yield made


@pytest.fixture
def thread(sdk: SyncLangGraphClient) -> str:
    return str(sdk.threads.create()["thread_id"])


@pytest.fixture
def careful(alice: httpx.Client) -> httpx.Client:
    """A user who wants to be asked before tasks are added."""
    assert alice.post("/v1/instructions", json={"text": "always ask me before adding tasks"}).status_code == 201
    return alice

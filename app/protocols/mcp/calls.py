"""Summit's own HTTP API as the tools call it: from inside the server, or from a program beside it."""

from __future__ import annotations

from typing import Any

import httpx

PROBLEM = 400


class ToolRefused(Exception):  # noqa: N818 - an answer, not a fault
    """The API said no; the message is the problem's detail and hint."""


class Calls:
    """Requests of one caller. ``client`` knows the address and the key."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def get(self, path: str, **query: Any) -> dict[str, Any]:
        """Read something; parameters that are None are left out. Raises Refused."""
        return await self._ask("GET", path, params={name: value for name, value in query.items() if value is not None})

    async def post(self, path: str, body: dict[str, Any], key: str | None = None) -> dict[str, Any]:
        """Do something, once for each key. Raises Refused."""
        return (await self.post_change(path, body, key))[0]

    async def post_change(
        self, path: str, body: dict[str, Any], key: str | None = None
    ) -> tuple[dict[str, Any], str | None]:
        """The same, with the id of the one change that was made, where the answer names it. Raises Refused."""
        answer = await self._answer("POST", path, json=body, headers={"Idempotency-Key": key} if key else {})
        return answer.json(), answer.headers.get("x-change-id")

    async def _ask(self, method: str, path: str, **values: Any) -> dict[str, Any]:
        document: dict[str, Any] = (await self._answer(method, path, **values)).json()
        return document

    async def _answer(self, method: str, path: str, **values: Any) -> httpx.Response:
        try:
            answer = await self._client.request(method, path, **values)
        except httpx.HTTPError as error:
            raise ToolRefused(f"No answer from Summit ({type(error).__name__}). Is `summit serve` running?") from error
        if answer.status_code >= PROBLEM:
            document = answer.json()
            raise ToolRefused(" ".join(filter(None, (document.get("detail"), document.get("hint")))))
        return answer

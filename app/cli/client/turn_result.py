"""Fetch how a turn ended over HTTP: its events may be pruned before a slow client reads them."""

from __future__ import annotations

from typing import Any

import httpx

RESULT_SECONDS = 10.0
FINISHED = frozenset({"done", "failed", "cancelled", "waiting"})


async def turn_result(url: str, headers: dict[str, str], text: str, key: str) -> list[dict[str, Any]]:
    """The last events of the turn that a message became, as its row tells them; none while it is not finished.

    The message is sent again with its key: that does nothing twice, and finds the turn without knowing its id.
    """
    again = {**headers, "Idempotency-Key": key, "Prefer": "respond-async"}
    try:
        async with httpx.AsyncClient(base_url=url, timeout=RESULT_SECONDS) as client:
            answer = await client.post("/v1/turns", json={"text": text}, headers=again)
    except httpx.HTTPError:
        return []
    turn = answer.json() if answer.is_success else {}
    if turn.get("status") not in FINISHED:
        return []
    question = turn["question"]
    told: list[tuple[str, dict[str, Any]]] = [("question.asked", question)] if question else []
    reply = {"reply": turn["reply"] or "", "suggestion": turn["suggestion"]}
    told += [("reply.completed", reply), ("turn.done", {name: turn[name] for name in ("status", "disposition")})]
    return [{"type": kind, "seq": 0, "turn_id": turn["id"], "data": data} for kind, data in told]

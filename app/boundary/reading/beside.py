"""The built-in understanding with what may take long read beside the server, so that nobody else waits for it."""

from __future__ import annotations

import re
from typing import Protocol

from agents.contract import Proposed, RouterDecision, Worker
from agents.ports import Ask
from agents.understanding import BuiltIn
from app.boundary.reading.forkserver import ReadingTooSlow
from app.boundary.reading.messages import ReadingReply, Request

TOO_SLOW = "I could not read this message in time; nothing was changed. Please split it."
PART_TOO_SLOW = "I could not read this part in time, so it is left undone: please split it."
JOINTS = re.compile(r"[,;.\n]|\band\b")
MOST_WORK = 2000
"""Parts of a message times what was found for it: each part may be compared with each. What is stored is looked up."""
LONGEST_BEFORE = 1000
"""Characters of an earlier message: a correction of it has it read again."""


class Readers(Protocol):
    """Where messages are read that may take long."""

    async def read(self, request: bytes) -> bytes:
        """The reply to a request, both as JSON; raises TooSlow."""

    async def close(self) -> None:
        """End what reads."""


class ReadBeside:
    """Reads short messages here and long ones in a child process; ``quick`` is where long begins, in characters."""

    def __init__(self, built_in: BuiltIn, readers: Readers, *, quick: int) -> None:
        self._built_in = built_in
        self._readers = readers
        self._quick = quick

    async def route(self, ask: Ask) -> RouterDecision:
        """The decision; one that says so if there was too little time."""
        if self._is_quick(ask):
            return await self._built_in.route(ask)
        try:
            decision = (await self._read(Request(ask=ask))).decision
        except ReadingTooSlow:
            decision = None
        return decision or RouterDecision(disposition="reply", acknowledgement=TOO_SLOW)

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """One agent's share; an answer that says so if there was too little time."""
        if self._is_quick(ask):
            return await self._built_in.propose(worker, ask)
        try:
            proposed = (await self._read(Request(ask=ask, worker=worker))).proposed
        except ReadingTooSlow:
            proposed = None
        return proposed or Proposed(answers=[PART_TOO_SLOW])

    async def close(self) -> None:
        """End the child process."""
        await self._readers.close()

    async def _read(self, request: Request) -> ReadingReply:
        reply = ReadingReply.model_validate_json(await self._readers.read(await request.to_json()))
        if reply.fault:
            raise RuntimeError(f"a reader failed:\n{reply.fault}")
        return reply

    def _is_quick(self, ask: Ask) -> bool:
        """Return whether a message is read in milliseconds, by its length, its parts and what was found for it."""
        if len(ask.text) > self._quick or any(len(one.said) > LONGEST_BEFORE for one in ask.recent):
            return False
        found = len(ask.history or ()) + len(ask.imported or ())
        return len(JOINTS.findall(ask.text)) * found <= MOST_WORK

"""The durable queue of turns: accepted before acknowledged, one writer per thread, leases with fencing tokens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb

from agents.contract import Outcome, Proposal, Question
from app.database.database import Connection, Database
from app.database.signals import Listener, Signals
from app.errors import Conflict, InvalidInput, NotFound, TooManyRequests
from app.http.accounts.model.users import main_thread
from app.principal import StaleLease
from app.records.model.events import EventDraft
from app.records.store.event_log import as_arrays, insert_events
from app.turns.model.turns import Accepted, Ahead, Finished, NewTurn, Turn, TurnState, completed_event, done_event
from app.turns.store import queries
from app.voice.model import NewMemo
from app.voice.store.recordings import Reception

CHARS_PER_TOKEN = 4


NEW_KEY = "Use a new one for a new message; MCP calls it request_id, AG-UI runId, and LangGraph the id of the message."


class Inbox:
    """The durable queue of turns in Postgres: one writer per thread, leases, fencing tokens.

    ``lease_seconds`` is how long a silent server keeps a turn.
    """

    def __init__(
        self,
        database: Database,
        signals: Signals,
        *,
        lease_seconds: float,
        max_queued: int,
        max_queued_of_user: int = 500,
        usual_timezone: str = "UTC",
        reception: Reception,
    ) -> None:
        self._database = database
        self._signals = signals
        self._lease = lease_seconds
        self._max_queued = max_queued
        self._max_queued_of_user = max_queued_of_user
        self._usual_timezone = usual_timezone
        self._reception = reception

    async def accept(self, new: NewTurn) -> Accepted:
        """Commit a turn before it is acknowledged, leased to the caller when its thread is free.

        Raises InvalidInput, NotFound, Conflict, TooManyRequests.
        """
        values = self._accepting(new)
        answers = new.answers_turn_id or new.answers_question_id
        aside = (new.memo, answers, new.speak, new.borrowed, new.client)
        if new.reading is None and not any(aside):
            row = await self._database.step(queries.ACCEPT, values)
        else:
            async with self._database.tenant(new.user_id) as conn:
                [row] = await (await conn.execute(queries.ACCEPT, values)).fetchall()
                if row["verdict"] == "accepted":
                    await self._keep_more(conn, new, row)
        accepted = _accept_or_raise(row, new)
        self._signals.wake(new.user_id)
        return accepted

    async def claim(self, user_id: UUID, thread_id: UUID) -> Turn | None:
        """Lease the head of a thread's queue, or None when there is nothing to do now.

        What an earlier try of the turn held for calls to models, whose server died, is given back with that.
        """
        values = {"user_id": user_id, "thread_id": thread_id, "lease": self._lease}
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(queries.CLAIM, values)).fetchone()
            if row and row["lease_generation"] > 1:
                await conn.execute(queries.GIVE_BACK, (user_id, row["id"]))
        return _turn(row) if row else None

    def cancels(self, turn: Turn) -> AbstractContextManager[Listener]:
        """Wakes when someone asks to cancel the turn, here or at another server; ``renew`` tells whether it is so."""
        return self._signals.listen(turn.id)

    async def renew(self, turn: Turn) -> bool:
        """Extend the lease; True if a cancel was requested. Raises StaleLease when the lease was lost."""
        async with self._database.tenant(turn.user_id) as conn:
            await conn.execute("set local synchronous_commit = off")
            row = await (await conn.execute(queries.RENEW, {**_lease_key(turn), "lease": self._lease})).fetchone()
        if row is None:
            raise StaleLease
        return bool(row["cancel_requested"])

    async def finish(
        self, turn: Turn, state: TurnState, outcome: Outcome, usage: dict[str, Any], told: Sequence[EventDraft] = ()
    ) -> Finished:
        """Commit result, messages, the events in ``told`` and the final events in one transaction.

        Raises StaleLease when the lease was lost.
        """
        values = {
            **_lease_key(turn),
            "state": state,
            "result": Jsonb(outcome.model_dump(mode="json")),
            "usage": Jsonb(usage),
            "replied": outcome.reply,
            "said_tokens": _tokens(turn.text or ""),
            "replied_tokens": _tokens(outcome.reply),
            **as_arrays([*told, *_last_events(state, outcome, usage)]),
        }
        if outcome.heard_right is None:
            row = await self._database.step(queries.FINISH, values)
        else:
            async with self._database.tenant(turn.user_id) as conn:
                [row] = await (await conn.execute(queries.FINISH, values)).fetchall()
                await conn.execute(queries.HEARD_RIGHT, {**_lease_key(turn), "memo_id": UUID(outcome.heard_right)})
        self._signals.wake(turn.user_id)
        return Finished(_turn(row), more=row["more"] > 0)

    async def seal(self, turn: Turn) -> Turn:
        """End every write that may still be under way for a running turn; raises StaleLease when it was lost."""
        sealed = await self._one(turn.user_id, queries.SEAL, _lease_key(turn))
        if sealed is None:
            raise StaleLease
        return sealed

    async def in_the_way(self, new: NewTurn) -> Turn | None:
        """The turn that runs where a new message wants to; None for a message that was accepted before."""
        thread_id = new.thread_id or main_thread(new.user_id)
        values = {"user_id": new.user_id, "thread_id": thread_id, "key": new.idempotency_key}
        return await self._one(new.user_id, queries.IN_THE_WAY, values)

    async def release(self, turn: Turn, *, counts: bool = True) -> None:
        """Hand an unfinished turn back, so that nobody need wait for its lease to end; raises StaleLease.

        A try that does not count as an attempt was ended by something that is not the turn's fault.
        """
        values = {**_lease_key(turn), "uncounted": 0 if counts else 1}
        if await self._one(turn.user_id, queries.RELEASE, values) is None:
            raise StaleLease
        self._signals.wake(turn.user_id)

    async def threads_to_run(self, limit: int = 100) -> list[tuple[UUID, UUID]]:
        """(user, thread) pairs of all tenants that have a turn to run and nobody running it."""
        async with self._database.system() as conn:
            rows = await (await conn.execute("select owner, thread from turns_to_run(%s)", (limit,))).fetchall()
        return [(row["owner"], row["thread"]) for row in rows]

    async def knows(self, user_id: UUID, key: str) -> bool:
        """Whether a turn was accepted with that Idempotency-Key."""
        async with self._database.one_statement(user_id) as conn:
            return await (await conn.execute(queries.IS_KNOWN_KEY, (user_id, key))).fetchone() is not None

    async def sent_before(self, user_id: UUID, thread_id: UUID, body_hash: bytes) -> Turn | None:
        """The latest of a thread's last turns that the same request made within the hour."""
        values = {"user_id": user_id, "thread_id": thread_id, "body_hash": body_hash}
        return await self._one(user_id, queries.SENT_BEFORE, values)

    async def of_thread(self, user_id: UUID, thread_id: UUID, limit: int) -> list[Turn]:
        """A thread's turns, the latest first, those that wait among them."""
        async with self._database.one_statement(user_id) as conn:
            values = {"user_id": user_id, "thread_id": thread_id, "limit": limit}
            return [_turn(row) for row in await (await conn.execute(queries.OF_THREAD, values)).fetchall()]

    async def get(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """One turn."""
        return await self._one(user_id, queries.GET, {"user_id": user_id, "id": turn_id})

    async def client_data(self, user_id: UUID, turn_ids: Sequence[UUID]) -> dict[UUID, dict[str, Any]]:
        """What clients keep with these turns; without those that keep nothing."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(queries.CLIENT_DATA, (user_id, list(turn_ids)))).fetchall()
        return {row["id"]: row["client"] for row in rows}

    async def ahead(self, turn: Turn) -> Ahead | None:
        """What a queued turn waits for; None for one that is next, or not queued any more."""
        async with self._database.one_statement(turn.user_id) as conn:
            values = {"user_id": turn.user_id, "thread_id": turn.thread_id}
            row = await (await conn.execute(queries.TURNS_AHEAD, values)).fetchone()
        found = Ahead(**row) if row else None
        return None if found and found.turn_id == turn.id and not found.memo_state else found

    async def follow_up(self, turn: Turn) -> Turn | None:
        """What ended the question of a turn: its answer from a door, else what came next in its thread, if anything."""
        values = {"user_id": turn.user_id, "id": turn.id, "thread_id": turn.thread_id, "seq": turn.seq}
        return await self._one(turn.user_id, queries.FOLLOW_UP, values)

    async def request_cancel(self, user_id: UUID, turn_id: UUID) -> Turn | None:
        """Cancel a queued turn at once, ask a running one to stop; the row as it is then."""
        outcome = Outcome(disposition="reply", reply="Cancelled before anything was done.")
        values = {"user_id": user_id, "id": turn_id, "result": Jsonb(outcome.model_dump(mode="json"))}
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(queries.CANCEL, values)).fetchone()
            if row and row["just_cancelled"]:
                await insert_events(conn, user_id, turn_id, _last_events("cancelled", outcome, {}))
        self._signals.wake(user_id)
        self._signals.wake(turn_id)
        return _turn(row) if row else await self.get(user_id, turn_id)

    async def deliver_transcript(
        self,
        user_id: UUID,
        memo_id: UUID,
        text: str,
        *,
        unsure: bool = False,
        breaks_off: bool = False,
        reply: str | None = None,
    ) -> Turn | None:
        """Give the turn that waits for a clip its words, or the ``reply`` it ends with when there are none.

        The end of a recording that ``breaks_off`` is missing: it is said where unsure words are read back.
        """
        values = {"user_id": user_id, "memo_id": memo_id, "text": text, "unsure": unsure, "reply": reply}
        values["breaks_off"] = breaks_off
        return await self._one(user_id, queries.TRANSCRIBED, values)

    async def _one(self, user_id: UUID, query: str, values: dict[str, Any]) -> Turn | None:
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(query, values)).fetchone()
        return _turn(row) if row else None

    def _accepting(self, new: NewTurn) -> dict[str, Any]:
        return {
            "user_id": new.user_id,
            "id": uuid4(),
            "thread_id": new.thread_id or main_thread(new.user_id),
            "key": new.idempotency_key,
            "body_hash": new.body_hash,
            "text": new.text,
            "memo_id": new.memo.id if new.memo else new.of_memo,
            "captured_at": new.captured_at,
            "timezone": new.timezone,
            "usual_timezone": self._usual_timezone,
            "lease": self._lease,
            "alone": new.strategy == "reject",
            "most": self._max_queued,
            "most_of_user": self._max_queued_of_user,
        }

    async def _keep_more(self, conn: Connection, new: NewTurn, turn: dict[str, Any]) -> None:
        """What only some messages have: a clip, the question they answer, how they are to be read."""
        if new.answers_turn_id or new.answers_question_id:
            turn |= {"answers": new.answers_turn_id, "question": new.answers_question_id}
            await conn.execute(queries.ANSWERING, turn)
        if new.reading is not None:
            turn["reading"] = [item.model_dump(mode="json") for item in new.reading]
            await conn.execute(queries.READING, {**turn, "reading": Jsonb(turn["reading"])})
        if new.speak:
            turn["speak"] = True
            await conn.execute(queries.SPEAKING, turn)
        if new.borrowed:
            turn["borrowed"] = True
            await conn.execute(queries.BORROWED, turn)
        if new.client:
            turn["client"] = new.client
            await conn.execute(queries.CLIENT, {**turn, "client": Jsonb(new.client)})
        if new.memo:
            await self._keep_memo(conn, new, new.memo, turn)

    async def _keep_memo(self, conn: Connection, new: NewTurn, memo: NewMemo, turn: dict[str, Any]) -> None:
        values = {**vars(memo), "user_id": new.user_id, "turn_id": turn["id"], "timezone": turn["timezone"]}
        await conn.execute(queries.INSERT_MEMO, values)
        await self._reception.add_to_ledger(conn, new.user_id, memo.id)
        await self._reception.defer_transcription(conn, new.user_id, memo.id)


def _accept_or_raise(row: dict[str, Any], new: NewTurn) -> Accepted:
    match row["verdict"]:
        case "accepted":
            return Accepted(_turn(row), replayed=False)
        case "known":
            if bytes(row["body_hash"]) != new.body_hash:
                raise InvalidInput("This Idempotency-Key was used for a different message.", hint=NEW_KEY)
            return Accepted(_turn(row), replayed=True)
        case "unknown":
            raise NotFound("There is no such thread.", hint="Leave thread_id out to use your main thread.")
        case "archived":
            raise Conflict("This thread is archived.", hint="Set its status to active, or use another thread.")
        case "busy":
            raise Conflict("This thread is busy and the message was sent with strategy=reject.")
        case "crowded":
            raise TooManyRequests(f"{row['waiting']} messages of yours wait already, in all threads together.")
        case _:
            raise TooManyRequests(f"{row['waiting']} messages wait in this thread already.")


def _lease_key(turn: Turn) -> dict[str, Any]:
    return {"user_id": turn.user_id, "id": turn.id, "generation": turn.generation}


def _tokens(text: str) -> int:
    """A rough count, as no tokenizer is at hand without a model."""
    return -(-len(text) // CHARS_PER_TOKEN)


def _last_events(state: TurnState, outcome: Outcome, usage: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    question = outcome.question
    asked = [("question.asked", _question_data(question))] if question else []
    return [
        *asked,
        *(("citation", citation.model_dump(mode="json")) for citation in outcome.citations),
        completed_event(outcome),
        ("usage", usage),
        done_event(state, outcome),
    ]


def _question_data(question: Question) -> dict[str, Any]:
    return {"id": question.pending.id, "text": question.text, "options": question.options}


def _turn(row: dict[str, Any]) -> Turn:
    finished: datetime | None = row["finished_at"]
    return Turn(
        id=row["id"],
        user_id=row["user_id"],
        thread_id=row["thread_id"],
        seq=row["seq"],
        state=row["state"],
        text=row["text"],
        memo_id=row["memo_id"],
        captured_at=row["captured_at"],
        timezone=row["timezone"],
        generation=row["lease_generation"],
        attempt=row["attempt"],
        cancel_requested=row["cancel_requested"],
        created_at=row["created_at"],
        finished_at=finished,
        result=Outcome.model_validate(row["result"]) if row["result"] else None,
        usage=row["usage"],
        unsure=row["unsure"],
        breaks_off=row["breaks_off"],
        canned_reply=row["canned_reply"],
        settings=row.get("settings") or {},
        answers_turn_id=row["answers"],
        answers_question_id=row["question"],
        reading=[Proposal.model_validate(item) for item in row["reading"]] if row["reading"] is not None else None,
        speak=row["speak"],
        borrowed=row["borrowed"],
        client=row.get("client"),
    )

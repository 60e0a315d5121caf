"""What a message would come to, read as its turn would read it, with nothing kept and nothing changed."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any
from uuid import UUID

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from agents.context import Context, conventions_of
from agents.contract import Proposal, RouterDecision, Worker
from agents.dates_in_words import telling_times
from agents.enforcement import ProposalContext, apply_instructions
from agents.ledger.transitions import fresh_id
from agents.ports import Ledger, Understanding
from agents.records import title_of
from agents.spans import Reading, Span, reading_of
from agents.specialists.router import Router
from agents.store import read_named
from agents.time import clock_for
from graph.builder import TurnGraph

MOST_TRIED = 4
"""Runs of words that are tried out, each by one more reading; further ones are taken as unused."""
Named = dict[tuple[Any, str], dict[str, Any]]


class Preview:
    """Reads with the built-in understanding, whatever model answers turns: it is quick and costs nothing.

    ``quick`` is where long messages begin, in characters: their words are looked up beside the event loop.
    """

    def __init__(
        self, built_in: Understanding, ledger: Ledger, graph: TurnGraph, store: BaseStore, *, quick: int
    ) -> None:
        self._router = Router(built_in, ledger)
        self._graph = graph
        self._store = store
        self._quick = quick

    async def read(self, text: str, thread_id: UUID, context: Context) -> Reading:
        """The reading of a text at the end of a thread. ``context`` has user, zone, clock and conventions.

        A word without which the same would be read was not used, whether or not a value repeats it.
        """
        with telling_times(conventions_of(context).clock):
            return await self._read_and_filter_unused(text, thread_id, context)

    async def _read_and_filter_unused(self, text: str, thread_id: UUID, context: Context) -> Reading:
        reading = await self._read(text, thread_id, context)
        if len(text) > self._quick:
            return reading
        unused = [
            span
            for place, span in enumerate(reading.unused)
            if place >= MOST_TRIED or not await self._matters(span, reading, text, thread_id, context)
        ]
        return reading.model_copy(update={"unused": unused})

    async def _matters(self, span: Span, reading: Reading, text: str, thread_id: UUID, context: Context) -> bool:
        """Whether something else would be read without these words."""
        shorter = f"{text[: span.start]} {text[span.end :]}".strip(" ,;")
        return not shorter or _comes_to(await self._read(shorter, thread_id, context)) != _comes_to(reading)

    async def _read(self, text: str, thread_id: UUID, context: Context) -> Reading:
        update = await self._router.conversation_agent(
            await self._state(text, thread_id, context), Runtime(context=context, store=self._store)
        )
        decision = update["decision"]
        named = await self._read_named_records(decision, context)
        wanted = [
            (worker, item, _title(item, named))
            for worker, items, said in _proposals_by_worker(decision)
            for item in apply_instructions(items, update["standing"], _around(context, said, named))
        ]
        at = datetime.fromisoformat(context["at"])
        clock = clock_for(at, context["timezone"], conventions_of(context))
        if len(text) <= self._quick:
            return reading_of(text, decision, wanted, clock, update["pending"])
        return await asyncio.to_thread(reading_of, text, decision, wanted, clock, update["pending"])

    async def _state(self, text: str, thread_id: UUID, context: Context) -> Any:
        config: Any = {"configurable": {"thread_id": f"{context['user_id']}:{thread_id}"}}
        known = (await self._graph.aget_state(config)).values
        said = HumanMessage(text, id="preview:said")
        kept = {name: known[name] for name in ("turn_id", "pending", "recent_turns", "digest") if name in known}
        return {**kept, "messages": [*known.get("messages", []), said]}

    async def _read_named_records(self, decision: RouterDecision, context: Context) -> Named:
        wanted = [
            (item.kind, fresh_id(item, ""))
            for _, items, _ in _proposals_by_worker(decision)
            for item in items
            if item.op != "undo"
        ]
        return dict(await read_named(self._store, context["user_id"], wanted)) if wanted else {}


def _comes_to(reading: Reading) -> list[Any]:
    """What is wanted and asked, whatever words it comes from."""
    wanted = [item.model_dump(exclude={"words", "hold"}) for item in reading.proposals]
    return [*wanted, *(asked.text for asked in reading.questions)]


def _proposals_by_worker(decision: RouterDecision) -> list[tuple[Worker, list[Proposal], str]]:
    return [(target.worker, target.proposed.proposals, target.text) for target in decision.targets if target.proposed]


def _around(context: Context, said: str, named: Named) -> ProposalContext:
    return ProposalContext(datetime.fromisoformat(context["at"]), context["timezone"], said, named)


def _title(item: Proposal, named: Named) -> str:
    """What the item that is changed is called; empty for a new one."""
    record = named.get((item.kind, item.record_id or ""))
    return title_of(item.kind, record) if record else ""

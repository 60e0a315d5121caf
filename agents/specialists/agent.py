"""The cycle that every writing agent goes through: propose, prepare each item, apply, report what really happened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NotRequired

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from typing_extensions import TypedDict

from agents.context import Context, clock_of, conventions_of, language_of, user_of, zone_of
from agents.contract import AgentReport, Assignment, Change, Proposal, Proposed, Question, Worker
from agents.enforcement import ProposalContext, apply_instructions
from agents.ledger.reminder_time import ask_when, has_passed
from agents.ledger.transitions import fresh_id
from agents.policies import Standing
from agents.ports import MOST_APPOINTMENTS, Ask, Batch, Exchange, Ledger, Records, Understanding
from agents.records import Note
from agents.risk import PASSES_ON, act_of
from agents.store import read_named, read_records
from agents.user_words.passed_on import part_message

SETTLED = frozenset({"proposals", "feedback", "look_ahead"})
RECENT_EXCHANGES = 4
"""Earlier turns that an agent sees which has to understand its share itself."""
BORROWED = "these words may not be your own"
"""Why what borrowed words ask for waits for a yes."""
BEGINNING = 1000
"""Characters of what was said before these."""


class AgentInput(TypedDict):
    """What the router sends to one agent: its share of the message and the turn it belongs to."""

    assignment: Assignment
    words: str
    turn_id: str
    standing: list[Standing]
    recent: NotRequired[list[Exchange]]
    recent_turns: NotRequired[list[str]]
    memo_id: NotRequired[str | None]
    rerun: NotRequired[bool]
    borrowed: NotRequired[bool]
    passed_on: NotRequired[str]
    language: NotRequired[str]


class Reports(TypedDict):
    """What an agent returns to the graph."""

    reports: list[AgentReport]


class Agent:
    """Base of the agents: writing ones go through ``run``, reading ones through ``answer``."""

    worker: ClassVar[Worker]

    def __init__(self, understanding: Understanding, ledger: Ledger) -> None:
        self._understanding = understanding
        self._ledger = ledger

    async def propose(self, task: AgentInput, runtime: Runtime[Context]) -> Proposed:
        """This agent's part of the message, as settled by the router or understood now."""
        settled = task["assignment"].proposed
        if settled:
            return settled
        ask = await self._ask(task, runtime)
        return SeenLists(ask.records).with_lines(await self._understand(ask, user_of(runtime.context)))

    async def _ask(self, task: AgentInput, runtime: Runtime[Context]) -> Ask:
        """The share, with what was changed lately: "make it Friday" is about that."""
        ask = await ask_about(task["assignment"].text, task["words"], task.get("recent", []), runtime)
        turns = task.get("recent_turns") or []
        changes = await self._ledger.changes_of_turn(user_of(runtime.context), *turns) if turns else []
        lately = [change for change in changes if not change.has_been_held]
        language = task.get("language") or ask.language
        known = {
            "turn_id": task["turn_id"],
            "recent_changes": lately,
            "reply_language": language,
            "passed_on": task.get("passed_on", ""),
        }
        return ask.model_copy(update=known)

    async def _understand(self, ask: Ask, user_id: str) -> Proposed:
        found = await self._understanding.propose(self.worker, ask)
        if found.look_ahead is None:
            return found
        imported = await self._ledger.imported_appointments(user_id, found.look_ahead, MOST_APPOINTMENTS)
        return await self._understanding.propose(self.worker, ask.model_copy(update={"imported": imported}))

    def prepare(self, proposal: Proposal) -> Proposal:
        """Add what this agent knows about its kind of record."""
        return proposal

    async def run(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """The whole cycle; the report holds the ledger's rows, never what was merely wanted."""
        proposed = await self.propose(task, runtime)
        wanted = await self._as_instructed(task, [self.prepare(p) for p in proposed.proposals], runtime)
        if task.get("borrowed"):
            wanted = [proposal.model_copy(update={"hold": BORROWED}) for proposal in wanted]
        elif task.get("passed_on"):
            wanted = [hold_beside_passages(proposal, task["words"]) for proposal in wanted]
        said = clock_of(runtime.context)
        questions = [ask_when(proposal, said, task["words"]) for proposal in wanted if has_passed(proposal, said)]
        wanted = [proposal for proposal in wanted if not has_passed(proposal, said)]
        rows = await self._apply(task, wanted, runtime.context)
        changes = [row for row in rows if not row.declines]
        told = {**_report_fields(proposed), "questions": [*proposed.questions, *questions]}
        report = AgentReport(worker=self.worker, changes=changes, assumed=_assumptions_of(changes, wanted), **told)
        return {"reports": [report]}

    async def answer(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """The cycle of an agent that only reads."""
        return self.make_report(await self.propose(task, runtime))

    def make_report(self, proposed: Proposed) -> Reports:
        """What an agent that changes nothing reports."""
        return {"reports": [AgentReport(worker=self.worker, **_report_fields(proposed))]}

    async def _as_instructed(
        self, task: AgentInput, proposals: list[Proposal], runtime: Runtime[Context]
    ) -> list[Proposal]:
        """What the user's standing instructions make of the proposals: here, as every path comes by."""
        if not (task["standing"] and proposals):
            return proposals
        context = runtime.context
        named = [(p.kind, fresh_id(p, "")) for p in proposals if p.op != "undo" and not p.confirms]
        around = ProposalContext(
            at=clock_of(context),
            timezone=zone_of(context),
            said=task["assignment"].text or task["words"],
            records=await read_named(store_of(runtime), user_of(context), named),
        )
        return apply_instructions(proposals, task["standing"], around)

    async def _apply(self, task: AgentInput, proposals: list[Proposal], context: Context) -> list[Change]:
        # What an earlier try of the turn applied stands, even if this one wants nothing.
        if not (proposals or task.get("rerun")):
            return []
        batch = Batch(
            user_id=user_of(context),
            origin=task["turn_id"],
            turn_id=task["turn_id"],
            agent=self.worker,
            proposals=proposals,
            at=clock_of(context),
            timezone=zone_of(context),
            words=task["words"],
            memo_id=task.get("memo_id"),
            conventions=conventions_of(context),
        )
        return await self._ledger.apply(batch)


def _assumptions_of(changes: Sequence[Change], wanted: Sequence[Proposal]) -> dict[str, list[str]]:
    """What was assumed about the times of the changes that were made."""
    made = [change for change in changes if change.status == "applied" and change.seq < len(wanted)]
    return {change.id: wanted[change.seq].assumed for change in made if wanted[change.seq].assumed}


class SeenLists:
    """The lists as they were read, for the proposals that were worded on what was read."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def with_lines(self, found: Proposed) -> Proposed:
        """The same with each list's lines where they are to change."""
        known = {"proposals": self._all(found.proposals), "questions": self.questions(found.questions)}
        return found.model_copy(update=known)

    def questions(self, found: Sequence[Question]) -> list[Question]:
        """The same for what a yes would change."""
        return [
            asked.model_copy(
                update={"pending": asked.pending.model_copy(update={"proposals": self._all(asked.pending.proposals)})}
            )
            for asked in found
        ]

    def _all(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        return [self._one(item) if item.seen is None and "items" in item.fields else item for item in proposals]

    def _one(self, proposal: Proposal) -> Proposal:
        found = self._records.index.get("note", proposal.record_id)
        note = found.record if found else None
        seen = [line.model_dump() for line in note.items] if isinstance(note, Note) else None
        return proposal.model_copy(update={"seen": seen})


def exchanges(messages: list[AnyMessage]) -> list[Exchange]:
    """Earlier turns as pairs of what was said and what was answered; of all but the last ones only the beginning."""
    found: list[tuple[str, str]] = []
    said = ""
    for message in messages:
        if isinstance(message, HumanMessage):
            said = part_message(str(message.text)).own
        elif isinstance(message, AIMessage) and not message.tool_calls:
            found.append((said, str(message.text)))
    earlier = max(0, len(found) - RECENT_EXCHANGES)
    begun = [(said[:BEGINNING], replied[:BEGINNING]) for said, replied in found[:earlier]]
    return [Exchange(said=said, replied=replied) for said, replied in [*begun, *found[earlier:]]]


def hold_beside_passages(proposal: Proposal, own_words: str) -> Proposal:
    """Return what weighs as a proposal that waits for a yes: rules, the profile, deletions, undo; the rest as it is.

    So does a task that is all of the words, such as "summarize the document": it may be a wish about the passage.
    """
    weighs = act_of(proposal) != "make"
    is_all = proposal.op == "create" and _letters(str(proposal.fields.get("task", ""))) == _letters(own_words)
    return proposal.model_copy(update={"hold": proposal.hold or PASSES_ON}) if weighs or is_all else proposal


async def ask_about(text: str, words: str, recent: list[Exchange], runtime: Runtime[Context]) -> Ask:
    """A share of the user's words, with everything that is stored now."""
    context = runtime.context
    return Ask(
        text=text,
        words=words,
        recent=recent,
        at=clock_of(context),
        timezone=zone_of(context),
        records=await read_records(store_of(runtime), user_of(context)),
        conventions=conventions_of(context),
        language=language_of(context),
    )


def store_of(runtime: Runtime[Context]) -> BaseStore:
    """The store of records of a run."""
    if runtime.store is None:
        raise RuntimeError("The graph was compiled without a store; pass store= to build_graph.")
    return runtime.store


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _report_fields(proposed: Proposed) -> dict[str, Any]:
    return {name: getattr(proposed, name) for name in Proposed.model_fields if name not in SETTLED}

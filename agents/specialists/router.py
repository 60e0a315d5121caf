"""The router: decides what to do with a message and who does it."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, NotRequired

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from agents.context import Context, clock_of, conventions_of, language_of, user_of, zone_of
from agents.contract import (
    WORKER_OF_KIND,
    WORKERS,
    AgentReport,
    Assignment,
    Change,
    Option,
    Pending,
    Proposal,
    Proposed,
    Question,
    RouterDecision,
    ThreadSnapshot,
    Worker,
)
from agents.languages import answer_meant, say, say_later, speaking
from agents.open_questions import besides, in_front
from agents.phrases import CANNOT_DO_THAT, NOT_IN_NOTES, quote
from agents.policies import Standing, standing_of
from agents.ports import MOST_APPOINTMENTS, Ask, Ledger, LongWork, LookedUp, Recollections, Understanding
from agents.records import Instruction
from agents.rendering.spoken_reply import ReplyUnderWay
from agents.rendering.thread_summary import ThreadSummary
from agents.rendering.tone import ReplyStyle
from agents.specialists.agent import SeenLists, exchanges
from agents.store import read_records, without_changes
from agents.user_words.passed_on import Message, part_message
from agents.user_words.remembering import asks_something, is_one_thing, question_of
from agents.user_words.starting import called_by, started_by
from agents.user_words.verdicts import verdict_of

DOUBT = say_later("Did I hear that right: {words}?")
BROKEN_OFF = say_later("The recording breaks off. Is this what you said: {words}?")
NOT_OPEN = "That question is no longer open."
NOT_BORROWED = say_later("These words may not be your own, so I began no long work and changed nothing.")
WHAT_WITH_IT = say_later("What shall I do with it?")
NOT_A_PERSON = say_later("I keep tasks, a calendar and notes for people, and do nothing on a program's prompt.")
YES_OR_NO = ("proceed", "transcript")
"""What a question misses that a yes or a no answers."""
MOST_LOOKED_AT, MOST_LOOKS = 200, 5
"""Changes that one look back brings at most, and looks for one message."""


class RouterInput(TypedDict):
    """What the router reads of the state."""

    messages: list[AnyMessage]
    unsure: NotRequired[bool]
    breaks_off: NotRequired[bool]
    borrowed: NotRequired[bool]
    rerun: NotRequired[bool]
    memo_id: NotRequired[str | None]
    turn_id: NotRequired[str]
    beginning: NotRequired[ThreadSnapshot | None]
    answers_question_id: NotRequired[str | None]
    reading: NotRequired[list[Proposal] | None]
    pending: NotRequired[Pending | None]
    recent_turns: NotRequired[list[str]]
    digest: NotRequired[ThreadSummary | None]


class RouterUpdate(TypedDict):
    """What the router writes: every field of the last turn is overwritten, or it would leak into this one."""

    decision: RouterDecision
    turn_id: str
    beginning: ThreadSnapshot
    words: str
    passed_on: str
    doubtful: bool
    standing: list[Standing]
    pending: Pending | None
    reports: Any
    outcome: None


class Router:
    """Understands a message in the light of what is stored and what was said before."""

    def __init__(
        self,
        understanding: Understanding,
        ledger: Ledger,
        long_work: LongWork | None = None,
        memory: Recollections | None = None,
    ) -> None:
        self._understanding = understanding
        self._ledger = ledger
        self._long_work = long_work
        self._memory = memory

    async def conversation_agent(self, state: RouterInput, runtime: Runtime[Context]) -> RouterUpdate:
        """Decide: dispatch to agents, reply, or ask."""
        message, turn_id = part_message(last_user_text(state["messages"])), turn_of(state, runtime)
        words = message.own
        beginning = _beginning(state, turn_id)
        done = await self._changes(user_of(runtime.context), [turn_id]) if state.get("rerun") else []
        doubtful = message.doubtful and not state.get("reading")  # who sees how it is read says it
        borrowed = state.get("borrowed", False)
        named = in_front(beginning.pending, state.get("answers_question_id"))
        open_question = None if borrowed else besides(named, state.get("memo_id"))
        pending = await self._still_open(open_question, user_of(runtime.context), done)
        instructions: list[Instruction] = []
        if state.get("unsure"):
            doubt = BROKEN_OFF if state.get("breaks_off") else DOUBT
            decision = _doubt(doubt, words, runtime.context, state.get("memo_id"))
        elif _is_too_late(state.get("answers_question_id"), pending):
            decision = RouterDecision(disposition="reply", acknowledgement=NOT_OPEN)
        elif (answer := _answer_to_what_is_passed_on(message)) and not state.get("reading"):
            decision = RouterDecision(disposition="reply", acknowledgement=answer)
        else:
            ask = await self._ask(message, state, runtime, done, None if doubtful else pending)
            instructions = ask.records.instructions
            early = ReplyUnderWay(runtime.stream_writer, ReplyStyle(standing_of(instructions, [])))
            look_up = partial(self._look_up, ask, user_of(runtime.context))
            ask = ask.model_copy(update={"hear": early.hear, "look_up": look_up})
            reading = state.get("reading")
            decided = as_read(reading, words) if reading else await self._decide(ask, user_of(runtime.context))
            decision = _on_lists_as_read(_in_borrowed_words(decided) if borrowed or doubtful else decided, ask)
            decision = decision.model_copy(update={"said_early": early.said})
        return {
            "decision": decision,
            "turn_id": turn_id,
            "beginning": beginning,
            "words": words,
            "passed_on": "\n\n".join(message.passages),
            "doubtful": doubtful,
            "standing": standing_of(instructions, _settled_proposals(decision)),
            "pending": pending,
            "reports": Overwrite(reports_of(done, decision)),
            "outcome": None,
        }

    async def _ask(
        self, said: Message, state: RouterInput, runtime: Runtime[Context], done: list[Change], pending: Pending | None
    ) -> Ask:
        words = said.own
        if runtime.store is None:
            raise RuntimeError("The graph was compiled without a store; pass store= to build_graph.")
        user_id = user_of(runtime.context)
        meant = answer_meant(words) if pending and pending.missing in YES_OR_NO else ""
        return Ask(
            text=meant or words,
            words=meant or words,
            at=clock_of(runtime.context),
            timezone=zone_of(runtime.context),
            records=without_changes(await read_records(runtime.store, user_id), done),
            recent=exchanges(state["messages"][:-1]),
            summary=ThreadSummary.model_validate(state.get("digest") or {}).text(),
            recent_changes=[c for c in await self._changes(user_id, _recent_turns(state)) if not c.has_been_held],
            pending=pending,
            conventions=conventions_of(runtime.context),
            language=language_of(runtime.context),
            passed_on="\n\n".join(said.passages),
        )

    async def _decide(self, ask: Ask, user_id: str) -> RouterDecision:
        if question := question_of(ask.text, ask.recent):
            return _to_memory(question, Proposed(answers=[NOT_IN_NOTES]))
        if ask.pending is None and (
            verdict_of(ask.text, ask.recent) is not None or await self._starts_workflow(ask.text, user_id)
        ):
            return RouterDecision(disposition="reply", targets=[Assignment(worker="research", text=ask.text)])
        decision = await self._understanding.route(ask)
        for _ in range(MOST_LOOKS):
            found = await self._look(decision, ask, user_id)
            if not found:
                break
            ask = ask.model_copy(update={**found, "draft": decision})
            decision = await self._understanding.route(ask)
        decision = decision.model_copy(update={"look_back": None, "look_ahead": None})
        if self._is_strange_question(decision, ask):
            answers = [decision.acknowledgement] if decision.acknowledgement else []
            return _to_memory(ask.text, Proposed(answers=answers, unclear=decision.unclear))
        return decision

    def _is_strange_question(self, decision: RouterDecision, ask: Ask) -> bool:
        """Whether the message only asks, and nothing that the built-in understanding knows: memory may know it."""
        read = decision.targets or decision.questions
        if read or decision.answered or decision.understanding != "built-in" or not is_one_thing(ask.text):
            return False
        unread = decision.acknowledgement in ("", CANNOT_DO_THAT)
        return unread and asks_something(ask.text)

    async def _starts_workflow(self, words: str, user_id: str) -> bool:
        called = called_by(words)
        if not called or self._long_work is None:
            return False
        return started_by(called, await self._long_work.workflows(user_id)) is not None

    async def _look(self, decision: RouterDecision, ask: Ask, user_id: str) -> dict[str, Any]:
        """What a decision wants to know before it is final; most want nothing."""
        if decision.look_ahead and ask.imported is None:
            return {
                "imported": await self._ledger.imported_appointments(user_id, decision.look_ahead, MOST_APPOINTMENTS)
            }
        if decision.look_back and (ask.history is None or decision.understanding == "fallback"):
            found = await self._ledger.history(user_id, decision.look_back, MOST_LOOKED_AT)
            return {"history": [change for change in found if not change.has_been_held]}
        return {}

    async def _look_up(self, ask: Ask, user_id: str, question: str) -> LookedUp:
        """What memory says to a question, in quotes."""
        if self._memory is None:
            return LookedUp(question=question, answer="")
        told = await self._memory.quote(user_id, question, ask.at, ask.timezone, ask.conventions)
        return LookedUp(question=question, answer=told.answer if told.found else "", citations=told.citations)

    async def _still_open(self, pending: Pending | None, user_id: str, done: list[Change]) -> Pending | None:
        """The first question not answered at another door; what this turn answered is still open to it."""
        asked = [proposal.confirms for proposal in pending.proposals if proposal.confirms] if pending else []
        if not asked:
            return pending
        own = {change.confirms for change in done}
        found = [await self._ledger.change(user_id, held) for held in asked if held not in own]
        waits = any(change and change.status == "needs_confirmation" for change in found)
        if waits or own & set(asked):
            return pending
        return await self._still_open(pending.behind if pending else None, user_id, done)

    async def _changes(self, user_id: str, turn_ids: list[str]) -> list[Change]:
        return await self._ledger.changes_of_turn(user_id, *turn_ids) if turn_ids else []


def _recent_turns(state: RouterInput) -> list[str]:
    """The thread's last turns that changed something, and those cut short, which may have: nobody noted them."""
    ids = [str(message.id) for message in state["messages"][:-1]]
    answered = {name.removesuffix(":reply") for name in ids}
    cut = [name.removesuffix(":said") for name in ids if name.endswith(":said") and name[:-5] not in answered]
    return list(dict.fromkeys([*(state.get("recent_turns") or []), *cut]))


def _beginning(state: RouterInput, turn_id: str) -> ThreadSnapshot:
    """How the turn found its thread; an earlier try of it, which failed, may have closed the question already."""
    kept = state.get("beginning")
    if kept and kept.turn_id == turn_id:
        return kept
    last, pending = state.get("turn_id"), state.get("pending")
    if pending and not pending.id:  # it was asked before questions had ids
        pending = pending.model_copy(update={"id": last or ""})
    return ThreadSnapshot(turn_id=turn_id, last_turn=last, pending=pending)


def _answer_to_what_is_passed_on(message: Message) -> str:
    """Return what is told to a program, or where nobody says what to do; "" where a user wants something."""
    if message.machine:
        return json.dumps(message.form, ensure_ascii=False) if message.form is not None else say(NOT_A_PERSON)
    return say(WHAT_WITH_IT) if message.passes_on and not message.own else ""


def _is_too_late(wanted: str | None, pending: Pending | None) -> bool:
    """Whether the message names a question that does not wait any more, though another may."""
    return bool(wanted) and not (pending and pending.id == wanted)


def as_read(reading: list[Proposal], words: str) -> RouterDecision:
    """The decision that a sender made who saw how the message is read; standing instructions count all the same."""
    by_worker, by_group = dict[Worker, list[Proposal]](), dict[str, Worker]()
    for place, item in enumerate(reading):
        own = WORKER_OF_KIND[item.kind]
        worker = by_group.setdefault(item.group, own) if item.group else own  # one worker for what belongs together
        by_worker.setdefault(worker, []).append(item.model_copy(update={"place": place}))
    targets = [
        Assignment(worker=worker, text=words, proposed=Proposed(proposals=items)) for worker, items in by_worker.items()
    ]
    return RouterDecision(disposition="dispatch", targets=targets)


def _in_borrowed_words(decision: RouterDecision) -> RouterDecision:
    """Long work is neither begun nor allowed by words that may not be the user's own."""
    if any(target.worker == "research" for target in decision.targets):
        return RouterDecision(disposition="reply", acknowledgement=say(NOT_BORROWED))
    return decision


def _on_lists_as_read(decision: RouterDecision, ask: Ask) -> RouterDecision:
    seen = SeenLists(ask.records)
    targets = [
        target.model_copy(update={"proposed": seen.with_lines(target.proposed)}) if target.proposed else target
        for target in decision.targets
    ]
    return decision.model_copy(update={"targets": targets, "questions": seen.questions(decision.questions)})


def _settled_proposals(decision: RouterDecision) -> list[Proposal]:
    """What the decision settled already: an instruction counts for what is said after it in the same message."""
    return [item for target in decision.targets if target.proposed for item in target.proposed.proposals]


def last_user_text(messages: list[AnyMessage]) -> str:
    """The words of this turn: the last human message."""
    found = next((m for m in reversed(messages) if isinstance(m, HumanMessage)), None)
    return str(found.text) if found else ""


def reports_of(done: list[Change], decision: RouterDecision) -> list[AgentReport]:
    """What a first try of this turn committed through agents that are not asked again: told all the same."""
    asked = {target.worker for target in decision.targets}
    workers = [worker for worker in WORKERS if worker not in asked and any(change.agent == worker for change in done)]
    return [AgentReport(worker=worker, changes=[c for c in done if c.agent == worker]) for worker in workers]


def turn_of(state: RouterInput, runtime: Runtime[Context]) -> str:
    """The turn's id: the run's, or (in Studio) that of the message itself."""
    info = runtime.execution_info
    run_id = info.run_id if info else None
    return str(run_id or state["messages"][-1].id)


def _to_memory(question: str, otherwise: Proposed) -> RouterDecision:
    """What was said of something is asked, and what is told where nothing was: no records are looked through."""
    asked = Assignment(worker="recall", text=question, proposed=otherwise)
    return RouterDecision(disposition="reply", targets=[asked])


def _doubt(doubt: str, words: str, context: Context, memo_id: str | None) -> RouterDecision:
    """Uncertain speech never acts: the words are read back and wait for a yes."""
    pending = Pending(
        missing="transcript",
        text=words,
        at=clock_of(context),
        options=[Option(label="yes"), Option(label="no")],
        memo_id=memo_id,
    )
    with speaking(language_of(context)):
        text = say(doubt, words=quote(words))
    question = Question(
        text=text,
        options=["yes", "no"],
        pending=pending,
    )
    return RouterDecision(disposition="clarify", questions=[question])

"""Recall."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.context import Context, clock_of, conventions_of, user_of, zone_of
from agents.contract import Proposed, UnderstandingUsed
from agents.phrases import NOT_RECORDED
from agents.ports import Ledger, Recollection, Recollections, Understanding
from agents.specialists.agent import Agent, AgentInput, Reports
from agents.time import Clock, clock_for
from agents.user_words.remembering import follows_memory, may_be_remembered


class Recall(Agent):
    """Answers questions about what is stored, then from memory with quotes; it never changes anything."""

    worker = "recall"

    def __init__(self, understanding: Understanding, ledger: Ledger, memory: Recollections | None = None) -> None:
        super().__init__(understanding, ledger)
        self._memory = memory

    async def recall(self, task: AgentInput, runtime: Runtime[Context]) -> Reports:
        """Answer from the stored records; where these say nothing, from what the user ever said."""
        proposed = await self.propose(task, runtime)
        told = proposed.answers or proposed.unclear
        if self._memory and told:
            unknown = all(answer.startswith(NOT_RECORDED) for answer in proposed.answers)
            question = task["assignment"].text or task["words"]
            if unknown or may_be_remembered(question, proposed.answers, _clock(runtime.context)):
                closest = unknown or follows_memory(task.get("recent", []))
                proposed = await self._answer_from_memory(
                    self._memory, proposed, task, runtime.context, closest=closest
                )
        return self.make_report(proposed)

    async def _answer_from_memory(
        self, memory: Recollections, proposed: Proposed, task: AgentInput, context: Context, *, closest: bool
    ) -> Proposed:
        """What memory says; what only comes closest to an answer is told where the records say nothing at all."""
        question = task["assignment"].text or task["words"]
        where = (zone_of(context), conventions_of(context))
        recent = task.get("recent", [])
        told = await memory.recollect(user_of(context), question, clock_of(context), *where, recent)
        used = _understanding_used(told, proposed.understanding)
        if not (told.found or (closest and told.citations)):
            return proposed.model_copy(update={"understanding": used})
        update = {"answers": [told.answer], "citations": told.citations, "unclear": []}
        return proposed.model_copy(update={**update, "understanding": used})


def _clock(context: Context) -> Clock:
    return clock_for(clock_of(context), zone_of(context), conventions_of(context))


def _understanding_used(told: Recollection, before: UnderstandingUsed | None) -> UnderstandingUsed | None:
    """Whose words an answer is in, where a mind took part before that or failed."""
    if before is not None:
        return before
    return "model" if told.by_model else "fallback" if told.without_model else None

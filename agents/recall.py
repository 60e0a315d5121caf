"""Recall."""

from __future__ import annotations

from langgraph.runtime import Runtime

from agents.agent import Agent, Reports, Task
from agents.context import Context

PROMPT = """You answer the user's question from the records shown, in one to three plain sentences, in English.
Say only what the records show; if they do not show it, answer: I don't have that.
You cannot change anything and never say that something was changed."""


class Recall(Agent):
    """Answers questions about what is stored; it never changes anything."""

    worker = "recall"

    async def recall(self, task: Task, runtime: Runtime[Context]) -> Reports:
        """Answer from the stored records."""
        return await self.answer(task, runtime)

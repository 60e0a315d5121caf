"""The built-in understanding as the port wants it: deterministic, without a clock, a network or a model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from agents.contract import Proposed, RouterDecision, Worker
from agents.ports import Ask
from agents.understanding.crowded import turned_away
from agents.understanding.dialogue import focus
from agents.understanding.message import understand
from agents.understanding.scene import scene_of
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.warm import warm

LONG = 600
"""Characters; most messages have fewer than 200, and a thread costs more than reading one of these."""
ENGLISH_ONLY = "Without a language model I understand English only."


class BuiltIn:
    """Understands a message in one pass; pure, so one object serves everybody.

    Making one takes as long as loading what the first message would wait for.
    """

    def __init__(self) -> None:
        warm()

    async def route(self, ask: Ask) -> RouterDecision:
        """Decide everything at once: every assignment carries what its agent proposes."""
        decision = await _decided(ask)
        if ask.english or not decision.unclear:
            return decision
        return decision.model_copy(update={"acknowledgement": f"{ENGLISH_ONLY} {decision.acknowledgement}".strip()})

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """One agent's share of the same decision."""
        decision = await _decided(ask)
        shares = [target.proposed for target in decision.targets if target.worker == worker]
        found = next(filter(None, shares), None) or _suggested(worker, ask) or Proposed(unclear=[ask.text])
        return found.model_copy(update={"look_ahead": decision.look_ahead})

    async def tell(self, ask: Ask) -> AsyncGenerator[str, None]:
        """The answers that it would propose: nothing of it takes time."""
        for sentence in (await self.propose("recall", ask)).answers:
            yield sentence


async def _decided(ask: Ask) -> RouterDecision:
    """The decision about a message; a long one is read beside the event loop, so that nobody else waits for it."""
    if len(ask.text) > LONG:
        return await asyncio.to_thread(_decide, ask)
    return _decide(ask)


def _decide(ask: Ask) -> RouterDecision:
    return turned_away(ask) or understand(ask)


def _suggested(worker: Worker, ask: Ask) -> Proposed | None:
    """What to do next, where another mind found that this is asked for: choosing needs no words."""
    if worker != "focus_coach":
        return None
    return focus.coach(Intent("focus", 1.0), Clause(ask.text), scene_of(ask)).proposed()

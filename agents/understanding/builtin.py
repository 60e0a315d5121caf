"""The built-in understanding as the port wants it: deterministic, without a clock, a network or a model."""

from __future__ import annotations

from agents.contract import Proposed, RouterDecision, Worker
from agents.intake import cut
from agents.ports import Ask
from agents.understanding.message import understand
from agents.understanding.questions.coaching import suggest_anyway
from agents.understanding.warm import warm

MAX_MESSAGE_CHARS = 20_000
ENGLISH_ONLY = "Without a language model I understand English only."


class BuiltIn:
    """Understands a message in one pass; pure, so one object serves everybody.

    Making one takes as long as loading what the first message would wait for. Of a message of more than ``longest``
    characters the whole sentences within them are read.
    """

    def __init__(self, longest: int = MAX_MESSAGE_CHARS) -> None:
        warm()
        self._longest = longest

    async def route(self, ask: Ask) -> RouterDecision:
        """Decide everything at once: every assignment carries what its agent proposes."""
        decision = self._decide(ask)
        acts = any(target.proposed and target.proposed.proposals for target in decision.targets)
        if ask.english or acts or decision.answered:
            return decision
        return decision.model_copy(update={"acknowledgement": ENGLISH_ONLY, "targets": [], "questions": []})

    async def propose(self, worker: Worker, ask: Ask) -> Proposed:
        """Return one agent's share of the same decision."""
        decision = self._decide(ask)
        shares = [target.proposed for target in decision.targets if target.worker == worker]
        suggested = suggest_anyway(ask) if worker == "focus_coach" else None  # choosing needs no words
        found = next(filter(None, shares), None) or suggested or Proposed(unclear=[ask.text])
        unclear = [*found.unclear, *filter(None, [decision.unread])]
        return found.model_copy(update={"look_ahead": decision.look_ahead, "unclear": unclear})

    def _decide(self, ask: Ask) -> RouterDecision:
        text, unread = cut(ask.text, self._longest)
        if unread and not text:
            return RouterDecision(disposition="reply", unread=unread)
        decision = understand(ask.model_copy(update={"text": text}))
        return decision.model_copy(update={"unread": unread or decision.unread})

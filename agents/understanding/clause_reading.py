"""What one clause comes to: one worker's proposals, answers and questions."""

from __future__ import annotations

from dataclasses import dataclass, field

from agents.contract import WORKER_OF_KIND, FocusSuggestion, Lookback, Proposal, Proposed, Question, Worker
from agents.suggestion_feedback import Feedback


@dataclass(slots=True)
class ClauseReading:
    """The outcome of a clause for one worker; ``note`` is a lead-in for the reply that claims no change.

    ``filler``: the note is a friendly word, which may stand only for words that ask for nothing.
    """

    worker: Worker | None = None
    text: str = ""
    proposals: list[Proposal] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    suggestion: FocusSuggestion | None = None
    feedback: Feedback | None = None
    note: str = ""
    filler: bool = False
    look_back: Lookback | None = None

    def as_proposed(self) -> Proposed:
        """The same as its agent receives it."""
        return Proposed(
            proposals=self.proposals,
            answers=self.answers,
            questions=self.questions,
            unclear=self.unclear,
            suggestion=self.suggestion,
            feedback=self.feedback,
        )


def change(text: str, *proposals: Proposal) -> ClauseReading:
    """Proposals of one kind, for the worker of that kind."""
    return ClauseReading(WORKER_OF_KIND[proposals[0].kind], text, proposals=list(proposals))


def answer(text: str, *sentences: str, worker: Worker = "recall") -> ClauseReading:
    """Sentences about what is stored."""
    return ClauseReading(worker, text, answers=list(sentences))


def unclear_reading(words: str) -> ClauseReading:
    """Words that nobody understood."""
    return ClauseReading(unclear=[words.strip()])

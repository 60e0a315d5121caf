"""An answer as the router's decision: proposals judged by risk, words, and what else the calls ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.asking import HeardChances, hear_request
from agents.claims import sentences
from agents.contract import Assignment, FocusSuggestion, Proposal, Proposed, RouterDecision
from agents.estimates import estimated_minutes
from agents.languages import say_number, speaking
from agents.ledger.duplicates import new_ones
from agents.phrases import quote, side_by_side
from agents.ports import Ask, LookedUp
from agents.records import ToDo
from agents.risk import RATHER_SURE, TAKING, Act, Grounds, Source, act_of, require_confirmation
from agents.specialists.router import as_read
from agents.store import by_kind
from agents.user_words.mentions import (
    is_named,
    is_quantified,
    is_talked_of,
    names,
    points,
    said_by_user,
    short_answer,
    words_of,
)
from app.models.llm.requests import Call, ModelAnswer
from app.models.understanding.call_context import CallContext
from app.models.understanding.reply_language import language_of_text

LONGEST_WHY = 300
ABOUT = frozenset({"task", "title", "summary", "content", "items"})
"""Fields that tell what a record is about."""


@dataclass(frozen=True)
class Judge:
    """What speaks for the changes that a message may ask for, as the reader hears it."""

    ask: Ask
    heard: HeardChances

    def grounds(self, proposal: Proposal, act: Act) -> Grounds:
        """Return what speaks for one change."""
        source: Source = "beside passages" if self.ask.passed_on else "own words"
        return Grounds(self._is_named(proposal, act), source, self.heard.asks_nothing, self._is_unsaid(proposal))

    def with_yes(self, proposal: Proposal) -> Proposal:
        """Return a removal as agreed to, where the model asked about it in words of its own and this is the yes."""
        ask = self.ask
        bare = not (ask.pending or ask.passed_on)
        if proposal.op not in TAKING or not bare or not ask.recent or short_answer(ask.text) != "yes":
            return proposal
        asked = [one for one in sentences(ask.recent[-1].replied) if one.rstrip().endswith("?")]
        title, _ = self._find_title(proposal)
        whole = title and any(words_of(title) <= words_of(one) for one in asked)
        return proposal.model_copy(update={"agreed": True}) if whole else proposal

    def _is_named(self, proposal: Proposal, act: Act) -> bool:
        if act == "personal":
            return said_by_user(_values(proposal.fields), self.ask)
        if proposal.op not in TAKING:
            return is_quantified(self.ask.text)
        title, touched = self._find_title(proposal)
        if act == "remove several":
            return names(title, self.ask.text, self.ask.language) or (
                is_quantified(self.ask.text) and points(self.ask.text)
            )
        taken_back = proposal.op == "undo" and self.heard.takes_back >= RATHER_SURE
        return taken_back or is_named(title, self.ask, talked_of=touched)

    def _is_unsaid(self, proposal: Proposal) -> bool:
        """Whether a new record is about nothing that the user talked of: other texts may have brought it about."""
        about = {name: value for name, value in proposal.fields.items() if name in ABOUT}
        new = proposal.op == "create" and act_of(proposal) == "make"
        return new and not is_talked_of(_values(about), self.ask)

    def _find_title(self, proposal: Proposal) -> tuple[str, bool]:
        """The title of what a change takes away, and whether the thread's last changes are about it."""
        changes = [one for one in self.ask.recent_changes if proposal.record_id == one.record_id]
        item = self.ask.records.index.get(proposal.kind, proposal.record_id)
        title = changes[-1].title if changes else item.title if item else ""
        undone = [one for one in self.ask.history or () if one.id == proposal.undo_of]
        return title or (undone[-1].title if undone else ""), bool(changes)

    def count_open(self, proposal: Proposal) -> int:
        """Return how many open records there are of a change's kind."""
        records = by_kind(self.ask.records).get(proposal.kind, ())
        return sum(not isinstance(one, ToDo) or one.status in ("not started", "in progress") for one in records)


def _values(fields: Mapping[str, object]) -> Iterator[str]:
    for name, value in fields.items():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from map(str, value)
        elif isinstance(value, dict):
            yield from (str(one) for pair in value.items() for one in pair)
        elif value is None:
            yield name


def decide(
    answers: Sequence[ModelAnswer], proposals: Sequence[Proposal], context: CallContext, left_undone: int
) -> RouterDecision:
    """Return the decision that the answers of all rounds come to; ``left_undone`` calls could not be carried out."""
    ask = context.ask
    fresh, there = new_ones(proposals, ask)
    judge = Judge(ask, hear_request(ask) if fresh else HeardChances())
    judged = require_confirmation([judge.with_yes(one) for one in fresh], judge.grounds, judge.count_open)
    language = language_of_text(" ".join(one.text for one in answers).strip() or ask.text, ask.language)
    decision = as_read(judged, ask.text)
    with speaking(language or ask.language):
        undone = [_undone(left_undone)] if left_undone else []
    unheard = (sentence for one in answers for sentence in sentences(one.text)[len(one.heard) :])
    words = side_by_side([*unheard, *there, *undone])
    update = {"acknowledgement": words, "understanding": "model", "language": language}
    return decision.model_copy(update={**update, "disposition": "dispatch" if judged else "reply"})


def with_others(decision: RouterDecision, calls: Sequence[Call], context: CallContext) -> RouterDecision:
    """Return the decision with what other calls hand to agents: long work, and the one task to do now."""
    made: dict[str, Callable[[Call, CallContext], Assignment]] = {
        "suggest_task": _build_suggestion,
        "start_run": _long_work,
    }
    found = [made[call.name](call, context) for call in calls if call.name in made]
    return decision.model_copy(update={"targets": [*decision.targets, *found]})


def with_sources(decision: RouterDecision, looked_up: Sequence[LookedUp]) -> RouterDecision:
    """Return the decision with where its words about the past come from."""
    cited = [citation for one in looked_up for citation in one.citations]
    if not cited:
        return decision
    proposed = Proposed(citations=cited, understanding="model")
    target = Assignment(worker="recall", text=looked_up[0].question, proposed=proposed)
    return decision.model_copy(update={"targets": [*decision.targets, target]})


def _build_suggestion(call: Call, context: CallContext) -> Assignment:
    task = context.one_of(ToDo, call.args["id"])
    step, why = str(call.args.get("step") or ""), str(call.args["why"])[:LONGEST_WHY]
    minutes = call.args.get("minutes") or task.time_to_complete or estimated_minutes(task.task, task.solutions)
    suggestion = FocusSuggestion(
        action=step or task.task,
        task_id=task.id,
        step=step or None,
        minutes=minutes,
        why=f"{quote(task.task)}: {why}",
        encouragement="",
    )
    proposed = Proposed(suggestion=suggestion, understanding="model")
    return Assignment(worker="focus_coach", text=context.ask.text, proposed=proposed)


def _long_work(call: Call, _context: CallContext) -> Assignment:
    return Assignment(worker="research", text=str(call.args["goal"]))


def _undone(count: int) -> str:
    return say_number(
        "The language model also wanted {count} thing that I could not read; left undone.",
        "The language model also wanted {count} things that I could not read; left undone.",
        count,
    )

"""An answer as the router's decision: proposals judged by risk, words, and what else the calls ask for.

The answer to the open question is one, too; receipts are in the language of the reply, told by its commonest words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.asking import HeardChances, hear_request
from agents.claims import sentences
from agents.contract import Assignment, FocusSuggestion, Pending, Proposal, Proposed, RouterDecision
from agents.estimates import estimated_minutes
from agents.languages import retold, say_number, speaking
from agents.ledger.approvals import LEFT_AS_IS
from agents.ledger.duplicates import new_ones
from agents.phrases import quote, side_by_side
from agents.ports import Ask, LookedUp, Understanding
from agents.records import ToDo
from agents.risk import RATHER_SURE, TAKING, Act, Grounds, Source, act_of, require_confirmation
from agents.specialists.router import as_read
from agents.store import by_kind
from agents.user_words import mentions
from agents.user_words.mentions import is_named, is_quantified, short_answer, words_of
from app.models.llm.requests import Call, ModelAnswer
from app.models.understanding.call_context import CallContext

LONGEST_WHY = 300
WORD = re.compile(r"[^\W\d_]+")
MARKS: dict[str, frozenset[str]] = {
    "en": frozenset("the and you your is are it to of for in on that this have with not what do at be i".split()),
    "de": frozenset(
        "der die das und ist ich du nicht ein eine zu auf mit für den im am es dir dich noch was hast".split()
    ),
    "pt": frozenset("o que e de do da não um uma para com você em no na é os as por seu sua mais tem está".split()),
    "es": frozenset("el la que y de no un una para con en es los las por tu tienes lo se está más del al".split()),
    "fr": frozenset("le la les et est de un une pour avec tu vous en dans ce pas ne du des sur que je c".split()),
    "it": frozenset("il la che e di non un una per con è gli le sono hai del della nel ti".split()),
    "nl": frozenset("de het een en is van ik je niet dat op te met voor zijn er aan".split()),
}
TAGS = {"pt": "pt-BR"}
MIN_LANGUAGE_WORDS, LANGUAGE_MARGIN = 2, 1.5
"""Words that tell a language, and how many times as many as of the next one."""
MISSING_AGREEMENT = "proceed"
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
            return mentions.said_by_user(_values(proposal.fields), self.ask)
        if proposal.op not in TAKING:
            return is_quantified(self.ask.text)
        title, touched = self._find_title(proposal)
        if act == "remove several":
            all_of_them = is_quantified(self.ask.text) and mentions.points(self.ask.text)
            return all_of_them or mentions.names(title, self.ask.text, self.ask.language)
        taken_back = proposal.op == "undo" and self.heard.takes_back >= RATHER_SURE
        return taken_back or is_named(title, self.ask, talked_of=touched)

    def _is_unsaid(self, proposal: Proposal) -> bool:
        """Whether a new record is about nothing that the user talked of: other texts may have brought it about."""
        about = {name: value for name, value in proposal.fields.items() if name in ABOUT}
        new = proposal.op == "create" and act_of(proposal) == "make"
        return new and not mentions.is_talked_of(_values(about), self.ask)

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
        undone = say_number(
            "The language model also wanted {count} thing that I could not read; left undone.",
            "The language model also wanted {count} things that I could not read; left undone.",
            left_undone,
        )
    unheard = (sentence for one in answers for sentence in sentences(one.text)[len(one.heard) :])
    words = side_by_side([*unheard, *there, *([undone] if left_undone else [])])
    update = {"acknowledgement": words, "understanding": "model", "language": language}
    return decision.model_copy(update={**update, "disposition": "dispatch" if judged else "reply"})


def with_others(decision: RouterDecision, calls: Sequence[Call], context: CallContext) -> RouterDecision:
    """Return the decision with what other calls hand to agents: long work, and the one task to do now."""
    targets = [*decision.targets]
    for call in calls:
        if call.name == "suggest_task":
            targets.append(_build_suggestion(call, context))
        elif call.name == "start_run":
            targets.append(Assignment(worker="research", text=str(call.args["goal"])))
    return decision.model_copy(update={"targets": targets})


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


async def route_answer(answer: str, leave_out: Collection[int], ask: Ask, built_in: Understanding) -> RouterDecision:
    """Return what an answer to the question comes to; ``leave_out`` are numbers of what a yes is not for."""
    pending = ask.pending
    said = short_answer(answer) or answer.strip()
    if pending is not None and pending.missing == MISSING_AGREEMENT and said in ("yes", "no"):
        with speaking(ask.language):
            return _apply_agreement(pending, leave_out if said == "yes" else range(len(pending.proposals) + 1))
    decision = await built_in.route(ask.model_copy(update={"text": said, "words": said, "hear": None}))
    return decision.model_copy(update={"look_back": None, "look_ahead": None, "unclear": []})


def _apply_agreement(pending: Pending, leave_out: Collection[int]) -> RouterDecision:
    wanted = [
        one.model_copy(update={"declined": True} if number in leave_out else {"agreed": True})
        for number, one in enumerate(pending.proposals, 1)
        if number not in leave_out or one.confirms
    ]
    does = any(not one.declined for one in wanted)
    return RouterDecision(
        answered=True,
        acknowledgement="" if does else retold(LEFT_AS_IS),
        disposition="dispatch" if does else "reply",
        targets=as_read(wanted, pending.text).targets,
    )


def join_decisions(first: RouterDecision, second: RouterDecision) -> RouterDecision:
    """Return two decisions about one message as one: each agent gets what both have for it."""
    targets = {target.worker: target for target in first.targets}
    for target in second.targets:
        known = targets.get(target.worker)
        targets[target.worker] = _together(known, target) if known else target
    acts = "dispatch" in (first.disposition, second.disposition)
    refusal = "" if second.targets or second.said_early else first.acknowledgement  # where nothing else is done or said
    return second.model_copy(
        update={
            "answered": first.answered or second.answered,
            "acknowledgement": second.acknowledgement or refusal,
            "heard_right": first.heard_right or second.heard_right,
            "disposition": "dispatch" if acts else second.disposition,
            "targets": list(targets.values()),
            "questions": [*first.questions, *second.questions],
        }
    )


def _together(one: Assignment, other: Assignment) -> Assignment:
    if one.proposed is None or other.proposed is None:
        return one
    first, second = one.proposed, other.proposed
    proposals = [*first.proposals, *second.proposals]
    both = first.model_copy(
        update={
            "proposals": [item.model_copy(update={"place": place}) for place, item in enumerate(proposals)],
            "answers": [*first.answers, *second.answers],
            "citations": [*first.citations, *second.citations],
            "suggestion": second.suggestion or first.suggestion,
        }
    )
    return one.model_copy(update={"proposed": both})


def language_of_text(text: str, usual: str) -> str:
    """Return the BCP 47 tag of a text's language; "" where it is the usual one, or cannot be told."""
    words = WORD.findall(text.lower())
    counts = {tag: sum(word in marks for word in words) for tag, marks in MARKS.items()}
    first, second, *_ = sorted(counts, key=lambda tag: -counts[tag])
    own = usual.lower().partition("-")[0]
    sure = counts[first] >= MIN_LANGUAGE_WORDS and counts[first] >= LANGUAGE_MARGIN * max(
        counts[second], counts.get(own, 0) if first != own else 0
    )
    return TAGS.get(first, first) if sure and first != own else ""

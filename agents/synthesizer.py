"""The synthesizer: one reply from the ledger rows of this turn, claiming nothing that no row shows (P1)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NotRequired

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from agents.claims import claims_change
from agents.context import Context, clock_of, language_of
from agents.contract import (
    WRITING_WORKERS,
    AgentReport,
    Change,
    Disposition,
    FocusSuggestion,
    Outcome,
    Pending,
    Question,
    RouterDecision,
    UnderstandingUsed,
    Worker,
)
from agents.dates_in_words import say_duration
from agents.languages import answer_said, known_language, needs_reading, retold, say, say_later, speaking
from agents.ledger.approvals import approval_questions
from agents.open_questions import given_up, left_open, waiting
from agents.phrases import quote, say_list, say_some, side_by_side
from agents.policies import Standing
from agents.ports import LedgerUnavailable
from agents.rendering.changes import claim_sentence, told_apart
from agents.rendering.spoken_reply import Receipt, ReplyUnderWay
from agents.rendering.thread_summary import ThreadSummary
from agents.rendering.tone import ReplyStyle
from agents.user_words.request_words import request_words

RECENT_TURNS = 5
YES_NO = ("yes", "no")
AFTER_TITLE = "”: "
"""What parts the task from the reason in why a suggestion is made."""
LONGEST_TOLD_BACK, MOST_TOLD_BACK = 300, 10
FALLBACK = say_later("(The language model did not answer, so this was understood without it.)")
UNREAD = say_later(
    "This message is longer than I can read. I did not read its end, {end}; please send that part again."
)
NOTHING_CHANGED = say_later("(Nothing is changed.)")


class Gathered(TypedDict):
    """What the synthesizer reads of the state."""

    decision: RouterDecision
    reports: list[AgentReport]
    messages: list[AnyMessage]
    turn_id: str
    words: str
    pending: NotRequired[Pending | None]
    standing: NotRequired[list[Standing]]
    recent_turns: NotRequired[list[str]]
    digest: NotRequired[ThreadSummary | None]


class Synthesized(TypedDict):
    """What the synthesizer writes; reports and decision are dropped, so that checkpoints stay small."""

    outcome: Outcome
    messages: list[AnyMessage]
    pending: Pending | None
    recent_turns: list[str]
    digest: ThreadSummary
    reports: Any
    decision: None
    standing: list[Standing]


class ReportMissing(LedgerUnavailable):
    """An agent was given a part of the message and has not reported: a reply would pass over that part."""

    def __init__(self, workers: Iterable[Worker]) -> None:
        super().__init__(f"no report from {', '.join(workers)}")


class Synthesizer:
    """Renders claims by code and streams them sentence by sentence, behind what a mind said in its own words."""

    async def response_synthesizer(self, state: Gathered, runtime: Runtime[Context]) -> Synthesized:
        """Write the one reply of the turn, in its language. Raises ReportMissing before anything is said."""
        tag = reply_language(state["decision"], runtime.context)
        if needs_reading(tag):
            await asyncio.to_thread(known_language, tag)  # once, beside the event loop
        with speaking(tag):
            return self._compose_reply(state, runtime)

    def _compose_reply(self, state: Gathered, runtime: Runtime[Context]) -> Synthesized:
        decision, now = state["decision"], clock_of(runtime.context)
        _check_complete(decision, state["reports"])
        reports = state["reports"]
        changes = [change for report in reports for change in report.changes]
        reply = ReplyUnderWay(runtime.stream_writer, ReplyStyle(state.get("standing") or []), [*decision.said_early])
        reply.say(settled_sentences(decision, reports, now, reply.manner))
        asked = _questions_to_ask(decision, reports, now)
        kept = left_open(state.get("pending"), asked, changes, answered=decision.answered)
        question = open_question(decision, reports, state["words"], now, kept, state["turn_id"])
        reply.say(closing_sentences(decision, reports, question, now, kept))
        outcome = Outcome(
            disposition=_disposition(reports, None if kept and not asked else question),
            targets=[assignment.worker for assignment in decision.targets],
            reply=side_by_side(reply.said),
            remarks=side_by_side([one for one in reply.said if not isinstance(one, Receipt)]),
            question=question,
            citations=[citation for report in reports for citation in report.citations],
            suggestion=next((report.suggestion for report in reports if report.suggestion), None),
            understanding=_understanding(decision, reports),
            reported=[report.worker for report in reports],
            heard_right=decision.heard_right,
            requests=request_words(decision, _put(decision, reports), state["words"]),
        )
        return {
            "outcome": outcome,
            "messages": history(state["turn_id"], reports, outcome.reply),
            "pending": question.pending if question else None,
            "recent_turns": _recent_turns(state, changes),
            "digest": ThreadSummary.model_validate(state.get("digest") or {}).after(changes, question, now),
            "reports": Overwrite([]),
            "decision": None,
            "standing": [],
        }


def reply_language(decision: RouterDecision, context: Context | None) -> str:
    """The language that a model found the message in, or else the one that the user speaks, as a BCP 47 tag."""
    return decision.language or language_of(context)


def _check_complete(decision: RouterDecision, reports: list[AgentReport]) -> None:
    reported = {report.worker for report in reports}
    if missing := [target.worker for target in decision.targets if target.worker not in reported]:
        raise ReportMissing(missing)


def settled_sentences(
    decision: RouterDecision, reports: list[AgentReport], now: datetime, manner: ReplyStyle | None = None
) -> Iterator[str]:
    """What can be said as soon as everything is committed: lead-in, claims, failures, answers."""
    manner = manner or ReplyStyle()
    alone = not (decision.questions or decision.said_early) and not any(
        r.changes or r.answers or r.suggestion or r.error for r in reports
    )
    if lead_in := _lead_in(decision, manner, alone=alone):
        yield lead_in
    yield from _correction(decision, [change for report in reports for change in report.changes])
    changes = [change for report in reports for change in report.changes if change.status != "needs_confirmation"]
    assumed = {known: said for report in reports for known, said in report.assumed.items()}
    own_steps = decision.understanding != "model"
    yield from _claims(changes, {} if manner.brief else assumed, now, manner, own_steps=own_steps)
    for report in reports:
        yield from map(manner.strip_emojis, map(retold, report.answers))
        if report.suggestion:
            yield _say_suggestion(manner.shorten_suggestion(report.suggestion))
        if report.error:
            yield retold(report.error)


def _lead_in(decision: RouterDecision, manner: ReplyStyle, *, alone: bool) -> str:
    """What a mind says in its own words: a model follows the wishes itself, and its words may be what was asked for."""
    words = decision.acknowledgement
    return manner.strip_emojis(words) if decision.understanding == "model" else manner.lead_in(words, alone=alone)


def closing_sentences(
    decision: RouterDecision,
    reports: list[AgentReport],
    question: Question | None,
    now: datetime,
    kept: Sequence[Question] = (),
) -> Iterator[str]:
    """The end of the reply: what was not understood, what is asked, what is given up, and that a model was missing.

    A question of an earlier turn was put then; it stays in the turn's ``question`` and is not said again.
    """
    asked = _questions_to_ask(decision, reports, now)
    yield from _open(decision, reports, None if kept and not asked else question, now)
    if decision.answered and not asked:  # the next one is in front now
        yield from (one.text for one in kept[:1])
    given = say_later("I dropped the question: {question}")
    yield from (say(given, question=one.text) for one in given_up([*asked, *kept]))
    if _understanding(decision, reports) == "fallback":
        yield decision.without_model or say(FALLBACK)


def _claims(
    changes: list[Change], assumed: dict[str, list[str]], now: datetime, manner: ReplyStyle, *, own_steps: bool
) -> Iterator[str]:
    """What was done, and by which convention its time was read where the words left that open: each once.

    Steps that are not our own are told: nobody else has seen them.
    """
    told: set[str] = set()
    for change in sorted(told_apart(changes, now), key=lambda change: change.place):
        yield Receipt(claim_sentence(manner.shorten_change(change), now))
        if details := manner.details(change, steps=not own_steps):
            yield Receipt(details)
        new = [clause for clause in assumed.get(change.id, []) if clause not in told]
        told.update(new)
        if new:
            yield f"({say_list([*map(retold, new)])}.)"


def open_question(
    decision: RouterDecision,
    reports: list[AgentReport],
    words: str,
    now: datetime,
    kept: Sequence[Question] = (),
    turn_id: str = "",
) -> Question | None:
    """The question the turn waits with: the first asked or kept, or a request to say the unclear part differently."""
    asked = [*_questions_to_ask(decision, reports, now), *kept]
    if asked:
        return waiting(asked, turn_id)
    spoken = (
        decision.said_early
        or decision.acknowledgement
        or any(r.changes or r.answers or r.suggestion or r.error for r in reports)
    )
    if spoken:
        return None
    unclear = _told_back(_unclear(decision, reports) or [words])
    return Question(
        text=say("I did not understand {words}. What would you like me to do?", words=unclear),
        pending=Pending(id=turn_id, missing="rephrase", text=words, at=now),
    )


def history(turn_id: str, reports: list[AgentReport], reply: str) -> list[AnyMessage]:
    """The turn as a valid message history: calls, their real outcomes, the reply. Ids repeat when a turn is re-run."""
    changes = [change for report in reports for change in report.changes]
    told: list[AnyMessage] = []
    if changes:
        told.append(AIMessage("", id=f"{turn_id}:calls", tool_calls=[_call(change) for change in changes]))
        told += [ToolMessage(_result(c), tool_call_id=c.id, id=f"{turn_id}:{c.id}") for c in changes]
    return [*told, AIMessage(reply, id=f"{turn_id}:reply")]


def _understanding(decision: RouterDecision, reports: list[AgentReport]) -> UnderstandingUsed:
    used = [decision.understanding, *(report.understanding for report in reports)]
    return "fallback" if "fallback" in used else "model" if "model" in used else "built-in"


def _correction(decision: RouterDecision, changes: Sequence[Change]) -> Iterator[str]:
    """One line where a model says that something was changed, and nothing was."""
    words = side_by_side([*decision.said_early, decision.acknowledgement])
    claimed = decision.understanding == "model" and claims_change(words)
    if claimed and not any(change.status == "applied" for change in changes):
        yield say(NOTHING_CHANGED)


def _disposition(reports: list[AgentReport], question: Question | None) -> Disposition:
    changes = [change for report in reports for change in report.changes]
    failed = any(report.error and report.worker in WRITING_WORKERS for report in reports)
    if failed or any(change.status != "needs_confirmation" for change in changes):
        return "dispatch"
    return "clarify" if question else "reply"


def _recent_turns(state: Gathered, changes: list[Change]) -> list[str]:
    turns = [*(state.get("recent_turns") or [])]
    return [*turns, state["turn_id"]][-RECENT_TURNS:] if changes else turns


def _open(
    decision: RouterDecision, reports: list[AgentReport], question: Question | None, now: datetime
) -> Iterator[str]:
    if decision.unread:
        yield say(UNREAD, end=_told_back([decision.unread]))
    unclear = _unclear(decision, reports)
    if unclear and (question is None or question.pending.missing != "rephrase"):
        yield say("I did not understand {words}; that part is left undone.", words=_told_back(unclear))
    if question:
        yield f"\n{question.text}" if "\n" in question.text else question.text
    yield from (say("Also: {question}", question=later.text) for later in _questions_to_ask(decision, reports, now)[1:])


def _questions_to_ask(decision: RouterDecision, reports: list[AgentReport], now: datetime) -> list[Question]:
    """What waits for a yes comes first: it is whole, and a yes is all it needs."""
    held = approval_questions([change for report in reports for change in report.changes], now)
    return [_translate_question(question) for question in (*held, *_put(decision, reports))]


def _put(decision: RouterDecision, reports: list[AgentReport]) -> list[Question]:
    """The questions that the message raises, without those about changes that are held."""
    return [*decision.questions, *(question for report in reports for question in report.questions)]


def _translate_question(question: Question) -> Question:
    """A question and the yes and no that it offers, in the language of the reply."""
    options = [answer_said(option) if option in YES_NO else option for option in question.options]
    return question.model_copy(update={"text": retold(question.text), "options": options})


def _unclear(decision: RouterDecision, reports: list[AgentReport]) -> list[str]:
    return [*decision.unclear, *(part for report in reports for part in report.unclear)]


def _told_back(parts: list[str]) -> str:
    """Words of the user's as a reply repeats them: each once, not too many, and none of them at length."""
    each = list(dict.fromkeys(parts))
    shown = [quote(part if len(part) <= LONGEST_TOLD_BACK else f"{part[:LONGEST_TOLD_BACK]} …") for part in each]
    return say_some(shown, MOST_TOLD_BACK)


def _say_suggestion(suggestion: FocusSuggestion) -> str:
    """Return the task, how long it takes, why it is the one, and its step: the built-in mind knows it by this form."""
    title, _, why = suggestion.why.partition(AFTER_TITLE)
    length = say_duration(suggestion.minutes)
    template = (
        say_later("{title} ({length} to begin): {why}.")
        if suggestion.step
        else say_later("{title} (about {length}): {why}.")
    )
    action = say(template, title=f"{title}”", length=length, why=why.rstrip(". "))
    step = say(" Start with: {step}.", step=suggestion.step.rstrip(".")) if suggestion.step else ""
    return f"{action}{step} {retold(suggestion.encouragement)}".rstrip()


def _call(change: Change) -> dict[str, Any]:
    args = {"kind": change.kind, "record_id": change.record_id, "fields": change.fields}
    return {"name": change.op, "id": change.id, "args": args, "type": "tool_call"}


def _result(change: Change) -> str:
    return json.dumps({"status": change.status, "error": change.error, "title": change.title}, ensure_ascii=False)

"""Which words of a message each value of a proposal comes from, and which words gave none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from pydantic import BaseModel, Field

from agents.contract import Disposition, Op, Pending, Proposal, RouterDecision, Worker
from agents.fields import MOMENTS
from agents.index.words import STOP
from agents.records import Kind
from agents.time import Clock, FoundTime, describe, find_times
from agents.time.tokens import Token, stem, tokenize

OP = "op"
TIMES = MOMENTS | {"recurrence"}
DAY_LENGTH = len("2026-11-18")


class Span(BaseModel):
    """Words of a message; ``start`` and ``end`` are character offsets."""

    text: str
    start: int
    end: int


class ReadProposal(BaseModel):
    """One change that a message asks for, with the words that each value comes from."""

    worker: Worker
    op: Op
    kind: Kind
    record_id: str | None = None
    title: str = Field(description="What names the item that is changed; empty for a new one.")
    fields: dict[str, Any]
    words: dict[str, list[Span]] = Field(description="By field, and `op` for what asks for the change itself.")
    hold: str = Field("", description="Why it would wait for a yes.")
    group: str = Field("", description="What proposals have in common that happen all together or not at all.")
    declined: bool = Field(default=False, description="It is the no to this change, which waits for a confirmation.")


class ReadQuestion(BaseModel):
    """A question that would be asked back."""

    text: str
    options: list[str]


class AnsweredQuestion(ReadQuestion):
    """The question that waits in the thread and that the message is the answer to."""

    id: str = Field(description="Send it as `answers` of the turn: the message then answers this question or none.")


class Reading(BaseModel):
    """What a message comes to if it is sent; nothing of it has happened."""

    disposition: Disposition
    answered: AnsweredQuestion | None = Field(
        None, description="The open question that the message answers; the proposals are what its answer does."
    )
    proposals: list[ReadProposal]
    questions: list[ReadQuestion]
    answers: list[str] = Field(description="What would be answered from what is stored.")
    unclear: list[str] = Field(description="Parts that are not understood; the reply would name them.")
    unused: list[Span] = Field(description="Words that no value comes from.")


def reading_of(
    text: str,
    decision: RouterDecision,
    wanted: Sequence[tuple[Worker, Proposal, str]],
    clock: Clock,
    pending: Pending | None = None,
) -> Reading:
    """A decision as data; ``wanted`` are its proposals with their workers and the titles of the items they change.

    ``pending`` is the question that waits.
    """
    said = _Said(text, find_times(text, clock))
    proposals = [
        ReadProposal(
            worker=worker, op=item.op, kind=item.kind, record_id=item.record_id, title=title,
            fields=item.fields, words=said.words_of(item, title), hold=item.hold, group=item.group,
            declined=item.declined,
        )
        for worker, item, title in wanted
    ]  # fmt: skip
    answered = _answered_question(pending) if decision.answered and pending else None
    asked = [ReadQuestion(text=one.text, options=one.options) for one in decision.questions]
    told = [answer for target in decision.targets if target.proposed for answer in target.proposed.answers]
    unclear = [*decision.unclear, *filter(None, [decision.unread])]
    return Reading(
        disposition=decision.disposition,
        answered=answered,
        proposals=proposals,
        questions=asked,
        answers=[*filter(None, [decision.acknowledgement]), *told],
        unclear=unclear,
        unused=said.unused_spans() if proposals and not answered else [],
    )


def _answered_question(pending: Pending) -> AnsweredQuestion:
    return AnsweredQuestion(id=pending.id, text=pending.asked, options=pending.choices)


class _Said:
    """A message's words, and which of them were used."""

    def __init__(self, text: str, times: Sequence[FoundTime]) -> None:
        self._text, self._times = text, [(found, _moments(found)) for found in times]
        self._tokens = [token for token in tokenize(text) if token.text[0].isalnum()]
        self._stems = [stem(token.text) for token in self._tokens]
        self._used: set[int] = set()

    def words_of(self, proposal: Proposal, title: str) -> dict[str, list[Span]]:
        """The words of each field, of the item's title, and those before them, which ask for the change."""
        values = {"title": title, **proposal.fields} if title else proposal.fields
        found = {name: self._of_field(name, value) for name, value in values.items()}
        found = {name: spans for name, spans in found.items() if spans}
        starts = [span.start for spans in found.values() for span in spans]
        lead = self._leading(min(starts)) if starts else []
        return {OP: lead, **found} if lead else found

    def unused_spans(self) -> list[Span]:
        """Runs of words that no value comes from; those that carry no meaning alone are left out."""
        runs = _runs([at for at in range(len(self._tokens)) if at not in self._used])
        return [self._span(run) for run in runs if any(self._tokens[at].text not in STOP for at in run)]

    def _of_field(self, name: str, value: Any) -> list[Span]:
        if name in TIMES:
            return self._of_time(str(value))
        return [span for text in _texts(value) for span in self._of_text(text, name)]

    def _of_time(self, value: str) -> list[Span]:
        known = [found for found, moments in self._times if value in moments]
        day = value[:DAY_LENGTH]
        near = [found for found, moments in self._times if any(one.startswith(day) for one in moments)]
        only = [found for found, _ in self._times] if len(self._times) == 1 else []
        spans = []
        for found in known or near or only:
            self._used |= {at for at, token in enumerate(self._tokens) if _inside(token, found.span)}
            spans.append(Span(text=found.text, start=found.span[0], end=found.span[1]))
        return spans

    def _of_text(self, value: str, name: str) -> list[Span]:
        wanted = [stem(token.text) for token in tokenize(value) if token.text[0].isalnum()]
        blocks = SequenceMatcher(None, self._stems, wanted, autojunk=False).get_matching_blocks()
        runs = [self._with_label(list(range(block.a, block.a + block.size)), name) for block in blocks if block.size]
        self._used |= {at for run in runs for at in run}
        return [self._span(run) for run in runs]

    def _with_label(self, run: list[int], name: str) -> list[int]:
        """With the word beside it that says which field it is: "high priority"."""
        if run[-1] + 1 < len(self._stems) and self._stems[run[-1] + 1] == stem(name):
            return [*run, run[-1] + 1]
        return [run[0] - 1, *run] if run[0] and self._stems[run[0] - 1] == stem(name) else run

    def _leading(self, start: int) -> list[Span]:
        """The unused words directly before a place."""
        before = [at for at, token in enumerate(self._tokens) if token.end <= start]
        last = max((at for at in before if at in self._used), default=-1)
        run = [at for at in before if at > last]
        self._used |= set(run)
        return [self._span(run)] if run else []

    def _span(self, run: Sequence[int]) -> Span:
        start, end = self._tokens[run[0]].start, self._tokens[run[-1]].end
        return Span(text=self._text[start:end], start=start, end=end)


def _moments(found: FoundTime) -> list[str]:
    plain = describe(found)
    return [str(plain[name]) for name in ("start", "end", "rrule") if plain[name]]


def _inside(token: Token, span: tuple[int, int]) -> bool:
    return span[0] <= token.start and token.end <= span[1]


def _runs(places: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for at in places:
        if found and found[-1][-1] == at - 1:
            found[-1].append(at)
        else:
            found.append([at])
    return found


def _texts(value: Any) -> Iterator[str]:
    """Every text within a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)

"""The best units as evidence: neighbours joined into spans, as many as a budget of tokens holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from app.memory.fusion import Ranked
from app.memory.model.memory import Candidate, Source
from app.memory.units import pieces


@dataclass(frozen=True, slots=True)
class EvidenceSpan:
    """Units that stand side by side, as one piece of evidence with the score of the best of them."""

    source: Source
    document: str
    units: list[Candidate]
    score: float

    @property
    def start_char(self) -> int:
        """The first character, in the document."""
        return self.units[0].unit.start_char

    @property
    def end_char(self) -> int:
        """The character after the last."""
        return self.units[-1].unit.end_char


def pack_spans(found: Sequence[Ranked], tokens: int) -> list[EvidenceSpan]:
    """The best units that ``tokens`` word pieces hold, joined with those beside them, the best span first."""
    chosen: list[Ranked] = []
    for one in found:
        cost = pieces(one.candidate.unit.text)
        if cost <= tokens:
            chosen.append(one)
            tokens -= cost
    return sorted(_spans(chosen), key=lambda span: -span.score)


def _spans(chosen: Sequence[Ranked]) -> list[EvidenceSpan]:
    ordered = sorted(chosen, key=lambda one: (_home(one.candidate), one.candidate.unit.place))
    spans: list[EvidenceSpan] = []
    for (source, document), group in groupby(ordered, key=lambda one: _home(one.candidate)):
        for number, one in enumerate(group):
            last = spans[-1] if number else None
            if last and last.units[-1].unit.place + 1 == one.candidate.unit.place:
                joined = [*last.units, one.candidate]
                spans[-1] = EvidenceSpan(source, document, joined, max(last.score, one.score))
            else:
                spans.append(EvidenceSpan(source, document, [one.candidate], one.score))
    return spans


def _home(one: Candidate) -> tuple[Source, str]:
    return one.source, one.document

"""One ranking from two: scores by words and by meaning, brought to one scale and added."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agents.contract import Citation
from app.memory.citing import cite
from app.memory.model.memory import Candidate

LEXICAL_SHARE = 0.6
NEIGHBOUR_SHARE = 0.3
SPEAKER_BOOST = 0.1
DATE_BOOST = 0.1
RECENCY_BOOST = 0.02
RECENCY_DAYS = 30.0


@dataclass(frozen=True, slots=True)
class Cues:
    """What else a question tells: ``words`` are its own in lower case, [since, until) the time that it names."""

    words: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate and its score: about 0 to 1, and a little more with boosts."""

    candidate: Candidate
    score: float

    @property
    def citation(self) -> Citation:
        """Where it stands, with its words."""
        return cite(self.candidate)


def rank_candidates(candidates: Sequence[Candidate], cues: Cues | None = None) -> list[Ranked]:
    """The candidates, the best first. Scores are comparable within one search only."""
    fused = _fuse_scores(candidates)
    scores = {key: _smooth_score(key, fused) for key in fused}
    cues = cues or Cues()
    speakers = {one.unit.speaker for one in candidates}
    meant = _speaker_meant(speakers, cues.words)
    found = [Ranked(one, scores[_key(one)] + _boost(one, cues, meant)) for one in candidates]
    return sorted(found, key=lambda one: (-one.score, one.candidate.captured_at, one.candidate.unit.place))


def _fuse_scores(candidates: Sequence[Candidate]) -> dict[tuple[str, str, int], float]:
    by_words = _scale_scores([one.lexical for one in candidates])
    known = [one.dense for one in candidates if one.dense is not None]
    if not known:
        return {_key(one): score for one, score in zip(candidates, by_words, strict=True)}
    least = min(known)
    by_meaning = _scale_scores([least if one.dense is None else one.dense for one in candidates])
    return {
        _key(one): LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * dense
        for one, lexical, dense in zip(candidates, by_words, by_meaning, strict=True)
    }


def _scale_scores(scores: Sequence[float]) -> list[float]:
    low, high = min(scores, default=0.0), max(scores, default=0.0)
    return [(score - low) / (high - low) if high > low else 0.0 for score in scores]


def _smooth_score(key: tuple[str, str, int], fused: dict[tuple[str, str, int], float]) -> float:
    """An answer stands beside its question: what has a good neighbour is better."""
    source, document, place = key
    beside = max(fused.get((source, document, place + step), 0.0) for step in (-1, 1))
    return fused[key] + NEIGHBOUR_SHARE * beside


def _speaker_meant(speakers: set[str], words: frozenset[str]) -> str | None:
    """The one speaker whom the question names; a question about two is about neither."""
    named = [speaker for speaker in speakers if speaker and speaker.lower() in words]
    return named[0] if len(named) == 1 else None


def _boost(one: Candidate, cues: Cues, speaker: str | None) -> float:
    boost = SPEAKER_BOOST if speaker and one.unit.speaker == speaker else 0.0
    if cues.since and cues.until and cues.since <= one.captured_at < cues.until:
        boost += DATE_BOOST
    if cues.now:
        days = max(0.0, (cues.now - one.captured_at).total_seconds() / 86_400)
        boost += RECENCY_BOOST * math.exp(-days / RECENCY_DAYS)
    return boost


def _key(one: Candidate) -> tuple[str, str, int]:
    return one.source, one.document, one.unit.place

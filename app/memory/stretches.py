"""Questions about a stretch of time and nothing else: "what did I say last week?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from agents.contract import Citation
from agents.index.words import tokens
from app.memory.model.memory import Asked
from app.memory.quoting import day_of, quoted_words
from app.memory.times import time_named, without_time

SPARE_WORDS = frozenset(
    """
    what which did do does done was were is are have has i we me my our us you the a an all any anything everything
    things thing of in on at to about from and so please can could show tell told give list write make say said saying
    talk talked speak mention mentioned note noted notes record recorded remember happen happened happens going go went
    new up sum summarise summarize summary recap digest overview memo memos there it that
    """.split()
)
"""Words that say no more of a question than that it wants what was said."""
MONTHS = "january february march april may june july august september october november december".split()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Moments [since, until)."""

    since: datetime
    until: datetime


def stretch_in(asked: Asked) -> Stretch | None:
    """Return the time that a question is about where it names nothing else; None for any other question."""
    where = (asked.at, asked.timezone, asked.conventions)
    text = asked.text if any(time_named(asked.text, *where)) else _with_preposition(asked.text)
    since, until = time_named(text, *where)
    if since is None or not SPARE_WORDS.issuperset(tokens(without_time(text, *where))):
        return None
    since, until = max(since, asked.since or since), min(until or asked.at, asked.until or asked.at)
    return Stretch(since, until) if since < until else None


def _with_preposition(question: str) -> str:
    """The grammar reads a month that stands alone as a name: "summarise November"."""
    words = question.rstrip(" ?.!").split()
    return " ".join([*words[:-1], "in", words[-1]]) if words and words[-1].lower() in MONTHS else question


def tell_days(told: Sequence[Citation], timezone: str) -> str:
    """Return quotes day by day."""
    days = groupby(told, key=lambda one: day_of(one, timezone))
    return " ".join(f"On {day}: {'; '.join(map(quoted_words, said))}" for day, said in days)

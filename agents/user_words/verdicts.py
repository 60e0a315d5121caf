"""Words that decide what a run waits for: said outright, or a yes or no right after the run's question was told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.ports import Exchange

_IT = r"(?:\s+(?:it|that|this|the\s+(?:run|request|call|action)|das|es|isso))?(?:\s+please)?"
ALLOWING = re.compile(
    rf"(?:yes\W+|ja\W+|sim\W+)?(?:please\s+)?(?:(?:i\s+)?(?:approve|allow|permit)|genehmigt|erlaubt|aprovado|aprovo){_IT}[\s.!]*",
    re.IGNORECASE,
)
REFUSING = re.compile(
    rf"(?:no\W+|nein\W+|não\W+)?(?:please\s+)?(?:(?:i\s+)?(?:reject|deny|refuse|disallow)|(?:do\s+not|don't)\s+(?:approve|allow|permit)"
    rf"|abgelehnt|nicht\s+erlaubt|rejeitado|recuso){_IT}[\s.!]*",
    re.IGNORECASE,
)
YES_WORDS = re.compile(r"(?:yes|yep|yeah|ok|okay|sure|go ahead)(?:\s+please)?[\s.!]*", re.IGNORECASE)
NO_WORDS = re.compile(r"(?:no|nope|no thanks|don't)[\s.!]*", re.IGNORECASE)
WAITS_FOR_ANSWER = re.compile(r"\u201d waits for your answer: ")
"""How a run's question is told: only right after it a bare yes is for the run."""


def verdict_of(words: str, recent: Sequence[Exchange]) -> bool | None:
    """True for words that allow what a run asks, False for those that refuse it, None for all others."""
    text = words.strip()
    just_told = bool(recent) and WAITS_FOR_ANSWER.search(recent[-1].replied) is not None
    if ALLOWING.fullmatch(text) or (just_told and YES_WORDS.fullmatch(text)):
        return True
    return False if REFUSING.fullmatch(text) or (just_told and NO_WORDS.fullmatch(text)) else None

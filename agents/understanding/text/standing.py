"""Whether a clause is a standing wish without saying "always": it means a rule, and no single occasion."""

from __future__ import annotations

import re

from agents.policies import Tone, compiled
from agents.understanding.grammar import patterns_of

P = patterns_of(__name__)


def defined(text: str) -> bool:
    """Whether a whole message is one rule, whatever its parts would be by themselves."""
    return P.DEFINES.match(text) is not None or P.WHENEVER.match(text) is not None


def _is_tone(said: str) -> bool:
    """Whether the words are about how replies sound: that is never meant for a single one."""
    rules = compiled(said) if not P.KEPT.match(said) and not P.ONCE.search(said) else ()
    return bool(rules) and all(isinstance(rule, Tone) for rule in rules)


def is_standing(text: str) -> bool:
    """Whether words mean a rule from now on."""
    said = text.strip()
    if defined(said):
        return True
    if P.SOUND.search(said) and _is_tone(said) and not P.DROPPED.match(said):
        return True
    if (
        P.KEPT.match(said)
        or P.DROPPED.match(said)
        or P.ASKING.match(said)
        or P.BULK.match(said)
        or P.ONCE.search(said)
        or not P.LASTING.search(said)
    ):
        return False
    if (
        P.BLOCKS.match(said)
        and P.ONE_DAY.search(said)
        and not re.search(r"\b(?:every|each|always)\b", said, re.IGNORECASE)
    ):
        return False
    return bool(compiled(said))

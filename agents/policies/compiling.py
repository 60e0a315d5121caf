"""From the words of an instruction to the rules they mean; words that no form fits stay advice."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise

from agents.policies import asking, defaults, limits, manner
from agents.policies.matching import TOKEN
from agents.policies.rules import Rule

LONGEST = 600
QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
POLITE = re.compile(
    r"\b(?:please|kindly|thanks|thank you|(?<!my )ok(?:ay)?|from (?:now|here|today) on(?:wards)?|in (?:the )?future|going forward|"
    r"henceforth|as a (?:general )?rule(?: of thumb)?|(?:new |standing )?(?:rule|instruction):|for future reference|"
    r"(?:can|could|would|will) you|i(?:'d| would) like you to|i want you to|remember to|make sure (?:to|you|that you)|um+|uh+)\b[,:]?",
    re.IGNORECASE,
)
SENTENCE = re.compile(
    r"\s*(?:[;\n]|\.(?=\s|$)|,?\s+and\s+(?=(?:always|never|no|keep|don't|do not|ask|mark|make|give|set|add|remind|be)\b))\s*",
    re.IGNORECASE,
)
Form = Callable[[str], list[Rule]]
CONDITION = frozenset("when whenever if unless while except holidays vacation season".split())
"""Words that narrow a limit by what no rule can look up: it stays advice rather than hold always."""
AFTERWARDS = frozenset("after before when that i with".split())
NARROWED = frozenset((limits.only, limits.never, limits.quiet_hours, asking.before))
FORMS: tuple[Form, ...] = (
    asking.on_conflict,
    asking.before,
    limits.quiet_hours,
    limits.only,
    limits.never,
    defaults.estimates,
    defaults.durations,
    defaults.reminders,
    defaults.priorities,
    manner.tone,
)


@lru_cache(maxsize=512)
def compiled(text: str) -> tuple[Rule, ...]:
    """The rules that an instruction comes to, each once; empty when it stays advice."""
    if len(text) > LONGEST:
        return ()
    found: dict[Rule, None] = {}
    for sentence in SENTENCE.split(plain(text)):
        found |= dict.fromkeys(_first(sentence.strip(" ,.!?")))
    return tuple(found)


def plain(text: str) -> str:
    """The words without what is only politeness."""
    said = POLITE.sub(" ", text.translate(QUOTES).lower())
    return re.sub(r"[^\S\n]+", " ", said).strip(" ,.!")


def _first(sentence: str) -> list[Rule]:
    said = TOKEN.findall(sentence)
    days = any(first == "days" and then in AFTERWARDS for first, then in pairwise(said))
    forms = [form for form in FORMS if form not in NARROWED] if days or CONDITION & set(said) else FORMS
    return next((found for form in forms if (found := form(sentence))), [])

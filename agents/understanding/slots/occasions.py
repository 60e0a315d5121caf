"""What an appointment or a reminder is called: its title without the words that only ask for it or point at it."""

from __future__ import annotations

import re
from functools import cache

from agents.time.feasts import feasts
from agents.understanding.grammar import patterns_of
from agents.understanding.slots.slots import Slots
from agents.understanding.text.verbs import EVENT_NOUNS, WHOLE_DAY_NOUNS, is_verb

P = patterns_of(__name__)
MAX_ROUNDS = 4


def named(title: str) -> str:
    """A reminder's title: "a notification about the gala" is "the gala", "the review i have" is "the review"."""
    for _ in range(MAX_ROUNDS):
        shorter = P.TAILS.sub("", P.LEADS.sub("", title)).strip()
        if shorter in ("", title):
            break
        title = shorter
    return title


def occasion(title: str) -> str:
    """An appointment's title: who goes to a party on Friday has a party then, and the next dentist is a dentist."""
    title = named(re.sub(r"^(?:for|to)\s+", "", title, flags=re.IGNORECASE))
    title = P.ARRANGED.sub("", title) or title
    title = (
        P.NEXT.sub("", P.SET.sub("", re.sub(r"(?<!day)(?<!\bcheck)\s+(?:for|off|out|in|down)$", "", title))) or title
    )
    gone = P.GOING.sub("", title)
    if set(gone.lower().replace("'s", "").split()) & (EVENT_NOUNS | WHOLE_DAY_NOUNS):
        title = gone
    return P.EVENT_AT_END.sub("", title) or title


def with_pronoun(slots: Slots) -> str:
    """A title that would be nothing but a verb, with its object: "sort it" says more than "sort"."""
    alone = re.search(rf"\b{re.escape(slots.title)}\s(?:it|them|that|this)\b", slots.text, re.IGNORECASE)
    return alone[0] if alone and is_verb(slots.title.lower()) else slots.title


def keep_feast(slots: Slots) -> None:
    """Give its name back to what is nothing but a feast: "christmas with granny" is not called "with granny".

    If another day was said, that is when it is kept.
    """
    kept = next((found for found in slots.times if _is_feast(found.text)), None)
    if kept is None or not P.COMPANY.match(slots.title):
        return
    slots.title = f"{P.BEFORE_FEAST.sub('', kept.text)} {slots.title}"
    others = [found for found in slots.times if found is not kept and found.day_said]
    slots.times = [found for found in slots.times if found is not kept] if others else slots.times


def _is_feast(text: str) -> bool:
    return P.BEFORE_FEAST.sub("", text.lower()) in _feast_names()


@cache
def _feast_names() -> frozenset[str]:
    """Every feast as it is said, with and without the word that may be missing."""
    spelled = {name.replace("?", "") for name in feasts()}
    return frozenset(spelled | {name.rpartition(" ")[0] for name in feasts() if name.endswith("?")})

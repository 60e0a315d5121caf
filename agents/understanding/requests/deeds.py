"""A task told as done in its own words: "passport renewed", "called the florist", "i've finally done the bathroom bulb"."""

from __future__ import annotations

import re

from agents.understanding.items import choose
from agents.understanding.references import alike, words_of
from agents.understanding.requests import tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import blank
from agents.understanding.text.clauses import Clause
from agents.understanding.text.inflection import PAST, base_of_participle
from agents.understanding.time.search import find_times
from agents.understanding.tokens import stem

MOST_WORDS = 12
NOT_DONE = re.compile(r"\b(?:not|never|will|gonna|going to|should|must|need|if|when|\w+n't)\b|\?", re.IGNORECASE)
DONE_WORDS = frozenset(
    """
    i we are is was were been has have hav i've we've all both also even actually just already finally now got today last long safely again
    """.split()
)
BOTH = re.compile(r"\b(?:both|all)\b", re.IGNORECASE)
OBTAINING = frozenset("buy get fetch grab collect order".split())
OBTAINED = frozenset("got bought gotten".split())
BEING = frozenset("is are was were been got all both now finally already".split())
BESIDES = re.compile(r"[\s,]+(?:so|which means)\s+(?:we|i|that|it|you)(?:'s|'re|'m| are| am| is| can)?\b.*$")
FRESH = frozenset({"just", "finally", "already"})
FORMS = frozenset(PAST.values())


def reported(clause: Clause, scene: Scene) -> Share | None:
    """A task told as done in its own words: "passport renewed", "called the florist"."""
    told = BESIDES.sub("", _undated(clause, scene).lower())
    said = re.findall(r"[\w']+", re.sub(r"(?<=[a-z])'s\s+(?=(?:all |now |finally |been )?\w+ed\b)", " is ", told))
    if not 2 <= len(said) <= MOST_WORDS or NOT_DONE.search(clause.text):
        return None
    open_ones = [item for item in scene.items("todo") if tasks.is_open(item)]
    done = [item for item in open_ones if _tells_of(said, item.title)] or [
        item for item in open_ones if _names_all(said, item.title)
    ]
    if len(done) != 1 and not (done and BOTH.search(clause.text)):
        return None
    return change(clause.text, *[choose.propose(item, "complete", {}, "you said it is done") for item in done])


def _undated(clause: Clause, scene: Scene) -> str:
    """The words of a clause without those that say when."""
    times = find_times(clause.text, scene.clock)
    return blank(clause.text, [found.span for found in times]).replace("\u241f", " ")


def _tells_of(said: list[str], title: str) -> bool:
    """Whether words are a title with its verb in the past, and nothing else."""
    verb, *rest = title.lower().split()
    past = [word for place, word in enumerate(said) if _past(word, verb, passive=bool(BEING & set(said[:place])))]
    other = [word for word in words_of(" ".join(word for word in said if word not in past)) if word not in DONE_WORDS]
    have = words_of(" ".join(rest))
    return bool(past and other) and all(any(alike(word, known) for known in have) for word in other)


def _names_all(said: list[str], title: str) -> bool:
    """Whether something just done is told with every thing that a title names: "i've finally changed that bathroom bulb"."""
    things = words_of(" ".join(title.split()[1:]))
    fresh = FRESH & set(said) and any(word.endswith("ed") or word in FORMS for word in said)
    return (
        bool(fresh)
        and len(things) > 1
        and all(any(alike(word, known) for known in words_of(" ".join(said))) for word in things)
    )


def _past(word: str, verb: str, *, passive: bool) -> bool:
    """Whether a word is a verb's past; one that looks the same in the past counts after "is" or "got" only."""
    if word == verb:
        return passive and PAST.get(verb) == verb
    if verb in OBTAINING and word in OBTAINED:
        return True
    known = word == PAST.get(verb) or base_of_participle(word) == verb
    return known or (word.endswith("ed") and stem(verb) in (stem(word), stem(word)[:-1]))

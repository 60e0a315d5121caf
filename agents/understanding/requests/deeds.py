"""A task told as done in its own words: "passport renewed", "called the florist", "i've finally done the bathroom bulb"."""

from __future__ import annotations

import re
from functools import lru_cache

from agents.time import find_times
from agents.time.tokens import stem
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item, alike, words_of
from agents.understanding.requests import tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import blank
from agents.understanding.text.clauses import Clause
from agents.understanding.text.inflection import PAST, base_of_participle

MOST_WORDS = 12
P = patterns_of(__name__)
DONE_WORDS = frozenset(
    """
    i we are is was were been has have hav i've we've i'v we'v all both also even actually just already finally now got today last long safely again up off
    """.split()
)
STATES = frozenset(
    "clean empty dry clear tidy open warm".split()
)  # verbs that name their own outcome: "the desk is clear"
MENDING = frozenset("fix repair mend sort".split())
OBTAINING = frozenset("buy get fetch grab collect order".split())
OBTAINED = frozenset("got bought gotten".split())
SENDING = frozenset("send post mail email submit ship deliver return".split())
ANSWERING, ANSWERED = frozenset("reply respond answer".split()), frozenset("replied responded answered".split())
CALLING, CALLED = frozenset("call ring phone".split()), frozenset("called rang rung phoned".split())
SAME_DEED = (
    (frozenset("ring call phone telephone".split()), frozenset("rang rung called phoned telephoned".split())),
    (frozenset("clean wash scrub".split()), frozenset("cleaned washed scrubbed".split())),
)
"""Verbs that are told in one another's words."""
BEING = frozenset("is are was were been got all both now finally already".split())


def reported(clause: Clause, scene: Scene) -> Share | None:
    """A task told as done in its own words: "passport renewed", "called the florist"."""
    told = P.BESIDES.sub("", _undated(clause, scene).lower()).strip(" .!")
    told = P.TOOK_BACK.sub(r"returned\g<what>", told)
    told = P.WENT_BACK.sub(
        "is returned", P.WENT_TO.sub(r" is sent to \g<who>", P.WENT_OUT.sub(" is sent", P.WORKS.sub("fixed", told)))
    )
    said = re.findall(
        r"[\w']+",
        re.sub(r"(?<=[a-z])'s\s+(?=(?:all |now |finally |been )?(?:\w+ed|clean|empty|dry|clear|tidy)\b)", " is ", told),
    )
    if not 1 <= len(said) <= MOST_WORDS or P.NOT_DONE.search(clause.text):
        return None
    open_ones = [item for item in scene.items("todo") if tasks.is_open(item)]
    done = [item for item in open_ones if _tells_of(said, item.title)]
    if len(done) != 1 and not (done and P.BOTH.search(clause.text)):
        return choose.which(done, "complete", scene, reason="you said it is done") if _told_alike(said, done) else None
    return change(clause.text, *[choose.propose(item, "complete", {}, "you said it is done") for item in done])


def _told_alike(said: list[str], done: list[Item]) -> bool:
    """Whether the words tell of several tasks alike, each with its own verb: "i got the permit" of two permits."""
    return (
        len(done) > 1 and said[0] in ("i", "we", "i've", "we've") and all(_tells_of(said, item.title) for item in done)
    )


def _undated(clause: Clause, scene: Scene) -> str:
    """The words of a clause without those that say when."""
    times = find_times(clause.text, scene.clock)
    return blank(clause.text, [found.span for found in times]).replace("\u241f", " ")


def _tells_of(said: list[str], title: str) -> bool:
    """Whether words are a title with its verb in the past, and nothing else."""
    verb, *rest = title.lower().split()
    past = [word for place, word in enumerate(said) if _past(word, verb, passive=bool(BEING & set(said[:place])))]
    if not past:
        return False
    other = [word for word in words_of(" ".join(word for word in said if word not in past)) if word not in DONE_WORDS]
    have = words_of(" ".join(rest))
    named = bool(other) or not rest
    return named and all(any(alike(word, known) for known in have) for word in other)


@lru_cache(maxsize=20_000)
def _past(word: str, verb: str, *, passive: bool) -> bool:
    """Whether a word is a verb's past; one that looks the same in the past counts after "is" or "got" only."""
    if word == verb:
        return passive and (PAST.get(verb) == verb or verb in STATES)
    if (verb in OBTAINING and word in OBTAINED) or (verb in MENDING and word == "fixed"):
        return True
    if verb in CALLING and word in CALLED:
        return True
    if (verb in SENDING and word == "sent") or (verb in ANSWERING and word in ANSWERED):
        return True
    if any(verb in verbs and word in pasts for verbs, pasts in SAME_DEED):
        return True
    known = word == PAST.get(verb) or base_of_participle(word) == verb
    return known or (word.endswith("ed") and stem(verb) in (stem(word), stem(word)[:-1]))

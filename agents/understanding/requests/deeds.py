"""A task told as done in its own words: "passport renewed", "called the florist", "i've finally done the bathroom bulb"."""

from __future__ import annotations

import re
from functools import lru_cache

from agents.time import find_times
from agents.time.tokens import stem
from agents.understanding.items import choose, pointed
from agents.understanding.references import Item, alike, words_of
from agents.understanding.requests import tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import blank
from agents.understanding.text.clauses import Clause
from agents.understanding.text.inflection import PAST, base_of_participle

MOST_WORDS = 12
NOT_DONE = re.compile(r"\b(?:not|never|will|gonna|going to|should|must|need|if|when|\w+n't)\b|\?", re.IGNORECASE)
DONE_WORDS = frozenset(
    """
    i we are is was were been has have hav i've we've i'v we'v all both also even actually just already finally now got today last long safely again up off
    """.split()
)
WORKS = re.compile(
    r"\b(?:working|back up|up and running|back on|running)(?:\s+(?:again|now|properly))+$|\bup and running$"
)
STATES = frozenset(
    "clean empty dry clear tidy open warm".split()
)  # verbs that name their own outcome: "the desk is clear"
MENDING = frozenset("fix repair mend sort".split())
BOTH = re.compile(r"\b(?:both|all)\b", re.IGNORECASE)
OBTAINING = frozenset("buy get fetch grab collect order".split())
OBTAINED = frozenset("got bought gotten".split())
SENDING = frozenset("send post mail email submit ship deliver return".split())
TOOK_BACK = re.compile(r"\b(?:took|taken|brought|gave|given|handed)\b(?P<what>.{2,60}?)\s+back\b")
ANSWERING, ANSWERED = frozenset("reply respond answer".split()), frozenset("replied responded answered".split())
CALLING, CALLED = frozenset("call ring phone".split()), frozenset("called rang rung phoned".split())
WENT_BACK = re.compile(r"\b(?:went|(?:has |have |'s )?gone|is|are|was|were|'s) (?:all |now )?back(?: there)?$")
WENT_TO = re.compile(r"(?:\bwent|(?:\bhas |\bhave |'s )gone) (?:over |off |out )?to (?P<who>.{2,40})$")
WENT_OUT = re.compile(r"\b(?:went|(?:has |have |'s )?gone|is|are|was) (?:out|off|in the post|in the mail)$")
"""What is said of a letter or a bill that was sent."""
SAME_DEED = (
    (frozenset("ring call phone telephone".split()), frozenset("rang rung called phoned telephoned".split())),
    (frozenset("clean wash scrub".split()), frozenset("cleaned washed scrubbed".split())),
)
"""Verbs that are told in one another's words."""
IS_OUT = re.compile(r"(?P<what>[\w' -]{3,40}?)(?:'s|\s(?:is|are|went|got))\s(?:all |now |already )?out")
PUT_OUT = re.compile(r"^(?:take|put|bring|wheel|roll)\b.*\bout\b", re.IGNORECASE)
BEING = frozenset("is are was were been got all both now finally already".split())
BESIDES = re.compile(
    r"(?<![\s,])[\s,]+(?:so|which means)\s+(?:we|i|that|it|you)(?:'s|'re|'m| are| am| is| can)?\b.*$|(?<![\s,])[\s,]+and (?:he|she|they|it)\b(?:'s|'re)?\s.*$"
)
MOST_TOLD = 5
SAID_DEED = re.compile(r"(?:(?:i|we|i've|we've|have|just|finally|already|also|ok|okay|so|and)\s+)*\w+")
POINTERS = frozenset("it that this those them these him her one ones".split())
LEFT_OUT = (
    frozenset("ok okay oh yes yeah so and by the way btw this morning afternoon yesterday earlier too off out".split())
    - POINTERS
)
FRESH = frozenset({"just", "finally", "already"})
FORMS = frozenset(PAST.values())


def reported(clause: Clause, scene: Scene) -> Share | None:
    """A task told as done in its own words: "passport renewed", "called the florist"."""
    told = BESIDES.sub("", _undated(clause, scene).lower()).strip(" .!")
    out = _put_out(told, scene)
    if out is not None:
        return change(clause.text, choose.propose(out, "complete", {}, "you said it is done"))
    told = TOOK_BACK.sub(r"returned\g<what>", told)
    told = WENT_BACK.sub(
        "is returned", WENT_TO.sub(r" is sent to \g<who>", WENT_OUT.sub(" is sent", WORKS.sub("fixed", told)))
    )
    said = re.findall(
        r"[\w']+",
        re.sub(r"(?<=[a-z])'s\s+(?=(?:all |now |finally |been )?(?:\w+ed|clean|empty|dry|clear|tidy)\b)", " is ", told),
    )
    if not 1 <= len(said) <= MOST_WORDS or NOT_DONE.search(clause.text):
        return None
    of_it = _done_to_it(said, scene)
    if of_it is not None:
        return change(clause.text, choose.propose(of_it, "complete", {}, "you said it is done"))
    several = _each_told(told, scene)
    if several:
        return change(clause.text, *[choose.propose(item, "complete", {}, "you said it is done") for item in several])
    open_ones = [item for item in scene.items("todo") if tasks.is_open(item)]
    done = [item for item in open_ones if _tells_of(said, item.title)] or [
        item for item in open_ones if _names_all(said, item.title)
    ]
    if len(done) != 1 and not (done and BOTH.search(clause.text)):
        return choose.which(done, "complete", scene, reason="you said it is done") if _told_alike(said, done) else None
    return change(clause.text, *[choose.propose(item, "complete", {}, "you said it is done") for item in done])


def _put_out(told: str, scene: Scene) -> Item | None:
    """The one task to take or put something out that is out: "the recycling's out"."""
    match = IS_OUT.fullmatch(told)
    said = words_of(match["what"]) if match else []
    found = [
        item
        for item in scene.items("todo")
        if said and tasks.is_open(item) and PUT_OUT.search(item.title) and set(said) <= set(words_of(item.title))
    ]
    return found[0] if len(found) == 1 else None


def _each_told(told: str, scene: Scene) -> list[Item]:
    """Several tasks of one verb told in one breath: "got the cake and the candles"."""
    parts = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", told)
    if not 2 <= len(parts) <= MOST_TOLD:
        return []
    lead = SAID_DEED.match(parts[0])
    said = (
        [re.findall(r"[\w']+", part if at == 0 else f"{lead[0]} {part}") for at, part in enumerate(parts)]
        if lead
        else []
    )
    open_ones = [item for item in scene.items("todo") if tasks.is_open(item)]
    found = [[item for item in open_ones if _tells_of(words, item.title)] for words in said]
    hit = [items[0] for items in found if len(items) == 1]
    return hit if len(hit) == len(parts) == len({item.id for item in hit}) else []


def _done_to_it(said: list[str], scene: Scene) -> Item | None:
    """The one task just talked about, when its verb is told of "it" in the past: "i sent them this morning"."""
    other = {word for word in said if word not in DONE_WORDS and word not in LEFT_OUT}
    if not other & POINTERS:
        return None
    verbs = (other - POINTERS) | (set(said) & OBTAINED)
    talked = [item for item in pointed.lately(scene, ("todo",)) if tasks.is_open(item)] if len(verbs) == 1 else []
    fits = [
        item
        for item in talked
        if any(_past(word, item.title.split(" ", 1)[0].lower(), passive=False) for word in verbs)
    ]
    return fits[0] if len(fits) == 1 else None


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


def _names_all(said: list[str], title: str) -> bool:
    """Whether something just done is told with every thing that a title names: "i've finally changed that bathroom bulb"."""
    things = words_of(" ".join(title.split()[1:]))
    fresh = FRESH & set(said) and any(word.endswith("ed") or word in FORMS for word in said)
    return (
        bool(fresh)
        and len(things) > 1
        and all(any(alike(word, known) for known in words_of(" ".join(said))) for word in things)
    )


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

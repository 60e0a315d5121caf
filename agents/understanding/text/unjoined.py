"""Requests said in a row with nothing between them: "send the invoice today chase the landlord tomorrow" is two."""

from __future__ import annotations

from collections.abc import Sequence

from agents.understanding.grammar import patterns_of
from agents.understanding.text import stops
from agents.understanding.text.filler import trim
from agents.understanding.text.openings import AFTER_NOUNS, CHANGES, CONDITION, LEADING_TIME, REMINDS
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import TASK_VERBS

Span = tuple[int, int]
FEWEST_WORDS, FIRST_WORDS = 6, 40
P = patterns_of(__name__)
BEGINNERS = TASK_VERBS - {"back"}
# These begin a request whatever follows: nothing is called a "get".
ALWAYS = frozenset("buy get pay feed collect fetch empty defrost hoover renew".split())
# After these a verb goes on with the request: "help mum move the sofa", "ask tom to call".
TAKES_VERB = frozenset(
    "help make let have see watch hear get want go come ask tell need remind try start stop keep like learn practice "
    "practise plan note remember".split()
)
HELPING = frozenset("help let watch see remind ask tell".split())
OBJECTS = frozenset("the a an my our his her their some this that these those it them him me us mum mom dad".split())
LENGTHS = frozenset("a an half some this that".split())
"""Words that may begin how much a thing is moved: "the board call an hour earlier"."""
PARTICLES = frozenset("up out off back over down around".split())
# Verbs that are names of things as often: after a day they may only say what takes place on it, "friday call".
NAMES_TOO = frozenset(
    "book call change check copy cut design draft drop email exchange exercise export file finish fix follow hand help hire "
    "iron label lock look mail measure message move mop order pack paint park phone pick plan polish post practice print prune "
    "purchase push quote reach record repair reply report request rent research return review ring run save scan search sew "
    "share shop show sign sketch sort soak stamp start stop stretch study swap switch talk test text tour track train travel "
    "trim try turn tune update upgrade upload use visit vote walk wash watch water weed work worm wrap".split()
)
GOES_BEFORE = frozenset(
    "to and or not then also just please the a an my our your his her their some this that these those of for at on in with by "
    "from about into i we you he she they it don't can could would will should must might may is are was were be who that "
    "which if when because so new old big quick every each no than as actually really probably even ever always never still maybe".split()
)


def gaps(text: str, joints: Sequence[Span]) -> list[Span]:
    """The spaces before a verb in speech without signs, where a request may begin; those of ``joints`` are left out."""
    words = list(P.WORD.finditer(text))
    if len(words) < FEWEST_WORDS or stops.P.PUNCTUATED.search(text):
        return []
    said, joined = [match[0].lower() for match in words], {end for _, end in joints}
    return [
        (words[at - 1].end(), words[at].start())
        for at in range(2, len(words) - 1)
        if said[at] in BEGINNERS
        and said[at - 1] not in GOES_BEFORE
        and not said[at - 1].endswith("n't")
        and said[at + 1] not in AFTER_NOUNS
        and words[at].start() not in joined
    ]


def parts(before: str, after: str, place: int, times: Sequence[Span]) -> bool:
    """Whether a request ends at a gap, by its time or its object, and the verb behind begins another."""
    verb, following = after.lower().split()[:2]
    timed = any(place == end for _, end in times)
    if any(start <= place < end for start, end in times) or not (timed or following in OBJECTS or verb in ALWAYS):
        return False
    if verb in NAMES_TOO and not timed and following in LENGTHS:
        return False
    return (verb not in NAMES_TOO or following in OBJECTS | PARTICLES) and _whole(trim(before), timed=timed)


def _whole(head: str, *, timed: bool) -> bool:
    """Whether words are a request of their own."""
    duty = P.DUTY.search(head, 0, FIRST_WORDS)
    if (
        (LEADING_TIME.match(head) and duty is None)
        or P.INVERTED_QUESTION.match(head)
        or CONDITION.match(head)
        or (CHANGES.match(head) and " to " not in head)
    ):
        return False
    if REMINDS.match(head):
        return timed and " to " in head
    duty = duty if duty and (duty.start() == 0 or P.LED.match(head) or LEADING_TIME.match(head)) else None
    if duty is None and is_statement(head):
        return False
    verb, _, thing = (head[duty.end() :] if duty else head).lower().partition(" ")
    # Behind a time only help goes on with a verb: "make the bed by noon get the shopping in" is two requests.
    takes = TAKES_VERB if not timed else HELPING
    return bool(thing) and verb in TASK_VERBS and not takes & {verb, *thing.split()}

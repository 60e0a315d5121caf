"""Requests told apart by their times: "gym monday at 7, dentist thursday at 3" are two, though neither has a verb."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.understanding.text.openings import CHANGES
from agents.understanding.text.verbs import is_verb
from agents.understanding.time.resolve import Clock
from agents.understanding.time.search import find_times

Span = tuple[int, int]
PLAN = re.compile(
    r"\s*(?:(?:please |can you |help me |let'?s )*(?:plan|organi[sz]e|sort(?: out)?|schedule|set up|fill)\s+"
    r"(?:my|the|our|this|next)\s+|(?:here(?:'s| is| are)\s+)?(?:my|the|our)\s+(?:plans?\s+(?:for\s+)?)?(?:the\s+|this\s+)?)"
    r"(?:coming\s+|next\s+)?(?:day|week|weekend|month|schedule|calendar|diary|plans?)\s*(?::|-|–|,)\s+(?=\S)",
    re.IGNORECASE,
)
MOST_JOINTS = 40  # each is compared with each time: nobody says more in one breath
WORD = re.compile(r"[a-z][a-z']+")
# What may stand beside a time without being a thing of its own.
LOOSE = frozenset(
    "a an the and or but so then also on at in by from to until till for of with my our your his her their it it's its that "
    "this maybe probably around about instead both again only just please it'll i we you be is are will sharp latest say like".split()
)
SAME = frozenset("it that this them those these".split())
PLACED = frozenset("at on by in for before until till from to after".split())
GOES_ON = re.compile(
    r"(?:back|until|till|or|not|no|maybe|for|from|at|on|to|in|the (?:one|other)|that|which|who|it|it's|so|because|since|"
    r"if|when|after|before|around|about|either|both|every|each|same|instead|actually|make|i mean|at the latest|what|how|why|"
    r"where|do|am|can|could)\b",
    re.IGNORECASE,
)
SAYS = re.compile(
    r"\b(?:can'?t|cannot|won'?t|isn'?t|aren'?t|is|are|was|were|will|has|have|had|did|does|doesn'?t|didn'?t|don'?t|could|"
    r"should|would|said|says|starts|begins|ends|moved|takes|lasts|now)\b",
    re.IGNORECASE,
)
TOLD = re.compile(r"(?:i|we)(?:'ve|'m| have| got| also| need| want|'d)?\b", re.IGNORECASE)
OURS = re.compile(r"(?:i|we)(?:'ve)?\s+(?:(?:also|still)\s+)?(?:have|got|need|want)\b", re.IGNORECASE)
SHARED = re.compile(
    r"\s*(?:(?:please|can you|could you|also|and)\s+)*"
    r"(?P<lead>(?:(?:remind me|i need|i have|i want|don't forget) to\s+)?"
    r"(?:call|ring|phone|text|e-?mail|message|meet|see|visit|pay|pick up|drop off|collect|move|push|shift|reschedule|change|"
    r"postpone|bump))\b",
    re.IGNORECASE,
)
WAITS = re.compile(r"(?:remind|don't|note|remember|idea|always|never|from now)\b", re.IGNORECASE)
LINKED = re.compile(r"\b(?:and|then|also|plus)\b", re.IGNORECASE)


ADVERBS = re.compile(r"^(?:(?:also|just|please|maybe|like|then|so|and)\s+)+")


def without_plan(text: str) -> str:
    """A message without the words that only announce a list of plans ("plan my week: ...")."""
    return PLAN.sub("", text, count=1) if PLAN.match(text) else text


def beginnings(text: str, clock: Clock, joints: Sequence[Span], literal: Sequence[Span]) -> set[int]:
    """Where, among the starts of ``joints``, a thing with a time of its own ends and the next thing begins."""
    if len(joints) > MOST_JOINTS:
        return set()
    # A length is no time of its own: "prepare the talk by friday, half an hour" is one thing.
    times = [found.span for found in find_times(text, clock, literal=literal) if found.kind != "duration"]
    free = [joint for joint in joints if not any(start < joint[0] and joint[1] < end for start, end in times)]
    found: set[int] = set()
    last = 0
    for at, (start, end) in enumerate(free):
        after = text[end : free[at + 1][0] if at + 1 < len(free) else len(text)]
        head = text[last:start].strip()
        if (CHANGES.match(head) and " to " not in after) or (WAITS.match(head) and not SHARED.match(head)):
            continue
        if _dated((last, start), text, times) and _thing_begins(text[start:end], after, end, text, times):
            found.add(start)
            last = end
    return found


def shared(before: str, piece: str) -> str:
    """A piece with the verb that it shares with the one before: "call mom at 5 and dad at 6" calls both."""
    lead = SHARED.match(before)
    words = [*ADVERBS.sub("", piece.lower()).split(), "at", "at"]
    own = is_verb(words[0]) and words[1] not in PLACED
    return f"{lead['lead']} {piece}" if lead and not own else piece


def _dated(piece: Span, text: str, times: Sequence[Span]) -> bool:
    """Whether a piece is a thing with its time at the end."""
    head = text[slice(*piece)].strip()
    if TOLD.match(head) and not OURS.match(head) and not SHARED.match(head):
        return False
    ended = any(piece[0] <= start and not text[end : piece[1]].strip(" ,") for start, end in times if end <= piece[1])
    return ended and _names(piece, text, times)


def _thing_begins(joint: str, after: str, offset: int, text: str, times: Sequence[Span]) -> bool:
    words = after.lower().split()
    if not words or GOES_ON.match(after.strip()) or (SAYS.search(after) and not OURS.match(after.strip())):
        return False
    whole = (offset, offset + len(after))
    timed = any(whole[0] <= start and end <= whole[1] for start, end in times)
    acts = len(words) > 1 and is_verb(words[0]) and words[1] not in SAME and LINKED.search(joint) is not None
    return acts or (timed and _names(whole, text, times))


def _names(piece: Span, text: str, times: Sequence[Span]) -> bool:
    """Whether words are left of a piece when its times are taken out."""
    letters = list(text[slice(*piece)].lower())
    for start, end in times:
        for place in range(max(start, piece[0]), min(end, piece[1])):
            letters[place - piece[0]] = " "
    return any(word not in LOOSE for word in WORD.findall("".join(letters)))

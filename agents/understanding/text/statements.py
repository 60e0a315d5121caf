"""Whether words tell something rather than ask for it."""

from __future__ import annotations

import re

from agents.understanding.text.filler import trim
from agents.understanding.text.verbs import is_verb

STATEMENT = re.compile(
    r"(?:(?:should|could|would|must|might)(?:'ve| have)|\w+\s*:\s*['\"“‘]|i|i'm|i've|i'd|we|we're|we've|he|he's|she|she's|they|they're|nothing|it|it's|its|there|there's|that|that's|this|"
    r"much|too much|too many|(?:one|two|three|four|some|several|many|most|all|both|a couple|a few) of|my|our|his|"
    r"her|the|you|everyone|someone|nobody|lol|haha|turns out|apparently|looks like|seems|sadly|luckily|unfortunately|"
    r"good news|bad news|(?:mon|tues|wednes|thurs|fri|satur|sun)days are|such is|oh well|what an?|such an?|so it goes|typical|bless|poor|"
    r"guess what|(?:running|feeling|stuck|waiting|sitting|standing|sorry) (?:late|behind|sick|ill|tired|great|good|bad|in|at|on|for|i))\b",
    re.IGNORECASE,
)
OF_A_THING = re.compile(
    r"\w+ (?!(?:the|an?|my|our|his|her|their|if|that|what|who|whether|it|he|she|they|we|you|i|this|there|everyone|someone)\b)[\w'-]+ "
    r"(?:wasn't|isn't|aren't|weren't|hasn't|haven't|doesn't|didn't|won't|was|were)\b",
    re.IGNORECASE,
)
"""A thing whose first word may also be a verb, and what became of it: "dry cleaning wasn't ready"."""
TIME_AT_HAND = re.compile(
    r"(?:i\s+)?(?:only\s+|just\s+)?(?:got|have)\s+(?:only\s+|about\s+|just\s+|like\s+)?(?:\d+|a few|a couple of|ten|"
    r"fifteen|twenty|thirty|half an|an)\s*"
    r"(?:spare\s+|free\s+)?(?:mins?|minutes?|hours?|h)\b|"
    r"(?:\d+|an?|half an|ten|fifteen|twenty|thirty)\s*(?:mins?|minutes?|hours?|h)\s+(?:free|to spare|to kill|spare|left)\b",
    re.IGNORECASE,
)
TELLING = re.compile(
    r"\bno longer\b|^[\w' -]{2,30}'s (?:been|gone)\b|^\w+ (?:is|are) (?:starting|leaving|coming|going|moving|staying|visiting|back|away|off|ill)\b|^(?:[\w.]+ ){1,3}(?:is|are) on (?:leave|holiday|vacation|maternity)\b|^\w+'s (?:in|fully|already|not|still|coming|going|on (?:leave|holiday|vacation|maternity)|off (?:sick|work|today|tomorrow|on)|ill|poorly|away|out)\b|\b(?:can't|cannot|won't|couldn't|doesn't|didn't|isn't|wasn't|aren't)\b|\bturned out\b|\b(?:has|have|had|hasn't|haven't)\s+(?:(?:\w+ly|rather|just|quite|sort of)\s+)?(?:\w+(?:ed|en|wn|ne)|(?<!have )(?:got|run|become|come))\b|"
    r"\b(?:i|we|he|she|they|it|you|there|who)(?:'s|'re|'m|'ve|'d|'ll)?\s+(?!to\b)[a-z]+|^(?:(?:was|were|been) "
    r"(?:gonna|going|thinking|planning|so|just|a|the|it|that)|think|thought|yesterday|last night|guess|"
    r"(?:what|which) (?:it|that|this) means)\b|^(?:[\w']+ ){1,3}(?:said|says|agreed|confirmed|replied|reckons?)\b|"
    r"(?:^|,\s*)could (?:really |so |totally |honestly |easily )?(?:sleep|eat|cry|murder|kill|scream|do with|use)\b",
    re.IGNORECASE,
)

IN_THE_WAY = re.compile(
    r"\b(?:is|are|'s) (?:already )?(?:then|at (?:that|the same) time|on then|that day|in the way)\W*$|\b(?:clash|conflict|overlap)(?:es|s)?(?: with (?:it|that))?\W*$",
    re.IGNORECASE,
)
"""What is told of is where "it" cannot be: "the furnace thing is then, make it 11"."""


def in_the_way(text: str) -> bool:
    """Whether words tell of something that stands where another thing was put."""
    return IN_THE_WAY.search(text) is not None


def is_statement(text: str) -> bool:
    """Whether words tell something rather than ask for it."""
    plain = trim(text)
    first = plain.split()[0].lower() if plain else ""
    return (
        STATEMENT.match(plain) is not None
        or TIME_AT_HAND.match(plain) is not None
        or OF_A_THING.match(plain) is not None
        or (not is_verb(first) and TELLING.search(plain) is not None)
    )

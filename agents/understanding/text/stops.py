"""Stops in speech without punctuation: where a told story ends and what is asked about it begins."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered
from agents.understanding.text.run_on import parted, unreasoned
from agents.understanding.text.statements import is_statement

PUNCTUATED = re.compile(r"[.!?;,:\n]\s*\S")
PUT_DOWN = re.compile(r"(?:^|\s+)put down\s+(?=(?!as\b|the phone\b|that\b|this\b|it\b)\w+\s+\w)", re.IGNORECASE)
STANDING = re.compile(r"\b(?:from now on|always|never|whenever|every time|each time|any ?time|if i)\b", re.IGNORECASE)
SHORTEST = 5
THING = r"(?:it|that|this|(?:them|those|the) two|both(?: of them)?|all (?:three|of them)|them both|them all|them|those|both of them|that one|this one|that thing)"
LEVEL = r"(?:due|low|high|medium|urgent|easy|hard|important|top)"
ABOUT_IT = (
    rf"(?:(?:move|push|shift|bump|cancel|delete|drop|scrap|remove|change|snooze|archive|reschedule|postpone|undo|mark|"
    rf"get rid of|call off|complete|close|rename)\s+{THING}\b|tick\s+{THING}$|(?:tick|cross|check|take|knock|bring|put)\s+{THING}\s+(?:off|back|out)\b|"
    rf"(?:make|set)\s+{THING}\s+(?:to\s+|a\s+|as\s+)?{LEVEL}\b)"
)
ASKED_AFTER = re.compile(
    rf"(?<!\.)\s+(?:(?:and|so|yeah|please|just|then|let's|can you|could you|would you|can we|go ahead and|you can|i guess|maybe)\s+){{0,6}}"
    rf"(?={ABOUT_IT})",
    re.IGNORECASE,
)
LEADS_ON = re.compile(
    r"(?:\b(?:to|not|don't|didn't|won't|never|should|would|could|might|may|can|can't|will|i|we|they|he|she|you|who|i'd|i'll|we'll|we'd|"
    r"always|gotta|wanna|gonna|or|if|help|helped|make|made|let|lets|when|before|after|and|but|go|until|because)|\b\w+n't)$",
    re.IGNORECASE,
)
NUMBER = r"(?:\d+|an? (?:hour|couple|few|day|week|month|minute|whole|good|half|quarter)|one|two|three|four|five|six|eight|ten|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety|half|all)"
LASTING = re.compile(
    rf"\s+(?:and\s+)?(?=(?:it'll|it will|it(?:'s| is) (?:probably )?(?:gonna|going to)|that'll|should)\s+(?:(?:probably|only|just|be|take|last|like|about|maybe|"
    rf"around|roughly)\s+){{1,4}}{NUMBER}\b)",
    re.IGNORECASE,
)
THINKING = re.compile(r"\s+(?:let me (?:think|see)|what else|what was it|oh yeah|where was i)\s+(?=\w)", re.IGNORECASE)
TOLD_NEXT = re.compile(
    r"\s+(?:(?:oh\s+)?and\s+(?:also|then)|oh and|also)\s+(?=(?:i'm|we're|i am|we are)\s+(?:seeing|meeting|having|going|visiting|flying)\b|"
    r"(?:i've|we've|i have|we have|there's|i) (?:got )?(?:an?|the|my)\b)",
    re.IGNORECASE,
)
REASON = re.compile(
    r"(?:(?<=\bpriority)|(?<=\bto high)|(?<=\bto low)|(?<=\b(?:that|this)\sback)|(?<=\bit\sback))\s+(?=(?:it's|he's|she's|they're|i'm|i've|we're|we've|there's|that's|it|i|we)\s)",
    re.IGNORECASE,
)
OFF_LIST = re.compile(
    r"(?<=\blist)\s+(?:because\s+|cause\s+|cos\s+|as\s+)?(?=(?:we|i|he|she|they|there's|it's|it|that's|we've|i've|we're|i'm|apparently|turns out)\s+(?!(?:need|have to|want)\b))",
    re.IGNORECASE,
)
NOW_THAT = re.compile(
    r"(?<=\w)\s+(?=now (?:that )?(?:(?:the|my|our|her|his|their)\s\w+(?:'s|\s(?:is|are|has|have|was))|we've|they've|he's|she's|i've|i'm|it's)\s)",
    re.IGNORECASE,
)
FINISHED = re.compile(
    r"\s+and\s+(?P<what>(?:the|my|our)\s+[\w' -]{2,40}?)\s+(?:that's|that one's|that is|it's)\s+(?:now\s+|all\s+|already\s+)?(?=(?:done|finished|"
    r"sorted)\b)",
    re.IGNORECASE,
)
MEANING = re.compile(r"\s+which means (?:that )?(?=\w)", re.IGNORECASE)
DATED_NEXT = re.compile(
    r"\s+(?:oh and|and then|and also|and|also|then)\s+(?=(?:tomorrow|today|tonight|on \w+day|next \w+|this \w+)"
    r"(?:\s(?:at|morning|afternoon|evening|night|around)(?:\s\w+){0,3}?)?\s(?:i've got|i have|we've got|we have|i'm|we're|there's)\s)",
    re.IGNORECASE,
)
LEVELLED = re.compile(
    r"(?<!\bbecause)(?<!\bcause)(?<!\bcos)(?<!\bif)(?<!\bwhen)(?<!\bthat)(?<!thing)(?<!\btasks)(?<!\bso)(?<!\bthink)(?<!\bsince)(?<!\band)(?<!\bbut)\s+(?:and\s+)?(?:(?:i think|i guess|i believe|pretty sure|apparently|i'd say)\s+)?(?="
    r"(?:it's|that's|it is)\s+(?:(?:really|pretty|quite|super|very|kinda|kind of|also|actually)\s+)*(?:hard|easy|important|urgent|due)\b"
    r"(?:\s[^.\s]+){0,5}?(?:$|\.|\s(?:and\s)?(?:it's|that's|it is)\s(?:(?:really|pretty|quite|super|very)\s)*(?:hard|easy|important|urgent|due)\b))",
    re.IGNORECASE,
)
ALSO_DID = re.compile(
    r"(?<=\w)\s+and\s+(?=(?:i've|i have|i'm|i am)\s+(?:also\s+|already\s+|just\s+|now\s+)?(?:started|finished|begun|done|working on|halfway through|part way through|in the middle of)\b)",
    re.IGNORECASE,
)
SO_NOW = re.compile(
    r"(?<=\w)\s+so\s+(?=it's\s(?:now\s)?(?:at|on)\s|[\w' ]{2,40}?(?:'s|\sis)\snow\s|(?:the|my)\s[\w' ]{2,40}?'s\s(?:now\s)?(?:due|at|on)\b|(?:the|my)\s[\w' ]{2,40}?\s(?:can wait|is due|isn't due|will be|has to be|needs to be|starts|has moved)\b)",
    re.IGNORECASE,
)
IS_DONE = re.compile(
    r"(?<=\w)\s+and\s+also\s+(?=(?:the|my)\s[\w' ]{2,30}?\s(?:is|are)\s(?:now\s|all\s|already\s|finally\s)?(?:done|paid|sent|\w{3,}ed)\b)",
    re.IGNORECASE,
)
PAUSES = tuple(
    Prefiltered(pause)
    for pause in (
        OFF_LIST,
        NOW_THAT,
        SO_NOW,
        IS_DONE,
        ALSO_DID,
        FINISHED,
        REASON,
        TOLD_NEXT,
        DATED_NEXT,
        LASTING,
        LEVELLED,
        THINKING,
        MEANING,
    )
)
NEEDED = re.compile(
    r"(?<!\.)(?<!\bdo)(?<!\bdid)\s+(?=i (?:really |still |also )?(?:need to|have to|gotta)\s+\w)", re.IGNORECASE
)
POLITE_QUESTION = re.compile(
    r"(?<!\.)\s+(?:(?:so|and|please|just|anyway)\s+){0,6}(?=(?:give|show|hand|find|pick|tell) me\b|(?:what|which|when|where)(?:'s| is| are| can| could| should| do| have| am)\b|"
    r"(?:can|could|would|will) (?:you|we)\b(?! (?:believe|imagine|blame)\b)|remind me\b)",
    re.IGNORECASE,
)
ASKS_ON = re.compile(
    r"(?:\b(?:me|you|him|her|us|them|asked|asking|wonder|wondering|idea|clue|forgot|forgotten|sure|unsure|see|tell|check|please|hey|maybe|every|each|in|on|at|by)|\b\w+ing)$",
    re.IGNORECASE,
)
JOINS = re.compile(
    r"\b(?:that|what|things?|stuff|if|because|cause|cos|since|when|so|and|but|all|everything|one|ones|think|know|where|which|who|how|why|until|as|"
    r"than|guess|sure|said|feel|before|after|while|though|although|once|unless|only|also|then|or|like|remember|forget|"
    r"whenever|places?|means|reason|tasks?|day|today|tomorrow|tonight|morning|afternoon|evening|night|week|weekend|month|"
    r"year|\w+day|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirty|noon|midnight|pm|am|o'clock|\d+)$",
    re.IGNORECASE,
)


SUBJECT = re.compile(
    r"(?:(?:okay|so|and|also|oh|um|right)\s)*(?:the|my|our|[\w-]+'s)\s[\w'-]+(?:\s[\w'-]+){0,4}", re.IGNORECASE
)
"""Nothing but what "should take an hour" is said of."""


def stopped(text: str) -> str:
    """The text with a full stop where speech turns from a story to a request about it; written text stays as it is."""
    text = unreasoned(text)
    if PUNCTUATED.search(text) or STANDING.search(text):
        return text
    text = PUT_DOWN.sub(_added, text)
    for pause in PAUSES:
        text = pause.sub(_stop, text)
    text = parted(text)
    return POLITE_QUESTION.sub(_if_story, NEEDED.sub(_if_told, ASKED_AFTER.sub(_if_free, text)))


def _added(match: re.Match[str]) -> str:
    """A spoken "put down" as an addition."""
    return ". add " if match.start() else "add "


def _stop(match: re.Match[str]) -> str:
    before, after = match.string[: match.start()].rsplit(". ", 1)[-1], match.string[match.end() :]
    if after.startswith("should") and SUBJECT.fullmatch(before.rsplit(" and ", 1)[-1].strip()):
        return match[0]
    what = match.groupdict().get("what")
    return f". {what} is " if what else ". "


def _if_free(match: re.Match[str]) -> str:
    """A stop unless the words before go on into the verb: "he wants to move it"."""
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    joined = match[0].strip().lower()
    if len(before.split()) < SHORTEST - 1 or (LEADS_ON.search(before) and not joined):
        return match[0]
    return match[0] if LEADS_ON.search(before) else ". "


def _if_told(match: re.Match[str]) -> str:
    """A stop when the words before are a story of their own."""
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    joined = JOINS.search(before) or LEADS_ON.search(before)
    free = len(before.split()) >= SHORTEST - 1 and not joined and is_statement(before)
    return ". " if free else match[0]


def _if_story(match: re.Match[str]) -> str:
    """A stop before a question or a wish that a story led to: "i'm so wired right now give me the hardest thing"."""
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    return match[0] if ASKS_ON.search(before) else _if_told(match)

"""Sentences that speech runs together, and reasons that it adds: "they can't do seven they're coming at nine" is two."""

from __future__ import annotations

import re

from agents.understanding.text.filler import trim
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb

THING = r"(?:the|my|our)\s(?:(?!(?:that|who|which|when|is|are|was|it|they|he|she|we|i)\b)[\w'-]+\s){1,3}?"
STATE = r"(?:gave|bought|found|took|said|told|rang|called|sent|is|are|isn't|aren't|has|have|was|were|got|needs|doesn't|didn't|won't|can't)\s"
SUBJECT = (
    r"(?:oh\s)?(?:(?:they|we|he|she)(?:'re|'s|'ve|'ll|\s(?:are|is|have|has|can|can't|want|wants|need|needs|asked|said|sold|ran|got|never|"
    r"don't|doesn't|won't|didn't|just))\s|i(?:'m|'ve|'ll)\s(?!an?\b|in\b|told\b|said\b|been told\b)"
    rf"|{THING}(?:{STATE}|(?<='s\s)(?:been|all|now|off|on|done|sick|ill|poorly|away|stuck|busy|late|running|got|gone)\b)|there's\s|i (?:found|forgot|never|already|can't|didn't|don't|won't|sold|ran)\s)"
)
BEGINS = re.compile(rf"(?<!\.)\s+(?={SUBJECT})", re.IGNORECASE)
LEADS_ON = re.compile(
    r"(?:name(?:'s| is| has)? changed|\b(?:that|what|whatever|things?|stuff|if|because|cause|cos|since|when|so|and|but|all|everything|everyone|anything|nothing|which|where|who|how|why|"
    r"whether|until|as|than|think|thinks|thought|know|knows|knew|guess|sure|say|says|said|saying|tell|told|feel|feels|hope|hopes|bet|reckon|"
    r"believe|wish|mean|means|remember|forget|forgot|ask|asked|wonder|wondering|see|check|show|glad|happy|afraid|worried|me|us|him|her|them|you|before|after|while|though|although|once|unless|"
    r"only|also|then|or|like|whenever|places?|reason|to|of|for|at|on|in|with|by|from|about|into|the|a|an|my|our|your|his|their|this|these|those|is|are|was|were|be|have|has|had|can|could|will|do|does|did|and|not|no|by|now|today|"
    r"i|we|they|he|she|it|actually|apparently|anyway|well|oh|okay|yeah|um|uh|sorry|wait|maybe|probably|just|every|each|some|any|time|day|way|one|ones)|\b\w+n't|\b\w+ing)$",
    re.IGNORECASE,
)
SHORTEST = 4
DONE_TOO = re.compile(
    rf"\sand\s(?:also\s|then\s)?(?={THING}(?:(?:is|are|was|has been|have been|(?<='s\s)been)\s|(?<='s\s))(?:(?:all|now|already|finally)\s)?"
    r"(?:done|finished|sent|paid|sorted|booked|ordered|submitted|posted|off|cancelled|canceled|(?:high|low|medium) priority|urgent)\b)",
    re.IGNORECASE,
)
SENTENCE_END, FEWEST_BEFORE, MOST_BEFORE = re.compile(r"[.!?]"), 8, 200
CLAIMED = re.compile(
    r"\b(?:that|if|whether|sure|when|until|till|once|says?|said|told|note|after|because|while|always|never)\b",
    re.IGNORECASE,
)
DONE = re.compile(
    r"(?:(?:okay|so|right|oh|and|yeah|well|um)\s)*(?!(?:i|we|he|she|they|you|it|that|what|who|there)\b)[\w' -]{2,40}?(?:'s|\s(?:is|are|has been|have been))\s(?:(?:been|all|now|already|finally)\s)*"
    r"(?:\w{3,}ed|bought|sent|paid|done|made|built|sold|hung|cut|fed|written|sorted)",
    re.IGNORECASE,
)
NONE = re.compile(
    r"(?:(?:okay|so|oh|right|um|hey)\s)*no (?:more )?[\w' -]{2,40}\s(?:today|tomorrow|tonight|(?:this|next) \w+|on \w+day)",
    re.IGNORECASE,
)
RANG = re.compile(
    r"(?:(?:okay|so|oh|right|um|hey)\s)*[\w' ]{2,30}\s(?:just\s)?(?:rang|called|phoned|texted|emailed|messaged)(?: me| back| there)?",
    re.IGNORECASE,
)
DEED = r"(?:move|push|shift|bump|delete|cancel|scrap|drop|skip|tick|mark|cross|snooze|archive|reschedule|postpone|get rid of|remove|put off|bring forward)"
ENDS_TIMED = re.compile(
    r"\b(?:(?:at|by|for) (?:half past |quarter past |quarter to )?(?:\d{1,2}(?::\d\d)?(?:\s?[ap]m)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon)(?:\s(?:thirty|fifteen|o'clock))?|tonight|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"(?:\s(?:tonight|tomorrow|morning|afternoon|evening|night))?$",
    re.IGNORECASE,
)
LENGTH = re.compile(r"\b(?:hours?|minutes?|mins?)\b", re.IGNORECASE)
PASSED_ON = frozenset("tell ask let text message email say note remember remind check see".split())
"""What these begin may go on in a sentence: "tell jo on friday we're leaving"."""
REASON = re.compile(
    rf"(?P<deed>(?:^|[.!?]\s+|\b(?:and|so|you|please|just|then|okay|to)\s+){DEED}\s[^.!?,]{{3,100}}?),?\s(?:'?cause|cuz|cos|coz|because)\s"
    rf"(?:(?!\s(?:and|then|also|plus)\s(?:also\s|then\s|can you\s|could you\s|please\s)*(?:{DEED}|add|remind|put|book|schedule|note|make|set|i)\b)[^.!?])*",
    re.IGNORECASE,
)
DATED_REASON = re.compile(
    rf"(?P<deed>^(?:(?:okay|so|oh|and|right|um|hey|please|can you|could you|just)\s)*{DEED}\s[^.!?]{{2,60}}?\s(?:(?:this|next)\s(?:week|weekend|month|\w+day)|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:\s(?:morning|afternoon|evening|night))?))"
    rf"\s(?={SUBJECT})(?!(?:[\w']+\s){{1,12}}(?:and|then|at|from|on|so|to)\s)[^.!?]{{4,60}}$",
    re.IGNORECASE,
)
"""A deed with its day, and only the reason behind it: "cancel piano this week we've got the flu"."""


def parted(text: str) -> str:
    """The text with a stop where one told sentence ends and the next begins."""
    return DONE_TOO.sub(_if_told_apart, BEGINS.sub(_if_whole, text))


def _if_told_apart(match: re.Match[str]) -> str:
    """A stop before what is told as done, unless the words before claim or await it."""
    before = SENTENCE_END.split(match.string[max(match.start() - MOST_BEFORE, 0) : match.start()])[-1]
    return match[0] if len(before) < FEWEST_BEFORE or CLAIMED.search(before) else ". "


def _if_whole(match: re.Match[str]) -> str:
    before = match.string[: match.start()].rsplit(". ", 1)[-1][-240:]
    if LEADS_ON.search(before):
        return match[0]
    told = len(before.split()) >= SHORTEST and not LEADS_ON.search(before) and is_statement(before)
    whole = told or DONE.fullmatch(before.strip()) is not None or NONE.fullmatch(before.strip()) is not None
    whole = whole or RANG.fullmatch(before.strip()) is not None or _asked_by_then(before, match.string[match.end() :])
    return ". " if whole else match[0]


def _asked_by_then(before: str, after: str) -> bool:
    """Whether words ask for a deed and end with its time: "call my sister at eight" before "she's got class".

    A length behind them belongs to the deed: "he said he'd need two hours".
    """
    first = trim(before).partition(" ")[0].lower()
    return (
        is_verb(first) and first not in PASSED_ON and ENDS_TIMED.search(before) is not None and not LENGTH.search(after)
    )


def is_done(text: str) -> bool:
    """Whether words tell of one thing that is done: "the plasterer's paid"."""
    return DONE.fullmatch(text.strip()) is not None


def unreasoned(text: str) -> str:
    """The text without the reason given for moving or dropping something: it is no request and no news."""
    return DATED_REASON.sub(r"\g<deed>", REASON.sub(r"\g<deed>", text))

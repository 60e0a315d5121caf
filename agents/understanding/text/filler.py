"""Words that carry politeness or breath but no request: taken off both ends of a clause."""

from __future__ import annotations

import re
from functools import lru_cache

from agents.understanding.grammar import patterns_of

OPENERS = (
    "please pls plz hey hi hello ok okay so um uh erm oh ah well also and then now right alright actually anyway "
    "summit yo hiya dude bro "
    "ugh oof hmm hm phew gosh yeah yep but like oops wait kindly quick listen olly siri alexa cortana google jarvis"
).split()
PHRASES = (
    "would you be so kind as to",
    "would you be kind enough to",
    "i'd be grateful if you could",
    "i'd be grateful if you would",
    "i would be grateful if you could",
    "i was wondering if you could",
    "i wonder if you could",
    "do you think you could",
    "could you possibly",
    "can you possibly",
    "if you don't mind",
    "if you could",
    "you know what",
    "i'll tell you what",
    "tell you what",
    "let's say",
    "i reckon",
    "yeah nah",
    "nah",
    "i should probably tell you that",
    "i should tell you that",
    "i should probably mention that",
    "i should mention that",
    "you should know that",
    "just so you know",
    "i was hoping you could",
    "it would be great if you could",
    "feel free to",
    "make sure you",
    "let me see",
    "let's see",
    "let me think",
    "oh yeah",
    "hang on",
    "hold on",
    "can you",
    "could you",
    "would you",
    "will you",
    "can u",
    "could we",
    "can we",
    "i'd like you to",
    "i would like you to",
    "i want you to",
    "i need you to",
    "you need to",
    "you can",
    "you may",
    "is it possible for you to",
    "would it be possible to",
    "go ahead and",
    "by the way",
    "btw",
    "one more thing",
    "on reflection",
    "sorry",
    "i meant to say",
    "i meant",
    "no wait",
    "wait no",
    "two things",
    "quick one",
    "quick thing",
    "quick request",
    "just one thing",
    "another one",
    "small thing",
    "before i forget",
    "good news",
    "great news",
    "bad news",
    "three things",
    "a few things",
    "couple of things",
    "a couple of things",
    "at last",
    "would you mind",
    "would you be able to",
    "are you able to",
    "may i suggest you",
    "may i suggest we",
    "while you're at it",
    "while we're at it",
    "while i'm at it",
    "would it be too much trouble to",
    "if it's not too much trouble",
    "if it isn't too much trouble",
    "do me a favor and",
    "do me a favour and",
    "let's",
    "i guess",
    "i think",
    "you know",
)
LEAD = re.compile(
    rf"(?:{'|'.join([*map(re.escape, sorted(PHRASES, key=len, reverse=True)), *OPENERS])})\b[\s,.!:;-]*|"
    r"(?:cool|great|perfect|nice|lovely|awesome|brilliant|grand|sound|excellent|sweet|wonderful|amazing|fab|super|good|ace)[\s,]*[,!]\s*|(?:cool|great|perfect|nice|lovely|awesome|brilliant)[\s,]+(?=(?:i|i've|can|could|please|now|so|and|then|add|remind|also|what|mark|where|when|who|how|which|do|does|is|are|am|did|move|cancel|delete|push|reschedule|remove|tick|change|undo|let's|"
    r"(?:put|make|book|block|note|show|start|set|take|mark|schedule|save|give|call)\s(?:the|an?|me|my|it|that|this|in|us)|put\s\w+\s(?:in|down|on))\b)|"
    r"(?:just|maybe|perhaps|possibly|quickly)\s+(?=(?:jot|note|add|put|make|move|push|cancel|delete|remind|book|schedule|stick|pop|write|take|mark|tick|check|remove|set|tell|change)\b)|"
    r"(?:good )?(?:morning|afternoon|evening)[\s,]+(?=(?:so|can|could|just|i|i've|please|add|remind|quick|okay)\b)|"
    r"(?:first(?:ly)?|second(?:ly)?|third(?:ly)?)\s+(?:of all\s+)?(?=(?:i|we|can|could|add|put|remind|move|cancel|delete|book|schedule|what|mark)\b)|"
    r"(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|finally|lastly)\s*,\s*|"
    rf"no(?:,\s*|\s+(?=(?:undo|bring|put|take|keep|cancel|leave)\b))|do\s+(?=(?:remind|add|put|move|cancel|delete|book|schedule|make|note|let|mark|keep)\b)",
    re.IGNORECASE,
)
P = patterns_of(__name__)
EDGE = " \t\r\n.,;:!?-/•*·"
MAX_ROUNDS = 8


@lru_cache(maxsize=512)
def trim(text: str) -> str:
    """The clause without openers, polite words, emoji and loose signs at its ends."""
    text = without_emoji(text).strip(EDGE)
    for _ in range(MAX_ROUNDS):
        shorter = _tail_off(_lead_off(text)).strip(EDGE)
        if shorter == text:
            break
        text = shorter
    return text


def without_breath(text: str) -> str:
    """Speech without um and uh, and without "like" where it only fills a pause."""
    return P.HEDGED.sub(r"\g<who> ", P.LIKE.sub(r"\g<before> ", P.ROUGHLY.sub(" ", P.BREATH.sub("", text))))


def without_emoji(text: str) -> str:
    """Text without pictographs."""
    return P.PICTOGRAPHS.sub("", text)


def _lead_off(text: str) -> str:
    match = LEAD.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def _tail_off(text: str) -> str:
    match = P.TAIL.search(text[-30:])
    return text[: len(text) - len(text[-30:]) + match.start()] if match else text

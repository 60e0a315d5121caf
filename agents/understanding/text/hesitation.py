"""Pauses and thinking aloud inside spoken sentences: read where they tell something, left out where they do not."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered
from agents.understanding.grammar import patterns_of

UM = r"(?:um+|uh+|er+m?|hmm+)"
CALLED = Prefiltered(
    re.compile(
        r"(?P<head>(?:^|[.!?,]\s+|\b(?:a|and|so|okay)\s+)(?:(?:make|start|create|begin|do)\s+(?:me\s+)?(?:a\s+)?)?(?:new\s+)?)list\s(?:called|named)\s"
        rf"(?P<list>[\w']+(?:\s(?!(?:with|of|containing|{UM})\b)[\w']+){{0,2}}?)(?:\s*(?:[.,:]|\b(?:{UM}|and (?:put|add)|so put))[\s,.]+)(?=\w)",
        re.IGNORECASE,
    )
)
KIND = Prefiltered(
    re.compile(
        rf"^(?P<kind>(?:(?:okay|ok|oh|so|right|{UM}|new|quick|random|another)[\s,]+)*(?:idea|thought|note to self|question))[\s,]+{UM}[\s,.]+(?=\w+ \w)",
        re.IGNORECASE,
    )
)
FOR_LIST = re.compile(
    rf"^(?:(?:right|okay|ok|so|now|oh|and|{UM})[\s,]+)*(?:(?:for|on) (?:the|my|our) |(?=(?!make\b|start\b|new\b|a\b|add\b|put\b|create\b|to-?do\b|task\b)(?:[\w']+\s){{1,3}}list\s+{UM}\b))(?P<list>[\w']+(?:\s(?!{UM}\b)[\w']+){{0,3}})[\s,]+{UM}[\s,.]+(?=(?!can\b|could\b|i\b|we\b|remind\b|add\b|put\b|move\b|what\b)\w)(?P<items>[^?]{{3,200}})$",
    re.IGNORECASE,
)
TURN = re.compile(
    rf"(?P<before>\b\w+\s\w+\s(?!(?:to|and|please|you|the|a|an|my|so|just|then|of|for|at|on|in|with|by|from|or|not|can|could|will|i|we)\b)\w+)[\s,]+{UM}[\s,]+"
    r"(?=(?:(?:also|and|then|can you|could you|please)\s+)*(?:add|remind me|block|schedule|move|push|cancel|delete|mark|tick|snooze|archive|reschedule|note that)\s\w)",
    re.IGNORECASE,
)
P = patterns_of(__name__)
THINKING = r"(?:what was it|what is it|what's it called|what do you call it|let me think|let me see|let's see|what else|how do i put it|where was i|oh yeah|oh yes|that's it|yeah|yes|right)"
LOST_THREAD = Prefiltered(
    re.compile(
        rf"(?P<word>\b(?:to|for|about|at|on|with|the|a|and|that|add|put|buy|get)\b)[\s,]+(?:{UM}[\s,.]+)*(?:what was it|what is it|what's it called|what do you call it|let me think|let me see|let's see|what else|how do i put it|where was i)"
        rf"[\s,?.]+(?:(?:{THINKING}|{UM})[\s,?.]+)*(?:(?P=word)\s+)?(?=\w)",
        re.IGNORECASE,
    )
)
BY_THE_WAY = Prefiltered(
    re.compile(r"(?<=\w)[\s,]+by the way(?=[\s,]+(?:not|it's|and|but|so|can|i|we|the|my)\b)[\s,]*", re.IGNORECASE)
)
SAY = Prefiltered(
    re.compile(
        r"(?<=\w)[\s,]+(?:let's\s)?say[\s,]+(?:at\s)?(?=(?:\d{1,2}(?::\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|noon)\b)",
        re.IGNORECASE,
    )
)
MUSED = Prefiltered(
    re.compile(rf"(?<=\w),\s+(?:{UM}\s+)?(?:what else|let's see|let me (?:see|think))\s*[,?.]\s*(?=\w)", re.IGNORECASE)
)


def paused(text: str) -> str:
    """The text with a stop where a pause sets something apart: "new list called party food um crisps"."""
    text = text if P.LASTING.search(text) else TURN.sub(r"\g<before>. ", text)
    text = FOR_LIST.sub(r"add \g<items> to the \g<list>", text)
    return KIND.sub(r"\g<kind>: ", CALLED.sub(r"\g<head>\g<list> list: ", text))


def unhesitating(text: str) -> str:
    """The text without the thinking aloud in the middle of it: "remind me to, what was it, oh yeah, to ring Jo"."""
    text = MUSED.sub(", ", SAY.sub(" at ", LOST_THREAD.sub(r"\g<word> ", text)))
    return P.COMMA_AFTER.sub(r", \g<joint> ", BY_THE_WAY.sub(" ", P.NEW_TURN.sub(". ", text)))

"""Questions about all that was said of something, which are answered from memory and ask for nothing to be done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from agents.index.words import tokens, words_of
from agents.phrases import CLOSEST, COMMON
from agents.ports import Exchange
from agents.time import Clock, find_times

Kind = Literal["first", "last", "often", "digest"]
DOING: Mapping[tuple[str, ...], Kind] = {
    ("how", "often"): "often", ("how", "many", "times"): "often", ("when", "first"): "first", ("when", "last"): "last",
}  # fmt: skip
SAYING = r"(?:say|said|mention(?:ed)?|talk(?:ed)?|speak|spoke|tell|told|wr(?:i|o)te|note)"
LINK = r"(?:\s+(?:to\s+)?(?:you|anything|something))?(?:\s+(?:about|of|that|on))?"
WHEN_QUESTION = re.compile(
    rf"^\W*(?:when\s+did\s+i\s+(?P<early>first|last)\s+{SAYING}"
    rf"|when\s+was\s+the\s+(?P<middle>first|last)\s+time\s+(?:that\s+)?i\s+{SAYING}"
    rf"|when\s+did\s+i\s+{SAYING}(?=.{{0,400}}\bfor\s+the\s+(?P<late>first|last)\s+time\W*$)"
    rf"|(?P<often>how\s+(?:often|many\s+times))\s+(?:did|have)\s+i\s+{SAYING}){LINK}\s+(?P<topic>\S.*)$",
    re.IGNORECASE,
)
FRAME_END = re.compile(r"(?<!\s)\s+for\s+the\s+(?:first|last)\s+time\W*$", re.IGNORECASE)
SUMMARY = r"(?:give\s+me|make|write)\s+an?\s+(?:short\s+)?(?:summary|recap|digest|overview)\s+of"
SUMMING = rf"(?:summari[sz]e|sum\s+up|recap|{SUMMARY})"
MEMORY_NOUNS = r"(?:thoughts|ideas|notes|memos|voice\s+memos|recordings|musings|opinions)"
TELLING_VERBS = r"(?:said|told\s+you|mentioned|recorded|noted|thought|written)"
ALL_I_TOLD = rf"(?:everything|all|whatever|what)\s+(?:that\s+)?i(?:'ve|\s+have)?\s+(?:ever\s+)?{TELLING_VERBS}"
DIGEST = re.compile(
    rf"^\W*(?:(?:please|can\s+you|could\s+you)\s+){{0,2}}(?:"
    rf"{SUMMING}\s+(?:(?:all|of)\s+){{0,2}}my\s+{MEMORY_NOUNS}\s+(?:on|about|of|regarding)|"
    rf"(?:{SUMMING}|tell\s+me|show\s+me)\s+{ALL_I_TOLD}\s+(?:about|on|of)|"
    rf"what\s+are\s+(?:all\s+)?my\s+{MEMORY_NOUNS}\s+(?:on|about)"
    r")\s+(?P<topic>\S.*)$",
    re.IGNORECASE,
)
FURTHER = re.compile(
    r"[;\n]|[.!?]\s+\S|,\s+(?:and|then|also)\b|\b(?:and|then|also)\s+(?:please|remind|add|put|book|call|tell)\b"
)
"""What makes a message more than one question: it is then read as any other."""
KNOWING = re.compile(
    r"^\W*(?:(?:and|so|hey|ok|please)\s+)*(?:who(?:se|m)?|where|when|wh(?:at|ich)(?!\s+about)"
    r"|how\s+(?:many|much|long|far|often|old|tall|big|did|do|does|is|are|was|were))\b",
    re.IGNORECASE,
)
"""How a question begins that is after a fact: with these words nobody asks for something to be done."""
ASKING = re.compile(
    r"^\W*(?:so |and |ok |okay |hey |well )?(?:what|when|which|who|whom|whose|where|why|how|is|are|was|were|do|does|"
    r"did|am|have i|has|tell me|show|list|read|summari[sz]e|give me(?! (?:\w+ ){0,2}(?:more|extra|longer|until|till)\b)|"
    r"remind me (?:what|which|who|where|how|of what))\b",
    re.IGNORECASE,
)
REQUESTING = re.compile(r"\b(?:can|could|would|will) you\b|\bplease\b|\bshould be\b", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
FOLLOWING = re.compile(
    r"^\W*(?:(?:ok|so)\s+)?(?:and|what\s+about|how\s+about)\s+(?P<when>(?:before|after|in|on|last|this|yesterday|earlier|since)\b.{0,60}?)[\s?.!]*$",
    re.IGNORECASE,
)
SIDE = re.compile(r"(?P<side>before|after)\s+(?:that|then|it)", re.IGNORECASE)
QUOTED_ON = re.compile(rf"(?:\bOn|^{CLOSEST} on) (?P<day>\d{{1,2}} [A-Z][a-z]+ \d{{4}}): \u201c")
"""How an answer from memory quotes: that is what tells a follow-up from words of any other kind."""
DAY = "%d %B %Y"
MAX_QUESTION_CHARS = 400


NOTHING_THERE = (
    "You have no ", "You have nothing ", "You have not ", "Just say it ", "I have changed nothing ", "Nothing was changed ",
)  # fmt: skip
"""How answers begin that say that records have nothing of a kind, or only how to ask."""
NOTHING_DONE = "You have no finished task"
HALF_A_YEAR = timedelta(days=183)
"""A day without a year that is further ahead may be that of the year before."""


@dataclass(frozen=True, slots=True)
class OverAll:
    """What is asked over all that matches, and the words that it is about, without those that ask."""

    kind: Kind
    topic: str


def asks_for_what_is_known(message: str) -> bool:
    """Whether a message is one question after a fact, of whatever kind."""
    return is_one_thing(message) and KNOWING.match(message) is not None


def only_asks(message: str) -> bool:
    """Return whether a message is nothing but questions, each by how it begins."""
    parts = [part for part in SENTENCE.split(message) if part.strip()] or [message]
    return all(ASKING.match(part) and not REQUESTING.search(part) for part in parts)


def asks_something(message: str) -> bool:
    """Return whether a message asks, by its mark or by how it begins, and requests nothing."""
    return only_asks(message) or (message.rstrip().endswith("?") and not REQUESTING.search(message))


def may_be_remembered(question: str, answers: Sequence[str], clock: Clock) -> bool:
    """Return whether memory may know what records have nothing of: what is over, or what no record is called.

    A question about a time to come is answered by there being nothing then.
    """
    if not answers or not all(answer.startswith(NOTHING_THERE) for answer in answers):
        return False
    times = [found for found in find_times(question, clock) if found.moment]
    ends = [end for found in times if (end := found.end or found.moment)]
    if any(not clock.at < end <= clock.at + HALF_A_YEAR for end in ends) or answers[0].startswith(NOTHING_DONE):
        return True
    untold = set(words_of(question)) - {*words_of(" ".join(answers)), *COMMON}
    named = untold or any("\u201c" in answer for answer in answers)
    asks = question.rstrip().endswith("?") or KNOWING.match(question) is not None
    return asks and bool(named) and all(found.moment <= clock.at for found in times if found.moment)


def is_one_thing(message: str) -> bool:
    """Return whether a message is a single question or remark."""
    return len(message) <= MAX_QUESTION_CHARS and FURTHER.search(message) is None


def over_all(question: str) -> OverAll | None:
    """How a question asks over all that was said; None for one that wants the best answer."""
    if digest := DIGEST.match(question):
        return OverAll("digest", digest["topic"])
    found = WHEN_QUESTION.match(question)
    if found is None:
        return None
    named = found["early"] or found["middle"] or found["late"]
    kind: Kind = "often" if named is None else "first" if named.lower() == "first" else "last"
    return OverAll(kind, FRAME_END.sub("", found["topic"]))


def doing_over_all(question: str) -> OverAll | None:
    """How a question asks over all times that its user did something, and the question without the words for that."""
    words = tokens(question)
    if not {"i", "we"} & set(words) or not {"did", "have"} & set(words):
        return None
    for told, kind in DOING.items():
        if set(told) <= set(words):
            return OverAll(
                kind, " ".join(word for word in question.split() if word.lower().strip("?!.,") not in told[1:])
            )
    return None


def question_of(words: str, recent: Sequence[Exchange]) -> str:
    """The question to memory that a whole message is: its own, or the last one at another time; "" for other words."""
    if len(words) > MAX_QUESTION_CHARS or FURTHER.search(words):
        return ""
    if over_all(words):
        return words
    days = QUOTED_ON.findall(recent[-1].replied) if recent else []
    following = FOLLOWING.match(words) if days else None
    if following is None:
        return ""
    asked = next((one.said for one in reversed(recent) if not FOLLOWING.match(one.said)), "")
    if side := SIDE.fullmatch(following["when"]):
        when = _beyond(days[0], "until", -1) if side["side"].lower() == "before" else _beyond(days[-1], "since", 1)
    else:
        when = following["when"]
    return f"{asked.rstrip(' ?.!')} {when}" if asked else ""


def follows_memory(recent: Sequence[Exchange]) -> bool:
    """Return whether the last reply quoted memory, so that a question which names nothing goes on with that."""
    return bool(recent) and QUOTED_ON.search(recent[-1].replied) is not None


def _beyond(day: str, word: str, days: int) -> str:
    """The time before or after a day of an answer, by the day next to it, which counts itself."""
    return f"{word} {datetime.strptime(day, DAY) + timedelta(days=days):%-d %B %Y}"  # noqa: DTZ007 - a day has no zone

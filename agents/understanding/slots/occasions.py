"""What an appointment or a reminder is called: its title without the words that only ask for it or point at it."""

from __future__ import annotations

import re
from functools import cache

from agents.time.feasts import feasts
from agents.understanding.slots.slots import Slots
from agents.understanding.text.verbs import EVENT_NOUNS, WHOLE_DAY_NOUNS, is_verb

CALL = r"(?:reminder|remainder|notification|notice|alert|alarm(?: clock)?|heads[- ]up)s?"
ENTRY = r"(?:calendar )?(?:event|entry|info|information)"
LEADS = re.compile(
    r"^(?:"
    rf"(?:(?:just|please)\s+)*(?:(?:set|send|give|create|make|add|schedule|activate|put|enter|log)\s+(?:up\s+)?(?:me\s+)?)?"
    rf"(?:(?:an?|the|my|another)\s+)?(?:(?:new|latest|quick|daily|weekly|monthly|yearly|recurring|repeating)\s+)*"
    rf"(?:{CALL}|{ENTRY})\s+(?:{CALL}\s+)?(?:for|to|about|of|on|as|towards?|regarding|that|because|remind me(?: (?:of|about|to))?)\s+|"
    r"(?:repeating|recurring|calendar)\s+(?:event|appointment)\s+|"
    r"(?:please\s+)?(?:let me know|tell me|remind me)\s+(?:of|about|when|before)\s+|"
    r"(?:let me know\s+)?(?:on\s+)?the (?:morning|day|evening|night|week) (?:of|before)\s+(?=my\b|our\b|the\b)|"
    r"there(?:'s| is| will be)\s+(?:an?\s+)?|(?:i have|i've got|we have|it's)\s+(?:an?\s+|my\s+|our\s+)?|"
    r"(?:i|we)(?:'d|'ll| will| would)?\s+(?:(?:want|like|need|have)\s+)?(?:to\s+)?(?:go|be going)\s+to\s+|"
    r"(?:my|the|our)\s+(?:upcoming|next)\s+(?=\S)|"
    r"(?:as|about|regarding|before)\s+(?=\w)|time for\s+(?=my\b|the\b|an?\b)"
    r")",
    re.IGNORECASE,
)
NEXT = re.compile(r"^(?:(?:an?|the|my|our)\s+)?(?:upcoming|next)\s+(?=\S)", re.IGNORECASE)
TAILS = re.compile(
    r"(?<=\w)[\s,]+(?:(?:and|so|please|just)\s+){0,6}(?:"
    r"(?:set|add|make|create)(?: up)? (?:it|this|that|(?:the |an? )?(?:event|reminder|alarm))(?: as an? (?:event|reminder))?(?: to (?:repeat|recur))?|"
    r"(?:set|add|make|create) (?:event|reminder|alarm)|"
    r"(?:put|place|add|enter|note|mark) (?:this|that|it)(?: down)?(?: (?:on|in|to) (?:the|my) calendar)?|"
    r"i have|remind me(?: of it)?|sharply|"
    r"before (?:the|my|our|it) ?(?:[\w']+ )?(?:starts?|begins?)|repeat(?:s|ing)?|recurring"
    r")$",
    re.IGNORECASE,
)
SET = re.compile(r"^(?:set|flag|log)\s+(?:up\s+)?(?=\S)", re.IGNORECASE)
GOING = re.compile(r"^(?:go ?to|attend)\s+(?:(?:an?|the|my|our)\s+)?(?=\S)", re.IGNORECASE)
EVENT_AT_END = re.compile(
    r"(?<=\w)(?<!repeating)(?<!recurring)(?<!new)(?<!special)(?<!calendar)\s+event$", re.IGNORECASE
)
COMPANY = re.compile(r"^(?:with|for)\s+\S", re.IGNORECASE)
BEFORE_FEAST = re.compile(r"^(?:(?:on|at|for|over|by|during|this|next|the)\s+)+")
MAX_ROUNDS = 4


def named(title: str) -> str:
    """A reminder's title: "a notification about the gala" is "the gala", "the review i have" is "the review"."""
    for _ in range(MAX_ROUNDS):
        shorter = TAILS.sub("", LEADS.sub("", title)).strip()
        if shorter in ("", title):
            break
        title = shorter
    return title


ARRANGED = re.compile(
    r"\s+(?:(?:is|are|was|has been|got|all)\s+)*(?:booked(?: in)?|scheduled|arranged|confirmed)$", re.IGNORECASE
)


def occasion(title: str) -> str:
    """An appointment's title: who goes to a party on Friday has a party then, and the next dentist is a dentist."""
    title = named(re.sub(r"^(?:for|to)\s+", "", title, flags=re.IGNORECASE))
    title = ARRANGED.sub("", title) or title
    title = NEXT.sub("", SET.sub("", re.sub(r"(?<!day)(?<!\bcheck)\s+(?:for|off|out|in|down)$", "", title))) or title
    gone = GOING.sub("", title)
    if set(gone.lower().replace("'s", "").split()) & (EVENT_NOUNS | WHOLE_DAY_NOUNS):
        title = gone
    return EVENT_AT_END.sub("", title) or title


def with_pronoun(slots: Slots) -> str:
    """A title that would be nothing but a verb, with its object: "sort it" says more than "sort"."""
    alone = re.search(rf"\b{re.escape(slots.title)}\s(?:it|them|that|this)\b", slots.text, re.IGNORECASE)
    return alone[0] if alone and is_verb(slots.title.lower()) else slots.title


def keep_feast(slots: Slots) -> None:
    """Give its name back to what is nothing but a feast: "christmas with granny" is not called "with granny".

    If another day was said, that is when it is kept.
    """
    kept = next((found for found in slots.times if _is_feast(found.text)), None)
    if kept is None or not COMPANY.match(slots.title):
        return
    slots.title = f"{BEFORE_FEAST.sub('', kept.text)} {slots.title}"
    others = [found for found in slots.times if found is not kept and found.day_said]
    slots.times = [found for found in slots.times if found is not kept] if others else slots.times


def _is_feast(text: str) -> bool:
    return BEFORE_FEAST.sub("", text.lower()) in _feast_names()


@cache
def _feast_names() -> frozenset[str]:
    """Every feast as it is said, with and without the word that may be missing."""
    spelled = {name.replace("?", "") for name in feasts()}
    return frozenset(spelled | {name.rpartition(" ")[0] for name in feasts() if name.endswith("?")})

"""An answer and a wish of its own in one message: "Conor, and add call mum tonight"."""

from __future__ import annotations

import re

from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read
from agents.understanding.text.verbs import COMMAND_VERBS

JOINT = re.compile(
    r"(?<![\s,.;!-])[\s,.;!-]+(?:and|but|also|oh and|plus|then|btw|by the way)(?:[\s,]+(?:then|also|please|can you|could you|just|while you're at it))*[\s,]+|[.;!]\s+|,\s+",
    re.IGNORECASE,
)
ABOUT_IT = re.compile(
    r"(?:please\s+)?(?:make|set|move|change|put|mark|call|push|do|cancel|delete|remove|leave|keep|go|add|schedule|book|postpone|shift|drop|tick)\s+"
    r"(?:with\s+)?(?:it|that|this|them|both|all|those|the (?:first|second|third|last|one)\b)",
    re.IGNORECASE,
)
LONGEST_ANSWER, SURE = 8, 0.65


def parted(text: str) -> tuple[str, str] | None:
    """The answer and the rest, when the rest is a request by itself; None when the message is one thing."""
    for joint in JOINT.finditer(text):
        head, rest = text[: joint.start()].strip(), text[joint.end() :].strip()
        if head and len(head.split()) <= LONGEST_ANSWER and not _asks(head) and _asks(rest):
            return head, rest
    return None


def _asks(text: str) -> bool:
    """Whether words ask for something of their own: a verb of request with what it is about."""
    plain = trim(text)
    if len(plain.split()) < 2 or ABOUT_IT.match(plain):
        return False
    first = plain.split()[0].lower()
    return (first in COMMAND_VERBS or plain.lower().startswith(("remind me", "note "))) and any(
        intent.sure > SURE for intent in read(plain)
    )

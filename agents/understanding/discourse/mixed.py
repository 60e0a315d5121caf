"""An answer and a wish of its own in one message: "Conor, and add call mum tonight"."""

from __future__ import annotations

from agents.understanding.grammar import patterns_of
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read
from agents.understanding.text.verbs import COMMAND_VERBS

P = patterns_of(__name__)
LONGEST_ANSWER, SURE = 8, 0.65


def parted(text: str) -> tuple[str, str] | None:
    """The answer and the rest, when the rest is a request by itself; None when the message is one thing."""
    for joint in P.JOINT.finditer(text):
        head, rest = text[: joint.start()].strip(), text[joint.end() :].strip()
        if head and len(head.split()) <= LONGEST_ANSWER and not _asks(head) and _asks(rest):
            return head, rest
    return None


def _asks(text: str) -> bool:
    """Whether words ask for something of their own: a verb of request with what it is about."""
    plain = trim(text)
    if len(plain.split()) < 2 or P.ABOUT_IT.match(plain):
        return False
    first = plain.split()[0].lower()
    return (first in COMMAND_VERBS or plain.lower().startswith(("remind me", "note "))) and any(
        intent.sure > SURE for intent in read(plain)
    )

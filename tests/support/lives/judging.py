"""What becomes of a question to memory: whether its reply has the answer, as itself or only as what comes closest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tests.support.lives import Wanted

CLOSEST = "losest I have"
"""How an answer begins that only comes near."""
Outcome = Literal["right", "right, as the closest", "wrong quote", "declined wrongly", "declined", "answered"]
OUTCOMES: tuple[Outcome, ...] = (
    "right", "right, as the closest", "wrong quote", "declined wrongly", "declined", "answered",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A reply and the names of the memos that it cites."""

    reply: str
    cited: frozenset[str]
    changed: bool = False


def judge(wanted: Wanted, told: Told) -> Outcome:
    """Return what became of a question."""
    near = CLOSEST in told.reply
    answers = bool(told.cited) and not near
    if told.changed:
        return "answered" if wanted.kind == "none" else "wrong quote"
    if wanted.kind == "none":
        return "answered" if answers else "declined"
    if _holds(wanted, told):
        return "right, as the closest" if near else "right"
    return "wrong quote" if answers else "declined wrongly"


def _holds(wanted: Wanted, told: Told) -> bool:
    if not wanted.memos & told.cited:
        return False
    reply = told.reply.casefold()
    full = [parts for parts in wanted.accepted if all(part.casefold() in reply for part in parts)]
    return any(not _is_behind(parts[0].casefold(), wanted.outdated, reply) for parts in full)


def _is_behind(accepted: str, outdated: Sequence[str], reply: str) -> bool:
    """Whether a quote before the accepted one has what is outdated."""
    quotes = reply.split("“")
    place = next(number for number, quote in enumerate(quotes) if accepted in quote)
    return any(one.casefold() in quote for one in outdated for quote in quotes[:place])

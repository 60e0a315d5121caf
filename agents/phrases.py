"""Lists, counts and titles as people say them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agents.languages import say, say_number

CLOSEST = "The closest I have:"
"""How an answer from memory begins that may be none."""
NOT_IN_NOTES = "I found nothing about that in your notes."
NOT_TOLD = "You have not told me that."
NOT_TOLD_NOR_NOTED = "You have not told me that, and I found nothing about it in your notes."
ABILITIES = (
    "I keep your tasks, calendar, notes and lists, remind you of things, and remember what you tell me about yourself."
)
CANNOT_DO_THAT = f"I can't do that. {ABILITIES}"
NOTHING_CALLED = "I found nothing called"
NOT_RECORDED = (NOT_IN_NOTES, NOT_TOLD, NOT_TOLD_NOR_NOTED, CANNOT_DO_THAT, NOTHING_CALLED)
"""How answers begin that say no more than that the records have nothing."""
THE_FIRST = "the first?"
"""How a question ends that offers several times and proposes one of them."""
COMMON = frozenset(
    "the and or to for with from it its this that these you your my our they their she not can could would should does "
    "have has what which how when there about more will be are but by than some".split()
)
"""Words that make up much of any English text, and that other languages do not spell alike."""
ENGLISH_SHARE, FEW_WORDS = 0.12, 4
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def side_by_side(pieces: Iterable[str]) -> str:
    """Sentences with a space between two of them, except where a line ends."""
    text = ""
    for piece in pieces:
        text += piece if not text or text.endswith("\n") else f" {piece}"
    return text.strip()


def say_list(words: Sequence[str]) -> str:
    """Words as an enumeration: "a", "a and b", "a, b and c"."""
    if len(words) <= 1:
        return "".join(words)
    return say("{items} and {last}", items=", ".join(words[:-1]), last=words[-1])


def say_either(words: Sequence[str]) -> str:
    """Words as a choice: "a", "a or b", "a, b or c"."""
    if len(words) <= 1:
        return "".join(words)
    return say("{items} or {last}", items=", ".join(words[:-1]), last=words[-1])


def say_count(count: int, noun: str) -> str:
    """A number with its noun in the right form: "1 task", "3 tasks"."""
    return say_number(f"{{count}} {noun}", f"{{count}} {plural(noun)}", count)


def plural(noun: str) -> str:
    """The plural of an English noun, regular forms only."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def say_some(names: Sequence[str], most: int) -> str:
    """Names as an enumeration; beyond so many, how many more there are."""
    more = [say("{count} more", count=len(names) - most)] if len(names) > most else []
    return say_list([*names[:most], *more])


def quote(title: str) -> str:
    """A title in quotation marks, as part of a sentence."""
    return f"“{title}”"


def reads_english(text: str, declared: str = "") -> bool:
    """Whether a text is English by its common words; one of few words is in the ``declared`` language (BCP 47)."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if len(words) < FEW_WORDS:
        return not words or declared.lower().startswith("en") or not declared
    return sum(word in COMMON for word in words) >= ENGLISH_SHARE * len(words)

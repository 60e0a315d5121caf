"""A question that follows others of a conversation: what "it" and "there" mean is looked for in their words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.phrases import COMMON
from agents.ports import Exchange
from agents.user_words.remembering import SAYING, question_of
from app.memory.model.memory import Asked
from app.memory.selecting import telling_words

PERSON = re.compile(r"\b(?:he|him|his|she|her)\b", re.IGNORECASE)
ELLIPSIS = re.compile(
    rf"^\W*(?:and|what\s+about|how\s+about)\b|{PERSON.pattern}|\b(?:it|its|there|they|them|their|these|those|that\s+one)\b",
    re.IGNORECASE,
)
ASKING = re.compile(
    rf"(?:{SAYING}|did|do|who|whose|where|why|was|were|is|am|i|a|an|me|ever|of|on|in|at|as|so)", re.IGNORECASE
)
WORD = re.compile(r"[^\W_]+")
QUOTED = re.compile("“([^”]*)”")
MOST_WORDS = 12


def readings(asked: Asked) -> Iterator[Asked]:
    """What is searched for, in turn, until something is found: the question with what it leans on, and as it is."""
    again = question_of(asked.text, asked.recent)
    if again and again != asked.text:
        yield replace(asked, text=again)
        return
    if about := _leaned_on(asked.text, asked.recent):
        yield replace(asked, text=f"{asked.text} ({about})")
    yield asked


def _leaned_on(question: str, recent: Sequence[Exchange]) -> str:
    """What was talked about since the last question that stood by itself: for a person names, else its words.

    "She" is somebody whom the answers name rather than one whom the question named.
    """
    if not _leans(question):
        return ""
    begin = next((place for place in reversed(range(len(recent))) if not _leans(recent[place].said)), None)
    if begin is None:
        return ""
    asked = _telling(recent[begin].said)
    quotes = [quote for one in recent[begin:] for quote in QUOTED.findall(one.replied)]
    names = [word for text in (recent[begin].said, *quotes) for word in _telling(text) if word[0].isupper()]
    # A capital letter tells nothing of the first word of a quote.
    answered = [name for quote in quotes for name in _telling(quote)[1:] if name[0].isupper() and name not in asked]
    words = (answered or names) if PERSON.search(question) and names else asked
    return " ".join(list(dict.fromkeys(words))[:MOST_WORDS])


def _leans(question: str) -> bool:
    """Return whether a question is about something that it does not name: "how much was it?", "who with?"."""
    return ELLIPSIS.search(question) is not None or not telling_words(" ".join(_telling(question)))


def _telling(text: str) -> list[str]:
    return [word for word in WORD.findall(text) if word.lower() not in COMMON and not ASKING.fullmatch(word)]

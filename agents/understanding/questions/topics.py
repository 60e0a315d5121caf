"""What a question about tasks names them by, once the words of asking are taken off."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.understanding.grammar import patterns_of
from agents.understanding.references import Item, words_of

P = patterns_of(__name__)
QUERY_WORDS = frozenset(
    """
    what which how many top main biggest highest current much show list give read tell do i have any are there open left still my me on for due today
    tomorrow week month this next overdue high low medium priority priorities tasks task todo todos dos do's chore chores jobs deadline
    deadlines is of the to in and with at by all get got gotten accomplish accomplished did have complete need needs finished done reminders finish coming upcoming
    thing things ones stuff items anything something everything plate right currently moment still again related about was am were been working started begun middle busy take takes taking last length long most longest shortest quickest hardest easiest simplest difficult toughest important urgent pressing biggest now until then not started progress else them him
    """.split()
)


TELL_NOTHING = frozenset(part for word in QUERY_WORDS for part in words_of(word))


def topics(title: str) -> tuple[list[str], list[str]]:
    """The words that a question names tasks by, and those that it leaves out: "what is left besides invoices"."""
    asked, _, left_out = P.EXCEPT.sub("\n", title, count=1).partition("\n")
    return _telling(asked), _telling(left_out)


def _telling(title: str) -> list[str]:
    kept = set(words_of(title)) - TELL_NOTHING
    return [word for word in re.findall(r"[^\W_][\w'&-]*", title) if kept & set(words_of(word))]


def names_any(words: Sequence[str], item: Item) -> bool:
    """Whether one of the words stands in the title of a thing."""
    return bool(set(words_of(" ".join(words))) & set(words_of(item.title)))

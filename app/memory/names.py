"""By which names a person or a thing is known: a fact that a user told ties one to another ("sister: Anjali")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.memory.model.memory import Fact

MOST_WORDS = 4
"""Words that a value has at most to be a name."""


def names_of(subject: str, facts: Sequence[Fact]) -> list[str]:
    """Return a subject in small letters, and the other names that facts give it, each once."""
    said = plain_name(subject)
    return list(dict.fromkeys([said, *_others(said, facts)]))


def swap_names(question: str, facts: Sequence[Fact]) -> Iterator[str]:
    """Yield a question with another name in the place of one that facts tie to it: Anjali for "sister"."""
    for fact in facts:
        if _is_name(fact.value):
            yield from _replace_name(question, fact.name, fact.value)
            yield from _replace_name(question, fact.value, fact.name)


def _replace_name(question: str, name: str, other: str) -> Iterator[str]:
    """The question with another name where it has this one as whole words; nothing where it has not."""
    low, wanted, at = question.lower(), name.lower(), -1
    if len(low) != len(question):  # a letter that grows in lower case
        return
    while (at := low.find(wanted, at + 1)) >= 0:
        end = at + len(wanted)
        if not low[at - 1 : at].isalnum() and not low[end : end + 1].isalnum():
            yield f"{question[:at]}{other}{question[end:]}"
            return


def plain_name(name: str) -> str:
    """Return a name as it is compared with others."""
    return " ".join(name.casefold().split())


def _others(said: str, facts: Sequence[Fact]) -> Iterator[str]:
    for fact in facts:
        name, value = plain_name(fact.name), plain_name(fact.value)
        if _is_name(fact.value) and said in (name, value):
            yield value if said == name else name


def _is_name(value: str) -> bool:
    """Return whether a value may name somebody or something: a few words, each with a capital letter."""
    words = value.split()
    return 0 < len(words) <= MOST_WORDS and all(word[0].isupper() for word in words)

"""Patterns that are tried only where they can match: each needs certain words, and most messages have none of them.

The words are taken from the parsed pattern itself, as RE2's ``FilteredRE2`` takes its atoms: nobody has to keep them up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]  # there is no public way to a parsed pattern
from typing import Any

SHORTEST, MOST = 3, 40
EVERYWHERE = frozenset(
    "the and for you that have this not are with today tomorrow monday tuesday wednesday thursday friday saturday sunday".split()
)
"""Words that stand in most messages rule nothing out."""
PENALTY = 0.3
"""By how much each further word makes a list worse, as more of them have to be looked for."""
ZERO_WIDTH = (ops.AT, ops.ASSERT, ops.ASSERT_NOT)
REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT)
WIDEST = 64
Atoms = frozenset[str]


def folded(text: str) -> str:
    """The text as a pattern sees it that ignores case."""
    return text.casefold().replace("ı", "i")


class Prefiltered:
    """A pattern that looks for the words it needs before it is tried; ``atoms`` are these, of which one must be there."""

    __slots__ = ("atoms", "pattern")

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.atoms = tuple(sorted(atoms_of(self.pattern)))

    def may_match(self, text: str) -> bool:
        """Whether the words that are needed stand in the text, folded."""
        for atom in self.atoms:  # any() over a generator takes twice as long, and this is asked 100 times a message
            if atom in text:
                return True
        return not self.atoms

    def search(self, text: str) -> re.Match[str] | None:
        """As of a pattern."""
        return self.pattern.search(text) if self.may_match(folded(text)) else None

    def sub(self, form: str | Callable[[re.Match[str]], str], text: str) -> str:
        """As of a pattern."""
        return self.pattern.sub(form, text) if self.may_match(folded(text)) else text


def atoms_of(pattern: re.Pattern[str]) -> Atoms:
    """The words, folded, of which every match contains at least one; none where nothing is sure."""
    found = _needed(parser.parse(pattern.pattern, pattern.flags)) or frozenset()
    return frozenset(atom for atom in found if not any(other in atom for other in found - {atom}))


def firsts_of(pattern: re.Pattern[str]) -> Atoms | None:
    """The characters, folded, that a match may begin with; None where it may be any."""
    found, empty = _firsts(parser.parse(pattern.pattern, pattern.flags))
    return None if empty else found


def _needed(items: Iterable[Any]) -> Atoms | None:
    """What a sequence needs: of the needs of its parts, that which rules out most."""
    needs, run = list[Atoms](), ""
    for op, argument in items:
        if op is ops.LITERAL:
            run += chr(argument)
            continue
        found = _needed_by(op, argument)
        needs += [frozenset({folded(run)}), found or frozenset()]
        run = ""
    needs.append(frozenset({folded(run)}))
    return max((need for need in needs if _selective(need)), key=_selective, default=None)


def _needed_by(op: Any, argument: Any) -> Atoms | None:
    if op is ops.BRANCH:
        found = [_needed(branch) for branch in argument[1]]
        return frozenset().union(*filter(None, found)) if all(found) else None
    inner = _inside(op, argument)
    return None if inner is None or (op in REPEATS and argument[0] == 0) else _needed(inner)


def _inside(op: Any, argument: Any) -> Iterable[Any] | None:
    """The sequence that a group, a repeat or a look around holds."""
    return list(argument[-1]) if op in (ops.SUBPATTERN, ops.ASSERT, *REPEATS) else None


def _selective(need: Atoms) -> float:
    """How much a list of words rules out: nothing where it is too long, or one of them too short or too common."""
    words = [atom.strip() for atom in need]
    if len(need) > MOST or any(len(word) < SHORTEST or word in EVERYWHERE for word in words):
        return 0
    return min((len(word) for word in words), default=0) / (1 + PENALTY * (len(need) - 1))


def _firsts(items: Iterable[Any]) -> tuple[Atoms | None, bool]:
    """The characters that a sequence may begin with, and whether it may be empty."""
    known: Atoms = frozenset()
    for op, argument in items:
        if op in ZERO_WIDTH:
            continue
        found, empty = _first_of(op, argument)
        if found is None:
            return None, empty
        known |= found
        if not empty:
            return known, False
    return known, True


def _first_of(op: Any, argument: Any) -> tuple[Atoms | None, bool]:
    if op is ops.LITERAL:
        return frozenset(folded(chr(argument))[:1]), False
    if op is ops.IN:
        return _class(argument), False
    if op is ops.BRANCH:
        ways = [_firsts(branch) for branch in argument[1]]
        known = [found for found, _ in ways if found is not None]
        return frozenset().union(*known) if len(known) == len(ways) else None, any(empty for _, empty in ways)
    inner = _inside(op, argument)
    found, empty = _firsts(inner) if inner is not None else (None, True)
    return found, empty or (op in REPEATS and argument[0] == 0)


def _class(members: Sequence[Any]) -> Atoms | None:
    """The characters of a small class; None of a negated or a wide one."""
    spans = [
        argument if op is ops.RANGE else (argument, argument)
        for op, argument in members
        if op in (ops.LITERAL, ops.RANGE)
    ]
    if len(spans) < len(members) or sum(last - first for first, last in spans) > WIDEST:
        return None
    return frozenset(folded(chr(code))[:1] for first, last in spans for code in range(first, last + 1))

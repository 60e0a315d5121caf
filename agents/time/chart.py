"""A chart over tokens, filled from right to left in one pass; its cost grows with the length of the text."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import Any, TypeVar

from agents.time.tokens import Token
from agents.time.values import Number, Value

MAX_TOKENS = 26
MAX_PER_PLACE = 48

Element = frozenset[str] | type
Produce = Callable[..., Value | None]
Rewrite = TypeVar("Rewrite", bound=Produce)


@dataclass(frozen=True, slots=True)
class Rule:
    """A sequence of words and values, and what they make together; None refuses."""

    pattern: tuple[Element, ...]
    produce: Produce


@dataclass(frozen=True, slots=True)
class Node:
    """A value over the tokens ``start`` to ``end`` (exclusive)."""

    start: int
    end: int
    value: Value


@dataclass(frozen=True, slots=True)
class Into:
    """Where a match goes: the place it begins at, where it must be over, and what waits there."""

    start: int
    limit: int
    agenda: deque[Node]


class Shelf:
    """Rules that begin alike, by what comes second: most rules are ruled out without being tried."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.ends: list[int] = []
        self.by_word: dict[str, list[int]] = defaultdict(list)
        self.by_type: dict[type, list[int]] = defaultdict(list)

    def add(self, rule: Rule) -> None:
        """Keep a rule under its second element."""
        index, second = len(self.rules), rule.pattern[1] if len(rule.pattern) > 1 else None
        self.rules.append(rule)
        if second is None:
            self.ends.append(index)
        elif isinstance(second, frozenset):
            for word in second:
                self.by_word[word].append(index)
        else:
            self.by_type[second].append(index)

    def before(self, word: str | None, types: Iterable[type]) -> list[Rule]:
        """The rules that fit what follows, in the order they were written."""
        found = (self.ends, self.by_word.get(word or ""), *(self.by_type.get(kind) for kind in types))
        sources = [indexes for indexes in found if indexes]
        fitting = sources[0] if len(sources) == 1 else sorted(chain.from_iterable(sources))
        return [self.rules[index] for index in fitting]


class Grammar:
    """Rules by what they begin with."""

    def __init__(self) -> None:
        self.by_word: dict[str, Shelf] = defaultdict(Shelf)
        self.by_type: dict[type, Shelf] = defaultdict(Shelf)

    @classmethod
    def union(cls, grammars: Iterable[Grammar]) -> Grammar:
        """All rules of several grammars, in their order."""
        made = cls()
        for grammar in grammars:
            for shelves, own in ((grammar.by_word, made.by_word), (grammar.by_type, made.by_type)):
                for first, shelf in shelves.items():
                    for rule in shelf.rules:
                        own[first].add(rule)  # type: ignore[index]
        return made

    def rule(self, *pattern: str | type, **known: object) -> Callable[[Rewrite], Rewrite]:
        """Register a rule. ``"a|b c"`` is one of these words, ``"a|?"`` may be missing, a type is a value of it.

        The function receives the values in order (words are not passed) and what is ``known`` of its words by name, and
        may return None to refuse.
        """

        def register(produce: Rewrite) -> Rewrite:
            made = partial(produce, **known) if known else produce
            for variant in _variants(pattern):
                self._add(Rule(variant, made))
            return produce

        return register

    def _add(self, rule: Rule) -> None:
        first = rule.pattern[0]
        if isinstance(first, frozenset):
            for word in first:
                self.by_word[word].add(rule)
        else:
            self.by_type[first].add(rule)


def _variants(pattern: tuple[str | type, ...]) -> Iterator[tuple[Element, ...]]:
    if not pattern:
        yield ()
        return
    head, rest = pattern[0], list(_variants(pattern[1:]))
    for tail, start in product(rest, _starts(head) if isinstance(head, str) else [(head,)]):
        yield (*start, *tail)


def _starts(said: str) -> list[tuple[Element, ...]]:
    """The single words together, each phrase of several words, and nothing where they may be missing."""
    words = said.split("|")
    single = frozenset(word for word in words if word != "?" and " " not in word)
    phrases = [tuple(frozenset((part,)) for part in word.split()) for word in words if " " in word]
    return [*([(single,)] if single else []), *phrases, *([()] if "?" in words else [])]


class Chart:
    """All values over one text."""

    def __init__(self, tokens: list[Token], grammar: Grammar, seeds: list[list[Value]]) -> None:
        self.tokens = tokens
        self.words = [token.text for token in tokens]
        self.grammar = grammar
        self.places: list[dict[type, list[Node]]] = [{} for _ in range(len(tokens) + 1)]
        for place in range(len(tokens) - 1, -1, -1):
            if seeds[place] or self.words[place] in grammar.by_word:
                self._fill(place, seeds[place])

    def at(self, place: int) -> list[Node]:
        """The values that begin at a token."""
        return [node for nodes in self.places[place].values() for node in nodes]

    def begins(self, place: int, *kinds: type) -> bool:
        """Whether a value of one of these kinds begins at a token."""
        return any(kind in self.places[place] for kind in kinds)

    def counts(self, place: int) -> bool:
        """Whether a number that is no rank begins at a token."""
        return any(
            isinstance(node.value, Number) and not node.value.ordinal for node in self.places[place].get(Number, ())
        )

    def word(self, place: int) -> str:
        """The word at a place, empty outside the text."""
        return self.words[place] if 0 <= place < len(self.words) else ""

    def _fill(self, place: int, seeds: list[Value]) -> None:
        agenda = deque(Node(place, place + 1, value) for value in seeds)
        into = Into(place, min(len(self.tokens), place + MAX_TOKENS), agenda)
        for rule in self._fitting(self.grammar.by_word.get(self.words[place]), place + 1):
            self._match(rule, 1, place + 1, (), into)
        known: set[tuple[int, Value]] = set()
        while agenda and len(known) < MAX_PER_PLACE:
            node = agenda.popleft()
            count = len(known)
            known.add((node.end, node.value))
            if len(known) == count:
                continue
            self.places[place].setdefault(type(node.value), []).append(node)
            for rule in self._fitting(self.grammar.by_type.get(type(node.value)), node.end):
                self._match(rule, 1, node.end, (node.value,), into)

    def _fitting(self, shelf: Shelf | None, at: int) -> list[Rule]:
        if shelf is None:
            return []
        return shelf.before(self.words[at] if at < len(self.words) else None, self.places[at])

    def _match(self, rule: Rule, index: int, at: int, values: tuple[Any, ...], into: Into) -> None:
        pattern = rule.pattern
        while index < len(pattern):
            if at >= into.limit:
                return
            element = pattern[index]
            index += 1
            if not isinstance(element, frozenset):
                for node in self.places[at].get(element, ()):
                    self._match(rule, index, node.end, (*values, node.value), into)
                return
            if self.words[at] not in element:
                return
            at += 1
        value = rule.produce(*values)
        if value is not None:
            into.agenda.append(Node(into.start, at, value))

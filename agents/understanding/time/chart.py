"""A chart over tokens, filled from right to left in one pass; its cost grows with the length of the text."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from agents.understanding.time.values import Value
from agents.understanding.tokens import Token

MAX_TOKENS = 26
MAX_PER_PLACE = 48
VALUE_TYPES = get_args(Value)

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
    """Where a match goes: the place it begins at and what waits there."""

    start: int
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
        fitting = [*self.ends, *self.by_word.get(word, ())] if word is not None else list(self.ends)
        for kind in types:
            fitting += self.by_type.get(kind, ())
        return [self.rules[index] for index in sorted(fitting)]


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

    def rule(self, *pattern: str | type) -> Callable[[Rewrite], Rewrite]:
        """Register a rule. ``"a|b"`` is one of these words, ``"a|?"`` may be missing, a type is a value of it.

        The function receives the values in order (words are not passed) and may return None to refuse.
        """

        def register(produce: Rewrite) -> Rewrite:
            for variant in _variants(pattern):
                self._add(Rule(variant, produce))
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
    words = frozenset(head.split("|")) if isinstance(head, str) else head
    optional = isinstance(words, frozenset) and "?" in words
    element = words - {"?"} if isinstance(words, frozenset) else words
    for tail in rest:
        yield (element, *tail)
        if optional:
            yield tail


class Chart:
    """All values over one text."""

    def __init__(self, tokens: list[Token], grammar: Grammar, seeds: list[list[Value]]) -> None:
        self.tokens = tokens
        self.grammar = grammar
        self.places: list[dict[type, list[Node]]] = [{} for _ in range(len(tokens) + 1)]
        for place in range(len(tokens) - 1, -1, -1):
            self._fill(place, seeds[place])

    def at(self, place: int) -> list[Node]:
        """The values that begin at a token."""
        return [node for nodes in self.places[place].values() for node in nodes]

    def _fill(self, place: int, seeds: list[Value]) -> None:
        agenda = deque(Node(place, place + 1, value) for value in seeds)
        for rule in self._fitting(self.grammar.by_word.get(self.tokens[place].text), place + 1):
            self._match(rule, 1, place + 1, (), Into(place, agenda))
        known: set[tuple[int, Value]] = set()
        while agenda and len(known) < MAX_PER_PLACE:
            node = agenda.popleft()
            if (node.end, node.value) in known:
                continue
            known.add((node.end, node.value))
            self.places[place].setdefault(type(node.value), []).append(node)
            for rule in self._fitting(self.grammar.by_type.get(type(node.value)), node.end):
                self._match(rule, 1, node.end, (node.value,), Into(place, agenda))

    def _fitting(self, shelf: Shelf | None, at: int) -> list[Rule]:
        if shelf is None:
            return []
        word = self.tokens[at].text if at < len(self.tokens) else None
        return shelf.before(word, self.places[at])

    def _match(self, rule: Rule, index: int, at: int, values: tuple[Any, ...], into: Into) -> None:
        if index == len(rule.pattern):
            value = rule.produce(*values)
            if value is not None:
                into.agenda.append(Node(into.start, at, value))
            return
        if at >= min(len(self.tokens), into.start + MAX_TOKENS):
            return
        element = rule.pattern[index]
        if isinstance(element, frozenset):
            if self.tokens[at].text in element:
                self._match(rule, index + 1, at + 1, values, into)
            return
        for node in self.places[at].get(element, ()):
            self._match(rule, index + 1, node.end, (*values, node.value), into)

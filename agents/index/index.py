"""What is stored, found by word, day and name: built once, and brought up to date with what changed since."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property
from operator import attrgetter
from typing import overload

from agents.index.items import BEGINNING, FACETS, SHORT_ID, Facet, Item, filed_under
from agents.index.words import MIN_FUZZY_LENGTH, alike, shapes_like, shapes_of, swapped_within
from agents.records import Kind

Fits = Callable[[Item], bool]
Name = tuple[Kind, str]
"""The kind and the id of a record."""
Posts = dict[object, list[Item]]
SHAPED = frozenset(("word", "beside", "text"))
"""What is found by words that are like those that are asked for, too."""
MOST_FRESH = 32
"""Records that changed since, and are kept apart: with more of them all is put together."""
MOST_COUNTED = 20
"""Sorts of records of which it is kept how many there are."""
FIND_MARGIN = timedelta(days=2)
"""So many days a day may differ from one zone to another, at most."""
MOST_SPANNED = 1000
"""Days that are looked up one by one."""
Sort = tuple[tuple[Kind, ...], tuple[Fits, ...]]
in_order = attrgetter("order")


@dataclass(slots=True)
class Layer:
    """Records under all that they are found by; written only while it is made."""

    items: dict[Name, Item] = field(default_factory=dict)
    posts: dict[Facet, Posts] = field(default_factory=lambda: {facet: {} for facet in FACETS})
    shapes: dict[str, set[str]] = field(default_factory=dict)
    counts: dict[Sort, int] = field(default_factory=dict)
    failing: dict[Fits, set[int]] = field(default_factory=dict)
    lists: dict[Kind, list[Item]] = field(default_factory=dict)

    def add(self, items: Iterable[Item]) -> None:
        """File more records."""
        for item in items:
            self.items[item.kind, item.id] = item
            for facet, key in set(filed_under(item)):
                there = self.posts[facet].setdefault(key, [])
                if facet in SHAPED and not there:
                    self._shape(str(key))
                there.append(item)

    def _shape(self, word: str) -> None:
        for shape in shapes_of(word):
            self.shapes.setdefault(shape, set()).add(word)

    def list_kind(self, kind: Kind) -> list[Item]:
        """Return the records of a kind, in order."""
        if kind not in self.lists:
            self.lists[kind] = sorted((item for item in self.items.values() if item.kind == kind), key=in_order)
        return self.lists[kind]

    def with_changes(self, put: Sequence[Item], dropped: Sequence[Item]) -> Layer:
        """Return the same without some and with other records; what it shares with this one is not written again."""
        made = Layer(self.items.copy(), self.posts.copy(), self.shapes.copy())
        touched: dict[Facet, set[object]] = {}
        for item in (*put, *dropped):
            for facet, key in filed_under(item):
                touched.setdefault(facet, set()).add(key)
        gone = {id(item) for item in dropped}
        for facet, keys in touched.items():
            made.posts[facet] = posts = made.posts[facet].copy()
            for key in keys:
                left = [item for item in posts.pop(key, ()) if id(item) not in gone]
                if left:
                    posts[key] = left
        for item in put:
            made.shapes |= {
                one: made.shapes.get(one, set()) | {word} for word in _words(item) for one in shapes_of(word)
            }
        for item in dropped:
            del made.items[item.kind, item.id]
        made.add(put)
        made.counts = {sort: count - _count(dropped, sort) + _count(put, sort) for sort, count in self.counts.items()}
        made.failing = {test: (ids - gone) | _failing(put, test) for test, ids in self.failing.items()}
        return made


def _words(item: Item) -> Iterator[str]:
    return (str(key) for facet, key in filed_under(item) if facet in SHAPED)


def _failing(items: Iterable[Item], test: Fits) -> set[int]:
    return {id(item) for item in items if not test(item)}


def _count(items: Iterable[Item], sort: Sort) -> int:
    kinds, tests = sort
    return sum(item.kind in kinds and all(fits(item) for fits in tests) for item in items)


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """All that a user has stored at one moment: what lasts, and apart from it what is ``fresh`` or ``gone`` since.

    It never changes; another one with changes shares nearly all with it.
    """

    base: Layer = field(default_factory=Layer)
    fresh: Layer = field(default_factory=Layer)
    gone: frozenset[Name] = frozenset()

    def get(self, kind: Kind, record_id: str | None) -> Item | None:
        """Return the record with this id."""
        name = (kind, record_id or "")
        return self.fresh.items.get(name) or (None if name in self.gone else self.base.items.get(name))

    def with_changes(self, put: Sequence[Item], dropped: Iterable[Name] = ()) -> Index:
        """Return the same with some records put in place of what they were before, and without others."""
        names = {*dropped, *((item.kind, item.id) for item in put)}
        fresh = self.fresh.with_changes(put, [self.fresh.items[name] for name in names if name in self.fresh.items])
        gone = self.gone | {name for name in names if name in self.base.items}
        if len(fresh.items) + len(gone) <= MOST_FRESH:
            return Index(self.base, fresh, gone)
        old = [self.base.items[name] for name in gone]
        return Index(self.base.with_changes(list(fresh.items.values()), old))

    def find_under(self, facet: Facet, keys: Iterable[object] = (True,)) -> Iterable[Item]:
        """Return the records that are filed under one of these at least, in no order."""
        found = {id(item): item for item in self.walk_under(facet, keys)}
        return found.values()

    def walk_under(self, facet: Facet, keys: Iterable[object]) -> Iterator[Item]:
        """Return the same one by one, a record once for each that it is filed under."""
        lasting, fresh, gone = self.base.posts[facet], self.fresh.posts[facet], self.gone
        for key in keys:
            old = lasting.get(key, ())
            yield from (item for item in old if (item.kind, item.id) not in gone) if gone else old
            yield from fresh.get(key, ())

    def under(self, facet: Facet) -> Container[object]:
        """Return all that something is filed under, to ask whether a word is among them."""
        return _Filed(self, facet)

    def like(self, said: str) -> set[str]:
        """Return the words of titles, beside them and of notes that are like one; some may stand nowhere any more."""
        same = {said, swapped_within(said)}
        if len(said) < MIN_FUZZY_LENGTH:
            return same
        layers = (self.base.shapes, self.fresh.shapes)
        near = set[str]().union(*(shapes.get(shape, ()) for shape in shapes_like(said) for shapes in layers))
        return {word for word in near | same if alike(said, word)}

    def count(self, sort: Sort) -> int:
        """Return how many records of these kinds pass these tests."""
        counts = self.base.counts
        lasting = counts.get(sort)
        if lasting is None:
            lasting = _count(self.base.items.values(), sort)
            if len(counts) == MOST_COUNTED:
                counts.clear()
            if all(map(_is_lasting, sort[1])):
                counts[sort] = lasting
        return (
            lasting
            - _count((self.base.items[name] for name in self.gone), sort)
            + _count(self.fresh.items.values(), sort)
        )

    def failing(self, test: Fits) -> tuple[set[int], set[int]]:
        """Return the identities of the records that do not pass a test: of those that last, and of the fresh ones."""
        known = self.base.failing
        if test not in known:
            if len(known) == MOST_COUNTED:
                known.clear()
            known[test] = _failing(self.base.items.values(), test)
        return known[test], _failing(self.fresh.items.values(), test)

    def all_of(self, kind: Kind) -> list[Item]:
        """Return all records of a kind, in order."""
        lasting = (item for item in self.base.list_kind(kind) if (kind, item.id) not in self.gone)
        return sorted([*lasting, *self.fresh.list_kind(kind)], key=in_order)


@dataclass(frozen=True, slots=True)
class _Filed:
    index: Index
    facet: Facet

    def __contains__(self, key: object) -> bool:
        return any(True for _ in self.index.walk_under(self.facet, (key,)))


def _is_lasting(test: Fits) -> bool:
    """Return whether a test is the same one in each message: no function that was made inside of another."""
    return "<locals>" not in getattr(test, "__qualname__", "")


class Items(Sequence[Item]):
    """The records of some kinds that pass some tests: looked up in the index, and gone through only where one must."""

    def __init__(self, index: Index, kinds: tuple[Kind, ...], tests: tuple[Fits, ...] = ()) -> None:
        self._index = index
        self._kinds = kinds
        self._tests = tests
        self._held: dict[Fits, dict[int, bool]] = {}  # what costs much is found out once

    def where(self, fits: Fits) -> Items:
        """Return those of them that pass one more test."""
        return Items(self._index, self._kinds, (*self._tests, fits))

    def get(self, record_id: str | None) -> Item | None:
        """Return the one with this id."""
        found = (self._index.get(kind, record_id) for kind in self._kinds)
        return next((item for item in found if item is not None and self._holds(item)), None)

    def find_under(self, facet: Facet, keys: Iterable[object] = (True,)) -> list[Item]:
        """Return those that are filed under one of these at least, in order."""
        return self.put_in_order(self._passing(self._index.find_under(facet, keys)))

    def find_telling(self, words: Iterable[str]) -> list[Item]:
        """Return those that have a word like one of these in their title or beside it, in order."""
        return self._with_like(words, "word", "beside")

    def find_saying(self, words: Iterable[str]) -> list[Item]:
        """Return the notes that have a word like one of these in their text, in order."""
        return self._with_like(words, "text")

    def _with_like(self, words: Iterable[str], *facets: Facet) -> list[Item]:
        near = {like for word in words for like in self._index.like(word)}
        found = {id(item): item for facet in facets for item in self._index.find_under(facet, near)}
        return self.put_in_order(self._passing(found.values()))

    def find_between(self, first: date, last: date, margin: timedelta = FIND_MARGIN) -> list[Item]:
        """Return those that may be, ring or be due on one of these days, in order: all others surely are not.

        Days that are those of UTC need no ``margin`` for events.
        """
        since, until = _shift_day(first, -margin), _shift_day(last, margin)
        span = (until - since).days + 1
        days: Iterable[object] = (since + timedelta(days=at) for at in range(span))
        if span > MOST_SPANNED:
            layers = (self._index.base, self._index.fresh)
            days = {day for layer in layers for day in layer.posts["day"] if since <= day <= until}  # type: ignore[operator]
        found = {id(item): item for item in self._index.find_under("day", days)}
        found |= {id(item): item for item in self._index.find_under("always")}
        return self.put_in_order(self._passing(found.values()))

    def find_called(self, words: Sequence[str]) -> list[Item]:
        """Return those whose title has just these words, in any order."""
        pool: Iterable[Item] = self.find_under("word", words[:1]) if words else self
        return [item for item in pool if sorted(item.words) == sorted(words)]

    def find_by_code(self, said: Collection[str]) -> list[Item]:
        """Return those whose id begins with one of these words, which may be short ids, in order."""
        codes = [word for word in said if len(word) >= SHORT_ID]
        found = self.find_under("code", {code[:SHORT_ID] for code in codes})
        return [item for item in found if any(item.id.startswith(code) for code in codes)]

    def find_named_in(self, told: str) -> list[Item]:
        """Return those whose title stands in a text in lower case, in order."""
        begins = {told[at : at + size] for at in range(len(told)) for size in range(1, BEGINNING + 1)}
        return [item for item in self.find_under("begins", begins) if item.title.lower() in told]

    def like(self, said: str) -> Collection[str]:
        """Return the words of titles that are like one."""
        return self._index.like(said)

    def with_words(self, words: Collection[str]) -> list[Item]:
        """Return those that have one of these words in their title, in no order."""
        return self._passing(self._index.find_under("word", words))

    def with_initials(self, shorts: Collection[str]) -> list[Item]:
        """Return those whose initials are among these, in no order."""
        return self._passing(self._index.find_under("short", shorts))

    def put_in_order(self, items: Iterable[Item]) -> list[Item]:
        """Return some of them in order."""
        if len(self._kinds) == 1:
            return sorted(items, key=in_order)
        places = {kind: place for place, kind in enumerate(self._kinds)}
        return sorted(items, key=lambda item: (places[item.kind], item.order))

    def _passing(self, items: Iterable[Item]) -> list[Item]:
        kinds, found = self._kinds, list(items)
        found = [item for item in found if item.kind in kinds]
        for test in self._tests:
            if _is_lasting(test):
                old, new = self._index.failing(test)
                found = [item for item in found if id(item) not in old and id(item) not in new]
            else:
                held = self._held.setdefault(test, {})
                held |= {id(item): test(item) for item in found if id(item) not in held}
                found = [item for item in found if held[id(item)]]
        return found

    def _holds(self, item: Item) -> bool:
        return item.kind in self._kinds and all(fits(item) for fits in self._tests)

    @cached_property
    def _all(self) -> list[Item]:
        found = (item for kind in self._kinds for item in self._index.all_of(kind))
        return [item for item in found if all(fits(item) for fits in self._tests)]

    def __len__(self) -> int:
        return self._index.count((self._kinds, self._tests))

    def __iter__(self) -> Iterator[Item]:
        return iter(self._all)

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...

    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        return self._all[place]

    def __contains__(self, item: object) -> bool:
        return isinstance(item, Item) and self._holds(item) and self._index.get(item.kind, item.id) == item


def _shift_day(day: date, by: timedelta) -> date:
    try:
        return day + by
    except OverflowError:
        return day

"""The lines of a list, known by their text: what a new version makes of each, and how two new versions go together."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Line = dict[str, Any]
"""``text`` and ``done``, as records keep them."""


@dataclass(frozen=True, slots=True)
class Edits:
    """What becomes of each line of a list.

    ``after`` has a place for each line there was, None where it goes; ``added`` are new ones. ``order`` are the places
    of the lines that stay, as the new version orders them.
    """

    after: list[Line | None]
    added: list[Line]
    order: list[int]


def lines_in(fields: Mapping[str, Any] | None) -> list[Line]:
    """The lines among the fields of a note, whose entries are strings or {text, done}."""
    entries = (fields or {}).get("items") or []
    lines = [entry if isinstance(entry, Mapping) else {"text": entry} for entry in entries]
    return [{"text": str(line.get("text")), "done": line.get("done") is True} for line in lines]


def name_of(line: Line) -> str:
    """What a line is known by: its text, whatever its case and spaces."""
    return " ".join(line["text"].casefold().split())


def edits(before: Sequence[Line], wanted: Sequence[Line], *, by_place: bool = True) -> Edits:
    """How a list becomes another one. Where both are as long, what is new in a place is the old line reworded."""
    found: dict[int, int] = {}
    _pair(before, wanted, lambda _, line: (name_of(line), line["done"]), found)
    _pair(before, wanted, lambda _, line: name_of(line), found)
    if by_place and len(before) == len(wanted):
        _pair(before, wanted, lambda place, _: place, found)
    after = [wanted[found[place]] if place in found else None for place in range(len(before))]
    paired = set(found.values())
    added = [line for place, line in enumerate(wanted) if place not in paired]
    return Edits(after, added, sorted(found, key=found.__getitem__))


def _pair(
    before: Sequence[Line], wanted: Sequence[Line], like: Callable[[int, Line], Hashable], found: dict[int, int]
) -> None:
    """Find for each line without a pair the first free one like it."""
    free, paired = defaultdict[Hashable, deque[int]](deque), set(found.values())
    for place, line in enumerate(wanted):
        if place not in paired:
            free[like(place, line)].append(place)
    for place, line in enumerate(before):
        if place not in found and (there := free[like(place, line)]):
            found[place] = there.popleft()


def lost_lines(before: Sequence[Line], wanted: Sequence[Line]) -> list[Line]:
    """The lines that a list loses, reworded ones among them."""
    after = edits(before, wanted).after
    pairs = zip(before, after, strict=True)
    return [old for old, new in pairs if new is None or name_of(new) != name_of(old)]


def merge_lines(seen: Sequence[Line], wanted: Sequence[Line], now: Sequence[Line]) -> list[Line]:
    """What was wanted of a list as it was seen, done to the list as it is now: nobody else's change is lost."""
    if list(seen) == list(now):
        return list(wanted)
    made, since = edits(seen, wanted), edits(seen, now, by_place=False)
    kept = [_of_both(old, new, other) for old, new, other in zip(seen, made.after, since.after, strict=True)]
    there = {name_of(line) for line in since.added}
    return [
        *(line for place in _as_now(since) if (line := kept[place]) is not None),
        *since.added,
        *(line for line in made.added if name_of(line) not in there),
    ]


def _of_both(old: Line, new: Line | None, other: Line | None) -> Line | None:
    """A line after two changes: the one that changed it, and the later one where both did."""
    return other if new == old else new


def _as_now(since: Edits) -> list[int]:
    """The places of all lines that were seen: those that are still there first, in their order of now."""
    stay = set(since.order)
    return [*since.order, *(place for place in range(len(since.after)) if place not in stay)]

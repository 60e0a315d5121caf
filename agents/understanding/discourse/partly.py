"""A yes to some of several proposals: "yes, but only the milk", "all except the dentist", "just the first two"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Option, Proposal
from agents.records import Kind
from agents.understanding.discourse.picking import picked
from agents.understanding.grammar import patterns_of
from agents.understanding.items.choose import hinted
from agents.understanding.items.pointed import COUNT, PLACES
from agents.understanding.references import alike, items_of, words_of
from agents.understanding.scene import Scene

P = patterns_of(__name__)
FIRST = re.compile(
    rf"(?:the\s+)?(?P<end>first|last)(?:\s+(?P<count>{COUNT}))?(?:\s+(?:one|ones|task|tasks|of them))?\W*$",
    re.IGNORECASE,
)
KINDS: tuple[Kind, ...] = ("todo", "event", "note")


def partly(text: str, proposals: Sequence[Proposal], scene: Scene) -> list[Proposal]:
    """The proposals that a partial yes means; none when it names none of them, or is no such yes."""
    if len(proposals) < 2:
        return []
    excepted = P.EXCEPT.match(text)
    if excepted:
        kept = _named(excepted["kept"], proposals, scene)
        return [item for item in proposals if item not in kept] if kept else []
    only = P.ONLY.match(text)
    return _named(only["wanted"] or only["last"], proposals, scene) if only else []


def _named(words: str, proposals: Sequence[Proposal], scene: Scene) -> list[Proposal]:
    counted = FIRST.match(words)
    if counted:
        count = _count(counted["count"])
        return list(proposals[:count] if counted["end"].lower() == "first" else proposals[-count:])
    placed = P.PLACE.match(words)
    if placed:
        at = next(at for at, names in enumerate(PLACES) if placed["place"].lower() in names)
        return list(proposals[at : at + 1])
    kinds = hinted(words, KINDS)
    of_kind = [item for item in proposals if item.kind in kinds]
    if len(kinds) == 1 and P.KIND_ALONE.fullmatch(words.strip()) and of_kind:
        return of_kind
    parts = [part for part in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", words) if part.strip()]
    found = [item for part in parts for item in proposals if _fits(part, _title(item, scene))]
    if all(any(_fits(part, _title(item, scene)) for item in found) for part in parts):
        return found
    options = [Option(label=_title(item, scene)[:200], kind=item.kind, record_id=item.record_id) for item in proposals]
    chosen = {option.record_id for option in picked(words, options, scene)}
    return [item for item in proposals if item.record_id and item.record_id in chosen]


def _count(word: str | None) -> int:
    return next((at for at, names in enumerate(PLACES, start=1) if word and word.lower() in (names[2], str(at))), 1)


def _fits(part: str, title: str) -> bool:
    have, said = words_of(title), words_of(part)
    return bool(said) and all(any(alike(word, other) for other in have) for word in said)


def told_in_full(text: str, proposals: Sequence[Proposal], scene: Scene) -> list[str]:
    """The names of everything that is asked about, for "which ones?"; none for other words."""
    return [_title(item, scene) for item in proposals] if P.WHICH.fullmatch(text) else []


def _title(item: Proposal, scene: Scene) -> str:
    fields = item.fields
    drafted = str(fields.get("task") or fields.get("title") or fields.get("summary") or fields.get("content") or "")
    known = (
        (stored.title for stored in items_of(scene.ask.records, item.kind) if stored.id == item.record_id)
        if item.kind != "profile"
        else iter(())
    )
    return next(known, drafted)

"""A yes to some of several proposals: "yes, but only the milk", "all except the dentist", "just the first two"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Option, Proposal
from agents.records import Kind
from agents.understanding.discourse.picking import picked
from agents.understanding.items.choose import hinted
from agents.understanding.items.pointed import COUNT, PLACES
from agents.understanding.references import alike, items_of, words_of
from agents.understanding.scene import Scene

LEAD = r"(?:(?:yes|yeah|yep|yup|sure|ok|okay|no|nope|please|go ahead|do it|fine|delete|remove|drop|cancel|do|undo|well|actually|but)[\s,.:!-]+)*"
EXCEPT = re.compile(
    rf"{LEAD}(?:(?:all(?: of them)?|everything|them all|them|every one|the rest)[\s,]+)?(?:but not|except(?: for)?|apart from|excluding|other than|"
    r"(?:just |but )?(?:not|keep|leave|skip|without)|but(?! only| just)|minus)\s+(?P<kept>.{2,100})$",
    re.IGNORECASE,
)
ONLY = re.compile(
    rf"{LEAD}(?:only|just|simply)\s+(?P<wanted>.{{2,100}})$|{LEAD}(?P<last>.{{2,100}}?)\s+only\W*$", re.IGNORECASE
)
FIRST = re.compile(
    rf"(?:the\s+)?(?P<end>first|last)(?:\s+(?P<count>{COUNT}))?(?:\s+(?:one|ones|task|tasks|of them))?\W*$",
    re.IGNORECASE,
)
KINDS: tuple[Kind, ...] = ("todo", "event", "note")
KIND_ALONE = re.compile(
    r"(?:(?:the|my|all|of)\s+)*(?:tasks?|todos?|to-dos?|reminders?|events?|meetings?|appointments?|calendar|notes?|lists?)\W*",
    re.IGNORECASE,
)
WHICH = re.compile(
    r"(?:(?:ok|okay|wait|hold on|hang on|hmm+|sorry|um|uh|yes|yeah|no|and|but|so)[\s,.!]+)*(?:(?:which|what)(?: ones?| items?| things?| tasks?| events?)?"
    r"(?: exactly)?(?: (?:are|is|were|would|will|do|did) (?:they|that|those|these|it|you|be|there)(?: \w+){0,2})?|(?:show|tell|list|give|read) (?:me |them )*(?:them|those|the (?:list|items|names))?"
    r"(?: all| first)*)\W*",
    re.IGNORECASE,
)
PLACE = re.compile(r"(?:the\s+)?(?P<place>second|third|fourth|fifth)(?:\s+(?:one|task))?\W*$", re.IGNORECASE)


def partly(text: str, proposals: Sequence[Proposal], scene: Scene) -> list[Proposal]:
    """The proposals that a partial yes means; none when it names none of them, or is no such yes."""
    if len(proposals) < 2:
        return []
    excepted = EXCEPT.match(text)
    if excepted:
        kept = _named(excepted["kept"], proposals, scene)
        return [item for item in proposals if item not in kept] if kept else []
    only = ONLY.match(text)
    return _named(only["wanted"] or only["last"], proposals, scene) if only else []


def _named(words: str, proposals: Sequence[Proposal], scene: Scene) -> list[Proposal]:
    counted = FIRST.match(words)
    if counted:
        count = _count(counted["count"])
        return list(proposals[:count] if counted["end"].lower() == "first" else proposals[-count:])
    placed = PLACE.match(words)
    if placed:
        at = next(at for at, names in enumerate(PLACES) if placed["place"].lower() in names)
        return list(proposals[at : at + 1])
    kinds = hinted(words, KINDS)
    of_kind = [item for item in proposals if item.kind in kinds]
    if len(kinds) == 1 and KIND_ALONE.fullmatch(words.strip()) and of_kind:
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
    return [_title(item, scene) for item in proposals] if WHICH.fullmatch(text) else []


def _title(item: Proposal, scene: Scene) -> str:
    fields = item.fields
    drafted = str(fields.get("task") or fields.get("title") or fields.get("summary") or fields.get("content") or "")
    known = (
        (stored.title for stored in items_of(scene.ask.records, item.kind) if stored.id == item.record_id)
        if item.kind != "profile"
        else iter(())
    )
    return next(known, drafted)

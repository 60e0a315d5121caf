"""Other readings of a clause than the rules' own, each to be asked about: never one that acts by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agents.contract import Op, Proposal
from agents.time import find_times
from agents.understanding import bare, floor
from agents.understanding.grammar import patterns_of
from agents.understanding.handle import handle, only_told
from agents.understanding.items import choose
from agents.understanding.model.frames import Frame, frame_chances, frames_of
from agents.understanding.references import Item, mentioned, words_of
from agents.understanding.requests import tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import FILLING, WORD
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import EVENT_NOUNS, is_verb

LIKELY, SURE = 0.5, 0.8
P = patterns_of(__name__)
NOT_FOUND = P.NOT_FOUND
CLOSING: dict[Frame, Op] = {"complete": "complete", "remove": "delete"}
SAID = "you said so"
JOINING = frozenset("with w w/ for about re to from of and & + via on at in by".split())
BETWEEN = frozenset(
    "the a an my our um uh like please i need have has got to and with is are was were be will 's s literally so".split()
)
EMPTY = FILLING | frozenset("actually honestly literally approx finally though whenever rush est prob".split())
CHANGED: frozenset[Frame] = frozenset({"edit", "complete", "remove"})
MADE: frozenset[Frame] = frozenset({"add", "remind", "book"})


def better(share: Share, clause: Clause, scene: Scene) -> Share | None:
    """A reading that fits the words better than what a share has; None where there is none."""
    frame, likely = _frame(clause.text)
    if likely >= LIKELY and frame in CHANGED and not set(frames_of(share)) & CHANGED:
        return _of_stored(frame, clause, scene)
    if likely >= LIKELY and frame == "book" and set(frames_of(share)) == {"add"}:
        return _booked(clause, scene) or _cut_title(share, clause)
    return _cut_title(share, clause)


def of_another(share: Share, clause: Clause, scene: Scene) -> bool:
    """Whether the words of new tasks suggest an appointment, or hold all of a stored item's title and more."""
    frame, likely = _frame(clause.text)
    if frame == "book":
        return likely >= LIKELY and bool(EVENT_NOUNS & set(WORD.findall(trim(clause.text).lower())[1:]))
    if likely >= SURE and frame in CHANGED and _named(clause.text, scene):
        return True
    new = [set(words_of(str(item.fields.get("task")))) for item in share.proposals]
    known = ((item, words_of(item.title)) for item in scene.items("todo", "event"))
    return any(len(words) > 1 and set(words) < one and tasks.is_open(item) for item, words in known for one in new)


def instead(share: Share, clause: Clause, scene: Scene) -> Share | None:
    """A reading to ask about where the rules found nothing, or nothing of that name; None where there is none."""
    if _question(clause) or only_told(trim(clause.text)) or P.OF_OTHERS.match(clause.text) or share.suggestion:
        return None
    missed = next((match for text in share.answers if (match := NOT_FOUND.fullmatch(text))), None)
    if missed is not None:
        found = _renamed(missed["phrase"], clause, scene) or _on_day(missed["phrase"], clause, scene)
        found = found or _by_frame(clause, scene) or (_made(clause, scene) if _detailed(clause, scene) else None)
    elif share.unclear:
        found = _by_frame(clause, scene) or _new(clause, scene)
    elif share.filler:
        found = _by_frame(clause, scene)
    else:
        found = _said_so(share, clause, scene)
    return held(found) if found else None


def _by_frame(clause: Clause, scene: Scene) -> Share | None:
    frame, likely = _frame(clause.text)
    return _of_stored(frame, clause, scene) if frame in CHANGED and likely >= LIKELY else None


def _new(clause: Clause, scene: Scene) -> Share | None:
    frame, likely = _frame(clause.text)
    if likely < LIKELY or frame not in MADE:
        return None
    return _booked(clause, scene) if frame == "book" else _made(clause, scene)


def _said_so(share: Share, clause: Clause, scene: Scene) -> Share | None:
    """Where the time is asked for: the words read with a lone hour as "at", or with a length as "for"."""
    drafts = [item for one in share.questions if one.pending.missing == "when" for item in one.pending.proposals]
    if len(drafts) != 1:
        return None
    text, times = clause.text, [found.span for found in find_times(clause.text, scene.clock)]
    hours = [at.start() for at in P.LONE_HOUR.finditer(text) if not any(a < at.end() <= b for a, b in times)]
    lengths = [at.start() for at in P.LENGTH.finditer(text)] if drafts[0].op == "update" else []
    for at, word in [*((at, "at") for at in hours[:1]), *((at, "for") for at in lengths[:1])]:
        again = handle(Clause(f"{text[:at]} {word}{text[at:]}", clause.context), _apart(scene))
        if again.proposals and not again.questions:
            return replace(again, proposals=[_placed(item) for item in again.proposals])
    return None


def _placed(item: Proposal) -> Proposal:
    """An appointment whose title ends with a name behind a comma: that is its place."""
    title, _, place = str(item.fields.get("title") or "").rpartition(", ")
    if item.op != "create" or item.kind != "event" or not title or item.fields.get("location"):
        return item
    return item.model_copy(update={"fields": item.fields | {"title": title, "location": place}})


def _on_day(phrase: str, clause: Clause, scene: Scene) -> Share | None:
    """The one appointment of a day that is all the words name: "cancel thursday"."""
    frame, _ = _frame(clause.text)
    times = find_times(phrase, scene.clock)
    moment = times[0].moment if len(times) == 1 and times[0].text.strip() == phrase.strip() else None
    there = [item for item in scene.items("event") if moment and item.day == moment.date()]
    if len(there) != 1 or frame not in CLOSING:
        return None
    return change(clause.text, choose.propose(there[0], CLOSING[frame], {}, SAID))


def _booked(clause: Clause, scene: Scene) -> Share | None:
    """The words as an appointment: what is left of them at the times that they name."""
    text = P.POINTING.sub("", clause.text)
    slots = tasks.filled(text, scene, clause)
    if not slots.title or slots.when is None:
        return None
    again = handle(Clause(f"schedule {slots.title} {' '.join(found.text for found in slots.times)}"), _apart(scene))
    made = again.proposals if len(again.proposals) == 1 and again.proposals[0].op == "create" else []
    return change(clause.text, *map(_placed, made)) if made and made[0].kind == "event" else None


def with_details(share: Share, clause: Clause, scene: Scene) -> Share | None:
    """The one new item of a share with the levels that the clause after it adds, held; None where it adds none."""
    if (
        len(share.proposals) != 1
        or share.proposals[0].op != "create"
        or share.proposals[0].kind not in ("todo", "event")
    ):
        return None
    slots = tasks.filled(clause.text, scene, clause)
    levels = slots.levels()
    if not levels or len(set(WORD.findall(slots.title.lower())) - EMPTY) > 1:
        return None
    item = share.proposals[0]
    fields = {**levels, **item.fields} if item.kind == "todo" else item.fields
    return held(replace(share, proposals=[item.model_copy(update={"fields": fields})]))


def _frame(text: str) -> tuple[Frame, float]:
    chances = frame_chances(text)
    name = max(chances, key=lambda one: chances[one])
    return name, chances[name]  # type: ignore[return-value]


def held(share: Share) -> Share:
    """The share, waiting for a yes."""
    waiting = [item.model_copy(update={"hold": item.hold or floor.UNSURE}) for item in share.proposals]
    return replace(share, proposals=waiting)


def _question(clause: Clause) -> bool:
    text = trim(clause.text)
    return clause.text.rstrip().endswith("?") or bool(bare.QUESTION.match(text) or bare.CONDITION.match(text))


def _detailed(clause: Clause, scene: Scene) -> bool:
    slots = tasks.filled(clause.text, scene, clause)
    words = trim(clause.text).lower().split()
    return bool(words) and is_verb(words[0]) and bool(slots.levels() or (slots.when and slots.when.role == "deadline"))


def _renamed(phrase: str, clause: Clause, scene: Scene) -> Share | None:
    """The clause read again with the title of the one stored item that shares a word with the phrase."""
    item = _sharing(phrase, scene)
    if item is None or phrase not in clause.text:
        return None
    again = handle(Clause(clause.text.replace(phrase, item.title), clause.context), _apart(scene))
    named = [one for one in again.proposals if one.record_id == item.id]
    return change(clause.text, *named) if named and len(named) == len(again.proposals) else None


def _sharing(phrase: str, scene: Scene) -> Item | None:
    said = set(words_of(phrase))
    found = [item for item in scene.items("todo", "event") if not said.isdisjoint(item.words) and tasks.is_open(item)]
    return found[0] if len(found) == 1 else None


def _apart(scene: Scene) -> Scene:
    return replace(scene, before=[*scene.before], wanted=[*scene.wanted])


def _of_stored(frame: Frame, clause: Clause, scene: Scene) -> Share | None:
    """A change of the stored items that the words name: closed, or with the details that they give."""
    items = _named(clause.text, scene)
    if not items:
        return None
    if frame in CLOSING:
        closed = [item for item in items if frame != "complete" or item.kind == "todo"]
        return (
            change(clause.text, *[choose.propose(item, CLOSING[frame], {}, SAID) for item in closed])
            if closed
            else None
        )
    if frame != "edit" or len(items) != 1:
        return None
    return _moved(items[0], clause, scene) or _changed(items[0], clause, scene)


def _named(text: str, scene: Scene) -> list[Item]:
    """The one open item that words name, or the one for each part of a list of them."""
    named = [item for item in mentioned(text, scene.items("todo", "event")) if tasks.is_open(item)]
    if len(named) == 1 and "," not in text:
        return named
    parts = [part for part in P.LISTED.split(text.partition(":")[2] or text) if part.strip()]
    each = [item for part in parts if (item := _sharing(part, scene))]
    if len(parts) > 1 and len(each) == len(parts):
        return list({item.id: item for item in each}.values())
    return named if len(named) == 1 else [item] if (item := _sharing(text, scene)) else []


def _moved(item: Item, clause: Clause, scene: Scene) -> Share | None:
    """An appointment that is moved to the time that the words name."""
    when = tasks.filled(clause.text, scene, clause).when if item.kind == "event" else None
    again = handle(Clause(f"move {item.title} to {when.text}"), _apart(scene)) if when else None
    named = [one for one in again.proposals if one.record_id == item.id] if again else []
    return change(clause.text, *named) if named else None


def _changed(item: Item, clause: Clause, scene: Scene) -> Share | None:
    slots = tasks.filled(clause.text, scene, clause)
    fields = tasks.details(slots) if item.kind == "todo" else {}
    if item.kind == "todo" and "progress" in clause.text.lower():
        fields["status"] = "in progress"
    placed = P.PLACED.search(clause.text) if item.kind == "event" and not slots.times else None
    fields |= {"location": placed["place"]} if placed else {}
    return change(clause.text, choose.propose(item, "update", fields, SAID)) if fields else None


def _made(clause: Clause, scene: Scene) -> Share | None:
    """A new task or appointment of the words, by what the trained reader makes of them."""
    slots = tasks.filled(clause.text, scene, clause)
    if not slots.title or len(slots.title.split()) < 2:
        return None
    draft = tasks.one(slots, clause)
    title = P.NAMING.sub("", str(draft.fields["task"]))
    return change(clause.text, draft.model_copy(update={"fields": draft.fields | {"task": title}})) if title else None


def glued(item: Proposal, text: str) -> bool:
    """Whether a new item's title has pieces that stood apart in the words and that nothing joins."""
    return len(_pieces(item, text)) > 1


def tidied(share: Share, clause: Clause, scene: Scene) -> Share:
    """The share, its titles as they were said, without pieces that are mere filling ("really", "approx")."""
    return replace(share, proposals=[_tidy(item, clause.text, scene) for item in share.proposals])


def _tidy(item: Proposal, text: str, scene: Scene) -> Proposal:
    pieces = _pieces(item, text)
    telling = [piece for piece in pieces if set(WORD.findall(piece.lower())) - EMPTY]
    whole = _as_said(pieces, text)
    if len(pieces) == 2 and len(telling) == 2 and not find_times(whole, scene.clock):
        return item.model_copy(update={"fields": item.fields | {_name(item): whole}})
    if len(telling) == len(pieces) or len(telling) != 1:
        return item
    return item.model_copy(update={"fields": item.fields | {_name(item): telling[0]}})


def _as_said(pieces: Sequence[str], text: str) -> str:
    """The words from the first piece to the end of the last."""
    low = text.lower()
    first = low.find(pieces[0].split()[0].lower()) if pieces else 0
    last = low.find(pieces[-1].lower(), first) + len(pieces[-1]) if pieces else 0
    return text[first:last]


def _name(item: Proposal) -> str:
    return "title" if item.kind == "event" else "task"


def _pieces(item: Proposal, text: str) -> list[str]:
    """A new item's title cut where the words have something else in between; whole where its words are not found."""
    title = str(item.fields.get(_name(item)) or "") if item.op == "create" else ""
    low, at, pieces = text.lower(), 0, [""]
    for word in title.split():
        found = low.find(word.lower(), at)
        if found < 0:
            return [title]
        between = set(WORD.findall(low[at:found]))
        if pieces[-1] and word.lower() not in JOINING and between - BETWEEN:
            pieces.append("")
        pieces[-1] = f"{pieces[-1]} {word}".strip()
        at = found + len(word)
    return [piece for piece in pieces if piece]


def _cut_title(share: Share, clause: Clause) -> Share | None:
    """New items under the first piece of their title; the rest is the note of an appointment."""
    cut = [_cut(item, clause.text) for item in share.proposals]
    return replace(share, proposals=cut) if cut != share.proposals else None


def _cut(item: Proposal, text: str) -> Proposal:
    title, *rest = _pieces(item, text) or [""]
    if not rest or not (len(title.split()) > 1 or EVENT_NOUNS & set(title.lower().split())):
        return item
    more = " ".join(rest)
    kept: dict[str, Any] = {}
    if item.kind == "event":
        plain = is_statement(more) or is_verb(more.split()[0].lower()) or bool(item.fields.get("location"))
        kept = {"notes": more} if plain else {"location": more}
    return item.model_copy(update={"fields": kept | item.fields | {_name(item): title}})

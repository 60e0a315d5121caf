"""No friendly word stands alone for words that may want something: they are read once more, asked about, or named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from agents.contract import Proposal
from agents.phrases import ABILITIES, CANNOT, quoted
from agents.records import Kind
from agents.time import find_times
from agents.understanding import bare
from agents.understanding.dialogue import smalltalk
from agents.understanding.handle import handle, only_told
from agents.understanding.items import choose
from agents.understanding.judge import is_thing
from agents.understanding.model.classifier import guess
from agents.understanding.model.frames import frame_chances
from agents.understanding.references import mentioned
from agents.understanding.requests import notes
from agents.understanding.requests.asides import NEED
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb
from agents.understanding.titles import titled

LONGEST = 200
"""Characters of the user's words that a reply repeats."""
LONGEST_READ, MOST_CUTS = 600, 4
"""Characters of words that are read once more, and places where they may be cut: each costs a whole reading."""
SURELY_TALK, SURELY_WANTED = 0.9, 0.8
NOTHING = "Nothing is changed"
UNSURE = f"{NOTHING.lower()} yet"
ENDS = ",;.:!?–—"
STORED: tuple[Kind, ...] = ("todo", "event", "note")


def kept(shares: list[Share], scene: Scene) -> list[Share]:
    """The shares; where friendly words alone would pass over a time, a stored item or a deed, what is said instead."""
    last = max((at for at, share in enumerate(shares) if not share.filler), default=None)
    if last is None:
        return [_checked(share, scene) for share in shares]
    unclear = any(share.unclear for share in shares)
    beside = [_beside(share, scene) if at > last else share for at, share in enumerate(shares)]
    return [share for share in beside if not (unclear and share.filler)]


def _beside(share: Share, scene: Scene) -> Share:
    """A remark after what is done: one with a time is named, as it may have been more than a reason."""
    return answer(share.text, f"I made no use of {_said(share.text)}.") if _dated(share.text, scene) else share


def _checked(share: Share, scene: Scene) -> Share:
    text = share.text.strip()
    dated = _dated(text, scene)
    placed = dated or bool(mentioned(text, scene.items(*STORED)))
    wants = _wants(text)
    if not (placed or _deed(text) or wants) or _parting(text, scene):
        return share
    return _reread(text, scene) or _unused(share, scene, dated=dated, placed=placed)


def _dated(text: str, scene: Scene) -> bool:
    """Whether a time is named that lies ahead and is more than "today", which most small talk is about."""
    midnight = scene.now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    for found in find_times(text, scene.clock):
        last = found.end or found.start
        if last is not None and last > (scene.now if found.timed or found.kind == "set" else midnight):
            return True
    return False


def _parting(text: str, scene: Scene) -> bool:
    """Whether words are surely small talk although they name a day: "thanks, see you tomorrow"."""
    found = guess(text)
    clock = any(time.timed for time in find_times(text, scene.clock))
    return found.label == "chitchat" and found.sure >= SURELY_TALK and not clock


def _wants(text: str) -> bool:
    """Whether a trained reader takes words most probably for a wish."""
    chances = frame_chances(text)
    return sum(chance for name, chance in chances.items() if name not in ("talk", "query", "undo")) >= SURELY_WANTED


def _deed(text: str) -> bool:
    """Whether words name something to do: in the imperative, as what the speaker has to do, or an occasion."""
    words = trim(text).lower().split()
    return (len(words) > 1 and is_verb(words[0])) or NEED.search(text) is not None or is_thing(text)


def _reread(text: str, scene: Scene) -> Share | None:
    """The longest beginning or else the rest that is a whole request, held until the user says yes; or its question."""
    if len(text) > LONGEST_READ:
        return None
    ends = {at for at, letter in enumerate(text) if letter in ENDS}
    ends |= {found.span[1] for found in find_times(text, scene.clock)}
    for end in sorted(ends, reverse=True)[:MOST_CUTS]:
        head, rest = text[:end].strip(), trim(text[end:].strip(f" {ENDS}"))
        whole = all(any(map(str.isalnum, part)) for part in (head, rest))
        found = _either(head, rest, scene, apart=text[end] in ENDS) if whole else None
        if found is not None:
            return found
    return None


def _either(head: str, rest: str, scene: Scene, *, apart: bool) -> Share | None:
    """What two parts come to: both are requests, or one is and the other a remark; ``apart``: a sign divides them."""
    first, second = _whole(head, scene), _whole(rest, scene) if apart else None
    wanted = [*(first.proposals if first else []), *(second.proposals if second else [])]
    if not wanted:
        return first
    return _held(wanted, "" if first and second else rest if first else head, scene, noted=second is None)


def _whole(text: str, scene: Scene) -> Share | None:
    """What words ask for or lack a time for; None where they want nothing, or more than is to be guessed."""
    share = titled(handle(Clause(text), replace(scene, before=[*scene.before], wanted=[*scene.wanted])), scene)
    stored = all(item.kind in STORED and item.op != "undo" and not item.hold for item in share.proposals)
    return share if (share.proposals or share.questions) and stored and not share.unclear else None


def _held(wanted: Sequence[Proposal], remark: str, scene: Scene, *, noted: bool) -> Share:
    """What is wanted, held for a yes; ``noted``: a lone new item keeps the remark after it."""
    keeps = noted and len(wanted) == 1 and wanted[0].op == "create" and wanted[0].kind != "note"
    keeps = keeps and not wanted[0].fields.get("notes")
    why = f"and {_said(remark)} would be {'its note' if keeps else 'left out'}"
    hold = f"{UNSURE}, {why}" if remark else UNSURE
    fields = {"notes": remark} if keeps else {}
    held = [item.model_copy(update={"hold": hold, "fields": item.fields | fields}) for item in wanted]
    return change(scene.ask.text, *held)


def _unused(share: Share, scene: Scene, *, dated: bool, placed: bool) -> Share:
    """That nothing was done, and an offer to keep the words where they may have been meant for keeping."""
    text, foreign = share.text.strip(), share.note == CANNOT
    if share.note in smalltalk.UPSET:
        return Share(note=f"{share.note} {NOTHING} so far.")
    felt = f"{share.note} " if share.note in smalltalk.HARD + smalltalk.GLAD else ""
    passing = Share(note=f"{felt}{NOTHING}: I took {_said(text)} as said in passing.")
    asks = scene.alone and scene.ask.text.rstrip().endswith("?")
    if only_told(text) or (bare.CONDITION.match(text) and not asks):
        return passing
    if asks or bare.QUESTION.match(text):
        return share if foreign else Share(note=f"I can't answer {_said(text)}, and nothing is changed.")
    if foreign and not (placed and _deed(text)):
        return Share(note=f"I can't help with {_said(text)}, so nothing is changed. {ABILITIES}")
    if is_statement(text) and not dated and not _wants(text):
        return passing
    offer = notes.note(Intent("note", 1.0, {"rest": text}), Clause(text), scene)
    asked = f"{felt}{NOTHING}: I do not know what to do with {_said(text)}. Shall I keep it as a note?"
    return choose.confirm(asked, offer.proposals, scene) if offer.proposals else offer


def _said(text: str) -> str:
    return quoted(text if len(text) <= LONGEST else f"{text[:LONGEST]} …")

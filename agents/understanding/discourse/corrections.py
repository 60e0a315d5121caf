"""Correcting what was just done: another time, another word, another item ("no, thursday", "i meant the gift wrap")."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Change, Proposal
from agents.records import Event
from agents.time import find_times
from agents.understanding.dialogue import undo
from agents.understanding.discourse import other_list
from agents.understanding.discourse.revisions import (
    ANGER,
    ANGRY,
    BECAUSE,
    CORRECTION,
    LEADS,
    MISTOLD,
    SWAP,
    TRAILING,
    TURNED,
    corrected,
    only_time,
)
from agents.understanding.discourse.rewording import WRONG_ITEM
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, series
from agents.understanding.items.reminders import event_of
from agents.understanding.references import words_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.text.intents import Intent

P = patterns_of(__name__)
OTHER = P.OTHER
NOT_THAT = re.compile(
    rf"\W*(?:(?:{ANGER}|no|nope|nah|oops|whoops|oh|ah|wait|sorry|hang on|hmm|er|actually)\b\W*)*"
    r"(?:not (?:that|this|it)(?: one)?|(?:that's|thats|that was|it's|its) (?:not (?:it|that one|the one|the right one)|the wrong (?:one|thing|task|event|item))|wrong (?:one|thing|task|event|item))\W*",
    re.IGNORECASE,
)
LONGEST = 16


def spoken(text: str, said: str) -> str:
    """A message as the correction that it says to be: "*Vince" and "friday, i meant" as "i mean ..."."""
    if MISTOLD.match(said):
        return said
    meant = P.MEANT.search(said) or P.MEANING.match(said) or P.STARRED.match(said)
    return f"i mean {text.lstrip('* ')}" if meant else text


def correct(text: str, scene: Scene) -> Share | None:
    """A correction of the last change ("no, Thursday", "i meant norte not lumen"); None when it is none."""
    said = _put_plainly(text.strip())
    last = _its_event(scene.last_change(), said, scene)
    if last is not None and last.kind == "profile":
        return _of_profile(said, last, scene)
    if last is None or last.kind not in ("todo", "event", "note") or len(said.split()) > LONGEST:
        return None
    if last.kind == "note" and P.MORE.match(said):
        return None
    kept = P.KEPT.fullmatch(said) or P.KEPT.fullmatch(choose.AFTERWARDS.sub("", said))
    if kept and (last.op in ("delete", "archive") or set(last.fields) == {"exdates"}):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    if (NOT_THAT.fullmatch(said) or P.WAIT_NO.fullmatch(said)) and _told_last(last, scene):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    placed = _placed(said, last, scene) or other_list.moved(said, last, scene)
    if placed or not (CORRECTION.match(said) or TRAILING.search(BECAUSE.sub("", said)) or _turned(said, last, scene)):
        return placed
    if last.op in ("complete", "delete", "archive"):
        return _another(said, last, scene)
    if set(last.fields) == {"exdates"}:
        return _other_occurrence(said, last, scene)
    item = next((item for item in scene.items(last.kind) if item.id == last.record_id), None)
    fields = corrected(said, item, scene, last=last) if item else {}
    if item is None or not fields:
        return _another(said, last, scene) if last.op == "update" else None
    return change(text, choose.propose(item, "update", fields, "you corrected it"))


def _its_event(last: Change | None, said: str, scene: Scene) -> Change | None:
    """The event rather than its reminder, where one message made both: "sorry, it's thursday" moves them together."""
    if last is None or last.kind != "todo" or last.op != "create" or P.OF_REMINDER.search(said):
        return last
    item = next((item for item in scene.items("todo") if item.id == last.record_id), None)
    event = event_of(item, scene) if item else None
    rows = (row for row in scene.ask.recent_changes if event and row.record_id == event.id)
    return next((row for row in rows if row.turn_id == last.turn_id), last)


def _other_occurrence(said: str, last: Change, scene: Scene) -> Share | None:
    """Another day of the series left out instead: "no, just thursday's"."""
    times = find_times(said, scene.clock)
    if last.before is None or not times:
        return None
    share = series.cancel(Event.model_validate(last.before), said, Slots(said, times=times), scene)
    back = Proposal(op="undo", kind="event", record_id=last.record_id, undo_of=last.id, reason="it was another one")
    return change(said, back, *share.proposals) if share.proposals else share


def _put_plainly(said: str) -> str:
    """A correction in the one form that is read: "did i say two? i meant three" as "no i meant three"."""
    said = P.UNSUITED.sub(r"no make it \g<new>", said)
    said = MISTOLD.sub(r"no i meant \g<new> not \g<old>", P.NOT_DAY.sub(r"no \g<new>", P.ALSO.sub("", said)))
    return P.KEPT_BUT.sub(_kept_but, said)


def _kept_but(match: re.Match[str]) -> str:
    new = match["new"] if P.PLACED.match(match["new"]) else f"at {match['new']}"
    return f"no make it {match['kept'] or ''} {new}"


def _of_profile(said: str, last: Change, scene: Scene) -> Share | None:
    """Another value of the one fact just told: "sorry, Dana Karr"."""
    value = TRAILING.sub("", LEADS.sub("", said)).strip(" ,.!")
    swap = SWAP.fullmatch(value)
    value = (
        swap["new"].strip(" ,") if swap and swap["old"].lower() in str(list(last.fields.values())).lower() else value
    )
    name, old = next(((name, old) for name, old in reversed(last.fields.items()) if name != "since"), ("", None))
    fact, old = next(reversed(old.items()), ("", None)) if isinstance(old, dict) and len(old) == 1 else ("", old)
    counted = value.isdigit() and isinstance(old, str) and old.isdigit() and P.NO.match(said)
    if not isinstance(old, str) or not (P.SAID_WRONG.match(said) or counted):
        return None
    told = not scene.ask.recent or old.lower() in scene.ask.recent[-1].replied.lower()
    dated = P.DAY_OF_MONTH.fullmatch(value) if fact else None
    value = (
        re.sub(r"\b\d{1,2}(?:st|nd|rd|th)?\b", value, old, count=1) if dated and find_times(old, scene.clock) else value
    )
    alike = not only_time(value, scene) or (fact and find_times(old, scene.clock))
    named = told and value and len(value.split()) <= len(old.split()) + 1 and alike
    fields: dict[str, Any] = {name: {fact: value} if fact else value} if named else {}
    return (
        change(
            said,
            Proposal(op="update", kind="profile", record_id=last.record_id, fields=fields, reason="you corrected it"),
        )
        if fields
        else None
    )


def _lines_of(last: Change) -> str:
    """The lines of the list that was changed last."""
    return " ".join(str(line.get("text", "")) for line in (last.after or {}).get("items", []) if isinstance(line, dict))


def _told_last(last: Change, scene: Scene) -> bool:
    """Whether the last reply told of that change."""
    return not scene.ask.recent or last.title.lower() in scene.ask.recent[-1].replied.lower()


def _placed(said: str, last: Change, scene: Scene) -> Share | None:
    """Where the last event is: "it's at the annex"."""
    there = P.THERE.fullmatch(said) if last.kind == "event" and last.op in ("create", "update") else None
    if (
        there is None
        or find_times(P.NUMBERED.sub("", there["place"]), scene.clock, bare=True)
        or not _told_last(last, scene)
    ):
        return None
    fields = {"location": there["place"].strip()}
    return change(
        said, Proposal(op="update", kind="event", record_id=last.record_id, fields=fields, reason="you said where")
    )


def _turned(said: str, last: Change, scene: Scene) -> bool:
    """Whether words put something in the place of what the last change is called: "norte, not lumen", or one time for another."""
    turns = [match for match in (SWAP.fullmatch(said), TURNED.match(LEADS.sub("", said)), TURNED.match(said)) if match]
    return any(
        tidy(match["old"]).lower() in f"{last.title} {_lines_of(last)}".lower()
        or (only_time(match["old"], scene) and only_time(match["new"], scene))
        for match in turns
    )


def _another(said: str, last: Change, scene: Scene) -> Share | None:
    """The same change to another item instead: "wrong one, i meant the gift wrap", "no, the other one"."""
    turned = TURNED.match(LEADS.sub("", said)) or TURNED.match(said)
    new = TRAILING.sub("", LEADS.sub("", turned["new"] if turned else said)).strip(" ,.!")
    swap = SWAP.fullmatch(new)
    new = (
        choose.AFTERWARDS.sub("", swap["new"] if swap and tidy(swap["old"]).lower() in last.title.lower() else new)
        or new
    )
    others = [item for item in scene.items(last.kind) if item.id != last.record_id and is_open(item)]
    if OTHER.match(new):
        named = set(words_of(new)) - set(words_of("other one thing"))
        alike = [item for item in others if (named or set(words_of(last.title))) & set(words_of(item.title))]
        found = alike or (others if len(others) == 1 else [])
    elif (
        WRONG_ITEM.search(said)
        or ANGRY.match(said)
        or turned
        or re.match(r"\W*(?:oh\W+)?(?:no|nah|nope|wait|sorry|oops)\b", said, re.IGNORECASE)
    ):
        found = [item for item in choose.search(new, scene, (last.kind,), is_open, None) if item.id != last.record_id]
    else:
        found = []
    by_name = bool(new) and all(new.lower() in item.title.lower() for item in found)
    if not found or (fill(new, scene.clock).when and not (by_name or OTHER.match(new))):
        return None
    back = Proposal(op="undo", kind=last.kind, record_id=last.record_id, undo_of=last.id, reason="it was another one")
    if len(found) > 1:
        share = choose.which(found, last.op, scene, fields=_same(last), reason="you meant this one")
        share.proposals, share.worker = [back], change(said, back).worker
        return share
    return change(said, back, choose.propose(found[0], last.op, _same(last), "you meant this one"))


def _same(last: Change) -> dict[str, Any]:
    return dict(last.fields) if last.op == "update" else {}

"""Changes to what is there, whatever its kind: moving, renaming, setting a detail, deleting."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from agents.phrases import quoted
from agents.records import Kind
from agents.time import Found, find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, pointed, series
from agents.understanding.items.anchors import anchored, hanging
from agents.understanding.references import Item
from agents.understanding.requests import lengths
from agents.understanding.requests.levels import fields_set, leveled, settable
from agents.understanding.requests.minutes_past import with_hour
from agents.understanding.requests.renaming import RENAME, rename
from agents.understanding.requests.tasks import filled, hint_day, is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change, lost
from agents.understanding.slots import forms
from agents.understanding.slots.moves import counted_from, moved
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

ANY: tuple[Kind, ...] = ("todo", "event", "note")
DATED: tuple[Kind, ...] = ("todo", "event")
P = patterns_of(__name__)
LONGEST_TASK = 12 * 60


def move(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Give an event or a task another time."""
    said = P.NO_OBJECT.sub("it ", intent.parts["rest"] or "it")
    back = f" back by {intent.parts['by']}" if "by" in intent.parts else intent.parts.get("when", "")
    said = f"{said} to {intent.parts['to']}" if "to" in intent.parts else f"{said}{back}"
    said = P.PARTICLE_FIRST.sub(r"\g<what> \g<way> ", said)
    rest = anchored(P.SAME_TIME.sub("", P.REASON.sub("", P.ON_DAYS.sub(r"\1", said))), scene)
    place = P.MOVED_PLACE.search(rest)
    split = _split(with_hour(P.NOT_THAT.sub("", rest), scene), scene)
    if split is None:
        return _replace(place, rest, scene) if place else lost(clause.text)
    before, joint, after = split
    slots = filled(before, scene, clause)
    phrase = (
        tidy(re.sub(r"\b(?:the\s+)?(?:deadline|due date|start|time|date)\s+(?:for|of)\s+", "", slots.title or before))
        or "it"
    )
    day = hint_day(slots)
    found = choose.search(phrase, scene, DATED, is_open, day) or series.named(phrase, scene, day)
    if found and hanging(after, scene):
        return answer(clause.text, f"I can't tell when {quoted(after.strip())} is, so I left everything as it is.")
    to = _target(joint, after, scene)
    to = (counted_from(found[0], after) if len(found) == 1 else None) or to
    if to is None:
        return lost(clause.text)
    long = _lasting(found, joint, after, to, scene)
    if long:
        return choose.settle(found, "update", phrase, scene, fields=long, reason="you changed how long it takes")
    recurring = series.series_of(found)
    if recurring:
        return series.move(recurring, clause.text, slots, to, scene)
    shown = pointed.shown(phrase, scene, DATED)
    if len(shown) > 1:
        return _together(shown, to, clause, scene)
    several = choose.each(phrase, lambda words: choose.search(words, scene, DATED, is_open, None), scene, DATED)
    if several:
        return _together(several, to, clause, scene)
    hour_kept = P.SAME_TIME.search(said) is not None
    starts = isinstance(to, Found) and to.timed and (not to.day_said or " start " in clause.text)
    if len(found) > 1 and (hour_kept or starts):
        found = [item for item in found if item.kind == "event"] or found
    if len(found) != 1:
        draft = forms.due(to) if isinstance(to, Found) else None
        return choose.settle(
            found, "update", phrase, scene, fields={"deadline": draft} if draft else {}, reason="you moved it"
        )
    counted = counted_from(found[0], after)
    fields = moved(found[0], to if counted is None else counted, scene)
    return (
        choose.settle(found, "update", phrase, scene, fields=fields, reason="you moved it")
        if fields
        else lost(clause.text)
    )


def _lasting(found: list[Item], joint: str, after: str, to: Found | timedelta, scene: Scene) -> dict[str, Any]:
    """How long the one thing found takes, when it is moved "to an hour"; nothing for a day or an hour to be at."""
    if (
        not isinstance(to, timedelta)
        or joint.lower() not in ("to", "up to", "now", "is now", "are now")
        or P.SHIFT_WORD.search(after)
        or P.DAYS_ON.match(after)
    ):
        return {}
    minutes = round(to.total_seconds() / 60)
    if len(found) != 1 or not 0 < minutes < LONGEST_TASK:
        return {}
    return {"time_to_complete": minutes} if found[0].kind == "todo" else dict(lengths.ending(found[0], minutes, scene))


def _together(items: list[Item], to: Found | timedelta, clause: Clause, scene: Scene) -> Share:
    """Several items to the same new time."""
    drafts = [(item, moved(item, to, scene)) for item in items]
    changes = [choose.propose(item, "update", fields, "you moved it") for item, fields in drafts if fields]
    return change(clause.text, *changes) if changes else lost(clause.text)


def _split(rest: str, scene: Scene) -> tuple[str, str, str] | None:
    """Target, joint and new time: the last joint that a time or a length follows."""
    shifted = _shifted(rest)
    if shifted:
        return shifted
    clocks = [
        (found.span[0] + len("up ") * found.text.lower().startswith("up "), found.span[1])
        for found in find_times(rest, scene.clock)
        if found.kind in ("point", "open_before")
    ]
    for match in reversed(list(P.JOINT.finditer(rest))):
        if any(start < match.start("way") and match.end() < end for start, end in clocks):
            continue
        if _target(match["way"], rest[match.end() :], scene) is not None and match.start() > 0:
            return rest[: match.start()], match["way"], rest[match.end() :]
    put_off = P.PUT_OFF.fullmatch(rest.strip())
    if put_off and not P.JOINED.search(put_off["what"]):
        return put_off["what"], "by", put_off["by"]
    told = find_times(scene.told, scene.clock) if scene.told else []
    return (rest, "to", scene.told[told[-1 if P.INSTEAD.search(scene.told) else 0].span[0] :]) if told else None


def _shifted(rest: str) -> tuple[str, str, str] | None:
    """Split "the standup half an hour earlier", which has no joint."""
    match = P.EARLIER.fullmatch(rest.strip())
    what = (
        re.sub(
            r"\s+(?:starts?|begins?|(?:is|are) coming|(?:wants?|needs?) to (?:come|start|meet)|is|are|will be|will start|got moved|has moved)$",
            "",
            match["what"],
        )
        if match
        else ""
    )
    return (f"{what}{match['day'] or ''}", "", match["by"]) if match else None


def _target(joint: str, after: str, scene: Scene) -> Found | timedelta | None:
    days = P.DAYS_ON.match(after)
    if days:
        return timedelta(days=7 if "week" in days[0].lower() else 1) * (-1 if days["back"] else 1)
    found = find_times(P.SHIFT_WORD.sub("", after), scene.clock, bare=True)
    first = next((item for item in found if item.kind != "set"), None)
    if first is None or first.span[0] > 12 or P.NUMBERED.search(after[: first.span[0]]):
        return None
    if first.kind == "duration":
        back = (
            joint.startswith("forward")
            or "earlier" in joint
            or re.search(r"\b(?:earlier|forward|sooner)\b", after) is not None
        )
        return timedelta(seconds=(first.seconds or 0) * (-1 if back else 1))
    return first


def _replace(place: re.Match[str], rest: str, scene: Scene) -> Share:
    phrase = tidy(rest[: place.start()])
    found = choose.search(phrase, scene, ("event",), is_open, None)
    return choose.settle(
        found, "update", phrase, scene, fields={"location": place["place"].strip()}, reason="it has another place"
    )


def relocate(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Give an event another place."""
    phrase = tidy(intent.parts["rest"]) or "it"
    place = re.sub(r"\s+(?:now|instead|please)$", "", intent.parts["place"].strip(" ,.!"), flags=re.IGNORECASE)
    found = choose.search(phrase, scene, ("event",), is_open, None)
    if not found or not place:
        return lost(clause.text)
    return choose.settle(found, "update", phrase, scene, fields={"location": place}, reason="it has another place")


def update(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Set a detail of an item: priority, difficulty, estimate, deadline; or give it another name."""
    said = f"{intent.parts['rest']} {intent.parts.get('more', '')}".strip()
    rest = P.REASON.sub("", P.NOT_THAT.sub("", said))
    if P.SAME_TIME.search(rest) and RENAME.match(P.SAME_TIME.sub("", rest)):
        return move(intent, clause, scene)
    slots = fill(rest, scene.clock)
    fields = fields_set(slots, rest)
    if (share := leveled(rest, fields, clause, scene)) is not None:
        return share
    resized = lengths.resize(slots, clause.text, scene) if set(fields) <= {"time_to_complete"} else None
    if resized is not None:
        return resized
    if fields:
        return _apply(slots, fields, scene)
    named = RENAME.match(intent.parts["rest"])
    if named and find_times(named["new"], scene.clock, bare=True):
        return move(intent, clause, scene)
    if named:
        return rename(named, scene)
    if slots.when and re.match(r"set\b", clause.text, re.IGNORECASE):
        return _dated(slots, clause, scene)
    return lost(clause.text)


def _dated(slots: Slots, clause: Clause, scene: Scene) -> Share:
    """Give the one thing named another day: "set the hay for tomorrow"."""
    found = choose.search(slots.title, scene, ANY, is_open, None)
    fields = moved(found[0], slots.when, scene) if len(found) == 1 and slots.when else {}
    return (
        choose.settle(found, "update", slots.title, scene, fields=fields, reason="you moved it")
        if fields
        else lost(clause.text)
    )


def _apply(slots: Slots, fields: dict[str, Any], scene: Scene) -> Share:
    phrase = tidy(
        re.sub(
            r"\s+(?:to|as)\s+(?:high|medium|low|top|easy|hard)\b(?:\s+(?:with|and|an?|of|estimate))*\s*$",
            "",
            slots.title or "it",
            flags=re.IGNORECASE,
        )
    )
    phrase = re.sub(
        r"^(?:(?:the|an?)\s+)?(?:priority|deadline|difficulty|due date|estimate)\s+(?:of|for|on|to)\s+",
        "",
        phrase,
        flags=re.IGNORECASE,
    )
    phrase = re.sub(r"\s+(?:to|as|is)$|^it to$", "", phrase)
    phrase = re.sub(r"(?:'s?)?\s+(?:deadline|due date|estimate)$", "", phrase, flags=re.IGNORECASE) or "it"
    found = settable(phrase, fields, scene)
    if (
        not found
        and P.NEW_TASK.match(slots.text) is None
        and P.OWN_VERB.match(scene.ask.text)
        and not P.TO_LEVEL.search(slots.text)
    ):
        return lost(slots.text)
    return choose.settle(found, "update", phrase, scene, fields=fields, reason="you changed it")

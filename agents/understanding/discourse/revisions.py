"""What a correction makes of an item: another time, level, length or word in its name, or another line of a list."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from agents.contract import Change
from agents.records import Event, ToDo
from agents.time import Found, find_times, merged, on_day
from agents.understanding.discourse.rewording import PUT_OTHERWISE, WRONG_ITEM, instead, lines, other_name, renamed
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.items.anchors import ahead
from agents.understanding.items.reminders import event_of
from agents.understanding.references import Item
from agents.understanding.requests import lengths
from agents.understanding.scene import Scene
from agents.understanding.slots import forms
from agents.understanding.slots.moves import counted_from, length_of, moved, with_its_hour
from agents.understanding.slots.slots import tidy

ANGER = (
    r"(?:ugh+|argh+|grr+|ffs|wtf|omg|dammit|damn(?: it)?|jeez|come on|seriously|what the (?:hell|heck|fuck)|for (?:god's|fuck's|crying out loud) ?sake|"
    r"for crying out loud|(?:no )?you (?:absolute |complete |bloody |fucking |stupid )*(?:idiot|moron|fool|muppet|dummy)|"
    r"(?:you )?stupid (?:thing|bot|machine|app)|idiot|(?:oh )?(?:shit|crap|fuck|bugger|bollocks|damnit|sugar)|are you (?:deaf|listening|kidding)(?: me)?|listen(?: to me)?|"
    r"i (?:already )?told you|how many times)"
)
ANGRY = re.compile(rf"^\W*{ANGER}\b", re.IGNORECASE)
LEAD = (
    rf"(?:{ANGER}|\*|yeah,? nah|nah|shoot|darn|dang|crap|whoops|ah|ooh|ok|okay|right|that was(?: the)?|(?:he|she|they|we) (?:said|meant|wants?|wanted|can only do)|oh|uh|um|er|wait|sorry|my bad|my mistake|(?:scratch|strike|scrap) (?:that|it)(?=[\s,]+\S)|actually|on second thou?ghts?|you know what|let's say|or|back to|no|nope|hmm|oops|well|hang on|(?:i )?mean(?:t)?(?: to say)?(?! to\b)|"
    r"(?:can|could|shall|should) (?:we|you|i|it) (?:do|say|be|make (?:it|that)|go (?:for|with)|change (?:it|that) to)|(?:i'm |we're |i'll be |i am )?(?:doing|having) (?:it|that)|(?:a bit |a little |much |way |bit )?(?:earlier|later|sooner)(?=[\s,]+(?:like|say|maybe|around|about|at|more like)\b)|(?:more )?like(?= (?:at |around )?(?:\d|half|noon|\w+day))|keep(?: it| that)?(?: on| at| for)?(?= (?:\d|half|noon|today|tomorrow|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day))|make (?:it|that)|(?:that|this) one(?:'s| is)|(?:that's |it's )?(?:meant|supposed) to be|not (?=(?:this|next|the)\b.*\b(?:after|following)\b)|i said|change (?:it|that) to|it's|its|it is|that's|it should be|that should be|should be|it was|"
    r"was supposed to be|wrong (?:day|time|date|one|name|person|list)|not that(?: one)?|for|on|to|at|rather|instead|say|"
    r"typo|correction|the)"
)
CORRECTION = re.compile(rf"^\W*(?:{LEAD}\b|\*)", re.IGNORECASE)
LEADS = re.compile(rf"^(?:{LEAD}(?:\b|(?<=\*))[\s,.:;!?-]*)+", re.IGNORECASE)
P = patterns_of(__name__)
TRAILING = P.TRAILING
SWAP = P.SWAP
TURNED = P.TURNED
MISTOLD = P.MISTOLD
WEEK, HOUR = 7, 60
BECAUSE = P.BECAUSE


def corrected(said: str, item: Item, scene: Scene, *, last: Change | None = None) -> dict[str, Any]:
    """The fields that a few words change; ``last`` is the change that they correct, if one was made."""
    new = TRAILING.sub("", BECAUSE.sub("", LEADS.sub("", said))).strip(" ,.!*")
    kept = choose.AFTERWARDS.sub("", new)
    new = kept if kept and not find_times(new[len(kept) :], scene.clock) else new
    called = P.CALLED.match(LEADS.sub("", said)) or P.CALLED.match(said)
    if called and item.kind in ("todo", "event") and not find_times(called["name"], scene.clock):
        return {"title" if item.kind == "event" else "task": tidy(called["name"])}
    if P.AFTER.fullmatch(said):
        return moved(item, timedelta(days=7), scene)
    counted = counted_from(item, LEADS.sub("", said)) or counted_from(item, new)
    if counted is not None:
        return moved(item, counted, scene)
    swap = TURNED.match(LEADS.sub("", said)) or TURNED.match(said) or SWAP.search(new)
    word = TRAILING.sub("", LEADS.sub("", swap["new"] if swap else new)).strip(" ,.!*")
    if item.kind == "note":
        return lines(item, word, swap, last, said) if last else {}
    timed = (
        _ahead(word, item, scene)
        or _waiting(word, item, last, scene)
        or _shifted_less(word, item, last, scene)
        or _timed(word, item, scene, said)
        or _sized(word, item, last, scene)
    )
    if timed:
        return timed
    level = P.LEVEL.fullmatch(word)
    if level and item.kind == "todo":
        return {"priority": level["level"].lower() if level["level"] else "high"}
    named = instead(said, word, item) if last and last.op == "create" and not swap else ""
    if named:
        return {"title" if item.kind == "event" else "task": named}
    meant = WRONG_ITEM.search(said) is not None or PUT_OTHERWISE.match(said) is not None
    return renamed(word, swap["old"] if swap else "", item, meant=meant) or other_name(said, word, item, last)


def only_time(word: str, scene: Scene) -> bool:
    """Whether words say a time and nothing else."""
    times = find_times(word, scene.clock, bare=True)
    return bool(times) and not P.AROUND_TIME.sub("", _outside(word, times))


def _timed(word: str, item: Item, scene: Scene, said: str) -> dict[str, Any]:
    """Another time or length, when the words say nothing else."""
    word = with_its_hour(word, item, scene)
    word = P.JOINED.sub(" at ", word)
    times = merged(find_times(word, scene.clock, bare=True), scene.clock)
    if not times or P.AROUND_TIME.sub("", _outside(word, find_times(word, scene.clock, bare=True))):
        return {}
    first = times[0]
    if item.kind == "event" and P.TILL.match(word) and first.kind != "duration":
        return _till(item, first, scene)
    if first.kind == "duration" and first.seconds:
        minutes = first.seconds // 60
        return {"time_to_complete": minutes} if item.kind == "todo" else dict(lengths.ending(item, minutes, scene))
    long = next((found for found in times if found.kind == "duration" and found.seconds), None)
    if long and first.timed and item.kind == "event":
        return _begun_and_long(item, first, (long.seconds or 0) // 60, scene)
    if first.kind == "set":
        return {"recurrence": first.rrule} if first.rrule else {}
    return _sooner(moved(item, _same_week(first, item, scene), scene), said, item)


def _sooner(fields: dict[str, Any], said: str, item: Item) -> dict[str, Any]:
    """A bare hour before the old one where "earlier" was said: "earlier, like 6" of nine in the morning is 06:00."""
    old, new = getattr(item.record, "remind_at", None), fields.get("remind_at")
    if not P.SOONER.search(said) or not isinstance(old, datetime) or not new:
        return fields
    shifted = datetime.fromisoformat(new) - timedelta(hours=12)
    return {"remind_at": forms.instant(shifted)} if shifted < old < datetime.fromisoformat(new) else fields


def _waiting(word: str, item: Item, last: Change | None, scene: Scene) -> dict[str, Any]:
    """Another wait for a reminder that was set "in 45 minutes": "make that an hour"."""
    said = P.WAIT.search(scene.ask.recent[-1].said) if last and scene.ask.recent else None
    if last is None or said is None or "remind_at" not in last.fields or getattr(item.record, "recurrence", None):
        return {}
    word = f"{word} {said['unit']}" if word.isdigit() else word
    found = find_times(word, scene.clock)
    if len(found) != 1 or found[0].kind != "duration" or P.AROUND_TIME.sub("", _outside(word, found)):
        return {}
    return {"remind_at": forms.instant(last.created_at + timedelta(seconds=found[0].seconds or 0))}


def _till(item: Item, last: Found, scene: Scene) -> dict[str, Any]:
    """Another end: "actually till the twenty-sixth" of days away, "till four" of a meeting."""
    day = forms.last_day(last)
    if isinstance(item.record, Event) and item.record.all_day:
        return {"end": forms.day(day)} if day and item.day and day > item.day else {}
    return dict(lengths.until(item, last, scene))


def _ahead(word: str, item: Item, scene: Scene) -> dict[str, Any]:
    """By how much a reminder goes before its event: "make that two hours before"."""
    event = event_of(item, scene)
    start = event.start if event and isinstance(event.start, datetime) else None
    written = (ahead(word, start) or ahead(f"the {word}", start)) if start else ""
    times = find_times(written, scene.clock)
    return moved(item, times[0], scene) if times else {}


def _shifted_less(word: str, item: Item, last: Change | None, scene: Scene) -> dict[str, Any]:
    """Another length of the shift just made: "make that half an hour" after "push it back an hour"."""
    said = P.SHIFTED.search(scene.ask.recent[-1].said) if last and scene.ask.recent else None
    if last is None or said is None or last.op != "update" or not {"start", "deadline", "remind_at"} & set(last.fields):
        return {}
    found = find_times(word, scene.clock)
    if len(found) != 1 or found[0].kind != "duration" or P.AROUND_TIME.sub("", _outside(word, found)):
        return {}
    back = P.EARLIER.search(said.string) is not None
    stood = Item(item.kind, item.id, item.title, type(item.record).model_validate(last.before))
    return moved(stood, timedelta(seconds=(found[0].seconds or 0) * (-1 if back else 1)), scene)


def _sized(word: str, item: Item, last: Change | None, scene: Scene) -> dict[str, Any]:
    """A number without its unit, after a length: "no, two and a half"."""
    if last is None or not set(last.fields) or not set(last.fields) <= {"end", "time_to_complete"}:
        return {}
    before = span_minutes(item)
    unit = "minutes" if before and before < HOUR else "hours"
    found = find_times(f"{word} {unit}", scene.clock)
    if len(found) != 1 or found[0].kind != "duration" or found[0].span[0] != 0 or not found[0].seconds:
        return {}
    minutes = found[0].seconds // 60
    return {"time_to_complete": minutes} if item.kind == "todo" else dict(lengths.ending(item, minutes, scene))


def span_minutes(item: Item) -> int:
    """How long a thing takes; 0 where nothing says it."""
    record = item.record
    if isinstance(record, ToDo):
        return record.time_to_complete or 0
    return round(length_of(record).total_seconds() / 60) if isinstance(record, Event) else 0


def _same_week(to: Found, item: Item, scene: Scene) -> Found:
    """A weekday that corrects a day further away is the one next to that: "no, the sunday" after "saturday the 20th"."""
    far = item.day is not None and (item.day - scene.now.date()).days > WEEK
    if (
        not far
        or not to.day_said
        or to.kind != "point"
        or to.start is None
        or not P.LONE_WEEKDAY.fullmatch(to.text.strip())
    ):
        return to
    days = round((item.day - to.start.date()).days / WEEK) * WEEK if item.day else 0
    return on_day(to, to.start.date() + timedelta(days=days), scene.clock)


def _begun_and_long(item: Item, start: Found, minutes: int, scene: Scene) -> dict[str, Any]:
    """Another start and a length: "it's half past six and it's an hour and a half long"."""
    fields = moved(item, start, scene)
    record = {**item.record.model_dump(), **fields}
    there = Item(item.kind, item.id, item.title, type(item.record).model_validate(record))
    return fields | dict(lengths.ending(there, minutes, scene))


def _outside(text: str, found: list[Found]) -> str:
    for time in sorted(found, key=lambda time: -time.span[0]):
        text = f"{text[: time.span[0]]} {text[time.span[1] :]}"
    return text

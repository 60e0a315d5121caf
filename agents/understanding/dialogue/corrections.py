"""Correcting what was just done: another time, another word, another item ("no, thursday", "i meant the gift wrap")."""

from __future__ import annotations

import re
from datetime import timedelta
from difflib import SequenceMatcher
from typing import Any

from agents.contract import Change, Proposal
from agents.records import Note
from agents.understanding.dialogue import undo
from agents.understanding.items import choose
from agents.understanding.references import Item, words_of
from agents.understanding.requests import lengths
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import fill, tidy
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent
from agents.understanding.time.merge import merged, on_day
from agents.understanding.time.search import find_times
from agents.understanding.time.values import Found

ANGER = (
    r"(?:ugh+|argh+|grr+|ffs|wtf|omg|dammit|damn(?: it)?|jeez|come on|seriously|for (?:god's|fuck's|crying out loud) ?sake|"
    r"for crying out loud|(?:no )?you (?:absolute |complete |bloody |fucking |stupid )*(?:idiot|moron|fool|muppet|dummy)|"
    r"(?:you )?stupid (?:thing|bot|machine|app)|idiot|are you (?:deaf|listening|kidding)(?: me)?|listen(?: to me)?|"
    r"i (?:already )?told you|how many times)"
)
ANGRY = re.compile(rf"^\W*{ANGER}\b", re.IGNORECASE)
LEAD = (
    rf"(?:{ANGER}|\*|yeah,? nah|nah|shoot|darn|dang|crap|whoops|ah|ooh|ok|okay|right|that was(?: the)?|(?:he|she|they|we) (?:said|meant|wants?|wanted|can only do)|oh|uh|um|er|wait|sorry|my bad|my mistake|actually|no|nope|hmm|oops|well|hang on|i mean(?:t)?(?: to say)?|"
    r"make (?:it|that)|not (?=(?:this|next|the)\b.*\b(?:after|following)\b)|i said|change (?:it|that) to|it's|its|it is|that's|it should be|that should be|should be|it was|"
    r"was supposed to be|wrong (?:day|time|date|one|name|person|list)|not that(?: one)?|for|on|to|at|rather|instead|say|"
    r"typo|correction|the)"
)
CORRECTION = re.compile(rf"^\W*(?:{LEAD}\b|\*)", re.IGNORECASE)
LEADS = re.compile(rf"^(?:{LEAD}(?:\b|(?<=\*))[\s,.:;!?-]*)+", re.IGNORECASE)
TRAILING = re.compile(
    r"[\s,]*(?:\b(?:i mean(?:t)?|sorry|instead|then|please|actually|rather|not that|though|my bad|for that|thanks)\b[\s.!]*)+$",
    re.IGNORECASE,
)
SWAP = re.compile(r"(?P<new>.{1,80}?),?\s+(?:not|instead of|rather than)\s+(?P<old>.{1,80})$", re.IGNORECASE)
TURNED = re.compile(
    r"^\W*not\s+(?P<old>[\w' -]{1,40}?)(?:,\s*(?:but\s+)?|\s+but\s+|\s+it's\s+)(?P<new>.{1,80})$", re.IGNORECASE
)
OTHER = re.compile(r"^(?:the )?other (?:[\w']+ )?(?:one|[a-z]{3,})\b[\s!.]*$", re.IGNORECASE)
WRONG_ITEM = re.compile(
    r"\b(?:i mean(?:t)?|wrong (?:one|thing|task|event|item)|not that(?: one)?|the other|should have been)\b",
    re.IGNORECASE,
)
KEPT = re.compile(
    r"(?:(?:no|oh|ah|wait|actually|sorry|hmm|on second thou?ghts?|oops|never ?mind|jk|just kidding|lol|haha|nah)[\s,]+)*(?:(?:we're|we are|i'm|i am) (?:still |actually )?(?:going|doing it|coming)(?: after all)?|(?:let's\s+)?keep (?:it|that)(?: (?:in|on|there|after all))?|"
    r"don't (?:cancel|delete|skip|remove) (?:it|that)(?: after all)?|it's (?:back )?on(?: after all| again)?|it is on after all)[\s.!]*",
    re.IGNORECASE,
)
THERE = re.compile(
    r"(?:(?:and|oh|also|btw|ps)[\s,]+)*(?:it's|its|it is|it'll be|that's|it will be)\s+(?:in|at)\s+(?P<place>(?!(?:\d|noon|mid|the (?:morning|afternoon|evening)|an? |half|quarter)\b)[\w'&. -]{2,50}?)[\s.!]*",
    re.IGNORECASE,
)
RETRACTED = re.compile(r"\W*(?:no|nope|sorry|oops|wait|my bad|i mean(?:t)?|actually)\b", re.IGNORECASE)
LONGEST, MOST_NAMED, WEEK = 16, 4, 7
LONE_WEEKDAY = re.compile(
    r"(?:on\s+|the\s+)*(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?", re.IGNORECASE
)
CLOSE = 0.6
AROUND_TIME = re.compile(
    r"\b(?:at|on|for|by|to|the|it's|it|that|please|then|not|is|be|and|o'clock|in|due|it's|its|long|lasts)\b|\W",
    re.IGNORECASE,
)


def correct(text: str, scene: Scene) -> Share | None:
    """A correction of the last change ("no, Thursday", "i meant norte not lumen"); None when it is none."""
    said = text.strip()
    trailing = TRAILING.search(said)
    swap = SWAP.fullmatch(said)
    newest = scene.last_change()
    if swap and newest and tidy(swap["old"]).lower() in newest.title.lower():
        trailing = swap
    turned = TURNED.match(said)
    if turned and newest and tidy(turned["old"]).lower() in newest.title.lower():
        trailing = turned
    last = scene.last_change()
    if last is None or last.kind not in ("todo", "event", "note") or len(said.split()) > LONGEST:
        return None
    if KEPT.fullmatch(said) and (last.op in ("delete", "archive") or set(last.fields) == {"exdates"}):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    there = THERE.fullmatch(said)
    if (
        there
        and last.kind == "event"
        and last.op in ("create", "update")
        and not find_times(there["place"], scene.clock, bare=True)
    ):
        fields = {"location": there["place"].strip()}
        return change(
            text, Proposal(op="update", kind="event", record_id=last.record_id, fields=fields, reason="you said where")
        )
    if not (CORRECTION.match(said) or trailing):
        return None
    new = TRAILING.sub("", LEADS.sub("", said)).strip(" ,.!")
    kept = choose.AFTERWARDS.sub("", new)
    new = kept if kept and not find_times(new[len(kept) :], scene.clock) else new
    if last.op in ("complete", "delete", "archive"):
        return _another(said, new, last, scene)
    item = next((item for item in scene.items(last.kind) if item.id == last.record_id), None)
    fields = _fields(said, new, item, last, scene) if item else {}
    if item is None or not fields:
        return _another(said, new, last, scene) if last.op == "update" else None
    return change(
        text, Proposal(op="update", kind=item.kind, record_id=item.id, fields=fields, reason="you corrected it")
    )


def _fields(said: str, new: str, item: Item, last: Change, scene: Scene) -> dict[str, Any]:
    if AFTER.fullmatch(said):
        return moved(item, timedelta(days=7), scene)
    swap = TURNED.match(said) or SWAP.search(new)
    word = TRAILING.sub("", LEADS.sub("", swap["new"] if swap else new)).strip(" ,.!")
    if item.kind == "note":
        return _lines(item, word, swap, last)
    timed = _timed(word, item, scene)
    if timed:
        return timed
    level = re.fullmatch(r"(?:a\s+)?(high|medium|low)(?:[\s-]+prio(?:rity)?)?", word, re.IGNORECASE)
    if level and item.kind == "todo":
        return {"priority": level[1].lower()}
    named = _instead(said, word, item) if last.op == "create" and not swap else ""
    if named:
        return {"title" if item.kind == "event" else "task": named}
    return _renamed(word, swap["old"] if swap else "", item, meant=WRONG_ITEM.search(said) is not None)


def _instead(said: str, word: str, item: Item) -> str:
    """The title with another name: "no sorry, the orthodontist" for a dentist, "no, with tim" for drinks with Tom."""
    if not RETRACTED.match(said) or len(word.split()) > MOST_NAMED or not word:
        return ""
    if len(item.title.split()) == 1 and re.search(rf"\b(?:the|an?|my)\s+{re.escape(word)}\W*$", said, re.IGNORECASE):
        return tidy(word)
    link = re.match(r"(with|for|at|to|about)\s+(.+)", word, re.IGNORECASE)
    head = re.match(rf"(.+\s{link[1]}\s)", item.title, re.IGNORECASE) if link else None
    return f"{head[1]}{link[2]}" if head and link else ""


AFTER = re.compile(
    r"\W*(?:no[\s,]+)?not\s+(?:this|next|the)?\s*[\w ]{3,20}?[\s,]+(?:but\s+)?(?:the (?:one|week) after(?: that)?|the (?:following|next) (?:one|week))\W*",
    re.IGNORECASE,
)


def _timed(word: str, item: Item, scene: Scene) -> dict[str, Any]:
    """Another time or length, when the words say nothing else."""
    times = merged(find_times(word, scene.clock, bare=True), scene.clock)
    if not times or AROUND_TIME.sub("", _outside(word, find_times(word, scene.clock, bare=True))):
        return {}
    first = times[0]
    if first.kind == "duration" and first.seconds:
        minutes = first.seconds // 60
        return {"time_to_complete": minutes} if item.kind == "todo" else dict(lengths.ending(item, minutes, scene))
    long = next((found for found in times if found.kind == "duration" and found.seconds), None)
    if long and first.timed and item.kind == "event":
        return _begun_and_long(item, first, (long.seconds or 0) // 60, scene)
    if first.kind == "set":
        return {"recurrence": first.rrule} if first.start else {}
    return moved(item, _same_week(first, item, scene), scene)


def _same_week(to: Found, item: Item, scene: Scene) -> Found:
    """A weekday that corrects a day further away is the one next to that: "no, the sunday" after "saturday the 20th"."""
    far = item.day is not None and (item.day - scene.now.date()).days > WEEK
    if (
        not far
        or not to.day_said
        or to.kind != "point"
        or to.start is None
        or not LONE_WEEKDAY.fullmatch(to.text.strip())
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


def _renamed(word: str, old: str, item: Item, *, meant: bool) -> dict[str, Any]:
    new, gone = tidy(trim(word)), tidy(old)
    if gone:
        if not new or gone.lower() not in item.title.lower():
            return {}
        title = re.sub(re.escape(gone), lambda _: new, item.title, flags=re.IGNORECASE)
    else:
        title = _mended(new, item.title) if meant else ""
    return {"title" if item.kind == "event" else "task": title} if title and title != item.title else {}


def _cased(new: str, old: str) -> str:
    """A word written like the one that it replaces: Tim for Tom, even if typed "tim"."""
    return new.capitalize() if old[:1].isupper() and old[1:].islower() and new.islower() else new


def _mended(new: str, title: str) -> str:
    """A title with the one word replaced that the new one sounds like: "dana" by "diana"; empty when none does."""
    words = title.split()
    said = new.split()
    at = next((at for at, word in enumerate(words) if word.lower() == said[-1].lower()), -1) if len(said) > 1 else -1
    if at >= len(said) - 1 > 0:
        return " ".join([*words[: at - len(said) + 1], *said, *words[at + 1 :]])
    if len(new.split()) != 1 or new.lower() in title.lower().split():
        return ""
    scored = [(SequenceMatcher(None, word.lower(), new.lower()).ratio(), at) for at, word in enumerate(words)]
    best, at = max(scored, default=(0.0, 0))
    return " ".join([*words[:at], _cased(new, words[at]), *words[at + 1 :]]) if best >= CLOSE else ""


def _lines(item: Item, word: str, swap: re.Match[str] | None, last: Change) -> dict[str, Any]:
    """The lines of a list with the one just added called otherwise."""
    if not isinstance(item.record, Note) or not item.record.items or not re.search(r"[^\W\d]", word):
        return {}
    lines = [line.model_dump(mode="json") for line in item.record.items]
    before = {line["text"] for line in (last.before or {}).get("items", [])}
    fresh = [line for line in lines if line["text"] not in before]
    old = tidy(swap["old"]).lower() if swap else ""
    hit = [
        line
        for line in fresh
        if (old and old in line["text"].lower()) or set(words_of(line["text"])) & set(words_of(word))
    ]
    hit = hit or (fresh if len(fresh) == 1 and not old else [])
    if len(hit) != 1:
        return {}
    return {"items": [{**line, "text": tidy(word)} if line is hit[0] else line for line in lines]}


def _another(said: str, new: str, last: Change, scene: Scene) -> Share | None:
    """The same change to another item instead: "wrong one, i meant the gift wrap", "no, the other one"."""
    others = [item for item in scene.items(last.kind) if item.id != last.record_id and is_open(item)]
    if OTHER.match(new):
        named = set(words_of(new)) - set(words_of("other one thing"))
        alike = [item for item in others if (named or set(words_of(last.title))) & set(words_of(item.title))]
        found = alike or (others if len(others) == 1 else [])
    elif (
        WRONG_ITEM.search(said)
        or ANGRY.match(said)
        or re.match(r"\W*(?:no|nah|nope|wait|sorry|oops)\b", said, re.IGNORECASE)
    ):
        found = [item for item in choose.search(new, scene, (last.kind,), is_open, None) if item.id != last.record_id]
    else:
        found = []
    if not found or (fill(new, scene.clock).when and not OTHER.match(new)):
        return None
    back = Proposal(op="undo", kind=last.kind, record_id=last.record_id, undo_of=last.id, reason="it was another one")
    if len(found) > 1:
        share = choose.which(found, last.op, scene, fields=_same(last), reason="you meant this one")
        share.proposals, share.worker = [back], change(said, back).worker
        return share
    return change(said, back, choose.propose(found[0], last.op, _same(last), "you meant this one"))


def _same(last: Change) -> dict[str, Any]:
    return dict(last.fields) if last.op == "update" else {}

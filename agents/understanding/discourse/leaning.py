"""Words that lean on the message before: "same for thursday", "and the vet too", "and Bob as well", "what about friday?"."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from agents.contract import Change, Proposal
from agents.records import Event
from agents.time import Found, find_times, merged
from agents.understanding.discourse import replay
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.items.lately import covers
from agents.understanding.references import Item, words_of
from agents.understanding.requests import lengths, placing
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.moves import dated_from, length_of, moved
from agents.understanding.slots.slots import blank, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim
from agents.understanding.text.verbs import is_verb

FRESH = timedelta(minutes=10)
LONGEST, MOST_NAMED = 12, 3
P = patterns_of(__name__)
COPIED = frozenset("title task kind priority difficulty time_to_complete location notes all_day tags list".split())
REPEATED = frozenset("kind deadline remind_at priority list tags".split())


def leaned(text: str, scene: Scene) -> Share | None:
    """What such words come to; None when they say something of their own."""
    words = text.strip()
    if not words or len(words.split()) > LONGEST or scene.before:
        return None
    asked = _asked_again(scene.ask.text.strip(), scene)
    return asked or _repeated(words, scene) or _guests(words, scene)


def _repeated(text: str, scene: Scene) -> Share | None:
    """What was done last, for another day or another thing."""
    last, text = _told_last(scene), P.SAME_DAY.sub("", text)
    again, too = P.AGAIN.match(text), P.TOO.match(text)
    said = again["what"] if again else (too["what"] or too["more"]) if too else ""
    if last is None or not said:
        return None
    made = next((item for item in scene.items("todo", "event") if item.id == last.record_id), None)
    what = dated_from(made, _target(said))
    when = _time_alone(what, scene)
    if when is not None:
        return _on_another_day(text, last, when, scene, long=_long(what, scene))
    return (
        _other_item(text, what, last, scene)
        or (_with_person(text, last, scene) if too else None)
        or placing.placed(Clause(f"put {what}"), scene)
        or (_like_errand(text, what, last, scene) if too and not P.OF_IT.match(said) else None)
    )


def _target(words: str) -> str:
    """The thing or day meant, without the words around it."""
    return re.sub(r"^(?:on|for|with|to)\s+", "", trim(words), flags=re.IGNORECASE)


def _long(words: str, scene: Scene) -> int:
    """Minutes that words say beside a time; 0 for none."""
    return next(
        (found.seconds // 60 for found in find_times(words, scene.clock) if found.kind == "duration" and found.seconds),
        0,
    )


def _on_another_day(text: str, last: Change, when: Found, scene: Scene, *, long: int) -> Share | None:
    """The thing that was made, made once more at another time."""
    item = next((item for item in scene.items("todo", "event") if item.id == last.record_id), None)
    if item is None or last.op != "create" or when.kind == "duration":
        return None
    stored = item.record.model_dump(mode="json")
    fields: dict[str, Any] = {
        name: value for name, value in stored.items() if name in COPIED and value not in (None, "", [])
    }
    placed = moved(item, when, scene)
    if item.kind == "event" and isinstance(item.record, Event) and "all_day" in fields and "end" not in placed:
        placed |= {"end": placed.get("start")}
    if long and item.kind == "event" and isinstance(placed.get("start"), str):
        placed["end"] = forms.instant(datetime.fromisoformat(placed["start"]) + timedelta(minutes=long))
    if not placed:
        return None
    return change(
        text, Proposal(op="create", kind=item.kind, fields=fields | placed, reason="you asked for another one")
    )


def _other_item(text: str, what: str, last: Change, scene: Scene) -> Share | None:
    """The same done to another thing."""
    if last.op not in ("complete", "delete", "archive", "update") or last.kind not in ("todo", "event"):
        return None
    found = [item for item in choose.search(what, scene, ("todo", "event"), is_open, None) if item.id != last.record_id]
    if len(found) != 1 or (found[0].kind != last.kind and last.op == "complete"):
        return None
    if is_request(what) and not covers(found[0].title, words_of(what)):
        return None
    fields = _same_fields(found[0], last, scene) if last.op == "update" else {}
    if last.op == "update" and not fields:
        return None
    return change(text, choose.propose(found[0], last.op, fields, "you asked for the same"))


def _like_errand(text: str, what: str, last: Change, scene: Scene) -> Share | None:
    """The errand that was added, once more with another object: "and a card" after "get mum a present"."""
    item = next((item for item in scene.items("todo") if item.id == last.record_id), None)
    verb, _, rest = item.title.partition(" ") if item else ("", "", "")
    if item is None or last.op != "create" or not rest or not is_verb(verb.lower()) or is_request(what):
        return None
    alike = P.THE_ONE.fullmatch(what)
    what = f"{alike['article'] or ''}{alike['kind']} {rest.split()[-1]}" if alike else what
    if P.NO_OBJECT.match(what) or len(what.split()) > MOST_NAMED + 1 or find_times(what, scene.clock):
        return None
    fields = {name: value for name, value in last.fields.items() if name in REPEATED} | {"task": f"{verb} {tidy(what)}"}
    return change(text, Proposal(op="create", kind="todo", fields=fields, reason="you asked for the same"))


def _same_fields(item: Item, last: Change, scene: Scene) -> dict[str, Any]:
    """What was changed of the one thing, for the other: another time is told by the words, as each has its own."""
    if set(last.fields) <= {"priority", "difficulty", "time_to_complete", "location"} and item.kind == last.kind:
        return dict(last.fields)
    if set(last.fields) == {"end"} and item.kind == "event" and last.after:
        like = Event.model_validate(last.after)
        return lengths.ending(item, round(length_of(like).total_seconds() / 60), scene)
    said = scene.ask.recent[-1].said if scene.ask.recent else ""
    times = [found for found in merged(find_times(said, scene.clock), scene.clock) if found.moment]
    return moved(item, times[-1], scene) if times else {}


def _with_person(text: str, last: Change, scene: Scene) -> Share | None:
    """One more who comes to the event that was talked about."""
    match = P.PERSON.match(text)
    item = next((item for item in scene.items("event") if item.id == last.record_id), None)
    if match is None or item is None or last.op not in ("create", "update") or is_request(match["who"]):
        return None
    who = match["who"] if item.title.islower() else match["who"].title()
    title = f"{item.title} and {who}" if " with " in item.title.lower() else f"{item.title} with {who}"
    return change(text, choose.propose(item, "update", {"title": title}, "you said who comes too"))


def _guests(text: str, scene: Scene) -> Share | None:
    """Who comes to the event just talked about, and who does not: "invite Dee", "dee can't come after all"."""
    last = _told_last(scene)
    if last is None or last.kind != "event":
        return None
    added = P.ADDED.match(text) if " with " in last.title.lower() else None
    if P.INVITED.match(text) or added:
        return _with_person(f"{text.strip(' .!')} too", last, scene)
    absent = P.ABSENT.match(text)
    item = next((item for item in scene.items("event") if item.id == last.record_id), None)
    if absent is None or item is None:
        return None
    who = re.escape(absent["who"])
    title = re.sub(rf"(?:,| and) {who}\b|(?<=with ){who} and ", "", item.title, flags=re.IGNORECASE)
    if title == item.title:
        return None
    return change(text, choose.propose(item, "update", {"title": title}, "you said who does not come"))


def _asked_again(text: str, scene: Scene) -> Share | None:
    """The last question about another time or another thing: "what about friday?"."""
    match = P.WHAT_ABOUT.match(text)
    asked = next((one.said for one in reversed(scene.ask.recent) if not P.WHAT_ABOUT.match(one.said.strip())), "")
    if match is None or not asked:
        return None
    what = _target(match["what"])
    question = _about(asked, what, scene)
    found = replay.shares(question, scene) if question else []
    answers = [share for share in found if share.answers]
    return answers[0] if answers and not any(share.proposals or share.questions for share in found) else None


def _about(asked: str, what: str, scene: Scene) -> str:
    """The question in its new form; empty when the words fit none."""
    when = _time_alone(what, scene)
    times = [found for found in merged(find_times(asked, scene.clock), scene.clock) if found.moment]
    if when is not None and times:
        first, last = min(found.span[0] for found in times), max(found.span[1] for found in times)
        lead = re.match(r"(?:on|for|in|at)\s", asked[first:last], re.IGNORECASE)
        return f"{asked[:first]}{lead[0] if lead else ''}{_joined(times[0], when, what)}{asked[last:]}"
    if when is not None:
        return f"{asked.rstrip(' ?.!')} {what}?"
    by_name = P.WHEN_IS.match(asked)
    named = choose.search(what, scene, ("event", "todo"), lambda _: True, None)
    return f"{by_name['asked']} {what}?" if by_name and len(named) == 1 else ""


def _joined(old: Found, new: Found, words: str) -> str:
    """A new day with the old hour, or a new hour on the old day."""
    if old.timed and old.day_said and old.moment and new.moment:
        if new.day_said and not new.timed and old.kind == "point":
            return f"{forms.day(new.moment)} at {old.moment:%H:%M}"
        if new.timed and not new.day_said:
            return f"{forms.day(old.moment)} at {new.moment:%H:%M}"
    return words


def _time_alone(words: str, scene: Scene) -> Found | None:
    times = merged(find_times(words, scene.clock, bare=True), scene.clock)
    whole = times and not P.AROUND.sub(
        "", blank(words, [found.span for found in find_times(words, scene.clock, bare=True)]).replace("\u241f", " ")
    )
    return next((found for found in times if found.moment), None) if whole else None


def is_request(words: str) -> bool:
    """Whether words ask for a deed of their own."""
    first = trim(words).lower().split()[:1]
    return not first or is_verb(first[0])


def _told_last(scene: Scene) -> Change | None:
    """The one change that the last message made and its reply told of."""
    rows = scene.ask.recent_changes
    turn = [row for row in rows if row.turn_id == rows[-1].turn_id] if rows else []
    if len(turn) != 1 or turn[0].status != "applied" or turn[0].op == "undo":
        return None
    fresh = timedelta() <= scene.ask.at - turn[0].created_at <= FRESH
    told = not scene.ask.recent or turn[0].title.lower() in scene.ask.recent[-1].replied.lower()
    return turn[0] if fresh and told else None

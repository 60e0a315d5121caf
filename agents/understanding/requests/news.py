"""What is told about a stored item: "the report is due friday", "the game is at eleven now", "printing takes an hour"."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from agents.records import Event, ToDo
from agents.time import merged
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests import lengths
from agents.understanding.requests.tasks import hint_day, is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots import forms
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.verbs import COMMAND_VERBS, is_verb

NEWS = re.compile(
    r"(?:(?:turns out|apparently|looks like|so|actually|hey|and)[\s,]+)*"
    r"(?P<what>(?:[\w'&/.+ -]|(?<=\d):(?=\d)){2,70}?)"
    r"(?:(?:\s*(?P<mark>[:=])|(?P<dash>\s-))\s+|(?<!day)(?<!tomorrow)(?<!week)(?<!tonight)(?<!month)'s\s+(?:actually\s+|now\s+)*|\s+(?:(?:actually|now)\s+)?(?:(?:is|are) (?:gonna|going to) (?:be|take|start|begin|end|finish)|is not|are not|is|are|was|isn't|aren't|"
    r"will be|will now be|should be|(?:has|have|needs?) to be(?: (?:done|finished|ready|sent|in|out|\w{3,}ed)(?= by\b| before\b| until\b| the\b| on\b| this\b| next\b| to(?:day|morrow|night)\b| \w+day\b))?|(?:has|have|needs?) to (?:happen|get (?:done|finished))(?= by\b| before\b| on\b| this\b| today\b| tomorrow\b)|must be|can be|(?:wants?|would like|asked|needs?) to (?:come|meet|start|do it|play|go|talk|eat|begin)|can't (?:come|make it|be here|start)(?= (?:till|until|before))|"
    r"can(?:'t)? (?:now )?only (?:come|make it|do it|do|make|meet|start)|(?:asked|asks|wonders|wants to know) if (?:we|i) (?:could|can) (?:meet|talk|speak|do it|move it|make it)|(?:(?:should|will|would|might|could)(?: only| just| probably)* )?takes?|(?:will |'ll |is going to |is gonna )?needs?|can wait|(?:will |would )?(?:have|has) to wait|must wait|will wait|got|starts?|begins?|ends?|lasts?|runs?|leaves|departs|sets off|meets|opens|kicks off|"
    r"becomes|(?:goes|drops|is) (?:up|down) to|now)"
    r"(?:\s+(?:actually|only|just|really|now|gonna|probably|more like|supposed to be))*\s+)(?P<rest>\S.{0,80})$",
    re.IGNORECASE,
)
PEOPLE = re.compile(
    r"(?:so\s+)?(?:they|he|she)(?:(?:'re|'s|\s+(?:are|is))\s+(?:now\s+)?(?:coming|arriving|starting)|\s+(?:wants?|needs?)\s+(?:us|me)(?:\s+(?:in|there|over))?)\s+",
    re.IGNORECASE,
)
NOT_TILL = re.compile(
    r"(?:so\s+)?(?:they|he|she)(?:(?:'re|'s|\s+(?:are|is))\s+not|\s+(?:isn't|aren't|won't be|can't))\s+(?:now\s+)?(?:come|coming|arriving|start|starting|here|there|in)\s+(?:now\s+)?(?:till|til|until|before)\s+",
    re.IGNORECASE,
)
OFFERED = re.compile(
    r"^(?P<what>[\w' -]{2,50}?)\s+(?:can't|cannot|can not|couldn't)\s+(?:make|do|come|manage)\b[^,;]{0,40}?[\s,;]+(?:(?:but|so)\s+)?(?:he|she|they)(?:'s|'d| is| can| could| would)?\s+"
    r"(?:says?|said|suggests?|suggested|wants?|asked for|offers?|offered|prefers?|can do|could do|do|make|proposed)\s+(?P<new>.{3,40})$",
    re.IGNORECASE,
)
"""Another time that somebody offers: "the plumber can't make wednesday, he says thursday at nine"."""
IT_WILL = re.compile(r"^(?P<what>it|that|this)'ll\s+", re.IGNORECASE)
RANGE = re.compile(r"^(?:from\s+)?(\d{1,2}(?::\d\d)?)\s*-\s*(\d{1,2}(?::\d\d)?)$")
NEW = re.compile(
    r"\b(?:now|instead|actually|only|not|moved|changed|pushed|isn't|aren't|can't|longer|shorter)\b", re.IGNORECASE
)
DEFINITE = re.compile(
    r"(?:the|my|our|this|that|it)\b|(?:[\w-]+day|tomorrow|tonight)'s\b|[\w' -]{2,40}\s(?:on\s+(?:[\w-]+day)|tomorrow|tonight)\s+(?:is|will)\b",
    re.IGNORECASE,
)
"""Words for a thing that is known, not for a new one."""
LEFT_OUT = re.compile(
    r"\b(?:much\s+|a lot\s+|way\s+)?(?:longer|more|less|quicker|sooner|shorter) than (?:i|we)(?:'d| had)? (?:thought|expected|planned|hoped|feared|said)[\s,]*(?:more like|probably|maybe|about|rather)?|"
    r"\s+(?:and|but)(?:\s+(?:it's|its|it is|that's|it'll be|it will be|it'll|it|probably|gonna|going to|be|quite|pretty|will take|takes|should take|take|all of|about))*(?=\s+(?:easy|hard|difficult|tricky|urgent|important|high|medium|low|\d+(?:\.\d+)?\s*(?:h|hrs?|hours?|mins?|minutes?)|an hour|half an hour)\b)|"
    r"(?<![\s,])[\s,]+not\s+(?:on\s+)?\w+(?=\s+(?:this|next)\s+(?:week|month)$)|(?<![\s,])[\s,]*(?:at\s+)?(?:the\s+)?same time(?=\s|$)|\s+(?:instead of|rather than)\s.*$|\s*\b(?:now|instead|actually|anymore|any more|after all|this time|these days|nowadays)\b|(?<![\s,])[\s,]*\b(?:and\s+)?not\s+(?:at\s+|on\s+)?"
    r"(?:the\s+)?[\w:]+(?:\s+(?:hours?|minutes?|mins?|and|a|half|past|to|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|am|pm|o'clock|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|thirty|fifteen)){0,4}$|(?<![\s,])[\s,]*\b(?:and|but)\b(?=\s+(?:till|until|to|ends?)\b)",
    re.IGNORECASE,
)
SAME_END = re.compile(
    r"(?<![\s,])[\s,]*(?:and\s+|but\s+)?(?:the\s+)?same (?:finish|end)(?:ing)?(?:\s+time)?\b", re.IGNORECASE
)
HOUR_AFTER = re.compile(r",\s+(?=\d{1,2}(?::\d\d)?$)")
SPOT = re.compile(r"(?:at|in|on)\s+(?P<place>[\w'&. -]{2,50})", re.IGNORECASE)
ASKS = re.compile(
    r"(?:what|when|where|who|which|why|how|do|does|did|am|are|is|can|could|will|should|have|has|if|i|we|i'm|you|let|"
    r"there|every|each)\b",
    re.IGNORECASE,
)
LEFT_DUE = re.compile(
    r"(?!(?:it|that|this|they|now|so|also|and)\b)(?P<what>(?:(?!\b(?:is|are|was)\b)[\w' -]){2,60}?)(?<!'s)\s+due\s+(?!to\b)(?P<rest>\S.{1,60})",
    re.IGNORECASE,
)
"""A title with its day and no verb: "roadmap due friday"."""
NEGATED = re.compile(r"n't\b|\bnot\b", re.IGNORECASE)
DUE = re.compile(r"(?:now |so |it's |its )*due (?!to\b)", re.IGNORECASE)
DUE_BY = re.compile(
    r"(?:(?:do|finish|send|get)(?: it)?(?: done)?|due|needs? (?:doing|finishing|to be done)|has to be done)\s+(?:by|before|on)\b",
    re.IGNORECASE,
)
RHYTHM = re.compile(r"\b(?:every|each)\s+(?:\d+|other|two|three|second|\w+day|day|week|month)\b", re.IGNORECASE)
MORE = re.compile(r"\bneeds?\s+(?:another|an extra|an additional|\w+ more|\w+ extra)\b", re.IGNORECASE)
SHIFTED = re.compile(r"\b(?:hours?|minutes?|mins?|days?|weeks?)\s+(?:earlier|later|sooner)\b", re.IGNORECASE)
SUBJECT = re.compile(r"\s+(?:task|thing|one|event|deadline|due date|start time)$", re.IGNORECASE)


def news(clause: Clause, scene: Scene) -> Share | None:
    """The change that follows for the one item told about; None when nothing is told, or about nothing stored."""
    text = SAME_END.sub("", _of_people(clause.text.strip(), scene))
    bare = LEFT_DUE.fullmatch(text)
    bare = None if bare and is_verb(bare["what"].split()[0].lower()) else bare
    text = f"{bare['what']} is due {bare['rest']}" if bare else text
    match = NEWS.fullmatch(f"it is {text}" if DUE.match(text) and (scene.told or scene.before) else text)
    if match is None or clause.context or _is_request(match["what"]) or SHIFTED.search(match["rest"]):
        return None
    if RHYTHM.search(match["what"]):
        return None
    rest = re.sub(
        r"^(?:do|finish|send|get)(?: it)?(?: done)?\s+(?=by|before|on)", "", match["rest"], flags=re.IGNORECASE
    )
    rest = HOUR_AFTER.sub(" at ", LEFT_OUT.sub("", rest))
    slots = fill(RANGE.sub(r"from \1 to \2", rest), scene.clock, place=True)
    slots.times = merged(slots.times, scene.clock)
    if NEGATED.search(match.string[match.end("what") : match.start("rest")]):
        slots.priority, slots.difficulty = ("low" if slots.priority == "high" else None), None
    spot = SPOT.fullmatch(LEFT_OUT.sub("", match["rest"]).strip())
    if spot and (NEW.search(clause.text) or DEFINITE.match(clause.text)) and not slots.times:
        slots.place, slots.title = spot["place"].strip(), ""
    if not _only_details(slots) or (match["mark"] and not slots.levels() and not DUE_BY.match(match["rest"])):
        return None
    what = SUBJECT.sub("", match["what"].strip()) or "it"
    found = choose.search(what, scene, ("todo", "event"), is_open, None)
    found = found or (series.named(what, scene, None) if what.endswith("'s") else [])
    found = [item for item in found if fields_of(item, slots, clause.text, scene)]
    found = [item for item in found if not bare or named_wholly(what, item)]
    if len(found) > 1:
        day = hint_day(slots)
        found = [item for item in found if day and item.day == day] or found
        hour = slots.when is not None and slots.when.timed and not slots.when.day_said
        found = [item for item in found if item.kind == "event" and hour] or found
    if not found or (len(found) > 1 and not slots.levels()):
        return None
    once = _once(found, what, slots, clause, scene)
    if once is not None:
        return once
    fields = fields_of(found[0], slots, clause.text, scene)
    return choose.settle(found, "update", what, scene, fields=fields, reason="you told me")


def _of_people(text: str, scene: Scene) -> str:
    """What people told of before now do, as words about their appointment: "they're coming at nine instead"."""
    text = OFFERED.sub(r"\g<what> is now \g<new>", text)
    text = IT_WILL.sub(r"\g<what> will ", text)
    people = (PEOPLE.match(text) or NOT_TILL.match(text)) if scene.story and NEW.search(text) else None
    return f"it is {text[people.end() :]}" if people else text


def _once(found: list[Item], what: str, slots: Slots, clause: Clause, scene: Scene) -> Share | None:
    """Another time for one occurrence of a series, when a day was said: "friday's standup is at ten"."""
    event = series.series_of(found)
    days = [time for time in (*fill(what, scene.clock).times, *slots.times) if time.day_said]
    if event is None or not days or slots.when is None or not slots.when.timed or lengths.ENDS.search(clause.text):
        return None
    return series.move(event, clause.text, Slots(clause.text, times=days[:1]), slots.when, scene)


def _is_request(what: str) -> bool:
    first = what.split(maxsplit=1)[0].lower()
    alone = " " not in what.strip()  # "shift starts at ten"
    return (first in COMMAND_VERBS and not alone) or (
        ASKS.match(what) is not None and not choose.PRONOUN.match(what.strip())
    )


def _only_details(slots: Slots) -> bool:
    """Whether words say nothing but details."""
    left = tidy(slots.title)
    if slots.place and not left:
        return True
    return not re.sub(r"\b(?:only|just|about|like|more|due|gonna|now|at|on|be|priority)\b", "", left).strip() and bool(
        slots.levels() or slots.when
    )


def fields_of(item: Item, slots: Slots, text: str, scene: Scene) -> dict[str, Any]:
    """What the details mean for an item; nothing when it stands so already."""
    record = item.record
    if isinstance(record, Event):
        return _event(item, slots, text, scene)
    fields: dict[str, Any] = slots.levels()
    known = getattr(record, "time_to_complete", None)
    if slots.minutes and known and MORE.search(text):
        fields["time_to_complete"] = known + slots.minutes
    if slots.when and isinstance(record, ToDo):
        fields |= {name: value for name, value in moved(item, slots.when, scene).items() if value != _now(record, name)}
    return fields


def _now(todo: ToDo, name: str) -> str | None:
    value = getattr(todo, name, None)
    return value.isoformat() if value is not None else None


def _event(item: Item, slots: Slots, text: str, scene: Scene) -> dict[str, Any]:
    when = slots.when
    known = NEW.search(text) or DEFINITE.match(text)
    if slots.place and when and not when.timed and (known or series.series_of([item])):
        there = series.series_of([item]) is not None or (when.moment and item.day == when.moment.date())
        return {"location": slots.place} | ({} if there else moved(item, when, scene))
    if slots.place and not when:
        return {"location": slots.place} if known and getattr(item.record, "location", None) != slots.place else {}
    if when and lengths.ENDS.search(text):
        return lengths.until(item, when, scene)
    if when and (when.timed or (slots.minutes is None and NEW.search(text))) and known:
        fields = moved(item, when, scene)
        if slots.place:
            fields["location"] = slots.place
        end = getattr(item.record, "end", None)
        if SAME_END.search(text) and isinstance(end, datetime) and not series.series_of([item]):
            fields["end"] = forms.instant(end)
        start = getattr(item.record, "start", None)
        return {} if fields.get("start") == str(start) else fields
    return lengths.ending(item, slots.minutes, scene) if slots.minutes and not slots.priority else {}

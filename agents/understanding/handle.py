"""One clause: its readings in order of trust, and the handler of the one that fits the words."""

from __future__ import annotations

import re
from collections.abc import Callable

from agents.understanding import bare as titles
from agents.understanding import judge
from agents.understanding.dialogue import complaints, focus, skipping, smalltalk, undo
from agents.understanding.plausible import fits
from agents.understanding.questions import (
    availability,
    clashes,
    countdown,
    doings,
    fitting,
    formerly,
    known,
    lines,
    overview,
    queries,
    shown,
    stored,
    supposed,
)
from agents.understanding.requests import (
    addenda,
    altered,
    asides,
    breakdown,
    briefings,
    bulk,
    called_off,
    clearing,
    convert,
    edits,
    events,
    filing,
    instructions,
    list_changes,
    list_names,
    lists,
    news,
    note_changes,
    notes,
    profile,
    remarks,
    reminding,
    removal,
    reopening,
    repeating,
    shifted,
    tasks,
    terse,
    timers,
)
from agents.understanding.scene import Scene
from agents.understanding.share import Share, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.errands import demanded
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import Intent, Name, read
from agents.understanding.text.standing import is_standing
from agents.understanding.text.verbs import EVENT_NOUNS
from agents.understanding.time.impossible import no_such_time

Handler = Callable[[Intent, Clause, Scene], Share]
HANDLERS: dict[Name, Handler] = {
    "add_task": tasks.add,
    "need": lists.need,
    "remind": reminding.remind,
    "complete": lists.complete,
    "archive": tasks.archive,
    "reopen": lists.reopen,
    "start": tasks.status,
    "snooze": tasks.snooze,
    "convert": convert.convert,
    "schedule": events.schedule,
    "move": edits.move,
    "relocate": edits.relocate,
    "update": edits.update,
    "delete": removal.delete,
    "delete_all": removal.delete_all,
    "note": notes.note,
    "list_create": lists.create_list,
    "list_add": lists.add_to_list,
    "list_remove": lists.take_off_list,
    "instruction": instructions.create,
    "instruction_change": instructions.reword,
    "instruction_drop": instructions.drop,
    "instruction_query": stored.instructions,
    "query_tasks": queries.tasks,
    "query_calendar": queries.calendar,
    "free": queries.free,
    "when_is": queries.when_is,
    "list_query": stored.list_lines,
    "note_query": stored.notes,
    "ask_memory": stored.memory,
    "profile_query": stored.profile,
    "focus": focus.coach,
    "undo": lambda intent, clause, scene: undo.take_back(intent, clause.text, scene),
    "redo": lambda _, clause, scene: undo.redo(clause.text, scene),
    "small_talk": lambda intent, clause, scene: smalltalk.small_talk(intent, clause.text, scene),
    "out_of_scope": lambda _, clause, __: smalltalk.out_of_scope(clause.text),
}
BEFORE_ALL = (
    skipping.taken,
    lambda clause, scene: supposed.answered(clause, scene, handle),
    smalltalk.lone_yes,
    complaints.heard,
    doings.asked,
    overview.asked,
    reopening.kept,
    formerly.asked,
    countdown.countdown,
    fitting.offered,
    availability.openings,
    addenda.addendum,
    remarks.noted,
    clearing.cleared,
    called_off.told,
    shifted.days,
    briefings.wanted,
    bulk.together,
    filing.filed,
    skipping.another,
    convert.of_list,
    lists.headed,
    timers.timer,
    breakdown.asked,
    clashes.asked,
    list_changes.changed,
    note_changes.reworded,
    note_changes.told,
    profile.amended,
    shown.show,
    known.told,
    known.asked,
    lines.asked,
    news.news,
    terse.moved,
    terse.becomes,
    repeating.changed,
)
BARE = Intent("unknown", 0.6)
GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening))(?:\s+(?:there|summit|again|everyone))?[\s!.,]*",
    re.IGNORECASE,
)
EXPLICIT = re.compile(
    r"(?:add|todo|to-do|task|new (?:task|todo)|put\b.{1,80}\b(?:list|calendar))\b(?! up\b)", re.IGNORECASE
)
CONVERTED = re.compile(r"(?:make|turn|convert|change)\s+(?:the|that|this|my)\s+(?!.*:)", re.IGNORECASE)
PUT = re.compile(r"(?:add|put|enter|stick|pop|get)\s+(?:in\s+)?(?P<rest>.{3,300})", re.IGNORECASE)
IMAGINED = re.compile(r"(?:imagine|i wish|wouldn't it be)\b(?! to\b)", re.IGNORECASE)
REPORTED = re.compile(r"\b(?:said|says|texted|told|wrote|asked|emailed)\b[^'\"]{0,40}(?<!\w)['\"“‘]", re.IGNORECASE)
LASTING = re.compile(r"(?:never|always|from now on|in (?:the )?future|as a (?:general )?rule)\b", re.IGNORECASE)
POINTS_BACK = re.compile(
    r"(?:(?:so|please|just|can you|could you)\s+)*(?:reopen|untick|delete|remove|cancel|move|push|snooze|archive|reschedule|postpone|bump)"
    r"\s+(?:it|that|this|them)\b",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:not|isn't|haven't|hasn't|wasn't|aren't)\s+(?:\w+\s+){0,2}(?:done|finished|complete)|\b(?:don't|do not|"
    r"never)\s+(?:\w+\s+)?(?:mark|check|tick|delete|cancel|add|complete|cross|remind)",
    re.IGNORECASE,
)


def handle(clause: Clause, scene: Scene) -> Share:
    """What a clause comes to; statements are remembered as what was told."""
    return altered.of_one(_handled(clause, scene), clause, scene)


def _handled(clause: Clause, scene: Scene) -> Share:
    greeting = GREETING.fullmatch(clause.text.strip())
    if greeting:
        return smalltalk.small_talk(Intent("small_talk", 0.9, {"greeting": greeting[0]}), clause.text, scene)
    text = trim(clause.text)
    wanted = text if POINTS_BACK.match(scene.later) else demanded(text)
    told = news.news(Clause(text, clause.context), scene) if wanted != text else None
    if told is not None:
        return told
    text = wanted
    plain = Clause(text, clause.context, clause.listed)
    if is_standing(text):
        return instructions.create(Intent("instruction", 0.9), plain, scene)
    undone = reopening.not_done(plain, scene)
    if undone is not None:
        return undone
    if REPORTED.search(text) or IMAGINED.match(text) or (NEGATED.search(text) and not LASTING.match(text)):
        return titles.told(text, scene)
    nowhere = no_such_time(text)
    if nowhere:
        return lost(nowhere)
    after = asides.afterwards(plain, scene)
    if after is not None:
        return after
    told = next((share for read_as in BEFORE_ALL if (share := read_as(plain, scene)) is not None), None)
    if told is not None:
        return told
    return _read(plain, clause, scene)


def _read(plain: Clause, clause: Clause, scene: Scene) -> Share:
    """What the readings of a clause come to, the most specific first; ``plain`` is it without polite words."""
    for intent in _preferred(readings(plain), plain, scene):
        share = HANDLERS[intent.name](intent, plain, scene)
        if not share.unclear or intent.name in ("add_task", "remind", "note"):
            return judge.weighed(share, intent, clause, scene)
    if plain.text != trim(clause.text):
        return tasks.add(Intent("add_task", 0.8, {"rest": plain.text}), plain, scene)
    share = judge.weighed(titles.bare(plain, scene), BARE, clause, scene)
    return (judge.rescued(clause, scene) if share.unclear else None) or share


def readings(clause: Clause) -> list[Intent]:
    """The readings worth trying, the most specific first."""
    text = trim(clause.text)
    found = [intent for intent in read(text) if intent.name in HANDLERS]
    found = [intent for intent in found if fits(intent, clause.text)]
    plain = [intent for intent in found if intent.name not in ("out_of_scope", "small_talk")]
    return [*plain, *[intent for intent in found if intent not in plain]] if EXPLICIT.match(text) else found


def _preferred(found: list[Intent], clause: Clause, scene: Scene) -> list[Intent]:
    """Prefer the calendar for "add" and "put" with a clock time and the name of an appointment."""
    if CONVERTED.match(clause.text):
        found = sorted(found, key=lambda intent: intent.name != "convert")
    named_list = list_names.by_name(clause.text, scene)
    if named_list and not (
        found and found[0].name in ("list_add", "list_remove", "list_query", "remind", "instruction")
    ):
        return [named_list, *found]
    match = PUT.match(clause.text)
    if match is None or (found and found[0].name not in ("add_task", "list_add")):
        return found
    slots = tasks.filled(match["rest"], scene, clause)
    named = EVENT_NOUNS & set(slots.title.lower().replace("'s", "").split())
    when = slots.when
    put = clause.text.lower().startswith("put ") and when is not None and when.day_said
    if (
        (named or put)
        and when
        and when.timed
        and when.role == "when"
        and not titles.imperative(slots.title.lower().split())
    ):
        return [Intent("schedule", 0.85, {"rest": match["rest"]}), *found]
    return found

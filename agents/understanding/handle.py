"""One clause: its readings in order of trust, and the handler of the one that fits the words."""

from __future__ import annotations

import re
from collections.abc import Callable

from agents.understanding import (
    choose,
    edits,
    events,
    focus,
    instructions,
    notes,
    profile,
    queries,
    smalltalk,
    tasks,
    undo,
)
from agents.understanding.clauses import Clause, is_statement
from agents.understanding.filler import trim
from agents.understanding.intents import Intent, Name, read
from agents.understanding.scene import Scene
from agents.understanding.share import Share, lost
from agents.understanding.slots import Slots
from agents.understanding.time.impossible import no_such_time
from agents.understanding.time.lexicon import WEEKDAYS
from agents.understanding.verbs import EVENT_NOUNS, TASK_VERBS, UNSURE_VERBS
from agents.wording import quoted

Handler = Callable[[Intent, Clause, Scene], Share]
HANDLERS: dict[Name, Handler] = {
    "add_task": tasks.add,
    "remind": tasks.remind,
    "complete": tasks.complete,
    "archive": tasks.archive,
    "reopen": tasks.status,
    "start": tasks.status,
    "snooze": tasks.snooze,
    "schedule": events.schedule,
    "move": edits.move,
    "update": edits.update,
    "delete": edits.delete,
    "delete_all": edits.delete_all,
    "note": notes.note,
    "list_create": notes.create_list,
    "list_add": notes.add_to_list,
    "list_remove": notes.take_off_list,
    "instruction": instructions.create,
    "instruction_drop": instructions.drop,
    "instruction_query": queries.instructions,
    "query_tasks": queries.tasks,
    "query_calendar": queries.calendar,
    "free": queries.free,
    "when_is": queries.when_is,
    "list_query": queries.list_lines,
    "note_query": queries.notes,
    "ask_memory": queries.memory,
    "profile_query": queries.profile,
    "focus": focus.coach,
    "undo": lambda intent, clause, scene: undo.take_back(intent, clause.text, scene),
    "redo": lambda _, clause, scene: undo.redo(clause.text, scene),
    "small_talk": lambda intent, clause, scene: smalltalk.small_talk(intent, clause.text, scene),
    "out_of_scope": lambda _, clause, __: smalltalk.out_of_scope(clause.text),
}
QUESTION = re.compile(
    r"(?:what|when|where|who|which|why|how|do|does|did|am|are|is|can|could|will|should|have|has)\b", re.IGNORECASE
)
ASIDE = re.compile(
    r"(?P<body>.{0,400}?)(?:^|[\s,;:]+)(?:(?:and|so|please|can you|could you|just)[\s,]+){0,4}(?:add|put|make|set|keep|save|schedule|book)\s+"
    r"(?:it|that|this|them)\b(?P<as>(?:\s+(?:up|in|down|there|on|onto|as|to|into|a|an|the|my|our|new|recurring|repeating|repeated|weekly|daily|monthly|"
    r"habit|task|todo|to-do|list|event|appointment|calendar|diary|note|idea|thought|reminder))*)(?P<details>(?:[\s,]+(?:without|with|due|by|and|for|at|no)\b.*)?)$",
    re.IGNORECASE,
)
NEED = re.compile(
    r"\b(?:i|we)(?:'m|\s+am|'ve|\s+have|'ll|'d|\s+would|\s+still)*\s*(?:supposed to|like to|love to|have to|need to|got to|going to|want to|gotta|must|should|to)\s+"
    r"(?:do\s+(?:myself\s+)?is\s+)?",
    re.IGNORECASE,
)
THAT_ON = re.compile(
    r"[\s,]*\b(?:(?:so|and|please|will you|can you|could you)\s+){0,4}(?:put|add)\s+(?:that|it|them|this|some)\s+(?:on|to|onto|in)\b",
    re.IGNORECASE,
)
LAST_PART = re.compile(r".*(?:[.;]|,\s+(?:and|but|so|which)\b)\s*", re.IGNORECASE | re.DOTALL)
LONGEST_TIME = 60
PLANNED = re.compile(
    r"(?:(?:i|we)(?:'ve| have)?(?: got)?\s+(?:a|an|my|the|our)\s+|(?:there's|there is)\s+(?:a|an)\s+|(?:my|our)\s+)(?P<what>[\w' -]{2,60}?)(?=\s+(?:is|on|at|from|this|next|tomorrow|today|tonight|with|in|every)\b)",
    re.IGNORECASE,
)
GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening))(?:\s+(?:there|summit|again|everyone))?[\s!.,]*",
    re.IGNORECASE,
)
OWN = re.compile(
    r"\b(?:i|i've|i'm|my|me|we|our|calendar|diary|agenda|events?|meetings?|appointments?|today|tomorrow|tonight|week|wk|weekend|wknd|month|"
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b",
    re.IGNORECASE,
)
MEANS = re.compile(r"(?:what|which) (?:it|that|this) means\b", re.IGNORECASE)
CONDITION = re.compile(r"(?:if|when|suppose|what if)\b", re.IGNORECASE)
NAMED_LIST = re.compile(
    r"\b(?:on|onto|to|in)\s+(?:my|the|our)\s+(?P<list>(?!todo|to-do|to do|task)[\w' -]{2,30}?)\s+list\b", re.IGNORECASE
)
LACK = re.compile(r".*\b(?:out of|no more|more|low on|any|need(?:s)?|some)\s+(?P<thing>[\w' -]{2,60})$", re.IGNORECASE)
PUT = re.compile(r"(?:add|put|enter|stick|pop|get)\s+(?:in\s+)?(?P<rest>.{3,300})", re.IGNORECASE)
REPORTED = re.compile(r"\b(?:said|says|texted|told|wrote|asked|emailed)\b[^'\"]{0,40}['\"“‘]", re.IGNORECASE)
NEGATED = re.compile(
    r"\b(?:not|isn't|haven't|hasn't|wasn't|aren't)\s+(?:\w+\s+){0,2}(?:done|finished|complete)|\b(?:don't|do not|never)\s+(?:\w+\s+)?(?:mark|check|tick|delete|cancel|add|complete|cross|remind)",
    re.IGNORECASE,
)
DATED_WORDS = frozenset({"every", "each", "on", "at", "by", "tomorrow", "today", "tonight", *WEEKDAYS})
MAX_EVENT_WORDS = 9


def handle(clause: Clause, scene: Scene) -> Share:
    """What a clause comes to; statements are remembered as what was told."""
    greeting = GREETING.fullmatch(clause.text.strip())
    if greeting:
        return smalltalk.small_talk(Intent("small_talk", 0.9, {"greeting": greeting[0]}), clause.text, scene)
    text = trim(clause.text)
    plain = Clause(text, clause.context)
    if REPORTED.search(text) or NEGATED.search(text):
        return _told(text, scene)
    nowhere = no_such_time(text)
    if nowhere:
        return lost(nowhere)
    after = _afterwards(plain, scene)
    if after is not None:
        return after
    for intent in _preferred(readings(plain), plain, scene):
        share = HANDLERS[intent.name](intent, Clause(text, clause.context), scene)
        if not share.unclear or intent.name in ("add_task", "remind", "note"):
            return share
    return _bare(plain, scene)


def readings(clause: Clause) -> list[Intent]:
    """The readings worth trying, the most specific first."""
    found = [intent for intent in read(trim(clause.text)) if intent.name in HANDLERS]
    return [intent for intent in found if _fits(intent, clause.text)]


def _preferred(found: list[Intent], clause: Clause, scene: Scene) -> list[Intent]:
    """ "Add" and "put" with a clock time and the name of an appointment mean the calendar."""
    match = PUT.match(clause.text)
    if match is None or (found and found[0].name not in ("add_task", "list_add")):
        return found
    slots = tasks.filled(match["rest"], scene, clause)
    named = EVENT_NOUNS & set(slots.title.lower().replace("'s", "").split())
    when = slots.when
    if named and when and when.timed and when.role == "when" and not _imperative(slots.title.lower().split()):
        return [Intent("schedule", 0.85, {"rest": match["rest"]}), *found]
    return found


def _fits(intent: Intent, text: str) -> bool:
    """Whether a reading may stand for these words at all: "finish the report" is a task, not a report of success."""
    first = text.split(maxsplit=1)[0].lower() if text.split() else ""
    if intent.name == "complete":
        told = re.search(r"\b(?:done|finished|complete[d]?|sorted|behind me|off)\b", text, re.IGNORECASE) is not None
        return told or first not in TASK_VERBS or first in ("complete", "tick", "check", "cross", "mark")
    if intent.name == "query_calendar":
        return OWN.search(text) is not None
    return not (
        intent.name == "move" and first in TASK_VERBS and intent.parts.get("rest", "").startswith(("the old", "my old"))
    )


def _afterwards(clause: Clause, scene: Scene) -> Share | None:
    """The request at the end: "every other friday I submit my timesheet, add that as a task"."""
    listed = _for_a_list(clause, scene)
    if listed is not None:
        return listed
    match = ASIDE.match(clause.text)
    body = (match["body"].strip() or scene.told) if match else ""
    if match is None or not body:
        return None
    rest, purpose = f"{wanted(body)} {match['details']}".strip(), match["as"].lower()
    said = Clause(rest, clause.context)
    if re.search(r"\b(?:event|calendar|diary|appointment|note|idea|thought)\b", purpose) is None:
        hint = "habit " if "habit" in purpose else ""
        return tasks.add(Intent("add_task", 0.8, {"rest": rest}), Clause(hint + rest, clause.context), scene)
    if re.search(r"\b(?:note|idea|thought)\b", purpose):
        category = next(word for word in ("idea", "thought", "note") if word in purpose)
        return notes.note(Intent("note", 0.8, {"rest": body, "category": category}), clause, scene)
    return events.schedule(Intent("schedule", 0.8, {"rest": rest}), said, scene)


def _for_a_list(clause: Clause, scene: Scene) -> Share | None:
    """ "We are out of rice, put that on my shopping list": the thing that is lacking becomes a line."""
    named, aside = NAMED_LIST.search(clause.text), THAT_ON.search(clause.text)
    if named is None or aside is None:
        return None
    body = clause.text[: aside.start()].strip(" ,.;") or scene.told
    lack = LACK.match(re.sub(r"[\s,]+(?:so|and|please|will you|can you|could you)*$", "", body, flags=re.IGNORECASE))
    if lack is None:
        return None
    parts = {"items": lack["thing"], "list": named["list"]}
    return notes.add_to_list(Intent("list_add", 0.8, parts), clause, scene)


def wanted(body: str) -> str:
    """The thing to do in a sentence around it: what follows the last "I have to", with a time that stood before."""
    needs = list(NEED.finditer(body))
    if not needs:
        return LAST_PART.sub("", body) or body
    before = LAST_PART.sub("", body[: needs[-1].start()]).strip()
    return f"{before if len(before) <= LONGEST_TIME and _dated(before) else ''} {body[needs[-1].end() :]}".strip()


def _dated(text: str) -> bool:
    return any(char.isdigit() for char in text) or bool(set(text.lower().split()) & DATED_WORDS)


def _bare(clause: Clause, scene: Scene) -> Share:
    """No request word at all: a fact, a mood, a time with a name, an imperative, or words to ask about."""
    text = clause.text
    facts = profile.facts_in(text)
    if facts and not QUESTION.match(text) and not CONDITION.match(text):
        return profile.remember(facts, text, scene)
    if focus.expresses_energy(text):
        return focus.coach(Intent("focus", 0.8), clause, scene)
    if QUESTION.match(text) and not MEANS.match(text) and (clause.text.endswith("?") or len(text.split()) > 2):
        return lost(text)
    planned = _planned(clause, scene)
    if planned is not None:
        return planned
    if is_statement(text):
        return _told(text, scene)
    return _named(clause, scene)


def _planned(clause: Clause, scene: Scene) -> Share | None:
    """ "We have a meeting on tuesday at 4" and "my trip is from the 3rd to the 7th" put something new on the calendar."""
    match = PLANNED.match(clause.text)
    slots = tasks.filled(clause.text, scene, clause) if match else None
    if match is None or slots is None or not EVENT_NOUNS & set(match["what"].lower().split()):
        return None
    when = slots.when
    if (
        when is None
        or when.role == "deadline"
        or when.moment is None
        or when.moment < scene.now
        or choose.search(match["what"], scene, ("event",), lambda _: True, None)
    ):
        return None
    rest = match["what"] + clause.text[match.end("what") :].replace(" is ", " ", 1)
    return events.schedule(Intent("schedule", 0.7, {"rest": rest}), clause, scene)


def _told(text: str, scene: Scene) -> Share:
    scene.tell(text)
    return smalltalk.heard(text)


def _named(clause: Clause, scene: Scene) -> Share:
    """A bare title: with a clock time and no verb an event, with a verb or a deadline a task."""
    words = clause.text.lower().split()
    slots = tasks.filled(clause.text, scene, clause)
    verb = _imperative(words)
    when = slots.when
    noun = bool(EVENT_NOUNS & set(slots.title.lower().replace("'s", "").split()))
    if (
        when
        and when.role == "when"
        and not verb
        and 0 < len(slots.title.split()) <= MAX_EVENT_WORDS
        and (when.timed or noun)
    ):
        return events.schedule(Intent("schedule", 0.7), clause, scene)
    if noun and when is None and words[0] in EVENT_NOUNS and not verb and len(words) <= MAX_EVENT_WORDS:
        return events.schedule(Intent("schedule", 0.6), clause, scene)
    if verb and len(words) > 1 and slots.title and words[0] in UNSURE_VERBS and not _detailed(slots):
        return _offered(slots, clause, scene)
    if verb and len(words) > 1 and slots.title:
        return tasks.add(Intent("add_task", 0.7), clause, scene)
    if (_detailed(slots) or clause.context) and slots.title and len(slots.title.split()) <= MAX_EVENT_WORDS:
        return tasks.add(Intent("add_task", 0.6), clause, scene)
    return lost(clause.text)


def _detailed(slots: Slots) -> bool:
    return bool(slots.when or slots.priority or slots.minutes or slots.difficulty)


def _offered(slots: Slots, clause: Clause, scene: Scene) -> Share:
    """An imperative that may be meant for Summit itself is offered as a task, not taken as one."""
    return choose.confirm(f"Shall I add {quoted(slots.title)} as a task?", [tasks.one(slots, clause)], scene)


def _imperative(words: list[str]) -> bool:
    """Whether a title begins with a verb: "call mom" does, "call with mom" and "review friday" are things."""
    if words[0] not in TASK_VERBS:
        return False
    return words[0] not in EVENT_NOUNS or (len(words) > 1 and words[1] not in ("with", "w", "w/", "at", "on"))

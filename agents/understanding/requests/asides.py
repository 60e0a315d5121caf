"""Requests that point back: "..., add that as a task", "we are out of rice, put it on my shopping list"."""

from __future__ import annotations

import re

from agents.schedule import FREE_DAYS
from agents.time.lexicon import WEEKDAYS
from agents.understanding.requests import events, lists, notes, tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import EVENT_NOUNS

ASIDE = re.compile(
    r"(?P<body>.{0,400}?)(?:^|(?<![\s,;:])[\s,;:]+)(?:(?:and|so|please|can you|could you|just)[\s,]+){0,4}(?P<verb>add|put|make|"
    r"set|keep|save|schedule|book|write|jot|note|log|record|file|stick|pop|throw|get|enter|block|pencil|chuck|bung|whack)\s+"
    r"(?:it|that|this|them)\b(?P<as>(?:\s+(?:up|in|down|off|out|there|somewhere|for me|on|onto|as|to|into|a|an|the|my|our|new|recurring|"
    r"repeating|repeated|weekly|daily|monthly|"
    r"habit|thing|one|regular|standing|task|todo|to-do|list|event|appointment|calendar|diary|note|idea|thought|"
    r"reminder))*)(?P<details>(?:[\s,]+(?:without|with|due|by|and|for|at|no)\b.*)?)$",
    re.IGNORECASE,
)
NEED = re.compile(
    r"\b(?:i|we)(?:'m|\s+am|'ve|\s+have|'ll|'d|\s+would|\s+still)*\s*(?:supposed to|like to|love to|have to|need "
    r"to|got to|going to|want to|gotta|wanna|must|should|to)\s+"
    r"(?:do\s+(?:myself\s+)?is\s+)?",
    re.IGNORECASE,
)
THAT_ON = re.compile(
    r"(?<![\s,])[\s,]*\b(?:(?:so|and|please|will you|can you|could you)\s+){0,4}(?:put|add|stick|pop|throw|chuck|get)\s+(?:that|it|them|this|those|these|both|"
    r"some)\s+(?:on|to|onto|in)\b",
    re.IGNORECASE,
)
HAVING = re.compile(
    r"^(?P<when>(?:(?:tomorrow|today|on|at|next|this)\b.{0,40}?\s)?)(?:i|we)(?:'ve got| have|'ve)\s+(?!to\b)(?:the|a|an|my)\s+",
    re.IGNORECASE,
)
KEPT = re.compile(
    r"(?:i(?:'ve| have)?\s(?:just\s)?(?:had|got|have)\s)?(?:(?:a|an|this|new|another|random|quick|okay|so)\s+)*(?P<category>idea|thought|note|question)\b[\s,:]*(?P<rest>.{3,400})$",
    re.IGNORECASE,
)
QUESTION = re.compile(r"(?:\w+[\s,]+)?(?:why|how come|when|where|did|have|what|who)\b.*\byou(?: just)?$", re.IGNORECASE)
HAD = re.compile(
    r"(?:(?:so|okay|um|right|well|yeah|oh|hey|and|also|now)[\s,]+)*(?:(?:i|we)(?:(?:'ve| have)? (?:just )?(?:picked up|taken on|signed up for|booked|been given|landed)|'ve got| have got| have|'ve| got|'re having|'m having)|there's|there is)\s+(?!to\b)(?P<what>.{3,300})$",
    re.IGNORECASE,
)
COMES = re.compile(
    r"(?:(?:so|okay|um|right|well|yeah|oh|hey|and|also|now)[\s,]+)*(?P<who>(?:the|my|our|a)?\s?[\w' -]{2,40}?)(?:'s|'re|\s(?:is|are))\s(?:coming|popping|dropping|calling|visiting)"
    r"(?:\s(?:over|round|around|in|by|out|up|down|here))?\s(?P<rest>.{3,200})",
    re.IGNORECASE,
)
DOING = re.compile(
    r"(?:(?:so|okay|um|right|well|yeah|oh|hey|and|also|now)[\s,]+)*(?:(?P<lead>[\w ]{3,40}?)\s)?(?:i'm|we're|i am|we are|i'll be|we'll be)\s(?P<what>\w{3,}ing\b.{3,200})",
    re.IGNORECASE,
)
BLOCKING = frozenset(("block", "pencil", "book"))
KEEPING = frozenset("write jot note keep save record log file".split())
FACT = re.compile(r"\b(?:is|are|was|were)\s+\S|\w's\s+\S|\w:\s+\S", re.IGNORECASE)
BRACKETED = re.compile(
    r"(?<=\S)\s+\((?P<act>(?:save|keep|note|remember|write|add)\s(?:this|that|it)(?: down)?)\)\s*$", re.IGNORECASE
)
LED_IN = re.compile(r"^(?:(?:fyi|btw|so|ok|okay|just|hey)[\s,:]+)+", re.IGNORECASE)
UNABLE = re.compile(r"(?:n't|\b(?:not|never|could|would))$", re.IGNORECASE)
INSIDE = re.compile(r"\s*(?:in|down)\b")
KEPT_ELSEWHERE = re.compile(r"task|to-?do|list|habit|reminder|note|idea|thought")
LAST_PART = re.compile(r"\A.*(?:[.;]|,\s+(?:and|but|so|which)\b)\s*", re.IGNORECASE | re.DOTALL)
LONGEST_TIME = 60
LONGEST_TITLE = 16
"""Words of a task; a longer story before "put that in" is asked about."""
DATED_WORDS = frozenset({"every", "each", "on", "at", "by", "tomorrow", "today", "tonight", *WEEKDAYS})
NAMED_LIST = re.compile(
    r"\b(?:on|onto|to|in)\s+(?:my|the|our)\s+(?P<list>(?!todo|to-do|to do|task)[\w' -]{2,30}?)\s+list\b", re.IGNORECASE
)
LACK = re.compile(r".*\b(?:out of|no more|more|low on|any|need(?:s)?|some)\s+(?P<thing>[\w' -]{2,60})$", re.IGNORECASE)


def afterwards(clause: Clause, scene: Scene) -> Share | None:
    """The request at the end: "every other friday I submit my timesheet, add that as a task"."""
    listed = _for_a_list(clause, scene)
    if listed is not None:
        return listed
    match = ASIDE.match(BRACKETED.sub(r", \g<act>", clause.text))
    body = (match["body"].strip() or scene.told) if match else ""
    if match and not match["body"].strip() and scene.made():
        return _remade(match["as"].lower(), clause, scene)
    if match is None or not body or QUESTION.fullmatch(body) or UNABLE.search(body):
        return None
    noted = _noted(body, match["verb"].lower(), match["as"].strip())
    if noted is not None:
        return notes.note(noted, clause, scene)
    had = _had(body, match["verb"].lower(), match["as"].lower(), clause, scene)
    if had:
        rest = f"{had} {match['details']}".strip()
        return events.schedule(Intent("schedule", 0.8, {"rest": rest}), Clause(rest, clause.context), scene)
    if match["verb"].lower() in BLOCKING and tasks.filled(body, scene, clause).when:
        rest = f"{body} {match['details']}".strip()
        return events.schedule(Intent("schedule", 0.8, {"rest": rest}), Clause(rest, clause.context), scene)
    rest, purpose = f"{wanted(body)} {match['details']}".strip(), match["as"].lower()
    said = Clause(rest, clause.context)
    if re.search(r"\b(?:event|calendar|diary|appointment|note|idea|thought)\b", purpose) is None:
        if _occasion(rest, purpose, clause, scene):
            return events.schedule(Intent("schedule", 0.8, {"rest": rest}), said, scene)
        return _task(rest, purpose, clause, scene)
    if re.search(r"\b(?:note|idea|thought)\b", purpose):
        category = next(word for word in ("idea", "thought", "note") if word in purpose)
        return notes.note(Intent("note", 0.8, {"rest": body, "category": category}), clause, scene)
    rest = HAVING.sub(r"\g<when>", rest)
    return events.schedule(Intent("schedule", 0.8, {"rest": rest}), said, scene)


def _task(rest: str, purpose: str, clause: Clause, scene: Scene) -> Share:
    if len(tasks.filled(rest, scene, clause).title.split()) > LONGEST_TITLE:
        return lost(clause.text)
    hint = "habit " if "habit" in purpose else ""
    return tasks.add(Intent("add_task", 0.8, {"rest": rest}), Clause(hint + rest, clause.context), scene)


def _noted(body: str, verb: str, purpose: str) -> Intent | None:
    """What is only to be kept: an idea, or how something is ("the code is 9981, keep that"); None for a thing to do."""
    kept = KEPT.match(body)
    if kept and purpose in ("", "down"):
        return Intent("note", 0.8, {"rest": kept["rest"], "category": kept["category"]})
    told = verb in KEEPING and purpose in ("", "down", "somewhere", "for me") and FACT.search(body)
    return (
        Intent("note", 0.8, {"rest": LED_IN.sub("", body), "category": "note"})
        if told and not NEED.search(body)
        else None
    )


def _had(body: str, verb: str, purpose: str, clause: Clause, scene: Scene) -> str:
    """What was told to be had at a clock time, when it shall go "in" somewhere: "we have book club at seven"."""
    inside = (INSIDE.match(purpose) or verb in BLOCKING) and not KEPT_ELSEWHERE.search(purpose)
    told, comes = (HAD.match(body), COMES.fullmatch(body)) if inside else (None, None)
    doing = DOING.fullmatch(body) if inside and not (told or comes) else None
    what = told["what"] if told else f"{comes['who']} {comes['rest']}" if comes else ""
    what = f"{doing['what']} {doing['lead'] or ''}" if doing else what
    slots = tasks.filled(what, scene, clause) if what else None
    when = slots.when if slots and slots.title else None
    return what if when and when.timed and when.role in ("when", "until") else ""


def _occasion(rest: str, purpose: str, clause: Clause, scene: Scene) -> bool:
    """Whether what was told is an appointment by its name and clock time, and no task was asked for."""
    slots = tasks.filled(rest, scene, clause)
    named = {word.removesuffix("s") for word in slots.title.lower().split()}
    yearly = slots.repeat is not None and bool(FREE_DAYS & named)
    return not re.search(r"task|to-?do|list|habit|reminder", purpose) and bool(
        yearly or (EVENT_NOUNS & named and slots.when and slots.when.timed)
    )


def _remade(purpose: str, clause: Clause, scene: Scene) -> Share:
    """What was just proposed, as the kind that is asked for afterwards: "... put it in my calendar", "make it a habit"."""
    last = scene.before[-1]
    if re.search(r"\b(?:event|calendar|diary|appointment)\b", purpose) and last.proposals[0].kind == "todo":
        event = events.schedule(Intent("schedule", 0.8, {"rest": wanted(last.text)}), clause, scene)
        if event.proposals:
            last.proposals, last.worker = event.proposals, event.worker
        elif event.questions:
            last.proposals = []
            return event
    elif "habit" in purpose and last.proposals[0].kind == "todo":
        last.proposals[0].fields["kind"] = "habit"
    return Share(text=clause.text)


def _for_a_list(clause: Clause, scene: Scene) -> Share | None:
    """Add what is lacking to a list: "we are out of rice, put that on my shopping list"."""
    named, aside = NAMED_LIST.search(clause.text), THAT_ON.search(clause.text)
    bare = clause.text[aside.end() :].strip(" .!") if aside else ""
    if aside is None or not (named or (bare and len(lists.find_lists(bare, scene)) == 1)):
        return None
    body = clause.text[: aside.start()].strip(" ,.;") or scene.told
    lack = LACK.match(re.sub(r"[\s,]+(?:so|and|please|will you|can you|could you)*$", "", body, flags=re.IGNORECASE))
    if lack is None:
        return None
    parts = {"items": lack["thing"], "list": named["list"] if named else bare}
    return lists.add_to_list(Intent("list_add", 0.8, parts), clause, scene)


def wanted(body: str) -> str:
    """The thing to do in a sentence around it: what follows the last "I have to", with a time that stood before."""
    needs = list(NEED.finditer(body))
    if not needs:
        return LAST_PART.sub("", body) or body
    before = LAST_PART.sub("", body[: needs[-1].start()]).strip()
    return f"{before if len(before) <= LONGEST_TIME and _dated(before) else ''} {body[needs[-1].end() :]}".strip()


def _dated(text: str) -> bool:
    return any(char.isdigit() for char in text) or bool(set(text.lower().split()) & DATED_WORDS)

"""Requests that point back: "..., add that as a task", "we are out of rice, put it on my shopping list"."""

from __future__ import annotations

import re

from agents.schedule import FREE_DAYS
from agents.time.lexicon import WEEKDAYS
from agents.understanding.grammar import patterns_of
from agents.understanding.requests import events, lists, notes, tasks
from agents.understanding.scene import Scene
from agents.understanding.share import Share, lost
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent
from agents.understanding.text.verbs import EVENT_NOUNS

P = patterns_of(__name__)
NEED = P.NEED
QUESTION = P.QUESTION
BLOCKING = frozenset(("block", "pencil", "book"))
KEEPING = frozenset("write jot note keep save record log file".split())
LONGEST_TIME = 60
LONGEST_TITLE = 16
"""Words of a task; a longer story before "put that in" is asked about."""
DATED_WORDS = frozenset({"every", "each", "on", "at", "by", "tomorrow", "today", "tonight", *WEEKDAYS})


def afterwards(clause: Clause, scene: Scene) -> Share | None:
    """The request at the end: "every other friday I submit my timesheet, add that as a task"."""
    listed = _for_a_list(clause, scene)
    if listed is not None:
        return listed
    match = P.ASIDE.match(P.BRACKETED.sub(r", \g<act>", clause.text))
    body = (match["body"].strip() or scene.told) if match else ""
    if match and not match["body"].strip() and scene.made():
        return _remade(match["as"].lower(), clause, scene)
    if match is None or not body or QUESTION.fullmatch(body) or P.UNABLE.search(body):
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
    rest = P.HAVING.sub(r"\g<when>", rest)
    return events.schedule(Intent("schedule", 0.8, {"rest": rest}), said, scene)


def _task(rest: str, purpose: str, clause: Clause, scene: Scene) -> Share:
    if len(tasks.filled(rest, scene, clause).title.split()) > LONGEST_TITLE:
        return lost(clause.text)
    hint = "habit " if "habit" in purpose else ""
    return tasks.add(Intent("add_task", 0.8, {"rest": rest}), Clause(hint + rest, clause.context), scene)


def _noted(body: str, verb: str, purpose: str) -> Intent | None:
    """What is only to be kept: an idea, or how something is ("the code is 9981, keep that"); None for a thing to do."""
    kept = P.KEPT.match(body)
    if kept and purpose in ("", "down"):
        return Intent("note", 0.8, {"rest": kept["rest"], "category": kept["category"]})
    told = verb in KEEPING and purpose in ("", "down", "somewhere", "for me") and P.FACT.search(body)
    return (
        Intent("note", 0.8, {"rest": P.LED_IN.sub("", body), "category": "note"})
        if told and not NEED.search(body)
        else None
    )


def _had(body: str, verb: str, purpose: str, clause: Clause, scene: Scene) -> str:
    """What was told to be had at a clock time, when it shall go "in" somewhere: "we have book club at seven"."""
    inside = (P.INSIDE.match(purpose) or verb in BLOCKING) and not P.KEPT_ELSEWHERE.search(purpose)
    told, comes = (P.HAD.match(body), P.COMES.fullmatch(body)) if inside else (None, None)
    doing = P.DOING.fullmatch(body) if inside and not (told or comes) else None
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
    named, aside = P.NAMED_LIST.search(clause.text), P.THAT_ON.search(clause.text)
    bare = clause.text[aside.end() :].strip(" .!") if aside else ""
    if aside is None or not (named or (bare and len(lists.find_lists(bare, scene)) == 1)):
        return None
    body = clause.text[: aside.start()].strip(" ,.;") or scene.told
    lack = P.LACK.match(re.sub(r"[\s,]+(?:so|and|please|will you|can you|could you)*$", "", body, flags=re.IGNORECASE))
    if lack is None:
        return None
    parts = {"items": lack["thing"], "list": named["list"] if named else bare}
    return lists.add_to_list(Intent("list_add", 0.8, parts), clause, scene)


def wanted(body: str) -> str:
    """The thing to do in a sentence around it: what follows the last "I have to", with a time that stood before."""
    needs = list(NEED.finditer(body))
    if not needs:
        return P.LAST_PART.sub("", body) or body
    before = P.LAST_PART.sub("", body[: needs[-1].start()]).strip()
    return f"{before if len(before) <= LONGEST_TIME and _dated(before) else ''} {body[needs[-1].end() :]}".strip()


def _dated(text: str) -> bool:
    return any(char.isdigit() for char in text) or bool(set(text.lower().split()) & DATED_WORDS)

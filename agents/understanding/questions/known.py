"""Plain facts: kept when they are told ("my locker code is 4417", "remember that ..."), and found again when asked for."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.phrases import NOT_TOLD_NOR_NOTED
from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items.lately import covers
from agents.understanding.questions.stored import text_of
from agents.understanding.references import candidates, words_of
from agents.understanding.requests import profile
from agents.understanding.requests.notes import set_apart, summary_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
PROFILE_FIELDS = frozenset("name job location college course".split())
OTHERS = frozenset("next agenda calendar day schedule week task tasks list plan todo todos time date weather".split())
PROFILE_OWN = frozenset("name job location city college course interests hobbies profile".split())


def known_facts(clause: Clause, scene: Scene) -> Share | None:
    """A fact about the user, or a note of what shall be remembered; None for everything else."""
    said = clause.text.strip(" .!")
    kept = P.REMEMBER.fullmatch(said) or P.REMEMBERED.fullmatch(said)
    what = next(text.strip() for text in kept.groups() if text) if kept else ""
    written = kept is not None and P.WRITTEN_DOWN.match(said) is not None and not P.OWN.match(what)
    facts = {} if written else _facts(what or said, scene)
    if facts:
        return profile.remember(facts, clause.text, scene)
    if kept is None:
        return None
    fields = {"category": "note", "content": what, "summary": summary_of(what)} | set_apart(what, scene, clause)
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked to remember it"))


def known_fact_answer(clause: Clause, scene: Scene) -> Share | None:
    """What is known about a thing: a fact by its name, else the notes that have all the words."""
    match = P.KNOWN_FACT_QUESTION.fullmatch(clause.text.strip())
    if match is None:
        return None
    what = match["what"] or match["allergic"]
    noted = P.NOTED.search(what)
    what = P.NAME_OF.sub("", what[: noted.start()] if noted else what)
    wanted = words_of(what)
    if not wanted or set(what.lower().split()) & OTHERS:
        return None
    facts = scene.ask.records.profile.facts if scene.ask.records.profile else {}
    found = [_said(name, value) for name, value in facts.items() if covers(name, wanted)]
    if found:
        return answer(clause.text, *found[:3])
    kept = [item for item in scene.items("note") if covers(text_of(item), wanted)]
    meant = candidates(what, scene.items("event", "todo"))
    if kept and len(wanted) > 1:  # a note of all the words says more than an item of some
        meant = [item for item in meant if covers(item.title, wanted)]
    if meant and not P.CALLED.search(clause.text):
        return None
    if kept:
        return answer(clause.text, *[f"You noted: {text_of(item)}" for item in kept[:3]])
    return answer(clause.text, NOT_TOLD_NOR_NOTED) if P.CALLED.search(clause.text) else None


def forgotten(clause: Clause, scene: Scene) -> Share | None:
    """A fact that no longer holds, taken out of the profile: "forget my shoe size", "i'm not vegetarian any more"."""
    match = P.FORGOTTEN.fullmatch(clause.text.strip(" .!"))
    known = scene.ask.records.profile if match else None
    if match is None or known is None:
        return None
    field = (match["what"] or "").lower()
    if field in PROFILE_FIELDS and getattr(known, field, None):
        return profile.amend({field: None}, clause, scene)
    gone = [name for name in known.facts if (name == "diet" if match["diet"] else name == field)]
    left = {name: value for name, value in known.facts.items() if name not in gone}
    return profile.amend({"facts": left}, clause, scene) if gone else None


def _facts(said: str, scene: Scene) -> dict[str, Any]:
    """The profile fields that a text states beginning with such a fact; none when it says anything besides."""
    found: dict[str, str] = {}
    place = 0
    while place < len(said):
        match = P.FACT.match(said, place)
        name = _name(match).replace("’", "'").lower() if match else ""
        if match is None or name in PROFILE_OWN or _at_a_time(match, scene):
            others = profile.facts_since(said[place:], scene) if found else {}
            return {**others, "facts": found} if others else {}
        found[name] = next(
            text for text in match.group("value", "is", "key", "called", "names", "to", "diet") if text
        ).strip(" .!")
        place = match.end()
    return {"facts": found} if found else {}


def _name(match: re.Match[str]) -> str:
    """What a fact is called: "the code for the gate" is the gate code."""
    if match["kind"]:
        return f"{match['whose']} {match['kind']}"
    if match["secret"]:
        return match["secret"].lower().removesuffix(" is ")
    return match["thing"] or match["person"] or match["people"] or ("diet" if match["diet"] else "allergic to")


def _at_a_time(match: re.Match[str], scene: Scene) -> bool:
    """A size or a number is a fact; with a clock time it is an appointment, and "every year" is a series."""
    times = find_times(match["value"] or "", scene.clock)
    if P.NUMBERED.search(match["thing"] or "") and P.SPELLED.match(match["value"] or ""):
        return any(time.kind == "set" or time.day_said for time in times)
    return any(time.timed or time.kind == "set" for time in times)


def _said(name: str, value: str) -> str:
    return f"You are {name} {value}." if name == "allergic to" else f"Your {name}: {value}."

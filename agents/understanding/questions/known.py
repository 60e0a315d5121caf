"""Plain facts: kept when they are told ("my locker code is 4417", "remember that ..."), and found again when asked for."""

from __future__ import annotations

import re

from agents.contract import Proposal
from agents.understanding.questions.stored import text_of
from agents.understanding.references import alike, candidates, words_of
from agents.understanding.requests import profile
from agents.understanding.requests.notes import summary_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.text.clauses import Clause
from agents.understanding.time.search import find_times

REMEMBER = re.compile(
    r"(?:please\s+)?(?:remember|keep in mind|bear in mind|don't forget|for (?:the record|future reference)|fyi|note)"
    r"(?:\s+that\b|\s*[:,-])\s*(?P<what>(?!i (?:have|need|want|must) to\b|to\b)[^?]{4,400})$|"
    r"(?:please\s+)?remember\s+(?P<plain>(?!i\b|i'm\b|i've\b|my name\b|when\b|what\b|to\b)(?:[\w'’-]+\s+){1,6}?(?:is|are|was|were|has|have|likes?|hates?|needs?|prefers?|lives?|wants?|takes?|"
    r"costs?|closes?|opens?|starts?|works?|can't|doesn't|don't|isn't|never)\b[^?]{1,300})$",
    re.IGNORECASE,
)
THINGS = (
    r"(?:names?|code|passcode|password|passphrase|pin|number|plate|size|birthday|anniversary|address|e-?mail|phone|blood type|"
    r"account|username|login|iban|nickname|star sign|height|weight|diet|allerg(?:y|ies)|pronouns|maiden name|wi-?fi)"
)
PEOPLE = (
    r"(?:sister|brother|wife|husband|partner|girlfriend|boyfriend|mother|mom|mum|father|dad|son|daughter|boss|manager|"
    r"dentist|doctor|gp|landlord|neighbou?r|dog|cat|pet|best friend|roommate|flatmate|therapist|accountant|hairdresser)"
)
OF = r"(?:code|passcode|password|passphrase|pin|number|address|e-?mail|login|username|combination)"
END = r"(?:$|[,;.]?\s+and\s+(?=(?:my|i)\b)|[,;]\s+(?=(?:my|i)\b))"
FACT = re.compile(
    rf"my (?P<thing>(?:[\w'’-]+\s+){{0,3}}?{THINGS}|favou?rite\s+[\w' -]{{2,30}}?)\s*(?:is|are|'s|:|=)\s+(?:now\s+|actually\s+)?"
    rf"(?P<value>[^?,;]{{1,120}}?){END}|"
    rf"the (?P<kind>(?:[\w'’-]+\s+){{0,2}}?{OF}) (?:for|of|to|on) (?:the|my|our) (?P<whose>[\w' -]{{2,40}}?) is (?P<is>[^?,;]{{1,120}}?){END}|"
    rf"my (?P<person>{PEOPLE})(?:\s+is|'s)\s+(?:called|named)\s+(?P<called>[^?,;]{{2,60}}?){END}|"
    rf"i(?:'m| am) (?P<allergic>allergic) to (?P<to>[^?;]{{2,80}}?){END}",
    re.IGNORECASE,
)
ASKED = re.compile(
    r"(?:(?:and|so|hey|ok|please)\s+)*(?:what(?:'s| is| was| are)|where(?:'s| is| are| did i (?:put|leave|hide))|who(?:'s| is)|"
    r"tell me|do you (?:know|remember)(?: what| where)?|remind me what|which)\s+(?:(?P<mine>my)|the|our|a)\s+(?P<what>.{2,100}?)"
    r"(?:\s+(?:is|are|again|called|was))*[?.!\s]*$|"
    r"what am i (?P<allergic>allergic) to[?\s]*$",
    re.IGNORECASE,
)
NOTED = re.compile(r"\s+(?P<category>idea|note|thought|question)$", re.IGNORECASE)
OTHERS = frozenset("next agenda calendar day schedule week task tasks list plan todo todos time date weather".split())
PROFILE_OWN = frozenset("name job location city college course interests hobbies profile".split())


def told(clause: Clause, scene: Scene) -> Share | None:
    """A fact about the user, or a note of what shall be remembered; None for everything else."""
    said = clause.text.strip(" .!")
    kept = REMEMBER.fullmatch(said)
    what = (kept["what"] or kept["plain"]).strip() if kept else ""
    facts = _facts(what or said, scene)
    if facts:
        return profile.remember({"facts": facts}, clause.text, scene)
    if kept is None:
        return None
    fields = {"category": "note", "content": what, "summary": summary_of(what)}
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked to remember it"))


def asked(clause: Clause, scene: Scene) -> Share | None:
    """What is known about a thing: a fact by its name, else the notes that have all the words."""
    match = ASKED.fullmatch(clause.text.strip())
    if match is None:
        return None
    what = match["what"] or match["allergic"]
    noted = NOTED.search(what)
    what = what[: noted.start()] if noted else what
    wanted = words_of(what)
    if not wanted or set(what.lower().split()) & OTHERS:
        return None
    facts = scene.ask.records.profile.facts if scene.ask.records.profile else {}
    found = [_said(name, value) for name, value in facts.items() if _covers(name, wanted)]
    if found:
        return answer(clause.text, *found[:3])
    if candidates(what, scene.items("event", "todo")):
        return None
    kept = [item for item in scene.items("note") if _covers(text_of(item), wanted)]
    return answer(clause.text, *[f"You noted: {text_of(item)}" for item in kept[:3]]) if kept else None


def _facts(said: str, scene: Scene) -> dict[str, str]:
    """The facts that a text states; none when it says anything besides."""
    found: dict[str, str] = {}
    place = 0
    while place < len(said):
        match = FACT.match(said, place)
        name = _name(match).replace("’", "'").lower() if match else ""
        if match is None or name in PROFILE_OWN or _at_a_time(match, scene):
            return {}
        found[name] = (match["value"] or match["is"] or match["called"] or match["to"]).strip(" .!")
        place = match.end()
    return found


def _name(match: re.Match[str]) -> str:
    """What a fact is called: "the code for the gate" is the gate code."""
    if match["kind"]:
        return f"{match['whose']} {match['kind']}"
    return match["thing"] or match["person"] or "allergic to"


def _at_a_time(match: re.Match[str], scene: Scene) -> bool:
    """A size or a number is a fact; with a clock time it is an appointment, and "every year" is a series."""
    return any(time.timed or time.kind == "set" for time in find_times(match["value"] or "", scene.clock))


def _covers(text: str, wanted: list[str]) -> bool:
    have = words_of(text)
    return all(any(alike(word, other) for other in have) for word in wanted)


def _said(name: str, value: str) -> str:
    return f"You are {name} {value}." if name == "allergic to" else f"Your {name}: {value}."

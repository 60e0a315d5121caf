"""Plain facts: kept when they are told ("my locker code is 4417", "remember that ..."), and found again when asked for."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.time import find_times
from agents.understanding.questions.stored import text_of
from agents.understanding.references import alike, candidates, words_of
from agents.understanding.requests import profile
from agents.understanding.requests.notes import set_apart, summary_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer, change
from agents.understanding.text.clauses import Clause

REMEMBER = re.compile(
    r"(?:please\s+)?(?:remember|keep in mind|bear in mind|don't forget|for (?:the record|future reference)|fyi|note|(?:save|keep|store|jot down|write down|note down)(?:\s+this)?(?=\s*:))"
    r"(?:\s+that\b|\s*[:,-])\s*(?P<what>(?!i (?:have|need|want|must) to\b|to\b)[^?]{4,400})$|"
    r"(?:please\s+)?remember\s+(?P<plain>(?!i\b|i'm\b|i've\b|my name\b|when\b|what\b|to\b)(?:[\w'’-]+\s+){1,6}?(?:is|are|was|were|has|have|likes?|hates?|needs?|prefers?|lives?|wants?|takes?|"
    r"costs?|closes?|opens?|starts?|works?|can't|doesn't|don't|isn't|never)\b[^?]{1,300})$",
    re.IGNORECASE,
)
REMEMBERED = re.compile(
    r"(?P<what>(?!i (?:have|need|want|must) to\b|to\b)[^?]{4,400}?)(?<![\s,.;:–-])[\s,.;:–-]+(?:please\s+|can you\s+|and\s+){0,6}"
    r"(?:remember (?:that|this|it)|(?:make|keep|take) (?:a )?note(?: of (?:that|this|it))?|note (?:that|this|it)(?: down)?|keep (?:that|this|it) in mind|"
    r"for (?:the record|future reference)|don't forget (?:that|this|it))(?:\s+(?:please|for me|down|for later))*",
    re.IGNORECASE,
)
WRITTEN_DOWN = re.compile(r"(?:please\s+)?(?:note|save|keep|store|jot|write)\b", re.IGNORECASE)
OWN = re.compile(r"(?:my|i|i'm)\b", re.IGNORECASE)
THINGS = (
    r"(?:names?|code|passcode|password|passphrase|pin|number|plate|size|birthday|bday|anniversary|address|e-?mail|phone|blood type|"
    r"account|username|login|iban|nickname|star sign|height|weight|diet|allerg(?:y|ies)|pronouns|maiden name|wi-?fi)"
)
PEOPLE = (
    r"(?:sister|brother|wife|husband|partner|girlfriend|boyfriend|mother|mom|mum|father|dad|son|daughter|boss|manager|"
    r"dentist|doctor|gp|landlord|neighbou?r|dog|cat|pet|best friend|roommate|flatmate|therapist|accountant|hairdresser)"
)
FAMILY = r"(?:kids|children|sons|daughters|boys|girls|twins|parents|sisters|brothers|dogs|cats|pets|roommates|flatmates|grandkids|grandparents)"
NO_NAME = "away|back|home|out|off|ill|sick|coming|here|there|at|in|on|both|all|so|very|not|too|going|visiting|staying|big|small|tired|happy|old|young"
OF = r"(?:code|passcode|password|passphrase|pin|number|address|e-?mail|login|username|combination)"
NUMBERED = re.compile(r"(?:number|code|pin|plate)$", re.IGNORECASE)
CODED = r"(?:code|passcode|pin|combination)"
DIGITS = r"(?:(?:hash|star)\s)?(?:\d|(?:zero|oh|two|three|four|five|six|seven|eight|nine|one(?! of\b)|double|triple)\b)"
NO_VALUE = r"(?:wrong|not|now wrong|the same|still|too|in|on|at|under|expired|expiring|broken|about|due|what|changed|reset|being|written|saved|needed|gone|out|good|fine|ok|okay|bad|weak|easy|hard)\b"
SPELLED = re.compile(rf"{DIGITS}", re.IGNORECASE)
END = r"(?:$|[,;.]?\s+and\s+(?=(?:my|i|i'm|we|we're)\b)|[,;]\s+(?=(?:my|i|i'm|we|we're)\b))"
DIET = r"vegetarian|vegan|pescatarian|(?:gluten|lactose|dairy|nut|sugar)[ -]free|(?:lactose|gluten)[ -]intolerant|c(?:o)?eliac|diabetic|teetotal"
FACT = re.compile(
    rf"my (?P<thing>(?:[\w'’-]+\s+){{0,3}}?{THINGS}|favou?rite\s+[\w' -]{{2,30}}?)\s*(?:is|are|'s|:|=)\s+(?:now\s+|actually\s+)?"
    rf"(?P<value>[^?,;]{{1,120}}?){END}|"
    rf"the (?P<kind>(?:[\w'’-]+\s+){{0,2}}?{OF}) (?:(?:for|of|to|on) (?:the|my|our)|(?:at|in)(?: the| my| our)?) (?P<whose>[\w' -]{{2,40}}?) is (?P<is>[^?,;]{{1,120}}?){END}|"
    rf"the (?P<secret>(?:[\w'’-]+\s+){{0,2}}?(?:{CODED} is (?={DIGITS})|pass(?:word|phrase) is (?!{NO_VALUE})))(?P<key>[^?,;]{{1,60}}?){END}|"
    rf"my (?P<person>{PEOPLE})(?:\s+is|'s)\s+(?:called|named)\s+(?P<called>[^?,;]{{2,60}}?){END}|"
    rf"my (?P<people>{FAMILY})\s+are\s+(?:(?:called|named)\s+)?(?P<names>(?!(?:{NO_NAME})\b)[^\W\d_][\w'-]+(?:,\s*[\w'-]+){{0,6}},?\s+(?:and|&)\s+[\w'-]+){END}|"
    rf"i(?:'m| am) (?P<allergic>allergic) to (?P<to>[^?;]{{2,80}}?){END}|"
    rf"i(?:'m| am) (?:an? |strictly |now |mostly )*(?P<diet>{DIET}){END}",
    re.IGNORECASE,
)
KNOWN_FACT_QUESTION = re.compile(
    r"(?:(?:and|so|hey|ok|please)\s+)*(?:what(?:'s| is| was| are)|where(?:'s| is| are| did i (?:put|leave|hide))|who(?:'s| is| are)|"
    r"(?P<when>when(?:'s| is))|tell me(?: what| where| who)?|do you (?:know|remember)(?: what| where| when)?|remind me (?:what|when)|which)\s+(?:(?:(?P<mine>my)|the|our|a)\s+|(?=[\w-]+'s\s))(?P<what>.{2,100}?)"
    r"(?:\s+(?:is|are|again|called|was))*[?.!\s]*$|"
    r"what am i (?P<allergic>allergic) to[?\s]*$",
    re.IGNORECASE,
)
FORGOTTEN = re.compile(
    rf"(?:please\s+)?(?:forget|remove|delete|clear|erase)\s+my\s+(?P<what>[\w' -]{{2,40}})|"
    rf"i(?:'m| am)\s+(?:not|no longer)\s+(?:an?\s+)?(?P<diet>{DIET})(?:\s+(?:any ?more|any longer|now|these days))*",
    re.IGNORECASE,
)
PROFILE_FIELDS = frozenset("name job location college course".split())
CALLED = re.compile(
    rf"\bcalled[?\s]*$|^who(?:'s| is| are) (?:my|the|our) (?:{PEOPLE}|{FAMILY})[?\s]*$|^what(?:'s| is| are) my (?:[\w'’-]+\s+){{0,3}}?{THINGS}[?\s]*$",
    re.IGNORECASE,
)
UNKNOWN = "You have not told me that, and I found nothing about it in your notes."
NOTED = re.compile(r"\s+(?P<category>idea|note|thought|question)$", re.IGNORECASE)
NAME_OF = re.compile(r"(?<=\w)(?:'?s)\s+names?$")
OTHERS = frozenset("next agenda calendar day schedule week task tasks list plan todo todos time date weather".split())
PROFILE_OWN = frozenset("name job location city college course interests hobbies profile".split())


def known_facts(clause: Clause, scene: Scene) -> Share | None:
    """A fact about the user, or a note of what shall be remembered; None for everything else."""
    said = clause.text.strip(" .!")
    kept = REMEMBER.fullmatch(said) or REMEMBERED.fullmatch(said)
    what = next(text.strip() for text in kept.groups() if text) if kept else ""
    written = kept is not None and WRITTEN_DOWN.match(said) is not None and not OWN.match(what)
    facts = {} if written else _facts(what or said, scene)
    if facts:
        return profile.remember(facts, clause.text, scene)
    if kept is None:
        return None
    fields = {"category": "note", "content": what, "summary": summary_of(what)} | set_apart(what, scene, clause)
    return change(clause.text, Proposal(op="create", kind="note", fields=fields, reason="you asked to remember it"))


def known_fact_answer(clause: Clause, scene: Scene) -> Share | None:
    """What is known about a thing: a fact by its name, else the notes that have all the words."""
    match = KNOWN_FACT_QUESTION.fullmatch(clause.text.strip())
    if match is None:
        return None
    what = match["what"] or match["allergic"]
    noted = NOTED.search(what)
    what = NAME_OF.sub("", what[: noted.start()] if noted else what)
    wanted = words_of(what)
    if not wanted or set(what.lower().split()) & OTHERS:
        return None
    facts = scene.ask.records.profile.facts if scene.ask.records.profile else {}
    found = [_said(name, value) for name, value in facts.items() if _covers(name, wanted)]
    if found:
        return answer(clause.text, *found[:3])
    kept = [item for item in scene.items("note") if _covers(text_of(item), wanted)]
    meant = candidates(what, scene.items("event", "todo"))
    if kept and len(wanted) > 1:  # a note of all the words says more than an item of some
        meant = [item for item in meant if _covers(item.title, wanted)]
    if meant and not CALLED.search(clause.text):
        return None
    if kept:
        return answer(clause.text, *[f"You noted: {text_of(item)}" for item in kept[:3]])
    return answer(clause.text, UNKNOWN) if CALLED.search(clause.text) else None


def forgotten(clause: Clause, scene: Scene) -> Share | None:
    """A fact that no longer holds, taken out of the profile: "forget my shoe size", "i'm not vegetarian any more"."""
    match = FORGOTTEN.fullmatch(clause.text.strip(" .!"))
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
        match = FACT.match(said, place)
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
    if NUMBERED.search(match["thing"] or "") and SPELLED.match(match["value"] or ""):
        return any(time.kind == "set" or time.day_said for time in times)
    return any(time.timed or time.kind == "set" for time in times)


def _covers(text: str, wanted: list[str]) -> bool:
    have = words_of(text)
    return all(any(alike(word, other) for other in have) for word in wanted)


def _said(name: str, value: str) -> str:
    return f"You are {name} {value}." if name == "allergic to" else f"Your {name}: {value}."

"""What is left when the name of a stored thing is taken out of a clause: "nordlys invoice is out the door", "hanna call 15 min earlier".

Every word must belong to the name, to the act or to breath: what says anything else is read elsewhere.
"""

from __future__ import annotations

import re
from datetime import timedelta

from agents.contract import Op
from agents.records import Kind
from agents.time import find_times
from agents.understanding.items import choose, series
from agents.understanding.references import Item
from agents.understanding.requests.tasks import filled, hint_day, is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots, tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.text.filler import trim

LONGEST = 16
ASIDE = re.compile(
    r"\s*\([^()]{2,60}\)\s*$|\s+(?:lol|haha+|finally|btw|tho|though|yay|woo+|phew|thank god|:\)|!+)\s*$", re.IGNORECASE
)
SUBJECT = re.compile(
    r"^(?:(?:i|i've|i have|we|we've|we have)\s+)?(?:(?:just|finally|already|now|also|actually|at last)\s+)*",
    re.IGNORECASE,
)
INVERTED = re.compile(
    r"(?:did|do|does|have|has|is|are|was|were|am|can|could|should|will|would)\s+(?:i|we|you|he|she|it|they|there|anyone)\b",
    re.IGNORECASE,
)
"""Words in the order of a question: "did i pay the water bill"."""
NOT_YET = re.compile(
    r"\?|\b(?:not|isn't|aren't|wasn't|haven't|hasn't|didn't|never|will|going to|gonna|should|must|need|needs|if|when|once|until|before|nearly|almost|half|who|what)\b",
    re.IGNORECASE,
)
RESIDUE_QUESTION = re.compile(
    r"\?\s*$|^\W*(?:(?:so|and|um|hey|wait|but)\s+)*(?:did|do|does|is|are|was|were|should|can|could|will|would|am|have|has)\s+(?:i|we|you|the|my|our|that|it)\b",
    re.IGNORECASE,
)
BE = r"(?:(?:is|are|was|were|has been|have been|has|have|got|'s|all|now|finally|already|officially|well and truly)\s+){0,6}"
DONE = re.compile(
    rf"(?:^|\s){BE}(?:done (?:and|n|&) dusted|over (?:and|n|&) done(?: with)?|out (?:of )?the (?:door|way)|in the (?:bag|post|mail|bank)|(?:taken care of|dealt with|seen to)|off my (?:plate|desk|chest|mind)|"
    r"ticked off|knocked out|wrapped up|handed in|turned in|sent (?:off|out|over|back)|(?:signed|dropped|paid|finished|posted|packed) off|"
    r"paid|sent|posted|returned|collected|printed|signed|uploaded|emailed|mailed|cleaned|washed|repaired|mended|planted|watered|delivered|bought|shipped|launched|published|deployed|merged|released|approved|"
    r"all set|nailed|smashed|submitted|handled|sorted|finished|completed?|done)(?:\s*(?:and|n|&|\+)\s*(?:sent|posted|submitted|done|paid|returned|filed|dusted|delivered|handed in|sent off|uploaded|signed))?(?=\s|$)",
    re.IGNORECASE,
)
DID = re.compile(
    r"^(?:handed in|turned in|submitted|uploaded|delivered|sent (?:off|out|over)|dropped off|picked up|collected|posted|filed|signed(?: off)?|paid(?: off)?|nailed|smashed|finished(?: off)?|completed|"
    r"knocked out|got (?:through|round to)|dealt with|took care of|did|crossed off|ticked off|sorted(?: out)?|wrapped up|cracked)\s+",
    re.IGNORECASE,
)
GONE = re.compile(
    r"(?:^|\s)(?:is |are |'s )?(?:no longer (?:needed|necessary|happening|relevant|required)|(?:isn't|aren't|is not|are not|not|won't be|will not be) (?:needed|necessary|happening|relevant|required|going ahead|going to happen)(?: (?:any ?more|any longer|now|after all))?|"
    r"(?:has |have )?(?:fallen|fell) through|can go(?: now)?|(?:has been |was |got )?(?:scrapped|binned|called off))$|"
    r"^(?:i |we )?(?:don't|do not|won't|no longer) (?:need|want)(?: to do)?\s+(?=.{2,80}\s(?:any ?more|any longer|now|after all)$)|^(?:no need for|never ?mind(?: about)?|forget(?: about)?|not doing|sack off|(?:i'm |we're )?(?:not (?:going to|gonna) (?:bother(?: with)?|do)|not bothering with|giving up on)|(?:i )?can't be bothered (?:with|to))\s+|"
    r"\s(?:any ?more|any longer|now|after all)$",
    re.IGNORECASE,
)
NEEDLESS = re.compile(
    r"\b(?:don't|do not|won't|no longer|not|isn't|aren't|no need|never ?mind|forget|fell|fallen|can go|scrapped|binned|called off|sack off|giving up|can't be bothered)\b",
    re.IGNORECASE,
)
CALL = r"(?:zoom|teams|google meet|meet|skype|facetime|slack|whatsapp)"
ONLINE = re.compile(
    rf"(?P<what>.{{2,60}}?)\s+(?:is|will be|'s|has gone|has moved|moved|going|gone|->)\s+(?:now |going to be |to |to be )*(?:on |via |over )?(?P<how>online|virtual|remote|in person|{CALL})"
    rf"(?: now| instead)?(?:\s*[-,(]\s*(?:on |via |over )?(?P<by>{CALL})\)?)?(?: now| instead)?(?:,? same times?)?",
    re.IGNORECASE,
)
AT = re.compile(
    r"(?P<what>.{2,60}?)\s+(?:is|will be|'s)\s+(?:at|in)\s+(?P<at>(?!(?:progress|order|time|risk)\b)[\w'& .-]{2,40})",
    re.IGNORECASE,
)
SHIFT = re.compile(
    r"(?P<put>(?:can we |let's |please )?(?:put|push|bring|move|pull|make|start|do|shift)\s+)?(?P<what>.{2,80}?)(?P<being>\s+(?:is|are|was|will be|needs to be|has to be|got|can be|has been)(?: now| moved| pushed)?)?[\s,]+(?P<way>back|forward|up|on)?\s*(?:by\s+)?"
    r"(?P<long>(?:an?|half an?|\d+(?:[.:]\d+)?|one|two|three|five|ten|fifteen|twenty|thirty|forty-five|quarter of an|three quarters of an|a couple of|an hour and a half)\s*(?:hours?|hrs?|h|minutes?|mins?|m|days?|weeks?|wks?)(?: and a half)?)"
    r"\s*(?P<then>earlier|later|sooner|back|forward)?(?:\s+(?:please|pls|now|if possible|instead))*",
    re.IGNORECASE,
)


PRICE = re.compile(
    r"(?<![\s,])[\s,]*(?:,|\bfor|-)\s*(?:[€$£]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[€$£]|eur|euros?|usd|dollars?|quid|pounds?|bucks))$",
    re.IGNORECASE,
)
"""What a thing that is dealt with cost: "tickets bought, 89 eur"."""


def left_over(clause: Clause, scene: Scene) -> Share | None:
    """The one act on the one thing named; None when the clause says more than that, or names nothing stored."""
    text = PRICE.sub("", ASIDE.sub("", trim(clause.text)))
    if not 1 < len(text.split()) <= LONGEST or INVERTED.match(text) or f"{text}?".lower() in scene.ask.text.lower():
        return None
    readings = (_shifted, _done, _placed, _gone)
    return next((share for read in readings if (share := read(text, clause, scene)) is not None), None)


def _done(text: str, clause: Clause, scene: Scene) -> Share | None:
    said = SUBJECT.sub("", text)
    rest = DID.sub("", said) if DID.match(said) else DONE.sub(" ", said) if DONE.search(said) else ""
    told = not NOT_YET.search(text) and not RESIDUE_QUESTION.search(clause.text)
    return _closed("complete", rest, clause, scene) if rest and told else None


def _placed(text: str, clause: Clause, scene: Scene) -> Share | None:
    """An event that takes place on a line or in a room, said without more: "the pitch is virtual now - teams"."""
    match = ONLINE.fullmatch(text) or AT.fullmatch(text)
    found = _named(filled(match["what"], scene, clause), ("event",), scene) if match else []
    said = match.groupdict() if match else {}
    place = said.get("by") or said.get("how") or said.get("at") or ""
    if said.get("at") and (
        find_times(place, scene.clock, bare=True) or [item for item in found if getattr(item.record, "location", None)]
    ):
        return None
    if len(found) != 1:
        return None
    return change(clause.text, choose.propose(found[0], "update", {"location": place}, "it has another place"))


def _gone(text: str, clause: Clause, scene: Scene) -> Share | None:
    if not NEEDLESS.search(text) or RESIDUE_QUESTION.search(clause.text):
        return None
    rest = GONE.sub(" ", GONE.sub(" ", text))
    return _closed("delete", rest, clause, scene) if rest != text else None


def _closed(op: Op, rest: str, clause: Clause, scene: Scene) -> Share | None:
    slots = filled(rest, scene, clause)
    kinds: tuple[Kind, ...] = ("todo",) if op == "complete" else ("todo", "event")
    found = _named(slots, kinds, scene)
    if not found or series.series_of(found):
        return None
    reason = "you said it is done" if op == "complete" else "you do not need it any more"
    return choose.settle(found, op, slots.title, scene, reason=reason)


def _named(slots: Slots, kinds: tuple[Kind, ...], scene: Scene) -> list[Item]:
    """The things that every word of a title belongs to."""
    title = tidy(slots.title)
    found = choose.search(title, scene, kinds, is_open, hint_day(slots)) if title else []
    return [item for item in found if item.kind in kinds and named_wholly(title, item)]


def _shifted(text: str, clause: Clause, scene: Scene) -> Share | None:
    """Something so much earlier or later."""
    match = SHIFT.fullmatch(text)
    if (
        match is None
        or not (match["way"] or match["then"])
        or (match["put"] and not match["way"] and not match["then"])
    ):
        return None
    by = _length(match, scene)
    slots = filled(match["what"], scene, clause)
    found = _named(slots, ("event",), scene) or (
        _named(slots, ("todo",), scene) if match["put"] or match["being"] else []
    )
    event = series.series_of(found)
    if by is None or len(found) != 1:
        return None
    if event is not None:
        return series.move(event, clause.text, slots, by, scene)
    return change(clause.text, choose.propose(found[0], "update", moved(found[0], by, scene), "you moved it"))


def _length(match: re.Match[str], scene: Scene) -> timedelta | None:
    found = find_times(match["long"], scene.clock, bare=True)
    length = next((time for time in found if time.kind == "duration" and time.seconds), None)
    earlier = (match["way"] or "").lower() in ("forward", "up") or (match["then"] or "").lower() in (
        "earlier",
        "sooner",
        "forward",
    )
    return timedelta(seconds=(length.seconds or 0) * (-1 if earlier else 1)) if length else None

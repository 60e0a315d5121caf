"""Complaints: "that's wrong", "this is useless" get an apology and the way back, and change nothing."""

from __future__ import annotations

import re

from agents.phrases import quoted
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause

CURSE = r"(?:wtf|ffs|omg|ugh+|argh+|grr+|damn(?: it)?|come on|seriously|god|what the (?:hell|heck|fuck)|fuck(?: off| you)?|shit|for (?:fuck|god|heaven)'?s sake)"
THING = r"(?:that(?:'s| is| was)?|this(?: is| was)?|it(?:'s| is| was)?|you(?:'re| are)?|summit(?: is)?)"
BAD = (
    r"(?:wrong|incorrect|not (?:right|correct|true|it|helpful|working)|useless|stupid|dumb|hopeless|terrible|awful|annoying|"
    r"rubbish|garbage|crap|bad|broken|ridiculous|not what i (?:said|asked(?: for)?|meant|wanted|told you)|an? (?:idiot|moron|joke))"
)
FAILS = (
    r"(?:(?:really |totally )?sucks?|(?:do|does|did)(?:n't| not) (?:work|help|understand|listen|get it|make sense)|is(?:n't| not) (?:right|correct|working|helpful)|"
    r"(?:got|have|did|understood|heard) (?:it|that|me) (?:all )?wrong|misunderstood(?: me)?|messed (?:it |that )?up|made a mistake|never (?:listen|understand)|keep getting it wrong)"
)
COMPLAINT = re.compile(
    rf"(?:(?:no|nope|hey|well|wait|oh|but|{CURSE})[\s,.!-]+)*(?:{CURSE}|{THING}\s+(?:(?:so|just|all|totally|completely|really|still|such)\s+)*{BAD}|"
    rf"(?:that|this|it|you|summit)\s+(?:just\s+)?{FAILS}|not what i (?:said|asked(?: for)?|meant|wanted))(?:\s+(?:again|at all|man|mate|either))?\W*",
    re.IGNORECASE,
)
ALSO_ANGRY = re.compile(
    r"(?:(?:that's |it's |just |all |so )*(?:wrong|incorrect|nonsense|rubbish)|stop (?:it|that)|"
    r"i (?:never|didn't|did not|haven't) (?:asked?|said|say|wanted|want|meant|mean|told you)(?: you)?(?: for| to do)? (?:that|this|it|any of (?:that|this|it)))",
    re.IGNORECASE,
)
"""What complains beside a no or another complaint: "No. Wrong." """
NO = re.compile(r"(?:no+|nope|nah)", re.IGNORECASE)
ENDS = re.compile(r"[.!?;,\n]+\s*")
SORRY = "I'm sorry. Tell me what it should be in other words and I'll put it right."


def complaint_answer(clause: Clause, scene: Scene) -> Share | None:
    """An apology that names the last change, so that it can be taken back; None for everything else."""
    if not COMPLAINT.fullmatch(clause.text.strip()):
        return None
    if not scene.alone:
        return Share(note="I'm sorry.")
    return _apology(clause.text, scene)


def all_of(said: str, scene: Scene) -> Share | None:
    """The same for a message of nothing but complaints: as a correction "No. Wrong." would put "wrong" in a title's place."""
    parts = [part for part in ENDS.split(said.strip()) if part]
    angry = [part for part in parts if not NO.fullmatch(part)]
    if not angry or not all(COMPLAINT.fullmatch(part) or ALSO_ANGRY.fullmatch(part) for part in angry):
        return None
    return _apology(said, scene)


def _apology(said: str, scene: Scene) -> Share:
    last = scene.last_change()
    if last is None:
        return Share(note=SORRY)
    return answer(said, f"I'm sorry. Say “undo that” to take back {quoted(last.title)}, or tell me what it should be.")

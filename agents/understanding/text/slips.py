"""Slips of the tongue noticed later: "for thursday at two did i say thursday i meant friday", "no wait tuesday's bad"."""

from __future__ import annotations

import re

from agents.time.prefilter import Prefiltered

EXCUSED = Prefiltered(
    re.compile(
        r"(?<![\s,.])[\s,.]+(?:(?:oh|no|wait|actually|hang on|hold on|hmm|sorry)[\s,.]+){1,3}(?:(?:on|at)\s)?[\w']+(?:\s[\w']+)?"
        r"(?:'s|\sis|\swon't|\sdoesn't|\sisn't)\s(?:(?:no|not|really|too|a bit|already|also|going to|gonna|so|very)\s)*"
        r"(?:bad|good|taken|full|busy|packed|booked|work|out|early|late|tricky|hard|free|tight|possible)(?:\s(?:for me|for us|up|then))?"
        r"[\s,.]+(?:(?:so|let's|can you|please|just|maybe|then)\s)*(?:make (?:it|that)|do|say|go for|go with)\s+"
        r"(?=(?:at|on|for|next|this|tomorrow|\w+day|\d|half|noon|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
        re.IGNORECASE,
    )
)
"""Why something said is taken back: "on tuesday no wait tuesday's bad make it wednesday"."""
MEANT = r"[\s,.?!]+(?:(?:sorry|no|well|oh|because|cause)[\s,]+)*i (?:actually )?(?:mean(?:t)?|wanted)(?: to say)?\s+"
SLIP = Prefiltered(
    re.compile(
        r"\bdid i (?:just )?say (?P<old>[\w':]+(?:\s(?!i\b|for\b|on\b|sorry\b|no\b|well\b|oh\b|because\b)[\w':]+){0,3})"
        rf"(?: (?:for|on) (?P<what>(?:the|my|our) [\w' -]{{2,40}}?))?{MEANT}(?P<new>[\w':]+(?:\s[\w':]+){{0,4}})",
        re.IGNORECASE,
    )
)


INSTEAD = Prefiltered(
    re.compile(
        r"^(?:(?:so|okay|um|please|can you|oh)\s+)*(?:swap|move|push|shift|cancel|delete|book|add|schedule|reschedule|put|change)\s[^.?!]{3,80}?[\s,]+(?:(?:no|wait|oh|actually|sorry|hang on)[\s,]+){1,3}(?:i mean(?:t)?[\s,]+)?"
        r"(?:just|let's just|only)\s+(?=(?:cancel|delete|move|push|shift|skip|drop|scrap|add|book)\s(?:the|my|our)\s)",
        re.IGNORECASE,
    )
)
"""A request taken back for another one: "swap the haircut and the call no i mean just cancel the haircut"."""
ASIDE = frozenset("oh wait sorry hang on um uh hey so okay".split())


def _without_aside(words: list[str]) -> list[str]:
    """The words up to the last one that says something."""
    while words and words[-1].strip(",.!?").lower() in ASIDE:
        words.pop()
    return words


def unslipped(text: str) -> str:
    """The text with the right word in the place of a slip; one of an earlier message is put as a correction of it."""
    text = INSTEAD.sub("", EXCUSED.sub(" no wait ", text))
    match = SLIP.search(text)
    if match is None:
        return text
    old, rest = match["old"], text[match.end() :]
    before = " ".join(_without_aside(text[: match.start()].split()))
    at = before.lower().rfind(old.lower())
    if match["what"]:
        return f"{before}{'. ' if before else ''}move {match['what']} to {match['new']}{rest}"
    if at < 0:
        return f"{before}{'. ' if before else ''}not {old}, but {match['new']}{rest}"
    new = match["new"].split()
    kept = len(old.split()) if rest.strip() else len(new)
    mended = (before[:at], *new[:kept], before[at + len(old) :], *new[kept:], rest)
    return " ".join(part.strip() for part in mended if part.strip())

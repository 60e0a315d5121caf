"""Facts about the user: name, place, job, studies, interests."""

from __future__ import annotations

import re
from typing import Any

from agents.contract import Proposal
from agents.understanding.filler import trim
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change

END = r"(?=\s*(?:,|;|\.|$|\band\s+(?:i|my|from)\b|\bby the way\b|\bbtw\b|\bcan you\b|\bso\b|\bbut\b|\bnow\b|\bfrom (?:here|now)\b))"
WORDS = r"[\w'’.&À-ÿ-]+(?:\s+[\w'’.&À-ÿ-]+){0,%d}?"
FACTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern.replace("<1>", WORDS % 2).replace("<2>", WORDS % 7) + END, re.IGNORECASE))
    for name, pattern in (
        ("name", r"\b(?:my name is|my name's|i'm called|i am called|(?:please )?call me|i go by)\s+(?P<name><1>)"),
        (
            "location",
            r"\b(?:i live in|i'm living in|i am living in|i'm based in|i am based in|i(?:'ve| have)? (?:just "
            r")?moved to|i'm from)\s+(?P<location><2>)",
        ),
        (
            "job",
            r"\b(?:i work as|i'm working as|my (?:new )?job is|i started (?:a (?:new )?job "
            r")?as)\s+(?:an?\s+)?(?P<job><2>)",
        ),
        ("job", r"\b(?P<job>i work (?:at|for|in)\s+<2>)"),
        (
            "job",
            (
                r"\b(?:i'm|i am)\s+an?\s+(?P<job>(?:[\w-]+\s+){0,3}(?:\w+(?:er|or|ist|ian|yst|ect|nurse|chef|"
                r"student|intern|assistant|scientist|engineer|"
                r"lead|head)|nurse|chef|cook|pilot|judge|vet|coach)(?:\s+(?:at|for|in|by)\s+<2>)?)"
            ),
        ),
        (
            "study",
            (
                r"\b(?:i study|i'm studying|i am studying|i major in|i'm majoring in|i am doing|i'm "
                r"doing)\s+(?:an?\s+)?(?:(?:phd|degree|master's|masters|"
                r"bachelor's|ba|bsc|msc|course|diploma)\s+(?:in|of)\s+)?(?P<course><2>)\s+at\s+(?P<college><2>)"
            ),
        ),
        (
            "course",
            r"\b(?:i study|i'm studying|i am studying|i major in|i'm majoring in|my (?:course|major|degree) "
            r"is)\s+(?:an?\s+)?(?P<course><2>)",
        ),
        (
            "course",
            r"\b(?:i'm|i am)\s+doing\s+an?\s+(?P<course>(?:phd|degree|master's|masters|bachelor's|ba|bsc|"
            r"msc)\s+in\s+<2>)",
        ),
        (
            "college",
            r"\b(?:i go to|i'm at|i attend|i'm a student at|my (?:college|university|school|uni) "
            r"is)\s+(?P<college>(?:the\s+)?<2>)",
        ),
    )
)
INTERESTS = re.compile(
    r"\b(?:i'?m (?:really |very |also |now |quite )?(?:into|interested in|keen on|fond of)|i am (?:really |also "
    r")?(?:into|interested in|keen on)|"
    r"my (?:hobbies|interests) (?:are|include)|i (?:really |also )?(?:love|like|enjoy)(?=\s+\w+ing\b|\s+\w+,|"
    r"\s+\w+ and \w+$))\s+(?P<list>[^.;!?]{2,300})",
    re.IGNORECASE,
)
EXCLUDED_COLLEGE = re.compile(
    r"\b(?:home|work|office|gym|bed|party|store|shop|doctor|dentist|the moment|a|an)\b", re.IGNORECASE
)


def facts_in(text: str) -> dict[str, Any]:
    """The profile fields that a text states."""
    found: dict[str, Any] = {}
    for _, pattern in FACTS:
        match = pattern.search(text)
        if match:
            said = {name: _clean(value) for name, value in match.groupdict().items() if value}
            found |= {name: value for name, value in said.items() if name not in found and _plausible(name, value)}
    interests = INTERESTS.search(text)
    if interests:
        found["interests"] = _listed(interests["list"])
    return found


def _clean(value: str) -> str:
    value = re.sub(r"^i work (?:(?=at|for)|in\s+)", "", value.strip(), flags=re.IGNORECASE)
    return value.strip(" ,.;!?")[:200]


def _plausible(name: str, value: str) -> bool:
    return bool(value) and not (name == "college" and EXCLUDED_COLLEGE.match(value))


def _listed(text: str) -> list[str]:
    parts = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", trim(text))
    return [trim(part) for part in parts if trim(part)][:20]


def remember(facts: dict[str, Any], text: str, scene: Scene) -> Share:
    """Facts as one change of the profile; interests join those that are known."""
    known = scene.ask.records.profile
    fields = dict(facts)
    if "interests" in fields and known:
        have = {interest.lower() for interest in known.interests}
        fields["interests"] = [*known.interests, *[item for item in fields["interests"] if item.lower() not in have]]
    op = "update" if known else "create"
    record_id = known.id if known else None
    return change(text, Proposal(op=op, kind="profile", record_id=record_id, fields=fields, reason="you told me"))

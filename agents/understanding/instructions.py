"""Standing wishes: kept in the user's words, and obeyed where their form is simple."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.contract import Op, Proposal
from agents.records import Instruction, Kind
from agents.understanding import choose
from agents.understanding.clauses import Clause
from agents.understanding.filler import trim, without_breath
from agents.understanding.intents import Intent
from agents.understanding.references import alike, candidates, words_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change, lost

ASK_FIRST = re.compile(
    r"\b(?:ask|check with|confirm with)\s+(?:me\s+)?(?:first\s+)?before\s+(?:you\s+)?(?P<what>.{3,80})|"
    r"never\s+(?P<never>add|delete|create|remove|schedule)\b.{0,60}\bwithout asking",
    re.IGNORECASE,
)
OPS: tuple[tuple[str, tuple[Op, ...]], ...] = (
    (r"\b(?:add|creat|mak|new)", ("create",)),
    (r"\b(?:schedul|book)", ("create",)),
    (r"\b(?:delet|remov|cancel)", ("delete",)),
    (r"\b(?:chang|updat|mov|edit)", ("update",)),
    (r"\b(?:complet|tick|mark)", ("complete",)),
)
KINDS: tuple[tuple[str, Kind], ...] = (
    (r"\b(?:task|todo|to-do|reminder)", "todo"),
    (r"\b(?:event|meeting|appointment|calendar|schedul|book)", "event"),
    (r"\b(?:note|list|idea)", "note"),
)
PRIORITY = re.compile(
    r"(?P<cond>.{2,120}?)\s+(?:is|are|gets?|should (?:be|get|have)|as|has|have|=|to|with|at)\s+(?:a\s+|of\s+|"
    r"always\s+)?(?P<level>high|low|medium)(?:[\s-]+priority)?\b",
    re.IGNORECASE,
)
EMPTY = frozenset(
    """
    any anything everything new task all about for from to with mark make set that mention contain every thing give
    treat always
    """.split()
)
EMPTY_STEMS = frozenset(words_of(" ".join(EMPTY)))


def create(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """A new standing instruction in the user's words."""
    _ = intent, scene
    text = re.sub(r"^(?:remember|please)\s+(?:that\s+)?", "", trim(without_breath(clause.text)), flags=re.IGNORECASE)
    if not text:
        return lost(clause.text)
    draft = Proposal(
        op="create", kind="instruction", fields={"text": text[:2000]}, reason="you asked for it from now on"
    )
    return change(clause.text, draft)


def drop(intent: Intent, clause: Clause, scene: Scene) -> Share:
    """Forget a standing instruction."""
    phrase = intent.parts.get("rest", "")
    found = candidates(phrase, scene.items("instruction")) if phrase else scene.items("instruction")
    _ = clause
    return choose.settle(found, "delete", phrase or "that rule", scene, reason="you dropped the rule")


def obeyed(share: Share, instructions: Sequence[Instruction], fresh: Sequence[str]) -> Share:
    """A share as the standing instructions want it: with priorities filled in, or held until the user says yes."""
    texts = [*[item.text for item in instructions], *fresh]
    share.proposals = [with_priority(proposal, texts) for proposal in share.proposals]
    share.proposals = [_held(proposal, texts) for proposal in share.proposals]
    return share


def _held(proposal: Proposal, texts: Sequence[str]) -> Proposal:
    asked = not proposal.confirms and any(asks_before(text, proposal.op, proposal.kind) for text in texts)
    return proposal.model_copy(update={"hold": "you want to be asked first"}) if asked else proposal


def asks_before(text: str, op: Op, kind: Kind) -> bool:
    """Whether an instruction wants a yes before this kind of change."""
    match = ASK_FIRST.search(text)
    if not match or kind == "instruction":
        return False
    what = match["what"] or match.string[match.start() :]
    ops = {allowed for words, group in OPS if re.search(words, what, re.IGNORECASE) for allowed in group}
    kinds = {named for words, named in KINDS if re.search(words, what, re.IGNORECASE)}
    return op in ops and (not kinds or kind in kinds)


def with_priority(proposal: Proposal, texts: Sequence[str]) -> Proposal:
    """A new task with the priority that a rule gives to its words, unless one was said."""
    if proposal.kind != "todo" or proposal.op != "create" or proposal.fields.get("priority"):
        return proposal
    level = next((found for text in texts if (found := _level(text, str(proposal.fields.get("task", ""))))), None)
    return proposal.model_copy(update={"fields": {**proposal.fields, "priority": level}}) if level else proposal


def _level(text: str, task: str) -> str | None:
    match = PRIORITY.search(text)
    if not match:
        return None
    keys = [
        word
        for word in words_of(match["cond"])
        if word not in EMPTY_STEMS and word not in ("from now", "now", "kid", "urgent")
    ]
    keys = list(dict.fromkeys(keys))
    have = words_of(task)
    hit = [word for word in keys if any(alike(word, other) for other in have)]
    return match["level"].lower() if hit and (len(hit) == len(keys) or (len(hit) >= 1 and len(keys) <= 3)) else None

"""A no that is taken back: the question is asked again in thought."""

from __future__ import annotations

import re

from agents.contract import Proposal
from agents.ledger.approvals import LEFT
from agents.understanding.discourse import replay
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change

YES_AFTER_ALL = re.compile(
    r"(?:(?:oh|um|uh|hmm+|well|ok|okay|no|wait|sorry|actually|on second thou?ghts?|you know what|i(?:'ve)? changed my mind|fine|alright)[\s,.!]+)*"
    r"(?:(?:yes|yeah|yep|yup|sure|ok|okay|fine|go ahead|do it|please do|go for it|do)(?:[\s,.!]+|$)){0,3}"
    r"(?:(?:do|add|delete|cancel|remove|book|schedule|go ahead with|make|move|clear|save)\s+(?:it|that|them|those|them all|it all|all of them|so))?"
    r"(?:[\s,]*(?:after all|anyway|please|then|now))*[\s.!]*",
    re.IGNORECASE,
)
BARE_YES = re.compile(
    r"(?:(?:yes|yeah|yep|yup|sure|ok|okay|fine|please|thanks|oh|well|no|then|now|alright)(?:[\s,.!]+|$))*",
    re.IGNORECASE,
)
"""A yes that takes nothing back: after a no it answers no question."""
LATEST = 2


def belated_answer(scene: Scene) -> Share | None:
    """What a yes after all comes to; None when the message is none."""
    recent = scene.ask.recent
    if scene.ask.pending is not None or len(recent) < LATEST:
        return None
    said = scene.ask.text.strip()
    wanted = YES_AFTER_ALL.fullmatch(said) and not BARE_YES.fullmatch(said)
    return _taken_back(recent[-2].said, said, scene) if wanted and recent[-1].replied.startswith(LEFT) else None


def _taken_back(request: str, text: str, scene: Scene) -> Share | None:
    """What was refused, wanted after all; which of several is asked about again."""
    found = replay.shares(request, scene)
    waiting = [question.pending for share in found for question in share.questions]
    if any(asked.missing != "proceed" for asked in waiting):
        return next(share for share in found if share.questions)
    wanted = [item for asked in waiting for item in asked.proposals] or [
        item for share in found for item in share.proposals
    ]
    return change(text, *[_agreed(item) for item in wanted]) if wanted else None


def _agreed(item: Proposal) -> Proposal:
    return item.model_copy(update={"agreed": True})

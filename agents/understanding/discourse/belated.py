"""A question answered after something else was said, or a no that is taken back: the question is asked again in thought."""

from __future__ import annotations

import re

from agents.approvals import LEFT
from agents.contract import Pending, Proposal
from agents.understanding.discourse import pending, replay
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change

POINTER = re.compile(
    r"(?:(?:oh|and|sorry|actually|um|uh|ok|okay|i mean(?:t)?|yeah|right|as for the \w+|for the \w+|about the \w+)[\s,]+)*"
    r"(?:the\s+(?:one\s+(?:on|at|with|in|for)\s+[\w' ]{2,30}|[\w':. ]{2,30}\s+one)|[\w-]+'s(?: one)?|(?:the\s+)?(?:first|second|third|last)(?:\s+(?:one|of them))?|both(?: of them)?|number \w+)[\s.!]*",
    re.IGNORECASE,
)
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
ASKED = "?"
LATEST, MOST = 2, 4


def answered(scene: Scene) -> Share | None:
    """What a late answer comes to; None when the message is none."""
    recent = scene.ask.recent
    if scene.ask.pending is not None or len(recent) < LATEST:
        return None
    said = scene.ask.text.strip()
    if recent[-1].replied.startswith(LEFT) and YES_AFTER_ALL.fullmatch(said) and not BARE_YES.fullmatch(said):
        return _taken_back(recent[-2].said, said, scene)
    if POINTER.fullmatch(said) is None:
        return None
    return next((found for at in range(LATEST, MOST) if (found := _late(at, scene)) is not None), None)


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


def _late(back: int, scene: Scene) -> Share | None:
    """The answer to the question of an earlier reply, if it is one."""
    recent = scene.ask.recent
    if back > len(recent) or ASKED not in recent[-back].replied:
        return None
    asked = _waiting(recent[-back].said, recent[-back].replied, scene)
    found = pending.answer_to(asked, scene) if asked else None
    shares = found.shares if found else []
    return shares[0] if shares and shares[0].proposals else None


def _waiting(said: str, replied: str, scene: Scene) -> Pending | None:
    """The question which one is meant that an earlier message led to."""
    questions = [question for share in replay.shares(said, scene) for question in share.questions]
    return next((one.pending for one in questions if one.pending.missing == "which" and one.text in replied), None)

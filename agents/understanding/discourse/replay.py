"""An earlier message understood once more, in the light of what was answered since."""

from __future__ import annotations

from dataclasses import replace

from agents.contract import Proposal
from agents.understanding.handle import handle
from agents.understanding.scene import Scene, scene_of
from agents.understanding.share import Share
from agents.understanding.text.clauses import split
from agents.understanding.text.restated import restated


def of(text: str, scene: Scene, *, chosen: str = "") -> list[Proposal]:
    """What a message asks for, with the item of id ``chosen`` where it may mean several."""
    return [item for share in shares(text, scene, chosen=chosen) for item in share.proposals]


def shares(text: str, scene: Scene, *, chosen: str = "") -> list[Share]:
    """What each clause of a message comes to."""
    ask = scene.ask.model_copy(update={"text": text, "pending": None, "recent": scene.ask.recent[:-1]})
    again = replace(scene_of(ask), chosen=chosen)
    found: list[Share] = []
    clauses = split(restated(text), again.clock)
    again.alone = len(clauses) == 1
    for clause in clauses:
        share = handle(clause, again)
        again.follow(share)
        found.append(share)
    return found

"""Which frame each clause has: what it asks for in one word, as a share says it and as the trained reader does."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, get_args

from agents.contract import Op, Proposal
from agents.records import Kind
from agents.understanding.model.classifier import scored
from agents.understanding.model.packing import Coefficients, unpack
from agents.understanding.share import Share

Frame = Literal[
    "add", "remind", "book", "edit", "complete", "remove", "list", "note", "profile", "rule", "undo", "query", "talk"
]
FRAMES: tuple[Frame, ...] = get_args(Frame)
WEIGHTS = "frames.bin"
MADE: dict[Kind, Frame] = {"todo": "add", "event": "book", "note": "note", "profile": "profile", "instruction": "rule"}
OPS: dict[Op, Frame] = {"complete": "complete", "archive": "remove", "delete": "remove", "undo": "undo"}


def frame_of(item: Proposal) -> Frame:
    """The frame that a proposal belongs to."""
    if item.kind in ("profile", "instruction") and item.op != "undo":
        return MADE[item.kind]
    if item.op in OPS:
        return OPS[item.op]
    if item.op == "update":
        return "list" if "items" in item.fields else "note" if "content" in item.fields else "edit"
    return "remind" if item.fields.get("kind") == "reminder" else "list" if "items" in item.fields else MADE[item.kind]


def frames_of(share: Share) -> list[Frame]:
    """The frames of a share: of what it would change or asks about, else of what it answers."""
    drafts = share.proposals or [item for question in share.questions for item in question.pending.proposals]
    if drafts:
        return list(dict.fromkeys(frame_of(item) for item in drafts))
    if share.look_back:
        return ["undo"]
    return ["query"] if share.answers or share.suggestion else ["talk"] if share.note else []


@cache
def weights() -> Coefficients:
    """The shipped weights, read once when they are first needed."""
    return unpack(files(__package__).joinpath(WEIGHTS).read_bytes())


@lru_cache(maxsize=512)
def frame_chances(text: str) -> dict[str, float]:
    """How probable each frame of a clause is, from its words alone; they add up to 1."""
    return scored(text, weights())

"""Another deed than the one just done to a thing: "no, i meant mark it done" after a deletion."""

from __future__ import annotations

import re

from agents.contract import Op, Proposal
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change

LEAD = r"(?:(?:oh|ah|um|uh|er|wait|no|nope|oops|whoops|sorry|actually|hang on|hold on|argh)[\s,.!]+)+"
IT = r"(?:it|that|this|that one)"
MEANT = re.compile(
    rf"{LEAD}(?:(?:i|you should)\s)?(?:mean|meant|wanted|have)?(?:\s?to)?\s?(?:you to\s)?(?:just\s)?(?:"
    rf"(?P<complete>(?:mark|tick|check|cross)\s{IT}(?:\s(?:as|off|done|finished|complete[d]?))+|(?:complete|finish)\s{IT})|"
    rf"(?P<archive>archive\s{IT})|(?P<delete>(?:delete|remove|bin)\s{IT}))(?:\s(?:not|rather than|instead of)\s\w+(?:\s{IT})?)?(?:\sinstead)?[\s.!]*",
    re.IGNORECASE,
)
OPS: tuple[Op, ...] = ("complete", "archive", "delete")


def meant(text: str, scene: Scene) -> Share | None:
    """The last ending of a thing taken back for another one; None when the words say nothing of the kind."""
    last, match = scene.last_change(), MEANT.fullmatch(text.strip())
    if last is None or match is None or last.op not in OPS or last.status != "applied":
        return None
    op = next(name for name in OPS if match[name])
    if op == last.op or last.kind not in ("todo", "event") or (last.kind == "event" and op != "delete"):
        return None
    back = Proposal(
        op="undo", kind=last.kind, record_id=last.record_id, undo_of=last.id, reason="you meant something else"
    )
    again = Proposal(op=op, kind=last.kind, record_id=last.record_id, fields={}, reason="you meant this")
    return change(text, back, again)

"""Taking back what the last message just did, without a word of undo: "actually never mind", "oops, didn't mean to delete that"."""

from __future__ import annotations

import re
from datetime import timedelta

from agents.contract import Change
from agents.understanding.dialogue import undo
from agents.understanding.items.lately import turn_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.intents import Intent

FRESH = timedelta(minutes=10)
LEAD = r"(?:(?:oh|ah|um|uh|er|wait|no|nope|oops|whoops|sorry|actually|hmm+|argh+|hang on|hold on|ok|shoot|damn|please|just|well)[\s,.!]+)*"
IT = r"(?:it|that|this|them|those|the last (?:one|thing)|that last (?:one|bit|thing))"
TAKEN_BACK = re.compile(
    rf"{LEAD}(?:(?:never ?mind|nvm)(?:\s+(?:about\s+)?{IT})?(?:[\s,]+(?:i|we|they)(?:'ve|\s(?:already\s)?(?:have|got|found|had|bought))\b[^,.;!?]{{0,40}})?|(?:ignore|disregard|reverse|roll back)\s+{IT}|(?:turn|roll) {IT} back|i take (?:it|that) back|(?:i(?:'ve| have)?\s+)?changed my mind(?: about {IT})?|"
    rf"forget (?:what i (?:just )?said|i (?:said|asked)(?: (?:that|anything|it))?)|don't(?: do {IT})?|ctrl[ +-]?z|i? ?didn't (?:mean|want)(?: (?:that|it|to)(?: \w+(?: (?:that|it|this|them))?)?)?|"
    rf"(?:that|this) (?:wasn't|was not) (?:supposed|meant) to happen)(?:\s+(?:after all|actually|please|then|sorry))*[\s.!]*",
    re.IGNORECASE,
)
NO_AFTER_ALL = re.compile(
    r"(?:(?:oh|um|wait|hmm+|sorry)[\s,.!]+)*(?:actually|on second thou?ghts?)[\s,]+(?:no|nope|don't|never ?mind|scratch that|forget it|leave it)[\s.!]*",
    re.IGNORECASE,
)
STILL_NEEDED = re.compile(
    rf"{LEAD}(?:i (?:still |actually |do )?(?:need|want) (?:it|that|this|them|those)(?: (?:one|task|event))?(?: (?:after all|still|actually|back))*|"
    rf"cancel (?:it|that)|don't (?:cancel|delete|remove|touch) {IT}|(?:it|that)(?:'s| is| was)(?:n't| not)? (?:actually |really )?(?:not )?(?:done|finished|complete)(?: (?:yet|after all|actually))*|"
    r"i (?:haven't|have not|didn't)(?: actually| really)? (?:do(?:ne)?|finish(?:ed)?)(?: (?:it|that|this))?(?: yet)?)[\s.!]*",
    re.IGNORECASE,
)


WANTED_AGAIN = re.compile(
    rf"{LEAD}(?:(?:put|bring|add|get) {IT} back(?: in| on)?|restore {IT}|i (?:do |still |did )?(?:want|need) {IT}(?: (?:after all|back))?|{IT} was (?:right|fine|correct)|i take that back|(?:i(?:'ve)? )?changed my mind)[\s.!]*",
    re.IGNORECASE,
)


def retracted(text: str, scene: Scene) -> Share | None:
    """The undo of what the last message did; None when it did nothing, or the words ask for more."""
    said = text.strip()
    last = _just_done(scene)
    if last is None:
        return _wanted_again(said, scene)
    gone = last.op in ("delete", "archive", "complete")
    if TAKEN_BACK.fullmatch(said) or NO_AFTER_ALL.fullmatch(said) or (gone and STILL_NEEDED.fullmatch(said)):
        return undo.take_back(Intent("undo", 0.9, {"rest": "that"}), text, scene)
    return None


def _wanted_again(said: str, scene: Scene) -> Share | None:
    """The redo of what the last message took back."""
    rows = scene.ask.recent_changes
    if not rows or rows[-1].op != "undo" or not WANTED_AGAIN.fullmatch(said):
        return None
    undone = next((row for row in rows if row.id == rows[-1].undo_of), None)
    return (
        undo.redo("redo", scene) if undone and undone.op in ("create", "update") and _fresh(rows[-1], scene) else None
    )


def _fresh(row: Change, scene: Scene) -> bool:
    return timedelta() <= scene.ask.at - row.created_at <= FRESH


def _just_done(scene: Scene) -> Change | None:
    """The change that the last reply told of."""
    turn = [row for row in turn_of(scene.ask.recent_changes) if row.status == "applied" and row.op != "undo"]
    fresh = [row for row in turn if _fresh(row, scene)]
    told = scene.ask.recent[-1].replied.lower() if scene.ask.recent else ""
    return fresh[-1] if fresh and any(row.title.lower() in told for row in fresh) else None

"""A yes or a no to a question, also in other words, or with a remark that asks for nothing ("no, i still need those")."""

from __future__ import annotations

import re
from datetime import datetime

from agents.contract import Pending
from agents.time import find_times
from agents.understanding.discourse.surplus import of_question, surplus
from agents.understanding.grammar import patterns_of
from agents.understanding.model.classifier import guess
from agents.understanding.references import alike, words_of
from agents.understanding.scene import Scene
from agents.understanding.slots.slots import fill
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read
from agents.understanding.text.statements import is_statement

P = patterns_of(__name__)
YES = P.YES
ASSENT = re.compile(
    rf"^(?!(?:thanks|thank you|then|now)\W*$)(?:(?:{YES.pattern.removeprefix('^')}|please|thanks|thank you|then|now|with that|(?:all|both|the|every one|everything)(?: (?:two|three|four|five|six|seven|eight|nine|ten|\d+|lot))?(?: of (?:them|those|these|it))?|(?:do|add|book|delete|remove|move|change|cancel|save|make|schedule|set|put|clear) "
    r"(?:it|that|this|them|those|both|all|everything)(?: all| both| in| up| off)?)[\s,.!-]*)+",
    re.IGNORECASE,
)
LONGEST, SURE = 12, 0.8
MOMENTS = ("start", "end", "deadline", "remind_at", "snooze_until")


def agrees(text: str, pending: Pending, scene: Scene) -> bool:
    """Whether a message is a yes and nothing else; another time, a question or a wish of its own after it makes it none."""
    if len(text.split()) > LONGEST:
        return False
    begun = ASSENT.match(text)
    if begun is None and not _sounds_agreed(text):
        return False
    rest = text[begun.end() if begun else 0 :].strip(" ,.!")
    if not rest:
        return True
    if P.HESITATES.search(rest) or "?" in text or not _says_its_times(rest, pending, scene):
        return False
    told = fill(rest, scene.clock).title if is_statement(rest) else rest
    repeated = _wishes(rest) and not _names(rest, pending)
    return not repeated and not surplus(told, of_question(pending, scene), scene)


def _sounds_agreed(text: str) -> bool:
    found = guess(text)
    return found.label == "affirm" and found.sure >= SURE


def _says_its_times(text: str, pending: Pending, scene: Scene) -> bool:
    """Whether every time in the words is one of what was asked about: "yes, 8 is fine"."""
    said = [found.moment for found in find_times(text, scene.clock, bare=True) if found.moment]
    values = [str(item.fields[name]) for item in pending.proposals for name in MOMENTS if item.fields.get(name)]
    known = [datetime.fromisoformat(value) for value in values]
    hours = {(moment.astimezone(scene.clock.zone) if moment.tzinfo else moment).time() for moment in known}
    return all(moment.time() in hours or moment.date() in {other.date() for other in known} for moment in said)


def refuses(pending: Pending, scene: Scene) -> bool:
    """Whether a message is a no; one that names what is asked about, a time or a wish of its own is more than that."""
    text = scene.ask.text.strip()
    if P.NO.match(text):
        return P.TELLING.search(text) is not None
    begun = P.BEGINS.match(text)
    if begun is None or len(text.split()) > LONGEST:
        return False
    rest = trim(begun["rest"])
    if P.FORGETS.match(text) and _wishes(text):
        return False
    return not (P.TURNS.search(rest) or find_times(rest, scene.clock) or _wishes(rest) or _names(rest, pending))


def _wishes(text: str) -> bool:
    return any(intent.sure > 0.7 and intent.name not in ("small_talk", "instruction") for intent in read(text))


def _names(text: str, pending: Pending) -> bool:
    labels = [option.label for option in pending.options]
    labels += [str(value) for item in pending.proposals for value in item.fields.values() if isinstance(value, str)]
    said = words_of(text)
    return any(alike(word, other) >= 0.8 for label in labels for other in words_of(label) for word in said)

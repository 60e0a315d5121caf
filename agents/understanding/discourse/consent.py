"""A yes or a no to a question, also in other words, or with a remark that asks for nothing ("no, i still need those")."""

from __future__ import annotations

import re
from datetime import datetime

from agents.contract import Pending
from agents.time import find_times
from agents.understanding.discourse.surplus import of_question, surplus
from agents.understanding.model.classifier import guess
from agents.understanding.references import alike, words_of
from agents.understanding.scene import Scene
from agents.understanding.slots.slots import fill
from agents.understanding.text.filler import trim
from agents.understanding.text.intents import read
from agents.understanding.text.statements import is_statement

YES = re.compile(
    r"^(?:yes|yeah|yep|yup|ya|sure|ok|okay|go ahead|do it|please do|correct|right|exactly|of course|definitely|"
    r"absolutely|confirm(?:ed)?|"
    r"affirmative|fine|sounds good|go for it|yes please|that's right|all of them|i'm sure|y)\b",
    re.IGNORECASE,
)
THEM = r"(?:it|them|that|those|this|everything|all|both|things?)(?: (?:all|both|alone|be|there|in|as (?:it|they|is|are)(?: (?:is|are|was|were))?|for now))*"
REFUSAL = (
    rf"(?:no|nope|nah|no way|god no|hell no|don't|do not|never ?mind|nvm|cancel(?: (?:it|that)(?: request)?)?|stop|abort|forget (?:it|that|i asked|about (?:it|that))|"
    rf"(?:just |let's |please )*leave {THEM}|don't bother|skip (?:it|that)|scrap (?:it|that)|let's not|i'd rather not|better not|"
    r"not (?:now|yet|today|really|that|either|any|any of them|anymore|necessary|needed)|rather not|wrong|n|neither(?: (?:one|of them))?|none(?: of (?:them|those|these))?|thanks|"
    rf"thank you|please|don't (?:do|delete|touch|change|cancel|move|add) {THEM}|(?:just |let's )*keep {THEM}|it's (?:fine|ok|okay)|i'm good|that's (?:wrong|ok|okay|fine|not it)|i(?:'ve)? changed my mind|"
    r"(?:on )?second thou?ghts?|actually|wait|hmm+|oh|sorry|um|uh|well|ok(?:ay)?|then|after all|don't worry(?: about it)?|no need|hold off|i(?:'ll| will) (?:do|sort|handle|decide) (?:it|that|this)? ?(?:myself|later|tomorrow)?)"
)
NO = re.compile(rf"^{REFUSAL}(?:[\s,.!-]+{REFUSAL})*[\s.!]*$", re.IGNORECASE)
TELLING = re.compile(
    r"\b(?:no|nope|nah|don't|do not|never ?mind|nvm|cancel|stop|abort|forget|leave|skip|scrap|let's not|not|wrong|n|neither|none|"
    r"keep|fine|good|changed my mind|second thou?ghts?|need|hold off|myself|later)\b",
    re.IGNORECASE,
)
BEGINS = re.compile(
    r"^(?:(?:oh|um|uh|hmm+|well|wait|actually|sorry|god|hell|ah|ugh|please)[\s,.!]+)*(?:no(?:pe|oo*)?|nah|never ?mind|leave|keep|don't|do not|forget)\b[\s,.!]*(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
FORGETS = re.compile(r"forget\s+(?!it\b|that\b|this\b|them\b)", re.IGNORECASE)
"""Something named to be forgotten is a request of its own: "forget the rule about scheduling"."""
TURNS = re.compile(
    r"\b(?:other|first|second|third|last|just|only|but|make|instead|rather|except|meant?|one|ones|should|change|put|add|said|not|on|at|for)\b|\d",
    re.IGNORECASE,
)
ASSENT = re.compile(
    rf"^(?!(?:thanks|thank you|then|now)\W*$)(?:(?:{YES.pattern.removeprefix('^')}|please|thanks|thank you|then|now|with that|(?:all|both|the|every one|everything)(?: (?:two|three|four|five|six|seven|eight|nine|ten|\d+|lot))?(?: of (?:them|those|these|it))?|(?:do|add|book|delete|remove|move|change|cancel|save|make|schedule|set|put|clear) "
    r"(?:it|that|this|them|those|both|all|everything)(?: all| both| in| up| off)?)[\s,.!-]*)+",
    re.IGNORECASE,
)
HESITATES = re.compile(
    r"[?]|^(?:(?:but|and|so|or|um|uh|well)[\s,]+)*(?:wait|hold on|hang on|no|not|don't|do not|never|which|what|when|where|who|why|how|is|are|does|do (?:i|we|you)|if|let me|"
    r"give me|show me|tell me|list|first)\b|\b(?:but|except|only|instead)\b",
    re.IGNORECASE,
)
"""What comes after a yes and takes it back: a question, a pause, a condition."""
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
    if HESITATES.search(rest) or "?" in text or not _says_its_times(rest, pending, scene):
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
    if NO.match(text):
        return TELLING.search(text) is not None
    begun = BEGINS.match(text)
    if begun is None or len(text.split()) > LONGEST:
        return False
    rest = trim(begun["rest"])
    if FORGETS.match(text) and _wishes(text):
        return False
    return not (TURNS.search(rest) or find_times(rest, scene.clock) or _wishes(rest) or _names(rest, pending))


def _wishes(text: str) -> bool:
    return any(intent.sure > 0.7 and intent.name not in ("small_talk", "instruction") for intent in read(text))


def _names(text: str, pending: Pending) -> bool:
    labels = [option.label for option in pending.options]
    labels += [str(value) for item in pending.proposals for value in item.fields.values() if isinstance(value, str)]
    said = words_of(text)
    return any(alike(word, other) >= 0.8 for label in labels for other in words_of(label) for word in said)

"""Short natural replies that change nothing, and the honest answer about what Summit cannot do."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from agents.dates_in_words import MONTHS, WEEKDAYS
from agents.phrases import ABILITIES, CANNOT
from agents.understanding.grammar import patterns_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.text.clauses import Clause
from agents.understanding.text.intents import Intent

NOON, EVENING = 12, 18
THANKS = ("You're welcome.", "Any time.", "Glad to help.", "My pleasure.", "Happy to.")
FINE = ("All right.", "Okay.", "Fine by me.", "Got it.")
# "All right" would sound as if something had been done.
P = patterns_of(__name__)
NOTHING_WAITS = "Nothing is waiting for a yes, so nothing is changed."
HOW = ("I'm well, thank you. What can I do for you?", "All good here. What's on your mind?")
BYE = ("See you later.", "Talk to you soon.", "Goodbye.", "Take care.")
HOW_TO = (
    "Just say it in your own words, for example “meeting with Ana on Friday at 3”, “add milk to my shopping list”, "
    "“move the dentist to Monday” or “undo that”."
)
SETTING = "That is a setting, which talking does not change: PATCH /v1/settings does (see /docs)."
QUIET = "When nothing may nudge you is a setting, quiet_hours, which talking does not change: PATCH /v1/settings does."
NO_SETTING = "I have no setting for that."
ACKNOWLEDGEMENTS = (
    "Thanks for telling me.",
    "I see.",
    "I hear you.",
    "Got it, nothing to change for me there.",
    "Good to know.",
)
GLAD = ("That's good to hear.", "Lovely.", "Glad to hear it.", "Nice.")
UPSET = (
    "Sorry about that. Tell me what it should be and I'll put it right.",
    "I'm sorry, that was not what you wanted. Say it once more and I'll fix it, or say “undo that”.",
    "Fair enough. Tell me what went wrong and I'll change it.",
)
HARD = (
    "That sounds hard. I'm here if I can take something off your plate.",
    "I'm sorry, that sounds rough. Take it easy.",
    "That's a lot. One thing at a time; say the word if I can move or drop something for you.",
)


def pick(choices: Sequence[str], text: str) -> str:
    """One of several phrases, always the same for the same words."""
    return choices[zlib.crc32(text.encode("utf-8", "replace")) % len(choices)]


def lone_yes(clause: Clause, _scene: Scene) -> Share | None:
    """A yes that answers no question."""
    return Share(note=NOTHING_WAITS) if P.YES.fullmatch(clause.text.strip()) else None


def setting(clause: Clause, _scene: Scene) -> Share | None:
    """Where a setting is changed, or that there is none, for words that want one changed; None for all else."""
    found = P.OF_SETTING.fullmatch(clause.text.strip(" .!"))
    if found is None:
        return None
    return Share(note=SETTING if found["known"] else QUIET if found["quiet"] else NO_SETTING)


def small_talk(intent: Intent, text: str, scene: Scene) -> Share:
    """A friendly reply."""
    said = set(intent.parts)
    if "greeting" in said:
        return Share(text=text, note=f"{_greeting(scene)}{_name(scene)}. What can I do for you?", filler=True)
    if "clock" in said:
        day = f"{WEEKDAYS[scene.now.weekday()]} {scene.now.day} {MONTHS[scene.now.month - 1]}"
        return Share(note=f"It is {scene.now:%H:%M} on {day}.")
    if "howto" in said:
        return Share(note=HOW_TO)
    for name, choices in (("thanks", THANKS), ("how", HOW), ("bye", BYE), ("fine", FINE)):
        if name in said:
            return Share(text=text, note=pick(choices, text), filler=True)
    return Share(note=f"I'm Summit. {ABILITIES} {HOW_TO} I can't make calls or look things up on the web.")


def _greeting(scene: Scene) -> str:
    hour = scene.now.hour
    return "Good morning" if hour < NOON else "Good afternoon" if hour < EVENING else "Good evening"


def _name(scene: Scene) -> str:
    profile = scene.ask.records.profile
    return f", {profile.name}" if profile and profile.name else ""


def out_of_scope(text: str) -> Share:
    """What Summit cannot do, and what it can."""
    return Share(text=text, note=CANNOT, filler=True)


def small_talk_answer(text: str) -> Share:
    """Something told, not asked."""
    joyful = P.JOY.search(text) and "not" not in text.lower().split()
    mood = UPSET if P.ANGRY.search(text) else HARD if P.PAIN.search(text) else GLAD if joyful else ACKNOWLEDGEMENTS
    return Share(text=text, note=pick(mood, text), filler=True)

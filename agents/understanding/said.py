"""The sentences of small talk, of help and of what cannot be done."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

THANKS = ("You're welcome.", "Any time.", "Glad to help.", "My pleasure.")
FINE = ("All right.", "Okay.", "Fine by me.", "Got it.")
NOTHING_WAITS = "There is nothing to confirm right now."
HOW = ("I'm well, thank you. What can I do for you?", "All good here. What's on your mind?")
BYE = ("See you later.", "Talk to you soon.", "Goodbye.", "Take care.")
HOW_TO = (
    "Just say it in your own words, for example “meeting with Ana on Friday at 3”, “add milk to my shopping list”, "
    "“move the dentist to Monday” or “undo that”."
)
SETTING = "That is a setting, which talking does not change: PATCH /v1/settings does (see /docs)."
NO_SETTING = "I have no setting for that."
ACKNOWLEDGEMENTS = ("Thanks for telling me.", "I see.", "I hear you.", "Got it.", "Good to know.")
GLAD = ("That's good to hear.", "Lovely.", "Glad to hear it.", "Nice.")
UPSET = (
    "Sorry about that. Tell me what it should be and I'll put it right.",
    "I'm sorry, that was not what you wanted. Say it once more and I'll fix it, or say “undo that”.",
    "Fair enough. Tell me what went wrong and I'll change it.",
)
SOUNDS_HARD = (
    "That sounds hard. I'm here if I can take something off your plate.",
    "I'm sorry, that sounds rough. Take it easy.",
    "That's a lot. One thing at a time; say the word if I can move or drop something for you.",
)


def pick(choices: Sequence[str], text: str) -> str:
    """One of several phrases, always the same for the same words."""
    return choices[zlib.crc32(text.encode("utf-8", "replace")) % len(choices)]

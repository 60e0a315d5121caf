"""Errands in the imperative that are the speaker's own: "buy oat milk", "call the plumber", but not "order me a pizza"."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of
from agents.understanding.text.filler import trim

P = patterns_of(__name__)
RIDES = r"taxis?|cabs?|uber|lyft|rides?|flights?|trains?|tickets?|hotels?|airbnb"
MEALS = (
    r"pizzas?|burgers?|cheeseburgers?|sushi|food(?! bin)|meals?|take-?out|take-?away|delivery|dinner|lunch|breakfast|wings|fries|tacos?|"
    r"burritos?|noodles|curry|sandwich(?:es)?|chinese|thai|indian|italian|mexican|restaurants?|mcdonald'?s|starbucks|domino'?s|eggrolls?"
)
MEDIA = r"songs?|music|albums?|radio|playlists?|movies?|films?|news|weather|recipes?|podcasts?|episodes?"
ONLINE = r"facebook|twitter|instagram|tumblr|tweets?|status|linkedin|snapchat|whatsapp|online|timeline|social media"
MESSAGES = r"e-?mails?|messages?|texts?|sms|tweets?|mail|inbox|notifications?|headlines?"
MONEY = r"dollars?|bucks|euros?|pounds?|checking|savings|credit card|debit card|account|balance|\$\d+"
SERVED: dict[str, str] = {
    "buy": rf"{RIDES}|{MEDIA}|stocks?|shares?|bitcoin|amazon",
    "order": rf"{RIDES}|{MEALS}|{MEDIA}|amazon",
    "get": rf"{RIDES}|{MEALS}|{MEDIA}|{MESSAGES}|directions|info|information|on|off|up|to|rid|out",
    "call": rf"{RIDES}|{MEALS}|number|back(?= (?:the )?last)|it|this|that|him|her|them",
    "phone": r"call|number",
    "ring": r"tone",
    "text": r"saying|tell|ask|message|if",
    "email": rf"{MESSAGES}|saying|tell|ask|address|account",
    "message": rf"{MESSAGES}|saying|tell|ask",
    "send": rf"{MESSAGES}|{ONLINE}|{MONEY}|location|saying|hi|hello|happy|greetings|regards|love|repl(?:y|ies)",
    "pay": rf"{MONEY}|using",
    "post": rf"{ONLINE}|to|pic|photo|picture",
    "write": rf"{MESSAGES}|{ONLINE}|complaint",
    "draft": rf"{MESSAGES}",
    "read": rf"{MESSAGES}|{MEDIA}|{ONLINE}|aloud|out|reviews?|nutrition\w*|last|from",
    "print": r"this|that|it",
    "pick": r"where|random|number",
    "collect": r"data",
    "return": r"to",
}
"""Verbs of errands, and the words after which they are rather meant for a service."""
FORBIDDEN = {verb: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for verb, words in SERVED.items()}

TO_PEOPLE = frozenset({"email", "text", "message"})
LEAST_SAID = 3
"""Words after "email" or "text": a name alone may be an order, "the framer about the frame" is an errand."""


def is_errand(text: str) -> bool:
    """Whether an imperative is something that the speaker will do."""
    verb, _, rest = trim(text).lower().partition(" ")
    if verb in TO_PEOPLE and len(rest.split()) < LEAST_SAID:
        return False
    forbidden = FORBIDDEN.get(verb)
    return forbidden is not None and bool(rest.strip()) and not P.FOR_ME.search(text) and not forbidden.search(rest)

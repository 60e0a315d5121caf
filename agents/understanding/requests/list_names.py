"""Lists called by their bare names: "add milk to groceries", "what's on packing", "emergency kit: add tape"."""

from __future__ import annotations

import re

from agents.understanding.grammar import patterns_of
from agents.understanding.items.choose import AFTERWARDS
from agents.understanding.requests.lists import find_lists, lists
from agents.understanding.scene import Scene
from agents.understanding.text.intents import Intent, Name

# How words begin that say something of a list rather than name what to put on it.
NO_ITEM = (
    r"(?:what|what's|whats|is|are|was|do|does|did|have|has|how|who|where|when|why|can|could|would|will|should|show|read|open|check|there's|there|i|i'm|"
    r"i've|we|we've|it|it's|that's|everything|remove|take|delete|cross|strike|scratch|tick|mark|remind|move|work|start|keep|leave|change)"
)
P = patterns_of(__name__)
WORDS_BEFORE: tuple[tuple[Name, str], ...] = (
    ("list_add", r"(?:add|put|throw|stick|pop)\s+(?P<items>.{1,500}?)\s+(?:to|on|onto|in|into|under)\s+"),
    (
        "list_remove",
        r"(?:remove|take|delete|cross|strike|scratch|tick|check|untick|uncheck|drop|scrap|ditch|lose|pull|get rid of)\s+(?:off\s+|out\s+)?(?P<items>.{1,200}?)\s+"
        r"(?:off(?: of)?|from|on)\s+",
    ),
    ("list_add", rf"(?:(?:oh|and|also|some)\s+){{0,6}}(?P<items>(?!{NO_ITEM}\b)[\w' ,-]{{2,200}}?)\s+(?:on|onto)\s+"),
    (
        "list_query",
        r"(?:what's|whats|what is|what was|what were|what are|show|read|open|check)(?: me)?\s+(?:.{0,20}?\b(?:on|in)\s+)?",
    ),
)
BY_NAME = tuple(
    (
        name,
        re.compile(
            words + r"(?:my |the |our )?(?:list (?:of|for|called|named) )?(?P<list>[\w' -]{2,40}?)\??$", re.IGNORECASE
        ),
    )
    for name, words in WORDS_BEFORE
)


def name_of(title: str) -> str:
    """What a list is called, as people type it: without "list" and without hyphens."""
    return P.LIST_WORD.sub("", title.lower().replace("-", " ")).strip()


def by_name(text: str, scene: Scene) -> Intent | None:
    """A request about a list that is called by its bare name: "add milk to groceries", "what's on packing"."""
    placed = P.PLACED.match(text) or P.WANTED.match(text)
    if placed and len(find_lists(placed["list"], scene)) == 1:
        return Intent("list_add", 0.9, {"items": placed["items"], "list": placed["list"]})
    taken = P.TAKEN.match(text)
    if taken and len(find_lists(taken["list"], scene)) == 1:
        return Intent("list_remove", 0.9, {"items": AFTERWARDS.sub("", taken["items"]), "list": taken["list"]})
    titles = {name_of(item.title): item for item in lists(scene)}
    first = next((title for title in titles if title and text.lower().startswith(f"{title} ")), "")
    added = P.ADDED.match(text[len(first) :]) if first else None
    if added:
        return Intent("list_add", 0.9, {"items": added["items"], "list": first})
    for name, words in BY_NAME:
        match = words.match(text.strip())
        called = name_of(match["list"]) if match else ""
        alike = (
            find_lists(called, scene)
            if match and match["list"].lower().rstrip("?").endswith("list") and " " in called
            else []
        )
        if match and (called in titles or len(alike) == 1):
            return Intent(name, 0.9, {key: value for key, value in match.groupdict().items() if value})
    return None

"""Which of several things words count: "the second", "number three", "the last"."""

from __future__ import annotations

from agents.index.words import tokens

PLACES: dict[str, int] = {
    **{word: at for at, word in enumerate("first second third fourth fifth sixth seventh eighth".split())},
    **{f"{at}{ending}": at - 1 for at, ending in enumerate(("", "st", "nd", "rd", *["th"] * 9)) if at},
    **{str(at): at - 1 for at in range(1, 13)},
    **{word: at for at, word in enumerate("one two three four five".split())},
    "former": 0, "top": 0, "last": -1, "latter": -1, "bottom": -1, "final": -1,
}  # fmt: skip
COUNTING = frozenset("one two three four five".split())


def places_in(words: str, count: int) -> list[int]:
    """Return the places, from 0, that words name among so many things, in order."""
    said = tokens(words)
    named = [word for word in said if word in PLACES and word not in COUNTING]
    if not named and (len(said) == 1 or said[:1] in (["number"], ["step"], ["option"])):
        named = [word for word in said if word in COUNTING]
    places = [count + PLACES[word] if PLACES[word] < 0 else PLACES[word] for word in named]
    return sorted({at for at in places if 0 <= at < count})


def place_in(words: str, count: int) -> int | None:
    """Return the first place that words name among so many things; None if they name none of them."""
    return next(iter(places_in(words, count)), None)

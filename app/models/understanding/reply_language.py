"""The language of a text by its commonest words: code words its receipts in the language of the reply."""

from __future__ import annotations

import re

WORD = re.compile(r"[^\W\d_]+")
MARKS: dict[str, frozenset[str]] = {
    "en": frozenset("the and you your is are it to of for in on that this have with not what do at be i".split()),
    "de": frozenset(
        "der die das und ist ich du nicht ein eine zu auf mit für den im am es dir dich noch was hast".split()
    ),
    "pt": frozenset("o que e de do da não um uma para com você em no na é os as por seu sua mais tem está".split()),
    "es": frozenset("el la que y de no un una para con en es los las por tu tienes lo se está más del al".split()),
    "fr": frozenset("le la les et est de un une pour avec tu vous en dans ce pas ne du des sur que je c".split()),
    "it": frozenset("il la che e di non un una per con è gli le sono hai del della nel ti".split()),
    "nl": frozenset("de het een en is van ik je niet dat op te met voor zijn er aan".split()),
}
TAGS = {"pt": "pt-BR"}
MIN_LANGUAGE_WORDS, LANGUAGE_MARGIN = 2, 1.5
"""Words that tell a language, and how many times as many as of the next one."""


def language_of_text(text: str, usual: str) -> str:
    """Return the BCP 47 tag of a text's language; "" where it is the usual one, or cannot be told."""
    words = WORD.findall(text.lower())
    counts = {tag: sum(word in marks for word in words) for tag, marks in MARKS.items()}
    first, second, *_ = sorted(counts, key=lambda tag: -counts[tag])
    own = usual.lower().partition("-")[0]
    sure = counts[first] >= MIN_LANGUAGE_WORDS and counts[first] >= LANGUAGE_MARGIN * max(
        counts[second], counts.get(own, 0) if first != own else 0
    )
    return TAGS.get(first, first) if sure and first != own else ""

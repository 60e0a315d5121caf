"""Texts that make a reader of words slow: runs of a sign, a word or a phrase, nested quotes, odd spaces, mixtures."""

from __future__ import annotations

import random
from collections.abc import Callable

SPACES = " \t\n\r\x0b\x0c\x1c\x85\u00a0\u1680\u2003\u2009\u2028\u2029\u202f\u205f\u3000"
INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u2800\u3164"
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~“”‘’«»…–—·•¿¡§°€"
DIGITS = "0123456789٣९½²"
LETTERS = "aeinostXßıİſéñжя中あ한ا"
COMBINING = "\u0301\u0300\u0327\u20e3\ufe0f\u0e31"
EMOJI = ("😀", "👩\u200d👩\u200d👧", "🇵🇹", "✅", "🎉", "👍🏽")
WORDS = (
    "add and or but so no not the my to at on by for every all it that this is back wait sorry actually also then "
    "remind me call mom milk delete undo move done list note tomorrow friday monday today next last week month year "
    "half past quarter noon 5pm 17:30 31 first second third january may 2026 minutes hours until from between never "
    "always please can you could would what when where who how many i'm i've don't it's mom's kids' very really "
    "meeting dentist birthday named called titled about with into instead if because while after before one two twenty"
).split()
PHRASES = (
    "and and and",
    "no wait",
    "add milk and",
    "remind me to call mom at 5 and",
    "the day after",
    "every other",
    "my name is",
    "bring the milk back",
    "put it on my list:",
    "not the first one but",
    "from monday to friday",
    "he said “she said ‘",
    "if it rains then",
    "- item\n",
    "* [ ] x\n",
    "1. one\n",
    "a, b and c, ",
    "1/2/",
    "in 5 minutes or ",
    "call it off, ",
    "http://x.y/?a=b&",
    "a@b.c ",
)
STARTS = ("", "add", "remind me to", "put", "delete", "what is", "no,", "note:", "list:", "every", "i", "never")
ENDS = ("", "milk", "back", "tomorrow at 5", "!", "?", "“", "please", "to the list")
Maker = Callable[[random.Random, int], str]


def of_one_sign(rng: random.Random, size: int) -> str:
    signs = rng.choice((SPACES, INVISIBLE, SIGNS, DIGITS, LETTERS, COMBINING, EMOJI))
    return framed(rng, rng.choice(signs), size)


def of_one_word(rng: random.Random, size: int) -> str:
    return framed(rng, rng.choice(WORDS) + rng.choice((" ", ", ", ". ", "-", "", "\n", "' ", '" ')), size)


def of_one_phrase(rng: random.Random, size: int) -> str:
    return framed(rng, rng.choice(PHRASES) + rng.choice((" ", "", "\n")), size)


def of_two_signs(rng: random.Random, size: int) -> str:
    signs = SPACES + INVISIBLE + SIGNS + DIGITS + LETTERS + COMBINING
    return framed(rng, rng.choice(signs) + rng.choice(signs), size)


def of_words(rng: random.Random, size: int) -> str:
    few = rng.sample(WORDS, rng.randint(2, 12))
    joint = rng.choice((" ", " ", ", ", "  ", "\n", "\t", "\u2003"))
    return framed(rng, joint.join(rng.choice(few) for _ in range(200)) + joint, size)


def of_quotes(rng: random.Random, size: int) -> str:
    opens, shuts = rng.choice((("“", "”"), ("‘", "’"), ('"', "'"), ("(", ")"), ("[", "]"), ("«", "»")))
    word, depth = rng.choice(WORDS), size // 4
    return f"{rng.choice(STARTS)} {opens * depth}{word} {shuts * depth} {rng.choice(ENDS)}"


def of_anything(rng: random.Random, size: int) -> str:
    kinds = (*SPACES, *INVISIBLE, *SIGNS, *DIGITS, *COMBINING, *EMOJI, *WORDS, *PHRASES)
    parts: list[str] = []
    while sum(map(len, parts)) < size:
        parts.append(rng.choice(kinds) * rng.choice((1, 1, 1, 2, 7, 50, 400)))
        parts.append(rng.choice(("", " ")))
    return "".join(parts)


MAKERS: tuple[Maker, ...] = (of_one_sign, of_one_word, of_one_phrase, of_two_signs, of_words, of_quotes, of_anything)


def framed(rng: random.Random, unit: str, size: int) -> str:
    """A unit repeated, between a request's first and last words."""
    return f"{rng.choice(STARTS)} {unit * (size // len(unit))} {rng.choice(ENDS)}"


def hostile(seed: int, count: int, most: int) -> list[str]:
    """So many texts of at most so many characters; half of them as long as may be, the others of any length."""
    rng = random.Random(seed)
    sizes = (most if rng.random() < 1 / 2 else int(most ** rng.uniform(0.4, 1)) for _ in range(count))
    texts = [rng.choice(MAKERS)(rng, size)[:most] for size in sizes]
    return [text if text.strip() else f"add{text}"[:most] for text in texts]

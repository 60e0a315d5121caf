"""Whether the words of an item are those that a rule is about."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

TOKEN = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
TEXTS = ("task", "title", "summary", "content", "text", "list", "location", "notes")
URGENT = re.compile(r"\b(?:urgent(?:ly)?|asap|important|critical|emergency)\b", re.IGNORECASE)
SHORTEST_STEM = 3
ENDING = re.compile(r"(?<=[a-z]{3})(?:ment|ing|ed)$")


def stem(word: str) -> str:
    """A word without its possessive, its plural and its commonest endings, in lower case."""
    bare = ENDING.sub("", singular(word))
    return bare[:-1] if bare != singular(word) and bare[-1:] == bare[-2:-1] else bare


def singular(word: str) -> str:
    """A word without its possessive and its plural, in lower case."""
    plain = re.sub(r"['\u2019]s?$", "", word.lower())
    if plain.endswith("ies") and len(plain) > SHORTEST_STEM + 2:
        return f"{plain[:-3]}y"
    if re.search(r"(?:x|ch|sh|ss)es$", plain):
        return plain[:-2]
    if plain.endswith("s") and not plain.endswith("ss") and len(plain) > SHORTEST_STEM:
        return plain[:-1]
    return plain


def stems(text: str) -> list[str]:
    """The words of a text as stems, in order."""
    return [stem(word) for word in TOKEN.findall(text)]


def significant_words(text: str, empty: Collection[str]) -> tuple[str, ...]:
    """The words of a text that tell something, as they were said and each once."""
    said = {stem(word): re.sub(r"['\u2019]s?$", "", word.lower()) for word in TOKEN.findall(text)}
    return tuple(word for word in said.values() if singular(word) not in empty and word not in empty)[:10]


def words_of(record: Mapping[str, Any]) -> set[str]:
    """The stems of everything that names an item: its title, list, tags, place and notes."""
    texts = [record[name] for name in TEXTS if isinstance(record.get(name), str)]
    tags = [tag for tag in record.get("tags") or [] if isinstance(tag, str)]
    items = [item.get("text", "") for item in record.get("items") or [] if isinstance(item, Mapping)]
    return {word for text in (*texts, *tags, *items) for word in stems(text)}


def is_about(record: Mapping[str, Any], about: Iterable[str]) -> bool:
    """Whether an item has at least half of these words; no words are about everything."""
    wanted, known = [stem(word) for word in about], words_of(record)
    return 2 * sum(_is_known_word(word, known) for word in wanted) >= len(wanted)


def is_any_of(record: Mapping[str, Any], about: Iterable[str]) -> bool:
    """Whether an item has one of these words; no words are about everything."""
    wanted, known = [stem(word) for word in about], words_of(record)
    return not wanted or any(_is_known_word(word, known) for word in wanted)


def is_urgent(record: Mapping[str, Any], said: str) -> bool:
    """Whether an item is called urgent, by its own text or by the user's request."""
    return bool(URGENT.search(said)) or any(URGENT.search(str(record.get(name) or "")) for name in TEXTS)


def _is_known_word(word: str, known: set[str]) -> bool:
    return word in known or any(
        min(len(word), len(other)) > SHORTEST_STEM + 1 and (word.startswith(other) or other.startswith(word))
        for other in known
    )

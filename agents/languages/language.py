"""One language that replies are written in: its catalog, read once, and its names of days and months."""

from __future__ import annotations

import importlib
from functools import cache, lru_cache
from gettext import GNUTranslations
from importlib.resources import files
from string import Formatter

CATALOG = ".po"
Parts = tuple[list[str], list[str]]
RETOLD_VALUES = frozenset({"area", "kind", "why", "wrong"})
"""Placeholders that hold English of ours; all others hold the words of people."""
RETOLD, ANSWER = "retold", "answer"
"""Contexts of a catalog: English texts that are stored or made elsewhere, and what people say for yes and no."""


class Language:
    """Templates in one language, by their English; ``tag`` names it as its catalog does."""

    def __init__(self, tag: str) -> None:
        reading = importlib.import_module("agents.languages.catalog")  # 50 ms of Babel, which English need not wait for
        self.texts: GNUTranslations
        self.weekdays: list[str]
        self.months: list[str]
        self.texts, self.weekdays, self.months, contexts = reading.read_catalog(tag)
        self.tag = tag
        self.answers = {said: yes for yes, own in contexts.get(ANSWER, {}).items() for said in own.split("|")}
        retellable = list(contexts.get(RETOLD, {}))
        self._whole = {english for english in retellable if "{" not in english}
        self._patterns = [(english, _parts(english)) for english in retellable if "{" in english]

    def retold(self, text: str) -> str:
        """A text that stands in the catalog, perhaps with values in it, in this language; any other as it is."""
        if text in self._whole:
            return self.texts.pgettext(RETOLD, text)
        for english, parts in self._patterns:
            values = _values(parts, text)
            if values is not None:
                own = {name: self.retold(value) if name in RETOLD_VALUES else value for name, value in values.items()}
                return self.texts.pgettext(RETOLD, english).format(**own)
        return text


def languages() -> list[str]:
    """The tags of the languages beside English."""
    return list(TAGS)


def known_language(tag: str) -> Language | None:
    """The language of a BCP 47 tag, or another of the same speech; None for English and for what has no catalog."""
    catalog = _closest(tag)
    return _read(catalog) if catalog else None


def needs_reading(tag: str) -> bool:
    """Whether the catalog of a tag's language is still to be read from its file."""
    catalog = _closest(tag)
    return bool(catalog) and catalog not in CATALOGS_READ


@lru_cache(maxsize=256)
def _closest(tag: str) -> str | None:
    wanted = tag.replace("-", "_")
    speech = wanted.partition("_")[0].lower()
    alike = [one for one in languages() if one.partition("_")[0] == speech]
    exact = [one for one in alike if one.lower() == wanted.lower()]
    return (exact or alike)[0] if alike else None


CATALOGS_READ: set[str] = set()


@cache
def _read(tag: str) -> Language:
    language = Language(tag)
    CATALOGS_READ.add(tag)
    return language


def _find_tags() -> tuple[str, ...]:
    names = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(CATALOG) for name in names if name.endswith(CATALOG)))


TAGS = _find_tags()  # at import: hosts such as Studio refuse a look into a folder later


def _parts(template: str) -> Parts:
    """The letters around the placeholders of a template, one more than there are, and their names."""
    pieces = list(Formatter().parse(template))
    names = [name for _, name, _, _ in pieces if name]
    literals = [literal for literal, *_ in pieces]
    return [*literals, ""][: len(names) + 1], names


def _values(parts: Parts, text: str) -> dict[str, str] | None:
    """What stands in a template's placeholders; None where the text is not of this form. Reads the text once."""
    (first, *between, last), names = parts
    begin, end, values = len(first), len(text) - len(last), list[str]()
    if not (text.startswith(first) and text.endswith(last)):
        return None
    for literal in between:
        at = text.find(literal, begin, end)
        if at < 0:
            return None
        values.append(text[begin:at])
        begin = at + len(literal)
    return dict(zip(names, [*values, text[begin:end]], strict=True)) if begin <= end else None

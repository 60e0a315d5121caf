"""Reads a catalog and the names of days and months with Babel; imported at the first reply that is not English."""

from __future__ import annotations

from gettext import GNUTranslations
from importlib.resources import files
from io import BytesIO

from babel.core import Locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

Contexts = dict[str, dict[str, str]]
"""Messages with a context: by it, then by their English."""


def read_catalog(tag: str) -> tuple[GNUTranslations, list[str], list[str], Contexts]:
    """The translations of a language, its weekdays from Monday, its months, and what has a context."""
    locale = Locale.parse(tag)
    catalog = read_po(BytesIO((files(__package__) / f"{tag}.po").read_bytes()), locale=tag)
    contexts: Contexts = {}
    for message in catalog:
        if message.context:
            contexts.setdefault(message.context, {})[str(message.id)] = str(message.string)
    weekdays, months = locale.days["format"]["wide"], locale.months["format"]["wide"]
    named = [str(weekdays[day]) for day in range(7)], [str(months[month]) for month in range(1, 13)]
    return _compile(catalog), *named, contexts


def _compile(catalog: Catalog) -> GNUTranslations:
    binary = BytesIO()
    write_mo(binary, catalog)
    binary.seek(0)
    return GNUTranslations(binary)

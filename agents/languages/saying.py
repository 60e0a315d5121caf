"""Says a template in the language that is spoken here and now: the one of the reply in the making."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date

from agents.languages.language import ANSWER, Language, known_language, languages

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
LONGEST_ANSWER = 40

_spoken: ContextVar[Language | None] = ContextVar("summit_language", default=None)


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Say everything in the language of a BCP 47 tag; in English where it has no catalog."""
    before = _spoken.set(known_language(tag))
    try:
        yield
    finally:
        _spoken.reset(before)


def say(template: str, **values: object) -> str:
    """A template with its values, in the language that is spoken."""
    language = _spoken.get()
    return (language.texts.gettext(template) if language else template).format(**values)


def say_number(one: str, many: str, count: int, **values: object) -> str:
    """The template that goes with a number, by the rules of the language."""
    language = _spoken.get()
    template = language.texts.ngettext(one, many, count) if language else one if count == 1 else many
    return template.format(count=count, **values)


def say_later(template: str) -> str:
    """A template in a table, which is said later; it stands in the catalogs like any other."""
    return template


def retold(text: str) -> str:
    """An English text that was made elsewhere, such as the reason of a refusal, as far as the catalog has it."""
    language = _spoken.get()
    return language.retold(text) if language else text


def weekday_name(day: int) -> str:
    """The name of a weekday; Monday is 0."""
    language = _spoken.get()
    return (language.weekdays if language else WEEKDAYS)[day]


def month_name(day: date) -> str:
    """The name of a day's month."""
    language = _spoken.get()
    return (language.months if language else MONTHS)[day.month - 1]


def answer_meant(text: str) -> str:
    """The English yes or no that a short answer in any of the languages stands for; empty for anything else."""
    said = re.sub(r"[^\w\s]", "", text[:LONGEST_ANSWER]).strip().lower() if len(text) <= LONGEST_ANSWER else ""
    found = (language.answers.get(said) for language in map(known_language, languages()) if language)
    return next(filter(None, found), "") if said else ""


def answer_said(english: str) -> str:
    """A yes or a no as an option that can be picked, in the language that is spoken."""
    language = _spoken.get()
    return language.texts.pgettext(ANSWER, english).partition("|")[0] if language else english

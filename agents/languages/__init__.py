"""The language of a reply: each sentence that code makes is a template, and a catalog has it in one more language.

A template's English is its name. A further language is one more file here: ``fr.po``.
"""

from __future__ import annotations

from agents.languages.language import Language, known_language, languages, needs_reading
from agents.languages.saying import (
    MONTHS,
    WEEKDAYS,
    answer_meant,
    answer_said,
    month_name,
    retold,
    say,
    say_later,
    say_number,
    speaking,
    weekday_name,
)

__all__ = [
    "MONTHS",
    "WEEKDAYS",
    "Language",
    "answer_meant",
    "answer_said",
    "known_language",
    "languages",
    "month_name",
    "needs_reading",
    "retold",
    "say",
    "say_later",
    "say_number",
    "speaking",
    "weekday_name",
]

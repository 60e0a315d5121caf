"""How an engine spells what was said, as the rest of Summit reads it."""

from __future__ import annotations

import re

RUN_TOGETHER = re.compile(r"\b(at) (1[0-2]|[1-9])\.?([0-5]\d)(?=[ .,?!]|$)", re.IGNORECASE)
"""Whisper writes "ten thirty" as 1030 or 10.30: a time of a twelve-hour clock, since no year is one."""


def readable_times(text: str) -> str:
    """The text with times of day as 10:30."""
    return RUN_TOGETHER.sub(r"\1 \2:\3", text)

"""Words that are likely in a clip: an engine that knows them mishears less."""

from __future__ import annotations

from collections.abc import Iterable

COMMANDS = (
    "Undo that. Add milk to my shopping list. Book the dentist on Friday at 3 p.m. Buy bread. "
    "Move it to Thursday. Remind me tomorrow. Mark it as done. Cancel that."
)
"""What people say to an assistant; no bare yes or no, which a doubtful sound must not turn into."""

MOST_CHARS = 400
"""Whisper reads at most 224 tokens before a clip."""


def prompt_of(names: Iterable[str]) -> str:
    """A prompt of usual commands and of the user's own names, the first ones first, as many as there is room for."""
    chosen: list[str] = []
    room = MOST_CHARS
    for name in dict.fromkeys(" ".join(name.split()) for name in names):
        if name and len(name) + 2 <= room:
            chosen.append(name)
            room -= len(name) + 2
    return f"{', '.join(chosen)}. {COMMANDS}" if chosen else COMMANDS

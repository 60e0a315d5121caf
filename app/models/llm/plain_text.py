"""A model's text as people read it: without thoughts, channels and marks of templates, and sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator

from agents.claims import claims_change, whole
from app.models.llm.requests import Hear

THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
"""What a model thinks aloud; one that was cut off in the middle of it has said nothing yet."""
OPEN_THOUGHT = re.compile(r"\A.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""Some servers put the beginning of a thought into the prompt, so that only its end is in the answer."""
CHANNEL = re.compile(
    r"<\|channel\|>\s*(?P<name>\w+)[^<]*(?:<\|constrain\|>\w*\s*)?<\|message\|>(?P<said>.*?)(?=<\||\Z)", re.DOTALL
)
"""A part of an answer in OpenAI's harmony format; only its final channel is for the user."""
MARKS = re.compile(
    r"<\|[^|<>\n]{1,40}\|>(?:assistant\b)?|\[/?TOOL_CALLS\]|</?tool_calls?>|```(?:json|tool_code)?\s*```"
)
"""What templates put around calls and turns."""
CALL_SIGN = re.compile(r"[<{\[`]|\b\w+\(\w+=|functions\.")
"""What may begin a call that is written into the text."""


class EarlyWords:
    """Hears an answer that is still coming: each sentence as soon as it is whole and can be said; ``heard`` are those.

    A sentence that claims a change waits for its rows, and what looks like a call is none.
    """

    def __init__(self, hear: Hear | None) -> None:
        self.heard: list[str] = []
        self._hear = hear
        self._rest = ""

    def take(self, piece: str) -> None:
        """Hear the sentences that a piece completes."""
        if self._hear is None:
            return
        done, self._rest = whole(self._rest + piece)
        for sentence in done:
            if CALL_SIGN.search(sentence) or claims_change(sentence):
                self._hear = None  # what comes after it is heard after it
                return
            self._hear(sentence)
            self.heard.append(sentence)


def without_thoughts(text: str) -> str:
    """Return the text without what was thought aloud."""
    return OPEN_THOUGHT.sub("", THINKING.sub("", text)).strip()


def has_lost_thought(text: str) -> bool:
    """Return whether a thought ends that never began: in a stream nobody can tell it from the answer."""
    return OPEN_THOUGHT.match(THINKING.sub("", text)) is not None or "<|channel|>" in text


def final_channel(text: str) -> str:
    """Return what is for the user where a text has channels; any other text as it is."""
    parts = list(CHANNEL.finditer(text))
    if not parts:
        return text
    return "\n".join(part["said"].strip() for part in parts if part["name"] == "final")


async def stream_without_thought(pieces: AsyncIterator[str]) -> AsyncGenerator[str, None]:
    """Yield a streamed text without the thought that it begins with."""
    begun, thinking = "", True
    async for piece in pieces:
        if not thinking:
            yield piece
            continue
        begun += piece
        thinking = _is_in_thought(begun)
        if not thinking and (told := without_thoughts(begun)):
            yield f"{told} " if begun[-1:].isspace() else told
    if thinking and (told := without_thoughts(begun)):
        yield told


def _is_in_thought(begun: str) -> bool:
    """Return whether a text may still be a thought: it begins as one, or as the tag of one, and none has ended."""
    start = begun.lstrip().lower()
    if start.startswith("<think"):
        return "</think" not in start or ">" not in start.rpartition("</think")[2]
    return "<think".startswith(start)

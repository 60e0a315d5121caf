"""The words of an answer that is still coming: each sentence is heard as soon as it is whole and can be said.

A sentence that claims a change waits for its rows, and what looks like a call is none.
"""

from __future__ import annotations

import re

from agents.claims import claims_change, whole
from app.models.llm.requests import Hear

CALL_SIGN = re.compile(r"[<{\[`]|\b\w+\(\w+=|functions\.")
"""What may begin a call that is written into the text."""


class EarlyWords:
    """Takes an answer piece by piece; ``heard`` are the sentences that are out."""

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
            if self._hear is not None:
                self._take_sentence(sentence, self._hear)

    def _take_sentence(self, sentence: str, hear: Hear) -> None:
        if CALL_SIGN.search(sentence) or claims_change(sentence):
            self._hear = None  # what comes after it is heard after it
            return
        hear(sentence)
        self.heard.append(sentence)

"""A reply on its way: each sentence is sent as soon as it is known to be true, and cannot be taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from agents.rendering.tone import ReplyStyle


class Receipt(str):
    """A sentence of the reply that tells one change: whoever shows the change needs it no more."""

    __slots__ = ()


@dataclass
class ReplyUnderWay:
    """The one reply on its way: what was said is out, and cannot be taken back."""

    write: Callable[[Any], None]
    manner: ReplyStyle
    said: list[str] = field(default_factory=list)

    def hear(self, sentence: str) -> None:
        """Send a sentence of a mind that is still thinking; it is to be heard now."""
        self.say([self.manner.strip_emojis(sentence)])
        self.write({"pause": True})

    def say(self, sentences: Iterable[str]) -> None:
        """Send sentences on their way."""
        for sentence in sentences:
            apart = self.said and not self.said[-1].endswith("\n")
            receipt = {"receipt": True} if isinstance(sentence, Receipt) else {}
            self.write({"delta": f" {sentence}" if apart else sentence, **receipt})
            self.said.append(sentence)

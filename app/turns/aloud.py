"""A written reply as somebody would read it out."""

from __future__ import annotations

import re

LINK = re.compile(r"\[([^\[\]]{1,200})\]\([^()\s]{1,500}\)")
ADDRESS = re.compile(r"https?://\S{1,500}")
MARKS = re.compile(r"[*_`#~|<>“”„]+")
BULLET = re.compile(r"^[ \t]*(?:[-•\u2013]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
PICTURES = re.compile(r"[\u2190-\u21ff\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]+")
UNENDED = re.compile(r"(?<=[^\s.!?…:;,])[ \t]*\n")


def aloud(reply: str) -> str:
    """Without what only eyes can use: marks, addresses, pictures; each line ends like a sentence."""
    text = ADDRESS.sub(" ", LINK.sub(r"\1", reply))
    text = PICTURES.sub(" ", MARKS.sub("", BULLET.sub("", text)))
    text = UNENDED.sub(".\n", text)
    return "\n".join(" ".join(line.split()) for line in text.splitlines() if line.strip())

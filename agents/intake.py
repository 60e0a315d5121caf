"""What is done to words before they are understood: endless runs are collapsed, and what is too long is cut."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

BLANKS = re.compile(r"[\s\u200b\u2060\ufeff]{2,}|[^\S \n]")
"""Two or more of any kind, those without width among them, or one that is no usual space or line end."""
ENDS = (". ", "! ", "? ", "\n")
SIGNS = re.compile(r"(?P<sign>[^\w\s])(?P=sign){3,}")


@lru_cache(maxsize=64)  # the last messages of a thread are looked at in each turn
def normalize_whitespace(text: str) -> str:
    """The text with one space, line end or blank line for each run of white space, and at most three equal signs."""
    return SIGNS.sub(r"\g<sign>\g<sign>\g<sign>", BLANKS.sub(lambda run: _shortest(run[0]), text))


@lru_cache(maxsize=64)  # thousands of runs in one text are mostly alike
def _shortest(run: str) -> str:
    """What is left of a run: where lines end in it, one or two line ends."""
    if not any(map(str.isspace, run)):
        return run[0]
    ends = len(f"{run}.".splitlines()) - 1
    return "\n" * min(ends, 2) or " "


def cut(text: str, longest: int) -> tuple[str, str]:
    """The whole sentences and lines within the first ``longest`` characters, and the rest; half a request is none."""
    if len(text) <= longest:
        return text, ""
    end = max(text.rfind(sign, 0, longest) + len(sign.strip()) for sign in ENDS)
    return text[:end], text[end:].strip()


Said = Annotated[str, AfterValidator(normalize_whitespace)]
"""Words as they are to be understood: patterns that meet them need not be quick on endless blanks."""

"""All ways to ask, from readings.tsv, the most specific first: a clause is read by the first one that fits."""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import cast

from agents.understanding.grammar import PIECE
from agents.understanding.text.patterns.pattern import Name, Pattern


def _read(content: str) -> Iterator[Pattern]:
    pieces = dict[str, str]()
    for line in content.splitlines():
        if line and not line.startswith("#"):
            name, sure, text = line.split("\t")
            text = PIECE.sub(lambda piece: pieces[piece[1]], text)
            if sure == "=":
                pieces[name] = text
            else:
                words = re.compile(text.removeprefix("~"), re.IGNORECASE)
                yield Pattern(cast("Name", name), words, float(sure), anywhere=text.startswith("~"))


PATTERNS = tuple(_read(files(__package__).joinpath("readings.tsv").read_text(encoding="utf-8")))

__all__ = ["PATTERNS"]

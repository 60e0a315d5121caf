"""Words that narrow down what a question asks for: the groups of words.tsv, single words and never sentences."""

from __future__ import annotations

from importlib.resources import files

from agents.index.words import tokens


def _read() -> dict[str, frozenset[str]]:
    lines = files("agents.understanding.questions").joinpath("words.tsv").read_text(encoding="utf-8").splitlines()
    rows = (line.partition("\t") for line in lines if not line.startswith("#"))
    return {name: frozenset(words.split()) for name, _, words in rows}


GROUPS = _read()
EMPTY = GROUPS["empty"]
"""Words that name nothing that could be looked up."""
SHORT_FORMS = {
    "what's": "what", "whats": "what", "what've": "what", "what're": "what", "wat": "what", "when's": "when",
    "whens": "when", "where's": "where", "wheres": "where", "who's": "who", "whos": "who", "how's": "how",
    "hows": "how", "you've": "you",
}  # fmt: skip


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, those that are written together with "is" by themselves."""
    return tuple(SHORT_FORMS.get(word, word) for word in tokens(text))

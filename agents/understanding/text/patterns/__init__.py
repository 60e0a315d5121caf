"""All patterns, the most specific first: a clause is read by the first one that fits and can be carried out."""

from agents.understanding.text.patterns import asking, changing, keeping, talking

PATTERNS = (*keeping.PATTERNS, *asking.PATTERNS, *changing.PATTERNS, *talking.PATTERNS)

__all__ = ["PATTERNS"]

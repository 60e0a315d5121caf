"""What was found, in words: each quote with its day."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from agents.contract import Citation
from agents.phrases import CLOSEST, side_by_side
from app.memory.answering import NO_ANSWER
from app.memory.fusion import Ranked
from app.memory.versions import Versions


def quote_all(citations: Sequence[Citation], timezone: str) -> str:
    """Return each quote as a sentence with its day, or that there is none."""
    if not citations:
        return NO_ANSWER
    return " ".join(f"On {day_of(one, timezone)}: {quoted_words(one)}" for one in citations)


def say_closest(answer: str) -> str:
    """Return quotes named as what may not answer."""
    return f"{CLOSEST} {answer[:1].lower()}{answer[1:]}"


def quote_versions(told: Sequence[Ranked], quotes: Sequence[Citation], versions: Versions, timezone: str) -> str:
    """Return the same, with what was said before and later of the same thing named as that; the first is the latest.

    ``quotes`` are those of what is told.
    """
    first, *others = quotes
    before = [quote for one, quote in zip(told, quotes, strict=True) if one in versions.before]
    later = [quote for one, quote in zip(told, quotes, strict=True) if one is versions.later]
    further = [one for one in others if one not in before and one not in later]
    parts = [
        quote_all([first], timezone),
        _link_quotes("Before that you said", before, first, timezone),
        _link_quotes("Later you said", later, first, timezone),
        quote_all(further, timezone) if further else "",
    ]
    return side_by_side(filter(None, parts))


def day_of(one: Citation, timezone: str) -> str:
    """Return the day on which something was said, where its user is."""
    return f"{one.captured_at.astimezone(ZoneInfo(timezone)):%-d %B %Y}"


def _link_quotes(link: str, quotes: Sequence[Citation], first: Citation, timezone: str) -> str:
    """Quotes after words that tell their order in time; the day is told where it is another."""
    today = day_of(first, timezone)
    days = [(one, day_of(one, timezone)) for one in quotes]
    told = [quoted_words(one) if day == today else f"on {day}: {quoted_words(one)}" for one, day in days]
    return f"{link}, {'; '.join(told)}" if told else ""


def quoted_words(one: Citation) -> str:
    """Return the words of a quote in quotation marks."""
    return f"\u201c{one.quote}\u201d"

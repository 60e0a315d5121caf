"""Questions about how it was: what the profile said then, and since when it says what it says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from agents.contract import Lookback
from agents.dates_in_words import say_day
from agents.fact_history import Fact, fact_history
from agents.phrases import NOT_TOLD, quoted
from agents.understanding.grammar import patterns_of
from agents.understanding.items.past import period_in
from agents.understanding.references import alike, words_of
from agents.understanding.scene import Scene
from agents.understanding.share import Share, answer
from agents.understanding.text.clauses import Clause

MOST = 5
FIELDS: tuple[tuple[str, str, str], ...] = (
    (
        "job",
        "your job was {}",
        r"\bmy (?:\w+ )?(?:job|work|profession|employer|occupation|position)\b|\bi (?:work(?:ed)?|do for a living|did for a living)\b",
    ),
    (
        "location",
        "you lived in {}",
        r"\bmy (?:\w+ )?(?:location|city|home ?town|address|home)\b|\bi (?:live[d]?|moved?|been living|move to)\b",
    ),
    (
        "college",
        "you were at {}",
        r"\bmy (?:\w+ )?(?:college|university|school)\b|\bi (?:attend(?:ed)?|go to (?:college|university|school))\b",
    ),
    ("course", "you studied {}", r"\bmy (?:\w+ )?(?:course|major|degree)\b|\bi (?:study|studied|major(?:ed)? in)\b"),
    ("interests", "you were interested in {}", r"\bmy (?:\w+ )?(?:interests|hobbies)\b|\bi (?:was|were) into\b"),
    ("name", "your name was {}", r"\bmy (?:\w+ )?name\b"),
)
P = patterns_of(__name__)


def former_value_answer(clause: Clause, scene: Scene) -> Share | None:
    """What was known then, or since when; None for everything that is no such question."""
    text = clause.text
    if not P.ASKS.match(text) or (not P.PAST.search(text) and not P.WHEN.search(text)):
        return None
    name = _field(text, scene)
    when = P.WHEN.search(text) and P.STARTED.search(text)
    period = None if when else period_in(text, scene)
    if name is None or not (when or period or P.BEFORE.search(text)):
        return None
    if scene.ask.history is None:
        return Share(look_back=Lookback(kind="profile"))
    known = [fact for fact in fact_history(scene.ask.history) if fact.name == name]
    if when:
        return answer(clause.text, *_since(text, known, scene))
    then = [fact for fact in known if period is None or fact.held(period.start, period.end)]
    if period is None and re.search(r"\b(?:before|previous|former|old|used to)\b", text, re.IGNORECASE):
        then = [fact for fact in known if fact.valid_to is not None]
    return answer(clause.text, *([_was(fact, scene) for fact in then[-MOST:]] or [_nothing(known, scene)]))


def _field(text: str, scene: Scene) -> str | None:
    """The field that is asked about, or the name of another fact."""
    if P.JOINED.search(text):
        return "job"
    named = next((name for name, _, words in FIELDS if re.search(words, text, re.IGNORECASE)), None)
    if named:
        return named
    facts = scene.ask.records.profile.facts if scene.ask.records.profile else {}
    said = words_of(text)
    return next((name for name in facts if all(any(alike(w, other) for other in said) for w in words_of(name))), None)


def _was(fact: Fact, scene: Scene) -> str:
    form = next((form for name, form, _ in FIELDS if name == fact.name), f"your {fact.name} was {{}}")
    until = f", until {_day(fact.valid_to, scene)}" if fact.valid_to else ", and that still stands"
    said = form.format(quoted(fact.value))
    stated = fact.valid_from.date() != fact.told_at.date()
    since = f" since {_day(fact.valid_from, scene)}" if stated else ""
    return f"As you told me {_on(fact.told_at, scene)}, {said}{since}{until}."


def _since(text: str, known: Sequence[Fact], scene: Scene) -> list[str]:
    """When the fact was told that the words name; the latest when they name none."""
    said = words_of(text)
    meant = [fact for fact in known if any(alike(word, other) for word in words_of(fact.value) for other in said)]
    found = meant[:1] or known[-1:]
    if not found:
        return [NOT_TOLD]
    return [_was(fact, scene) for fact in found]


def _nothing(known: Sequence[Fact], scene: Scene) -> str:
    if not known:
        return NOT_TOLD
    return f"You had not told me by then; the first I know is this. {_was(known[0], scene)}"


def _on(moment: datetime, scene: Scene) -> str:
    day = _day(moment, scene)
    return day if day in ("today", "yesterday") else f"on {day}"


def _day(moment: datetime, scene: Scene) -> str:
    return say_day(moment.astimezone(scene.clock.zone).date(), scene.now)

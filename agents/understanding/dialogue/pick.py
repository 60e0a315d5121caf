"""Which of the things on offer words mean: by place, by time, by name; all, both, the rest, or all but some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from agents.contract import Option
from agents.index.words import alike, tokens, words_of
from agents.time import find_times
from agents.understanding.changes.revise import BEGUN_WORDS
from agents.understanding.ground import POINTING, is_at, kinds_in
from agents.understanding.places import PLACES, places_in
from agents.understanding.situation import Situation
from agents.understanding.values.days import PART_HOURS

ALL_OPTION_WORDS = frozenset("all both every everything each either any whole series lot".split())
EARLY_WORDS, LATE_WORDS = frozenset("earlier earliest sooner soonest".split()), frozenset("later latest".split())
OLD, NEW = frozenset("older oldest old".split()), frozenset("newer newest new newly".split())
NAMELESS = frozenset(("the", "that", "one", "ones", "it"))
OFFERED = frozenset("slot option choice time day line entry answer suggestion number and or please just".split())
"""What a thing on offer may be called, and words beside it."""
SURE_LIKENESS = 0.8


def pick_options(words: str, spared: str, options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the options that words mean, without those that are spared; none if the words mean none of them."""
    without = _meant_options(spared, options, situation) if spared else []
    if not words and without:
        return [option for option in options if option not in without]
    return [option for option in _meant_options(words, options, situation) if option not in without]


def _meant_options(words: str, options: Sequence[Option], situation: Situation) -> list[Option]:
    exact = [option for option in options if option.label.casefold() == words.strip().casefold()]
    if exact:
        return exact
    said = set(tokens(words))
    if said & ALL_OPTION_WORDS:
        return list(options)
    alone = kinds_in(said) if said <= POINTING | {word for word in said if kinds_in([word])} | {"just", "only"} else ()
    of_kind = [option for option in options if option.kind in alone]
    if of_kind and len(of_kind) < len(options):
        return of_kind
    whole = [option for option in options if said - NAMELESS <= set(tokens(option.label)) and said - NAMELESS]
    named = whole if len(whole) == 1 else _by_name(words, options)
    places = places_in(words, len(options)) if len(named) != 1 else []
    if places and _only_counts(words, options):
        return [options[at] for at in places]
    if len(named) == 1:
        return named
    found = _by_time(words, options, situation) or _by_order(said, options, situation)
    return found or _by_state(said, options, situation)


def _only_counts(words: str, options: Sequence[Option]) -> bool:
    """Return whether words that count say nothing else: "the second half" is no second one."""
    known = {word for option in options for word in words_of(option.label)}
    said = [word for word in tokens(words) if word not in POINTING | PLACES.keys() | OFFERED and not kinds_in([word])]
    return all(any(alike(word, other) >= SURE_LIKENESS for other in known) for word in words_of(" ".join(said)))


def _by_name(words: str, options: Sequence[Option]) -> list[Option]:
    """Return the options whose labels have most of the words: the best one, or those that are equally good."""
    said = [word for word in words_of(words) if word not in PLACES or word.isdigit()]
    scores = [sum(max((alike(a, b) for b in words_of(option.label)), default=0) for a in said) for option in options]
    kinds = kinds_in(tokens(words))
    scores = [score + (option.kind in kinds) for score, option in zip(scores, options, strict=True)]
    best = max(scores, default=0)
    return [option for score, option in zip(scores, options, strict=True) if score == best >= SURE_LIKENESS]


def _by_time(words: str, options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the one option at the time, or in the part of the day, that the words say."""
    telling = " ".join(word for word in words.split() if word.lower() not in NAMELESS)
    part = next((word for word in tokens(telling) if word in PART_HOURS), "")
    said = telling if part != telling.lower() else f"today {part}"
    times = [found for found in find_times(said, situation.clock, bare=True) if found.moment]
    items = [(option, situation.item(option.record_id)) for option in options]
    if said != telling:
        times = [replace(found, day_said=False) for found in times]
    found = [option for option, item in items if item and times and all(is_at(item, one, situation) for one in times)]
    return found if len(found) == 1 else []


def _by_order(said: set[str], options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the earlier or the later one, the older or the newer one."""
    first, last = said & (EARLY_WORDS | OLD), said & (LATE_WORDS | NEW)
    if bool(first) == bool(last):
        return []
    numbers = [" ".join(word for word in tokens(option.label) if word.isdigit()) for option in options]
    dated = zip(options, numbers, strict=True)  # numbers tell older ones from newer ones: "Smith 2019"
    ages = [(year if said & (OLD | NEW) else "") or _when(option, situation) for option, year in dated]
    if not all(ages) or len(set(ages)) < len(ages):
        return []
    return [options[ages.index(min(ages) if first else max(ages))]]


def _by_state(said: set[str], options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the one option that was begun."""
    items = [(option, situation.item(option.record_id)) for option in options]
    begun = [option for option, item in items if item and getattr(item.record, "status", "") == "in progress"]
    return begun if len(begun) == 1 and said & BEGUN_WORDS else []


def _when(option: Option, situation: Situation) -> str:
    item = situation.item(option.record_id)
    moments = [getattr(item.record, name, None) for name in ("start", "remind_at", "deadline")] if item else []
    when = next(filter(None, moments), None)
    return when.astimezone(situation.clock.zone).isoformat() if isinstance(when, datetime) else str(when or "")

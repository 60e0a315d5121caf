"""Which of the things on offer words mean: by place, by time, by name; all, both, the rest, or all but some."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from agents.contract import Option
from agents.mind.ground import POINTING, is_at, kinds_in
from agents.mind.matching import alike, words_of
from agents.mind.places import PLACES, places_in
from agents.mind.situation import Situation
from agents.mind.slot_values import tokens
from agents.time import find_times

ALL = frozenset("all both every everything each either any whole series lot".split())
EARLY, LATE = frozenset("earlier earliest sooner soonest".split()), frozenset("later latest".split())
NAMELESS = frozenset(("the", "that", "one", "ones", "it"))
OFFERED = frozenset("slot option choice time day line entry answer suggestion number and or please just".split())
"""What a thing on offer may be called, and words beside it."""
SURE = 0.8


def picked(words: str, spared: str, options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the options that words mean, without those that are spared; none if the words mean none of them."""
    without = _meant(spared, options, situation) if spared else []
    if not words and without:
        return [option for option in options if option not in without]
    return [option for option in _meant(words, options, situation) if option not in without]


def _meant(words: str, options: Sequence[Option], situation: Situation) -> list[Option]:
    exact = [option for option in options if option.label.casefold() == words.strip().casefold()]
    if exact:
        return exact
    said = set(tokens(words))
    if said & ALL:
        return list(options)
    alone = kinds_in(said) if said <= POINTING | {word for word in said if kinds_in([word])} | {"just", "only"} else ()
    of_kind = [option for option in options if option.kind in alone]
    if of_kind and len(of_kind) < len(options):
        return of_kind
    named = _named(words, options)
    places = places_in(words, len(options)) if len(named) != 1 else []
    if places and _only_counts(words, options):
        return [options[at] for at in places]
    return named if len(named) == 1 else _timed(words, options, situation) or _by_order(said, options, situation)


def _only_counts(words: str, options: Sequence[Option]) -> bool:
    """Return whether words that count say nothing else: "the second half" is no second one."""
    known = {word for option in options for word in words_of(option.label)}
    said = [word for word in tokens(words) if word not in POINTING | PLACES.keys() | OFFERED and not kinds_in([word])]
    return all(any(alike(word, other) >= SURE for other in known) for word in words_of(" ".join(said)))


def _named(words: str, options: Sequence[Option]) -> list[Option]:
    """Return the options whose labels have most of the words: the best one, or those that are equally good."""
    said = [word for word in words_of(words) if word not in PLACES or word.isdigit()]
    scores = [sum(max((alike(a, b) for b in words_of(option.label)), default=0) for a in said) for option in options]
    kinds = kinds_in(tokens(words))
    scores = [score + (option.kind in kinds) for score, option in zip(scores, options, strict=True)]
    best = max(scores, default=0)
    return [option for score, option in zip(scores, options, strict=True) if score == best] if best >= SURE else []


def _timed(words: str, options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the one option at the time that the words say."""
    telling = " ".join(word for word in words.split() if word.lower() not in NAMELESS)
    times = [found for found in find_times(telling, situation.clock, bare=True) if found.moment]
    items = [(option, situation.item(option.record_id)) for option in options]
    found = [option for option, item in items if item and times and all(is_at(item, one, situation) for one in times)]
    return found if len(found) == 1 else []


def _by_order(said: set[str], options: Sequence[Option], situation: Situation) -> list[Option]:
    """Return the earlier or the later one."""
    placed = [(when, at) for at, option in enumerate(options) if (when := _when(option, situation))]
    if len(placed) != len(options) or not said & (EARLY | LATE):
        return []
    return [options[(min if said & EARLY else max)(placed)[1]]]


def _when(option: Option, situation: Situation) -> str:
    item = situation.item(option.record_id)
    when = next((getattr(item.record, name, None) for name in ("start", "remind_at", "deadline") if item), None)
    return when.astimezone(situation.clock.zone).isoformat() if isinstance(when, datetime) else str(when or "")

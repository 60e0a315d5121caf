"""A model's profile as the news in it: what is known stays, and joins with what the user says now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.contract import Proposal
from agents.grounding.provenance import GONE, without_foreign
from agents.ports import Ask
from agents.records import Profile
from agents.time.tokens import tokenize
from agents.understanding.requests.profile import began, day_of, remember
from agents.understanding.scene import Scene

SEVERAL = ("interests", "facts", "since")


def self_reported_facts(fields: Mapping[str, Any], ask: Ask, scene: Scene) -> Proposal:
    """What a model's profile changes as far as the user said it; without fields when that is nothing."""
    known = ask.records.profile
    drafted = Proposal(op="update", kind="profile", fields=_news(fields, known))
    news = without_foreign(drafted, ask).fields
    since = _since(fields.get("since"), news, ask, scene)
    share = remember({**news, "since": since} if since else news, ask.text, scene)
    (told,) = share.proposals
    return told.model_copy(update={"fields": told.fields | _less(fields, told.fields, known, ask)})


def _news(fields: Mapping[str, Any], known: Profile | None) -> dict[str, Any]:
    """What was not known so."""
    facts, interests = known.facts if known else {}, known.interests if known else []
    have = {interest.lower() for interest in interests}
    new_facts = {name: fact for name, fact in _facts(fields).items() if facts.get(name) != fact}
    new_interests = [one for one in _interests(fields) if str(one).lower() not in have]
    single = {name: value for name, value in fields.items() if name not in SEVERAL}
    return (
        single | ({"facts": new_facts} if new_facts else {}) | ({"interests": new_interests} if new_interests else {})
    )


def _less(fields: Mapping[str, Any], told: Mapping[str, Any], known: Profile | None, ask: Ask) -> dict[str, Any]:
    """Facts and interests less those that the model took out and the user wants gone by name."""
    words = ask.words or ask.text
    if known is None or not GONE.search(words):
        return {}
    said = {token.text for token in tokenize(words)}
    facts, interests = told.get("facts", known.facts), told.get("interests", known.interests)
    left = {name: fact for name, fact in facts.items() if name in _facts(fields) or not _named(name, said)}
    kept = [one for one in interests if one in _interests(fields) or not _named(one, said)]
    changed: dict[str, Any] = {}
    if "facts" in fields and len(left) < len(facts):
        changed["facts"] = left
    if "interests" in fields and len(kept) < len(interests):
        changed["interests"] = kept
    return changed


def _named(title: str, said: set[str]) -> bool:
    return any(token.text in said for token in tokenize(title))


def _facts(fields: Mapping[str, Any]) -> dict[str, Any]:
    facts = fields.get("facts")
    return facts if isinstance(facts, dict) else {}


def _interests(fields: Mapping[str, Any]) -> Sequence[Any]:
    interests = fields.get("interests")
    return interests if isinstance(interests, list) else []


def _since(phrases: Any, news: Mapping[str, Any], ask: Ask, scene: Scene) -> dict[str, str]:
    """The days from which news hold, by the words that the model copied for each; one alone by the message's."""
    named = [*(name for name in news if name not in SEVERAL), *_facts(news)]
    given = phrases if isinstance(phrases, dict) else {}
    own = {name: str(given[name]) for name in named if _of_user(given.get(name), ask)}
    days = {name: day_of(phrase, scene) for name, phrase in own.items()}
    if not own and len(named) == 1:
        days = {named[0]: began(ask.text, scene)}
    return {name: day for name, day in days.items() if day}


def _of_user(phrase: Any, ask: Ask) -> bool:
    """Whether words about time are the user's; in another language the model was told to translate them."""
    said = {token.text for token in tokenize(ask.words or ask.text)}
    words = [token.text for token in tokenize(phrase)] if isinstance(phrase, str) else []
    return bool(words) and (not ask.english or said.issuperset(words))

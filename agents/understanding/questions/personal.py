"""What is known about the user, now and before, and the rules that were given."""

from __future__ import annotations

from datetime import datetime

from agents.contract import Lookback
from agents.dates_in_words import say_day
from agents.fact_history import Fact, fact_history
from agents.index.words import words_of
from agents.phrases import NOT_TOLD, quote, say_count
from agents.policies import standing_of
from agents.rendering.facts import say_fact
from agents.understanding.matching import has_words
from agents.understanding.questions.query import Query
from agents.understanding.questions.vocabulary import EMPTY
from agents.understanding.records.past import period_in
from agents.understanding.situation import Situation

MOST_RULES, MOST_FACTS = 15, 3
FIELDS: dict[str, tuple[frozenset[str], str]] = {
    "name": (frozenset("name called".split()), "your name was {}"),
    "job": (frozenset("job work profession living employer occupation".split()), "your job was {}"),
    "location": (frozenset("live city location town home address".split()), "you lived in {}"),
    "college": (frozenset("college university uni school".split()), "you were at {}"),
    "course": (frozenset("course major degree study studying".split()), "you studied {}"),
    "interests": (frozenset("interests hobbies hobby".split()), "you were interested in {}"),
}
"""The fields of the profile, by the words that ask for them, and how they are told of the past."""
FIELD_NAMES = frozenset(words_of(" ".join(word for words, _ in FIELDS.values() for word in words)))
NOTHING_TOLD = "You have not told me anything about yourself yet."


def asked_fields(query: Query) -> list[str]:
    """Return the fields of the profile that the words of a question are about, and nothing else."""
    named = [name for name, (words, _) in FIELDS.items() if words & query.word_set]
    return named if query.word_set & {"my", "i", "me"} else []


def profile(query: Query, situation: Situation) -> list[str]:
    """Return what the profile says: of the facts or fields asked for, all of it where nothing is named."""
    if told := facts(query, situation):
        return told
    fields = asked_fields(query)
    if set(words_of(" ".join([query.about, *(query.loose - EMPTY)]))) - FIELD_NAMES:
        return []
    known = situation.ask.records.profile
    told = [_sentence(name, value) for name in fields or FIELDS if (value := getattr(known, name, None))]
    if fields:
        return told or [NOT_TOLD]
    others = [_sentence(name, value) for name, value in known.facts.items()] if known else []
    return [*told, *others] or [NOTHING_TOLD]


def _sentence(name: str, value: str | list[str]) -> str:
    said = say_fact(name, value)
    return f"{said[:1].upper()}{said[1:]}."


def fact_names(query: Query, situation: Situation) -> list[str]:
    """Return the names of the facts about the user that a question asks for."""
    known = situation.ask.records.profile
    told = known.facts if known else {}
    named = words_of(query.about)
    asked = " ".join(query.words)
    own = [name for name in told if query.word_set & {"my", "i"} and has_words(asked, name)]
    if own or not named:
        return own
    exact = [name for name in told if has_words(name, query.about) or has_words(query.about, name)]
    valued = [name for name, value in told.items() if query.words[:1] == ("who",) and has_words(value, query.about)]
    near = [name for name in told if "my" in query.word_set and set(words_of(name)) & set(named)]
    return exact or valued or (near if len(near) == 1 else [])


def facts(query: Query, situation: Situation) -> list[str]:
    """Return the facts about the user that a question asks for."""
    known = situation.ask.records.profile
    names = fact_names(query, situation)[:MOST_FACTS]
    return [_sentence(name, known.facts[name]) for name in names] if known else []


def former_facts(query: Query, situation: Situation) -> list[str] | Lookback:
    """Return what the profile said before or since when it says it; the look back where the ledger is not read yet."""
    history = situation.ask.history
    if history is None:
        return Lookback(kind="profile")
    names = asked_fields(query) or fact_names(query, situation)
    facts_told = fact_history(history)
    valued = [fact for fact in facts_told if set(words_of(fact.value)) & set(words_of(query.text))]
    known = [fact for fact in facts_told if fact.name in names] if names else valued
    period = period_in(query.when_said, situation.scene) if query.when_said else None
    then = known
    if period is not None:
        then = [fact for fact in known if fact.is_valid_between(period.start, period.end)]
    elif query.word_set & {"before", "previously", "formerly", "used", "old"}:
        then = [fact for fact in known if fact.valid_to is not None]
    if period is not None and known and not then:
        return [f"You had not told me by then; the first I know is this. {_was(known[0], situation)}"]
    return [_was(fact, situation) for fact in then[-MOST_FACTS:]] or [NOT_TOLD]


def _was(fact: Fact, situation: Situation) -> str:
    form = FIELDS[fact.name][1] if fact.name in FIELDS else f"your {fact.name} was {{}}"
    zone = situation.clock.zone
    until = f", until {_day(fact.valid_to, situation)}" if fact.valid_to else ", and that still stands"
    stated = fact.valid_from.astimezone(zone).date() != fact.told_at.astimezone(zone).date()
    since = f" since {_day(fact.valid_from, situation)}" if stated else ""
    day = _day(fact.told_at, situation)
    on = day if day in ("today", "yesterday") else f"on {day}"
    return f"As you told me {on}, {form.format(quote(fact.value))}{since}{until}."


def _day(moment: datetime, situation: Situation) -> str:
    return say_day(moment.astimezone(situation.clock.zone).date(), situation.now)


def rules(query: Query, situation: Situation) -> list[str]:
    """Return the standing instructions, those about a topic if one is named."""
    known = situation.ask.records.instructions
    about = [rule for rule in known if query.about and set(words_of(query.about)) & set(words_of(rule.text))]
    known = about or known
    if not known:
        return ["You have given me no standing instructions."]
    texts = [f"{quote(rule.text)} ({'enforced' if standing_of([rule]) else 'advice'})" for rule in known[:MOST_RULES]]
    more = f"; and {len(known) - MOST_RULES} more" if len(known) > MOST_RULES else ""
    return [f"You have {say_count(len(known), 'standing instruction')}: {'; '.join(texts)}{more}."]

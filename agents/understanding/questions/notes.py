"""Notes and ideas, and what they say about a question; where they say nothing, memory is asked."""

from __future__ import annotations

from collections.abc import Sequence

from agents.index.index import Items
from agents.index.items import Item
from agents.index.words import alike, words_of
from agents.phrases import say_count, say_list
from agents.records import Note
from agents.understanding.questions.query import Query, telling_words
from agents.understanding.records.lists import is_list
from agents.understanding.situation import Situation

MOST_NOTES, MOST_QUOTED = 15, 3
LONGEST_NOTE = 200
LEAST_WORDS = 2
CATEGORIES = ("idea", "thought", "question")
ABOUT_NOTES = frozenset(words_of("note notes idea ideas thought thoughts memo memos question questions open saved"))


def text_of(item: Item) -> str:
    """Return all that a note says; of anything else its title."""
    note = item.record
    if isinstance(note, Note):
        name = note.content or note.summary
        return f"{name}: {say_list([line.text for line in note.items])}".strip(": ") if note.items else name
    return item.title


def notes(query: Query, situation: Situation) -> list[str]:
    """Return which notes or ideas there are, those about a topic if one is named."""
    category = next((name for word in query.words if (name := word.removesuffix("s")) in CATEGORIES), "")
    active = _notes(situation)
    if category:
        active = active.where(lambda item: getattr(item.record, "category", "") == category)
    topic = set(words_of(query.about)) - ABOUT_NOTES
    if topic:
        return [f"You noted: {text_of(item)}" for item in _best(list(topic), active)] or find_noted(query, situation)
    kept = [item for item in active if not is_list(item)]
    if not kept:
        return [f"You have no {category or 'note'}s."]
    shown = [text_of(item)[:LONGEST_NOTE] for item in kept[:MOST_NOTES]]
    return [f"You have {say_count(len(kept), category or 'note')}: {'; '.join(shown)}."]


def _notes(situation: Situation) -> Items:
    return situation.items("note").where(_is_kept)


def _is_kept(item: Item) -> bool:
    return getattr(item.record, "status", "") != "archived"


def find_noted(query: Query, situation: Situation) -> list[str]:
    """Return the notes that share most words with a question."""
    found = _best(telling_words(query), _notes(situation), words_of(query.about))
    return [f"You noted: {text_of(item)}" for item in found]


def noted_about(query: Query, words: int, situation: Situation) -> list[Item]:
    """Return the notes with at least so many words of a question."""
    kept, telling = _notes(situation).where(lambda item: not is_list(item)), telling_words(query)
    return [item for item in _best(telling, kept, ["one"]) if _word_similarity(telling, item) >= words]


def _best(words: Sequence[str], items: Items, named: Sequence[str] = ()) -> list[Item]:
    """Return those with most of the words: two at least unless there is only one, or with a named one."""
    scored = [(_word_similarity(words, item), item) for item in (items.find_saying(words) if words else items)]
    best = max((score for score, _ in scored), default=0.0)
    least = min(LEAST_WORDS, len(named) or len(words)) - 1 + ALMOST_A_WORD
    return [item for score, item in scored if score == best and best >= least][:MOST_QUOTED]


LONG_WORD = 5
"""Letters from which on a word may be spelled a little differently: "park" is not "pack"."""
ALMOST_A_WORD = 0.75
"""What a word that is spelled a little differently counts at least."""


def _word_similarity(words: Sequence[str], item: Item) -> float:
    have = set(words_of(text_of(item)))
    near = ((word, [alike(word, other) for other in have if len(word) >= LONG_WORD or word == other]) for word in words)
    return sum(max(scores, default=0.0) for _, scores in near)

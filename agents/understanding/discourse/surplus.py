"""What a message says beyond an answer or a correction: words that neither what it is about, nor a time, nor breath explains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agents.contract import Pending, Proposal
from agents.records import Kind
from agents.time import find_times
from agents.time.tokens import stem, tokenize
from agents.understanding.references import STOP, alike, items_of, words_of
from agents.understanding.scene import Scene
from agents.understanding.slots.slots import blank
from agents.understanding.text.dated import LOOSE
from agents.understanding.text.filler import OPENERS

SURE, SHORT = 0.8, 3
STORED: tuple[Kind, ...] = ("todo", "event", "note", "instruction")
CHOOSING = """
    mean meant want think pick choose yes yeah no nah sure go would should could can do did said obviously probably definitely let
    make set put work suit good fine best better great day time first second third last other former latter top bottom way each
    morning afternoon evening night earlier earliest later latest sooner both every them those these everything lot two three four
    option number next him he she they us whole series once single sorry there me works suits
"""
BREATH = frozenset((*STOP, *LOOSE, *OPENERS, *CHOOSING.split()))
GOING_ON = frozenset(
    map(
        stem,
        """
        oops whoops not nope actually instead rather wrong correction scrap never mind shit shoot jk hang on hold but too as
        also another more same again put move push change keep leave skip add invite bring back come coming join can can't
        don't cannot won't done doing finished been be being going gonna happening works like just only urgent important i'll
        i'm they're we're take call after before week quarter past half need still have some th st nd rd
        """.split(),
    )
)
"""Words of corrections and follow-ups that name nothing."""
RECENT = 4


def surplus(said: str, known: Iterable[str], scene: Scene) -> list[str]:
    """The words of a message that neither breath nor times nor the ``known`` texts explain."""
    told = [stem(word) for text in known for word in _words(text)]
    times = find_times(said, scene.clock, bare=len(said.split()) <= SHORT)
    left = [stem(word) for word in _words(blank(said, [found.span for found in times])) if word not in BREATH]
    return [word for word in left if not any(alike(word, one) >= SURE for one in told)]


def of_question(pending: Pending, scene: Scene) -> Iterator[str]:
    """The texts of a question: its message, its options, and what its drafts say and are about."""
    yield from (pending.text, *(option.label for option in pending.options), *pending.choices)
    for draft in pending.proposals:
        yield from (value for value in draft.fields.values() if isinstance(value, str))
        kinds = () if draft.kind == "profile" else (draft.kind,)
        yield from (item.title for item in items_of(scene.ask.records, *kinds) if item.id == draft.record_id)


def left_over(said: str, made: Sequence[Proposal], scene: Scene) -> list[str]:
    """The words of a correction or a follow-up that neither what it changes nor what went before explains."""
    recent = scene.ask.recent_changes[-RECENT:]
    known = [*_texts([item.fields for item in made]), *(one.said for one in scene.ask.recent[-1:])]
    known += [text for row in recent for text in (row.title, *_texts([row.before, row.after]))]
    ids = {item.record_id for item in made}
    known += [
        text for one in scene.items(*STORED) if one.id in ids for text in _texts(one.record.model_dump(mode="json"))
    ]
    if scene.ask.pending is not None:
        known += of_question(scene.ask.pending, scene)
    return [word for word in surplus(said, known, scene) if word not in GOING_ON]


def names_another(said: str, made: Sequence[Proposal], scene: Scene) -> bool:
    """Whether words hold the whole name of a stored item that is neither changed nor part of what is."""
    ids = {item.record_id for item in made} | {row.record_id for row in scene.ask.recent_changes[-RECENT:]}
    heard, kept = (
        set(words_of(said)),
        {word for text in _texts([item.fields for item in made]) for word in words_of(text)},
    )
    others = (set(one.words) for one in scene.items(*STORED) if one.id not in ids)
    return any(name and name <= heard and not name <= kept for name in others)


def _texts(value: Any) -> Iterator[str]:
    """All the texts within fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def _words(text: str) -> list[str]:
    words = (token.text.removesuffix("'s") for token in tokenize(text))
    return [word for word in words if word[:1].isalpha()]

"""What a message says beyond an answer: words that belong neither to the question, nor to a time, nor to breath."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agents.contract import Pending
from agents.time import find_times
from agents.time.tokens import stem, tokenize
from agents.understanding.references import STOP, alike, items_of
from agents.understanding.scene import Scene
from agents.understanding.slots.slots import blank
from agents.understanding.text.dated import LOOSE
from agents.understanding.text.filler import OPENERS

SURE, SHORT = 0.8, 3
CHOOSING = """
    mean meant want think pick choose yes yeah no nah sure go would should could can do did said obviously probably definitely let
    make set put work suit good fine best better great day time first second third last other former latter top bottom way each
    morning afternoon evening night earlier earliest later latest sooner both every them those these everything lot two three four
    option number next him he she they us whole series once single sorry there me works suits
"""
BREATH = frozenset((*STOP, *LOOSE, *OPENERS, *CHOOSING.split()))


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


def _words(text: str) -> list[str]:
    words = (token.text.removesuffix("'s") for token in tokenize(text))
    return [word for word in words if word[:1].isalpha()]

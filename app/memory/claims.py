"""Which sentences of a model's answer about the past may be told: those that claim no change here and now (P1).

What the sources say is evidence, however it sounds: "You said: I added salt". It is known by its words alone.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from agents.claims import QUOTED, about_kept, claim_in, sentences
from agents.contract import Citation
from agents.phrases import COMMON, side_by_side
from app.counters import DROPPED_SENTENCES

log = logging.getLogger(__name__)

WORD = re.compile(r"\w+")
SAYS = re.compile(
    r"\byou(?:r \w+)? (?:\w+ )?(?:said|wrote|noted|mentioned|says?|reads?)(?: that)?[:,]? ", re.IGNORECASE
)
UNNAMED = re.compile(
    r"\b(?:it|that|this|these|those|they|everything|all) (?:has|have|was|were|is|are|got)\b", re.IGNORECASE
)
HAPPENING = frozenset({"passive", "state"})
SHORT_WORD_CHARS = 2
EMPTY_WORDS = COMMON | {"was", "were", "been", "got", "now", "already", "just"}
MASK = "“…”"


def sayable(text: str, sources: Sequence[Citation]) -> str:
    """The sentences of an answer that may be told; what stands in quotation marks was found in the sources before."""
    quotes = [found[0] for found in QUOTED.finditer(text)]
    # A sentence that ends inside a quote ends no sentence of the answer, unless the quote ends with it.
    hidden = QUOTED.sub(lambda found: f"“{'.' if found[0][-2:-1] in '.!?…' else ''}”", text)
    given = iter(quotes)
    told = [(one, QUOTED.sub(lambda _: next(given), one)) for one in sentences(hidden)]
    said = [[*_words(one.quote), *_words(f"{one.captured_at:%A %B}")] for one in sources]
    return side_by_side(whole for one, whole in told if _passes(one, said))


def _passes(sentence: str, said: Sequence[Sequence[str]]) -> bool:
    excused = HAPPENING if _is_about_world(sentence, said) else frozenset()
    reason = claim_in(_mask_reported(sentence, said), excused)
    if reason:
        DROPPED_SENTENCES.labels(reason).inc()
        log.info("a sentence of a model's answer from memory was left out, as it claims a change: %s", reason)
    return reason is None


def _mask_reported(sentence: str, said: Sequence[Sequence[str]]) -> str:
    """The sentence without what comes after "you said", where a source has just these words."""
    found = SAYS.search(sentence)
    if found is None:
        return sentence
    rest = f" {' '.join(_words(sentence[found.end() :]))} "
    own = rest.strip() and any(rest in f" {' '.join(words)} " for words in said)
    return f"{sentence[: found.end()]}{MASK}" if own else sentence


def _is_about_world(sentence: str, said: Sequence[Sequence[str]]) -> bool:
    """Whether it tells of the world, not of what is kept here, in words of one source: "The roof was finished"."""
    telling = {word for word in _words(sentence) if len(word) > SHORT_WORD_CHARS} - EMPTY_WORDS
    named = len(telling) > 1 and not UNNAMED.search(sentence) and not about_kept(sentence)
    return named and any(telling <= set(words) for words in said)


def _words(text: str) -> list[str]:
    return WORD.findall(text.casefold())

"""A message as it was meant: speech without hesitation, with its self-corrections carried out and its requests said outright."""

from __future__ import annotations

from functools import lru_cache

from agents.understanding.text.comparing import outright
from agents.understanding.text.filler import without_breath
from agents.understanding.text.hesitation import paused, unhesitating
from agents.understanding.text.promises import as_duties
from agents.understanding.text.repairs import repaired
from agents.understanding.text.roundabout import imperative
from agents.understanding.text.shorthand import expanded
from agents.understanding.text.slips import unslipped
from agents.understanding.text.standing import defined
from agents.understanding.text.stops import stopped

LONGEST_SPEECH = 1200


@lru_cache(maxsize=64)  # the decision asks for it, and then how sure it is
def restated(text: str) -> str:
    """Speech with its self-corrections carried out: "on tuesday no wait wednesday" is "on wednesday".

    What is longer than a person says in a breath is a document: it is read as it stands, at a cost linear in its length.
    """
    text = text.strip()
    if len(text) > LONGEST_SPEECH or defined(text):
        return text
    plain = repaired(expanded(unhesitating(without_breath(repaired(unhesitating(paused(unslipped(text))))))))
    return stopped(imperative(outright(as_duties(plain))))

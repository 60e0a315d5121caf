"""A model's answer from memory: what claims a change is left out, and what a source says is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.contract import Citation
from app.memory.claims import sayable

MAY = datetime(2026, 5, 12, 9, tzinfo=UTC)
SAID = [
    "I added salt to the soup, and it wasn\u2019t enough.",
    "The roof is finished since today, and the fence was painted.",
    "Buy milk and put it on the shopping list.",
]
SOURCES = [
    Citation(source="memo", id=str(n), start_char=0, end_char=9, quote=one, captured_at=MAY)
    for n, one in enumerate(SAID)
]
CLAIMS = """
I have added it to your tasks.
I added salt to your list.
Done! Milk is on your list now.
Your task was added.
It was added.
Milk was added.
I have added salt to the soup.
You asked for salt, and I have added it to your tasks.
You said: I added salt to your tasks.
You said I added pepper.
\u2705 salt
All done, the roof was finished in May.
Your roof task was finished in May.
""".strip().splitlines()
EVIDENCE = """
You said: I added salt to the soup.
You said that it wasn't enough.
Your memo says: I added salt to the soup, and it wasn\u2019t enough.
You said \u201cI added salt to the soup.\u201d That was in May.
You said "I added salt".
You added salt to the soup.
The roof was finished in May.
The fence was painted.
Twice a day.
""".strip().splitlines()


@pytest.mark.parametrize("sentence", CLAIMS)
def test_a_claim_is_not_told(sentence: str) -> None:
    assert sayable(sentence, SOURCES) == ""


@pytest.mark.parametrize("sentence", EVIDENCE)
def test_evidence_is_told(sentence: str) -> None:
    assert sayable(sentence, SOURCES) == sentence


def test_only_the_claims_go_and_quotes_of_several_sentences_stay_whole() -> None:
    quote = "\u201cI added salt. I booked it!\u201d"
    told = f"You said {quote} I have added it to your tasks. You added \u201csalt\u201d."
    assert sayable(told, SOURCES) == f"You said {quote} You added \u201csalt\u201d."

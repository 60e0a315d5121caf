"""Words that name a workflow, and words that do not."""

from __future__ import annotations

import pytest

from agents.ports import Workflow
from agents.user_words.starting import called_by, started_by

REVIEW = Workflow(slug="weekly-review", name="Weekly review")
ASK = Workflow(slug="ask-my-memory", name="Ask my memory", inputs=["question"])
RUN = Workflow(slug="run", name="Run")


@pytest.mark.parametrize(
    ("said", "slug", "given"),
    [
        ("run my weekly review", "weekly-review", ""),
        ("Please run the weekly-review workflow now.", "weekly-review", ""),
        ("Start Weekly Review", "weekly-review", ""),
        ("run ask my memory: what did I say?", "ask-my-memory", "what did I say?"),
        ("run ask my memory about the roof", "ask-my-memory", "the roof"),
        ("run ask my memory", "ask-my-memory", ""),
        ("Run ask my memory. Where is the spare key?", "ask-my-memory", "Where is the spare key?"),
        ("Run ask my memory now. where is the spare key", "ask-my-memory", "where is the spare key"),
        ("Run ask my memory! What does lot 4.50 cost?", "ask-my-memory", "What does lot 4.50 cost?"),
        ("Starte ask my memory. Wo ist der Schlüssel?", "ask-my-memory", "Wo ist der Schlüssel?"),
        ("starte mein weekly review jetzt", "weekly-review", ""),
    ],
)
def test_it_is_named(said: str, slug: str, given: str) -> None:
    started = started_by(called_by(said), [REVIEW, ASK])
    assert started is not None
    assert (started.workflow.slug, started.given) == (slug, given)


@pytest.mark.parametrize(
    "said",
    [
        "run my weekly review of the budget",
        "run the dishwasher",
        "weekly review",
        "I want to run my weekly review",
        "run",
        "start the weekly",
        "running my weekly review was fun",
        "Run ask my memory. Add buy milk.",
        "Run ask my memory. Can you add buy milk?",
        "Run ask my memory. Add buy milk. Where is the spare key?",
        "Run ask my memory. Where is the spare key? Add buy milk.",
        "Run my weekly review. Where is the spare key?",
        "run a bath and then run the errands",
    ],
)
def test_it_is_not_named(said: str) -> None:
    assert started_by(called_by(said), [REVIEW, ASK, RUN]) is None

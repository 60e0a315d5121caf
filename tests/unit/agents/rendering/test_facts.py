"""What is known about the user is told in sentences, with from when on it holds, and never by the names of fields."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from agents.contract import Change
from agents.rendering.changes import claim_sentence
from agents.rendering.facts import say_fact, say_since

NOW = datetime(2026, 11, 28, 10, tzinfo=UTC)


def profile(before: dict[str, Any] | None, fields: dict[str, Any]) -> Change:
    return Change(
        id="c", cursor=1, turn_id="t", agent="x", seq=0, op="update" if before else "create", kind="profile",
        record_id="profile", title="your profile", fields=fields, before=before, after={**(before or {}), **fields},
        status="applied", created_at=NOW,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("name", "Sam", "your name is Sam"),
        ("job", "at Figma", "you work at Figma"),
        ("job", "nurse", "you work as a nurse"),
        ("job", "run a bakery", "you run a bakery"),
        ("job", "engineer", "you work as an engineer"),
        ("job", "software engineering", "your job is software engineering"),
        ("job", "Chair of the Board", "your job is Chair of the Board"),
        ("location", "Lisbon", "you live in Lisbon"),
        ("location", "near Porto", "you live near Porto"),
        ("interests", ["chess", "hiking"], "you like chess and hiking"),
        ("blood type", "O negative", "your blood type is O negative"),
        ("allergic to", "nuts", "you are allergic to nuts"),
        ("allergic to nuts", "allergic to nuts", "you are allergic to nuts"),
        ("get paid on the 25th", "get paid on the 25th", "get paid on the 25th"),
    ],
)
def test_a_fact_is_a_clause(name: str, value: Any, said: str) -> None:
    assert say_fact(name, value) == said


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (date(2026, 11, 23), "since 23 November"),
        (date(2026, 10, 1), "since October"),
        (date(2019, 3, 1), "since March 2019"),
        (date(2019, 3, 4), "since 4 March 2019"),
    ],
)
def test_from_when_on_it_holds(day: date, said: str) -> None:
    assert say_since(day, NOW) == said


def test_what_is_new_is_told_as_sentences_and_what_is_known_is_not() -> None:
    before = {"name": "Sam", "facts": {"diet": "vegan"}, "since": {"diet": "2020-01-01"}}
    fields = {
        "job": "at Figma",
        "facts": {"diet": "gluten-free"},
        "since": {"job": "2026-11-23", "diet": "2026-10-01"},
    }
    said = claim_sentence(profile(before, fields), NOW)
    assert said == "Noted: you work at Figma (since 23 November) and your diet is gluten-free (since October)."


def test_what_is_emptied_is_forgotten() -> None:
    assert claim_sentence(profile({"job": "nurse"}, {"job": None}), NOW) == "Forgotten: your job."

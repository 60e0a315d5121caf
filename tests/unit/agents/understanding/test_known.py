"""Facts are kept when they are told and found when they are asked for; other words are left alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import answers, proposals


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        ("my locker code is 4417", {"locker code": "4417"}),
        ("My sister's name is Ana.", {"sister's name": "Ana"}),
        ("my favourite colour is green", {"favourite colour": "green"}),
        ("I'm allergic to peanuts and shellfish", {"allergic to": "peanuts and shellfish"}),
        ("my dog is called Rex and my locker code is 4417", {"dog": "Rex", "locker code": "4417"}),
        ("remember that my shoe size is 43", {"shoe size": "43"}),
    ],
)
def test_a_fact_is_kept(said: str, facts: dict[str, str]) -> None:
    (kept,) = proposals(said)
    assert (kept.kind, kept.fields) == ("profile", {"facts": facts})


def test_a_fact_joins_those_that_are_known() -> None:
    (kept,) = proposals("my locker code is 5521", profile={"facts": {"dog": "Rex", "locker code": "4417"}})
    assert (kept.op, kept.fields) == ("update", {"facts": {"dog": "Rex", "locker code": "5521"}})


@pytest.mark.parametrize("lead", ["remember that", "fyi:", "please keep in mind that"])
def test_what_shall_be_remembered_is_a_note(lead: str) -> None:
    (kept,) = proposals(f"{lead} the spare key is under the blue pot")
    assert kept.kind == "note"
    assert kept.fields["content"] == "the spare key is under the blue pot"


@pytest.mark.parametrize(
    "said",
    ["my back is killing me", "my meeting is at 5", "my name is Ana", "remember to buy milk", "my number is up at 5pm"],
)
def test_other_words_are_no_facts(said: str) -> None:
    assert not [item for item in proposals(said) if "facts" in item.fields or item.kind == "note"]


GIVEN: dict[str, Any] = {
    "profile": {"facts": {"locker code": "4417", "sister's name": "Ana", "allergic to": "peanuts"}},
    "notes": ["the spare key is under the blue pot", "the wifi password at the cabin is heron42"],
    "events": [{"title": "dentist", "start": "2026-11-21T10:00:00", "end": "2026-11-21T11:00:00"}],
}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("what's my locker code?", "Your locker code: 4417."),
        ("do you remember my sister's name", "Your sister's name: Ana."),
        ("what am i allergic to?", "You are allergic to peanuts."),
        ("where is the spare key?", "You noted: the spare key is under the blue pot"),
        ("what is the wifi password at the cabin?", "You noted: the wifi password at the cabin is heron42"),
        ("where is the dentist?", "dentist: Saturday 21 November"),
    ],
)
def test_what_is_known_is_found(asked: str, answer: str) -> None:
    assert answer in answers(asked, **GIVEN)


def test_what_is_not_known_is_not_made_up() -> None:
    assert "4417" not in answers("what is my gate code?", **GIVEN)

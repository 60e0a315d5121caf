"""Requests said in a row with no word between them are told apart; verbs inside one request are left alone."""

from __future__ import annotations

import pytest

from agents.understanding.text.clauses import split
from tests.support.phrases import CLOCK


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "send the invoice to acme today chase the landlord about the heating tomorrow",
            ["send the invoice to acme today", "chase the landlord about the heating tomorrow"],
        ),
        ("today i've got to drop off the parcel get petrol", ["today i've got to drop off the parcel", "get petrol"]),
        ("email the landlord call the vet and pay the rent", ["email the landlord", "call the vet", "pay the rent"]),
        (
            "remind me in ten minutes to stir and in an hour to eat",
            ["remind me in ten minutes to stir", "remind me in an hour to eat"],
        ),
        (
            "remind me to eat at one and walk the dog at two",
            ["remind me to eat at one", "remind me to walk the dog at two"],
        ),
    ],
)
def test_requests_in_a_row_are_parted(said: str, parts: list[str]) -> None:
    assert [clause.text for clause in split(said, CLOCK)] == parts


@pytest.mark.parametrize(
    "said",
    [
        "help mum move the boxes on saturday afternoon",
        "book the friday call with bob at three in the office",
        "put my lunch with alan back an hour please",
        "when i get home at five call the bank about it",
        "on monday before the dentist at nine call the school",
        "can we do the board call an hour earlier",
        "do you reckon people would buy bread on a saturday",
        "text april that june can't make it in may",
        "move the thursday run club to friday at seven",
    ],
)
def test_one_request_stays_whole(said: str) -> None:
    assert len(split(said, CLOCK)) == 1

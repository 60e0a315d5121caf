"""Titles with a number of days in them are names; the same words in small letters are times."""

from __future__ import annotations

import pytest

from agents.time import find_times
from tests.support.phrases import CLOCK


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("watch 28 Weeks Later", []),
        ("watch 28 Weeks Later on friday", ["on friday"]),
        ("watch 28 Weeks Later Friday", ["Friday"]),
        ("read One Hundred Years of Solitude by the 3rd", ["by the 3rd"]),
        ("Read Eleven Minutes tomorrow", ["tomorrow"]),
        ("see 500 Days of Summer tonight at 9", ["tonight at 9"]),
        ("rewatch the film 48 Hours on sunday", ["on sunday"]),
        ("add watching 127 Hours to my list", []),
        ("finish reading Four Thousand Weeks this month", ["this month"]),
        ("watch 28 weeks later", ["28 weeks later"]),
        ("ring him 28 days later", ["28 days later"]),
        ("remind me 3 Days later", ["3 Days later"]),
        ("read for 20 minutes", ["20 minutes"]),
        ("read 20 minutes tomorrow", ["20 minutes", "tomorrow"]),
        ("Call Him In 2 Hours", ["In 2 Hours"]),
        ("watch Monday's match", ["Monday's"]),
    ],
)
def test_a_capitalised_title_behind_a_verb_of_reading_is_no_time(text: str, words: list[str]) -> None:
    assert [found.text for found in find_times(text, CLOCK)] == words

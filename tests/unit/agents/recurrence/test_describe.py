"""Recurrence rules in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.recurrence.describe import describe_rule


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("FREQ=DAILY", "every day"),
        ("FREQ=DAILY;INTERVAL=3", "every 3 days"),
        ("FREQ=HOURLY;INTERVAL=2", "every other hour"),
        ("FREQ=WEEKLY", "every week"),
        ("FREQ=WEEKLY;BYDAY=TU", "every Tuesday"),
        ("FREQ=WEEKLY;BYDAY=TH,TU", "every Tuesday and Thursday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every other Friday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", "every other week on Monday and Friday"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=WEEKLY;BYDAY=TU;UNTIL=20270630T235959", "every Tuesday until 30 June 2027"),
        ("FREQ=DAILY;COUNT=5", "every day, 5 times"),
        ("FREQ=DAILY;COUNT=1", "every day, 1 time"),
        ("FREQ=MONTHLY", "every month"),
        ("FREQ=MONTHLY;BYMONTHDAY=1", "on the 1st of every month"),
        ("FREQ=MONTHLY;BYMONTHDAY=12,23", "on the 12th and 23rd of every month"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "on the last day of every month"),
        ("FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=15", "on the 15th of every other month"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "on the last Friday of every month"),
        ("FREQ=MONTHLY;BYDAY=1MO,3MO", "on the first Monday and third Monday of every month"),
        ("FREQ=YEARLY", "every year"),
        ("FREQ=WEEKLY;BYDAY=MO;BYHOUR=9;BYMINUTE=0", "every Monday"),
        ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1", "every year on 1 March"),
        ("FREQ=YEARLY;BYMONTH=3,4;BYMONTHDAY=1", "every year on 1 March and 1 April"),
        ("FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "every year on the second Sunday of May"),
        ("FREQ=YEARLY;INTERVAL=2;BYMONTH=10;BYDAY=-1SU", "every other year on the last Sunday of October"),
        ("FREQ=YEARLY;BYMONTH=6,9", "every year in June and September"),
        ("FREQ=YEARLY;BYYEARDAY=100", "every year on day 100"),
        ("FREQ=YEARLY;BYWEEKNO=12;BYDAY=TH", "every Thursday in week 12 of every year"),
        ("FREQ=YEARLY;BYMONTHDAY=13", "repeating"),
        ("FREQ=WEEKLY;BYDAY=WE;BYMONTH=6,7", "every Wednesday in June and July"),
        ("FREQ=WEEKLY;BYDAY=WE;BYMONTH=1,2,3,4,5,6,8,9,10,11,12", "every Wednesday except in July"),
        ("FREQ=MONTHLY;BYMONTHDAY=4;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12", "on the 4th of every month"),
        ("FREQ=SECONDLY;INTERVAL=40", "every 40 seconds"),
        ("FREQ=DAILY;BYHOUR=9,15,19;BYMINUTE=0;COUNT=21", "every day at 09:00, 15:00 and 19:00, 21 times"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "on the last weekday of every month"),
        ("FREQ=MONTHLY;BYDAY=MO,WE;BYSETPOS=-1", "repeating"),
        ("FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2", "on the second Tuesday of every month"),
        ("FREQ=MONTHLY;BYDAY=MO", "repeating"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3", "on the 3rd to last day of every month"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=13,14,15,16,17,18,19;BYDAY=WE",
            "on the first Wednesday after the 12th of every month",
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=1,2,3,4,5,6,7;BYDAY=WE", "on the first Wednesday of every month"),
        ("FREQ=MONTHLY;BYMONTHDAY=13,14,15,16;BYDAY=WE", "repeating"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=14,15,16,17,18,19,20;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "on the last weekday before the 21st of every month",
        ),
        (
            "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=6,7,8,9;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
            "every year on the first weekday after the 5th of April",
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=6,7;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1", "repeating"),
    ],
)
def test_a_rule_is_said_as_people_do(rule: str, said: str) -> None:
    assert describe_rule(rule) == said


PARTS = {
    "INTERVAL": st.integers(1, 9).map(str),
    "BYDAY": st.lists(st.sampled_from(["MO", "1TU", "-1FR", "SU", "-3WE"]), min_size=1, max_size=3).map(",".join),
    "BYMONTHDAY": st.lists(st.sampled_from(["1", "31", "-1", "-5"]), min_size=1, max_size=3).map(",".join),
    "BYSETPOS": st.sampled_from(["-1", "1", "7"]),
    "BYWEEKNO": st.just("20"),
    "BYYEARDAY": st.just("200"),
    "BYMONTH": st.just("2"),
    "COUNT": st.integers(1, 99).map(str),
    "UNTIL": st.sampled_from(["20270101", "20270101T235959Z"]),
}


@given(st.sampled_from(["HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"]), st.fixed_dictionaries({}, optional=PARTS))
def test_every_rule_has_words_without_codes(often: str, parts: dict[str, str]) -> None:
    said = describe_rule(";".join([f"FREQ={often}", *(f"{name}={value}" for name, value in parts.items())]))
    assert said == "repeating" or said.startswith(("every ", "on the "))
    assert not any(code in said for code in ("BY", "None", "MO", "FR", ";", "  "))

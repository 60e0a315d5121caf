from __future__ import annotations

import pytest

from tests.agents.understanding.phrases import only, wall


@pytest.mark.parametrize(
    ("text", "rule", "first"),
    [
        ("every day except sunday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA", "2026-11-18T00:00"),
        ("weekdays but not on wednesday", "FREQ=WEEKLY;BYDAY=MO,TU,TH,FR", "2026-11-19T00:00"),
        ("mondays, wednesdays and fridays at 6pm", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "2026-11-18T18:00"),
        ("every tue/thu", "FREQ=WEEKLY;BYDAY=TU,TH", "2026-11-19T00:00"),
        ("tuesdays through fridays", "FREQ=WEEKLY;BYDAY=TU,WE,TH,FR", "2026-11-18T00:00"),
        ("alternate thursdays at 4", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH", "2026-11-19T16:00"),
        ("every third friday", "FREQ=WEEKLY;INTERVAL=3;BYDAY=FR", "2026-11-20T00:00"),
        ("every other week on the weekend", "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU", "2026-11-21T00:00"),
        ("on the 1st and 15th of every month", "FREQ=MONTHLY;BYMONTHDAY=1,15", "2026-12-01T00:00"),
        ("on the 10th and last day of each month", "FREQ=MONTHLY;BYMONTHDAY=10,-1", "2026-11-30T00:00"),
        ("monthly on the 2nd and 4th tuesday", "FREQ=MONTHLY;BYDAY=2TU,4TU", "2026-11-24T00:00"),
        ("at the end of every quarter", "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=-1", "2026-12-31T00:00"),
        ("the last working day of each month", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-11-30T00:00"),
        ("second last friday of every month", "FREQ=MONTHLY;BYDAY=-2FR", "2026-11-20T00:00"),
        ("every year on the last monday in may", "FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO", "2027-05-31T00:00"),
        ("every 3rd and 17th of july", "FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=3,17", "2027-07-03T00:00"),
        ("the 20th day of every year", "FREQ=YEARLY;BYYEARDAY=20", "2027-01-20T00:00"),
        ("every monday in week 40", "FREQ=YEARLY;BYWEEKNO=40;BYDAY=MO", "2027-10-04T00:00"),
        ("every christmas", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25", "2026-12-25T00:00"),
        ("every thanksgiving", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "2026-11-26T00:00"),
        ("every day at 8, 13 and 18", "FREQ=DAILY;BYHOUR=8,13,18;BYMINUTE=0", "2026-11-18T13:00"),
        ("every 2 hours from 8 to 12", "FREQ=DAILY;BYHOUR=8,10,12;BYMINUTE=0", "2026-11-18T12:00"),
        ("every night at 10:30", "FREQ=DAILY", "2026-11-18T22:30"),
        ("9am to 5pm on weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T09:00"),
        ("the next 3 fridays", "FREQ=WEEKLY;BYDAY=FR;COUNT=3", "2026-11-20T00:00"),
        ("every first and third tuesday of the month", "FREQ=MONTHLY;BYDAY=1TU,3TU", "2026-12-01T00:00"),
        ("once a fortnight", "FREQ=WEEKLY;INTERVAL=2", "2026-11-18T00:00"),
        ("every may 4 starting 2030", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=4", "2030-05-04T00:00"),
        ("every half hour", "FREQ=MINUTELY;INTERVAL=30", "2026-11-18T11:00"),
        ("every 40 seconds", "FREQ=SECONDLY;INTERVAL=40", "2026-11-18T10:30"),
        ("daily for 10 days at 8", "FREQ=DAILY;COUNT=10", "2026-11-19T08:00"),
        ("every friday 5 times", "FREQ=WEEKLY;BYDAY=FR;COUNT=5", "2026-11-20T00:00"),
        ("every monday until easter", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270328", "2026-11-23T00:00"),
        ("daily starting in june until may", "FREQ=DAILY;UNTIL=20280501", "2027-06-01T00:00"),
        ("every 30 minutes until 6pm", "FREQ=MINUTELY;INTERVAL=30;UNTIL=20261118T180000", "2026-11-18T11:00"),
        ("the first monday of every quarter", "FREQ=MONTHLY;INTERVAL=3;BYDAY=1MO", "2027-01-04T00:00"),
        ("at 8 every evening", "FREQ=DAILY", "2026-11-18T20:00"),
        ("at 7 on tuesday evenings", "FREQ=WEEKLY;BYDAY=TU", "2026-11-24T19:00"),
        ("weekday mornings", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T09:00"),
        ("weekend evenings at 6", "FREQ=WEEKLY;BYDAY=SA,SU", "2026-11-21T18:00"),
        (
            "every wednesday at 9 until the 5th of june",
            "FREQ=WEEKLY;BYDAY=WE;UNTIL=20270605T235959",
            "2026-11-25T09:00",
        ),
        ("every day for a week", "FREQ=DAILY;COUNT=7", "2026-11-18T00:00"),
        ("every other day for 2 weeks", "FREQ=DAILY;INTERVAL=2;COUNT=7", "2026-11-18T00:00"),
        ("daily at 8 and 20h for 2 days", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0;COUNT=4", "2026-11-18T20:00"),
        ("for 4 weeks every tuesday", "FREQ=WEEKLY;BYDAY=TU;COUNT=4", "2026-11-24T00:00"),
        ("every monday for 6 weeks starting december 7", "FREQ=WEEKLY;BYDAY=MO;COUNT=6", "2026-12-07T00:00"),
        ("every friday for the next 3 weeks", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20261209", "2026-11-20T00:00"),
        ("every day for a month starting december 1", "FREQ=DAILY;UNTIL=20261231", "2026-12-01T00:00"),
        ("every 10 minutes for an hour", "FREQ=MINUTELY;INTERVAL=10;COUNT=6", "2026-11-18T10:40"),
        ("tuesday and thursday mornings", "FREQ=WEEKLY;BYDAY=TU,TH", "2026-11-19T09:00"),
        ("every week monday 9am", "FREQ=WEEKLY;BYDAY=MO", "2026-11-23T09:00"),
        ("monday at 9 every two weeks", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "2026-11-23T09:00"),
        ("every two weeks, on tuesdays", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "2026-11-24T00:00"),
        ("on march 3rd every year", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3", "2027-03-03T00:00"),
        ("the second sunday of may every year", "FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "2027-05-09T00:00"),
        ("every march and september", "FREQ=YEARLY;BYMONTH=3,9", "2027-03-01T00:00"),
        ("every monday except in august", "FREQ=WEEKLY;BYMONTH=1,2,3,4,5,6,7,9,10,11,12;BYDAY=MO", "2026-11-23T00:00"),
        ("twice daily at 8 and 20", "FREQ=DAILY;BYHOUR=8,20;BYMINUTE=0", "2026-11-18T20:00"),
        ("twice a month on the 5th and 20th", "FREQ=MONTHLY;BYMONTHDAY=5,20", "2026-11-20T00:00"),
        ("every day except weekends at 9", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T09:00"),
        ("every friday through january", "FREQ=WEEKLY;BYDAY=FR;UNTIL=20270131", "2026-11-20T00:00"),
        (
            "hourly from 9 to 11 on weekdays",
            "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,10,11;BYMINUTE=0",
            "2026-11-18T11:00",
        ),
        ("for the next 3 days at 9", "FREQ=DAILY;COUNT=3", "2026-11-19T09:00"),
        ("until june every monday", "FREQ=WEEKLY;BYDAY=MO;UNTIL=20270601", "2026-11-23T00:00"),
        ("every monday, 3 times", "FREQ=WEEKLY;BYDAY=MO;COUNT=3", "2026-11-23T00:00"),
        ("last friday of the month at 4 for 10 times", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "2026-11-27T16:00"),
        ("1st and 3rd wednesday of the month", "FREQ=MONTHLY;BYDAY=1WE,3WE", "2026-11-18T00:00"),
        ("bi-monthly", "FREQ=MONTHLY;INTERVAL=2", "2026-11-18T00:00"),
        ("quarterly starting january", "FREQ=MONTHLY;INTERVAL=3", "2027-01-01T00:00"),
    ],
)
def test_recurrences(text: str, rule: str, first: str) -> None:
    found = only(text)
    assert (found.rrule, wall(found.start)) == (rule, first)


def test_hours_of_a_day_are_no_length_of_its_occurrences() -> None:
    assert only("every hour from 9 to 5").end is None

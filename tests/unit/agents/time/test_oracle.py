"""The grammar against an oracle that knows no grammar: days, clocks, deadlines, ranges and recurrences, combined."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from agents.time import FoundTime, clock_for, find_times
from tests.unit.agents.time import oracle
from tests.unit.agents.time.oracle import at, bare_clocks, clocks, coming, days

MOMENTS = st.datetimes(datetime.fromisoformat("2015-01-01"), datetime.fromisoformat("2060-01-01"))
# No clock changes: what they do has tests of its own.
ZONE = "Asia/Kolkata"


def read(text: str, now: datetime) -> FoundTime:
    local = clock_for(now.replace(tzinfo=UTC), ZONE)
    found = find_times(text, local)
    assert [item.text for item in found] == [text], [item.text for item in found]
    return found[0]


def here(now: datetime) -> datetime:
    return clock_for(now.replace(tzinfo=UTC), ZONE).at.replace(tzinfo=None)


def wall(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=None) if moment else None


@given(st.data(), MOMENTS)
def test_a_day(data: st.DataObject, now: datetime) -> None:
    text, day = data.draw(days(here(now).date()))
    found = read(text, now)
    assert (wall(found.start), wall(found.end), found.timed) == (
        at(day, (0, 0)),
        at(day + timedelta(days=1), (0, 0)),
        False,
    )


@given(st.data(), MOMENTS)
def test_a_day_and_a_clock_in_any_order(data: st.DataObject, now: datetime) -> None:
    text, day = data.draw(days(here(now).date()))
    said, clock = data.draw(st.one_of(clocks(), bare_clocks()))
    at_said = said if said.startswith(("at ", "around ")) else data.draw(st.sampled_from([said, f"at {said}"]))
    order = data.draw(st.sampled_from(["{day} {clock}", "{clock} {day}", "{day}, {clock}"]))
    found = read(order.format(day=text, clock=at_said), now)
    assert (wall(found.start), found.timed) == (at(day, clock), True)


@given(st.data(), MOMENTS, st.sampled_from(["by", "before", "due", "no later than"]))
def test_a_deadline(data: st.DataObject, now: datetime, word: str) -> None:
    text, day = data.draw(days(here(now).date()).filter(lambda said: not said[0].startswith(("on ", "in "))))
    found = read(f"{word} {text}", now)
    assert (found.kind, found.role, wall(found.end)) == ("open_before", "deadline", at(day + timedelta(days=1), (0, 0)))
    said, clock = data.draw(clocks())
    timed = read(f"{word} {said} {text}", now)
    assert (timed.kind, wall(timed.end)) == ("open_before", at(day, clock))


@given(st.data(), MOMENTS, st.sampled_from([("morning", 9), ("afternoon", 15), ("evening", 19), ("night", 20)]))
def test_a_part_of_a_day(data: st.DataObject, now: datetime, part: tuple[str, int]) -> None:
    text, day = data.draw(
        st.one_of(
            oracle.weekdays(here(now).date()).filter(lambda said: said[0].count(" ") <= 1 and "week" not in said[0]),
            st.just(("tomorrow", here(now).date() + timedelta(days=1))),
        )
    )
    found = read(f"{text} {part[0]}", now)
    assert (wall(found.start), found.timed) == (at(day, (part[1], 0)), True)


@given(st.data(), MOMENTS, st.integers(1, 11), st.integers(1, 4))
def test_hours_from_to(data: st.DataObject, now: datetime, first: int, length: int) -> None:
    """The end is the first such hour after the start; a start that says nothing follows the bare hours."""
    text, day = data.draw(days(here(now).date()))
    start, end = oracle.bare(first), oracle.bare(first) + length
    last = (end - 1) % 12 + 1
    form = data.draw(
        st.sampled_from(
            ["{day} from {a} to {b}", "{day} between {a} and {b}", "from {a} to {b} {day}", "between {a} and {b} {day}"]
        )
    )
    found = read(form.format(day=text, a=first, b=last), now)
    assert (wall(found.start), wall(found.end)) == (at(day, (start, 0)), at(day, (0, 0)) + timedelta(hours=end))


@given(st.data(), MOMENTS, st.integers(5, 240))
def test_a_length_from_a_clock(data: st.DataObject, now: datetime, minutes: int) -> None:
    text, day = data.draw(days(here(now).date()))
    said, clock = data.draw(clocks())
    found = read(f"{text} at {said} for {minutes} minutes", now)
    assert (wall(found.start), wall(found.end)) == (at(day, clock), at(day, clock) + timedelta(minutes=minutes))


@given(st.data(), MOMENTS)
def test_two_days_are_a_stretch(data: st.DataObject, now: datetime) -> None:
    today = here(now).date()
    first, last = sorted(data.draw(st.lists(st.integers(1, 28), min_size=2, max_size=2, unique=True)))
    month, year = data.draw(st.integers(1, 12)), today.year + 1
    name = oracle.MONTHS[month - 1]
    forms = [
        f"{name} {first} to {last}, {year}",
        f"from {name} {first} to {name} {last} {year}",
        f"{first}-{last} {name} {year}",
        f"from the {oracle.ordinal(first)} to the {oracle.ordinal(last)} of {name} {year}",
        f"between {first} {name} {year} and {last} {name} {year}",
        f"{year}-{month:02}-{first:02} to {year}-{month:02}-{last:02}",
    ]
    found = read(data.draw(st.sampled_from(forms)), now)
    wanted = at(date(year, month, first), (0, 0)), at(date(year, month, last) + timedelta(days=1), (0, 0))
    assert (found.kind, wall(found.start), wall(found.end)) == ("interval", *wanted)


CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@given(st.data(), MOMENTS, st.integers(0, 6), st.integers(2, 9))
def test_a_recurrence(data: st.DataObject, now: datetime, index: int, count: int) -> None:
    said, (hour, minute) = data.draw(clocks())
    name, code = oracle.WEEKDAYS[index], CODES[index]
    word = data.draw(st.sampled_from([str(count), oracle.ONES[count - 1]]))
    today = here(now)
    daily = at(today.date(), (hour, minute))
    rule, phrase, first = data.draw(
        st.sampled_from(
            [
                ("FREQ=DAILY", f"every day at {said}", daily if daily > today else daily + timedelta(days=1)),
                (f"FREQ=WEEKLY;BYDAY={code}", f"every {name} at {said}", None),
                (f"FREQ=WEEKLY;BYDAY={code}", f"{name}s at {said}", None),
                (f"FREQ=WEEKLY;BYDAY={code}", f"at {said} every {name}", None),
                (f"FREQ=WEEKLY;BYDAY={code}", f"weekly on {name} at {said}", None),
                (f"FREQ=WEEKLY;INTERVAL=2;BYDAY={code}", f"every other {name} at {said}", None),
                (f"FREQ=WEEKLY;INTERVAL={count};BYDAY={code}", f"every {word} weeks on {name} at {said}", None),
                (f"FREQ=MONTHLY;BYMONTHDAY={count}", f"on the {oracle.ordinal(count)} of every month at {said}", None),
                (f"FREQ=MONTHLY;BYDAY=-1{code}", f"the last {name} of every month at {said}", None),
                (f"FREQ=DAILY;INTERVAL={count}", f"every {word} days at {said}", None),
            ]
        )
    )
    found = read(phrase, now)
    assert found.start is not None
    assert (found.rrule, found.start.hour, found.start.minute) == (rule, hour, minute)
    assert found.start.replace(tzinfo=None) > today
    if first:
        assert wall(found.start) == first
    if "BYDAY" in rule and "MONTHLY" not in rule:
        near = at(today.date(), (hour, minute))
        same_day = today.weekday() == index and near > today
        assert wall(found.start) == at(today.date() if same_day else coming(today.date(), index), (hour, minute))

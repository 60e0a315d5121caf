"""Words around a phrase that make it a name, a number of something or a measure: "flat 4a", "1/2 cup", "happy friday"."""

from __future__ import annotations

from agents.time.chart import Chart, Node
from agents.time.lexicon import ORDINALS, VAGUE, WEAK_MONTHS, WEEKDAYS
from agents.time.numerals import SHORT_DATE, YEAR_MONTH, in_hours
from agents.time.values import Day, Length, Moment, Number, Range, Repeat, Weekday
from agents.time.words import word_sets

# What may follow "the second" or "next may" when they are dates; any other word makes them part of a name.
LOOKALIKE_WORDS = word_sets("lookalikes")
FOLLOWERS = LOOKALIKE_WORDS["followers"]
LONGEST_WAY = 3
MOST_MINUTES = 240


def word(chart: Chart, place: int) -> str:
    """The token at a place, empty outside the text."""
    return chart.tokens[place].text if 0 <= place < len(chart.tokens) else ""


def describes(chart: Chart, node: Node) -> bool:
    """Whether a phrase is part of a name, a measure or a wish."""
    if isinstance(node.value, Length):
        return False
    before, after = word(chart, node.start - 1), word(chart, node.end)
    tests = (
        _numbers, _hour_of_a_flat, _fraction, _person, _times_table, _scale, _address, _thing, _party, _visit,
        _at_all, _is_division, _of_work, _title, _from_elsewhere, _levels,
    )  # fmt: skip
    return (
        before in LOOKALIKE_WORDS["titles"]
        or before in LOOKALIKE_WORDS["money"]
        or (before in LOOKALIKE_WORDS["greetings"] and _is_day(node))
        or any(test(chart, node, before, after) for test in tests)
    )


def measures(chart: Chart, node: Node) -> bool:
    """Whether a length is an age, a distance or a count that does not agree: "5 years old", "1 m", "a few hour"."""
    assert isinstance(node.value, Length)  # noqa: S101 - asked for lengths only
    before, after = word(chart, node.start - 1), word(chart, node.end)
    words = [token.text for token in chart.tokens[node.start : node.end]]
    if after == "of" and (before in ("in", "within") or words[-1] == "quarters"):
        return True
    if VAGUE.intersection(words) and words[-1] in LOOKALIKE_WORDS["singular"]:
        return True
    if (
        after in LOOKALIKE_WORDS["ages"]
        or before in ("aged", "age")
        or (after == "-" and word(chart, node.end + 1) in LOOKALIKE_WORDS["ages"])
    ):
        return True
    if word(chart, node.end - 1) != "m" or len(node.value.parts) > 1 or before in ("for", "in", "within", "takes"):
        return False
    spaced = chart.tokens[node.end - 1].start > chart.tokens[node.end - 2].end
    return spaced or after in LOOKALIKE_WORDS["metres"] or node.value.parts[0][0] > MOST_MINUTES


def plural(chart: Chart, node: Node) -> bool:
    """Whether letters or a fraction go on the last number: "the 2030s", "at 3x speed", "one oh seven point five"."""
    if word(chart, node.end) == "point" and any(isinstance(other.value, Number) for other in chart.at(node.end + 1)):
        return True
    joined = word(chart, node.end).isalpha() and chart.tokens[node.end].start == chart.tokens[node.end - 1].end
    return joined and word(chart, node.end - 1).isdecimal()


def lasts(chart: Chart, node: Node) -> bool:
    """Whether "1h30" is said for its length: alone, or after "for"."""
    alone = node.end - node.start == 1 or (node.end - node.start == 2 and word(chart, node.start) == "for")
    return alone and in_hours(word(chart, node.end - 1))


def is_attributive(chart: Chart, node: Node) -> bool:
    """Whether a frequency belongs to the word behind it: "monthly pass", "every 2nd attempt", "the weekly report"."""
    after = word(chart, node.end)
    ranked = word(chart, node.end - 1) in ("st", "nd", "rd", "th") and after.isalpha() and after not in FOLLOWERS
    return ranked or (node.end - node.start == 1 and (after in LOOKALIKE_WORDS["sold"] or _one_of_many(chart, node)))


def _one_of_many(chart: Chart, node: Node) -> bool:
    """Like "the weekly report", "quarterly planning for thursday": one of those that come round, not a wish for them all."""
    before, own, after = word(chart, node.start - 1), word(chart, node.start), word(chart, node.end)
    if own not in LOOKALIKE_WORDS["rounds"] or not after.isalpha() or after in FOLLOWERS or before in ("a", "an"):
        return False
    if any(isinstance(other.value, Moment | Range | Weekday) for other in chart.at(node.end)):
        return False
    arranged = any(token.text in LOOKALIKE_WORDS["arranging"] for token in chart.tokens[: node.start])
    due = any(token.text in LOOKALIKE_WORDS["due"] for token in chart.tokens[node.end :])
    return (
        own == "quarterly"
        or due
        or before in LOOKALIKE_WORDS["known"]
        or (before in LOOKALIKE_WORDS["definite"] and not arranged)
    )


def half_read(chart: Chart, node: Node) -> bool:
    """Tell whether the day of a series goes on in words nobody understood: "every month on the last weekend"."""
    repeat, last, after = node.value, word(chart, node.end - 1), word(chart, node.end)
    if not isinstance(repeat, Repeat) or repeat.freq not in ("MONTHLY", "YEARLY") or not after.isalpha():
        return False
    if repeat.byday and repeat.byday[0][-3:-2].isdecimal() and last in WEEKDAYS:
        return after in LOOKALIKE_WORDS["sides"] and not any(
            isinstance(other.value, Range) for other in chart.at(node.end)
        )
    ranked = last in ORDINALS and after in LOOKALIKE_WORDS["ranked"]
    return ranked or (last in ("last", "final") and after not in FOLLOWERS)


def _is_day(node: Node) -> bool:
    return isinstance(node.value, Moment) and node.value.time is None


def _numbers(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "gate 12p", "invoice 2026-11": the number of what stands before it."""
    first = word(chart, node.start)
    plain = first[:1].isdecimal() and isinstance(node.value, Moment)
    lone = node.end - node.start == 1 and YEAR_MONTH.fullmatch(first) is not None
    return plain and (
        before in LOOKALIKE_WORDS["numbered"]
        or (lone and before.isalpha() and before not in ("in", "by", "since", "until"))
    )


def _hour_of_a_flat(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "4a" alone: nobody writes so short an hour without saying that it is one."""
    first = word(chart, node.start)
    return node.end - node.start == 1 and first[0].isdecimal() and first[-1] == "a"


def article(chart: Chart, node: Node) -> bool:
    """Whether the "a" at the end belongs to the next word: "at 10 a friend comes"."""
    return word(chart, node.end - 1) == "a" and word(chart, node.end).isalpha()


def _fraction(chart: Chart, node: Node, before: str, after: str) -> bool:
    """Like "1/2 cup", "a 3/4 sleeve shirt"."""
    form = SHORT_DATE.fullmatch(word(chart, node.start))
    return bool(form) and node.end - node.start == 1 and (after in LOOKALIKE_WORDS["shares"] or before in ("a", "an"))


def _person(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "a gift for april", "an email from june"."""
    named = node.end - node.start == 2 and word(chart, node.start) in ("for", "from", "to")
    return (
        named
        and word(chart, node.start + 1) in LOOKALIKE_WORDS["people_months"]
        and before in LOOKALIKE_WORDS["meant_for"]
    )


def _times_table(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "four by four": a bare number on both sides of "by"."""
    bare = node.end - node.start == 2 and word(chart, node.start) == "by" and isinstance(node.value, Range)
    return bare and any(
        isinstance(other.value, Number) and not other.value.ordinal
        for other in (chart.at(node.start - 1) if node.start else [])
    )


def _is_division(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "divide by 3", "turn the volume down by 2"."""
    moved = word(chart, node.start - 2) in LOOKALIKE_WORDS["divided"] and before in ("up", "down")
    return word(chart, node.start) == "by" and (before in LOOKALIKE_WORDS["divided"] or moved)


def _of_work(chart: Chart, node: Node, before: str, after: str) -> bool:
    """Like "corn on the cob", "eod technician": the letters are a word of their own, or a part of a name."""
    said = word(chart, node.start)
    noun = after.isalpha() and after not in FOLLOWERS
    return node.end - node.start == 1 and said in ("eod", "cob") and (noun or (said, before) == ("cob", "the"))


def _title(chart: Chart, node: Node, _before: str, after: str) -> bool:
    """Like "groundhog day the movie"."""
    return after == "the" and word(chart, node.end + 1) in LOOKALIKE_WORDS["works"]


def _from_elsewhere(_chart: Chart, node: Node, _before: str, after: str) -> bool:
    """Like "within an hour of landing": counted from something else than now."""
    return isinstance(node.value, Moment) and node.value.shift is not None and after == "of"


def _scale(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "count from 1 to 10", "from 1 to 100"."""
    span = node.value
    open_end = isinstance(span, Range) and span.role == "after" and word(chart, node.end) in ("to", "-")
    if open_end and word(chart, node.end + 1).isdecimal():
        return True
    bare = isinstance(span, Range) and span.end and span.end.time and span.end.time.bare and span.end.day is None
    return bool(bare) and any(
        word(chart, node.start - step) in LOOKALIKE_WORDS["scales"] for step in range(1, LONGEST_WAY + 1)
    )


def from_another(chart: Chart, node: Node) -> bool:
    """Tell whether a day is counted from something else than the day talked about: "the day after my birthday"."""
    after = word(chart, node.end)
    day = node.value.day if isinstance(node.value, Moment) else None
    open_end = day is not None and day.how == "anchor" and word(chart, node.end - 1) in ("before", "after")
    return open_end and after[:1].isalpha() and (after not in FOLLOWERS or after in LOOKALIKE_WORDS["named"])


def _levels(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "levels 4 through 6"."""
    return word(chart, node.start) in ("through", "thru") and before.isdecimal()


def _address(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "at 12 main street"."""
    moment = node.value.start or node.value.end if isinstance(node.value, Range) else node.value
    time = moment.time if isinstance(moment, Moment) else None
    ahead = [word(chart, node.end + step) for step in range(LONGEST_WAY)]
    named = (
        ahead[0].isalpha()
        and ahead[0] not in LOOKALIKE_WORDS["streets"]
        and bool(LOOKALIKE_WORDS["streets"].intersection(ahead[1:]))
    )
    return bool(time and time.bare) and named and word(chart, node.end - 1).isdecimal()


def _party(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "a table for 8 tonight": so many people."""
    at = node.start + (word(chart, node.start) == "for")
    said_for = word(chart, at - 1) == "for" and word(chart, at - 2) in LOOKALIKE_WORDS["seated"]
    lone = isinstance(node.value, Moment) and word(chart, at).isdecimal()
    return said_for and lone and word(chart, at + 1).isalpha() and word(chart, at + 1) not in LOOKALIKE_WORDS["halves"]


def _thing(chart: Chart, node: Node, _before: str, after: str) -> bool:
    """Like "midnight snack", "may 5 people"."""
    lone = node.end - node.start == 1 and word(chart, node.start) in ("noon", "midnight")
    return lone and after in LOOKALIKE_WORDS["held_at"]


def region(chart: Chart, node: Node) -> bool:
    """Whether a region has a noun of its own and is no zone: "3pm central station"."""
    after = word(chart, node.end)
    return word(chart, node.end - 1) in LOOKALIKE_WORDS["regions"] and after.isalpha() and after not in FOLLOWERS


def _at_all(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "will it rain at all this week": the "all" is not the week's."""
    return before == "at" and word(chart, node.start) == "all"


def verb(chart: Chart, node: Node) -> bool:
    """Whether the "am" at the end is a verb: "friday am i free", "tomorrow am going"."""
    after = word(chart, node.end)
    day = node.value.day if isinstance(node.value, Moment) else None
    part = isinstance(node.value, Moment) and node.value.time and node.value.time.part == "morning"
    said = day is not None and part and word(chart, node.end - 1) == "am"
    return bool(said) and after.isalpha() and (after in ("i", "we") or after not in FOLLOWERS)


def _visit(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "come by tomorrow": the "by" belongs to the verb, what follows is read without it."""
    end = node.value.end if isinstance(node.value, Range) else None
    dated = end is not None and end.time is None and end.shift is None
    return dated and word(chart, node.start) == "by" and before in LOOKALIKE_WORDS["visits"]


def counts_things(chart: Chart, node: Node) -> bool:
    """Whether a weak month only asks whether so many may: "may 5 people come"."""
    day = node.value.day if isinstance(node.value, Moment) else None
    weak = isinstance(day, Day) and day.how == "monthday" and word(chart, node.start) in WEAK_MONTHS
    after = word(chart, node.end)
    return (
        weak
        and word(chart, node.end - 1).isdecimal()
        and (after == "of" or (len(after) > 3 and after[-1] == "s") or after == "people")
    )

"""Words around a phrase that make it a name, a number of something or a measure: "flat 4a", "1/2 cup", "happy friday"."""

from __future__ import annotations

from agents.time.chart import Chart, Node
from agents.time.lexicon import ORDINALS, VAGUE, WEAK_MONTHS, WEEKDAYS
from agents.time.numerals import SHORT_DATE, YEAR_MONTH, in_hours
from agents.time.values import Length, Moment, Number, Range, Repeat, Value, Weekday
from agents.time.words import word_sets

# What may follow "the second" or "next may" when they are dates; any other word makes them part of a name.
LOOKALIKE_WORDS = word_sets("lookalikes")
FOLLOWERS = LOOKALIKE_WORDS["followers"]
LONGEST_WAY = 3
MOST_MINUTES = 240


def is_noun(word: str) -> bool:
    """Whether a word may be one that the phrase before it describes."""
    return word.isalpha() and word not in FOLLOWERS


def describes(chart: Chart, node: Node) -> bool:
    """Whether a phrase is part of a name, a measure or a wish."""
    if isinstance(node.value, Length):
        return False
    before, after = chart.word(node.start - 1), chart.word(node.end)
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
    before, after = chart.word(node.start - 1), chart.word(node.end)
    words = chart.words[node.start : node.end]
    if after == "of" and (before in ("in", "within") or words[-1] == "quarters"):
        return True
    if VAGUE.intersection(words) and words[-1] in LOOKALIKE_WORDS["singular"]:
        return True
    behind = chart.word(node.end + 1) if after == "-" else after
    if behind in LOOKALIKE_WORDS["ages"] or before in ("aged", "age"):
        return True
    if chart.word(node.end - 1) != "m" or len(node.value.parts) > 1 or before in ("for", "in", "within", "takes"):
        return False
    spaced = chart.tokens[node.end - 1].start > chart.tokens[node.end - 2].end
    return spaced or after in LOOKALIKE_WORDS["metres"] or node.value.parts[0][0] > MOST_MINUTES


def plural(chart: Chart, node: Node) -> bool:
    """Whether letters or a fraction go on the last number: "the 2030s", "at 3x speed", "one oh seven point five"."""
    if chart.word(node.end) == "point" and chart.begins(node.end + 1, Number):
        return True
    joined = chart.word(node.end).isalpha() and chart.tokens[node.end].start == chart.tokens[node.end - 1].end
    return joined and chart.word(node.end - 1).isdecimal()


def lasts(chart: Chart, node: Node) -> bool:
    """Whether "1h30" is said for its length: alone, or after "for"."""
    alone = node.end - node.start == 1 or (node.end - node.start == 2 and chart.word(node.start) == "for")
    return alone and in_hours(chart.word(node.end - 1))


def is_attributive(chart: Chart, node: Node) -> bool:
    """Whether a frequency belongs to the word behind it: "monthly pass", "every 2nd attempt", "the weekly report"."""
    after = chart.word(node.end)
    ranked = chart.word(node.end - 1) in ("st", "nd", "rd", "th") and is_noun(after)
    return ranked or (node.end - node.start == 1 and (after in LOOKALIKE_WORDS["sold"] or _one_of_many(chart, node)))


def _one_of_many(chart: Chart, node: Node) -> bool:
    """Like "the weekly report", "quarterly planning for thursday": one of those that come round, not a wish for them all."""
    before, own, after = chart.word(node.start - 1), chart.word(node.start), chart.word(node.end)
    if own not in LOOKALIKE_WORDS["rounds"] or not is_noun(after) or before in ("a", "an"):
        return False
    if chart.begins(node.end, Moment, Range, Weekday):
        return False
    arranged = not LOOKALIKE_WORDS["arranging"].isdisjoint(chart.words[: node.start])
    due = not LOOKALIKE_WORDS["due"].isdisjoint(chart.words[node.end :])
    definite = before in LOOKALIKE_WORDS["definite"] and not arranged
    return own == "quarterly" or due or before in LOOKALIKE_WORDS["known"] or definite


def half_read(chart: Chart, node: Node) -> bool:
    """Tell whether the day of a series goes on in words nobody understood: "every month on the last weekend"."""
    repeat, last, after = node.value, chart.word(node.end - 1), chart.word(node.end)
    if not isinstance(repeat, Repeat) or repeat.freq not in ("MONTHLY", "YEARLY") or not after.isalpha():
        return False
    if repeat.byday and repeat.byday[0][-3:-2].isdecimal() and last in WEEKDAYS:
        return after in LOOKALIKE_WORDS["sides"] and not chart.begins(node.end, Range)
    ranked = last in ORDINALS and after in LOOKALIKE_WORDS["ranked"]
    return ranked or (last in ("last", "final") and after not in FOLLOWERS)


def _is_day(node: Node) -> bool:
    return isinstance(node.value, Moment) and node.value.time is None


def _numbers(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "gate 12p", "invoice 2026-11": the number of what stands before it."""
    first = chart.word(node.start)
    lone = node.end - node.start == 1 and YEAR_MONTH.fullmatch(first) is not None
    named = lone and before.isalpha() and before not in ("in", "by", "since", "until")
    numbered = LOOKALIKE_WORDS["numbered"]
    if _is_bare_stretch(node.value):
        return not numbered.isdisjoint((before, before.removesuffix("s")))
    return first[:1].isdecimal() and isinstance(node.value, Moment) and (named or before in numbered)


def _is_bare_stretch(value: Value) -> bool:
    """Return whether a phrase is two bare numbers with the word for a stretch between: "10 till 12"."""
    ends = (value.start, value.end) if isinstance(value, Range) else ()
    return bool(ends) and all(end and not end.day and end.time and end.time.bare for end in ends)


def _hour_of_a_flat(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "4a" alone: nobody writes so short an hour without saying that it is one."""
    first = chart.word(node.start)
    return node.end - node.start == 1 and first[0].isdecimal() and first[-1] == "a"


def article(chart: Chart, node: Node) -> bool:
    """Whether the "a" at the end belongs to the next word: "at 10 a friend comes"."""
    return chart.word(node.end - 1) == "a" and chart.word(node.end).isalpha()


def _fraction(chart: Chart, node: Node, before: str, after: str) -> bool:
    """Like "1/2 cup", "a 3/4 sleeve shirt"."""
    form = SHORT_DATE.fullmatch(chart.word(node.start))
    return bool(form) and node.end - node.start == 1 and (after in LOOKALIKE_WORDS["shares"] or before in ("a", "an"))


def _person(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "a gift for april", "an email from june"."""
    meant = node.end - node.start == 2 and chart.word(node.start) in ("for", "from", "to")
    named = chart.word(node.start + 1) in LOOKALIKE_WORDS["people_months"]
    return meant and named and before in LOOKALIKE_WORDS["meant_for"]


def _times_table(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "four by four": a bare number on both sides of "by"."""
    bare = node.end - node.start == 2 and chart.word(node.start) == "by" and isinstance(node.value, Range)
    return bare and chart.counts(node.start - 1)


def _is_division(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "divide by 3", "turn the volume down by 2"."""
    moved = chart.word(node.start - 2) in LOOKALIKE_WORDS["divided"] and before in ("up", "down")
    return chart.word(node.start) == "by" and (before in LOOKALIKE_WORDS["divided"] or moved)


def _of_work(chart: Chart, node: Node, before: str, after: str) -> bool:
    """Like "corn on the cob", "eod technician": the letters are a word of their own, or a part of a name."""
    said = chart.word(node.start)
    return (
        node.end - node.start == 1 and said in ("eod", "cob") and (is_noun(after) or (said, before) == ("cob", "the"))
    )


def _title(chart: Chart, node: Node, _before: str, after: str) -> bool:
    """Like "groundhog day the movie"."""
    return after == "the" and chart.word(node.end + 1) in LOOKALIKE_WORDS["works"]


def _from_elsewhere(_chart: Chart, node: Node, _before: str, after: str) -> bool:
    """Like "within an hour of landing": counted from something else than now."""
    return isinstance(node.value, Moment) and node.value.shift is not None and after == "of"


def _scale(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "count from 1 to 10", "from 1 to 100"."""
    span = node.value
    open_end = isinstance(span, Range) and span.role == "after" and chart.word(node.end) in ("to", "-")
    if open_end and chart.word(node.end + 1).isdecimal():
        return True
    bare = isinstance(span, Range) and span.end and span.end.time and span.end.time.bare and span.end.day is None
    ahead = chart.words[max(node.start - LONGEST_WAY, 0) : node.start]
    return bool(bare) and not LOOKALIKE_WORDS["scales"].isdisjoint(ahead)


def from_another(chart: Chart, node: Node) -> bool:
    """Tell whether a day is counted from something else than the day talked about: "the day after my birthday"."""
    after = chart.word(node.end)
    day = node.value.day if isinstance(node.value, Moment) else None
    open_end = day is not None and day.how == "anchor" and chart.word(node.end - 1) in ("before", "after")
    return open_end and after[:1].isalpha() and (after not in FOLLOWERS or after in LOOKALIKE_WORDS["named"])


def _levels(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "levels 4 through 6"."""
    return chart.word(node.start) in ("through", "thru") and before.isdecimal()


def _address(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "at 12 main street"."""
    moment = node.value.start or node.value.end if isinstance(node.value, Range) else node.value
    time = moment.time if isinstance(moment, Moment) else None
    name, *ahead = (chart.word(node.end + step) for step in range(LONGEST_WAY))
    streets = LOOKALIKE_WORDS["streets"]
    named = name.isalpha() and name not in streets and not streets.isdisjoint(ahead)
    return bool(time and time.bare) and named and chart.word(node.end - 1).isdecimal()


def _party(chart: Chart, node: Node, _before: str, _after: str) -> bool:
    """Like "a table for 8 tonight": so many people."""
    at = node.start + (chart.word(node.start) == "for")
    said_for = chart.word(at - 1) == "for" and chart.word(at - 2) in LOOKALIKE_WORDS["seated"]
    lone = isinstance(node.value, Moment) and chart.word(at).isdecimal()
    return said_for and lone and chart.word(at + 1).isalpha() and chart.word(at + 1) not in LOOKALIKE_WORDS["halves"]


def _thing(chart: Chart, node: Node, _before: str, after: str) -> bool:
    """Like "midnight snack", "may 5 people"."""
    lone = node.end - node.start == 1 and chart.word(node.start) in ("noon", "midnight")
    return lone and after in LOOKALIKE_WORDS["held_at"]


def region(chart: Chart, node: Node) -> bool:
    """Whether a region has a noun of its own and is no zone: "3pm central station"."""
    return chart.word(node.end - 1) in LOOKALIKE_WORDS["regions"] and is_noun(chart.word(node.end))


def _at_all(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "will it rain at all this week": the "all" is not the week's."""
    return before == "at" and chart.word(node.start) == "all"


def verb(chart: Chart, node: Node) -> bool:
    """Whether the "am" at the end is a verb: "friday am i free", "tomorrow am going"."""
    after = chart.word(node.end)
    dated = isinstance(node.value, Moment) and node.value.day and node.value.time
    said = dated and dated.part == "morning" and chart.word(node.end - 1) == "am"
    return bool(said) and (after in ("i", "we") or is_noun(after))


def _visit(chart: Chart, node: Node, before: str, _after: str) -> bool:
    """Like "come by tomorrow": the "by" belongs to the verb, what follows is read without it."""
    end = node.value.end if isinstance(node.value, Range) else None
    dated = end is not None and end.time is None and end.shift is None
    return dated and chart.word(node.start) == "by" and before in LOOKALIKE_WORDS["visits"]


def counts_things(chart: Chart, node: Node) -> bool:
    """Whether a weak month only asks whether so many may: "may 5 people come"."""
    day = node.value.day if isinstance(node.value, Moment) else None
    weak = day is not None and day.how == "monthday" and chart.word(node.start) in WEAK_MONTHS
    after = chart.word(node.end)
    things = after in ("of", "people") or (len(after) > 3 and after[-1] == "s")
    return weak and chart.word(node.end - 1).isdecimal() and things

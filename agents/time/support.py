"""Whether the words around a phrase let it be a time: "at 4 different shops" and "christmas tree" name none."""

from __future__ import annotations

from agents.time.chart import Chart, Node
from agents.time.lexicon import CARDINALS, MONTHS, ORDINALS, TODAY, UNITS, WEAK_MONTHS, WEEKDAYS
from agents.time.lookalikes import (
    FOLLOWERS,
    article,
    counts_things,
    from_another,
    is_attributive,
    lasts,
    measures,
    plural,
    region,
    verb,
)
from agents.time.numerals import SHORT_DATE
from agents.time.values import Day, Length, Moment, Range, Repeat, Unit
from agents.time.words import word_sets

SUPPORT_WORDS = word_sets("support")
# A feast before these is their day; before other nouns it only describes them: "christmas tree".


def can_be_time(chart: Chart, node: Node, *, bare_length: bool) -> bool:
    """Whether the neighbours of a phrase let it be a time; ``bare_length`` allows "a minute"."""
    after = chart.word(node.end)
    if _minutes_of_things(chart, node):
        return False
    if isinstance(node.value, Length):
        return (bare_length or not _idle(chart, node)) and not measures(chart, node)
    if isinstance(node.value, Repeat) and is_attributive(chart, node):
        return False
    forbidding = (
        _is_list_dash, _is_of_month, _counts, _names, _counts_behind_weekday, from_another, article, lasts, counts_things, plural, region, verb,
    )  # fmt: skip
    if _arrives(chart, node) or any(forbids(chart, node) for forbids in forbidding):
        return False
    bare = isinstance(node.value, Moment) and node.value.time is not None and node.value.time.bare
    if not bare or not chart.words[node.end - 1][0].isalnum():
        return True
    if _behind_day(chart, node) and (
        (after[:1].isalnum() and after not in FOLLOWERS)
        or (node.start == 0 and chart.words[0] in SUPPORT_WORDS["weak_days"])
    ):
        return False
    vague = chart.words[node.start] in ("about", "around") and node.end - node.start == 2 and after.isalpha()
    priced = after == "a" and chart.word(node.end + 1) in SUPPORT_WORDS["priced"]
    counted = after in SUPPORT_WORDS["not_after_bare"] or chart.begins(node.end, Unit)
    return not (counted or vague or priced)


def _both(node: Node) -> Day | None:
    """Give the weekday with its date that a phrase begins with."""
    moment = node.value.start if isinstance(node.value, Range) else node.value
    return moment.day if isinstance(moment, Moment) and moment.day and moment.day.how == "both" else None


def two_things(chart: Chart, node: Node) -> bool:
    """Tell whether a weekday and a date that disagree are of two things: "gym saturday at 9, 6 december dentist"."""
    if _both(node) is None or node.end == len(chart.tokens):
        return False
    words, after = chart.words[node.start : node.end], chart.words[node.end]
    if words[-1] in WEEKDAYS:
        return any(isinstance(other.value, Day) and not other.value.latent for other in chart.at(node.end))
    return "," in words and after[:1].isalpha() and after not in FOLLOWERS


def _counts_behind_weekday(chart: Chart, node: Node) -> bool:
    """Tell whether the date beside a weekday is a rank or a part of something: "friday night 3/4 pint of milk"."""
    words, after = chart.words[node.start : node.end], chart.word(node.end)
    timed = isinstance(node.value, Moment) and node.value.time is not None
    if _both(node) is None or not timed or not after[:1].isalpha() or after in FOLLOWERS:
        return False
    ranked = words[-1] in (*ORDINALS, "st", "nd", "rd", "th") and not {"the", "on"}.intersection(words)
    return ranked or SHORT_DATE.fullmatch(words[-1]) is not None


def _arrives(chart: Chart, node: Node) -> bool:
    """Whether "coming" is what somebody does on the date behind it: "oma coming fri 18 dec"."""
    return chart.words[node.start] == "coming" and chart.begins(node.end, Day)


def _behind_day(chart: Chart, node: Node) -> bool:
    """Whether a phrase ends with a number right behind the name of a day: "saturday 11"."""
    name = chart.words[node.end - 2] if node.end - node.start > 1 else ""
    return chart.words[node.end - 1].isdecimal() and (name in WEEKDAYS or name in TODAY)


def _minutes_of_things(chart: Chart, node: Node) -> bool:
    """Whether the minutes of "2 hours 15" count what follows: "in 2 hours 15 people come"."""
    words = chart.words[node.start : node.end + 1]
    if len(words) < 3 or node.end == len(chart.tokens) or not words[-2].isdecimal() or UNITS.get(words[-3]) != "hour":
        return False
    return words[-1].isalpha() and words[-1] not in FOLLOWERS and not chart.at(node.end)


def _is_list_dash(chart: Chart, node: Node) -> bool:
    """Whether a "-" begins an item of a list, or joins what is on both sides: only "-3 days" looks back."""
    if chart.words[node.start] != "-":
        return False
    at, before = chart.tokens[node.start], chart.tokens[node.start - 1] if node.start else None
    return at.end != chart.tokens[node.start + 1].start or (before is not None and before.end == at.start)


def _is_of_month(chart: Chart, node: Node) -> bool:
    """Whether the last number of a phrase is rather the day of the month behind it: "today, due 9 october"."""
    after = chart.word(node.end)
    numbered = chart.words[node.end - 1].isdecimal() and not isinstance(node.value, Length)
    return numbered and after in MONTHS and after not in WEAK_MONTHS


def _counts(chart: Chart, node: Node) -> bool:
    """Whether the last number of a phrase counts what follows: "friday 20 min", or is the "4a" of a flat."""
    last = chart.words[node.end - 1]
    lone = last in CARDINALS and chart.word(node.end - 2) not in CARDINALS
    counting = last[-1:].isdecimal() or lone
    return (counting and chart.begins(node.end, Unit)) or before_things(chart, node)


def before_things(chart: Chart, node: Node) -> bool:
    """Whether a bare hour at the end of a phrase counts things: "between 5 and 10 people", "at 4 different shops"."""
    value = node.value
    ends = [value] if isinstance(value, Moment) else [value.start, value.end] if isinstance(value, Range) else []
    dated = any(end is not None and (end.day or end.shift) for end in ends)
    number = chart.counts(node.end - 1)
    words = chart.words[node.end : node.end + 2]
    if not ends or dated or not number or not words or words[0] in FOLLOWERS or chart.at(node.end):
        return False
    return words[0].isalpha() and any(
        word in SUPPORT_WORDS["counted"] or (word[-1:] == "s" and len(word) > 3) for word in words
    )


def _names(chart: Chart, node: Node) -> bool:
    """Whether a day or a "may" belongs to the word behind it: "on the second floor", "this may be"."""
    after = chart.word(node.end)
    day = node.value.day if isinstance(node.value, Moment) else None
    if is_feast(node) and after == "'" and chart.word(node.end + 1) == "day":
        return True
    # Like "wednesday next month".
    if day is not None and chart.words[node.end - 1] == "next" and chart.begins(node.end, Unit):
        return True
    if day is not None and day.how == "the_unit" and (after.isdecimal() or after == "of"):
        return True
    if isinstance(node.value, Range) and chart.words[node.end - 1] in ORDINALS and after[:1].isalpha():
        return after not in FOLLOWERS
    if not after[:1].isalpha() or day is None or (isinstance(node.value, Moment) and node.value.time):
        return False
    if is_feast(node) and chart.words[node.start] not in SUPPORT_WORDS["feast_openers"]:
        before = chart.word(node.start - 1)
        return after not in FOLLOWERS | SUPPORT_WORDS["occasions"] and before not in SUPPORT_WORDS["feast_openers"]
    lone = day.how == "monthday" and day.args[0] is None
    last = chart.words[node.end - 1]
    modal = last == "may" and after in ("or", "not")
    return modal or ((lone or last in WEAK_MONTHS) and after not in FOLLOWERS)


def is_feast(node: Node) -> bool:
    """Whether a phrase is a feast's name alone."""
    day = node.value.day if isinstance(node.value, Moment) else None
    return day is not None and day.how == "feast"


def _idle(chart: Chart, node: Node) -> bool:
    """Whether "a minute" or "a second" is only a manner of speaking."""
    words = chart.words[node.start : node.end]
    before = chart.word(node.start - 1)
    loose = len(words) == 2 and words[0] in ("a", "an") and words[-1] in SUPPORT_WORDS["loose"]
    if loose or words == ["one", "day"]:
        return before not in ("for", "takes", "take", "about")
    return (len(words) == 1 and not words[0][0].isdecimal()) or words[0] == "-"

"""The slots of a clause as values: titles, times, lengths, shifts, levels, places."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from itertools import pairwise
from unicodedata import category

from agents.index.words import HIGH_PRIORITY_WORDS, LOW_PRIORITY_WORDS, MIDDLE, TOP, level_of, tokens
from agents.reading.reading import Clause, Slot
from agents.reading.words import split_words
from agents.records import FIELD_TYPES, Kind
from agents.time import Clock, FoundTime, find_times, impossible_time, merge_phrases, on_day, with_latest_hour
from agents.understanding.situation import Situation
from agents.understanding.values.forms import beside_its_day
from agents.understanding.values.moves import near, with_hour_of
from agents.understanding.values.slots import Slots

EDGES = " \t\n,.;:!?\u2013\u2014-\u2192>+&\"\u201c\u201d'\u2018\u2019()"
JOINING = frozenset(("and", "&", "+", "/", "with", "w/", "n", "or", "for", "of", "from"))
"""Words between two pieces of a name that belong to it."""
LINKING = frozenset("and & + or plus then also both on at for the as well again from until to by".split())
"""Words between several times of one thing."""
LEADING = frozenset(("to", "that", "about", "for", "of", "and", "then"))
"""Words that lead to a name and are no part of it."""
LITTLE_WORDS, MUCH_WORDS = frozenset("low little minimal less".split()), frozenset("high lot much lots".split())
EASY_WORDS = frozenset("easy easier easiest simple quick trivial light breeze small".split())
HARD_WORDS = frozenset("hard harder tough difficult tricky complex big heavy fiddly tedious beast".split())
EARLIER = frozenset("earlier forward forwards sooner before ahead up shorter less off".split())
NOTHING_WORDS = frozenset("no none without drop remove clear never lose scrap any".split())
NUMBERS = {
    "a": 1, "an": 1, "another": 1, "couple": 2, **{str(at): at for at in range(1, 100)},
    **{word: at for at, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)},
}  # fmt: skip
TENS = frozenset("fifteen twenty thirty forty fifty".split())
HOURS = NUMBERS.keys() - {"a", "an", "another", "couple", "one"}
UNITS = {"minute": 60, "min": 60, "hour": 3600, "day": 86_400, "week": 604_800}
PARTS_ALONE = frozenset("the morning afternoon evening night".split())
BEFORE_HOUR = re.compile(rf"\b(?:twenty[ -])?(?:\d{{1,2}}|{'|'.join([*HOURS, 'one', *TENS])})\s+to\s+$", re.IGNORECASE)
EXCEPT = frozenset("except excepting excluding".split())
REPAIRING = frozenset("no not sorry wait mean actually rather scratch oops".split())
DOTTED = re.compile(r"(?<![\d.])\d{1,2}\.\d\d(?![\d.])")
LONGEST_TITLE = 500
HALF_SURE = 0.5
NAMING_ACTS = frozenset("todo remind event list".split())


@cache
def outside_words() -> frozenset[str]:
    """Return the words that stand outside of slots in the annotated sentences."""
    return frozenset(files("agents.understanding").joinpath("outside_words.txt").read_text(encoding="utf-8").split())


def text_between(clause: Clause, start: int, end: int) -> str:
    """Return what a clause says between two places of the message."""
    return clause.text[start - clause.start : end - clause.start]


def between(clause: Clause, first: Slot, second: Slot) -> str:
    """Return the words between two slots that no other slot has."""
    return blank_slots(clause)[first.end - clause.start : second.start - clause.start].strip(" ,;")


def loose_words(clause: Clause) -> list[str]:
    """Return the words of a clause that are in no slot."""
    return tokens(blank_slots(clause))


def keep_slots(clause: Clause, *names: str) -> str:
    """Return the clause with all words but those of some slots blanked."""
    kept, before = [" "] * len(clause.text), -1
    for slot in clause.all(*names):
        start, end = slot.start - clause.start, slot.end - clause.start
        kept[start:end] = clause.text[start:end]
        if before >= 0 and start > before + 1 and _are_numbers("".join(kept[:before]), slot.text):
            kept[before] = ";"  # "four thirty" twice is no time of four numbers
        before = end
    return "".join(kept)


def _are_numbers(said: str, then: str) -> bool:
    """Return whether words end, and others begin, with a number."""
    last, first = tokens(said)[-1:], tokens(then)[:1]
    return all(word in NUMBERS or word in TENS or word.isdigit() for word in (*last, *first)) and bool(last and first)


def blank_slots(clause: Clause, *names: str) -> str:
    """Return the clause with the words of some slots blanked, or of all."""
    kept = list(clause.text)
    for slot in clause.all(*names) if names else clause.slots:
        start, end = slot.start - clause.start, slot.end - clause.start
        kept[start:end] = " " * (end - start)
    return "".join(kept)


def trim_verbs(clause: Clause) -> Clause:
    """Return a clause whose times and lengths end before a short verb: "an hour and a half'll do", "the 5th's fine"."""
    text, slots = clause.text, list[Slot]()
    for slot in clause.slots:
        end = slot.end - _short_verb(slot)
        slots.append(replace(slot, text=slot.text[: end - slot.start], end=end))
        at, until = end - clause.start, slot.end - clause.start
        text = f"{text[:at]}{' ' * (until - at)}{text[until:]}"
    return replace(clause, text=text, slots=tuple(slots))


def _short_verb(slot: Slot) -> int:
    """Return how many letters the short verb has that a time or a length ends with; "valentine's" has none."""
    head, _, verb = slot.text.replace("\u2019", "'").rpartition("'")
    counted = slot.name == "d" or any(map(str.isdigit, head.split()[-1] if head.strip() else ""))
    short = verb in ("ll", "d") or (verb == "s" and counted)
    return len(verb) + 1 if head and short and slot.name in ("w", "v", "d", "sh") else 0


def title_of(clause: Clause, *names: str) -> str:
    """Return the name that slots give: its pieces with the words that join them, without what only leads to it."""
    slots = clause.all(*names)
    if not slots:
        return ""
    pieces = [picture_before(clause, slots[0]) + slots[0].text]
    for first, second in pairwise(slots):
        gap, written = between(clause, first, second), text_between(clause, first.end, second.start)
        if not any(sign.isspace() for sign in written) and len(written) <= 1:
            pieces.append(f"{written}{second.text}")  # one word: "day-care"
        else:
            pieces.append(f" {gap} {second.text}" if gap.lower() in JOINING or is_picture(gap) else f" {second.text}")
    if slots[-1].name in ("t", "i") and clause.act in ("todo", "remind", "event"):
        pieces.append(_unread_end(clause, slots[-1]))
    words = " ".join("".join(pieces).split()).strip(EDGES)
    head, _, rest = words.partition(" ")
    return (rest if head.lower() in LEADING and rest else words).strip(EDGES)[:LONGEST_TITLE]


def is_picture(text: str) -> bool:
    """Return whether a text is an emoji or several."""
    kinds = {category(sign) for sign in text if not sign.isspace()}
    return "So" in kinds and kinds <= {"So", "Sk", "Mn", "Cf"}


def picture_before(clause: Clause, slot: Slot) -> str:
    """Return the emoji right before a name, with a space: no slot has it, and it belongs to the name."""
    if clause.act not in NAMING_ACTS:
        return ""
    words = clause.text[: slot.start - clause.start].split()
    return f"{words[-1]} " if words and is_picture(words[-1]) else ""


def _unread_end(clause: Clause, slot: Slot) -> str:
    """Return the words right behind a name that no slot has and that nobody says beside one: they belong to it."""
    rest = blank_slots(clause)[slot.end - clause.start :]
    end = 0
    for start, stop in split_words(rest):
        word = rest[start:stop]
        if rest[end:start] != " " or not word.isalpha() or word.lower() in outside_words():
            break
        end = stop
    return rest[:end]


def times_of(clause: Clause, situation: Situation, *names: str) -> list[FoundTime]:
    """Return the times that slots name, those that belong together joined; bare hours on the day at hand."""
    old, words = timed_words(clause, *(names or ("w",)))
    earlier, retracted = read_times(old, situation.clock), taken_back(clause, situation.clock)
    hours = [one.start for one in (earlier if old else retracted) if one.timed and one.start]
    words = with_hour_of(words, next(iter(hours), None))
    begun, _, at = words.rpartition(" due ")
    words = f"{' ' * (len(begun) + 1)}due {at}" if begun.strip() else words
    if not words.strip():
        return []
    said = read_times(_with_clear_hours(clause, words, situation.clock), situation.clock)
    said = [*_left_out_start(clause, said, situation.clock), *said]
    said = with_latest_hour(said, situation.clock) if clause.act in ("todo", "remind") else said
    times = list(merge_phrases(said, situation.clock))
    apart = len(times) > 1  # an hour or another day beside two days: each of them is meant
    times = [day for one in times for day in (both_days(one) if apart or len(days_in(one)) > 2 else [one])]  # noqa: PLR2004
    times = [beside_its_day(one, situation.clock, "open_after") for one in _without_part_of_day(times, situation.clock)]
    dated = [one for one in retracted if one.timed and one.day_said]
    times = _apply_repair(list(merge_phrases(earlier, situation.clock)) or dated, times, situation.clock)
    if situation.day and not any(one.day_said or one.kind == "set" for one in times):
        return [_on_its_day(one, situation.day, situation.clock) for one in times]
    return times


def _with_clear_hours(clause: Clause, words: str, clock: Clock) -> str:
    """Return words with hours that are a slot of their own in figures: "from january", "1 till 8" is no first of it."""
    slots = clause.all("w")
    for slot in slots if len(slots) > 1 else ():
        alone = read_times(slot.text, clock)
        if len(alone) == 1 and alone[0].kind == "interval" and alone[0].timed and not alone[0].day_said:
            first, last = alone[0].start, alone[0].end
            clear = f"from {first:%H:%M} till {last:%H:%M}" if first and last else slot.text
            words = words.replace(slot.text, clear, 1)
    return words


def _left_out_start(clause: Clause, times: Sequence[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return since when a series is where that stands outside of its slot: "from may on i teach ada every monday"."""
    if [one.kind for one in times] != ["set"]:
        return []
    other = {slot.name for slot in clause.slots} - {"w"}
    said = find_times(blank_slots(clause, *other) if other else clause.text, clock)
    return [one for one in said if one.kind == "open_after" and one.day_said][:1]


def days_in(found: FoundTime) -> list[date]:
    """Return the days of a phrase of whole days; none for any other."""
    if found.timed or found.kind not in ("point", "interval") or not found.start or not found.end:
        return []
    return [found.start.date() + timedelta(days=at) for at in range((found.end - found.start).days)]


def both_days(found: FoundTime) -> list[FoundTime]:
    """Return the two days that a phrase names with "and"; any other phrase as it is."""
    said = set(tokens(found.text))
    if found.kind != "interval" or not days_in(found) or "and" not in said or said & {"between", "from"}:
        return [found]
    day = timedelta(days=1)
    ends = [moment for moment in (found.start, found.end and found.end - day) if moment]
    return [replace(found, kind="point", start=one, end=one + day) for one in ends]


def _without_part_of_day(times: list[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return the hours said in place of the part of the day in which they lie: "friday afternoon, two to five"."""
    parts = [one for one in times if one.stretch and one.start]
    clocks = [one for one in times if one.timed and not one.stretch and one.kind in ("point", "interval") and one.start]
    if len(parts) != 1 or len(clocks) != 1 or len(times) != 2 or parts[0].start is None:  # noqa: PLR2004 - one of each
        return times
    return [
        clocks[0] if clocks[0].day_said or not parts[0].day_said else on_day(clocks[0], parts[0].start.date(), clock)
    ]


def timed_words(clause: Clause, *names: str) -> tuple[str, str]:
    """Return the words of time slots where they stand: those that are taken back, and those that count.

    "On friday at one, sorry, saturday" is "on friday at one" and "saturday". Words that a later slot retracts count no
    more; the retracted slot itself is taken back where it says a day with its hour, of which one may still hold.
    """
    slots = clause.all(*names)
    words = _with_excepted(keep_slots(clause, *names), clause)
    for gone in clause.all("x"):
        left = set(tokens(gone.text))
        for slot in slots:
            other = [word for word in tokens(slot.text) if word not in left]
            if slot.start < gone.start and left <= set(tokens(slot.text)) and other != ["half"]:
                words = _without_words(words, slot.start - clause.start, slot.end - clause.start, left)
    if not slots:
        return "", words
    first, last = slots[0].start - clause.start, slots[-1].end - clause.start
    said = [(start, clause.text[start:end].lower()) for start, end in split_words(clause.text) if first < start < last]
    at = max((start for start, word in said if word in REPAIRING), default=0)
    return (words[:at], " " * at + words[at:]) if at and words[:at].strip() else ("", words)


def _with_excepted(words: str, clause: Clause) -> str:
    """Return the words of a time with the days that are excepted of a series: "every day except sunday"."""
    at, said = _excepting(clause)
    if not said or not words.strip():
        return words
    gone = clause.all("x")[0]
    end, until = gone.start - clause.start, gone.end - clause.start
    return f"{words[:at]}except{' ' * (end - at - len('except'))}{clause.text[end:until]}{words[until:]}"


def _excepting(clause: Clause) -> tuple[int, str]:
    """Return where a clause begins to except something, and its words from there; "" where it excepts nothing."""
    gone = next(iter(clause.all("x")), None)
    end = gone.start - clause.start if gone else 0
    words = split_words(clause.text[:end])
    at = next((start for start, stop in words if clause.text[start:stop].lower() in EXCEPT), -1)
    return (at, clause.text[at : gone.end - clause.start]) if gone and at >= 0 else (at, "")


def unread_exception(clause: Clause, situation: Situation) -> str:
    """Return the words that except days of a time and that the grammar of times cannot read, if there are any."""
    return _excepting(clause)[1] if "except" in unread_times(clause, situation) else ""


def _without_words(text: str, start: int, end: int, gone: set[str]) -> str:
    """Return a text with some words blanked between two places."""
    for a, b in split_words(text):
        if start <= a < end and text[a:b].lower() in gone:
            text = f"{text[:a]}{' ' * (b - a)}{text[b:]}"
    return text


def taken_back(clause: Clause, clock: Clock) -> list[FoundTime]:
    """Return the times that a clause retracts or says something is no longer at."""
    return read_times(clause.words("x"), clock) if clause.all("x") else []


def _apply_repair(old: Sequence[FoundTime], new: list[FoundTime], clock: Clock) -> list[FoundTime]:
    """Return the times that count, with the day or the hour that only the repaired ones say."""
    if len(new) != 1 or len(old) != 1 or new[0].start is None or old[0].start is None:
        return new or list(old)
    if new[0].timed and not new[0].day_said and old[0].day_said:
        again = on_day(new[0], old[0].start.date(), clock)
        return [on_its_half(again, old[0]) if old[0].timed else again]
    if old[0].timed and not new[0].timed and new[0].day_said:
        return [on_day(old[0], new[0].start.date(), clock)]
    return new


def on_its_half(found: FoundTime, old: FoundTime) -> FoundTime:
    """Return a bare hour on the half of the day of the one that it corrects."""
    if found.start is None or old.start is None:
        return found
    shift = near(old.start, found.start, found.text) - found.start
    return replace(found, start=found.start + shift, end=found.end and found.end + shift)


def read_times(words: str, clock: Clock) -> list[FoundTime]:
    """Return the times in words that are known to be times, so that a bare number is an hour."""
    found = find_times(words, clock)
    spans = [*split_words(words), *(match.span() for match in DOTTED.finditer(words))]
    bare = [a for a, b in spans if (words[a:b].lower() in HOURS or "." in words[a + 1 : b]) and not _is_read(a, found)]
    for at in reversed(bare):
        start = _number_begin(words, at)
        both = start < at and words[start].isdigit()  # "9 to 5"; "ten to four" is a clock time
        hours = f"{words[:start]}{'from' if both else 'at'} {words[start:]}"
        again = find_times(hours, clock)
        if sum(one.timed for one in again) > sum(one.timed for one in found):
            return again
    part = f"in {words}" if PARTS_ALONE.issuperset(tokens(words)) else ""  # "the afternoon"
    return found or find_times(words, clock, bare=True) or find_times(part, clock)


def _number_begin(words: str, at: int) -> int:
    """Return where an hour begins with the number that stands before its "to": "ten to four", "9 to 5"."""
    before = BEFORE_HOUR.search(words[:at])
    return before.start() if before else at


def _is_read(at: int, found: Sequence[FoundTime]) -> bool:
    return any(one.span[0] <= at < one.span[1] for one in found)


def _on_its_day(found: FoundTime, day: date, clock: Clock) -> FoundTime:
    lone = found.timed and found.kind in ("point", "interval") and not found.text.lower().startswith("in ")
    return on_day(found, day, clock) if lone else found


def unread_times(clause: Clause, situation: Situation) -> list[str]:
    """Return the words of time slots that say something and that no time was read from."""
    words = timed_words(clause, "w", "v")[1]
    if NOTHING_WORDS & set(tokens(words)) or not words.strip():
        return []
    if (impossible := impossible_time(words, situation.clock)) is not None:
        return [impossible]
    spans = [one.span for one in read_times(words, situation.clock)]
    places = (span for span in split_words(words) if words[span[0]].isalnum())
    left = [words[a:b].lower() for a, b in places if not any(first <= a < last for first, last in spans)]
    return [word for word in left if word.isdigit() or word in DAY_WORDS or word.removesuffix("s") in DAY_WORDS]


DAY_WORDS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun weekday "
    "weekend month week year january february march april june july august september october november december "
    "morning afternoon evening noon midnight except every".split()
)
"""Words that change a time: one of them that was not read means another time than the one that was."""


def seconds_in(text: str, situation: Situation) -> int | None:
    """Return a length of time in seconds."""
    found = [one for one in find_times(text, situation.clock) if one.kind == "duration" and one.seconds]
    if found:
        return sum(one.seconds or 0 for one in found)
    said = tokens(text)
    for count, unit in pairwise(said):
        known = UNITS.get(unit.removesuffix("s"))
        if known and count in NUMBERS:
            return known * NUMBERS[count]
    return None


def minutes_of(clause: Clause, situation: Situation) -> int | None:
    """Return the length that a clause says, in minutes."""
    whole = seconds_in(keep_slots(clause, "d"), situation)
    return max(1, round(whole / 60)) if whole else None


def shift_of(clause: Clause, situation: Situation) -> timedelta | None:
    """Return how far a thing is moved; backwards where the words say earlier."""
    for slot in clause.all("sh"):
        said = tokens(slot.text)
        length = [word for word in said if word not in EARLIER | {"later", "back", "by"}]
        seconds = seconds_in(" ".join(length), situation)
        if seconds:
            back = EARLIER & set(said) or {"forward", "earlier"} & set(loose_words(clause))
            return timedelta(seconds=-seconds if back else seconds)
    return None


def levels_of(clause: Clause, kind: Kind = "todo") -> dict[str, object]:
    """Return priority and difficulty as fields, as far as a record of a kind has them."""
    fields: dict[str, object] = {}
    # Words of no known level are high, where the encoder is rather sure that they tell one: "drop everything".
    known = LOW_PRIORITY_WORDS | MIDDLE | TOP
    told = [slot.text for slot in clause.all("pr") if slot.sure >= HALF_SURE or known & {*tokens(slot.text)}]
    if told and (said := tokens(" ".join(told))):
        fields["priority"] = level_of(said)
    elif (loose := set(loose_words(clause))) & HIGH_PRIORITY_WORDS or {"high", "priority"} <= loose:
        fields["priority"] = "high"
    elif {"low", "priority"} <= loose:
        fields["priority"] = "low"
    plain = {"easy", "hard"} & set(loose_words(clause))
    if (said := tokens(clause.words("df"))) or len(plain) == 1:
        said = said or list(plain)
        easy, hard = (EASY_WORDS | LITTLE_WORDS) & set(said), (HARD_WORDS | MUCH_WORDS) & set(said)
        middle = MIDDLE & set(said) or bool(easy) == bool(hard)
        fields["difficulty"] = "medium" if middle else "easy" if easy else "hard"
    return {name: value for name, value in fields.items() if name in FIELD_TYPES[kind].model_fields}


def details_of(clause: Clause, title: str, situation: Situation) -> Slots:
    """Return what a clause says besides a name, as the rules for tasks and appointments take it."""
    slots = Slots(keep_slots(clause, "w"), title)
    slots.times = times_of(clause, situation)
    slots.levels = levels_of(clause)
    slots.minutes = minutes_of(clause, situation)
    slots.place = clause.words("p").strip(EDGES) or None
    gaps = [tokens(between(clause, one, two)) for one, two in pairwise(clause.all("w"))]
    slots.apart = any(word not in LINKING for gap in gaps for word in gap)
    return slots

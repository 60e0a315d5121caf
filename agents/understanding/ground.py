"""Which stored records the words of a clause mean: by name, by what tells them apart, by what was just talked about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import pairwise

from agents.index.index import Items
from agents.index.items import Item, words_beside
from agents.index.words import GENERIC, alike, tokens, words_of
from agents.reading.reading import Clause
from agents.records import Event, Kind, Note, ToDo
from agents.time import FoundTime, find_times
from agents.understanding.hearing import suggested_in
from agents.understanding.matching import candidates, find_mentioned
from agents.understanding.places import PLACES, place_in
from agents.understanding.records import pointed
from agents.understanding.records.reminders import without_reminders, without_twins
from agents.understanding.series.occurrences import of_event
from agents.understanding.situation import STORED, Situation, day_of
from agents.understanding.slot_values import loose_words, outside_words, taken_back, text_between, times_of
from agents.understanding.values.days import days_of, part_of_day, whole_days

Fits = Callable[[Item], bool]
PARTING = frozenset(("and", "&", "+", "plus", "n", "or", "as", "well"))
POINTING = frozenset(
    "it its it's it'll that that's thats this them those these one ones the thing things both all he she him her they "
    "my our his everything same lot new old two three which there latter former".split()
)
"""Words that name nothing by themselves: what they mean was said before."""
SEVERAL = frozenset("them those these both all everything they two three ones".split())
KIND_WORDS: dict[str, Kind] = {
    **dict.fromkeys("task todo due to-do chore reminder habit alarm timer".split(), "todo"),
    **dict.fromkeys("event appointment appt calendar booking meeting session".split(), "event"),
    **dict.fromkeys("note idea thought list".split(), "note"),
}
"""Nouns that tell what kind of record is meant."""
ALL_WORDS = frozenset("all both every everything each".split())
OTHER_WORDS, PAIR_WORDS = frozenset(("other", "others")), frozenset(("both",))
RINGING = frozenset("reminder reminders alarm alarms".split())
PLAIN = frozenset("task todo to-do reminder alarm timer event appointment appt note idea".split())
"""Nouns that tell the kind of a record and no more of it: a "lunch" may be no "meeting"."""
NEXT, MOST_SHOWN = frozenset(("next",)), 12
UP_TO = frozenset("by before until till within than".split())
"""Words of a time that is meant from now on up to its end: "due by friday", "no later than friday"."""
OVERDUE_WORDS = frozenset(("overdue", "late"))
"""What is over; "a late" alone is a shift."""
SOMEBODY, BESIDE = frozenset("him her them".split()), frozenset("with to for from about".split())
WHOLE_FIT, STALE, GUESSED = 1.0, 0.7, 0.4
MANY_LOOSE = 3
"""So many telling words outside of slots speak of something else than what was just talked about."""
ALIKE = 0.8
"""How alike words are that count as one."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The records meant: all of them where ``several``, else equals of which one is meant.

    ``fit`` is how well they fit the words, from 0 to 1, and ``name`` the words.
    """

    items: list[Item]
    fit: float
    name: str
    several: bool = False

    @property
    def only(self) -> Item | None:
        """The one record meant; None where there is none, or more than one."""
        return self.items[0] if len(self.items) == 1 else None


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for: records of some kinds that fit, at one of some times, or at any where there are none."""

    situation: Situation
    kinds: tuple[Kind, ...]
    fits: Fits
    times: Sequence[FoundTime] = ()

    @property
    def pool(self) -> Items:
        """The records, at whatever time."""
        return self.situation.items(*self.kinds).where(self.fits)

    def is_then(self, item: Item) -> bool:
        """Return whether an item is, is due or takes place at one of the times."""
        return not self.times or any(is_at(item, found, self.situation) for found in self.times)

    def find_then(self) -> list[Item]:
        """Return the records at these times; with days, few others are looked at."""
        pool = self.pool
        if not self.times or not all(found.day_said for found in self.times):
            return list(filter(self.is_then, pool))
        days = [_days_at(found, self.situation) for found in self.times]
        near = {id(item): item for span in days for item in pool.find_between(*span)}
        return list(filter(self.is_then, pool.put_in_order(near.values())))


def names_in(clause: Clause, *slots: str) -> list[str]:
    """Return the names that a clause says: slots are pieces of one name unless "and", a comma or a line parts them."""
    parts: list[str] = []
    end = clause.start
    for slot in clause.all(*(slots or ("g",))):
        gap = text_between(clause, end, slot.start)
        parted = any(sign in gap for sign in ",;/&+\n") or PARTING & set(tokens(gap))
        if parts and not parted:
            parts[-1] += f" {slot.text}"
        else:
            parts.append(slot.text)
        end = slot.end
    return parts


def _telling_names(clause: Clause) -> list[str]:
    """Return the names that a clause says, without the pronouns that only take them up again: "the books, that one"."""
    telling = tuple(slot for slot in clause.slots if slot.name != "g" or not is_pointing(slot.text))
    return names_in(replace(clause, slots=telling)) or names_in(clause)


def is_pointing(name: str) -> bool:
    """Return whether words only point at something."""
    return {word.removesuffix("'s") for word in tokens(name)} <= POINTING


def is_open(item: Item) -> bool:
    """Return whether there is still something to do, to attend or to read."""
    record = item.record
    if isinstance(record, ToDo):
        return record.status in ("not started", "in progress")
    return not isinstance(record, Note) or record.status in ("active", "snoozed")


def kinds_named(words: Collection[str], kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Return the kinds that nouns among the words name, of those that are possible; all of these if none does."""
    return tuple(kind for kind in kinds_in(words) if kind in kinds) or kinds


def kinds_in(words: Collection[str]) -> tuple[Kind, ...]:
    """Return the kinds that nouns among the words name."""
    plain = (word.removesuffix("'s") for word in words)
    return tuple(dict.fromkeys(KIND_WORDS[one] for word in plain if (one := _singular(word)) in KIND_WORDS))


def _singular(word: str) -> str:
    return word if word in KIND_WORDS else word.removesuffix("s")


def ground(clause: Clause, situation: Situation, kinds: tuple[Kind, ...] = STORED, fits: Fits = is_open) -> Meant:
    """Return the records that a clause means; none if its words, its times or its kinds fit no record."""
    names = _telling_names(clause) or names_in(clause, "k")
    loose = loose_words(clause)
    counted = bool(clause.all("a")) or bool(SEVERAL & set(tokens(" ".join(names))))
    times = [found for found in times_of(clause, situation, "v") if found.moment]
    named = set(tokens(clause.words("g")))
    late = OVERDUE_WORDS & named and named <= OVERDUE_WORDS | POINTING | KIND_WORDS.keys()
    late = late and ("overdue" in named or bool(SEVERAL & named) or bool(kinds_in([*named, *loose])))
    if late or OVERDUE_WORDS & set(tokens(clause.words("v", "a", "st"))):
        return _overdue(clause, situation)
    if not names and (times or counted):
        sought = Sought(situation, kinds, fits, times)
        return _at_times(clause, sought, several=counted or bool(ALL_WORDS & set(loose)))
    if not names and (other := find_mentioned_outside(clause, situation, kinds)):
        return other
    found = [one_named(name, times, situation, kinds, fits) for name in names or ["it"]]
    items = {item.id: item for target in found for item in target.items}
    if {"remind", "reminder"} & set(loose):
        ringing = [item for item in situation.items("todo").find_under("rings") if is_open(item)]
        titles = {item.title.lower() for item in items.values()}
        items = {item.id: item for item in ringing if item.title.lower() in titles} or items
    if with_somebody(clause):
        found = [_talked_about(" ".join(names), items, situation, kinds)]
        items = {item.id: item for item in found[0].items}
    several = counted or len(names) > 1
    missing = [target.name for target in found if not target.items]
    fit = min(target.fit for target in found) if not missing else 0.0
    if len(names) > 1 and any(len(target.items) > 1 for target in found) and not counted:
        fit = min(fit, GUESSED)
    spared = {item.id for name in names_in(clause, "x") for item in candidates(name, situation.items(*kinds))}
    left = [item for item in items.values() if item.id not in spared] or list(items.values())
    if len(left) > 1 and len(names) <= 1:
        left = _narrow_down(left, clause, situation, several=several)
    return Meant(left, fit if left else 0.0, " and ".join(missing or names), several)


def find_mentioned_outside(clause: Clause, situation: Situation, kinds: tuple[Kind, ...] = STORED) -> Meant | None:
    """Return what words outside of slots name, to be asked about; None where they say no more than is usual there."""
    telling = [word for word in loose_words(clause) if word not in outside_words() and word not in POINTING]
    found = find_by_words(" ".join(telling), situation.items(*kinds).where(is_open)) if telling else []
    if len(found) == 1:
        return Meant(found, GUESSED, " ".join(telling))
    return Meant([], 0.0, " ".join(telling)) if len(telling) >= MANY_LOOSE else None


def seek(clause: Clause, situation: Situation, kinds: tuple[Kind, ...] = STORED, fits: Fits = is_open) -> Meant:
    """Return the records that a clause means, among those that fit; else, where they are named, among all."""
    target = ground(clause, situation, kinds, fits)
    by_time = clause.all("v", "a") and not clause.all("g", "k")
    return target if target.items or by_time else ground(clause, situation, kinds, always)


def _narrow_down(items: list[Item], clause: Clause, situation: Situation, *, several: bool) -> list[Item]:
    """Return those of several records that other words mean: a kind, a time no longer theirs, the other clauses."""
    nouns = kinds_in(loose_words(clause))
    items = [item for item in items if item.kind in nouns] or items
    if several:
        return items
    named = set(tokens(clause.words("g", "k")))
    others = [tokens(other.text) for other in situation.clauses if other.text != clause.text]
    beside = [find_mentioned(" ".join(word for word in said if word not in named), items) for said in others]
    items = next((found for found in beside if len(found) == 1), items)
    before = taken_back(clause, situation.clock)
    return [item for item in items if before and all(is_at(item, found, situation) for found in before)] or items


def _talked_about(name: str, items: Mapping[str, Item], situation: Situation, kinds: tuple[Kind, ...]) -> Meant:
    """Return what was just talked about of some records, or of those that have a word of a name."""
    talked = {*situation.touched, *(item.id for item in pointed_at("all", situation, kinds))}
    likely = items.values() or find_by_words(name, situation.items(*kinds).where(is_open))
    found = [item for item in likely if item.id in talked]
    return Meant(found, WHOLE_FIT if found else 0.0, name)


def with_somebody(clause: Clause) -> bool:
    """Return whether a name says with whom by a pronoun: "the call with him", "call her" were just talked about."""
    names = [tokens(slot.text) for slot in clause.all("g")]
    beside = any(first in BESIDE and then in SOMEBODY for first, then in pairwise(tokens(clause.text)))
    return beside or any(len(name) > 1 and name[-1] in SOMEBODY for name in names)


def _overdue(clause: Clause, situation: Situation) -> Meant:
    """Return the open tasks whose time is over."""
    today = situation.now.date()
    late = [item for item in situation.items("todo") if is_open(item) and item.day is not None and item.day < today]
    return Meant(late, WHOLE_FIT if late else 0.0, clause.words("a", "g", "v"), several=True)


def one_named(
    name: str, times: Sequence[FoundTime], situation: Situation, kinds: tuple[Kind, ...] = STORED, fits: Fits = is_open
) -> Meant:
    """Return what one name means at some times; a named kind, time or word that contradicts a record rules it out.

    A time inside of the name, "the friday meeting", tells which one is meant where nothing is called so.
    """
    sought = Sought(situation, kinds, fits, times)
    target = _one_called(name, sought)
    if target.fit == WHOLE_FIT or not name:
        return target
    rest, inside = _split_off_times(name, situation)
    if not inside:
        return target
    sought = replace(sought, times=[*times, *inside])
    if set(tokens(rest)) <= POINTING:
        dated = tuple(kind for kind in kinds if kind != "note") or kinds
        other = _of_kind(rest, replace(sought, kinds=dated))
    else:
        other = _one_called(rest, sought)
    return replace(other, name=name) if other.items and other.fit >= target.fit else target


def _split_off_times(name: str, situation: Situation) -> tuple[str, list[FoundTime]]:
    """Return a name without the times in it, and these."""
    inside = [found for found in find_times(name, situation.clock) if found.moment]
    rest = name
    for found in reversed(inside):
        rest = f"{rest[: found.span[0]]} {rest[found.span[1] :]}"
    return " ".join(rest.split()).removesuffix("'s"), inside


def _one_called(name: str, sought: Sought) -> Meant:
    """Return what a name means as it stands."""
    situation, kinds = sought.situation, sought.kinds
    said = set(tokens(name))
    nouns = {word for word in said if _singular(word) in KIND_WORDS}
    named = replace(sought, kinds=kinds_named(said, kinds))
    own = situation.items(*kinds).find_by_code(said)
    if own:
        return Meant(own, WHOLE_FIT, name)
    if is_pointing(name):
        items = list(filter(sought.is_then, pointed_at(name, situation, named.kinds)))
        return Meant(items, min((freshness(item, situation) for item in items), default=0.0), name)
    if said & OTHER_WORDS and said <= POINTING | OTHER_WORDS:
        others = list(filter(sought.is_then, pointed.others(situation.scene, named.kinds)))
        return Meant(others, WHOLE_FIT if others else 0.0, name, several="others" in said)
    if place_in(name, MOST_SHOWN) is not None and said <= POINTING | PLACES.keys():
        return _pick_by_place(name, situation, named.kinds)
    if said <= POINTING | NEXT | nouns:
        return _of_kind(name, named)
    found = _find_called(name, named)
    if found is None and nouns and nouns <= PLAIN:
        found = _called_without(nouns, name, named)
    if found is None and named.kinds != kinds:  # the noun may be a word of the name: the task "retro notes"
        fits = sought.fits
        other = _find_called(name, replace(sought, fits=lambda item: fits(item) and nouns <= set(tokens(item.title))))
        found = other if other and other.fit == WHOLE_FIT else None
    return found or _near(name, named)


def _find_called(name: str, sought: Sought) -> Meant | None:
    """Return the records of a name, or none of them where they are at other times; None where nothing has it."""
    pool = sought.pool
    for part in (pool.where(Coming(sought.situation.now.date())), pool):  # what is ahead, then whatever fits
        found = candidates(name, part)
        same = [item for item in found if not has_other_number(name, item)]
        then = list(filter(sought.is_then, same))
        if then:
            best = _prefer(name, then)
            return Meant(best, min(coverage(name, item) for item in best), name)
        if found and (sought.times or not same):
            return Meant([], 0.0, name)
    return None


def _called_without(nouns: Collection[str], name: str, sought: Sought) -> Meant | None:
    """Return the one record that has a name less the noun for its kind: the "pizza timer" is called "pizza"."""
    rings = bool({"timer", *RINGING} & set(nouns))

    def fitting(item: Item) -> bool:
        return sought.fits(item) and (not rings or bool(getattr(item.record, "remind_at", None)))

    bare = " ".join(word for word in tokens(name) if word not in nouns)
    found = _find_called(bare, replace(sought, fits=fitting)) if words_of(bare) else None
    return replace(found, name=name) if found and found.only else None


def has_other_number(name: str, item: Item) -> bool:
    """Return whether a record has a number, and a name has another one: "crate 2" is not "crate 1"."""
    said, known = ({word for word in words if word.isdigit()} for words in (words_of(name), item.words))
    return bool(said and known) and said.isdisjoint(known)


def _pick_by_place(name: str, situation: Situation, kinds: tuple[Kind, ...]) -> Meant:
    """Return what "the first one" means among what the last reply showed, or the last turn changed."""
    shown = [item for item in pointed.row(situation.scene, kinds) if item] or pointed_at("them", situation, kinds)
    at = place_in(name, len(shown))
    return Meant([shown[at]] if at is not None else [], WHOLE_FIT if at is not None else 0.0, name)


def _of_kind(name: str, sought: Sought) -> Meant:
    """Return what a noun alone means, "my next meeting", "that note": the one just spoken of, the next, the only."""
    pool = sought.find_then()
    if RINGING & set(tokens(name)):
        pool = [item for item in pool if getattr(item.record, "remind_at", None)] or pool
    just = [item for item in pointed_at("that", sought.situation, sought.kinds) if item in pool]
    ahead = [item for item in pool if item.day and item.day >= sought.situation.now.date()]
    if NEXT & set(tokens(name)) and ahead:
        first = min(ahead, key=lambda item: str(getattr(item.record, "start", None) or item.day))
        return Meant([first], WHOLE_FIT, name)
    return Meant(just or pool, WHOLE_FIT if just or len(pool) == 1 else GUESSED, name)


@dataclass(frozen=True)
class Coming:
    """Whether something is no event that is over on a day; of equal days the index counts once."""

    today: date

    def __call__(self, item: Item) -> bool:
        """Return whether an item is none."""
        event = item.record
        return not isinstance(event, Event) or bool(event.recurrence) or item.day is None or item.day >= self.today


def always(_item: Item) -> bool:
    """Return that an item fits, whatever its state."""
    return True


def _near(name: str, sought: Sought) -> Meant:
    """Return records that share a telling word with the name: good enough to ask about."""
    situation, times = sought.situation, sought.times
    then = sought.pool.where(lambda item: any(is_at(item, found, situation) for found in times))
    pool = then if times else sought.pool
    near = find_mentioned(name, pool) or find_by_words(name, pool)
    found = [item for item in near if not has_other_number(name, item)]
    if len(found) != 1:
        return Meant([], 0.0, name)
    return Meant(found, min(GUESSED, coverage(name, found[0])), name)


def _prefer(name: str, found: list[Item]) -> list[Item]:
    """Return those of several that are rather meant: no notes, no reminders of what is there."""
    rather = [item for item in found if item.kind != "note"] or found
    if RINGING & {*tokens(name)}:
        rather = [item for item in rather if getattr(item.record, "remind_at", None)] or rather
    whole = [item for item in rather if set(words_of(name)) == set(item.words)]
    return whole if len(whole) == 1 else without_twins(name, without_reminders(name, rather))


def find_by_words(name: str, pool: Items) -> list[Item]:
    """Return the items that have some word of a name; all of them where the name has none."""
    said = _named_by(name)
    return [item for item in pool.find_telling(said) if coverage(name, item) > 0] if said else list(pool)


def find_near(name: str, pool: Items) -> Sequence[Item]:
    """Return the items that a name may mean that only points, or shares words with several."""
    return pool if is_pointing(name) else [one for one in find_by_words(name, pool) if not has_other_number(name, one)]


def _named_by(name: str) -> list[str]:
    """Return the words of a name that tell what it is, where it has such words."""
    return [word for word in words_of(name) if word not in GENERIC and word not in KIND_WORDS] or words_of(name)


def coverage(name: str, item: Item) -> float:
    """Return how much of a name stands in an item's title, its list, its place or its notes: 1 if all of it does."""
    said = _named_by(name)
    if not said or set(said) <= set(item.words):
        return WHOLE_FIT
    beside = words_beside(item)  # where a slip is no reason: a "call" is not what takes place in a "hall"
    known = [word in beside or any(alike(word, other) >= ALIKE for other in item.words) for word in said]
    return sum(known) / len(said)


def is_farfetched(name: str, item: Item) -> bool:
    """Return whether a name has no word of a longer title, only one like it: the "sticker" and "the door sticks"."""
    said = set(_named_by(name))
    if not said or is_pointing(name) or len(item.words) <= len(said):
        return False
    slips = (alike(word, other) > ALIKE and word[0] == other[0] for word in said for other in item.words)
    return not any(slips)  # a shared beginning is less


def freshness(item: Item, situation: Situation) -> float:
    """Return how well a mere pointer fits a record: less if neither this message nor the last reply was about it."""
    recent = situation.ask.recent
    here = item.id in situation.touched or any(item in find_mentioned(one.text, [item]) for one in situation.remarks)
    return WHOLE_FIT if here or not recent or item.title.lower() in recent[-1].replied.lower() else STALE


def pointed_at(name: str, situation: Situation, kinds: tuple[Kind, ...]) -> list[Item]:
    """Return what "it", "them" or "that one" means: of this message, else of the last turn, else of the last reply."""
    many = bool(SEVERAL & set(tokens(name)))
    known = situation.items(*kinds)
    here = [item for one in dict.fromkeys(situation.touched) if (item := known.get(one))]
    told = [item for clause in situation.remarks[:1] for item in find_mentioned(clause.text, known)]
    done = dict.fromkeys(change.record_id for change in situation.just_done())
    since = pointed.told_since(situation.scene, kinds)
    lately = [since] if since else [item for one in done if (item := known.get(one))]
    if here:
        return here if many else here[-1:]
    if len(told) == 1:
        return told
    pending = situation.pending
    if pending and pending.missing == "when" and not pending.kept and len(pending.proposals) == 1 and not many:
        asked = known.get(pending.proposals[0].record_id)
        if asked is not None:
            return [asked]
    suggested = [item for task in suggested_in(situation.ask) if (item := known.get(task.id))]
    if suggested:
        return suggested
    if lately:
        return lately if many else lately[-1:]
    shown = pointed.lately(situation.scene, kinds)
    return shown if many or len(shown) == 1 else []


def _days_at(found: FoundTime, situation: Situation) -> tuple[date, date]:
    first, last = days_of(found, situation.scene)
    if found.kind == "open_before":
        last = (found.end - timedelta(microseconds=1)).date() if found.end else last
        first = situation.now.date() if UP_TO & set(tokens(found.text)) else last
    return first, last


def is_at(item: Item, found: FoundTime, situation: Situation) -> bool:
    """Return whether an item is, is due or takes place when a phrase says."""
    first, last = _days_at(found, situation)
    if isinstance(item.record, Event):
        since, until = whole_days(first, last, situation.scene) if found.day_said else _ever(situation)
        return any(_in_hours(slot.start, found) for slot in of_event(item.record, situation.scene, since, until))
    day = day_of(item, situation.clock)
    record = item.record
    at = getattr(record, "remind_at", None) or getattr(record, "deadline", None)
    hour = at.astimezone(situation.clock.zone) if isinstance(at, datetime) else None
    on_day = not found.day_said or (day is not None and first <= day <= last)
    return on_day and (not found.timed or hour is None or _in_hours(hour, found)) and (hour or day) is not None


def _ever(situation: Situation) -> tuple[datetime, datetime]:
    return situation.now - timedelta(days=31), situation.now + timedelta(days=400)


def _in_hours(start: datetime, found: FoundTime) -> bool:
    """Return whether an hour is the one that is said, on either half of the day, or lies in the part of it that is."""
    if not found.timed or found.start is None:
        return True
    part = part_of_day(found) or found.stretch
    if part:
        return part[0].time() <= start.time() < part[1].time()
    if found.kind == "interval" and found.end:
        return found.start.time() <= start.time() < found.end.time()
    return (start.hour - found.start.hour) % 12 == 0 and start.minute == found.start.minute


def _at_times(clause: Clause, sought: Sought, *, several: bool) -> Meant:
    """Return the records at a time or of a kind, without those that are excepted."""
    kinds = sought.kinds
    named = kinds_named(loose_words(clause) + tokens(clause.words("a")), kinds)
    if named == kinds and "due" in tokens(clause.words("v")):
        named = ("todo",)
    pool = replace(sought, kinds=named).find_then()
    if named == kinds:
        pool = [item for item in pool if item.kind != "note"]
    spared = {item.id for name in names_in(clause, "x") for item in candidates(name, pool)}
    left = [item for item in pool if item.id not in spared]
    if not sought.times and named == kinds:
        touched = [item for item in pointed_at("all", sought.situation, kinds) if item.id not in spared]
        left = touched or ([] if PAIR_WORDS & set(tokens(clause.words("a"))) else left)
    if not several and sought.times and all(found.grain == "week" for found in sought.times):
        left = [item for item in pointed_at("it", sought.situation, kinds) if item in left] or left  # "next week's"
    return Meant(left, WHOLE_FIT if left else 0.0, clause.words("a", "v") or "that", several)

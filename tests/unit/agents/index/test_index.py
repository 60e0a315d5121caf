"""What is looked up in the index is what a walk through all records finds, whatever was changed since it was made."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from agents.index import index as index_module
from agents.index.index import Items, Layer
from agents.index.items import SHORT_ID, Item, plain_title
from agents.ports import INDEXED, Records
from agents.reading.flags import flag_words
from agents.reading.words import LONGEST_NAME, split_words, telling
from agents.records import AnyRecord, Event, Instruction, Kind, Note, ToDo, title_of
from agents.time import clock_for, find_times
from agents.understanding.ground import Coming, always, coverage, find_by_words, is_open
from agents.understanding.matching import candidates, find_mentioned
from agents.understanding.questions.notes import text_of
from agents.understanding.scene import scene_of
from agents.understanding.series.occurrences import busy, of_event
from tests.support.readings import BASE, NOW, ask_for

WORDS = (
    "roof garden boiler invoice ferry Ana dentist dentists kiln form from meeting the of pt tv gym invoices game "
    "physical therapy rooof gardn 4711 4712 47 bring ring Boiler's naïve one-on-one list"
).split()
KINDS: tuple[Kind, ...] = ("todo", "event", "note")
CHANGES = 45


def said(dice: random.Random, most: int = 4) -> str:
    return " ".join(dice.choices(WORDS, k=dice.randint(1, most)))


def moment(dice: random.Random) -> datetime:
    return NOW + timedelta(hours=dice.randint(-400, 400))


def task(dice: random.Random, **base: Any) -> ToDo:
    due = dice.choice([None, moment(dice), moment(dice).date()])
    rings = dice.choice([None, None, moment(dice)])
    tags, kind = dice.choice([([], "todo"), (["timer"], "reminder"), (["roof"], "todo")])
    status = dice.choice(["not started", "in progress", "done"])
    return ToDo(
        task=said(dice), deadline=due, remind_at=rings, kind=kind, tags=tags, status=status,
        list=dice.choice([None, said(dice, 1)]), notes=dice.choice(["", said(dice)]), **base,
    )  # fmt: skip


def event(dice: random.Random, **base: Any) -> Event:
    start: Any = moment(dice)
    end: Any = dice.choice([None, start + timedelta(minutes=dice.choice([15, 90, 3000, 90_000]))])
    if dice.random() < 0.3:
        start, end = start.date(), dice.choice([None, start.date() + timedelta(days=dice.choice([1, 50]))])
    rule = dice.choice([None, None, None, "FREQ=WEEKLY"])
    zone = dice.choice([None, "Pacific/Kiritimati", "Pacific/Honolulu"])
    location = dice.choice([None, said(dice, 1)])
    return Event(title=said(dice), start=start, end=end, recurrence=rule, zone=zone, location=location, **base)


def note(dice: random.Random, **base: Any) -> Note:
    lines: Any = [said(dice) for _ in range(dice.randint(0, 3))]
    category: Any = dice.choice(["note", "list"])
    return Note(content=said(dice, 8), summary=dice.choice(["", said(dice)]), items=lines, category=category, **base)


def rule(dice: random.Random, **base: Any) -> Instruction:
    return Instruction(text=said(dice), **base)


MAKERS: dict[Kind, Any] = {"todo": task, "event": event, "note": note, "instruction": rule}


def made(dice: random.Random, count: int) -> Records:
    groups = {f"{kind}s": [MAKERS[kind](dice, id=f"{kind}{at}", **BASE) for at in range(count)] for kind in INDEXED}
    return Records(**groups)


def changed(records: Records, dice: random.Random, number: int) -> Records:
    """Return the records with one of them new, another one or gone."""
    kind = dice.choice(INDEXED)
    known = [record.id for record in getattr(records, f"{kind}s")]
    record_id = dice.choice([f"new{number}", *known])
    record: AnyRecord | None = MAKERS[kind](dice, id=record_id, **BASE)
    return records.with_record(kind, record_id, None if record_id in known and dice.random() < 0.3 else record)


def walked(records: Records, *kinds: Kind) -> list[Item]:
    return [
        Item(kind, record.id, title_of(kind, vars(record)), record)
        for kind in kinds
        for record in getattr(records, f"{kind}s")
    ]


def ids(items: Sequence[Item]) -> list[tuple[Kind, str]]:
    return [(item.kind, item.id) for item in items]


def is_odd(item: Item) -> bool:
    return len(item.title) % 3 != 0


def check_names(records: Records, dice: random.Random) -> None:
    some = dice.sample(KINDS, dice.randint(1, 3))
    tests = dice.choice([(), (always,), (is_open,), (is_open, Coming(date(2026, 11, 18)))])
    items, plain = Items(records.index, tuple(some)), walked(records, *some)
    for fits in (*tests, *dice.choice([(), (is_odd,)])):
        items, plain = items.where(fits), [item for item in plain if fits(item)]
    phrase = said(dice)
    assert ids(items) == ids(plain)
    assert len(items) == len(plain)
    assert ids(candidates(phrase, items)) == ids(candidates(phrase, plain)), phrase
    assert ids(find_mentioned(phrase, items)) == ids(find_mentioned(phrase, plain)), phrase
    assert ids(find_by_words(phrase, items)) == ids([item for item in plain if coverage(phrase, item) > 0]), phrase
    reply = f"Added {said(dice, 12)}."
    assert ids(items.find_named_in(reply.lower())) == ids([one for one in plain if one.title.lower() in reply.lower()])
    codes = [f"{dice.choice(INDEXED)}{dice.randint(0, 30)}" for _ in range(4)]
    own = [one for one in plain if any(len(code) >= SHORT_ID and one.id.startswith(code) for code in codes)]
    assert ids(items.find_by_code(codes)) == ids(own)
    if plain:
        words = list(dice.choice(plain).words)
        assert ids(items.find_called(words)) == ids([one for one in plain if sorted(one.words) == sorted(words)])
        same = plain_title(dice.choice(plain).title)
        twins = items.find_under("twin", [(kind, same) for kind in KINDS])
        assert ids(twins) == ids([one for one in plain if plain_title(one.title) == same])
    near = set(split_in(phrase))
    saying = [item for item in plain if item.kind == "note" and near & set(split_in(text_of(item)))]
    assert {*ids(saying)} <= {*ids(items.find_saying(near))}


def split_in(text: str) -> list[str]:
    return list(Item("note", "", text, Instruction(id="", text="a", **BASE)).words)


def check_times(records: Records, dice: random.Random) -> None:
    scene = scene_of(ask_for("", records=records))
    first = moment(dice)
    last = first + timedelta(hours=dice.choice([1, 24, 300, 40_000]))
    every = [slot for one in records.events for slot in of_event(one, scene, first, last)]
    assert busy(scene, first, last) == sorted(every, key=lambda slot: slot.start)
    todos = Items(records.index, ("todo",))
    rings = [item for item in walked(records, "todo") if isinstance(item.record, ToDo) and item.record.remind_at]
    assert ids(todos.find_under("rings")) == ids(rings)
    due = [item for item in walked(records, "todo") if item.day and first.date() <= item.day <= last.date()]
    assert {*ids(due)} <= {*ids(todos.find_between(first.date(), last.date()))}


def check_flags(records: Records, dice: random.Random) -> None:
    clock, text, index = clock_for(NOW, "UTC", ask_for().conventions), said(dice), records.index
    flags: dict[str, Any] = {"todo": "in todo", "event": "in event", "note": "in note", "line": "in line"}
    titles = {kind: [title_of(kind, vars(one)) for one in getattr(records, f"{kind}s")] for kind in KINDS}
    names: dict[Any, list[str]] = {**titles, "line": [line.text for one in records.notes for line in one.items]}
    plain = {flag: {word for name in some for word in telling(name[:LONGEST_NAME])} for flag, some in names.items()}
    for kind in KINDS:
        plain[kind] |= {one.id[:SHORT_ID] for one in getattr(records, f"{kind}s")}
    found = {flag: index.under(facet) for flag, facet in flags.items()}
    flagged_in = partial(flag_words, text, split_words(text), find_times(text, clock))
    assert flagged_in(found) == flagged_in(plain)


@pytest.mark.parametrize("seed", range(4))
def test_the_index_finds_what_a_walk_finds(seed: int) -> None:
    dice = random.Random(seed)
    records = made(dice, 25)
    before = records
    for number in range(CHANGES):
        for check in (check_names, check_times, check_flags):
            check(records, dice)
        if number % 5 == 0:
            before = records
        records = changed(records, dice, number)
    check_names(before, dice)  # what was changed since left it as it was
    assert ids(Items(before.index, INDEXED)) == ids(walked(before, *INDEXED))


def test_a_message_looks_at_few_records_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a name nor a day has all records gone through, and one that changed is filed alone."""
    dice = random.Random(0)
    titles = [f"{a}{b} {c}" for a in "bcdfgh" for b in ("ara", "elo", "inu") for c in range(40)]
    todos = [ToDo(id=f"todo{at}", task=title, **BASE) for at, title in enumerate(titles)]
    starts = [NOW + timedelta(days=at) for at in range(len(titles))]
    events = [Event(id=f"event{at}", title=f"gym {at}", start=start, **BASE) for at, start in enumerate(starts)]
    records = Records(todos=todos, events=events)
    items = Items(records.index, ("todo",)).where(is_open)
    assert len(items) == len(titles)
    seen, filed = [], []
    passing, add = Items._passing, Layer.add

    def counted(self: Items, found: Any) -> list[Item]:
        known = list(found)
        seen.extend(known)
        return passing(self, known)

    def adding(self: Layer, some: Any) -> None:
        known = list(some)
        filed.extend(known)
        add(self, known)

    monkeypatch.setattr(Items, "_passing", counted)
    monkeypatch.setattr(Layer, "add", adding)
    assert [item.title for item in candidates("cara 7", items)] == ["cara 7"]
    assert busy(scene_of(ask_for("", records=records)), NOW, NOW + timedelta(hours=3))
    later = records.with_record("todo", "todo5", task(dice, id="todo5", **BASE))
    assert len(Items(later.index, ("todo",)).where(is_open)) in (len(titles), len(titles) - 1)
    assert len(seen) < len(titles)
    assert len(filed) == 1


def test_many_changes_are_put_together_and_share_what_lasts() -> None:
    dice = random.Random(1)
    records = made(dice, 5)
    base = records.index.base
    for number in range(index_module.MOST_FRESH + 1):
        assert records.index.base is base
        records = records.with_record("todo", f"more{number}", task(dice, id=f"more{number}", **BASE))
    assert records.index.base is not base
    assert not records.index.fresh.items
    assert ids(Items(records.index, ("todo",))) == ids(walked(records, "todo"))


def test_a_copy_with_other_records_has_an_index_of_its_own() -> None:
    records = made(random.Random(2), 3)
    assert len(Items(records.index, ("todo",))) == len(records.todos)
    fewer = records.model_copy(update={"todos": records.todos[:1]})
    assert ids(Items(fewer.index, INDEXED)) == ids(walked(fewer, *INDEXED))
    assert records.model_copy(update={"tracks": {}}).index is records.index

"""Sentences varied while the encoder learns: with other names, joined, as speech writes them, with typing errors.

A sentence is written without the records it speaks of, so these are imagined here: which of its words stand in stored
names, and what was done or asked before it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.reading.labels import FLAGS, TIME
from agents.reading.words import COMMON, plain
from training.examples import Clause, Example, Word
from training.widening import with_a_number, with_more_things, with_unknown_names

SWAPPED = frozenset("t g i l w c p d v q n k flike fjob fhome fname".split())
"""Slots whose words may be those of another sentence."""

JOINTS = (
    "and",
    ",",
    ".",
    "",
    "and also",
    "then",
    "oh and",
    ", and",
    "plus",
    "!",
    ";",
    "also",
    "so",
    "but",
    "and please",
    "um",
    "\n",
    "–",
)
"""What stands between two sentences said in one breath."""

OPENINGS = (
    "um",
    "hey",
    "ok so",
    "right",
    "please",
    "hi",
    "so",
    "hey summit ,",
    "well",
    "oh",
    "erm",
    "alright",
    "quick one :",
)
CLOSINGS = ("please", "thanks", "thank you", "pls", "cheers", "ok", "if you can")

_TIMED, _STORED = ("todo", "event"), ("todo", "event", "note")
KINDS = {
    **dict.fromkeys(("done", "reopen", "snooze"), ("todo",)),
    **dict.fromkeys(("list", "listout", "listdone", "noteadd"), ("note",)),
    **dict.fromkeys(("edit", "fix", "more", "undo", "pick"), _TIMED),
    **dict.fromkeys(("drop", "ask"), _STORED),
}
"""What the records are that an act is about."""

TALK = frozenset({"remark", "chat"})
"""What goes on over several sentences as one clause."""
ABOUT = frozenset("fix undo edit done drop snooze pick more reopen yes no ask tell".split())
FRESH = frozenset("todo event remind list note remark fact".split())
"""What has nothing to do with what was done or asked before, even where it has words in common."""
ALIKE = 0.25
"""How often something alike is stored, or was done just now."""
MOST_ASIDE = 24


@dataclass
class Unit:
    """An example on its way into a batch: its words with their flags, and what it comes after."""

    context: str
    words: list[Word]
    clauses: list[Clause]
    flags: list[int]
    aside: list[str]


class Variations:
    """Makes varied examples of written ones; the same ``rng`` makes the same."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples
        self._idle = [example for example in examples if example.context == "idle"]
        self._fillers: dict[str, list[tuple[Word, ...]]] = defaultdict(list)
        for example in examples:
            for first, last, slot in _slots(example.words):
                self._fillers[_group(example, first, slot)].append(example.words[first : last + 1])

    def varied(self, example: Example, rng: random.Random) -> Unit:
        """One example as it might have been said too."""
        if rng.random() < 0.45:
            example = self._substituted(example, rng, 0.5)
        example = self._widened(example, rng)
        if example.context == "idle":
            example = _elsewhere(self._with_another(example, rng), rng)
        if rng.random() < 0.1:
            example = _framed(example, rng)
        example = _unpunctuated(example, rng)
        if rng.random() < 0.12:
            example = _mistyped(example, rng)
        return self.imagined(example, rng)

    def _widened(self, example: Example, rng: random.Random) -> Example:
        """With what authors write too little of."""
        if rng.random() < 0.12:
            example = with_unknown_names(example, rng)
        if rng.random() < 0.04:
            example = with_a_number(example, rng)
        return with_more_things(example, rng, self._fillers["i"]) if rng.random() < 0.08 else example

    def _with_another(self, example: Example, rng: random.Random) -> Example:
        """With one or two other sentences in the same breath, now and then."""
        if rng.random() < 0.25:
            example = _joined(example, self._substituted(rng.choice(self._idle), rng, 0.3), rng)
            if rng.random() < 0.25:
                example = _joined(example, rng.choice(self._idle), rng)
        return example

    def imagined(self, example: Example, rng: random.Random) -> Unit:
        """An example with records and a turn before it that its words may speak of."""
        flags = _imagined_flags(example, rng)
        aside = self._imagined_aside(example, rng)
        told = {plain(word) for word in aside if word[0].isalnum() and word.lower() not in COMMON}
        bit = 1 << FLAGS.index("aside")
        flags = [flag | bit * (plain(word.text) in told) for flag, word in zip(flags, example.words, strict=True)]
        return Unit(example.context, list(example.words), list(example.clauses), flags, aside)

    def _substituted(self, example: Example, rng: random.Random, share: float) -> Example:
        words, clauses, shift = list(example.words), list(example.clauses), 0
        for first, last, slot in _slots(example.words):
            fillers = self._fillers[_group(example, first, slot)]
            if slot not in SWAPPED or rng.random() > share or len(fillers) < 5:
                continue
            filler = rng.choice(fillers)
            at, end = first + shift, last + shift
            cut = words[at].cut
            new = [
                replace(word, cut=cut if n == 0 else "I", slot=f"{'I' if n else 'B'}-{slot}")
                for n, word in enumerate(filler)
            ]
            words[at : end + 1] = new
            grown = len(new) - (end - at + 1)
            clauses = [
                replace(
                    clause,
                    first=clause.first + grown * (clause.first > at),
                    last=clause.last + grown * (clause.last >= end),
                )
                for clause in clauses
            ]
            shift += grown
        return replace(example, words=tuple(words), clauses=tuple(clauses))

    def _imagined_aside(self, example: Example, rng: random.Random) -> list[str]:
        """What was done or asked before: kinds and names, some of which the words speak of."""
        if example.context in ("idle", "wish") or rng.random() < 0.2:
            return []
        titles: list[list[str]] = []
        acts = {clause.act for clause in example.clauses}
        for clause in example.clauses:
            if clause.act in FRESH and rng.random() < ALIKE:
                titles += self._alike(example.words[clause.first : clause.last + 1], rng)
            if clause.act not in ABOUT:
                continue
            for first, last, slot in _slots(example.words[clause.first : clause.last + 1], clause.first):
                said = [w.text for w in example.words[first : last + 1] if _tells(w)]
                if slot in ("g", "x", "k") and said and rng.random() < 0.6:
                    titles.append([*self._title(rng), *said] if rng.random() < 0.5 else said)
        more = rng.choice((0, 0, 1, 1, 2)) if titles else rng.choice((1, 1, 1, 2, 3))
        titles += [self._title(rng) for _ in range(more)]
        rng.shuffle(titles)
        kind = (
            "list"
            if "more" in acts and any(word.slot.endswith("-i") for word in example.words)
            else rng.choice(("todo", "event", "todo", "event", "note", "list"))
        )
        words: list[str] = []
        for title in titles[:4]:
            words += [kind, *title, ";"]
        return words[:MOST_ASIDE]

    def _alike(self, words: Sequence[Word], rng: random.Random) -> list[list[str]]:
        """A title that has words in common with these, which speak of something else."""
        told = [
            word.text
            for word in words
            if (word.slot[2:] in ("t", "i", "c") or rng.random() < 0.2) and _tells(word) and rng.random() < 0.7
        ]
        return [[*self._title(rng)[:3], *told[:4]] if rng.random() < 0.5 else told[:5]] if told else []

    def _title(self, rng: random.Random) -> list[str]:
        return [word.text for word in rng.choice(self._fillers[rng.choice(("t-event", "t-todo"))])][:6]


def _tells(word: Word) -> bool:
    """Whether a word may stand in the name of a record and tells it from others."""
    return word.text[0].isalnum() and word.text.lower() not in COMMON and not word.time


def _slots(words: Sequence[Word], shift: int = 0) -> list[tuple[int, int, str]]:
    """The first and last word of each slot, and its name."""
    found: list[tuple[int, int, str]] = []
    for at, word in enumerate(words):
        part, _, name = word.slot.partition("-")
        if part == "B":
            found.append((at + shift, at + shift, name))
        elif part == "I" and found:
            found[-1] = (found[-1][0], at + shift, name)
    return found


def _group(example: Example, first: int, slot: str) -> str:
    """Fillers of one group fit in each other's place."""
    if example.context == "wish":
        return f"{slot}-wish"
    if slot not in ("t", "q"):
        return slot
    act = next((clause.act for clause in example.clauses if clause.first <= first <= clause.last), "")
    if slot == "q":
        return "q-remind" if act == "remind" else "q"
    return "t-event" if act == "event" else "t-todo" if act in ("todo", "remind") else "t"


def _joined(one: Example, other: Example, rng: random.Random) -> Example:
    """Two sentences in one breath; talk that goes on is one clause."""
    joint = tuple(Word(word, "O", "O") for word in rng.choice(JOINTS).split(" ") if word)
    shift = len(one.words) + len(joint)
    moved = [replace(clause, first=clause.first + shift, last=clause.last + shift) for clause in other.clauses]
    words, clauses = [*one.words, *joint, *other.words], list(one.clauses)
    if clauses and moved and clauses[-1].act == moved[0].act and moved[0].act in TALK:
        going_on = moved.pop(0)
        clauses[-1] = replace(clauses[-1], last=going_on.last, topic=clauses[-1].topic or going_on.topic)
        for at in range(clauses[-1].first + 1, going_on.last + 1):
            words[at] = replace(words[at], cut="I")
    return replace(one, words=tuple(words), clauses=(*clauses, *moved))


def _elsewhere(example: Example, rng: random.Random) -> Example:
    """As if said after a change or a question, with which it has nothing to do, now and then."""
    chance = rng.random()
    if chance < 0.3:
        return replace(example, context="did")
    return replace(example, context=rng.choice(("which", "when", "yes", "what"))) if chance < 0.36 else example


def _unpunctuated(example: Example, rng: random.Random) -> Example:
    """Without its signs, as speech engines write, or without some of them; most often as it is."""
    chance = rng.random()
    if chance < 0.35:
        return _without(example, [word.text[0].isalnum() or word.text in "#@&+-/" for word in example.words])
    if chance < 0.48:
        return _without(example, [word.text[0].isalnum() or rng.random() > 0.4 for word in example.words])
    return example


def _framed(example: Example, rng: random.Random) -> Example:
    """With words of politeness or hesitation at its start or end."""
    opening = rng.choice(OPENINGS).split() if rng.random() < 0.6 else []
    closing = rng.choice(CLOSINGS).split() if not opening or rng.random() < 0.3 else []
    before, after = (tuple(Word(word, "O", "O") for word in words) for words in (opening, closing))
    moved = tuple(
        replace(clause, first=clause.first + len(before), last=clause.last + len(before)) for clause in example.clauses
    )
    return replace(example, words=(*before, *example.words, *after), clauses=moved)


def _without(example: Example, kept: Sequence[bool]) -> Example:
    """Without some of its words; clauses and slots stay whole."""
    if not any(kept):
        return example
    words: list[Word] = []
    places: dict[int, int] = {}
    begins_cut, begins_slot = False, ""
    for at, (word, keep) in enumerate(zip(example.words, kept, strict=True)):
        if not keep:
            begins_cut = begins_cut or word.cut == "B"
            begins_slot = word.slot[2:] if word.slot.startswith("B-") else begins_slot
            continue
        cut = "B" if begins_cut and word.cut == "I" else word.cut
        slot = f"B-{begins_slot}" if begins_slot and word.slot == f"I-{begins_slot}" else word.slot
        begins_cut, begins_slot = False, ""
        places[at] = len(words)
        words.append(replace(word, cut=cut, slot=slot))
    clauses = []
    for clause in example.clauses:
        inside = [places[at] for at in range(clause.first, clause.last + 1) if at in places]
        if inside:
            clauses.append(replace(clause, first=inside[0], last=inside[-1]))
    return replace(example, words=tuple(words), clauses=tuple(clauses))


def _mistyped(example: Example, rng: random.Random) -> Example:
    words = list(example.words)
    long = [at for at, word in enumerate(words) if len(word.text) > 4 and word.text.isalpha()]
    if long:
        at = rng.choice(long)
        words[at] = replace(words[at], text=_typo(words[at].text, rng))
    return replace(example, words=tuple(words))


def _typo(word: str, rng: random.Random) -> str:
    at, chance = rng.randrange(1, len(word) - 1), rng.random()
    if chance < 0.4:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at + 1 :] if chance < 0.7 else word[:at] + word[at] + word[at:]


def _imagined_flags(example: Example, rng: random.Random) -> list[int]:
    """The flags of the words if the user had stored what they name; now and then nothing of it is stored, or more."""
    times = rng.random() > 0.05
    flags = [(word.time and times) << TIME for word in example.words]
    for clause in example.clauses:
        kind = rng.choice(KINDS.get(clause.act, _STORED))
        missing = rng.random() < 0.12
        alike = clause.act in FRESH and rng.random() < ALIKE
        for at in range(clause.first, clause.last + 1):
            word = example.words[at]
            if word.text[0].isalnum() and word.text.lower() not in COMMON:
                for flag in _imagined_flag(word.slot[2:], clause.act, kind, rng, missing=missing, alike=alike):
                    flags[at] |= 1 << FLAGS.index(flag)
    return flags


def _imagined_flag(slot: str, act: str, kind: str, rng: random.Random, *, missing: bool, alike: bool) -> list[str]:
    chance = rng.random()
    if slot in ("g", "x", "k", "q") and not missing:
        return [kind] * (chance < (0.85 if slot == "g" else 0.4))
    if slot == "l":
        return ["note"] * (chance < 0.7)
    if slot == "i" and act in ("listout", "listdone", "done") and not missing:
        return ["line"]
    if slot == "i":
        return ["line"] * (chance < 0.06)
    if alike and (slot in ("t", "c") or act == "remark"):
        return [kind] * (chance < 0.6)
    return [rng.choice(("todo", "event", "note", "line"))] * (chance < (0.05 if slot == "t" else 0.02))

"""What a model's answer makes of a list: a line changes or goes only where the user's own words ask for that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agents.contract import Proposed
from agents.grounding.provenance import (
    ALL,
    GONE,
    NAMED,
    Origin,
    covered,
    only_asks,
    own_words,
    said_by_user,
)
from agents.grounding.worded import UNSURE, Wish
from agents.languages import say, say_number, speaking
from agents.list_lines import Edits, Line, edits, name_of
from agents.phrases import quoted, say_count, say_list
from agents.ports import Ask
from agents.records import Note, title_of
from agents.shown_words import stems_in

MOST_TOLD = 5
NAMED_WHOLE = 0.75
"""The share of a line's telling words that name it beside a word for taking it away."""
DROPPED = re.compile(
    r"(?:^|[,;.!?]|\band|\bplease)\s*(?:scrap|remove|delete|drop|strike|nix|bin|erase)\s+"
    r"(?P<what>[^,;.!?]{1,80}?)(?=[,;.!?]|\b(?:but|keep|not)\b|$)",
    re.IGNORECASE,
)
"""A request that names what goes: "scrap the kurta"."""


def held_to_words(wishes: Sequence[Wish], ask: Ask, plain: Proposed) -> tuple[list[Wish], list[str]]:
    """One wish for each list, as far as the user's words ask for it, and sentences about what was left as it was.

    ``plain`` is what the built-in understanding makes of the same words: what both want needs no further sign.
    """
    lists = {note.id: note for note in ask.records.notes}
    ours = {wish.record_id: lists[wish.record_id] for wish in wishes if wish.record_id in lists and _about_lines(wish)}
    held = [wish for wish in wishes if wish.record_id not in ours or not _about_lines(wish)]
    told = list[str]()
    for note in ours.values():
        wanted = [wish.fields for wish in wishes if wish.record_id == note.id and _about_lines(wish)]
        reading = _Reading(note, ask, plain)
        held += reading.wish(wanted)
        with speaking(ask.reply_language):
            told += reading.told()
    return held, told


def _about_lines(wish: Wish) -> bool:
    return wish.kind == "note" and wish.op == "update" and "items" in wish.fields


@dataclass
class _Reading:
    """One list and what became of it: each change of a line is judged alone."""

    note: Note
    ask: Ask
    plain: Proposed
    added: list[Line] = field(default_factory=list)
    sure: dict[int, Line | None] = field(default_factory=dict)
    doubtful: dict[int, Line | None] = field(default_factory=dict)
    left: list[int] = field(default_factory=list)
    strange: int = 0

    def __post_init__(self) -> None:
        self.before = [line.model_dump() for line in self.note.items]
        self.names = {name_of(line) for line in self.before}
        self.said, self.own = self.ask.words or self.ask.text, own_words(self.ask)
        now, lately = self._named(stems_in([self.said])), self._named(self.own)
        self.named = now if any(now) else lately
        self.read = edits(self.before, self._plainly()).after

    def wish(self, wanted: Sequence[dict[str, Any]]) -> list[Wish]:
        """The one wish that several come to; none when nothing of them is left."""
        answers = [edits(self.before, _lines(fields["items"])) for fields in wanted]
        for place, old in enumerate(self.before):
            self._judge(place, [_kept_in(one.after[place], old) for one in answers])
        for line in [line for one in answers for line in one.added]:
            self._add(line)
        others = {name: value for fields in wanted for name, value in fields.items() if name != "items"}
        hold = UNSURE if self.doubtful and not (self.sure or self.added or others) else ""
        self.left += [] if hold else self.doubtful
        items = self._after(self.sure | (self.doubtful if hold else {}), answers)
        fields = others | ({"items": items} if items != self.before else {})
        return [Wish("update", "note", self.note.id, fields, hold)] if fields else []

    def told(self) -> list[str]:
        """What was left as it was, and what was left out."""
        return [*self._untouched(), *self._unnamed()]

    def _untouched(self) -> list[str]:
        lines = [quoted(self.before[place]["text"]) for place in sorted(self.left)]
        more = [say_count(len(lines) - MOST_TOLD, "other line")] if len(lines) > MOST_TOLD else []
        if not lines:
            return []
        named = say_list([*lines[:MOST_TOLD], *more])
        told = say_number(
            "I left {lines} on {title} as it was: your message does not ask for more.",
            "I left {lines} on {title} as they were: your message does not ask for more.",
            len(lines),
            lines=named,
            title=quoted(self.title),
        )
        return [told]

    def _unnamed(self) -> list[str]:
        lines = say_count(self.strange, "line")
        told = say("I left out {lines} for {title} that you did not name.", lines=lines, title=quoted(self.title))
        return [told] if self.strange else []

    def _named(self, words: Sequence[str]) -> list[bool]:
        return [said_by_user(line["text"], words, self.said) for line in self.before]

    @property
    def title(self) -> str:
        """The list's name."""
        return title_of("note", self.note.model_dump())

    def _judge(self, place: int, answers: Sequence[Line | None]) -> None:
        old = self.before[place]
        new = next((line for line in answers if line != old), old)
        if new == old:
            return
        if new is not None and _reworded(old, new) and not self.named[place]:
            self._add(new)
            new = None
        if new is None and self.read[place] != old:  # what is ticked off may be struck from the list by a model
            new = self.read[place]
        come_from = self._origin(place, new)
        if come_from == "foreign":
            self.left.append(place)
        else:
            (self.sure if come_from == "own" else self.doubtful)[place] = new

    def _origin(self, place: int, new: Line | None) -> Origin:
        """Where the change of a line comes from; None is that it goes."""
        if only_asks(self.said):
            return "foreign"
        if new == self.read[place]:
            return "own"
        if new is None:
            return self._of_removal(place)
        if _reworded(self.before[place], new):
            return "unsure" if said_by_user(new["text"], self.own, self.said) else "foreign"
        if self.named[place] or ALL.search(self.said):
            return "own"
        return "foreign" if any(self.named) else "unsure"

    def _of_removal(self, place: int) -> Origin:
        if self.ask.english and not GONE.search(self.said):
            return "foreign"
        if self._dropped(self.before[place]["text"]):
            return "own"
        return "unsure" if self.named[place] or ALL.search(self.said) or not any(self.named) else "foreign"

    def _dropped(self, line: str) -> bool:
        """Whether the user asks for this line to go, by its name."""
        return any(covered(line, stems_in([one["what"]])) >= NAMED_WHOLE for one in DROPPED.finditer(self.said))

    def _add(self, line: Line) -> None:
        """A line that is new, if it is the user's."""
        name = name_of(line)
        if not name or name in self.names:
            return
        self.names.add(name)
        if said_by_user(line["text"], self.own, self.said) and not only_asks(self.said):
            self.added.append({**line, "done": line["done"] is True})
        else:
            self.strange += 1

    def _after(self, made: dict[int, Line | None], answers: Sequence[Edits]) -> list[Line]:
        """The lines afterwards; in another order where a list that was named came back whole."""
        order = answers[0].order
        whole = len(answers) == 1 and len(order) == len(self.before) and covered(self.title, self.own) >= NAMED
        places = order if whole and not only_asks(self.said) else range(len(self.before))
        after = [made.get(place, self.before[place]) for place in places]
        return [line for line in [*after, *self.added] if line is not None]

    def _plainly(self) -> list[Line]:
        """The lines as the built-in understanding would leave them."""
        changes = [item.fields.get("items") for item in self.plain.proposals if item.record_id == self.note.id]
        return next((_lines(items) for items in changes if items is not None), self.before)


def _lines(answer: Any) -> list[Line]:
    """The lines of an answer; what is no list has none, and what is no line is one without a text."""
    return [_line(entry) for entry in answer] if isinstance(answer, list) else []


def _line(entry: Any) -> Line:
    line = entry if isinstance(entry, dict) else {"text": entry}
    text, done = line.get("text"), line.get("done")
    return {"text": text.strip() if isinstance(text, str) else "", "done": done if isinstance(done, bool) else None}


def _kept_in(new: Line | None, old: Line) -> Line | None:
    """A line as it comes back, with what was not said of it as before; None where it does not, or has lost its text."""
    if new is None or not name_of(new):
        return None
    done = old["done"] if new["done"] is None else new["done"]
    return {"text": new["text"] if _reworded(old, new) else old["text"], "done": done}


def _reworded(old: Line, new: Line) -> bool:
    return name_of(old) != name_of(new)

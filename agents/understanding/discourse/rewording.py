"""What a correction makes of a name: another word in a title, another line of a list."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import Any

from agents.contract import Change
from agents.records import Note
from agents.understanding.grammar import patterns_of
from agents.understanding.references import Item, words_of
from agents.understanding.slots.slots import tidy, without_article
from agents.understanding.text.filler import trim
from agents.understanding.text.verbs import is_verb

MOST_NAMED = 4
P = patterns_of(__name__)
WRONG_ITEM = P.WRONG_ITEM
PUT_OTHERWISE = P.PUT_OTHERWISE
CLOSE = 0.6


def other_name(said: str, word: str, item: Item, last: Change | None) -> dict[str, Any]:
    """The name at the end of a title replaced: "no, Bergen" after "flight to Oslo"."""
    tail = P.NAMED_LAST.match(item.title)
    told = word[:1].isupper() or WRONG_ITEM.search(said) or PUT_OTHERWISE.match(said)
    if tail is None and told and last and (last.op, last.kind) == ("create", "todo"):
        tail = P.DEED.fullmatch(item.title) if WRONG_ITEM.search(said) or P.THINGS.fullmatch(word) else None
        tail = tail if tail and is_verb(tail["head"].split()[0].lower()) else None
    if (
        tail is None
        or not (P.RETRACTED.match(said) or PUT_OTHERWISE.match(said))
        or not told
        or not P.NAME.fullmatch(word)
    ):
        return {}
    if (
        is_verb(word.split(maxsplit=1)[0].lower())
        or len(word.split()) > len(tail["name"].split()) + 1
        or word.lower() in item.title.lower()
    ):
        return {}
    return {"title" if item.kind == "event" else "task": f"{tail['head']}{_cased(word, tail['name'])}"}


def instead(said: str, word: str, item: Item) -> str:
    """The title with another name: "no sorry, the orthodontist" for a dentist, "no, with tim" for drinks with Tom."""
    if not P.RETRACTED.match(said) or len(word.split()) > MOST_NAMED or not word:
        return ""
    if len(item.title.split()) == 1 and re.search(rf"\b(?:the|an?|my)\s+{re.escape(word)}\W*$", said, re.IGNORECASE):
        return tidy(word)
    link = re.match(r"(with|for|at|to|about)\s+(.+)", word, re.IGNORECASE)
    head = re.match(rf"(.+\s{link[1]}\s)", item.title, re.IGNORECASE) if link else None
    return f"{head[1]}{link[2]}" if head and link else ""


def renamed(word: str, old: str, item: Item, *, meant: bool) -> dict[str, Any]:
    """The title with another word in the place of the old one, or of the one that it sounds like."""
    new, gone = tidy(trim(word)), tidy(old)
    if gone:
        if gone.lower() not in item.title.lower():
            new, gone = without_article(new), without_article(gone)
        if not new or gone.lower() not in item.title.lower():
            return {}
        title = re.sub(re.escape(gone), lambda _: new, item.title, flags=re.IGNORECASE)
    else:
        title = _mended(new, item.title) if meant else ""
    return {"title" if item.kind == "event" else "task": title} if title and title != item.title else {}


def _cased(new: str, old: str) -> str:
    """A word written like the one that it replaces: Tim for Tom, even if typed "tim"."""
    return new.capitalize() if old[:1].isupper() and old[1:].islower() and new.islower() else new


def _mended(new: str, title: str) -> str:
    """A title with the one word replaced that the new one sounds like: "dana" by "diana"; empty when none does."""
    words = title.split()
    said = new.split()
    from_first = next((at for at, word in enumerate(words) if len(said) > 1 and word.lower() == said[0].lower()), -1)
    if from_first >= 0:
        return " ".join([*words[:from_first], *said, *words[from_first + len(said) :]])
    at = next((at for at, word in enumerate(words) if word.lower() == said[-1].lower()), -1) if len(said) > 1 else -1
    if at >= len(said) - 1 > 0:
        return " ".join([*words[: at - len(said) + 1], *said, *words[at + 1 :]])
    if len(new.split()) != 1 or new.lower() in title.lower().split():
        return ""
    scored = [(SequenceMatcher(None, word.lower(), new.lower()).ratio(), at) for at, word in enumerate(words)]
    best, at = max(scored, default=(0.0, 0))
    return " ".join([*words[:at], _cased(new, words[at]), *words[at + 1 :]]) if best >= CLOSE else ""


def _reworded(note: Note, word: str, said: str) -> dict[str, Any]:
    """A note with the one word replaced that the new one sounds like: a code with two digits turned around."""
    if not (P.RETRACTED.match(said) or PUT_OTHERWISE.match(said)) or len(word.split()) != 1:
        return {}
    fields = {
        name: _mended(word, value)
        for name in ("summary", "content")
        if (value := getattr(note, name)) and _mended(word, value)
    }
    return fields if not note.content or "content" in fields else {}


def lines(item: Item, word: str, swap: re.Match[str] | None, last: Change, said: str) -> dict[str, Any]:
    """The lines of a list with the one just added called otherwise."""
    if isinstance(item.record, Note) and not item.record.items:
        return _reworded(item.record, word, said)
    if not isinstance(item.record, Note) or not re.search(r"[^\W\d]", word):
        return {}
    lines = [line.model_dump(mode="json") for line in item.record.items]
    before = {line["text"] for line in (last.before or {}).get("items", [])}
    fresh = [line for line in lines if line["text"] not in before]
    old = tidy(swap["old"]).lower() if swap else ""
    put = next(
        (line for line in fresh if P.NOT.match(word) and word[4:].lower().startswith(f"{line['text'].lower()} ")), None
    )
    if put:  # "not washing powder fabric softener", said without a pause
        new = word[4 + len(put["text"]) :].strip()
        return {"items": [{**line, "text": new} if line is put else line for line in lines]}
    hit = [
        line
        for line in fresh
        if (old and old in line["text"].lower()) or set(words_of(line["text"])) & set(words_of(word))
    ]
    meant = P.OF_LINE.match(said) and not P.NO_THING.match(word)
    hit = hit or (fresh if len(fresh) == 1 and not old and meant else [])
    if len(hit) != 1:
        return {}
    return {"items": [{**line, "text": tidy(word)} if line is hit[0] else line for line in lines]}

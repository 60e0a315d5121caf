"""What stands between marks in a message: elements, brackets, comments, fences and quotation marks of three.

An envelope ends with the last mark that could close it, which its content cannot forge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

CUT = "\0"
"""Stands where a passage was taken out, so that what introduced it is known."""
NAME = r"(?P<name>[^\W\d_][\w.:-]{0,60})"
TAG = re.compile(rf"<{{1,3}}(?P<close>/)?{NAME}(?P<rest>\s[^<>]{{0,500}})?>{{1,3}}")
BRACKET = re.compile(rf"\[(?P<close>/)?{NAME}(?P<rest>[=\s][^\[\]\n]{{0,200}})?\]")
BLOCK = re.compile(rf"^(?:BEGIN|(?P<close>END)):{NAME}[^\S\n]*$", re.MULTILINE)
"""As calendars and cards have it: BEGIN:VCALENDAR."""
HIDDEN = (("<!--", "-->"), ("<![CDATA[", "]]>"))
SPECIAL = re.compile(r"^[^\S\n]*<\|[\w./-]{1,40}\|>", re.MULTILINE)
"""What stands between the messages of a conversation that is written down for a model."""
LINE_START = re.compile(r"^[^\S\n]*", re.MULTILINE)
LINE_END = re.compile(r"[^\S\n]*(?:\n|\Z)")
OWN_ELEMENTS = frozenset({"user_query", "query", "user_message", "user_input", "user_request", "question"})
"""Elements in which front ends wrap what their user typed."""
SHAPES = frozenset(
    "a abbr b big cite code del em font i ins kbd mark q s small span strike strong sub sup tt u var".split()
)
"""Elements that only say how words look; of others one word in a line is a way of writing, such as a name."""
INLINE_CHARS = 40
FENCE = re.compile(r"[^\S\n]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^`\n]*)")
FENCED_IN_LINE = re.compile(r"(?<=\S)[^\S\n]*(?P<mark>```)(?P<inside>[^\n]+?)(?P=mark)")
TRIPLES = ('"""', "'''")
LITERAL = re.compile(r"[\[{]\s*['\"].*['\"]\s*[\]}],?\s*")
"""A value in another notation, such as {'say': 'hello'}."""
MOST_VALUES = 20
"""Lines at which JSON is looked for."""


def without_envelopes(text: str) -> tuple[str, list[str]]:
    """Return a text without its envelopes, and these: those that begin a line first, as others may stand in them."""
    taken = list[str]()
    for opens, closes in HIDDEN:
        text = _without_span(text, opens, closes, taken, may_stay_open=True)
    text = _cut(text, TAG, taken, at_line_start=True)
    text = _cut(text, TAG, taken, at_line_start=False)
    text = _before_orphans(text, taken)
    text = _cut(text, BRACKET, taken, at_line_start=False, closed=True)
    text = _cut(text, BLOCK, taken, at_line_start=True, closed=True)
    return text, [one for one in taken if one]


def without_values(text: str) -> tuple[str, list[str]]:
    """Return a text without the JSON that begins and ends at lines' ends, and that."""
    decoder, taken, kept, at = json.JSONDecoder(), list[str](), list[str](), 0
    starts = [found.end() for found in LINE_START.finditer(text) if text[found.end() : found.end() + 1] in ("{", "[")]
    for start in starts[:MOST_VALUES]:
        if start < at:
            continue
        line_end = (text.find("\n", start) + 1 or len(text) + 1) - 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            if not LITERAL.fullmatch(text, start, line_end):
                continue
            value, end = [""], line_end
        if _says_something(value) and not text[end:].partition("\n")[0].strip():
            kept += [text[at:start], CUT]
            taken.append(text[start:end])
            at = end
    return "".join([*kept, text[at:]]), taken


def without_marks_in_lines(text: str) -> tuple[str, list[str]]:
    """Return a text without what stands between three backticks within a line or between quotes of three, and that."""
    taken = [found["inside"].strip() for found in FENCED_IN_LINE.finditer(text)]
    text = FENCED_IN_LINE.sub(f"\n{CUT}\n", text) if taken else text
    for mark in TRIPLES:
        text = _without_span(text, mark, mark, taken)
    return text, [one for one in taken if one]


def find_fences(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where fences stand, each from its first line to beyond its last.

    A fence that stays open behind another one was closed by what it holds: all of them are one.
    """
    found, opened = list[tuple[int, int]](), -1
    mark = ""
    for number, line in enumerate(lines):
        fence = FENCE.fullmatch(line)
        if not fence:
            continue
        if not mark:
            opened, mark = number, fence["mark"]
        elif fence["mark"].startswith(mark) and not fence["info"].strip():
            found.append((opened, number + 1))
            mark = ""
    if not mark:
        return found
    if found and lines[opened].strip() == mark:
        return [(found[0][0], opened + 1)]
    return [*found, (opened, len(lines))]


def _cut(text: str, mark: re.Pattern[str], taken: list[str], *, at_line_start: bool, closed: bool = False) -> str:
    """Cut elements out of a text; only those that are ``closed``, or also those that stay open to its end."""
    tags, line_starts = list(mark.finditer(text)), {found.end() for found in LINE_START.finditer(text)}
    last_close = {tag["name"]: tag for tag in tags if tag["close"]}
    kept, at = list[str](), 0
    for tag in tags:
        close, begins_line = last_close.get(tag["name"]), tag.start() in line_starts
        if tag.start() < at or tag["close"] or (at_line_start and not begins_line):
            continue
        ends = close is not None and close.start() >= tag.end()
        if not ends and (closed or not begins_line):
            continue
        inside = text[tag.end() : close.start()] if close and ends else text[tag.end() :]
        if not begins_line and _is_way_of_writing(tag["name"], inside):
            continue
        is_own = tag["name"].lower() in OWN_ELEMENTS
        kept += [text[at : tag.start()], f"\n{inside}\n" if is_own else f"\n{CUT}\n"]
        taken += [] if is_own else [inside.strip()]
        at = close.end() if close and ends else len(text)
    return "".join([*kept, text[at:]])


def _is_way_of_writing(name: str, inside: str) -> bool:
    is_short = "\n" not in inside and len(inside) <= INLINE_CHARS
    return is_short and (name.lower() in SHAPES or len(inside.split()) < 2)  # noqa: PLR2004 - a single word is a name


def _before_orphans(text: str, taken: list[str]) -> str:
    """Cut what stands before a closing tag in a line of its own that nothing opened: its beginning was left out."""
    last, line_starts = None, {found.end() for found in LINE_START.finditer(text)}
    for found in TAG.finditer(text):
        if found["close"] and found.start() in line_starts and LINE_END.match(text, found.end()):
            last = found
    if last is None:
        return text
    taken.append(text[: last.start()].strip())
    return f"{CUT}\n{text[last.end() :]}"


def _without_span(text: str, opens: str, closes: str, taken: list[str], *, may_stay_open: bool = False) -> str:
    """Cut what stands between the first mark that opens and the last one that closes."""
    begin = text.find(opens)
    end = text.rfind(closes, begin + len(opens)) if begin >= 0 else -1
    if end < 0 and (begin < 0 or not may_stay_open):
        return text
    taken.append((text[begin + len(opens) : end] if end >= 0 else text[begin + len(opens) :]).strip())
    return f"{text[:begin]}\n{CUT}\n{text[end + len(closes) :] if end >= 0 else ''}"


def _says_something(value: Any) -> bool:
    """Whether a value has words in it under names, or in a row."""
    if isinstance(value, dict):
        return bool(value)
    return isinstance(value, list) and any(isinstance(item, dict | list | str) for item in value)


def blocks_of(kinds: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield runs of lines of one kind, each with where it begins and ends."""
    begin = 0
    for number in range(1, len(kinds) + 1):
        if number == len(kinds) or kinds[number] != kinds[begin]:
            yield kinds[begin], begin, number
            begin = number

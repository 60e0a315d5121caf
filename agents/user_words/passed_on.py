"""Which words of a message are its user's own, and which they only pass on: told by structure, never by phrases.

What is passed on is data: documents in envelopes, fenced text, quoted mail, pasted chats. A program's own prompt, which
demands JSON or quotes a conversation between a user and an assistant, has no words of a user at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from agents.time import Clock, find_times

TAG = re.compile(r"<(?P<close>/)?(?P<name>[A-Za-z][\w.:-]{0,60})(?P<rest>\s[^<>]{0,500})?>")
LINE_START = re.compile(r"^[^\S\n]*", re.MULTILINE)
OWN_ELEMENTS = frozenset({"user_query", "query", "user_message", "user_input", "user_request", "question"})
"""Elements in which front ends wrap what their user typed."""
INLINE_CHARS = 40
"""Up to as many characters an element within a line is a way of writing, such as <b>now</b>."""
FENCE = re.compile(r"\s{0,3}(?:`{3,}|~{3,})")
HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
QUOTE = re.compile(r"\s{0,3}>")
RULE = re.compile(r"\s*[-_=*]{2,40}[^-_=*\n]{0,60}[-_=*]{2,40}\s*")
"""A line between words of others, such as -----Original Message-----."""
HEADER = re.compile(r"\s*[^\W\d][\w -]{1,20}:\s+\S")
ADDRESS = re.compile(r"[\w.+-]@[\w-]{1,60}\.\w")
LABEL = re.compile(
    r"\s*(?:[-*•]\s+)?(?P<time>[\[(]?(?:\d{1,4}[-/.:]){1,2}\d{1,4}[^\w\n]{1,3}(?:\d\d:\d\d[^\w\n]{0,3}){0,2}(?:-\s*)?)?"
    r"[*_|>\s]{0,4}(?P<name>[^\W\d][\w.'\u2019 -]{0,30}?)[*_]{0,2}:[*_]{0,2}(?:\s+(?P<said>\S.*)|\s*)"
)
ROLES = frozenset(
    {"user", "assistant", "human", "ai", "system", "bot", "model", "tool", "chatgpt", "claude", "history"}
)
OUR_WORDS = frozenset(
    {
        "task",
        "todo",
        "to do",
        "reminder",
        "event",
        "appointment",
        "note",
        "notes",
        "idea",
        "list",
        "rule",
        "title",
        "when",
        "where",
    }
)
"""Labels under which people give what they want to be kept."""
SPEECH_WORDS = 4
"""A line after a label with an item of as many words is speech; shorter ones are a list or a value."""
MOST_HEADERS = 12
PART = "message-part"
TYPED_CHARS = 300
"""Longer parts of a message are documents."""
FENCED_IN_LINE = re.compile(r"(?<=\S)[^\S\n]*(?P<mark>```|\"\"\")(?P<inside>[^\n]+?)(?P=mark)")
QUOTING = re.compile(
    r"^[^\S\n]*(?P<label>[^\W\d_]{1,20})(?: [\w '-]{1,40})?:[^\S\n]*(?P<mark>```|\"\"\")", re.MULTILINE
)
QUOTED = frozenset({"message", "messages", "query", "prompt", "input", "text", "response", "responses", "conversation"})
"""What a program calls that which it quotes at the end of its prompt, between marks of three."""
BESIDE_CHARS = 800
"""Longer words beside an envelope are a program's instructions."""
JSON_START = re.compile(r"\{\s*\"(?P<key>\w{1,40})\"\s*:")


@dataclass(frozen=True)
class Message:
    """A message, parted. ``own`` are the user's words, ``passages`` what they pass on, in order.

    ``machine`` says that a program made it: nobody asks for anything. ``form`` is the JSON object that it wants to be
    answered in, with empty values; None where it wants words. ``quoted`` is what its prompt ends with between marks.
    """

    own: str
    passages: tuple[str, ...] = ()
    machine: bool = False
    form: dict[str, Any] | None = None
    quoted: str | None = None

    @property
    def passes_on(self) -> bool:
        """Whether any of it is not the user's own."""
        return bool(self.passages)


def part_message(text: str) -> Message:
    """Return the user's own words of a message, and what they pass on. Its cost grows with the length of the text."""
    quoted = _quoted_at_end(text)
    outside, elements = _without_elements(text)
    outside, fenced = _without_fences_in_lines(outside)
    lines, passages, chats = _without_passages(outside.split("\n"))
    headed = any(HEADING.match(line) for line in lines)
    shows = quoted is None and (headed or elements or chats)
    form = _demanded(lines, [*elements, *fenced, *passages]) if shows else None
    machine = form is not None or quoted is not None or any(map(_is_of_a_program, (*chats, *elements)))
    if machine:
        return Message("", (text,), machine=True, form=form, quoted=quoted)
    if headed:
        lines, before = _after_headings(lines)
        passages = [*before, *passages]
    own = "\n".join(line for line in lines if line != CUT).strip()
    if elements and len(own) > BESIDE_CHARS:
        own, passages = "", [own, *passages]
    return Message(own if re.search(r"\w", own) else "", (*elements, *fenced, *passages))


def own_in_place(text: str) -> str:
    """Return a text in which the user's own words stand where they stood, and line breaks in the place of others."""
    message, kept, at = part_message(text), list[str](), 0
    if message.own == text.strip():
        return text
    for line in filter(str.strip, message.own.split("\n")):
        begin = text.find(line, at)
        if begin >= 0:
            kept += ["\n" * (begin - at), line]
            at = begin + len(line)
    return "".join([*kept, "\n" * (len(text) - at)])


def join_parts(parts: Sequence[str]) -> str:
    """Return one text for a message that came in several, each but its user's words in an envelope.

    The user's are the one part of a single short line; where none or several are like that nobody can tell, so all of
    them are passed on.
    """
    if len(parts) < 2:  # noqa: PLR2004 - one part is the message
        return "".join(parts)
    typed = [part for part in parts if part.strip() and _is_typed(part)]
    own = typed[0] if len(typed) == 1 else None
    passed = "\n".join(f"<{PART}>\n{part}\n</{PART}>" for part in parts if part is not own and part.strip())
    return f"{passed}\n{own or ''}"


def _is_typed(part: str) -> bool:
    return "\n" not in part.strip() and len(part) <= TYPED_CHARS and not part_message(part).passages


def _demanded(lines: Sequence[str], passed: Iterable[str]) -> dict[str, Any] | None:
    """Return the form that a prompt shows, in its instructions or beside the talk that it quotes, never in that."""
    begun = [_before_talk(one) for one in passed]
    shown = (
        "\n".join(lines),
        *(before for before, talks in begun if talks),
        *(one for one, talks in begun if not talks),
    )
    return next((form for one in shown if (form := form_in(one)) is not None), None)


def _before_talk(text: str) -> tuple[str, bool]:
    """Return what stands before the first words of a role in a text, and whether there are any."""
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if _is_of_a_program(line)), None)
    return "\n".join(lines[:first]), first is not None


def _quoted_at_end(text: str) -> str | None:
    """Return what a prompt quotes until its end, after instructions: Message: followed by marks of three."""
    body = text.rstrip()
    for found in QUOTING.finditer(body):
        closed = body.endswith(found["mark"]) and len(body) >= found.end() + len(found["mark"])
        if closed and found["label"].lower() in QUOTED and body[: found.start()].strip():
            return body[found.end() : -len(found["mark"])]
    return None


def _without_fences_in_lines(text: str) -> tuple[str, list[str]]:
    """Return a text without what stands between marks of three within a line, and that."""
    fenced = [found["inside"].strip() for found in FENCED_IN_LINE.finditer(text)]
    return (FENCED_IN_LINE.sub(f"\n{CUT}\n", text) if fenced else text), fenced


def is_labelled_query(text: str) -> bool:
    """Tell whether a text begins with what programs call the words of their user, "Query: ..."."""
    label, colon, _ = text.lstrip().partition(":")
    return bool(colon) and label.lower() in QUOTED


def form_in(text: str) -> dict[str, Any] | None:
    """Return the first JSON object that a text shows, emptied; None where it shows none."""
    decoder = json.JSONDecoder()
    for found in JSON_START.finditer(text):
        try:
            shown, _ = decoder.raw_decode(text, found.start())
        except ValueError:
            return {found["key"]: ""}
        return {name: empty_copy(value) for name, value in shown.items()} if isinstance(shown, dict) else None
    return None


def empty_copy(value: Any) -> Any:
    """Return an empty value of the same form."""
    if isinstance(value, dict):
        return {name: empty_copy(item) for name, item in value.items()}
    return [] if isinstance(value, list) else "" if isinstance(value, str) else None


_ANY_TIME = Clock(datetime(2026, 1, 1, tzinfo=UTC), ZoneInfo("UTC"))
CUT = "\0"
"""Stands where a passage was taken out, so that what introduced it is known."""


def _without_elements(text: str) -> tuple[str, list[str]]:
    """Return a text without its envelopes, and these: those that begin a line first, as others may stand in them."""
    outside, elements = _cut_elements(text, at_line_start=True)
    outside, more = _cut_elements(outside, at_line_start=False)
    return outside, [one for one in (*elements, *more) if one]


def _cut_elements(text: str, *, at_line_start: bool) -> tuple[str, list[str]]:
    """Cut elements out of a text; one ends with the last closing tag of its name, which its content cannot forge."""
    tags, line_starts = list(TAG.finditer(text)), {found.end() for found in LINE_START.finditer(text)}
    last_close = {tag["name"]: tag for tag in tags if tag["close"]}
    kept, elements, at = list[str](), list[str](), 0
    for tag in tags:
        close, begins_line = last_close.get(tag["name"]), tag.start() in line_starts
        if tag.start() < at or tag["close"] or (at_line_start and not begins_line):
            continue
        closed = close is not None and close.start() >= tag.end()
        if not (closed or begins_line):
            continue
        inside = text[tag.end() : close.start()] if close and closed else text[tag.end() :]
        if not begins_line and "\n" not in inside and len(inside) <= INLINE_CHARS:
            continue
        is_own = tag["name"].lower() in OWN_ELEMENTS
        kept += [text[at : tag.start()], f"\n{inside}\n" if is_own else f"\n{CUT}\n"]
        elements += [] if is_own else [inside.strip()]
        at = close.end() if close and closed else len(text)
    return "".join([*kept, text[at:]]), elements


def _without_passages(lines: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the lines without fences, quotes, mail and chats, what was taken out, and the chats among that."""
    kept, passages, chats = list[str](), list[str](), list[str]()
    for kind, block in _blocks(lines):
        if not kind:
            kept.extend(block)
            continue
        if kept and kept[-1].rstrip().endswith(":"):  # "Ana wrote:", "History:"
            passages.append(kept.pop())
        kept.append(CUT)
        passages.append("\n".join(block).strip())
        if kind == "chat":
            chats.append(passages[-1])
    return kept, [one for one in passages if one], chats


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield runs of lines with what they are: "" for the user's own."""
    kinds = _kinds(lines)
    at = 0
    for kind, run in groupby(kinds):
        count = len(list(run))
        yield kind, list(lines[at : at + count])
        at += count


def _kinds(lines: Sequence[str]) -> list[str]:
    kinds = [""] * len(lines)
    fenced = False
    for number, line in enumerate(lines):
        if FENCE.match(line):
            kinds[number], fenced = "fence", not fenced
        elif fenced:
            kinds[number] = "fence"
        elif QUOTE.match(line):
            kinds[number] = "quote"
    for number, line in enumerate(lines):
        if not kinds[number] and (RULE.fullmatch(line) or _begins_mail(lines, number)):
            kinds[number:] = ["mail"] * (len(lines) - number)
            break
    for first, end in _chats(lines, kinds):
        kinds[first:end] = ["chat"] * (end - first)
    return kinds


def _begins_mail(lines: Sequence[str], number: int) -> bool:
    """Tell the head of a mail: three lines with names before a colon, one of them with an address."""
    head = [line for line in lines[number : number + MOST_HEADERS] if line.strip()][:3]
    return len(head) == 3 and all(map(HEADER.match, head)) and any(map(ADDRESS.search, head))  # noqa: PLR2004


def _chats(lines: Sequence[str], kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the stretches in which people or programs speak, by turns or one of them several times."""
    spoken = [
        (number, found)
        for number, line in enumerate(lines)
        if not kinds[number] and (found := LABEL.fullmatch(line)) and not line.lstrip().startswith("#")
    ]
    if not _is_chat([found for _, found in spoken]):
        return
    first, end = spoken[0][0], spoken[-1][0] + 1
    while end < len(lines) and lines[end].strip() and not kinds[end]:  # what the last one says goes on
        end += 1
    yield first, end


def _is_chat(spoken: Sequence[re.Match[str]]) -> bool:
    names = [one["name"].strip().lower() for one in spoken]
    if any(name in ROLES for name in names):
        return True
    speech = [one for one in spoken if one["time"] or _is_speech(one["said"] or "")]
    people = [name for name in names if name not in OUR_WORDS]
    return len(people) > 1 and bool(speech) and not any(map(_is_time, set(people)))


def _is_time(label: str) -> bool:
    """Tell whether a label is a day or an hour: "Mon: gym" is a plan."""
    return bool(find_times(label, _ANY_TIME))


def _is_speech(said: str) -> bool:
    return any(len(item.split()) >= SPEECH_WORDS for item in said.split(","))


def _is_of_a_program(chat: str) -> bool:
    """Tell a conversation that a program quotes: its speakers are roles, not people."""
    names = {found["name"].strip().lower() for line in chat.split("\n") if (found := LABEL.fullmatch(line))}
    return bool(names & (ROLES - {"history"}))


def _after_headings(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what follows the last envelope of a text with headings, if anything does, and what stands before it."""
    first = next(number for number, line in enumerate(lines) if HEADING.match(line))
    last_cut = max((number for number, line in enumerate(lines) if line == CUT), default=-1)
    end = last_cut + 1 if last_cut > first and not any(map(HEADING.match, lines[last_cut:])) else len(lines)
    if len(_joined_text(lines[:first])) > TYPED_CHARS:  # a document's own beginning
        first = 0
    return [*lines[:first], *lines[end:]], _joined(lines[first:end])


def _joined(lines: Iterable[str]) -> list[str]:
    text = _joined_text(lines)
    return [text] if text else []


def _joined_text(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if line != CUT).strip()

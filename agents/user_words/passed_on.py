"""Which words of a message are its user's own, and which they only pass on: told by structure, never by phrases.

What is passed on is data: documents in envelopes, fenced text, quoted mail, pasted chats. A program's own prompt, which
demands JSON or quotes a conversation between a user and an assistant, has no words of a user at all. Where a structure
may be either, the words stay the user's and are in doubt: what they ask for waits for a yes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.user_words.envelopes import (
    CUT,
    SPECIAL,
    blocks_of,
    find_fences,
    without_envelopes,
    without_marks_in_lines,
    without_values,
)
from agents.user_words.letters import PLAIN_RULE, QUOTE, begins_mail, between_rules, is_wish, rule_after
from agents.user_words.program_output import has_table, logs_in, patches_in
from agents.user_words.speakers import chats_in, is_for_us, is_of_a_program, label_of

INVISIBLE = re.compile("^[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+", re.MULTILINE)
"""Marks of direction with which copied lines begin."""
CITED = re.compile(r"\s*\[\d{1,3}\]\s+\S.*")
ADDRESS_LINE = re.compile(r"\s*(?:\w+:\s*)?\(?https?://\S+\s*")
LINE_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S.*")
UNDERLINE = re.compile(r"\s{0,3}={3,}\s*")
ITEM = re.compile(r"\s{0,8}(?:[-+*•]|\d{1,2}[.)])\s+\S.*")
PART_TAG, UNSURE_PART = "message-part", "message-part-or-typed"
TYPED_CHARS = 300
"""Longer parts of a message are documents."""
PROSE_CHARS, PROSE_LINE = 1000, 60
"""Words of more characters in lines that are longer, one with another, may be a document: lists have short lines."""
QUOTING = re.compile(
    r"^[^\S\n]*(?P<label>[^\W\d_]{1,20})(?: [\w '-]{1,40})?:[^\S\n]*(?P<mark>```|\"\"\")", re.MULTILINE
)
QUOTED = frozenset({"message", "messages", "query", "prompt", "input", "text", "response", "responses", "conversation"})
"""What a program calls that which it quotes at the end of its prompt, between marks of three."""
ASKED = frozenset({"question", "query", "user query", "user question", "input"})
"""What a program calls its user's words in a prompt that ends with an empty label, "Answer:"."""
QUOTED_SENTENCE = re.compile(
    r"(?:^|[?:]\s+)[\"'`\u201c\u201e\u2018\u00ab](?:[^\s\"]+\s+){2,60}[^\s\"]+[\"'`\u201d\u201c\u2019\u00bb]$"
)
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
BESIDE_CHARS = 800
"""Longer words beside an envelope are a program's instructions."""
JSON_START = re.compile(r"\{\s*\"(?P<key>\w{1,40})\"\s*:")


@dataclass(frozen=True)
class Message:
    """A message, parted. ``own`` are the user's words, ``passages`` what they pass on, in order.

    ``machine`` says that a program made it: nobody asks for anything. ``form`` is the JSON object that it wants to be
    answered in, with empty values; None where it wants words. ``quoted`` is what its prompt ends with between marks.
    ``doubtful`` words may be others' as well: what they ask for waits for a yes.
    """

    own: str
    passages: tuple[str, ...] = ()
    machine: bool = False
    form: dict[str, Any] | None = None
    quoted: str | None = None
    doubtful: bool = False

    @property
    def passes_on(self) -> bool:
        """Whether any of it is not the user's own."""
        return bool(self.passages)


def part_message(text: str) -> Message:
    """Return the user's own words of a message, and what they pass on. Its cost grows with the length of the text."""
    quoted, whole, text = _quoted_at_end(text), text, INVISIBLE.sub("", LINE_BREAK.sub("\n", text))
    outside, elements = without_envelopes(text)
    outside, values = without_values(outside)
    outside, marked = without_marks_in_lines(outside)
    if asked := _asked_in_template(outside.split("\n")):
        return Message(asked[0], (*elements, *values, *marked, *asked[1]), doubtful=True)
    parted = _part_lines(outside.split("\n"))
    shows = quoted is None and (parted.headed or elements or parted.chats)
    form = _demanded_form(parted.lines, [*elements, *values, *marked, *parted.passages]) if shows else None
    spoken = any(map(is_of_a_program, (*parted.chats, *elements))) or SPECIAL.search(text)
    if form is not None or quoted is not None or spoken:
        return Message("", (whole,), machine=True, form=form, quoted=quoted)
    lines, passages = list(parted.lines), [*elements, *values, *marked, *parted.passages]
    if parted.headed:
        lines, before = _after_headings(lines)
        passages = [*elements, *values, *marked, *before, *parted.passages]
    own = "\n".join(line for line in lines if line != CUT and not PLAIN_RULE.fullmatch(line)).strip()
    if elements and len(own) > BESIDE_CHARS:
        own, passages = "", [own, *passages]
    own = own if re.search(r"\w", own) else ""
    doubtful = parted.doubtful or f"<{UNSURE_PART}>" in text or _may_be_pasted(own)
    return Message(own, tuple(passages), doubtful=bool(own) and doubtful)


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

    The user's are the one short part, or the one of a single line among several short ones, which may as well be a
    short document; where none or several are like that nobody can tell, so all of them are passed on.
    """
    if len(parts) < 2:  # noqa: PLR2004 - one part is the message
        return "".join(parts)
    short = [part for part in parts if part.strip() and _is_short(part)]
    typed = short if len(short) == 1 else [part for part in short if "\n" not in part.strip()]
    own = typed[0] if len(typed) == 1 else None
    name = UNSURE_PART if len(short) > 1 else PART_TAG
    passed = "\n".join(f"<{name}>\n{part}\n</{name}>" for part in parts if part is not own and part.strip())
    return f"{passed}\n{own or ''}" if passed else own or ""


def _is_short(part: str) -> bool:
    return len(part) <= TYPED_CHARS and not part_message(part).passages


def _demanded_form(lines: Sequence[str], passed: Iterable[str]) -> dict[str, Any] | None:
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
    first = next((number for number, line in enumerate(lines) if is_of_a_program(line)), None)
    return "\n".join(lines[:first]), first is not None


def _quoted_at_end(text: str) -> str | None:
    """Return what a prompt quotes until its end, after instructions: Message: followed by marks of three."""
    body = text.rstrip()
    for found in QUOTING.finditer(body):
        closed = body.endswith(found["mark"]) and len(body) >= found.end() + len(found["mark"])
        if closed and found["label"].lower() in QUOTED and body[: found.start()].strip():
            return body[found.end() : -len(found["mark"])]
    return None


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


@dataclass(frozen=True)
class _Parted:
    """The lines of a text without fences, quotes, mail and chats; what was taken out, and the chats among that."""

    lines: list[str]
    passages: list[str]
    chats: list[str]
    headed: bool
    doubtful: bool


def _part_lines(lines: list[str]) -> _Parted:
    kinds, doubtful = _kinds(lines)
    kept, passages, chats, wish = list[str](), list[str](), list[str](), ""
    for kind, begin, end in blocks_of(kinds):
        block = lines[begin:end]
        if not kind:
            kept.extend(block)
            continue
        if introduced := _take_introduction(kept):  # "Ana wrote:", "History:"
            passages.append(introduced)
            wish = introduced if is_wish(introduced) else wish
        kept.append(CUT)
        passages.append("\n".join(block).strip())
        if kind == "chat":
            chats.append(passages[-1])
    if wish and not any(re.search(r"\w", line) for line in kept):  # "remind me tomorrow to answer this:"
        passages.remove(wish)
        kept.insert(0, wish)
    headings = [number for number, line in enumerate(kept) if _is_heading(kept, number)]
    a_list = bool(headings) and _is_headed_list(kept, headings)
    doubtful = doubtful or a_list or _is_interrupted(kinds)
    return _Parted(kept, [one for one in passages if one], chats, bool(headings) and not a_list, doubtful)


def _take_introduction(kept: list[str]) -> str:
    """Take the line that introduces what follows off the kept ones, if one does."""
    last = next((number for number in range(len(kept) - 1, -1, -1) if kept[number].strip()), -1)
    if last < 0 or not kept[last].rstrip().endswith(":"):
        return ""
    introduced = kept[last]
    del kept[last:]
    return introduced


def _kinds(lines: Sequence[str]) -> tuple[list[str], bool]:
    """Return what each line is, "" for the user's own, and whether those may be others' as well."""
    kinds = [""] * len(lines)
    found = (("log", logs_in(lines)), ("patch", patches_in(lines)), ("fence", find_fences(lines)))
    for kind, begin, end in ((kind, *place) for kind, places in found for place in places):
        kinds[begin:end] = [kind] * (end - begin)
    for number, line in enumerate(lines):
        if not kinds[number] and QUOTE.match(line):
            kinds[number] = "quote"
    for number in range(len(lines)):
        if not kinds[number] and (begins_mail(lines, number) or rule_after(lines, number)):
            end = rule_after(lines, number) or len(lines)
            kinds[number:end] = ["mail"] * (end - number)
            break
    enclosed, ruled = between_rules(lines, kinds)
    if enclosed:
        ruled = not any(map(str.strip, lines[: enclosed[0]]))  # what a document has at its head
        kinds[enclosed[0] : enclosed[1]] = ["mail"] * (enclosed[1] - enclosed[0])
    chats, unsure = chats_in(lines, kinds)
    for begin, end in chats:
        kinds[begin:end] = ["chat"] * (end - begin)
    return kinds, ruled or unsure


def _is_interrupted(kinds: Sequence[str]) -> bool:
    """Whether lines stand between fences, or between quotes without a gap, where a passage may have forged its end."""
    found = [kind for kind, _, _ in blocks_of(kinds)]
    return any(
        before == after and before in ("fence", "quote") for before, after in zip(found, found[2:], strict=False)
    )


def _is_heading(lines: Sequence[str], number: int) -> bool:
    is_underlined = number + 1 < len(lines) and bool(lines[number].strip()) and UNDERLINE.fullmatch(lines[number + 1])
    return bool(HEADING.fullmatch(lines[number]) or is_underlined)


def _is_headed_list(lines: Sequence[str], headings: Sequence[int]) -> bool:
    """Whether headings stand over items and nothing else, as in a list of one's own."""
    rest = [line for number, line in enumerate(lines) if number not in headings and line.strip()]
    rest = [line for line in rest if not UNDERLINE.fullmatch(line)]
    return CUT not in rest and len(headings) <= len(rest) and all(map(ITEM.fullmatch, rest))


def _asked_in_template(lines: Sequence[str]) -> tuple[str, list[str]] | None:
    """Return the user's words, and the rest, of a prompt that gives them a label and ends with an empty one."""
    last = next((line for line in reversed(lines) if line.strip() and line != CUT), "")
    end = label_of(last)
    if end is None or (end["said"] or "").strip():
        return None
    for number in range(len(lines) - 1, -1, -1):
        found = label_of(lines[number])
        if found and found["name"] and found["name"].strip().lower() in ASKED and (found["said"] or "").strip():
            return found["said"].strip(), _join_lines([*lines[:number], *lines[number + 1 :]])
    return None


def _may_be_pasted(own: str) -> bool:
    """Whether words look like a document although nothing marks them: long prose, or text that a label introduces."""
    lines = [line.strip() for line in own.split("\n")]
    if is_for_us(lines[0]):
        return False
    written = [line for line in lines if line]
    is_long = len(own) > PROSE_CHARS and len(own) > PROSE_LINE * len(written)
    quoted = any(map(QUOTED_SENTENCE.search, written))
    cited = any(map(CITED.fullmatch, written)) and any(map(ADDRESS_LINE.fullmatch, written))
    tabular = has_table(lines)
    return is_long or quoted or cited or tabular or any(_introduces_text(lines, number) for number in range(len(lines)))


def _introduces_text(lines: Sequence[str], number: int) -> bool:
    """Whether a line has a label before two sentences, or before a paragraph that ends as a sentence does."""
    found = label_of(lines[number])
    if not found or found["bullet"]:
        return False
    after = [line for line in lines[number + 1 : number + 3] if line]
    if "," in found["said"]:  # a list
        return False
    is_paragraph = len(lines) > number + 2 and not lines[number + 1] and bool(after) and after[0][-1] in ".!?"
    introduces = is_paragraph or len(SENTENCE_END.findall(found["said"])) > 1
    return introduces and not is_for_us(lines[number])


def _after_headings(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what follows the last envelope of a text with headings, if anything does, and what stands before it."""
    first = next(number for number in range(len(lines)) if _is_heading(lines, number))
    last_cut = max((number for number, line in enumerate(lines) if line == CUT), default=-1)
    end = last_cut + 1 if last_cut > first and not any(map(HEADING.fullmatch, lines[last_cut:])) else len(lines)
    if len(_joined_text(lines[:first])) > TYPED_CHARS:  # a document's own beginning
        first = 0
    return [*lines[:first], *lines[end:]], _join_lines(lines[first:end])


def _join_lines(lines: Iterable[str]) -> list[str]:
    text = _joined_text(lines)
    return [text] if text else []


def _joined_text(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if line != CUT).strip()

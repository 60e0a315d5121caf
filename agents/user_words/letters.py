"""Mail in a message: its head, the line that introduces it, and rules between it and what its user writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.user_words.speakers import is_for_us

WORDED_RULE = re.compile(r"\s*([-_=]{2,40}|[*~#]{4,40})[^-_=*~#\n][^\n]{0,60}?[^-_=*~#\n]?([-_=]{2,40}|[*~#]{4,40})\s*")
"""A line between words of others, such as -----Original Message-----."""
PLAIN_RULE = re.compile(r"\s*(?P<mark>[-_=*~#])(?P=mark){2,200}\s*")
HEADER = re.compile(r"\s*\**[^\W\d][\w -]{1,20}:\**\s+\S.*")
ADDRESS = re.compile(r"[\w.+-]@[\w-]{1,60}\.\w|https?://\w")
NAMED_ADDRESS = re.compile(r"[<(\[][\w.+-]{1,64}@[\w-]{1,60}\.[\w.-]{1,60}[>)\]]")
YEAR, CLOCK = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)"), re.compile(r"(?<!\d)\d{1,2}[:.h]\d\d(?!\d)")
INTRODUCTION_WORDS = 4
MOST_HEADERS = 12
QUOTE = re.compile(r"\s{0,3}[>|]")


def begins_mail(lines: Sequence[str], number: int) -> bool:
    """Tell the head of a mail, or the line that introduces one without marks."""
    return _is_head(lines, number) or _introduces(lines, number)


def is_wish(introduction: str) -> bool:
    """Whether a line that introduces a passage may say what to do with it, and not only whose it is."""
    whose = NAMED_ADDRESS.search(introduction) or YEAR.search(introduction)
    return len(introduction.split()) >= INTRODUCTION_WORDS and not whose


def rule_after(lines: Sequence[str], number: int) -> int | None:
    """Return where what a worded rule begins ends: behind its counterpart, which shares a word, else with the text.

    None where no such rule stands.
    """
    if not WORDED_RULE.fullmatch(lines[number]):
        return None
    words = set(re.findall(r"\w+", lines[number].lower()))
    for later in range(len(lines) - 1, number, -1):
        if WORDED_RULE.fullmatch(lines[later]):
            other = set(re.findall(r"\w+", lines[later].lower()))
            return later + 1 if words & other and words != other else len(lines)
    return len(lines)


def between_rules(lines: Sequence[str], kinds: Sequence[str]) -> tuple[tuple[int, int] | None, bool]:
    """Return what two equal plain rules enclose, and else whether a rule parts words that may be others'.

    They enclose it where nothing stands before them, or a line that introduces it.
    """
    rules = [number for number, line in enumerate(lines) if not kinds[number] and PLAIN_RULE.fullmatch(line)]
    if len(rules) == 2 and lines[rules[0]].strip() == lines[rules[1]].strip():  # noqa: PLR2004 - a pair
        before = next((line.rstrip() for line in reversed(lines[: rules[0]]) if line.strip()), "")
        if not before or before.endswith((".", ":")):
            return (rules[0], rules[1] + 1), False
    return None, any(any(map(str.strip, lines[number + 1 :])) for number in rules)


def _is_head(lines: Sequence[str], number: int) -> bool:
    """Three lines with names before a colon, one of them with an address or a moment; labels of our own make a form."""
    if not HEADER.fullmatch(lines[number]):
        return False
    head = [line for line in lines[number : number + MOST_HEADERS] if line.strip()][:3]
    known = (ADDRESS.search(line) or (YEAR.search(line) and CLOCK.search(line)) for line in head)
    is_head = len(head) == 3 and all(map(HEADER.fullmatch, head)) and any(known)  # noqa: PLR2004
    return is_head and sum(map(is_for_us, head)) < 2  # noqa: PLR2004 - two make a form


def _introduces(lines: Sequence[str], number: int) -> bool:
    """A line that ends with a colon, with an address or a moment in it: "On ... Bob <bob@example.org> wrote:"."""
    line = lines[number].rstrip()
    if number + 1 < len(lines) and not line.endswith(":") and len(lines[number + 1].split()) == 1:
        line, number = f"{line} {lines[number + 1].rstrip()}", number + 1
    known = NAMED_ADDRESS.search(line) or (YEAR.search(line) and CLOCK.search(line))
    if not (line.endswith(":") and len(line.split()) >= INTRODUCTION_WORDS and known):
        return False
    after = next(filter(str.strip, lines[number + 1 :]), "")
    return bool(after) and not QUOTE.match(after)

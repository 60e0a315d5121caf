"""Spoken self-repairs by alignment: "milk no not milk oat milk", "at two, no, at three", "call no text anna"."""

from __future__ import annotations

import re
from itertools import takewhile

from agents.understanding.grammar import patterns_of
from agents.understanding.text.verbs import is_verb

P = patterns_of(__name__)
DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow tonight eow eod eom mon tue tues wed weds thu thur thurs fri sat sun mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays".split()
)
CLOCKS = frozenset(
    "one two three four five six seven eight nine ten eleven twelve noon midnight half quarter fifteen twenty thirty "
    "forty fifty ninety".split()
)
ORDINALS = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth thirtieth".split()
)
MONTHS = frozenset("january february march april may june july august september october november december".split())
PARTS = frozenset("morning afternoon evening night lunchtime".split())
# What begins a new thought rather than the right word for the last one.
OPENS = frozenset(
    "i i'm i've i'll i'd we we're we've we'll he he's she she's it it's that that's this they they're you there there's "
    "what when where who why how is are was can could would will do does did don't and but so because if yes yeah no not "
    "then also just please everything nothing all".split()
)
PAST = ("past", "to", "after")
LOOSE = frozenset("a an the my our at on in for to of with by from and or is".split())
REACH = 6
FURTHEST = 14
BETWEEN = frozenset("at on in the of past to am pm o'clock".split())
MOST_REPAIRS = 24  # nobody corrects themselves more often in a message


def repaired(text: str) -> str:
    """The text with what was taken back left out, as far as words show how much that is."""
    done, rest = "", P.DOUBTED.sub(", ", text)
    for _ in range(MOST_REPAIRS):
        mark = P.MARK.search(rest)
        if mark is None:
            break
        before, after = rest[: mark.start()], rest[mark.end() :]
        kept = _mended(before, mark["mark"], after)
        if kept is None:
            done, rest = done + rest[: mark.end()], after
        else:
            rest = kept
    return done + rest


def _mended(before: str, mark: str, after: str) -> str | None:
    """The text without the words taken back; None when nothing shows that any are."""
    if not P.REFUSED.search(mark) or P.WRONG.search(before):
        return None
    old, new = before.split(), _plain(after)
    named = re.match(r"not\s+", after, re.IGNORECASE)
    if named:
        return _not_that(old, after[named.end() :].split())
    if not new or new[0] in OPENS:
        return None
    again = _time_again(before.split(), after.split())
    if again:
        return again
    for find in (_same_word, _same_sort, _same_end, _verb, _last_word):
        start = find([_bare(word) for word in old], new, mark)
        if start is not None:
            gone, left = _taken_back(old, start, new)
            return " ".join([*old[:start], *after.split()[:gone], *left, *after.split()[gone:]])
    return None


def _time_again(old: list[str], new: list[str]) -> str | None:
    """A day and clock time for those said further back: "remind me tonight at nine to check in wait no tomorrow at nine"."""
    said, heard = [_bare(word) for word in old], [_bare(word) for word in new]
    length = _time_length(heard)
    days = [at for at, word in enumerate(said) if _sort(word) == "day"]
    if length < 2 or _sort(heard[0]) != "day" or not days or not REACH < len(said) - days[-1] <= FURTHEST:
        return None
    start, long = days[-1], _time_length(said[days[-1] :])
    return " ".join([*old[:start], *new[:length], *old[start + long :], *new[length:]])


def _time_length(words: list[str]) -> int:
    """How many words at the beginning are a time."""
    long = sum(1 for _ in takewhile(lambda word: _sort(word) or word in BETWEEN, words))
    while long and words[long - 1] in BETWEEN - {"am", "pm", "o'clock"}:
        long -= 1
    return long


def _taken_back(old: list[str], start: int, new: list[str]) -> tuple[int, list[str]]:
    """How many new words stand for the old one, and the old words after it that stay: "tuesday at two no wednesday"."""
    rest = old[start + 1 :]
    stays = (
        bool(rest)
        and _sort(_bare(old[start])) == "day"
        and _bare(rest[0]) in ("at", "from", "around", "morning", "afternoon", "evening")
    )
    if (
        len(rest) > 1
        and _sort(_bare(old[start]))
        and _bare(rest[0]) in ("to", "for", "with", "about")
        and not _sort(_bare(rest[1]))
    ):
        return _time_length(new) or len(new), rest
    again = len(new) > 1 and (new[1] in ("at", "from", "around") or new[1] in PARTS)
    return (1, rest) if stays and not again else (len(new), [])


def _plain(text: str) -> list[str]:
    """The words up to the next stop."""
    return [_bare(word) for word in takewhile(str.strip, re.split(r"\s+", re.split(r"[,.;!?]\s", text)[0].strip()))]


def _bare(word: str) -> str:
    return word.lower().strip(",.;:!?")


def _sort(word: str) -> str:
    for name, words in (("day", DAYS), ("clock", CLOCKS), ("ordinal", ORDINALS), ("month", MONTHS), ("part", PARTS)):
        if word in words:
            return name
    return (
        "clock"
        if re.fullmatch(r"\d{1,2}(?::\d\d)?(?:[ap]m)?", word)
        else "ordinal"
        if re.fullmatch(r"\d+(?:st|nd|rd|th)", word)
        else ""
    )


def _same_word(old: list[str], new: list[str], mark: str) -> int | None:
    """From where the speaker began again with the same word: "doctor patel no sorry doctor okafor"."""
    telling = P.SURE.search(mark) is not None or (new[0] in LOOSE and len(new) > 1 and bool(_sort(new[1])))
    places = [at for at, word in enumerate(old) if word == new[0] and len(old) - at <= REACH]
    return places[-1] if places and telling and places[-1] < len(old) - 1 else None


def _same_sort(old: list[str], new: list[str], mark: str) -> int | None:  # noqa: ARG001 - any mark will do
    """The last word of the same sort: a day for a day, an hour for an hour."""
    sort = _sort(new[0])
    places = [at for at, word in enumerate(old) if sort and _sort(word) == sort and len(old) - at <= REACH]
    if not places:
        return None
    first = places[-1]
    while sort == "clock" and first - 1 in places:
        first -= 1
    past = first > 1 and old[first - 1] in PAST and first - 2 in places
    return first - 2 if past and new[1:2] and new[1] in PAST else first


def _same_end(old: list[str], new: list[str], mark: str) -> int | None:
    """The last word, said again with more: "milk no sorry oat milk"."""
    more = P.SURE.search(mark) is not None and len(new) > 1 and bool(old)
    return len(old) - 1 if more and old[-1] == new[1] and old[-1] not in LOOSE else None


def _verb(old: list[str], new: list[str], mark: str) -> int | None:  # noqa: ARG001 - any mark will do
    """A verb for the verb just said: "call no text anna"."""
    return (
        len(old) - 1
        if old and len(new) > 1 and is_verb(old[-1]) and is_verb(new[0]) and new[1] not in ("it", "that")
        else None
    )


def _last_word(old: list[str], new: list[str], mark: str) -> int | None:
    """A name for the name just said: "invite tom no wait tim"."""
    if (
        P.NOT_THIS.search(mark) is None
        or len(old) < 2
        or old[-1] in LOOSE
        or is_verb(new[0])
        or _sort(old[-1])
        or _sort(new[0])
        or new[0] in LOOSE
    ):
        return None
    return len(old) - 1


def _not_that(old: list[str], rest: list[str]) -> str | None:
    """The words with the one that is named as wrong replaced: "milk no not milk oat milk"."""
    wrong = _bare(rest[0]) if rest else ""
    places = [at for at, word in enumerate(old) if _bare(word) == wrong and len(old) - at <= REACH]
    if not places or len(rest) < 2:
        return None
    new = rest[2:] if _bare(rest[1]) == "but" else rest[1:]
    return " ".join([*old[: places[-1]], *new[:1], *old[places[-1] + 1 :], *new[1:]])

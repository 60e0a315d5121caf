"""Lines in which others speak: chats with names before a colon, with times, or as subtitles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from agents.time import Clock, find_times

CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,3})?(?:\s?[AaPp]\.?[Mm]\.?)?"
DATE = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
BRACKETED = rf"[\[(][^\[\]()\n]{{0,24}}(?:{CLOCK}|\d{{1,2}}[.h]\d\d)[^\[\]()\n]{{0,8}}[\])]"
STAMP = rf"(?P<sure>{BRACKETED}|{DATE}[T,\s]{{1,3}}{CLOCK}(?:Z|[+-]\d\d:?\d\d)?)"
BARE = rf"(?P<bare>{CLOCK})"
WORDS = r"[^\W\d][\w.'\u2019 -]{0,30}?"
LABEL = re.compile(
    rf"\s*(?P<bullet>[-*•]\s+)?(?:(?:{STAMP}|{BARE})[^\w\n@<*]{{0,3}})?[^\w\n@<#\"'(\[{{-]{{0,4}}(?P<at>@?)"
    rf"(?:<(?P<nick>[^<>\n]{{1,30}})>|(?P<name>{WORDS})[*_]{{0,2}}(?P<after>,?\s?[\[(]{CLOCK}[\])]|,\s{CLOCK})?[*_]{{0,2}}[:\uff1a])"
    r"[*_]{0,2}(?P<said>.*)"
)
HEADED = re.compile(
    rf"\s*(?P<name>[^\W\d][^\n:\[\]()]{{0,40}}?)(?P<gap>\s{{2,20}}|\s+[\u2014\u2013|-]\s+.{{0,20}}?|\s){CLOCK}\s*|"
    rf"\s*{BRACKETED}\s*(?P<late>[^\W\d][^\n:]{{0,30}})"
)
"""A line of a name and a time, under which its words stand."""
ALONE = re.compile(rf"\s*{CLOCK}\s*")
TIMED = re.compile(rf"\s*{BRACKETED}\s*\w.*")
"""A line that begins with a time in brackets, whoever speaks."""
CUE = re.compile(rf"\s*(?:\d{{1,2}}:)?{CLOCK}\s*-->\s*(?:\d{{1,2}}:)?{CLOCK}.*")
CUE_HEAD = re.compile(r"\s*(?:\d{1,5}|WEBVTT.*|)\s*")
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
ROLES = frozenset(
    {"user", "assistant", "human", "ai", "system", "bot", "model", "tool", "chatgpt", "claude", "history"}
)
OUR_WORDS = frozenset(
    "task|todo|to do|reminder|event|appointment|note|notes|idea|list|rule|title|when|where".split("|")
)
"""Labels under which people give what they want to be kept."""
PARTICLES = frozenset("da de del della den der di do dos du la le van von y".split())
"""Words within names that are written small."""
SPEECH_WORDS = 4
"""A line after a label with an item of as many words is speech; shorter ones are a list or a value."""
SENTENCE = re.compile(r"[.!?\u2026](?:\s|$)|^\w+,\s(?:\S+\s+){2}")
"""An end of a sentence, or a word and a comma before more words: "sure, I will do that"."""
_ANY_TIME = Clock(datetime(2026, 1, 1, tzinfo=UTC), ZoneInfo("UTC"))


def chats_in(lines: Sequence[str], kinds: Sequence[str]) -> tuple[list[tuple[int, int]], bool]:
    """Return the stretches in which others speak, and whether lines that stay may be speech as well as a list."""
    if cues := [number for number, line in enumerate(lines) if not kinds[number] and CUE.fullmatch(line)]:
        first = cues[0]
        while first and not kinds[first - 1] and CUE_HEAD.fullmatch(lines[first - 1]):
            first -= 1
        return [(first, _end_of_speech(lines, kinds, cues[-1] + 1))], False
    spoken = [
        (number, found)
        for number, line in enumerate(lines)
        if not kinds[number] and (found := label_of(line)) and not line.lstrip().startswith("#")
    ]
    sure, unsure = _is_chat([found for _, found in spoken])
    if sure:
        return [(spoken[0][0], _end_of_speech(lines, kinds, spoken[-1][0] + 1))], False
    return [], unsure or _is_headed(lines, kinds)


def label_of(line: str) -> re.Match[str] | None:
    """Return the name before a colon in a line with what is said, if there is one."""
    found = LABEL.fullmatch(line)
    if not found or (found["nick"] and not (found["sure"] or found["bare"])):
        return None
    said, colon = found["said"], line[found.start("said") - 1 : found.start("said")]
    return found if not said or said[0].isspace() or colon in "\uff1a>" else None


def is_of_a_program(chat: str) -> bool:
    """Tell a conversation that a program quotes: its speakers are roles, not people."""
    return any(_name(line) in ROLES - {"history"} for line in chat.split("\n"))


def is_for_us(line: str) -> bool:
    """Whether a line begins with a label of what is to be kept ("add a task: "), or of when it is."""
    name = _name(line)
    return bool(name) and (name.split()[-1] in OUR_WORDS or name.startswith("remind") or _is_time(name))


def _name(line: str) -> str:
    found = label_of(line)
    return _speaker_of(found) if found else ""


def _speaker_of(found: re.Match[str]) -> str:
    return (found["nick"] or found["name"]).strip().lower()


def _is_chat(spoken: Sequence[re.Match[str]]) -> tuple[bool, bool]:
    """Tell whether labelled lines are surely a chat, and else whether they may be one."""
    names = [_speaker_of(one) for one in spoken]
    if any(name in ROLES for name in names):
        return True, False
    if any(one["sure"] or (one["after"] and not one["bullet"]) for one in spoken):
        return True, False
    people = [one for one in spoken if _is_person(one)]
    called = [_speaker_of(one) for one in people]
    if len(people) < 2 or any(map(_is_time, set(called))):  # noqa: PLR2004 - one label is a list or a note
        return False, False
    said = [(one["said"] or "").strip() for one in people]
    repeats = len(set(called)) < len(called) and any(map(_is_speech, said))
    return repeats or any(map(SENTENCE.search, said)), any(map(_may_be_speech, said))


def _is_person(found: re.Match[str]) -> bool:
    """Whether a label is written like a name: "Ana", "ana", "Ana da Silva", "Speaker 1", never "call Ana"."""
    if found["nick"] or found["at"]:
        return True
    if _speaker_of(found) in OUR_WORDS or (found["bullet"] and found["name"][0].islower()):
        return False
    words = [word for word in found["name"].split() if word.lower() not in PARTICLES]
    return len(words) == 1 or all(word[0].isupper() or not word[0].islower() for word in words)


def _is_headed(lines: Sequence[str], kinds: Sequence[str]) -> bool:
    """Whether lines of a name and a time head others, as a copied chat has it."""
    heads = [
        found
        for number, line in enumerate(lines[:-1])
        if not kinds[number] and (found := HEADED.fullmatch(line)) and _is_under(lines[number + 1])
    ]
    alone = [number for number, line in enumerate(lines[:-1]) if not kinds[number] and ALONE.fullmatch(line)]
    timed = [number for number, line in enumerate(lines) if not kinds[number] and TIMED.fullmatch(line)]
    return max(len(heads), len(alone), len(timed)) > 1 or any(
        one["late"] or len(one["gap"] or "") > 1 or YEAR.search(one[0]) for one in heads
    )


def _is_under(line: str) -> bool:
    return bool(line.strip()) and not HEADED.fullmatch(line)


def _end_of_speech(lines: Sequence[str], kinds: Sequence[str], end: int) -> int:
    while end < len(lines) and lines[end].strip() and not kinds[end]:  # what the last one says goes on
        end += 1
    return end


def _is_time(label: str) -> bool:
    """Tell whether a label is a day or an hour: "Mon: gym" is a plan."""
    return bool(find_times(label, _ANY_TIME))


def _is_speech(said: str) -> bool:
    return any(len(item.split()) >= SPEECH_WORDS for item in said.split(","))


def _may_be_speech(said: str) -> bool:
    return _is_speech(said) or (len(said.split()) > 1 and "," not in said)

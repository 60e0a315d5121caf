"""One message into its requests: cut at sentence ends and lines, and where "and" or a comma begins a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.time import Clock, find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.text import unjoined
from agents.understanding.text.dated import beginnings, pieces
from agents.understanding.text.filler import trim
from agents.understanding.text.headings import (
    BULLET,
    DAY_HEADING,
    HEADER,
    NOTE_HEADING,
    TITLES,
    listed_below,
)
from agents.understanding.text.openings import (
    ABOUT_BEFORE,
    AFTER_NOUNS,
    ASKED_BACK,
    ASKING,
    CHANGES,
    COMMAND,
    CONDITION,
    DATED_QUESTION,
    DID,
    FAIRLY_STRONG,
    LAST_WORDS,
    LEADING,
    LEADING_TIME,
    LEVELLED,
    MAKE_IT,
    MENDING,
    NEEDS,
    NEW_STATE,
    NOTE_HEAD,
    OF_BEFORE,
    ONLY_POLITE,
    ONLY_TIME,
    PASSIVE,
    PLACED_AT,
    POINTING,
    RELATIVE,
    REMINDS,
    SHORT_TIME,
    STRONG,
    TOLD_AT,
    TOLD_CHANGE,
    TOLD_DONE,
    UNFINISHED,
    UNFULFILLED,
)
from agents.understanding.text.sentences import Span, quotes, sentences, shadow
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import COMMAND_VERBS, is_verb

P = patterns_of(__name__)
NUMBERED, NEXT_NUMBER = re.compile(r"(?:[^\n:]{0,40}:)?\s*1[).]\s.*\s2[).]\s"), re.compile(r"\s+(?=\d{1,2}[).]\s)")
CARRIAGES = frozenset("coach train table".split())
"""What a number behind makes a place: "train to york at 9, coach 12"."""
WINDOW = 240


@dataclass(frozen=True, slots=True)
class Clause:
    """One request's words.

    ``context`` are words of a heading that hold for it ("monday:"); ``listed`` tells that it is a line of several with bullets.
    """

    text: str
    context: str = ""
    listed: bool = False


def split(text: str, clock: Clock | None = None) -> list[Clause]:
    """The requests of a message in order; with a clock, things are told apart by their times as well."""
    if NUMBERED.match(text):
        text = NEXT_NUMBER.sub("\n", text)
    literal = shadow(len(text), quotes(text))
    found: list[Clause] = []
    context = ""
    lines = sentences(text, literal)
    for at, line in enumerate(lines):
        if HEADER.fullmatch(line.strip()):
            context = line.strip().rstrip(":").strip()
            listed = listed_below(context, lines, at)
            if listed:
                return [*found, Clause(listed)]
            context = "" if TITLES.fullmatch(context) else context
            continue
        body = BULLET.sub("", line)
        dated = DAY_HEADING.match(body)
        if dated:
            found += [Clause(piece, dated["day"]) for piece in re.split(r",\s+(?:and\s+)?|;\s+", dated["rest"])]
            continue
        numbered = body != line and len(lines) > 1
        found += [Clause(piece, context, numbered) for piece in _soft_pieces(body, clock)]
    return [clause for clause in found if trim(clause.text) and not ONLY_POLITE.fullmatch(clause.text.strip())]


def _soft_pieces(text: str, clock: Clock | None) -> list[str]:
    """Split at "and", "," and the like when a new request begins there, and where one follows without any such word."""
    quoted, joints = quotes(text), [match.span() for match in P.SOFT.finditer(text)]
    gaps = unjoined.gaps(text, joints) if clock else []
    if not joints and not gaps:
        return [text]
    literal, cuts, last = shadow(len(text), quoted), list[Span](), 0
    # A length is no time of its own: "prepare the talk by friday, half an hour" is one thing.
    found = find_times(text, clock, literal=quoted) if clock else []
    times = [time.span for time in found if time.kind != "duration"]
    dated = beginnings(text, times, joints)
    for start, end in sorted([*joints, *gaps]):
        if start < last or literal[start]:
            continue
        before, after = text[last:start], text[end : end + WINDOW]
        if (start, end) in gaps:
            begins = unjoined.parts(before, after, start, times)
        else:
            begins = start in dated or _begins_request(_ends(before), text[start:end], after)
        if begins:
            cuts.append((start, end))
            last = end
    return pieces(text, cuts, dated, times)


def _ends(text: str) -> str:
    """The beginning and the end of a long text: what decides about a cut stands there."""
    return text if len(text) <= 2 * WINDOW else f"{text[:WINDOW]} {text[-WINDOW:]}"


def _begins_request(before: str, joint: str, after: str) -> bool:
    head = trim(before)
    if not head or _leads(head, joint) or ASKED_BACK.match(trim(after)) or RELATIVE.match(after):
        return False
    if not joint.strip():
        return _runs_on(head, after)
    if (POINTING.match(after) or LEVELLED.match(trim(after))) and is_statement(head):
        return True
    if _both_told(head, after) or ("," in joint and _told_done(head)):
        return True
    if ":" in joint:
        return is_statement(head) and STRONG.match(after) is not None and not P.KEPT.search(head)
    if STRONG.match(after) or (
        TOLD_CHANGE.match(after) and "," in joint and (_tells_or_asks(head) or ("so" in joint and is_statement(head)))
    ):
        return _complete(head, after)
    return _fairly_begins(head, joint, after)


def _leads(head: str, joint: str) -> bool:
    """Whether words only lead in what follows: "in future,", "by tomorrow", "whenever I add a task"."""
    if (
        LEADING.fullmatch(head)
        or NOTE_HEADING.fullmatch(head)
        or UNFINISHED.search(head)
        or (CONDITION.match(head) and "," not in head)
    ):
        return True
    if LEADING_TIME.match(head) and len(head.split()) <= SHORT_TIME:
        return True
    return joint.strip() == "," and ONLY_TIME.fullmatch(head) is not None


def _runs_on(head: str, after: str) -> bool:
    """Whether a request follows without any joint, as in speech without commas."""
    if head.lower().startswith("add ") and after.lower().startswith("add "):
        return True
    lead = P.GOES_INTO_REMIND.search(head) or LEADING_TIME.match(head)
    if REMINDS.match(after) and not lead and len(head.split()) > SHORT_TIME:
        return True
    if COMMAND.match(after):
        if UNFULFILLED.match(head):
            return False
        return _ended(head) and len(head.split()) > SHORT_TIME and not LEADING_TIME.match(head)
    rest = trim(after)
    return is_statement(head) and _opens(after) and not ABOUT_BEFORE.match(rest) and not MENDING.match(rest)


def _both_told(head: str, after: str) -> bool:
    """Whether both sides tell of something done."""
    if (PLACED_AT.match(after) and NEW_STATE.search(head)) or (MAKE_IT.match(after) and NEEDS.search(head)):
        return True
    if TOLD_AT.match(after) and TOLD_CHANGE.match(head):
        return True
    if PASSIVE.fullmatch(head) and PASSIVE.match(after):
        return True
    return DID.match(after) is not None and (DID.match(head) is not None or TOLD_CHANGE.match(head) is not None)


def _told_done(head: str) -> bool:
    """Whether words are no more than the name of a thing that is done: "logo export done, ..."."""
    return TOLD_DONE.fullmatch(head) is not None and not is_verb(head.split(maxsplit=1)[0].lower())


def _ended(head: str) -> bool:
    """Whether words sound finished: they end with a time, a level or a list, as run-on speech does before a verb."""
    return head.rsplit(maxsplit=1)[-1].lower().rstrip(",") in LAST_WORDS or head[-1].isdigit()


def _tells_or_asks(head: str) -> bool:
    return TOLD_CHANGE.match(head) is not None or is_verb(head.split(maxsplit=1)[0].lower())


def _fairly_begins(head: str, joint: str, after: str) -> bool:
    """Whether less certain words begin a request: a question, or a verb after "then"."""
    if NOTE_HEAD.match(head) or (_remind_only(head) and not _goes_on(joint)):
        return False
    begins = FAIRLY_STRONG.match(after) or (_goes_on(joint) and _opens(after))
    if begins and _stands_alone(head):
        return _complete(head, after)
    return _weak_request(head, joint.strip().lower(), after)


def _goes_on(joint: str) -> bool:
    """Whether a joint parts requests rather than the things of one."""
    return re.search(r"\b(?:then|also|oh|plus|but)\b", joint, re.IGNORECASE) is not None


def _opens(after: str) -> bool:
    """Whether words after "then" or "also" begin with a verb."""
    words = trim(after).lower().split()
    return len(words) >= 2 and is_verb(words[0])


def _stands_alone(head: str) -> bool:
    """Whether the words before are a request or a question of their own, not the beginning of what follows."""
    words = head.lower().split()
    return (
        len(words) >= 2
        and not re.search(
            r"\b(?:if|whether|when|that|and|or|because|know|think|ask(?:ed|ing)?|wonder(?:ing)?|see|check)$",
            head,
            re.IGNORECASE,
        )
        and (
            is_verb(words[0])
            or ASKING.match(head) is not None
            or DATED_QUESTION.match(head) is not None
            or not is_statement(head)
        )
    )


def _complete(head: str, after: str) -> bool:
    """Whether the words before can stand alone: "add milk and put bread" may not be cut after "add"."""
    if len(head.split()) == 1 and head.lower() in COMMAND_VERBS:
        return False
    again = LEVELLED.match(trim(after)) is not None and is_statement(head)
    same_list = ABOUT_BEFORE.match(trim(after)) and not CHANGES.match(head) and not again
    quoting = re.search(
        r"\b(?:said|says|texted|told|asked(?! (?:about|for)\b)|wrote|rule about|(?<!i )don'?t(?! let me forget)|not to|asking)\b[^,]*$",
        head,
        re.IGNORECASE,
    )
    return not same_list and not quoting


def _remind_only(head: str) -> bool:
    return (
        re.match(r"(?:remind me|don't let me forget|from now on|always|never|in future)\b", head, re.IGNORECASE)
        is not None
    )


def _weak_request(head: str, joint: str, after: str) -> bool:
    """A bare imperative after "and" or a comma begins a task when the words before are a request of their own."""
    words = trim(after).lower().split()
    if (
        len(words) < 2
        or not is_verb(words[0])
        or (words[0] in ("back", "work", "run", "call", "test") and joint == "," and words[1] in AFTER_NOUNS)
        or (words[0] == "back" and words[1] in AFTER_NOUNS)
        or (words[0] in CARRIAGES and words[1][:1].isdigit())
    ):
        return False
    first = head.lower().split()
    dated = "," in joint and _ended(head) and len(first) > SHORT_TIME and not OF_BEFORE.match(trim(after))
    told = joint == "so" and is_statement(head)  # "we fly at seven so get a taxi"
    asks = is_verb(first[0]) or first[0] in ("i", "need") or dated or told
    return asks and len(first) >= 2 and joint != "-"

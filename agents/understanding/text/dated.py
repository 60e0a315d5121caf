"""Requests told apart by their times: "gym monday at 7, dentist thursday at 3" are two, though neither has a verb."""

from __future__ import annotations

from collections.abc import Sequence

from agents.understanding.grammar import patterns_of
from agents.understanding.text.openings import CHANGES, LEADING_TIME, REMINDS, STRONG
from agents.understanding.text.statements import is_statement
from agents.understanding.text.verbs import is_verb

Span = tuple[int, int]
MOST_JOINTS = 40  # each is compared with each time: nobody says more in one breath
P = patterns_of(__name__)
# What may stand beside a time without being a thing of its own.
LOOSE = frozenset(
    "a an the and or but so then also on at in by from to until till for of with my our your his her their it it's its that "
    "this maybe probably around about instead both again only just please it'll i we you be is are will sharp latest say like".split()
)
SAME = frozenset("it that this them those these".split())
PLACED = frozenset("at on by in for before until till from to after".split())


def beginnings(text: str, times: Sequence[Span], joints: Sequence[Span]) -> set[int]:
    """Where, among the starts of ``joints``, a thing with one of the ``times`` ends and the next thing begins."""
    if len(joints) > MOST_JOINTS:
        return set()
    free = [joint for joint in joints if not any(start < joint[0] and joint[1] < end for start, end in times)]
    found: set[int] = set()
    last = 0
    for at, (start, end) in enumerate(free):
        after = text[end : free[at + 1][0] if at + 1 < len(free) else len(text)]
        head = text[last:start].strip()
        if _reminds_again((last, start), (end, end + len(after)), text, times):
            found.add(start)
            last = end
            continue
        if (CHANGES.match(head) and " to " not in after) or (P.WAITS.match(head) and not P.SHARED.match(head)):
            continue
        ends = _dated((last, start), text, times) and _thing_begins(text[start:end], after, end, text, times)
        if ends or (_led((last, start), text, times) and _led((end, end + len(after)), text, times)):
            found.add(start)
            last = end
    return found


def _reminds_again(piece: Span, rest: Span, text: str, times: Sequence[Span]) -> bool:
    """Whether a reminder with its time is followed by another one with its own."""
    inner = [span for span in times if rest[0] <= span[0] and span[1] <= rest[1]]
    if not inner or not any(piece[0] <= start and end <= piece[1] for start, end in times):
        return False
    first = inner[0][0] == rest[0] and P.TO_DO.match(text, inner[0][1]) is not None
    again = reminded(text[slice(*piece)].strip(), text[slice(*rest)])
    return again is not None and (first or _dated(piece, text, times))


def reminded(before: str, piece: str) -> str | None:
    """A piece as a reminder like the one before: "remind me to eat at one and walk the dog at two"; None for others."""
    if not REMINDS.match(before) or STRONG.match(piece):
        return None
    if LEADING_TIME.match(piece) and P.TO_DO.search(piece):
        return f"remind me {piece}"
    words = piece.lower().split()
    return f"remind me to {piece}" if is_verb(words[0]) and words[1] not in PLACED else None


def shared(before: str, piece: str) -> str:
    """A piece with the verb that it shares with the one before: "call mom at 5 and dad at 6" calls both."""
    lead = P.SHARED.match(before)
    words = [*P.ADVERBS.sub("", piece.lower()).split(), "at", "at"]
    # "Sit with him" has a verb of its own, known or not: nothing is called so.
    own = (is_verb(words[0]) and words[1] not in PLACED) or words[1] == "with" or P.IS_AT.match(piece.strip())
    return f"{lead['lead']} {piece}" if lead and not own and not is_statement(piece) else piece


def pieces(text: str, cuts: Sequence[Span], dated: set[int], times: Sequence[Span]) -> list[str]:
    """The text between the cuts, with the verb that a piece shares with the one before."""
    starts, ends = [0, *[end for _, end in cuts]], [*[start for start, _ in cuts], len(text)]
    whole: list[str] = []
    for cut, first, last in zip((-1, *ends), starts, ends, strict=False):
        piece = text[first:last]
        timed = any(first <= begins and over <= last for begins, over in times)
        lead = (reminded(whole[-1], piece) if whole and timed else None) or piece
        whole.append(shared(whole[-1], piece) if cut in dated and lead == piece else lead)
    return whole


def _dated(piece: Span, text: str, times: Sequence[Span]) -> bool:
    """Whether a piece is a thing with its time at the end."""
    head = text[slice(*piece)].strip()
    if P.FIRST_PERSON.match(head) and not P.OURS.match(head) and not P.SHARED.match(head):
        return False
    ended = any(piece[0] <= start and not text[end : piece[1]].strip(" ,") for start, end in times if end <= piece[1])
    return ended and _names(piece, text, times)


def _led(piece: Span, text: str, times: Sequence[Span]) -> bool:
    """Whether a piece is a thing with its time at the beginning: "sat 10am market, sun 4pm film club"."""
    first = piece[0] + len(text[slice(*piece)]) - len(text[slice(*piece)].lstrip())
    return any(start == first and end < piece[1] for start, end in times) and _names(piece, text, times)


def _thing_begins(joint: str, after: str, offset: int, text: str, times: Sequence[Span]) -> bool:
    words = after.lower().split()
    said = after.strip()
    if not words or P.GOES_ON.match(said) or (P.SAYS.search(after) and not (P.OURS.match(said) or P.IS_AT.match(said))):
        return False
    whole = (offset, offset + len(after))
    timed = any(whole[0] <= start and end <= whole[1] for start, end in times)
    acts = len(words) > 1 and is_verb(words[0]) and words[1] not in SAME and P.LINKED.search(joint) is not None
    return acts or (timed and _names(whole, text, times))


def _names(piece: Span, text: str, times: Sequence[Span]) -> bool:
    """Whether words are left of a piece when its times are taken out."""
    letters = list(text[slice(*piece)].lower())
    for start, end in times:
        for place in range(max(start, piece[0]), min(end, piece[1])):
            letters[place - piece[0]] = " "
    return any(word not in LOOSE for word in P.WORD.findall("".join(letters)))

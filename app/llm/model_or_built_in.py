"""Whether the built-in understanding explains every word of a message: then, and only then, no model is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from agents.contract import Proposal, Proposed, RouterDecision
from agents.ports import Ask, Records
from agents.time import clock_for, find_times
from agents.understanding.confidence import LABELS
from agents.understanding.handle import readings
from agents.understanding.references import STOP, alike, items_of, words_of
from agents.understanding.requests.convert import CONVERT
from agents.understanding.text.clauses import Clause, split
from agents.understanding.text.patterns.pattern import Name
from agents.understanding.text.restated import restated

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
NO_CHANGE: frozenset[Name] = frozenset(
    {
        "query_tasks",
        "query_calendar",
        "free",
        "when_is",
        "list_query",
        "note_query",
        "ask_memory",
        "profile_query",
        "focus",
        "small_talk",
        "out_of_scope",
    }
)
CHANGES = LABELS.keys() - NO_CHANGE
PUTTING_RIGHT = frozenset(
    "undo redo revert restore reverse scrap cancel bring put take get back out change changes changed did done made"
    " said added deleted removed moved renamed last latest first second third fourth fifth both everything only no"
    " not don't oh oops wait sorry actually instead rather other wrong meant mean make should can could you it's"
    " that's".split()
)
"""Words for taking back and putting right; what they name is in the changes themselves."""


def explains_all(decision: RouterDecision, ask: Ask) -> bool:
    """Whether a decision is nothing but changes at once, and these account for every content word of the message."""
    shares = [target.proposed for target in decision.targets]
    talks = decision.acknowledgement or decision.questions or decision.unclear or decision.unread
    if talks or not shares or not all(map(_only_changes, shares)):
        return False
    proposals = [proposal for share in shares if share for proposal in share.proposals]
    events = all(proposal.kind == "event" for proposal in proposals)
    known = [stem for text in _texts(proposals, ask.records) for stem in words_of(text)]
    clauses = split(restated(ask.text), clock_for(ask.at, ask.timezone, ask.conventions))
    return all(_explained(clause, known, ask, alone=events) for clause in clauses)


def puts_right(decision: RouterDecision, ask: Ask) -> bool:
    """Whether a decision takes back or corrects what was done, at once, and the message has no other word.

    One record made of another counts too: a model has no word for that.
    """
    shares = [target.proposed for target in decision.targets]
    if decision.acknowledgement or decision.questions or decision.unclear or not all(map(_only_changes, shares)):
        return False
    proposals = [proposal for share in shares if share for proposal in share.proposals]
    if any(proposal.group.startswith(CONVERT) for proposal in proposals):
        return True
    taken_back = [change.title for change in ask.recent_changes if change.id in {one.undo_of for one in proposals}]
    known = [stem for text in (*_texts(proposals, ask.records), *taken_back) for stem in words_of(text)]
    times = [time.span for time in find_times(ask.text, clock_for(ask.at, ask.timezone, ask.conventions))]
    return all(word[0] in PUTTING_RIGHT or _within(word, times) or _kept(word[0], known) for word in _content(ask.text))


def found_some(decision: RouterDecision) -> bool:
    """Whether a look back found what is to be taken back, or several things to choose from."""
    return bool(decision.questions) or any(target.proposed and target.proposed.proposals for target in decision.targets)


def _only_changes(share: Proposed | None) -> bool:
    if share is None or share.answers or share.questions or share.unclear or share.suggestion:
        return False
    return bool(share.proposals) and not any(proposal.hold for proposal in share.proposals)


def _texts(proposals: Sequence[Proposal], records: Records) -> Iterator[str]:
    """All words that the changes keep or are about."""
    stored = {item.id: item.title for item in items_of(records, "todo", "event", "note", "instruction")}
    for proposal in proposals:
        yield stored.get(proposal.record_id or "", "")
        yield from _strings(proposal.fields)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        parts = [*value, *value.values()] if isinstance(value, dict) else value
        yield from (text for part in parts for text in _strings(part))


def _explained(clause: Clause, known: Sequence[str], ask: Ask, *, alone: bool) -> bool:
    """Whether a clause is a request, and all in it is part of its pattern, a time, or kept by a change.

    Where no pattern fits it may stand ``alone`` only as an appointment: "write a letter" may ask for the letter.
    """
    found = next(iter(readings(clause)), None)
    if found is not None and found.name not in CHANGES:
        return False
    parts = " ".join(found.parts.values()).lower() if found else clause.text.lower()
    clock = clock_for(ask.at, ask.timezone, ask.conventions)
    times = [time.span for time in find_times(clause.text, clock)]
    return (found is not None or (alone and bool(times))) and all(
        word[0] not in parts or _within(word, times) or _kept(word[0], known) for word in _content(clause.text)
    )


def _content(text: str) -> list[re.Match[str]]:
    return [word for word in WORD.finditer(text.lower()) if word[0] not in STOP]


def _within(word: re.Match[str], spans: Sequence[tuple[int, int]]) -> bool:
    return any(begin <= word.start() < end for begin, end in spans)


def _kept(word: str, known: Sequence[str]) -> bool:
    stems = words_of(word)
    return not stems or all(any(alike(one, other) for other in known) for one in stems)

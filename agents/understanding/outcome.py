"""What a clause comes to, and how well its words and the records bear it out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agents.contract import Option, Pending, Proposal
from agents.dates_in_words import say_moments
from agents.index.items import Item
from agents.phrases import NOTHING_CALLED, quote, say_either
from agents.rendering.item_names import moment_of, names_of
from agents.understanding.ground import Meant, is_pointing
from agents.understanding.share import Share, answer, ask, change, propose
from agents.understanding.situation import Situation

Lacking = Literal["when", "rephrase"]
MOST_OPTIONS = 12


@dataclass(slots=True)
class Outcome:
    """A share and, from 0 to 1, how well the records fit the words; ``known``: what is asked for is so already."""

    share: Share
    fit: float = 1.0
    known: bool = False


def do(text: str, *proposals: Proposal, fit: float = 1.0) -> Outcome:
    """Return the outcome of proposals; words that come to none were not understood."""
    return Outcome(change(text, *proposals), fit) if proposals else not_understood(text)


def tell(text: str, sentence: str) -> Outcome:
    """Return the outcome of a sentence about what was to be changed: it is no question, so memory is not asked."""
    return Outcome(answer(text, sentence, worker="update_todos"))


def already(text: str, sentence: str) -> Outcome:
    """Return the outcome of a sentence about what is asked for and is so already."""
    return Outcome(answer(text, sentence, worker="update_todos"), known=True)


def not_understood(text: str) -> Outcome:
    """Return the outcome of words that nobody understands."""
    return Outcome(Share(unclear=[text.strip()]))


def update(
    text: str, item: Item, fields: dict[str, Any], reason: str = "you asked for it", fit: float = 1.0
) -> Outcome:
    """Return the outcome of new values for one stored record."""
    return do(text, propose(item, "update", fields, reason), fit=fit)


def not_there(text: str, name: str) -> Outcome:
    """Return the truth about a name that nothing has."""
    named = "" if is_pointing(name) else name.strip(" ,.?!")
    if named.lower() in ("everything", "all", "it all", "all of it"):
        return tell(text, "There is nothing of that kind.")
    return tell(text, f"{NOTHING_CALLED} {quote(named)}." if named else "I don't see which one you mean.")


def which_of(text: str, items: Sequence[Item], drafts: Sequence[Sequence[Proposal]], situation: Situation) -> Outcome:
    """Return the question which of equals is meant; the drafts are what is done to each of them."""
    shown = list(items)[:MOST_OPTIONS]
    names = names_of(shown, situation.now)
    options = [Option(label=name, kind=item.kind, record_id=item.id) for name, item in zip(names, shown, strict=True)]
    wanted = [draft for one in drafts[:MOST_OPTIONS] for draft in one]
    asked = _by_times(shown, situation) or f"Which one do you mean: {say_either([quote(name) for name in names])}?"
    pending = Pending(missing="which", text=text, at=situation.ask.at, proposals=wanted, options=options)
    return Outcome(ask(text, asked, pending, names))


def _by_times(items: Sequence[Item], situation: Situation) -> str:
    """Return the question which of several of one name is meant, by their times; empty where these do not tell."""
    moments = [moment_of(item.record) for item in items]
    known = [one for one in moments if one is not None]
    if len({item.title.casefold() for item in items}) > 1 or len({*map(str, known)}) < len(items):
        return ""
    return f"Which {quote(items[0].title)} do you mean: {say_either(say_moments(known, situation.now))}?"


def ask_for(
    missing: Lacking, asked: str, draft: Proposal, text: str, situation: Situation, offers: Sequence[str] = ()
) -> Outcome:
    """Return the question for what a draft lacks, with what is on offer for it."""
    options = [Option(label=label) for label in offers]
    pending = Pending(missing=missing, text=text, at=situation.ask.at, proposals=[draft], options=options)
    return Outcome(ask(text, asked, pending, offers))


def yes_or_no(asked: str, drafts: Sequence[Proposal], text: str, situation: Situation) -> Outcome:
    """Return a question that a yes answers."""
    pending = Pending(missing="proceed", text=text, at=situation.ask.at, proposals=list(drafts))
    return Outcome(ask(text, asked, pending, ["yes", "no"]))


def do_or_ask(text: str, target: Meant, drafts: Sequence[Sequence[Proposal]], situation: Situation) -> Outcome:
    """Return what is to be done to the records meant: to the one, to all of several, or the question which."""
    pairs = [(item, draft) for item, draft in zip(target.items, drafts, strict=True) if draft]
    if not pairs:
        return not_understood(text) if target.items else not_there(text, target.name)
    if len(pairs) == 1 or target.several:
        return do(text, *(one for _, draft in pairs for one in draft), fit=target.fit)
    return which_of(text, [item for item, _ in pairs], [draft for _, draft in pairs], situation)

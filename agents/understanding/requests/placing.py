"""Something stored given a time with a plain verb: "make the gutters sunday", "do the faucet on saturday", "schedule it for tuesday"."""

from __future__ import annotations

from agents.records import ToDo
from agents.time import find_times, merged
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose, pointed, series
from agents.understanding.items.lately import covers
from agents.understanding.references import Item, words_of
from agents.understanding.requests.tasks import is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots import forms
from agents.understanding.slots.moves import moved
from agents.understanding.slots.slots import Slots
from agents.understanding.text.clauses import Clause
from agents.understanding.text.verbs import EVENT_NOUNS, is_verb

P = patterns_of(__name__)
OWN_DEED = frozenset(
    "buy get order fetch grab collect call ring phone text email mail send post pay book message ask tell write visit meet see".split()
)
"""Verbs that "do the ..." does not stand for."""
BY_NAME, PRONOUNS = frozenset(("do", "get", "have")), frozenset(("make", "set", "put", "schedule", "plan", "do", "get"))


def placed(clause: Clause, scene: Scene) -> Share | None:
    """The one thing meant at the time said; None when the words name none, or say more than a time."""
    said = clause.text.strip()
    if not (P.BEGINS.match(said) or P.INTENT.match(said)) or P.SHIFT.search(said):
        return None
    times = merged(find_times(said, scene.clock, bare=True), scene.clock)
    if (
        len(times) != 1
        or times[0].kind not in ("point", "interval", "open_before")
        or not P.AFTER.fullmatch(said[times[0].span[1] :])
    ):
        return None
    body = P.PREPOSITION.sub("", said[: times[0].span[0]]).strip()
    match = P.PLACED.fullmatch(body)
    item = _meant(match["verb"].lower(), match["what"], scene) if match else None
    if item is None:
        several = pointed.others(scene, ("todo", "event")) if match and pointed.OTHER.fullmatch(match["what"]) else []
        due = forms.due(times[0])
        return (
            choose.which(several, "update", scene, fields={"deadline": due}, reason="you said when")
            if len(several) > 1 and due
            else None
        )
    recurring = series.series_of([item])
    if recurring:
        return series.move(recurring, clause.text, Slots(said), times[0], scene)
    fields = moved(item, times[0], scene)
    return change(said, choose.propose(item, "update", fields, "you said when")) if fields else None


def detailed(slots: Slots, clause: Clause, scene: Scene) -> Share | None:
    """The details of the one task just talked about that a bare name means: "hugo at 9", "venue by friday"."""
    bare = not (clause.listed or clause.context) and scene.ask.recent
    words = words_of(slots.title) if bare and slots.when and slots.when.kind != "duration" else []
    if not words or is_verb(words[0]):
        return None
    talked = [item for item in pointed.row(scene, ("todo",)) if item and is_open(item) and covers(item.title, words)]
    if len(talked) != 1 or slots.when is None or EVENT_NOUNS & set(words):
        return None
    fields = slots.levels() | moved(talked[0], slots.when, scene)
    return change(clause.text, choose.propose(talked[0], "update", fields, "you said when")) if fields else None


def _meant(verb: str, what: str, scene: Scene) -> Item | None:
    """The one open thing that the words wholly name; what is done, bought or called is told by a verb of its own."""
    found = choose.search(what, scene, ("todo", "event"), is_open, None)
    if len(found) != 1:
        return None
    item = found[0]
    if pointed.by_place(what, scene, ("todo", "event")):
        return item
    if choose.PRONOUN.match(what):
        return item if verb in PRONOUNS else None
    own = isinstance(item.record, ToDo) and item.title.split(" ", 1)[0].lower() in OWN_DEED
    return None if not named_wholly(what, item) or (verb in BY_NAME and (own or item.kind == "event")) else item

"""The last day of a series: "standup ends at christmas", "stop yoga after july", "cancel spanish from the 1st on"."""

from __future__ import annotations

from datetime import date, timedelta

from agents.time import find_times
from agents.understanding.grammar import patterns_of
from agents.understanding.items import choose
from agents.understanding.references import Item
from agents.understanding.requests.tasks import is_open
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.days import days_of
from agents.understanding.slots.slots import tidy
from agents.understanding.text.clauses import Clause

P = patterns_of(__name__)
LASTING = frozenset(("after", "until", "till", "til", "up to", "through", "before", "from"))
"""What says of a request that the series is meant; "cancel yoga on friday" is about one of it."""


def ended(clause: Clause, scene: Scene) -> Share | None:
    """The one series named up to a day; None when the words name none, or a clock time."""
    said = P.ENDING.fullmatch(clause.text.strip(" .!"))
    how = P.STANDING.fullmatch(P.END_OF.sub("at ", said["when"])) if said else None
    if said is None or how is None or (said["asked"] and how["how"].lower() not in LASTING):
        return None
    phrase = tidy(said["told"] or said["asked"])
    found = choose.search(phrase, scene, ("event", "todo"), is_open, None) if phrase else []
    found = [item for item in found if _rule(item) and named_wholly(phrase, item)]
    last = _last(how["how"].lower(), how["day"], scene) if len(found) == 1 else None
    if last is None or last <= scene.now.date():
        return None
    rule = f"{P.OF_RULE.sub('', _rule(found[0]))};UNTIL={last:%Y%m%d}"
    return change(clause.text, choose.propose(found[0], "update", {"recurrence": rule}, "you said how long it goes on"))


def _rule(item: Item) -> str:
    return getattr(item.record, "recurrence", None) or ""


def _last(how: str, day: str, scene: Scene) -> date | None:
    """The last day on which it may take place."""
    times = find_times(day, scene.clock, bare=True)
    when = times[0] if len(times) == 1 and times[0].span == (0, len(day)) else None
    if when is None or when.timed or when.kind not in ("point", "interval"):
        return None
    first, last = days_of(when, scene)
    return first - timedelta(days=1) if how in ("from", "before") else last

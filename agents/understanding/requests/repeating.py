"""How often something stored takes place, said afterwards: "make lunch with devon weekly", "repeat the standup every monday"."""

from __future__ import annotations

import re

from agents.understanding.items import choose
from agents.understanding.requests.tasks import is_open
from agents.understanding.scene import Scene
from agents.understanding.share import Share
from agents.understanding.slots.slots import tidy
from agents.understanding.text.clauses import Clause
from agents.understanding.time.search import find_times

RULE = r"(?P<rule>(?:every|each|weekly|daily|monthly|yearly|annually|bi-?weekly|fortnightly|on weekdays)\b.{0,40})"
SAID = re.compile(
    rf"(?:(?:make|set|have|let)\s+(?P<what>.{{2,80}}?)\s+(?:to\s+)?(?:be\s+)?(?:(?:repeat(?:ing)?|recur(?:ring)?|happen)\s+)?|"
    rf"repeat\s+(?P<again>.{{2,80}}?)\s+){RULE}|"
    r"(?P<moved>.{2,60}?)\s+(?:moves|is moving|has moved|moved|changes|switches|is switching|is now)\s+(?:to\s+|on\s+)?"
    r"(?P<days>(?:mon|tues|wednes|thurs|fri|satur|sun)days\b.{0,40})",
    re.IGNORECASE,
)


def changed(clause: Clause, scene: Scene) -> Share | None:
    """The rule joined to the one event or task named; None when the words name none."""
    said = SAID.fullmatch(clause.text.strip(" .!"))
    if said is None:
        return None
    phrase = tidy(said["what"] or said["again"] or said["moved"])
    times = find_times(said["rule"] or said["days"], scene.clock)
    rule = next((found.rrule for found in times if found.rrule), None)
    found = choose.search(phrase, scene, ("event", "todo"), is_open, None) if phrase and rule else []
    if len(found) != 1:
        return None
    return choose.settle(found, "update", phrase, scene, fields={"recurrence": rule}, reason="you said how often")

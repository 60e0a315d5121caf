"""Another time for a series from now on: "can we do yoga at 7 from now on", "from now on the standup is on mondays"."""

from __future__ import annotations

import re

from agents.time import find_times
from agents.understanding.items import choose, series
from agents.understanding.requests.terse import named_wholly
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change
from agents.understanding.slots.slots import Slots, fill, tidy
from agents.understanding.text.clauses import Clause

LASTING = re.compile(
    r"^(?:from now on|from here on(?: out)?|going forward|in future|in the future)[\s,:]+|"
    r"(?<![\s,])[\s,]+(?:from now on|from here on(?: out)?|going forward|in future|in the future)$",
    re.IGNORECASE,
)
DAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
DAYS = rf"(?:only\s+)?(?:on\s+)?{DAY}(?:(?:\s*[,&]\s*|\s+and\s+|\s+){DAY})*(?:\s+only)?"
WEEK = "mo tu we th fr sa su".split()
THERE = re.compile(
    r"(?:do|have|hold|make|move|start|put)?\s*(?:the\s+|my\s+|our\s+)?(?P<what>[\w' &-]{2,60}?)(?:'s|\s+(?:is|will be|should be|starts?|begins?|takes place))?"
    rf"\s+(?:to\s+)?(?P<when>(?:at|on|to)\s+.{{1,40}}|{DAYS})",
    re.IGNORECASE,
)


def moved(clause: Clause, scene: Scene) -> Share | None:
    """The whole series named at the time said; None when the words name none, and may be a rule."""
    lasting = LASTING.search(clause.text.strip(" .!?"))
    said = THERE.fullmatch(LASTING.sub("", clause.text.strip(" .!?"))) if lasting else None
    if said is None:
        return None
    title = tidy(said["what"])
    found = choose.search(title, scene, ("event",), lambda item: series.series_of([item]) is not None, None)
    event = series.series_of(found) if found and named_wholly(title, found[0]) else None
    if event is None:
        return None
    days = (
        [name[:2].upper() for name in re.findall(DAY, said["when"].lower())]
        if re.fullmatch(DAYS, said["when"], re.IGNORECASE)
        else []
    )
    if days and "WEEKLY" in (event.recurrence or ""):
        weekly = f"FREQ=WEEKLY;BYDAY={','.join(days)}"
        return change(clause.text, choose.propose(found[0], "update", {"recurrence": weekly}, "you said how often"))
    rule = next((time for time in find_times(said["when"], scene.clock) if time.rrule), None)
    if rule is not None:
        return change(clause.text, choose.propose(found[0], "update", {"recurrence": rule.rrule}, "you said how often"))
    to = next(iter(find_times(said["when"], scene.clock, bare=True)), None)
    left = fill(said["when"], scene.clock).title
    return series.move(event, "every time", Slots(clause.text), to, scene) if to and not left else None

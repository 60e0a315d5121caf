"""Clock times in a zone that is said: "9:30 pst", "at 8 gmt", "3pm eastern time"."""

from __future__ import annotations

from dataclasses import replace

from agents.understanding.time.chart import Grammar
from agents.understanding.time.rules_clock import hour
from agents.understanding.time.values import Moment, Number, OfDay, Zone

RULES = Grammar()
REGIONS = (
    ("pacific", "America/Los_Angeles"),
    ("mountain", "America/Denver"),
    ("central", "America/Chicago"),
    ("eastern", "America/New_York"),
)

for region, name in REGIONS:
    RULES.rule(region, "standard|daylight|?", "time|timezone")(lambda name=name: Zone(name))
RULES.rule("greenwich", "mean|?", "time")(lambda: Zone("UTC"))


for region, name in REGIONS:

    def _in_region(clock: OfDay, name: str = name) -> OfDay | None:
        """Like "3pm eastern"; see describing.py for "3pm central station"."""
        return None if clock.bare or clock.part else replace(clock, zone=name)

    RULES.rule(OfDay, region)(_in_region)


@RULES.rule(OfDay, Zone)
def _zoned(clock: OfDay, zone: Zone) -> OfDay:
    return replace(clock, zone=zone.name, bare=False)


@RULES.rule(Number, "h|hrs|o'clock|?", Zone)
def _hour_zoned(number: Number, zone: Zone) -> OfDay | None:
    clock = hour(number)
    return replace(clock, zone=zone.name, bare=False) if clock else None


@RULES.rule(Moment, Zone)
def _moment_zoned(moment: Moment, zone: Zone) -> Moment | None:
    """Like "8am tomorrow est"."""
    clock = moment.time
    return replace(moment, time=_zoned(clock, zone)) if clock and not clock.zone and not clock.part else None


@RULES.rule(OfDay, "(", Zone, ")")
def _zone_in_brackets(clock: OfDay, zone: Zone) -> OfDay:
    return _zoned(clock, zone)

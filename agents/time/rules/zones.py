"""Clock times in a zone that is said: "9:30 pst", "at 8 gmt", "3pm eastern time", "10am london time"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.clock import hour
from agents.time.values import Moment, Number, OfDay, Zone
from agents.time.words import tables

RULES = Grammar()
for name, places in tables()["cities"].items():
    RULES.rule(places, "time", name=name)(Zone)
for region, name in tables()["regions"].items():
    RULES.rule(region, "standard|daylight|?", "time|timezone", name=name)(Zone)

    @RULES.rule(OfDay, region, name=name)
    def _in_region(clock: OfDay, name: str) -> OfDay | None:
        """Like "3pm eastern"; see lookalikes.py for "3pm central station"."""
        return None if clock.part not in (None, "noon", "midnight") else replace(clock, zone=name, bare=False)


RULES.rule("greenwich", "mean|?", "time")(lambda: Zone("UTC"))


@RULES.rule(OfDay, Zone)
def _clock_in_zone(clock: OfDay, zone: Zone) -> OfDay:
    return replace(clock, zone=zone.name, bare=False)


@RULES.rule(Number, "h|hrs|o'clock|?", Zone)
def _hour_zoned(number: Number, zone: Zone) -> OfDay | None:
    clock = hour(number)
    return replace(clock, zone=zone.name, bare=False) if clock else None


RULES.rule(OfDay, "local|my|our", "time")(lambda clock: clock)


@RULES.rule(Moment, Zone)
def _moment_zoned(moment: Moment, zone: Zone) -> Moment | None:
    """Like "8am tomorrow est"."""
    clock = moment.time
    return replace(moment, time=_clock_in_zone(clock, zone)) if clock and not clock.zone and not clock.part else None

"""Clock times in a zone that is said: "9:30 pst", "at 8 gmt", "3pm eastern time", "10am london time"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules_clock import hour
from agents.time.values import Moment, Number, OfDay, Zone

RULES = Grammar()
REGIONS = (
    ("pacific", "America/Los_Angeles"),
    ("mountain", "America/Denver"),
    ("central", "America/Chicago"),
    ("eastern", "America/New_York"),
)
CITIES = (
    ("london|uk|british", "Europe/London"),
    ("lisbon|portuguese", "Europe/Lisbon"),
    ("paris|french|berlin|german|madrid|rome|amsterdam|brussels|vienna|zurich|stockholm|oslo", "Europe/Paris"),
    ("athens|helsinki|kyiv", "Europe/Athens"),
    ("moscow|istanbul", "Europe/Moscow"),
    ("cairo", "Africa/Cairo"),
    ("johannesburg|cape town", "Africa/Johannesburg"),
    ("lagos", "Africa/Lagos"),
    ("nairobi", "Africa/Nairobi"),
    ("dubai", "Asia/Dubai"),
    ("india|indian|delhi|mumbai|bangalore", "Asia/Kolkata"),
    ("singapore", "Asia/Singapore"),
    ("beijing|china|shanghai|hong kong", "Asia/Shanghai"),
    ("tokyo|japan|seoul", "Asia/Tokyo"),
    ("sydney|melbourne", "Australia/Sydney"),
    ("auckland", "Pacific/Auckland"),
    ("new york|boston|toronto|miami", "America/New_York"),
    ("chicago", "America/Chicago"),
    ("denver", "America/Denver"),
    ("los angeles|san francisco|seattle|california", "America/Los_Angeles"),
    ("mexico city", "America/Mexico_City"),
    ("sao paulo", "America/Sao_Paulo"),
)

for places, name in CITIES:
    for place in places.split("|"):
        RULES.rule(*place.split(), "time")(lambda name=name: Zone(name))
for region, name in REGIONS:
    RULES.rule(region, "standard|daylight|?", "time|timezone")(lambda name=name: Zone(name))
RULES.rule("greenwich", "mean|?", "time")(lambda: Zone("UTC"))


for region, name in REGIONS:

    def _in_region(clock: OfDay, name: str = name) -> OfDay | None:
        """Like "3pm eastern"; see describing.py for "3pm central station"."""
        return None if clock.part not in (None, "noon", "midnight") else replace(clock, zone=name, bare=False)

    RULES.rule(OfDay, region)(_in_region)


@RULES.rule(OfDay, Zone)
def _zoned(clock: OfDay, zone: Zone) -> OfDay:
    return replace(clock, zone=zone.name, bare=False)


@RULES.rule(Number, "h|hrs|o'clock|?", Zone)
def _hour_zoned(number: Number, zone: Zone) -> OfDay | None:
    clock = hour(number)
    return replace(clock, zone=zone.name, bare=False) if clock else None


@RULES.rule(OfDay, "local|my|our", "time")
def _here(clock: OfDay) -> OfDay:
    return clock


@RULES.rule(Moment, Zone)
def _moment_zoned(moment: Moment, zone: Zone) -> Moment | None:
    """Like "8am tomorrow est"."""
    clock = moment.time
    return replace(moment, time=_zoned(clock, zone)) if clock and not clock.zone and not clock.part else None

"""Edges of a stretch: "end of june", "at the beginning of 2027", "mid-march", "early next week"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.units import of_year
from agents.time.values import CALENDAR_UNITS, Day, Number, Unit

RULES = Grammar()


def _edge(day: Day, edge: str) -> Day | None:
    if day.grain in ("day", "weekend"):
        return day if edge == "end" and day.grain == "day" else None
    base = day.explicit
    if edge == "end" and day.grain == "week":
        return Day("nth", (4, 1, base))
    return Day("middle", (base,)) if edge == "middle" else Day("edge", (base, edge))


def _unit_edge(unit: Unit, edge: str) -> Day | None:
    this = Day("unit", (0, unit.grain), unit.grain)
    return _edge(this, edge) if unit.grain in CALENDAR_UNITS else None


def _third(day: Day, third: int) -> Day | None:
    coarse = day.grain in ("month", "year", "week", "quarter")
    return Day("third", (day.explicit, third), "week") if coarse else None


for stretch, edge in (("end|close", "end"), ("beginning|start", "start"), ("middle|mid", "middle")):
    RULES.rule("at|?", "the|?", stretch, "of", Day, edge=edge)(_edge)
    RULES.rule("at|?", "the|?", stretch, "of", "the|?", Unit, edge=edge)(_unit_edge)
    RULES.rule("at|?", "the|?", stretch, "of", Number, edge=edge)(of_year(_edge))
RULES.rule("mid", "-|?", Day, edge="middle")(_edge)
RULES.rule("mid", "-|?", Number, edge="middle")(of_year(_edge))
for word, third in (("early", 0), ("late", 2)):
    RULES.rule(word, "in|?", Day, third=third)(_third)
    RULES.rule(word, "in|?", Number, third=third)(of_year(_third))
RULES.rule("at|?", "the|?", "eom", unit=Unit("month"), edge="end")(_unit_edge)
RULES.rule("at|?", "the|?", "bom", unit=Unit("month"), edge="start")(_unit_edge)
RULES.rule("at|?", "the|?", "eow")(lambda: Day("weekday", (4, "this")))
RULES.rule("at|?", "the|?", "eoy", unit=Unit("year"), edge="end")(_unit_edge)
RULES.rule("at", Unit, "-|?", "end", edge="end")(_unit_edge)


@RULES.rule(Unit, "-|?", "end")
def _unit_end(unit: Unit) -> Day | None:
    """Like "by month end"; "year end report" only describes."""
    found = _unit_edge(unit, "end")
    return found and replace(found, latent=True)

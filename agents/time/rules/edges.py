"""Edges of a stretch: "end of june", "at the beginning of 2027", "mid-march", "early next week"."""

from __future__ import annotations

from dataclasses import replace

from agents.time.chart import Grammar
from agents.time.rules.days import CALENDAR_UNITS, is_year
from agents.time.values import Day, Number, Unit

RULES = Grammar()

for stretch, edge in (("end|close", "end"), ("beginning|start", "start"), ("middle|mid", "middle")):

    def _of_stretch(day: Day, edge: str = edge) -> Day | None:
        return _edge(day, edge)

    def _of_unit(unit: Unit, edge: str = edge) -> Day | None:
        return _edge(Day("unit", (0, unit.grain), unit.grain), edge) if unit.grain in CALENDAR_UNITS else None

    def _of_year(year: Number, edge: str = edge) -> Day | None:
        return _edge(Day("year", (year.whole,), "year"), edge) if is_year(year) and year.width == 4 else None

    RULES.rule("at|?", "the|?", stretch, "of", Day)(_of_stretch)
    RULES.rule("at|?", "the|?", stretch, "of", "the|?", Unit)(_of_unit)
    RULES.rule("at|?", "the|?", stretch, "of", Number)(_of_year)
RULES.rule("mid", "-|?", Day)(lambda day: _edge(day, "middle"))
RULES.rule("mid", "-|?", Number)(lambda year: _of_year(year, "middle"))
for word, third in (("early", 0), ("late", 2)):

    def _third(day: Day, third: int = third) -> Day | None:
        coarse = day.grain in ("month", "year", "week", "quarter")
        return Day("third", (replace(day, latent=False), third), "week") if coarse else None

    def _third_of_year(year: Number, third: int = third) -> Day | None:
        whole = Day("year", (year.whole,), "year")
        return Day("third", (whole, third), "week") if is_year(year) and year.width == 4 else None

    RULES.rule(word, "in|?", Day)(_third)
    RULES.rule(word, "in|?", Number)(_third_of_year)
RULES.rule("at|?", "the|?", "eom")(lambda: _edge(Day("unit", (0, "month"), "month"), "end"))
RULES.rule("at|?", "the|?", "bom")(lambda: _edge(Day("unit", (0, "month"), "month"), "start"))
RULES.rule("at|?", "the|?", "eow")(lambda: Day("weekday", (4, "this")))
RULES.rule("at|?", "the|?", "eoy")(lambda: _edge(Day("unit", (0, "year"), "year"), "end"))


@RULES.rule(Unit, "-|?", "end")
def _unit_end(unit: Unit) -> Day | None:
    """Like "by month end"; "year end report" only describes."""
    found = _edge(Day("unit", (0, unit.grain), unit.grain), "end") if unit.grain in CALENDAR_UNITS else None
    return found and replace(found, latent=True)


@RULES.rule("at", Unit, "-|?", "end")
def _at_unit_end(unit: Unit) -> Day | None:
    found = _unit_end(unit)
    return found and replace(found, latent=False)


def _edge(day: Day, edge: str) -> Day | None:
    if day.grain in ("day", "weekend"):
        return day if edge == "end" and day.grain == "day" else None
    base = replace(day, latent=False)
    if edge == "end" and day.grain == "week":
        return Day("nth", (4, 1, base))
    return Day("middle", (base,)) if edge == "middle" else Day("edge", (base, edge))

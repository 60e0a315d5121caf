"""Some of the weekdays of a series dropped: "drop the tuesdays" of a class on tuesdays and thursdays."""

from __future__ import annotations

import re
from datetime import timedelta

from agents.contract import Proposal
from agents.index.items import Item
from agents.understanding.outcome import propose
from agents.understanding.values import forms

DAYS = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*days\b", re.IGNORECASE)
OF_RULE = re.compile(r"BYDAY=([A-Z,]+)")
DAILY = re.compile(r"FREQ=DAILY(?!.*INTERVAL)")
WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOMENTS = ("start", "end", "deadline", "remind_at")


def weekdays_in(text: str) -> set[str]:
    """Return the weekdays that words name in the plural, as rules have them."""
    return {name[:2].upper() for name in DAYS.findall(text)}


def days_of_rule(rule: str) -> list[str]:
    """Return the weekdays of a rule."""
    found = OF_RULE.search(rule)
    return found[1].split(",") if found else []


def without_days(item: Item, dropped: set[str]) -> Proposal | None:
    """Return the series without some weekdays; None where these are all of its days, or none of them."""
    rule = DAILY.sub(f"FREQ=WEEKLY;BYDAY={','.join(WEEK)}", getattr(item.record, "recurrence", None) or "")
    days = days_of_rule(rule)
    kept = [day for day in days if day not in dropped]
    if not dropped or not dropped <= set(days) or not kept or "WEEKLY" not in rule:
        return None
    fields: dict[str, object] = {"recurrence": OF_RULE.sub(f"BYDAY={','.join(kept)}", rule)}
    moments = {name: moment for name in MOMENTS if (moment := getattr(item.record, name, None))}
    first = next(iter(moments.values()), None)
    if first is not None and WEEK[first.weekday()] not in kept:
        ahead = timedelta(days=min((WEEK.index(day) - first.weekday()) % len(WEEK) for day in kept))
        fields |= {name: forms.moment(moment + ahead) for name, moment in moments.items()}
    return propose(item, "update", fields, "you dropped some of its days")

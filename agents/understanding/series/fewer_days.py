"""Some of the weekdays of a series dropped: "drop the tuesdays" of a class on tuesdays and thursdays."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from agents.contract import Proposal
from agents.records import Event
from agents.understanding.values import forms

DAYS = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)[a-z]*days\b", re.IGNORECASE)
OF_RULE = re.compile(r"BYDAY=([A-Z,]+)")
WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def without_days(event: Event, text: str) -> Proposal | None:
    """The series without the weekdays named in the plural; None where these are all of its days, or none of them."""
    rule = OF_RULE.search(event.recurrence or "")
    dropped = {name[:2].upper() for name in DAYS.findall(text)}
    days = rule[1].split(",") if rule else []
    kept = [day for day in days if day not in dropped]
    if rule is None or not dropped or not dropped <= set(days) or not kept or "WEEKLY" not in str(event.recurrence):
        return None
    fields = {"recurrence": OF_RULE.sub(f"BYDAY={','.join(kept)}", str(event.recurrence))}
    if WEEK[event.start.weekday()] not in kept:
        ahead = timedelta(days=min((WEEK.index(day) - event.start.weekday()) % len(WEEK) for day in kept))
        fields |= {
            name: _format_moment(getattr(event, name) + ahead) for name in ("start", "end") if getattr(event, name)
        }
    return Proposal(op="update", kind="event", record_id=event.id, fields=fields, reason="you dropped some of its days")


def _format_moment(moment: object) -> str:
    return forms.instant(moment) if isinstance(moment, datetime) else forms.day(moment)  # type: ignore[arg-type]

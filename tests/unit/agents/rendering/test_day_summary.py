from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from agents.records import ToDo
from agents.rendering.day_summary import Happening, say_day_ahead

NOW = datetime(2026, 11, 21, 7, tzinfo=ZoneInfo("Europe/Lisbon"))
HEAD = "Your day, Saturday 21 November:"


def todo(task: str, deadline: Any, **fields: Any) -> ToDo:
    return ToDo(id=task, task=task, deadline=deadline, created_at=NOW, updated_at=NOW, **fields)


def test_an_empty_day_is_said_to_be_one() -> None:
    assert say_day_ahead([], [], NOW) == f"{HEAD} nothing is on and nothing is due."


def test_whole_days_come_first_and_clocks_are_the_users() -> None:
    found = [Happening("dentist", NOW.replace(hour=15)), Happening("holiday", NOW.replace(hour=0), whole_day=True)]
    assert say_day_ahead(found, [], NOW) == f"{HEAD} 2 events: “holiday” all day and “dentist” at 15:00."


def test_what_is_overdue_stands_apart_from_what_is_due() -> None:
    due = [
        todo("taxes", (NOW - timedelta(days=1)).date()),
        todo("call", NOW + timedelta(hours=2)),
        todo("tidy", NOW.date()),
    ]
    assert say_day_ahead([], due, NOW) == (
        f"{HEAD} nothing is on your calendar. Overdue: “taxes” (since yesterday). "
        "Due today: “call” at 09:00 and “tidy”."
    )


def test_an_overdue_series_tells_how_many_rounds_were_missed() -> None:
    due = [todo("water the plants", (NOW - timedelta(days=3)).date(), recurrence="FREQ=DAILY")]
    assert say_day_ahead([], due, NOW).endswith(
        "Overdue: “water the plants” (since Wednesday 18 November, 3 rounds missed)."
    )


def test_a_full_day_is_cut_short() -> None:
    found = [Happening(f"e{hour}", NOW.replace(hour=hour)) for hour in range(8, 22)]
    assert say_day_ahead(found, [], NOW).endswith("“e16” at 16:00, “e17” at 17:00 and 4 more.")

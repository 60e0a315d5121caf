from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from agents.phrases import reads_english, say_count, say_duration, say_list, say_span, say_when

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=ZoneInfo("Europe/Lisbon"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (datetime(2026, 11, 19, 17, 0, tzinfo=NOW.tzinfo), "tomorrow at 17:00"),
        (datetime(2026, 11, 27, 15, 0, tzinfo=ZoneInfo("Europe/Berlin")), "Friday 27 November at 14:00"),
        (date(2026, 11, 18), "today"),
        (date(2027, 1, 1), "Friday 1 January 2027"),
    ],
)
def test_when(value: date, words: str) -> None:
    assert say_when(value, NOW) == words


def test_spans_name_the_day_once() -> None:
    start, end = NOW.replace(hour=14, minute=0), NOW.replace(hour=15, minute=0)
    assert say_span(start, end, NOW) == "today from 14:00 to 15:00"
    assert say_span(start, end.replace(day=19), NOW) == "today at 14:00 to tomorrow at 15:00"
    assert say_span(date(2026, 11, 19), date(2026, 11, 21), NOW) == "tomorrow to Saturday 21 November"


@pytest.mark.parametrize(
    ("minutes", "words"), [(45, "45 minutes"), (90, "1 hour 30 minutes"), (1500, "1 day 1 hour"), (0, "0 minutes")]
)
def test_durations(minutes: int, words: str) -> None:
    assert say_duration(minutes) == words


def test_lists_and_counts() -> None:
    assert [say_list([]), say_list(["a"]), say_list(["a", "b", "c"])] == ["", "a", "a, b and c"]
    assert [say_count(1, "entry"), say_count(0, "entry"), say_count(2, "task")] == ["1 entry", "0 entries", "2 tasks"]


@pytest.mark.parametrize(
    ("text", "declared", "english"),
    [
        ("I can't look that up, but most flats have a meter in the hall.", "", True),
        ("Blot it with a cloth, then dab on some soda.", "de", True),
        ("Ich habe den Zahnarzt auf Freitag verschoben.", "en", False),
        ("Pronto, movi a reunião para quarta-feira.", "", False),
        ("J'ai supprimé toutes tes tâches de demain.", "", False),
        ("Listo, he borrado la lista de la compra.", "en", False),
        ("予定を削除しました 会議 火曜日 水曜日 木曜日", "", False),
        ("Apaguei a tarefa do dia e a lista no calendário.", "", False),
        ("Ik heb de afspraak met de tandarts verplaatst.", "", False),
        ("Erledigt!", "de", False),
        ("You're welcome!", "en", True),
        ("", "de", True),
    ],
)
def test_english_is_told_by_its_common_words(text: str, declared: str, english: bool) -> None:  # noqa: FBT001
    assert reads_english(text, declared) is english

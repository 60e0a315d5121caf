from __future__ import annotations

import pytest

from agents.phrases import reads_english, say_count, say_list


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

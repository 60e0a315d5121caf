"""Names that facts tie together."""

from __future__ import annotations

import pytest

from app.memory.model.memory import Fact
from app.memory.names import names_of, swap_names

FACTS = [Fact("sister", "Anjali Rao"), Fact("shoe size", "39"), Fact("tea", "no milk"), Fact("favourite town", "Porto")]


@pytest.mark.parametrize(
    ("subject", "names"),
    [
        ("Sister", ["sister", "anjali rao"]),
        ("anjali  rao", ["anjali rao", "sister"]),
        ("Porto", ["porto", "favourite town"]),
        ("shoe size", ["shoe size"]),
        ("tea", ["tea"]),
        ("boiler", ["boiler"]),
    ],
)
def test_a_fact_whose_value_is_a_name_gives_another_name_both_ways(subject: str, names: list[str]) -> None:
    assert names_of(subject, FACTS) == names


@pytest.mark.parametrize(
    ("question", "again"),
    [
        ("When is my sister's baby due?", ["When is my Anjali Rao's baby due?"]),
        ("Did anjali rao call?", ["Did sister call?"]),
        ("Who are my sisters?", []),
        ("What is my shoe size?", []),
    ],
)
def test_a_question_is_asked_again_by_another_name(question: str, again: list[str]) -> None:
    assert list(swap_names(question, FACTS)) == again

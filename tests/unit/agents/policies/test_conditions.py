"""Limits that hold only under a condition no rule can look up stay advice; they would be enforced always."""

from __future__ import annotations

import pytest

from agents.policies import compiled


@pytest.mark.parametrize(
    "text",
    [
        "don't book anything before eleven on days after a late shift",
        "no meetings before 10 when Marta is here",
        "nothing after 6pm if I was up early",
        "never schedule on mondays unless I say so",
        "no meetings on fridays in the school holidays",
        "do not disturb until 4pm",
    ],
)
def test_a_condition_makes_advice_of_a_limit(text: str) -> None:
    assert compiled(text) == ()


def test_a_limit_about_one_kind_of_task_is_about_no_other() -> None:
    (rule,) = compiled("don't remind me about vitamins on weekends")
    assert rule.model_dump()["about"] == ("vitamins",)
    assert compiled("no tasks on sundays")[0].model_dump()["about"] == ()

"""From when on a fact holds, where its words say so; on Wednesday 18 November 2026."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.asking import proposals


def fields(words: str, **given: Any) -> dict[str, Any]:
    (proposal,) = proposals(words, **given)
    assert proposal.kind == "profile"
    return proposal.fields


@pytest.mark.parametrize(
    ("words", "stated"),
    [
        ("since march i work at Acme", {"job": "at Acme", "since": {"job": "2026-03-01"}}),
        ("I've been working as a nurse since 2019", {"job": "nurse", "since": {"job": "2019-01-01"}}),
        ("I live in Porto since last year", {"location": "Porto", "since": {"location": "2025-01-01"}}),
        ("as of monday i work as a designer", {"job": "designer", "since": {"job": "2026-11-16"}}),
        ("I moved to Porto last month", {"location": "Porto", "since": {"location": "2026-10-01"}}),
        ("I started as a nurse in june", {"job": "nurse", "since": {"job": "2026-06-01"}}),
        ("I work as a baker", {"job": "baker"}),
        ("I work in marketing in Berlin", {"job": "marketing in Berlin"}),
    ],
)
def test_the_day_goes_with_the_fact(words: str, stated: dict[str, Any]) -> None:
    assert fields(words) == stated

"""The policy, for every situation there is: expected decisions are stated by rules of their own."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from typing import get_args
from uuid import UUID

import pytest

from app.work.runs.model.runs import Allowance
from app.work.runs.tools.files import file_tools
from app.work.runs.tools.policy import Decision, Manner, Situation, is_named, rule, situation_of
from app.work.runs.tools.tool import Risk, ToolContext, registry_of
from tests.support.ledgers import NOW

USER = UUID(int=1)

ALLOWANCES: tuple[Allowance, ...] = ("send", "delete", "execute", "write")
GRANTS = [frozenset(some) for size in (0, 1, 2) for some in combinations(ALLOWANCES, size)]
SITUATIONS = [
    Situation(risk, manner, tainted, granted, named, allowed)
    for risk, manner, tainted, granted, named, allowed in product(
        get_args(Risk), get_args(Manner), (False, True), (False, True), (False, True), GRANTS
    )
]


def expected(situation: Situation) -> Decision:
    """What a person would say, from the most dangerous down."""
    if situation.risk == "execute" and not situation.granted:
        return "deny"
    if situation.manner == "fetches":
        return "ask" if situation.tainted and not situation.named else "allow"
    manners = {"deletes": "delete", "outside": "write"}
    needs = situation.risk if situation.risk in {"send", "execute"} else manners.get(situation.manner)
    if needs is None:
        return "ask" if situation.manner == "instructs" else "allow"
    return "allow" if needs in situation.allowed and not situation.tainted else "ask"


def test_every_situation() -> None:
    assert len(SITUATIONS) == 4 * 5 * 8 * len(GRANTS)
    wrong = [one for one in SITUATIONS if rule(one).decision != expected(one)]
    assert wrong == []


@pytest.mark.parametrize(
    ("name", "arguments", "decision"),
    [
        ("write_file", {"path": "mine.txt", "content": "x"}, "allow"),
        ("write_file", {"path": "/own/mine.txt", "content": "x"}, "allow"),
        ("write_file", {"path": "/shared/x.txt", "content": "x"}, "ask"),
        ("write_file", {"path": "/owned/x.txt", "content": "x"}, "ask"),
        ("copy_file", {"source": "/shared/x.txt", "target": "mine.txt"}, "allow"),
        ("copy_file", {"source": "mine.txt", "target": "/shared/x.txt"}, "ask"),
        ("move_file", {"source": "/shared/x.txt", "target": "mine.txt"}, "ask"),
        ("move_file", {"source": "mine.txt", "target": "yours.txt"}, "allow"),
        ("read_file", {"path": "/shared/x.txt"}, "allow"),
    ],
)
def test_writing_outside_ones_own_folder_is_asked_about(
    name: str, arguments: dict[str, str], decision: Decision
) -> None:
    tool = registry_of(file_tools()).tools[name]
    form = tool.form.model_validate(arguments)
    around = ToolContext(USER, USER, USER, NOW, "UTC", roots=[Path("/own"), Path("/shared")])
    assert rule(situation_of(tool, form, around, tainted=False)).decision == decision
    freed = replace(around, allowed=["write"])
    assert rule(situation_of(tool, form, freed, tainted=False)).decision == "allow"
    assert rule(situation_of(tool, form, freed, tainted=True)).decision == decision


def test_a_taint_never_allows_more() -> None:
    order: list[Decision] = ["allow", "ask", "deny"]
    for one in SITUATIONS:
        if not one.tainted:
            tainted = Situation(one.risk, one.manner, True, one.granted, one.named, one.allowed)  # noqa: FBT003
            assert order.index(rule(tainted).decision) >= order.index(rule(one).decision), one


@pytest.mark.parametrize(
    ("url", "said", "named"),
    [
        ("https://example.org/a", "look at example.org please", True),
        ("https://example.org/a", "look at https://example.org/other.", True),
        ("https://EXAMPLE.org", "Example.ORG", True),
        ("https://example.org.evil.net/", "look at example.org", False),
        ("https://evil-example.org/", "look at example.org", False),
        ("https://example.org/", "look at www.example.org", False),
        ("https://example.org/", "example.org.uk", False),
        ("https://x@evil.net/example.org", "example.org", False),
        ("https://evil.net/", "", False),
    ],
)
def test_which_hosts_the_user_has_named(url: str, said: str, named: bool) -> None:  # noqa: FBT001
    assert is_named(url, [said]) is named

"""Words that are corrected while something acts on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from agents.contract import Change
from app.errors import Conflict
from app.turns.correction import take_back
from app.turns.model.turns import Turn, TurnState
from tests.support.ledgers import LISBON, NOW

ASKED = Turn(
    id=uuid4(),
    user_id=uuid4(),
    thread_id=uuid4(),
    seq=1,
    state="waiting",
    text="call mom",
    memo_id=uuid4(),
    captured_at=NOW,
    timezone=LISBON,
    generation=1,
    attempt=1,
    cancel_requested=False,
    created_at=NOW,
    unsure=True,
)


class Followed:
    """An inbox in which one turn came after the question."""

    def __init__(self, later: Turn | None) -> None:
        self._later = later

    async def follow_up(self, _turn: Turn) -> Turn | None:
        return self._later


async def undo(_user: UUID, _turn: UUID, _origin: UUID) -> list[Change]:
    raise Conflict("There is nothing to undo.")


def answer(state: TurnState) -> Turn:
    return replace(ASKED, id=uuid4(), seq=2, state=state, text="yes", unsure=False)


@pytest.mark.parametrize("state", ["queued", "running"])
async def test_uncertain_words_stay_while_a_yes_to_them_may_be_at_work(state: TurnState) -> None:
    inbox: Any = Followed(answer(state))
    with pytest.raises(Conflict, match="acted on just now"):
        await take_back(inbox, undo, ASKED)


@pytest.mark.parametrize("later", [None, answer("done")], ids=["none", "done"])
async def test_uncertain_words_are_corrected_when_nothing_is_at_work(later: Turn | None) -> None:
    inbox: Any = Followed(later)
    await take_back(inbox, undo, ASKED)

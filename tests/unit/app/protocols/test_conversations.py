"""Which number is free, of numbers that are taken in their order."""

from __future__ import annotations

import pytest

from app.protocols.openai.conversations import first_that_is_not


@pytest.mark.parametrize("taken", [*range(9), 15, 16, 17, 1440])
async def test_the_first_free_number_is_found_by_few_looks(taken: int) -> None:
    looked: list[int] = []

    async def is_there(number: int) -> bool:
        looked.append(number)
        return number < taken

    assert await first_that_is_not(is_there) == taken
    assert len(looked) <= 2 * taken.bit_length() + 1

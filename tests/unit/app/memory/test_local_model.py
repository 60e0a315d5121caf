"""The local model is everybody's: what one user has embedded in bulk holds up no other one's question."""

from __future__ import annotations

import asyncio
import json
from array import array
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.memory.vectors.local_model import DIMENSIONS, PIECE_CHARS, PIECE_TEXTS, READ_CHARS, LocalModel, pieces
from app.models.model.embeddings import NoEmbeddings
from app.principal import Principal, acting_as

BUSY, CALM = UUID(int=1), UUID(int=2)


class Broken:
    """A process that answers with too few numbers."""

    pid = None

    async def exchange(self, *messages: bytes, seconds: float | None = None) -> bytes:
        return b""

    async def close(self) -> None:
        """There is nothing to end."""


async def test_a_process_that_fails_at_statements_says_so() -> None:
    with pytest.raises(NoEmbeddings):
        await LocalModel(Path(__file__), 60.0, Broken()).score("where?", ["there", "here"])


class SlowProcess:
    """Embeds one piece when it is told to go on; each vector begins with the length of its text."""

    pid = None

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self._steps = asyncio.Semaphore(0)

    def go_on(self) -> None:
        self._steps.release()

    async def exchange(self, *messages: bytes, seconds: float | None = None) -> bytes:
        texts = json.loads(messages[0])
        self.asked.append(texts)
        await self._steps.acquire()
        vectors = array("f")
        for text in texts:
            vectors.extend([len(text), *[0.0] * (DIMENSIONS - 1)])
        return vectors.tobytes()

    async def close(self) -> None:
        """There is nothing to end."""


async def embed(model: LocalModel, user: UUID, texts: list[str]) -> list[float]:
    with acting_as(Principal(user)):
        return [vector[0] for vector in await model.embed(texts)]


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_question_waits_for_one_piece_of_another_users_hundreds() -> None:
    process = SlowProcess()
    model = LocalModel(Path(__file__), 60.0, process)
    many = [f"{'x' * (number % 7)}{'y' * READ_CHARS}" for number in range(40)]
    bulk = [asyncio.create_task(embed(model, BUSY, many)) for _ in range(5)]
    await settle()
    question = asyncio.create_task(embed(model, CALM, ["where is the key?"]))
    await settle()
    for _ in range(2):
        process.go_on()
        await settle()
    assert question.done()
    assert await question == [17.0]
    assert process.asked[1] == ["where is the key?"]
    while not all(task.done() for task in bulk):
        process.go_on()
        await settle()
    for task in bulk:
        assert await task == [float(len(text)) for text in many]


async def test_two_users_with_much_to_embed_take_turns() -> None:
    process = SlowProcess()
    model = LocalModel(Path(__file__), 60.0, process)
    tasks = [asyncio.create_task(embed(model, user, [str(user.int) * READ_CHARS] * 6)) for user in (BUSY, CALM)]
    while not all(task.done() for task in tasks):
        await settle()
        process.go_on()
    assert [texts[0][0] for texts in process.asked] == ["1", "2"] * 6


@given(st.lists(st.integers(0, 3 * READ_CHARS), max_size=60))
def test_pieces_are_small_and_the_whole(lengths: list[int]) -> None:
    texts = ["x" * length for length in lengths]
    found = list(pieces(texts))
    assert [text for piece in found for text in piece] == texts
    for piece in found:
        assert 1 <= len(piece) <= PIECE_TEXTS
        assert len(piece) == 1 or sum(min(len(text), READ_CHARS) for text in piece) <= PIECE_CHARS

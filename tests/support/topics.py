"""What somebody said of two subjects, and the topics that are found in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from app.database.database import Database
from app.memory.model.memory import Document
from app.memory.store.memory import MemoryIndex
from app.memory.store.topics import Topics
from app.memory.topics import TopicKeeper
from app.memory.units import units_of
from app.models.model.embeddings import Embedder
from tests.support.sayings import START

SAID = (
    "The boiler is leaking again.",
    "Teresa plays the cello at the conservatory.",
    "The plumber says the boiler is too old.",
    "The new boiler costs two thousand.",
    "On Friday Teresa has a cello concert.",
    "The tram was late.",
    "The strings of the cello that Teresa plays broke.",
)


async def say(database: Database, user: UUID, texts: Sequence[str], model: Embedder | None = None) -> None:
    """Each text is a memo of a day."""
    index = MemoryIndex(database)
    documents = [Document("memo", f"memo-{day}", text, START + timedelta(days=day)) for day, text in enumerate(texts)]
    ids = await index.keep(user, [(one, units_of(one)) for one in documents])
    if model:
        await index.keep_vectors(user, model.model, ids, await model.embed(texts))
        await index.switch(user, model.model)


def keeper(database: Database, minutes: float = 0, most: int = 1000) -> TopicKeeper:
    return TopicKeeper(Topics(database), minutes, most)


async def say_and_find(url: str, user: UUID) -> None:
    async with Database(url) as database:
        await say(database, user, [*SAID, "I need to call the dentist."])
        await keeper(database).run(user)

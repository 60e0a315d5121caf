"""What changed comes into the index: its words first, so that they are found at once, then its vectors.

The trigger ``memory_changed`` (``app/database/migrations/08_memory.sql``) queues each memo, note, profile and message
of a user that is written or deleted. ``Indexer`` takes it from there: in the job ``index_memory``, or in ``catch_up``
before a search.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.memory.model.memory import Embedders, NewUnit, Waiting
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.memory.units import units_of
from app.memory.wording import embedding_text
from app.models.model.embeddings import NoEmbeddings

log = logging.getLogger(__name__)

DOCUMENTS, UNITS = 50, 64
"""Done at once, each in a transaction of its own: what was done is done, whatever comes between."""
MOST_USERS = 100
MAX_FRESH_DOCUMENTS = 20
"""Documents that a search takes in before it looks; a longer queue is left to its job."""
FRESH_SECONDS = 1.0
TRY_AGAIN_SECONDS = 60.0
"""After a model could not be had."""


@dataclass(frozen=True)
class Indexer:
    """Keeps users' indexes up to date; what is deleted is hidden at once and removed after ``keep_days``.

    A search waits at most ``fresh_seconds`` for what was said just before it.
    """

    sources: MemorySources
    index: MemoryIndex
    embedders: Embedders
    keep_days: float
    fresh_seconds: float = FRESH_SECONDS

    async def users(self) -> list[UUID]:
        """Users for whom there is something to do."""
        return await self.sources.users(self._retention_cutoff(), self.embedders.usual, MOST_USERS)

    async def run(self, user_id: UUID) -> None:
        """Bring one user's index up to date; may be cut short anywhere and run again."""
        while waiting := await self.sources.waiting(user_id, DOCUMENTS):
            await self._index(user_id, waiting)
            if len(waiting) < DOCUMENTS:
                break  # what came meanwhile has a job of its own in three seconds
        await self.index.purge(user_id, self._retention_cutoff())
        await self._embed(user_id)

    async def catch_up(self, user_id: UUID) -> None:
        """Take in what was said last, before a search; what is left, or cannot be taken in, is the job's."""
        try:
            async with asyncio.timeout(self.fresh_seconds):
                if waiting := await self.sources.latest(user_id, MAX_FRESH_DOCUMENTS):
                    await self._embed_new(user_id, await self._index(user_id, waiting))
        except (TimeoutError, NoEmbeddings):
            return
        except Exception as error:  # noqa: BLE001 - what can be found is found, whatever it was
            log.warning("memory is searched without what was said last (%s)", type(error).__name__)

    async def _embed_new(self, user_id: UUID, units: Sequence[NewUnit]) -> None:
        """Give new units vectors, where the search goes by them; the first units of all are what it begins with."""
        embedder = (await self.embedders.of(user_id))[0]
        model = await self.index.model_of(user_id)
        if units and not model:
            await self._embed(user_id)
        elif units and model == embedder.model:
            vectors = await embedder.embed([embedding_text(unit) for _, unit in units])
            await self.index.keep_vectors(user_id, embedder.model, [place for place, _ in units], vectors)

    async def _index(self, user_id: UUID, waiting: Sequence[Waiting]) -> list[NewUnit]:
        documents = await self.sources.read(user_id, waiting)
        found = {(one.source, one.id) for one in documents}
        gone = [(one.source, one.document) for one in waiting if (one.source, one.document) not in found]
        # In a thread: a long document would keep the event loop from everybody else.
        cut = await asyncio.to_thread(lambda: [(document, units_of(document)) for document in documents])
        units = await self.index.keep_waiting(user_id, cut)
        if gone:
            await self.index.hide(user_id, gone)
        await self.sources.dequeue(user_id, waiting)
        return units

    async def _embed(self, user_id: UUID) -> None:
        """Give each unit a vector of the wanted model, beside those of another; then the search goes by this one."""
        embedder = (await self.embedders.of(user_id))[0]
        model = embedder.model
        while units := await self.index.without_vectors(user_id, model, UNITS):
            try:
                vectors = await embedder.embed([text for _, text in units])
            except NoEmbeddings:
                await self.index.try_later(user_id, TRY_AGAIN_SECONDS)
                return
            await self.index.keep_vectors(user_id, model, [unit for unit, _ in units], vectors)
            if len(units) < UNITS:
                break
        await self.index.switch(user_id, model)

    def _retention_cutoff(self) -> datetime:
        return datetime.now(UTC) - timedelta(days=self.keep_days)

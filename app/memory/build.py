"""The part of the composition root that is about memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from procrastinate import App

from app.database.database import Database
from app.database.jobs import Job
from app.database.model import ReadyCheck
from app.memory.answering import Answering, AnswerLimits
from app.memory.indexing import Indexer
from app.memory.jobs import memory_jobs
from app.memory.model.memory import Embedders
from app.memory.service import Marks, Memory
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.memory.store.topics import Topics
from app.memory.topics import TopicKeeper
from app.memory.vectors.local_model import LocalModel
from app.memory.vectors.weights import weights_path
from app.models.llm.embeddings import ChosenModels
from app.models.model.thinking import Thinker
from app.models.store.providers import Providers
from app.settings import Settings


@dataclass(frozen=True)
class MemoryParts:
    """What doors, jobs and the graph need of memory."""

    service: Memory
    local: LocalModel
    embedders: Embedders
    services: Sequence[object]
    jobs: Sequence[Job]

    def check(self) -> ReadyCheck:
        """How memory searches here; it is as ready without a model."""
        ways = "by words and by meaning" if self.local.here else "by words alone: run `make setup` to fetch its model"
        return ReadyCheck("memory", ok=True, detail=f"searches {ways}")


def compose_memory(
    settings: Settings, database: Database, queue: App, providers: Providers, thinker: Thinker
) -> MemoryParts:
    """The index, what fills it, and what answers from it."""
    index = MemoryIndex(database)
    local = LocalModel(settings.memory_weights or weights_path(), settings.memory_embed_seconds)
    sources = MemorySources(database, settings.default_timezone, settings.memory_statement_chance)
    models = ChosenModels(providers, local, settings.memory_embed_seconds)
    indexer = Indexer(sources, index, models, settings.memory_keep_days, settings.memory_fresh_seconds)
    marks = Marks(
        settings.memory_answer_chance,
        settings.memory_closest_chance,
        settings.memory_change_chance,
        settings.memory_names,
        settings.memory_quotes,
        settings.memory_further_share,
        settings.memory_stretch_documents,
        settings.memory_stretch_quotes,
    )
    limits = AnswerLimits(settings.memory_source_tokens, settings.memory_sources, settings.memory_answer_characters)
    service = Memory(index, models, settings.memory_query_seconds, Answering(thinker, limits), indexer, marks, local)
    topics = Topics(database)
    keeper = TopicKeeper(topics, settings.memory_topic_minutes, settings.memory_topic_units)
    return MemoryParts(service, local, models, [service, local, topics], memory_jobs(queue, indexer, keeper))

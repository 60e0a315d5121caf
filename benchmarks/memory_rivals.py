"""Memory beside what else people take: LangGraph's PostgresStore, with and without its index, and chromadb.

All of them get the same vectors and the same questions, for a small, a middle and a heavy user of one table. Chromadb
is measured where it is installed: `pip install chromadb`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
import psycopg
from langgraph.store.base import PutOp
from langgraph.store.postgres import PostgresStore
from numpy.typing import NDArray
from psycopg.conninfo import make_conninfo
from psycopg.rows import dict_row

Vectors = NDArray[np.float32]
MOST = 10
AT_ONCE = 500
DIMENSIONS = 384


class Rival(Protocol):
    """A store of vectors of several users."""

    def fill(self, user: str, vectors: Vectors) -> None:
        """Keep them all, each under its place."""

    def search(self, user: str, vector: Vectors) -> list[int]:
        """The places of the nearest ten."""


@dataclass(frozen=True)
class Told:
    """Milliseconds a query, recall against the exact search, and the fewest rows that came back."""

    times: Sequence[float]
    recall: float
    fewest: int

    @property
    def p95(self) -> float:
        return float(np.percentile(self.times, 95))

    def __str__(self) -> str:
        return f"{np.percentile(self.times, 50):8.1f}{self.p95:8.1f}{self.recall:11.3f}{self.fewest:6}"


class LangGraphStore:
    """Its search by meaning; an embedding is looked up, as ours are given, too."""

    def __init__(self, conn: psycopg.Connection[dict[str, Any]]) -> None:
        self._known: dict[str, list[float]] = {}
        self._conn = conn
        embed: Callable[[Sequence[str]], list[list[float]]] = lambda texts: [self._known[text] for text in texts]  # noqa: E731
        self._store = PostgresStore(conn, index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]})
        self._store.setup()

    def fill(self, user: str, vectors: Vectors) -> None:
        """In batches, as one would."""
        for at in range(0, len(vectors), AT_ONCE):
            places = range(at, min(at + AT_ONCE, len(vectors)))
            self._known = {f"{user} {place}": vectors[place].tolist() for place in places}
            self._store.batch([PutOp(("memory", user), str(place), {"text": f"{user} {place}"}) for place in places])

    def search(self, user: str, vector: Vectors) -> list[int]:
        """Its own search."""
        self._known = {"question": vector.tolist()}
        return [int(item.key) for item in self._store.search(("memory", user), query="question", limit=MOST)]

    def forget_index(self) -> None:
        """What it calls flat: every vector is compared. Its own set-up fails for that."""
        self._conn.execute("drop index if exists store_vectors_embedding_idx")


class Chroma:
    """A collection for all users, filtered by one."""

    def __init__(self) -> None:
        import chromadb

        client = chromadb.EphemeralClient(chromadb.Settings(anonymized_telemetry=False))
        self._collection = client.create_collection(f"memory-{uuid.uuid4().hex}", metadata={"hnsw:space": "ip"})

    def fill(self, user: str, vectors: Vectors) -> None:
        """In batches."""
        for at in range(0, len(vectors), AT_ONCE):
            part = vectors[at : at + AT_ONCE]
            ids = [f"{user} {place}" for place in range(at, at + len(part))]
            self._collection.add(ids=ids, embeddings=part, metadatas=[{"user": user}] * len(part))

    def search(self, user: str, vector: Vectors) -> list[int]:
        """Its own search."""
        found = self._collection.query(query_embeddings=vector[None], n_results=MOST, where={"user": user})
        return [int(name.rpartition(" ")[2]) for name in found["ids"][0]]


def measure(
    url: str, vectors: Mapping[str, Vectors], asked: Mapping[str, Sequence[Vectors]]
) -> dict[str, dict[str, Told]]:
    """Print how fast each takes the vectors, and tell how each finds them, by name and user."""
    found: dict[str, dict[str, Told]] = {}
    with _own_database(url) as conn:
        store = LangGraphStore(conn)
        _fill("langgraph", store, vectors)
        conn.execute("analyze store, store_vectors")
        found["langgraph, HNSW"] = _played(store, vectors, asked)
        store.forget_index()
        found["langgraph, flat"] = _played(store, vectors, asked)
    if find_spec("chromadb") is None:
        print("chromadb is not installed; left out")
        return found
    chroma = Chroma()
    _fill("chroma", chroma, vectors)
    return {**found, "chroma": _played(chroma, vectors, asked)}


def _fill(name: str, rival: Rival, vectors: Mapping[str, Vectors]) -> None:
    began = time.perf_counter()
    for user, own in vectors.items():
        rival.fill(user, own)
    print(f"{name:16} takes {sum(map(len, vectors.values())) / (time.perf_counter() - began):8.0f} rows/s")


def _played(rival: Rival, vectors: Mapping[str, Vectors], asked: Mapping[str, Sequence[Vectors]]) -> dict[str, Told]:
    return {user: _asked(rival, user, vectors[user], questions) for user, questions in asked.items()}


def _asked(rival: Rival, user: str, vectors: Vectors, questions: Sequence[Vectors]) -> Told:
    times, recall, fewest = [], [], MOST
    for question in questions:
        began = time.perf_counter()
        found = rival.search(user, question)
        times.append((time.perf_counter() - began) * 1000)
        exact = set(np.argsort(-(vectors @ question))[:MOST].tolist())
        recall.append(len(exact & set(found)) / len(exact))
        fewest = min(fewest, len(found))
    return Told(times, float(np.mean(recall)), fewest)


@contextmanager
def _own_database(url: str) -> Iterator[psycopg.Connection[dict[str, Any]]]:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute("create database rivals")
    with psycopg.connect(make_conninfo(url, dbname="rivals"), autocommit=True, row_factory=dict_row) as conn:
        yield conn

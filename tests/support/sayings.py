"""Memos that somebody may have spoken, questions that they answer, and questions that they do not."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from app.memory.model.memory import Document, Passage
from app.memory.vectors.local_model import LocalModel
from app.memory.vectors.weights import weights_path
from app.models.model.embeddings import Embedder, Vector

START = datetime(2026, 3, 2, 9, tzinfo=UTC)

# Each line is a memo, a day apart.
MEMOS = (
    "The plumber came this morning. He says the boiler is from nineteen ninety eight and will not last another winter.",
    "I met Teresa at the market. Her daughter starts at the conservatory in September, she plays the cello.",
    "Idea for the workshop: put the saw under the window and the drill press along the back wall.",
    "The physiotherapist wants me to do the knee exercise twice a day, and no running before May.",
    "Dad told me that grandfather worked on the railway between Porto and Braga for thirty years.",
    "We tried the Georgian restaurant on Rua do Sol. The dumplings were wonderful, the wine was too sweet.",
    "Note for the garden: the tomatoes by the south wall had blight, so plant beans there next year.",
    "Lena called about the apartment. The landlord wants eleven hundred a month and two months of deposit.",
    "Finished the book about the Antarctic expedition. The part about the ice breaking up at night stays with me.",
    "The car failed its inspection because of the rear brakes. Garage Mendes asks four hundred for the repair.",
)
# A question, and the memo that answers it by its place.
ASKED = (
    ("how old is the boiler?", 0),
    ("what did the plumber say about the boiler?", 0),
    ("which instrument does Teresa's daughter play?", 1),
    ("where should the drill press go in the workshop?", 2),
    ("what exercise does the physiotherapist want?", 3),
    ("when may I start running again after the knee?", 3),
    ("what did grandfather work as?", 4),
    ("how was the Georgian restaurant?", 5),
    ("what was wrong with the wine at the restaurant?", 5),
    ("why should I plant beans by the south wall?", 6),
    ("how much is the rent of Lena's apartment per month?", 7),
    ("what deposit does the landlord want?", 7),
    ("what was the book about the expedition like?", 8),
    ("why did the car fail its inspection?", 9),
    ("what does the garage ask for the brakes?", 9),
)
UNANSWERED = (
    "what is my blood type?",
    "who won the chess tournament?",
    "where did I park the bicycle?",
    "what is the wifi password?",
    "when is Carla's wedding?",
    "how much did the laptop cost?",
    "what colour did we paint the bedroom?",
    "which vaccine did the cat get?",
    "who is my dentist?",
    "what did the lawyer say about the contract?",
    "when does my passport expire?",
    "which hotel did we book in Vienna?",
    "what was the name of the film with the lighthouse?",
    "how many people are coming to the party?",
    "what did Omar think of my presentation?",
    "which flight did I take to Oslo?",
    "where are the spare keys?",
    "what is the recipe for the lemon cake?",
    "what did the teacher say about Jonas?",
    "when did I last change the water filter?",
    "what size are my ski boots?",
    "who recommended the podcast about whales?",
    "what was the score of the match?",
    "which bank has the best mortgage?",
    "what did I promise my sister?",
    "how long is the warranty of the dishwasher?",
    "what is the alarm code of the office?",
    "why did the meeting with the investors end early?",
    "what did the vet say about the dog?",
    "which song did we dance to in Lisbon?",
)


def memo(number: int, text: str) -> Document:
    """A memo of a day, whose sentences were spoken one after another."""
    passages, at, second = [], 0, 0
    for sentence in text.replace(". ", ".\n").split("\n"):
        start = text.index(sentence, at)
        at = start + len(sentence)
        passages.append(Passage(start, at, "", second * 1000, (second + 4) * 1000))
        second += 4
    return Document("memo", f"memo-{number}", text, START + timedelta(days=number), "", passages)


class Only:
    """Everybody's memory is embedded by one model."""

    def __init__(self, embedder: Embedder) -> None:
        self.usual, self._embedder = embedder.model, embedder

    async def of(self, _user_id: UUID) -> list[Embedder]:
        return [self._embedder]


class HashedWords:
    """An embedder without a model: each word is a direction of its own."""

    def __init__(self, model: str, dimensions: int) -> None:
        self.model, self._dimensions = model, dimensions

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Vector:
        found = [0.0] * self._dimensions
        for word in text.lower().split():
            found[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self._dimensions] += 1.0
        length = sum(value * value for value in found) ** 0.5 or 1.0
        return [value / length for value in found]


def local_model() -> LocalModel:
    return LocalModel(weights_path(), 60.0)

"""Topics: units that belong together, by meaning or else by rare words, named by the words that tell them apart."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from heapq import nlargest
from uuid import UUID, uuid4

from agents.time import Clock, clock_for, find_times
from app.memory.communities import communities
from app.memory.model.topics import Material, Placed, Tie
from app.memory.store.topics import Topics
from app.memory.wording import WORD

LEAST_UNITS, MOST_TOPICS, MOST_WORDS = 3, 50, 6
NEIGHBOURS, LEAST_SHARED = 8, 0.08
"""By words: how many others a unit is tied to, and how much it has in common with them (cosine)."""
MAX_UNITS_PER_WORD = 60
"""Units; a word that more of them have ties none."""
MOST_USERS = 100


@dataclass(frozen=True)
class TopicKeeper:
    """Makes users' topics from their latest ``most_units``, and again after ``minutes`` if there is something new."""

    topics: Topics
    minutes: float
    most_units: int

    async def users(self) -> list[UUID]:
        """Users whose topics are to be made."""
        return await self.topics.due(datetime.now(UTC) - timedelta(minutes=self.minutes), MOST_USERS)

    async def run(self, user_id: UUID) -> None:
        """Make one user's topics; may be cut short anywhere and run again."""
        material = await self.topics.material(user_id, self.most_units)
        # In a thread: thousands of units would keep the event loop from everybody else.
        placed = await asyncio.to_thread(placed_in_topics, material)
        await self.topics.keep(user_id, material.model, placed)


def placed_in_topics(material: Material) -> list[Placed]:
    """Each unit with its topic, if it belongs to one; a topic keeps its id as long as most of its units."""
    clock = clock_for(datetime.now(UTC), "UTC")
    words = [_words(_without_times(text, clock), material) for text in material.texts]
    stems = [frozenset(one) for one in words]
    told_once = set(_told_once(stems))
    ties = _ties_by_words(stems) if material.ties is None else material.ties
    ties = [tie for tie in ties if tie[0] in told_once and tie[1] in told_once]
    near = _nearness(ties)
    known = Counter(stem for number in told_once for stem in stems[number])
    groups = sorted(communities(len(stems), ties), key=lambda group: (-len(group), group))
    placed = {number: Placed(unit) for number, unit in enumerate(material.ids)}
    taken: set[UUID] = set()
    for group in groups:
        telling = _telling(group, stems, known, len(told_once))
        if len(group) < LEAST_UNITS or not telling or len(taken) == MOST_TOPICS:
            continue
        topic = _id_of(group, material, taken)
        taken.add(topic)
        shown = {stem: _spelling(stem, group, words) for stem in telling}
        for number in group:
            own = [shown[stem] for stem in telling if stem in stems[number]]
            placed[number] = Placed(material.ids[number], topic, own, near[number])
    return list(placed.values())


def _words(text: str, material: Material) -> dict[str, str]:
    """The stems of a text that may name a topic, each as it is spelled there."""
    return {material.stems[word.lower()]: word for word in WORD.findall(text) if word.lower() in material.stems}


def _without_times(text: str, clock: Clock) -> str:
    """A text less its words about time: what takes place on the same day has no topic in common."""
    for found in sorted(find_times(text, clock), key=lambda found: -found.span[0]):
        text = f"{text[: found.span[0]]} {text[found.span[1] :]}"
    return text


def _told_once(stems: Sequence[frozenset[str]]) -> Iterator[int]:
    """The units that no other repeats but for one word: a message and the note that it made are one."""
    seen: set[frozenset[str]] = set()
    for number in sorted(range(len(stems)), key=lambda number: len(stems[number])):
        own = stems[number]
        if own and own not in seen and not any(own - {stem} in seen for stem in own if len(own) > LEAST_UNITS):
            yield number
        seen.add(own)


def _ties_by_words(stems: Sequence[frozenset[str]]) -> list[Tie]:
    having = defaultdict[str, list[int]](list)
    for number, own in enumerate(stems):
        for stem in sorted(own):
            having[stem].append(number)
    weights = {stem: math.log(1 + len(stems) / len(units)) ** 2 for stem, units in having.items()}
    lengths = [math.sqrt(sum(weights[stem] for stem in own)) for own in stems]
    shared: list[defaultdict[int, float]] = [defaultdict(float) for _ in stems]
    for stem, units in having.items():
        for one in units if len(units) <= MAX_UNITS_PER_WORD else ():
            for other in units:
                shared[one][other] += weights[stem] / (lengths[one] * lengths[other])
    return [
        (one, other, alike)
        for one, others in enumerate(shared)
        for other, alike in nlargest(NEIGHBOURS + 1, others.items(), key=lambda tie: tie[1])
        if other != one and alike >= LEAST_SHARED
    ]


def _nearness(ties: Sequence[Tie]) -> defaultdict[int, float]:
    near = defaultdict[int, float](float)
    for one, other, weight in ties:
        near[one] += weight
        near[other] += weight
    return near


def _telling(group: Sequence[int], stems: Sequence[frozenset[str]], known: Counter[str], count: int) -> list[str]:
    """The stems that several units of a group have and few others, the most telling first (tf-idf)."""
    own = Counter(stem for number in group for stem in stems[number])
    scores = {stem: having * math.log(count / known[stem]) for stem, having in own.items() if having > 1}
    best = nlargest(MOST_WORDS, scores, key=lambda stem: (scores[stem], stem))
    return [stem for stem in best if scores[stem] > 0]


def _spelling(stem: str, group: Sequence[int], words: Sequence[dict[str, str]]) -> str:
    """A stem as the group's units spell it most."""
    return Counter(sorted(words[number][stem] for number in group if stem in words[number])).most_common(1)[0][0]


def _id_of(group: Sequence[int], material: Material, taken: set[UUID]) -> UUID:
    """The id that most of the units had, unless a larger topic has it now."""
    before = Counter(topic for number in group if (topic := material.before[number]))
    return next((topic for topic, _ in before.most_common() if topic not in taken), None) or uuid4()

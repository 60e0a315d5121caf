"""Groups in a graph of ties: nodes that have more in common with one another than chance would have it (Louvain)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from app.memory.model.topics import Tie

MAX_PASSES = 20
"""Looks at every node of one level, at most; it settles in a few."""
Graph = list[dict[int, float]]


def communities(count: int, ties: Iterable[Tie]) -> list[list[int]]:
    """The nodes from 0 in groups; who has no tie is alone. The same ties give the same groups."""
    graph: Graph = [{} for _ in range(count)]
    for one, other, weight in ties:
        if one != other:
            graph[one][other] = graph[other][one] = max(weight, graph[one].get(other, 0.0))
    members, inner = [[node] for node in range(count)], [0.0] * count
    while True:
        places = _assign_groups(graph, inner)
        if len(set(places)) == len(graph):
            return members
        members, graph, inner = _merge_groups(members, graph, inner, places)


def _assign_groups(graph: Graph, inner: Sequence[float]) -> list[int]:
    """The group of each node, once none gains by a move to a neighbour's."""
    degrees = [sum(near.values()) + 2 * own for near, own in zip(graph, inner, strict=True)]
    total = sum(degrees) or 1.0
    places, weights = list(range(len(graph))), list(degrees)
    for _ in range(MAX_PASSES):
        moved = False
        for node, near in enumerate(graph):
            was, ties = places[node], defaultdict[int, float](float)
            weights[was] -= degrees[node]
            for other, weight in near.items():
                ties[places[other]] += weight
            gains = {place: ties[place] - weights[place] * degrees[node] / total for place in [was, *ties]}
            best = max(gains, key=lambda place: (round(gains[place], 9), place == was, -place))
            places[node], moved = best, moved or best != was
            weights[best] += degrees[node]
        if not moved:
            break
    return places


def _merge_groups(
    members: Sequence[Sequence[int]], graph: Graph, inner: Sequence[float], places: Sequence[int]
) -> tuple[list[list[int]], Graph, list[float]]:
    """Each group as one node of a smaller graph."""
    numbers = {place: number for number, place in enumerate(dict.fromkeys(places))}
    joined: list[list[int]] = [[] for _ in numbers]
    smaller: Graph = [{} for _ in numbers]
    own = [0.0] * len(numbers)
    for node, near in enumerate(graph):
        group = numbers[places[node]]
        joined[group].extend(members[node])
        own[group] += inner[node]
        for other, weight in near.items():
            beside = numbers[places[other]]
            if beside == group:
                own[group] += weight / 2
            else:
                smaller[group][beside] = smaller[group].get(beside, 0.0) + weight
    return joined, smaller, own

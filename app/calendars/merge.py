"""Two sides of one event and what both last agreed on: what is to be carried over, and what people have to decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.calendars.plain import GROUPS, canonical
from app.ports.synced import Base, Fields, Merged, State

EXISTENCE = "existence"
"""Stands for a group where an event is on one side alone."""


def differing(left: State, right: State) -> tuple[str, ...]:
    """The groups in which two states differ."""
    if left is None or right is None:
        return () if left is right else (EXISTENCE,)
    return tuple(group for group, names in GROUPS.items() if any(left.get(name) != right.get(name) for name in names))


def merge(base: Base, local: State, remote: State) -> Merged:
    """What is to be done about two states."""
    here, there = differing(base.local, local), differing(base.remote, remote)
    if not there:
        return Merged(local=base.local, remote=base.remote)
    if local is None or remote is None or base.local is None or base.remote is None:
        return _whole(base, local, remote, changed_here=bool(here))
    same = tuple(group for group in here if group in there and not differing(_only(local, group), _only(remote, group)))
    clash = tuple(group for group in here if group in there and group not in same)
    if clash:
        return Merged(clash=clash)
    carried = tuple(group for group in there if group not in here)
    agreed = with_groups(base.local, local, same)
    return Merged("update" if carried else None, _fields(remote, carried), carried, local=agreed, remote=remote)


def _whole(base: Base, local: State, remote: State, *, changed_here: bool) -> Merged:
    """Where an event is new or gone on a side."""
    if not differing(local, remote):
        return Merged(local=local, remote=remote)
    if changed_here:
        return Merged(clash=differing(local, remote))
    if remote is None:
        return Merged("delete", carried=tuple(GROUPS), local=None, remote=None)
    carried = tuple(GROUPS)
    return Merged("update" if local else "create", _fields(remote, carried), carried, local=base.local, remote=remote)


class Rules:
    """See app.ports.synced.MergeRules."""

    def state(self, event: Mapping[str, Any] | None) -> State:
        return canonical(event) if event is not None else None

    def merge(self, base: Base, local: State, remote: State) -> Merged:
        return merge(base, local, remote)

    def take_over(self, local: State, remote: State) -> Merged:
        if remote is None:
            return Merged("delete" if local else None, carried=tuple(GROUPS))
        if local is None:
            return Merged("create", _fields(remote, tuple(GROUPS)), tuple(GROUPS), remote=remote)
        carried = differing(local, remote)
        return Merged("update" if carried else None, _fields(remote, carried), carried, local=local, remote=remote)

    def agreed(self, merged: Merged, after: State) -> State:
        return with_groups(merged.local, after, merged.carried)

    def differing(self, left: State, right: State) -> tuple[str, ...]:
        return differing(left, right)


def with_groups(state: State, other: State, groups: tuple[str, ...]) -> State:
    """A state with some groups of another one."""
    if state is None or other is None:
        return other if groups else state
    return {**state, **{name: other.get(name) for group in groups for name in GROUPS[group]}}


def _only(state: Fields, group: str) -> Fields:
    return {name: state.get(name) for name in GROUPS[group]}


def _fields(remote: Fields, groups: tuple[str, ...]) -> Fields:
    return {name: remote.get(name) for group in groups for name in GROUPS[group]}

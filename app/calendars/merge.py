"""Two sides of one event and what both last agreed on: what is to be carried over, and what people have to decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.contract import Op
from app.calendars.model.synced import Base, Fields, Merged, State
from app.calendars.plain import GROUPS, canonical

EXISTENCE = "existence"
"""Stands for a group where an event is on one side alone."""


class Rules:
    """See app.calendars.model.synced.MergeRules; those of events."""

    groups: Mapping[str, tuple[str, ...]] = GROUPS

    def state(self, record: Mapping[str, Any] | None) -> State:
        return canonical(record) if record is not None else None

    def is_news(self, state: Fields) -> bool:  # noqa: ARG002 - see TaskRules
        return True

    def to_ledger_change(
        self,
        op: Op,
        fields: Fields,
        record: Mapping[str, Any] | None,  # noqa: ARG002 - see TaskRules
        zone: str,
    ) -> tuple[Op, Fields]:
        """A whole day has no zone there; here it lasts from midnight to midnight where the user is."""
        return op, {name: zone if (name, value) == ("zone", None) else value for name, value in fields.items()}

    def merge(self, base: Base, local: State, remote: State) -> Merged:
        here, there = self.differing(base.local, local), self.differing(base.remote, remote)
        if not there:
            return Merged(local=base.local, remote=base.remote)
        if local is None or remote is None or base.local is None or base.remote is None:
            return self._whole(base, local, remote, changed_here=bool(here))
        both = [group for group in here if group in there]
        same = tuple(group for group in both if self._of(local, (group,)) == self._of(remote, (group,)))
        clash = tuple(group for group in both if group not in same)
        if clash:
            return Merged(clash=clash)
        carried = tuple(group for group in there if group not in here)
        agreed = self._with(base.local, local, same)
        return Merged("update" if carried else None, self._of(remote, carried), carried, local=agreed, remote=remote)

    def _whole(self, base: Base, local: State, remote: State, *, changed_here: bool) -> Merged:
        """Where an event is new or gone on a side."""
        if not self.differing(local, remote):
            return Merged(local=local, remote=remote)
        if changed_here:
            return Merged(clash=self.differing(local, remote))
        every = tuple(self.groups)
        if remote is None:
            return Merged("delete", carried=every, local=None, remote=None)
        fields = self._of(remote, every)
        return Merged("update" if local else "create", fields, every, local=base.local, remote=remote)

    def take_over(self, local: State, remote: State) -> Merged:
        every = tuple(self.groups)
        if remote is None:
            return Merged("delete" if local else None, carried=every)
        if local is None:
            return Merged("create", self._of(remote, every), every, remote=remote)
        carried = self.differing(local, remote)
        return Merged("update" if carried else None, self._of(remote, carried), carried, local=local, remote=remote)

    def agreed_state(self, merged: Merged, after: State) -> State:
        return self._with(merged.local, after, merged.carried)

    def differing(self, left: State, right: State) -> tuple[str, ...]:
        if left is None or right is None:
            return () if left is right else (EXISTENCE,)
        return tuple(group for group in self.groups if self._of(left, (group,)) != self._of(right, (group,)))

    def _with(self, state: State, other: State, groups: tuple[str, ...]) -> State:
        """A state with some groups of another one."""
        if state is None or other is None:
            return other if groups else state
        return {**state, **self._of(other, groups)}

    def _of(self, state: Fields, groups: tuple[str, ...]) -> Fields:
        return {name: state.get(name) for group in groups for name in self.groups[group]}

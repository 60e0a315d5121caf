"""Atomic groups of proposals: turning an idea into a task creates the task and archives the idea, or does neither."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from agents.contract import Change, Proposal

Group = list[tuple[int, Proposal]]


def group_proposals(proposals: Sequence[Proposal]) -> list[Group]:
    """The proposals with their places, those of one group in one run."""
    alone = iter(range(-1, -len(proposals) - 1, -1))
    numbered = list(enumerate(proposals))
    return [list(run) for _, run in groupby(numbered, key=lambda pair: pair[1].group or next(alone))]


def fail_group(rows: Sequence[Change]) -> list[Change]:
    """The rows of a run of which one failed: the others fail with it."""
    cause = next(row for row in rows if row.status == "failed")
    why = f"it goes together with “{cause.title}”, which did not work"
    failed = {"status": "failed", "error": why, "after": None, "expires_at": None}
    return [row if row.status == "failed" else row.model_copy(update=failed) for row in rows]


def link_group(rows: Sequence[Change]) -> list[Change]:
    """The rows of a run, each with the id of the first, so that they are undone together as well."""
    return [row.model_copy(update={"together": rows[0].id}) for row in rows]


def group_members(changes: Sequence[Change], known: Sequence[Change]) -> list[Change]:
    """The changes and those that were made together with them, in the order of ``known``."""
    ids, bundles = {item.id for item in changes}, {item.together for item in changes if item.together}
    return [item for item in known if item.id in ids or item.together in bundles]


def undoing(change: Change, together: Sequence[Change], reason: str) -> list[Proposal]:
    """What takes a change back with all that was made as one with it and still stands, the newest first."""
    whole = [item for item in group_members([change], together) if item.id == change.id or item.status == "applied"]
    return [undo_of(item, reason) for item in reversed(whole or [change])]


def undo_of(change: Change, reason: str) -> Proposal:
    """What takes one change back; those that were made as one fail as one."""
    return Proposal(
        op="undo",
        kind=change.kind,
        record_id=change.record_id,
        undo_of=change.id,
        reason=reason,
        group=change.together or "",
    )

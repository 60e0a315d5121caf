"""The part of a situation that values and records need: the ask, its clock, what earlier clauses came to."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime

from agents.contract import Change, LookAhead, Proposal
from agents.index.index import Items
from agents.ports import Ask
from agents.records import Kind
from agents.time import Clock, clock_for
from agents.understanding.share import Share


@dataclass(slots=True)
class Scene:
    """One message's surroundings.

    ``before`` are the shares of its earlier clauses, and ``wanted`` the spans whose appointments were asked for.
    """

    ask: Ask
    clock: Clock
    before: list[Share] = field(default_factory=list)
    wanted: list[tuple[datetime, datetime]] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        """The turn's clock in the speaker's zone."""
        return self.clock.at

    @property
    def proposals(self) -> list[Proposal]:
        """What the earlier clauses would change."""
        return [item for share in self.before for item in share.proposals]

    def items(self, *kinds: Kind) -> Items:
        """Return the stored items of these kinds, to be looked up."""
        return Items(self.ask.records.index, kinds)

    def just_done(self) -> list[Change]:
        """The changes of the last turn that changed something and still stand, in the order they were made."""
        made = [change for change in self.ask.recent_changes if change.status == "applied" and change.op != "undo"]
        return [change for change in made if change.turn_id == made[-1].turn_id]

    def look_ahead(self) -> LookAhead | None:
        """What imported calendars must be asked before this scene can be understood; None when they were."""
        if self.ask.imported is not None or not self.wanted:
            return None
        since, until = (min(first for first, _ in self.wanted), max(last for _, last in self.wanted))
        return LookAhead(since=since, until=until) if since < until else None

    def follow(self, share: Share) -> None:
        """Remember a clause's outcome, and the day it was about as "that day"."""
        self.before.append(share)
        day = _day_of(share, self)
        if day is not None:
            self.clock = replace(self.clock, anchor=day)


def scene_of(ask: Ask) -> Scene:
    """The scene of a message; an unknown zone falls back to the clock's own offset."""
    return Scene(ask, clock_for(ask.at, ask.timezone, ask.conventions))


def _day_of(share: Share, scene: Scene) -> date | None:
    for proposal in share.proposals:
        start = proposal.fields.get("start")
        if isinstance(start, str):
            return date.fromisoformat(start[:10])
        if proposal.kind == "event" and proposal.record_id:
            known = scene.items("event").get(proposal.record_id)
            return known.day if known else None
    return None

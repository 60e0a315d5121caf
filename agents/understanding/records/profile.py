"""Facts about the user as a change of the profile: name, place, job, studies, interests."""

from __future__ import annotations

from typing import Any

from agents.contract import Proposal
from agents.understanding.records.past import period_in
from agents.understanding.scene import Scene
from agents.understanding.share import Share, change

LONG_AGO = 1970
FACTS = {"fname": "name", "fhome": "location", "fjob": "job", "fcollege": "college", "fcourse": "course"}
"""The fields of the profile, by the slots that say them."""


def day_of(when: str, scene: Scene) -> str | None:
    """The day on which a stretch of the past begins ("march", "since 2019"), in ISO form."""
    period = period_in(when, scene)
    return None if period is None or period.start.year <= LONG_AGO else period.start.date().isoformat()


def remember(facts: dict[str, Any], text: str, scene: Scene) -> Share:
    """Facts as one change of the profile; interests join those that are known."""
    known = scene.ask.records.profile
    fields = dict(facts)
    if "interests" in fields and known:
        have = {interest.lower() for interest in known.interests}
        fields["interests"] = [*known.interests, *[item for item in fields["interests"] if item.lower() not in have]]
    if "facts" in fields and known:
        fields["facts"] = {**known.facts, **fields["facts"]}
    before = {name: day.isoformat() for name, day in known.since.items()} if known else {}
    told = {*facts, *facts.get("facts", {})}
    since = {name: day for name, day in before.items() if name not in told} | facts.get("since", {})
    if since != before:
        fields["since"] = since
    op, record_id = ("update", known.id) if known else ("create", None)
    return change(text, Proposal(op=op, kind="profile", record_id=record_id, fields=fields, reason="you told me"))

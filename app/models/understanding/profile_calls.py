"""Calls about the user: what is new joins what is known, less what is to be forgotten."""

from __future__ import annotations

from agents.contract import Proposal
from agents.records import PROFILE_ID, Profile
from app.models.understanding.call_context import CallContext, CannotDo
from app.models.understanding.record_fields import Args
from app.models.understanding.times import read_day

SINGLE_FIELDS = ("name", "location", "job", "college", "course")


def save_profile(args: Args, context: CallContext) -> list[Proposal]:
    """Return the profile's change."""
    stored = context.ask.records.profile
    known = stored or Profile(id=PROFILE_ID, created_at=context.ask.at, updated_at=context.ask.at)
    forget = {name.strip().casefold() for name in args.get("forget") or ()}
    told = {one["name"].strip(): one for one in args.get("facts") or () if one.get("value")}
    have = {one.casefold() for one in known.interests}
    # A fact that is told anew holds from what is said with it.
    since = {name: day for name, day in known.since.items() if name.casefold() not in forget and name not in told}
    joined = {
        "facts": {name: value for name, value in known.facts.items() if name.casefold() not in forget}
        | {name: one["value"] for name, one in told.items()},
        "interests": [one for one in known.interests if one.casefold() not in forget]
        + [one for one in dict.fromkeys(args.get("interests") or ()) if one.casefold() not in have],
        "since": since
        | {name: read_day("since", one["since"]).isoformat() for name, one in told.items() if one.get("since")},
    }
    fields = {name: args.get(name) for name in SINGLE_FIELDS if name in args or name in forget}
    fields |= {name: value for name, value in joined.items() if value != getattr(known, name)}
    if not fields:
        raise CannotDo("that is known already")
    return [Proposal(op="update" if stored else "create", kind="profile", fields=fields, reason="you told me")]

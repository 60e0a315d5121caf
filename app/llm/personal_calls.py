"""Calls about the user as proposals: the profile with what is new joined to what is known, and standing wishes."""

from __future__ import annotations

from typing import Any

from agents.contract import Proposal
from agents.records import PROFILE_ID, Instruction, Profile
from app.llm.call_context import CallContext, CannotDo
from app.llm.times import read_day

ASKED = "you asked for it"
SINGLE = ("name", "location", "job", "college", "course")


def save_profile(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return the profile's change: facts and interests join those there are, less what is to be forgotten."""
    known = context.ask.records.profile or _unknown(context)
    fields: dict[str, Any] = {name: args[name] for name in SINGLE if name in args}
    forget = {name.strip().casefold() for name in args.get("forget") or ()}
    fields |= {name: None for name in SINGLE if name in forget and name not in fields}
    told = {one["name"].strip(): one for one in args.get("facts") or () if one.get("value")}
    facts = _without(known.facts, forget) | {name: one["value"] for name, one in told.items()}
    interests = _joined([one for one in known.interests if one.casefold() not in forget], args.get("interests") or [])
    since = _since(known, told, forget)
    several = {"facts": facts, "interests": interests, "since": since}
    fields |= {name: value for name, value in several.items() if value != getattr(known, name)}
    if not fields:
        raise CannotDo("that is known already")
    return [
        Proposal(
            op="update" if context.ask.records.profile else "create",
            kind="profile",
            fields=fields,
            reason="you told me",
        )
    ]


def save_wish(args: dict[str, Any], _context: CallContext) -> list[Proposal]:
    """Return a new standing wish."""
    return [Proposal(op="create", kind="instruction", fields={"text": args["text"]}, reason=ASKED)]


def drop_wish(args: dict[str, Any], context: CallContext) -> list[Proposal]:
    """Return that a standing wish goes."""
    wish = context.one_of(Instruction, args["id"])
    return [Proposal(op="delete", kind="instruction", record_id=wish.id, reason=ASKED)]


def _unknown(context: CallContext) -> Profile:
    return Profile(id=PROFILE_ID, created_at=context.ask.at, updated_at=context.ask.at)


def _without(facts: dict[str, str], forget: set[str]) -> dict[str, str]:
    return {name: value for name, value in facts.items() if name.casefold() not in forget}


def _joined(known: list[str], new: list[str]) -> list[str]:
    have = {one.casefold() for one in known}
    return [*known, *(one for one in dict.fromkeys(new) if one.casefold() not in have)]


def _since(known: Profile, told: dict[str, Any], forget: set[str]) -> dict[str, Any]:
    """Return from when on facts hold: one that is told anew holds from what is said with it."""
    kept = {name: day for name, day in known.since.items() if name.casefold() not in forget and name not in told}
    new = {name: read_day("since", one["since"]) for name, one in told.items() if one.get("since")}
    return kept | new

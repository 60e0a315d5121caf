"""Which instructions are in force, and from where in a message: it may give new ones, change some or drop them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from agents.contract import Proposal
from agents.policies.compiling import compile_rules
from agents.policies.rules import Policy, Standing, rules_in
from agents.records import Instruction


def policy_of(text: str) -> dict[str, Any] | None:
    """What an instruction's words compile to, as it is stored; None for advice."""
    rules = compile_rules(text)
    return Policy(rules=rules).model_dump(mode="json", exclude_defaults=False) if rules else None


def standing_of(instructions: Sequence[Instruction], proposals: Iterable[Proposal] = ()) -> list[Standing]:
    """The enforced instructions: those stored, up to where ``proposals`` end them, and those that these bring."""
    said = sorted((item for item in proposals if item.kind == "instruction"), key=lambda item: item.place)
    ended = {item.record_id: item.place for item in reversed(said) if item.op != "create"}
    known = [_of(item.text, item.policy, until=ended.get(item.id)) for item in _oldest_first(instructions)]
    brought = [
        _of(str(item.fields["text"]), item.fields.get("policy"), since=item.place)
        for item in said
        if item.op != "delete" and item.fields.get("text")
    ]
    return [standing for standing in (*known, *brought) if standing.rules]


def _oldest_first(instructions: Sequence[Instruction]) -> list[Instruction]:
    """The store returns them in any order, and the newest instruction may decide."""
    return sorted(instructions, key=lambda item: item.updated_at)


def _of(text: str, policy: Any, *, since: int = -1, until: int | None = None) -> Standing:
    stored = policy if isinstance(policy, dict) else None
    return Standing(text=text, rules=rules_in(stored) or compile_rules(text), since=since, until=until)

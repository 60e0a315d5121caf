"""Standing instructions as typed rules: what their words compile to, and whether a rule covers a change.

Everything here is pure and knows nothing of understanding: the rules hold for whatever proposes a change.
"""

from agents.policies.compiling import compile_rules
from agents.policies.rules import Policy, Rule, Standing, Tone
from agents.policies.standing import policy_of, standing_of

__all__ = [
    "Policy",
    "Rule",
    "Standing",
    "Tone",
    "compile_rules",
    "policy_of",
    "standing_of",
]

"""Instructions about how replies sound."""

from __future__ import annotations

import re

from agents.policies.rules import Rule, Tone

BRIEF = re.compile(
    r"\b(?:be|stay|keep (?:it|things|(?:your |the |all )?(?:repl(?:y|ies)|answers?|responses?|messages?)))\s+(?:very\s+|really\s+|more\s+)?"
    r"(?:brief|short|concise|terse|to the point|succinct|crisp|(?:under|below|within|to|at)\s+(?:one|two|1|2)\s+(?:sentences?|lines?))\b|"
    r"\b(?:short|brief|concise)\s+(?:repl(?:y|ies)|answers?|responses?)\b|\b(?:reply|answer|respond)\s+(?:briefly|concisely|shortly|in (?:one|two|a few) (?:words?|sentences?|lines?))\b"
)


def tone(text: str) -> list[Rule]:
    """Short replies."""
    return [Tone(brief=True)] if BRIEF.search(text) else []

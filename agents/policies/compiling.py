"""From the words of an instruction to the rules they mean; what a rule cannot hold stays advice."""

from __future__ import annotations

from functools import lru_cache

from agents.policies.forms import rules_for
from agents.policies.hours import clock_of
from agents.policies.rules import Rule
from agents.reading.encoder import load_encoder
from agents.reading.heard import hear
from agents.reading.reading import Reading
from agents.reading.rows import MessageSurroundings

MAX_INSTRUCTION_CHARS, MOST_RULES = 600, 20
SURE_RULE_TOPIC = 0.8
"""How sure the encoder is at least of what a wish is about that is held to."""


@lru_cache(maxsize=512)
def compile_rules(text: str) -> tuple[Rule, ...]:
    """The rules that an instruction comes to, each once; empty when it stays advice."""
    if len(text) > MAX_INSTRUCTION_CHARS:
        return ()
    return rules_in_reading(hear(text, clock_of(), {}, MessageSurroundings("wish"), load_encoder()).reading)


def rules_in_reading(reading: Reading) -> tuple[Rule, ...]:
    """The rules of the wishes in a reading, each once."""
    wishes = [clause for clause in reading.clauses if clause.act == "rule" and clause.topic_sure >= SURE_RULE_TOPIC]
    return tuple(dict.fromkeys(rule for clause in wishes for rule in rules_for(clause)))[:MOST_RULES]

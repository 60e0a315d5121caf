"""The shipped weights read what is held out of training as well as their card says."""

from __future__ import annotations

from collections import Counter
from random import Random

from agents.reading.encoder import load_encoder
from training.labelling import held_out_examples
from training.measure import compared
from training.variation import Variations

LEAST = {"cut": 0.72, "act": 0.66, "acts": 0.72, "topic": 0.78, "slot": 0.72, "whole": 0.44}
"""Shares on the card, less what three hundred sentences may lose by chance."""


def test_held_out_sentences_are_read_as_the_card_says() -> None:
    kept = held_out_examples()
    variations, rng, total = Variations(kept), Random(0), Counter[str]()
    for example in Random(1).sample(kept, 300):
        total.update(compared(example, variations, rng, load_encoder()))
    shares = {
        "cut": total["cut"] / total["clauses"],
        "act": total["act"] / total["clauses"],
        "acts": total["acts"] / total["sentences"],
        "topic": total["topic"] / total["topics"],
        "slot": 2 * total["slot"] / total["slots"],
        "whole": total["whole"] / total["sentences"],
    }
    assert {name: share for name, share in shares.items() if share < LEAST[name]} == {}

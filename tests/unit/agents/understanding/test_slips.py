"""Slips of the tongue noticed later are mended where they stand, or become a correction of what went before."""

from __future__ import annotations

import pytest

from agents.understanding.text.slips import unslipped


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("book it for thursday at two oh wait did i say thursday i meant friday", "book it for friday at two"),
        ("call anna at nine did i say nine i meant ten and buy milk", "call anna at ten and buy milk"),
        ("did i say thursday for the vet i meant friday", "move the vet to friday"),
        ("did i say anna sorry i meant hannah", "not anna, but hannah"),
        ("on tuesday at two no wait tuesday's bad make it wednesday", "on tuesday at two no wait wednesday"),
        ("swap the haircut and the call no i mean just cancel the haircut", "cancel the haircut"),
        ("did i say when the vet is", "did i say when the vet is"),
    ],
)
def test_a_slip_is_mended(said: str, meant: str) -> None:
    assert unslipped(said) == meant

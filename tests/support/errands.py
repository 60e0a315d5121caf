"""Errands that have no word in common, so that each is surely a task of its own beside the others."""

from __future__ import annotations

ERRANDS = (
    "buy milk", "call Ana", "pay the rent", "water the ferns", "mend the gate", "post the parcel", "iron the shirts",
    "sweep the yard", "feed the rabbits", "renew my passport", "sharpen the knives", "clean the oven", "wash the car",
    "order firewood", "empty the bins", "plant tulips", "fix the lamp", "return the library books", "polish the boots",
    "bake bread", "sort the photos", "paint the fence", "email Luis", "oil the hinges", "vacuum the stairs",
    "repair the bicycle", "defrost the freezer", "fold the towels", "rake the leaves", "charge the drill",
)  # fmt: skip
PEOPLE = (
    "Bea", "Carl", "Dora", "Emil", "Fay", "Gus", "Hal", "Ines", "Jo", "Kurt", "Lea", "Max", "Nora", "Otto", "Pia",
    "Rosa", "Sven", "Tess", "Uwe", "Vera", "Wim", "Yara", "Zoe",
)  # fmt: skip


def errands(count: int) -> list[str]:
    """Return that many; the first ones come again with another person's name."""
    return [f"{errand}{person}" for person in ("", *(f" for {name}" for name in PEOPLE)) for errand in ERRANDS][:count]

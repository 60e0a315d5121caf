"""The workflows that come with Summit, to be added by name."""

from __future__ import annotations

from pathlib import Path

from app.work.workflows.definition import Definition

DATA = Path(__file__).parent / "data"


def starters() -> dict[str, Definition]:
    """All of them by slug, in the order of their slugs."""
    found = [Definition.model_validate_json(path.read_text("utf-8")) for path in sorted(DATA.glob("*.json"))]
    return {definition.slug: definition for definition in found}

"""`{{variables}}` in the words of a step: names that are replaced by text, and nothing that is computed."""

from __future__ import annotations

import re
from collections.abc import Mapping

VARIABLE = re.compile(r"\{\{\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*)\s*\}\}")


def variables(template: str) -> list[str]:
    """The names it uses, each once, in their order; raises ValueError for braces that are not a variable."""
    rest = VARIABLE.sub("", template)
    if "{{" in rest or "}}" in rest:
        raise ValueError("between {{ and }} stands one name, such as {{inputs.question}} or {{steps.find}}")
    return list(dict.fromkeys(VARIABLE.findall(template)))


def fill(template: str, values: Mapping[str, str]) -> str:
    """The template with its values, in one pass: braces inside a value stay as they are."""
    return VARIABLE.sub(lambda found: values[found[1]], template)

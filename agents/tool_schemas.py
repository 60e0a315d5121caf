"""What a language model may say about a record: plain words, never checked by the schema that it is shown.

Every field is optional and takes anything, so that one bad value fails alone and with its reason where it is applied.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, WithJsonSchema


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


Words = Annotated[Any, WithJsonSchema({"type": "string"})]
Phrase = Annotated[
    Any,
    WithJsonSchema(
        {
            "type": "string",
            "description": "The user's own words about time, copied letter by letter. Never a date of your own.",
        }
    ),
]
Minutes = Annotated[Any, BeforeValidator(_number), WithJsonSchema({"type": "integer", "description": "Minutes."})]
Lines = Annotated[Any, WithJsonSchema({"type": "array", "items": {"type": "string"}})]


def one_of(*choices: str) -> Any:
    """A field that should have one of these values."""
    return Annotated[Any, WithJsonSchema({"type": "string", "enum": list(choices)})]


class Worded(BaseModel):
    """Base of the tools that a model fills in."""

    model_config = ConfigDict(extra="allow")

    @property
    def said(self) -> dict[str, Any]:
        """The fields that the model filled in."""
        return {name: value for name, value in self.model_dump(exclude_unset=True).items() if value is not None}

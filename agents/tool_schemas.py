"""What a language model may say about a record: plain words, in forms that are as short as they can be.

Every field is optional; a value that does not fit is put right by the model once, and else fails alone where it is
applied.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, WithJsonSchema


def _number(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


def _whole_minutes(value: Any) -> Any:
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise ValueError("must be a whole number of minutes")
    return value


def _text(value: Any) -> Any:
    if value is not None and not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def _time(value: Any) -> Any:
    words = value.get("words") if isinstance(value, dict) else value
    return value if _text(words) is None or isinstance(value, dict) else {"words": words}


def _list(value: Any) -> Any:
    if value is not None and not isinstance(value, list):
        raise ValueError("must be an array")
    return value


TIME_PARTS = {"words": {"type": "string"}, "value": {"type": "string"}}
Words = Annotated[Any, AfterValidator(_text), WithJsonSchema({"type": "string"})]
Time = Annotated[
    Any,
    AfterValidator(_time),
    WithJsonSchema({"type": "object", "properties": TIME_PARTS}),
]
"""The user's words for a time, and what the model takes them to mean; a lone string is the words."""
Minutes = Annotated[Any, BeforeValidator(_number), AfterValidator(_whole_minutes), WithJsonSchema({"type": "integer"})]
Lines = Annotated[Any, AfterValidator(_list), WithJsonSchema({"type": "array", "items": {"type": "string"}})]


def one_of(*choices: str) -> Any:
    """A field that has one of these values."""

    def known(value: Any) -> Any:
        if value is not None and value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return value

    return Annotated[Any, AfterValidator(known), WithJsonSchema({"type": "string", "enum": list(choices)})]


class Worded(BaseModel):
    """Base of the tools that a model fills in."""

    model_config = ConfigDict(extra="allow")

"""The fields of the forms that a model fills in: flat, with schemas that are as short as they can be.

A value that does not fit is put right by the model once, and else fails alone where it is applied.
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


def _list(value: Any) -> Any:
    if value is not None and not isinstance(value, list):
        raise ValueError("must be an array")
    return value


def _numbers(value: Any) -> Any:
    each = [_number(one) for one in value] if isinstance(value, list) else value
    if each is not None and not (isinstance(each, list) and all(type(one) is int for one in each)):
        raise ValueError("must be an array of whole numbers")
    return each


def _texts(value: Any) -> Any:
    """A lone text stands for a list of it."""
    return _list([value] if isinstance(value, str) else value)


Words = Annotated[Any, AfterValidator(_text), WithJsonSchema({"type": "string"})]
Minutes = Annotated[Any, BeforeValidator(_number), AfterValidator(_whole_minutes), WithJsonSchema({"type": "integer"})]
Lines = Annotated[Any, BeforeValidator(_texts), WithJsonSchema({"type": "array", "items": {"type": "string"}})]
Numbers = Annotated[Any, BeforeValidator(_numbers), WithJsonSchema({"type": "array", "items": {"type": "integer"}})]


def objects(**parts: str) -> Any:
    """A field that is an array of flat objects of texts, whose first part each must have."""
    needed = next(iter(parts))

    def named(value: Any) -> Any:
        if value is not None and not (isinstance(value, list) and all(_has(one, needed) for one in value)):
            raise ValueError(f"must be an array of objects with a {needed}")
        return value

    items = {"type": "object", "properties": {name: _part(kind) for name, kind in parts.items()}, "required": [needed]}
    return Annotated[Any, AfterValidator(named), WithJsonSchema({"type": "array", "items": items})]


def _has(value: Any, name: str) -> bool:
    return isinstance(value, dict) and isinstance(value.get(name), str)


def _part(kind: str) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "string"}} if kind == "lines" else {"type": "string"}


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

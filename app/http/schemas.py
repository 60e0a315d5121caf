"""Types that every door shares: texts, times, pages and changes as clients see them."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Any, Generic, TypeVar

from fastapi import Header, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from agents.contract import Change
from agents.records import Instant

T = TypeVar("T")
V = TypeVar("V", bound=BaseModel)
SILENT_CATEGORIES = frozenset("CZ")
LARGEST_PAGE = 200
DIGITS = re.compile("-?[0-9]+")
KEY_FORM = r"^[\x21-\x7e]+$"
LONGEST_KEY = 255


class Document(BaseModel):
    """Base of what clients send: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


def _says_something(value: str) -> str:
    if not any(unicodedata.category(letter)[0] not in SILENT_CATEGORIES for letter in value):
        raise ValueError("must say something: it is empty or only white space")
    return value


def _as_text(value: object) -> object:
    """Only RFC 3339 text: pydantic alone would take 1700000000 for an instant."""
    if not isinstance(value, str) or "T" not in value.upper():
        raise ValueError("must be a time such as 2026-11-18T09:30:00+01:00")
    return value


def _digits(value: object) -> object:
    """Only digits: pydantic alone would take "1.0", "1_0" and " 7" as well."""
    if isinstance(value, str) and not DIGITS.fullmatch(value):
        raise ValueError("must be a whole number")
    return value


Number = Annotated[int, BeforeValidator(_digits)]
"""A whole number in a query."""
Spoken = AfterValidator(_says_something)
SpokenText = Annotated[str, Spoken]
Said = Annotated[Instant, BeforeValidator(_as_text)]
Cursor = Annotated[str | None, Query(max_length=500, description="`next` of the page before.")]
Limit = Annotated[Number, Query(ge=1, le=LARGEST_PAGE, description="Most items on a page.")]
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=LONGEST_KEY,
        pattern=KEY_FORM,
        description="Any ASCII text of your own without spaces, new for each wish: sent again with the same body it "
        "gives the same answer, and nothing happens twice.",
        examples=["6f1c7a1e-6d2b-4f0e-9d49-6c6f0f7a9a51"],
    ),
]


class ChangeView(Change):
    """One row of the ledger: what was attempted, and what became of it."""

    undo: str | None = Field(
        None, description="POST here to take the change back; null when there is nothing to take back."
    )


class ChangeList(BaseModel):
    """Changes, in the order in which they were made."""

    changes: list[ChangeView]


class Listing(BaseModel, Generic[T]):
    """One page; `next` is the cursor of the page after it, null at the end."""

    items: list[T]
    next: str | None = Field(description="Send as `cursor` to get the next page.")


def change_view(change: Change) -> ChangeView:
    """A change with the address at which it can be undone."""
    undo = undo_address(change.id) if change.status == "applied" else None
    return ChangeView.model_validate({**change.model_dump(), "undo": undo})


def refused_view(change: Change) -> ChangeView:
    """A change as a problem tells of it: without its values, which are the client's own and may be long."""
    return change_view(change.model_copy(update={"fields": {}, "before": None, "after": None, "conflicts": []}))


def from_row(view: type[V], row: object) -> V:
    """A row of a port as the document that shows it."""
    return view.model_validate(row, from_attributes=True)


def as_json(model: BaseModel) -> dict[str, Any]:
    """The model as the JSON that is sent."""
    return model.model_dump(mode="json")


def undo_address(change_id: str) -> str:
    """Where a change is undone."""
    return f"/v1/changes/{change_id}/undo"

"""Rows of an archive, before any reaches the database: each value is of its column's kind, and can be read again.

PostgreSQL would keep a moment in the year 99999, a zone that nobody knows or a record without a title, and every list
with it would fail from then on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, NoReturn
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import ValidationError

from agents.contract import Change, Outcome, Proposal
from agents.records import RECORD_TYPES, UNSTORABLE
from app.http.accounts.model.portability import NotImportable
from app.http.accounts.model.users import main_thread

Columns = Mapping[str, str]
"""The kind of each column of a table, as the database calls it."""
BATCH_ROWS, BATCH_BYTES = 500, 1 << 20
MAX_JSON_DEPTH = 64
MAX_SAFE_INTEGER = 2**53
"""Far from where counters would end, and what every reader of JSON can tell."""
LARGEST_SHORT = 2**30


def parse_json(text: bytes) -> Any:
    """JSON that can be kept and shown again; raises ValueError."""
    try:
        document = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    check(document)
    return document


def check(document: Any, depth: int = 0) -> None:
    """Raises ValueError for what cannot be kept or read again, whatever it is part of."""
    if depth > MAX_JSON_DEPTH:
        raise ValueError(f"it is nested deeper than {MAX_JSON_DEPTH} levels")
    match document:
        case str():
            _check_text(document)
        case int() | float():
            _check_number(document, MAX_SAFE_INTEGER)
        case dict():
            for key, value in document.items():
                _check_text(key)
                check(value, depth + 1)
        case list():
            for value in document:
                check(value, depth + 1)


def rows_of(
    lines: Iterable[bytes], table: str, columns: Columns, before: UUID, after: UUID
) -> Iterator[dict[str, Any]]:
    """The rows as they are to be kept, those of one user as those of another; raises NotImportable."""
    spellings = _spellings(before, after)
    for number, line in enumerate(lines, 1):
        try:
            yield _row(line, table, columns, spellings, after)
        except (ValueError, RecursionError) as error:
            raise NotImportable(f"Line {number} of {table} cannot be taken in: {_why(error)}.") from error


def batches_of(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[list[str], str, int]]:
    """Columns, rows as one text of JSON, and their number; some at a time, each with the same columns."""
    names: list[str] = []
    batch: list[str] = []
    size = 0
    for row in rows:
        text = json.dumps(row)
        if batch and (list(row) != names or len(batch) == BATCH_ROWS or size + len(text) > BATCH_BYTES):
            yield names, f"[{','.join(batch)}]", len(batch)
            batch, size = [], 0
        names = list(row)
        batch.append(text)
        size += len(text)
    if batch:
        yield names, f"[{','.join(batch)}]", len(batch)


def _row(
    line: bytes, table: str, columns: Columns, spellings: list[tuple[bytes, bytes]], owner: UUID
) -> dict[str, Any]:
    for was, now in spellings:
        line = line.replace(was, now)
    found = parse_json(line)
    if not isinstance(found, dict):
        raise ValueError("it is no row")  # noqa: TRY004 - of the archive, not of a caller
    row = {name: found[name] for name in columns if name in found}
    if "user_id" in columns:
        row["user_id"] = str(owner)
    for name, value in row.items():
        if value is not None and (kind := KINDS.get(columns[name])):
            try:
                kind(value)
            except (ValueError, TypeError, OverflowError) as error:
                raise ValueError(f"{name} is no {columns[name]}") from error
    if row.get("timezone") is not None:
        check_zone(row["timezone"])
    if readable := READABLE.get(table):
        readable(row)
    return row


def _why(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return "it is no JSON" if isinstance(error, json.JSONDecodeError | UnicodeDecodeError) else str(error)


def _refuse(_name: str) -> NoReturn:
    raise ValueError("its numbers must be finite")


def check_zone(zone: object) -> None:
    """Raises ValueError for what names no time zone."""
    try:
        ZoneInfo(str(zone))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("timezone must be an IANA time zone such as Europe/Lisbon") from None


def _check_text(text: str) -> None:
    if UNSTORABLE.search(text):
        raise ValueError("text must not contain NUL characters or lone surrogates")


def _check_number(number: float, largest: int) -> None:
    if not abs(number) <= largest:
        raise ValueError(f"numbers must be finite and not larger than {largest}")


def _whole(largest: int) -> Callable[[Any], None]:
    def check_whole(value: Any) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError
        _check_number(value, largest)

    return check_whole


def _number(value: Any) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError


def _text(value: Any) -> None:
    if not isinstance(value, str):
        raise TypeError


def _truth(value: Any) -> None:
    if not isinstance(value, bool):
        raise TypeError


def _moment(value: Any) -> None:
    """Far enough from both ends of the calendar that every zone can tell it."""
    if not 1 < datetime.fromisoformat(value).year < 9999:  # noqa: PLR2004 - the calendar's
        raise ValueError(value)


def _stretch(value: Any) -> None:
    for end in value.strip("[]()").split(","):
        _moment(end.strip('" '))


KINDS: Mapping[str, Callable[[Any], object]] = {
    "uuid": UUID,
    "text": _text,
    "bytea": _text,
    "boolean": _truth,
    "smallint": _whole(LARGEST_SHORT),
    "integer": _whole(LARGEST_SHORT),
    "bigint": _whole(MAX_SAFE_INTEGER),
    "double precision": _number,
    "numeric": _number,
    "timestamp with time zone": _moment,
    "tstzrange": _stretch,
}


def _readable_record(row: dict[str, Any]) -> None:
    model = RECORD_TYPES.get(str(row.get("prefix")).partition(".")[0])  # type: ignore[call-overload]  # others: none
    if model is not None:
        model.model_validate(row.get("value"))


def _readable_turn(row: dict[str, Any]) -> None:
    if row.get("result"):
        Outcome.model_validate(row["result"])
    for item in row.get("reading") or []:
        Proposal.model_validate(item)


def _readable_change(row: dict[str, Any]) -> None:
    Change.model_validate({name: row[name] for name in Change.model_fields if name in row})


READABLE: Mapping[str, Callable[[dict[str, Any]], None]] = {
    "store": _readable_record,
    "turns": _readable_turn,
    "changes": _readable_change,
}
"""Rows that Summit reads as documents of its own."""


def _spellings(before: UUID, after: UUID) -> list[tuple[bytes, bytes]]:
    """The ids of the user and of the main thread: as text, and as text and bytes in hexadecimal digits.

    They stand in names of threads and stores, too, and in what LangGraph packed, where they are as long as before.
    """
    return [
        (one.encode(), other.encode())
        for was, now in ((before, after), (main_thread(before), main_thread(after)))
        for one, other in (
            (str(was), str(now)),
            (str(was).encode().hex(), str(now).encode().hex()),
            (was.hex, now.hex),
        )
    ]

"""Reads records for the doors: one by id or short id, or pages with filters, straight from the store's table."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from uuid import UUID

from psycopg import sql

from agents.fields import FIELDS
from agents.records import RECORD_TYPES, AnyRecord, Kind
from app.database.database import Database
from app.database.model import Page
from app.database.paging import decode, page
from app.errors import Conflict, InvalidInput

SHORTEST_ID = 6
GET = r"""
select value from store where user_id = %(user_id)s and prefix = %(prefix)s
  and (key = %(id)s or (length(%(id)s) >= %(shortest)s and key like %(like)s))
order by key = %(id)s desc limit 2
"""
SORTABLE = """coalesce(to_char(instant_of(value->>'{0}', value->>'zone') at time zone 'UTC',
                         'YYYY-MM-DD"T"HH24:MI:SS.US'), '9999')"""
# Sort keys are text: instants in UTC compare rightly, and what has no time comes last.
SORTS: dict[str, str] = {
    "created": "value->>'created_at'",
    "updated": "value->>'updated_at'",
    "deadline": SORTABLE.format("deadline"),
    "start": SORTABLE.format("start"),
    "priority": "case value->>'priority' when 'high' then '1' when 'medium' then '2' when 'low' then '3' else '4' end",
}
WORDED = [name for name, field in FIELDS.items() if field.is_searched]
"""The fields that hold words of a user, of all kinds."""
FILTERS: dict[str, str] = {
    "status": "value->>'status' = %(status)s",
    "list": "lower(value->>'list') = lower(%(list)s)",
    "tag": "value->'tags' ? %(tag)s",
    "category": "value->>'category' = %(category)s",
    # The words in them as they were written: not the names of fields, and not JSON's way to write a quotation mark.
    "q": f"""exists (
        select from jsonb_each(value) field, jsonb_path_query(field.value, 'strict $.** ? (@.type() == "string")') words
        where field.key in ({", ".join(f"'{name}'" for name in WORDED)}) and words #>> '{{}}' ilike %(q)s)""",
    "due_before": "instant_of(value->>'deadline', value->>'zone') < %(due_before)s",
    # The end of whole days is their last day, all of it.
    "from": "instant_of(value->>'end', value->>'zone') "
    "+ case when length(value->>'end') = 10 then interval '1 day' else interval '0' end > %(from)s",
    "to": "instant_of(value->>'start', value->>'zone') < %(to)s",
}


class StoreReader:
    """The records of one user as typed models."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: UUID, kind: Kind, record_id: str) -> AnyRecord | None:
        """One record by its id or a unique prefix of at least 6 characters; raises Conflict for an ambiguous one."""
        values = {
            "user_id": user_id,
            "prefix": _prefix(kind, user_id),
            "id": record_id,
            "like": f"{_literal(record_id)}%",
            "shortest": SHORTEST_ID,
        }
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(GET, values)).fetchall()
        if len(rows) > 1 and rows[0]["value"]["id"] != record_id:
            raise Conflict(f"More than one item's id begins with {record_id}.", hint="Give more characters of the id.")
        return RECORD_TYPES[kind].model_validate(rows[0]["value"]) if rows else None

    async def list(self, user_id: UUID, kind: Kind, filters: dict[str, Any], limit: int, cursor: str | None) -> Page:
        """Records that match, newest first or as ``filters['sort']`` says (``-`` in front turns the order round)."""
        order = _order(filters.get("sort") or "-created")
        given = {name: value for name, value in filters.items() if name != "sort" and value is not None}
        values = {**{name: _value(name, value) for name, value in given.items()}, "limit": limit + 1}
        values |= {"user_id": user_id, "prefix": _prefix(kind, user_id)}
        values |= dict(zip(("last", "last_key"), decode(cursor, 2), strict=True)) if cursor is not None else {}
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(_query(list(given), order, resumed=cursor is not None), values)).fetchall()
        found = page(rows, limit, lambda row: (row["position"], row["key"]))
        return Page([RECORD_TYPES[kind].model_validate(row["value"]) for row in found.items], found.next)


def _query(filters: list[str], order: tuple[str, bool], *, resumed: bool) -> sql.Composed:
    expression, descending = order
    position = sql.SQL(expression)  # one of SORTS, never a client's words
    conditions: list[sql.Composable] = [sql.SQL(FILTERS[name]) for name in filters]
    if resumed:
        beyond = "({}, key) < (%(last)s, %(last_key)s)" if descending else "({}, key) > (%(last)s, %(last_key)s)"
        conditions.append(sql.SQL(beyond).format(position))
    return sql.SQL(
        "select key, value, {position} as position from store where user_id = %(user_id)s and prefix = %(prefix)s "
        "{conditions} order by {position} {direction}, key {direction} limit %(limit)s"
    ).format(
        position=position,
        conditions=sql.SQL("").join(sql.SQL("and ") + condition + sql.SQL(" ") for condition in conditions),
        direction=sql.SQL("desc" if descending else "asc"),
    )


def _order(sort: str) -> tuple[str, bool]:
    name = sort.removeprefix("-")
    if name not in SORTS:
        raise InvalidInput(f"There is no order named {name}.", hint=f"Sort by one of {', '.join(SORTS)}.")
    return SORTS[name], sort.startswith("-")


def _value(name: str, value: Any) -> Any:
    if name == "q":
        return f"%{_literal(str(value))}%"
    return value.isoformat() if isinstance(value, date) and not isinstance(value, datetime) else value


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")


def _prefix(kind: Kind, user_id: UUID) -> str:
    return f"{kind}.{user_id}"

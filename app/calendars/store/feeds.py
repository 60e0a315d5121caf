"""Calendar feeds: the digests of their tokens, and the records that they show."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from agents.records import Event, ToDo
from app.calendars.model.calendars import Feed, OpenFeed, TodosAs
from app.database.database import Connection, Database

GET = "select todos, created_at from calendar_feeds where user_id = %s"
ISSUE = """
insert into calendar_feeds (user_id, digest, todos) values (%(user_id)s, %(digest)s, %(todos)s)
on conflict (user_id) do update set digest = excluded.digest, todos = excluded.todos, created_at = now()
returning todos, created_at
"""
# The end of whole days is their last day, all of it.
EVENTS = """
select value from store, lateral (select coalesce(value->>'end', value->>'start') as last) said
where user_id = %(user_id)s and prefix = %(prefix)s
  and (value->>'recurrence' is not null or
       instant_of(last, value->>'zone')
       + case when length(last) = 10 then interval '1 day' else interval '0' end > %(since)s)
order by value->>'start' desc, key limit %(most)s
"""
TODOS = """
select value from store
where user_id = %(user_id)s and prefix = %(prefix)s and value->>'deadline' is not null
  and value->>'status' in ('not started', 'in progress')
order by value->>'deadline' desc, key limit %(most)s
"""


class Feeds:
    """Feeds over Postgres; a token is looked up through a definer function that returns no content."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, user_id: UUID) -> Feed | None:
        """The user's feed."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id,))).fetchone()
        return Feed(**row) if row else None

    async def issue(self, user_id: UUID, digest: bytes, todos: TodosAs) -> Feed:
        """Make the feed, or give it this new token in place of the old one."""
        async with self._database.one_statement(user_id) as conn:
            found = await conn.execute(ISSUE, {"user_id": user_id, "digest": digest, "todos": todos})
            row = await found.fetchone()
        if row is None:
            raise LookupError(f"the feed of {user_id} was not kept")
        return Feed(**row)

    async def revoke(self, user_id: UUID) -> bool:
        """Close the feed at once; False when there was none."""
        async with self._database.one_statement(user_id) as conn:
            gone = await conn.execute("delete from calendar_feeds where user_id = %s returning user_id", (user_id,))
            return await gone.fetchone() is not None

    async def find(self, digest: bytes) -> OpenFeed | None:
        """The feed that a token with this SHA-256 opens, of any user: one small statement."""
        async with self._database.system() as conn:
            row = await (await conn.execute("select * from find_feed(%s)", (digest,))).fetchone()
        return OpenFeed(**row) if row else None

    async def items(self, feed: OpenFeed, since: datetime, most: int) -> tuple[list[Event], list[ToDo]]:
        """Events that are not over at ``since`` and open to-dos with a deadline, the latest ``most`` of each."""
        values = {"user_id": feed.user_id, "since": since, "most": most}
        async with self._database.tenant(feed.user_id) as conn:
            events = await _values(conn, EVENTS, {**values, "prefix": f"event.{feed.user_id}"})
            wanted = feed.todos != "none"
            todos = await _values(conn, TODOS, {**values, "prefix": f"todo.{feed.user_id}"}) if wanted else []
        return [Event.model_validate(value) for value in events], [ToDo.model_validate(value) for value in todos]


async def _values(conn: Connection, query: str, values: dict[str, Any]) -> list[Any]:
    return [row["value"] for row in await (await conn.execute(query, values)).fetchall()]

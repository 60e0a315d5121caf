"""Projects: registered folders with what the last scan found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID, uuid4

import psycopg.errors
from psycopg.types.json import Jsonb

from app.database.database import Database
from app.errors import Conflict
from app.work.projects.model.projects import Project, ProjectFacts

COLUMNS = "id, name, root, description, facts, created_at, scanned_at"
LIST = f"select {COLUMNS} from projects where user_id = %s order by lower(name), id"  # noqa: S608
GET = f"select {COLUMNS} from projects where user_id = %s and id = %s"  # noqa: S608
LOCK = "select 1 from counters where user_id = %s for update"
# A request that is sent again finds its row.
ADD = f"""
insert into projects (user_id, id, name, root, description, facts, scanned_at) values (%s, %s, %s, %s, %s, %s, now())
on conflict (user_id, id) do update set name = excluded.name returning {COLUMNS}
"""  # noqa: S608
FACTS = f"""
update projects set facts = %s, scanned_at = now() where user_id = %s and id = %s returning {COLUMNS}
"""  # noqa: S608
REMOVE = "delete from projects where user_id = %s and id = %s returning id"


class Projects:
    """One user's registered folders. ``most`` projects a user."""

    def __init__(self, database: Database, *, most: int) -> None:
        self._database = database
        self._most = most

    async def add(
        self, user_id: UUID, name: str, root: str, description: str, facts: ProjectFacts, project_id: UUID | None = None
    ) -> Project:
        """Register a scanned folder; raises Conflict where name or folder are registered, or there are too many."""
        made = project_id or uuid4()
        values = (user_id, made, name, root, description, Jsonb(asdict(facts)))
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, (user_id,))
            known = [one for one in await (await conn.execute(LIST, (user_id,))).fetchall() if one["id"] != made]
            if len(known) >= self._most:
                raise Conflict(f"There are {len(known)} projects already.", hint="Remove one that is not needed.")
            try:
                row = await (await conn.execute(ADD, values)).fetchone()
            except psycopg.errors.UniqueViolation as error:
                which = "folder" if "root" in (error.diag.constraint_name or "") else "name"
                raise Conflict(f"A project with this {which} is registered.", hint="List the projects.") from error
        return _project(row or {})

    async def list(self, user_id: UUID) -> Sequence[Project]:
        """Every project, by name."""
        async with self._database.one_statement(user_id) as conn:
            return [_project(row) for row in await (await conn.execute(LIST, (user_id,))).fetchall()]

    async def get(self, user_id: UUID, project_id: UUID) -> Project | None:
        """One project."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(GET, (user_id, project_id))).fetchone()
        return _project(row) if row else None

    async def keep_facts(self, user_id: UUID, project_id: UUID, facts: ProjectFacts) -> Project | None:
        """The project with what a new scan found; None when it is gone."""
        async with self._database.one_statement(user_id) as conn:
            row = await (await conn.execute(FACTS, (Jsonb(asdict(facts)), user_id, project_id))).fetchone()
        return _project(row) if row else None

    async def remove(self, user_id: UUID, project_id: UUID) -> bool:
        """Forget a project; its folder is not touched."""
        async with self._database.one_statement(user_id) as conn:
            return await (await conn.execute(REMOVE, (user_id, project_id))).fetchone() is not None


def _project(row: dict[str, Any]) -> Project:
    facts = row["facts"]
    if facts:  # jsonb keeps no order
        facts["languages"] = dict(sorted(facts["languages"].items(), key=lambda one: -one[1]))
    return Project(**{**row, "facts": ProjectFacts(**facts) if facts else None})

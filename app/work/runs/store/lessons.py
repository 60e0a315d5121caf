"""Lessons of runs in Postgres: written with the end of their run, found by meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

from app.database.database import Connection, Database
from app.database.model import Page
from app.database.paging import decode_latest, page
from app.models.model.embeddings import Vector
from app.work.runs.model.lessons import Lesson, LessonKind, Near, NewLesson

COLUMNS = "id, kind, text, taught, run_id, score, is_foreign as foreign, times, learned_at, edited_at"
# A lesson that its user has put into other words keeps them.
LEARN = """
insert into run_lessons (user_id, id, kind, text, taught, run_id, score, is_foreign)
values (%s, %s, %s, %s, %s, %s, %s, %s)
on conflict (user_id, id) do update set score = excluded.score, run_id = excluded.run_id, times = run_lessons.times + 1,
    learned_at = now()
where run_lessons.run_id is distinct from excluded.run_id
"""
TRIM = """
delete from run_lessons where user_id = %(user_id)s and id in (
    select id from run_lessons where user_id = %(user_id)s order by learned_at desc, id desc offset %(most)s)
"""
LATEST_LESSONS = f"""
select {COLUMNS} from run_lessons
where user_id = %(user_id)s and (%(at)s::timestamptz is null or (learned_at, id) < (%(at)s, %(id)s))
  and (%(kind)s::text is null or kind = %(kind)s)
order by learned_at desc, id desc limit %(limit)s
"""  # noqa: S608
EDIT = f"""
update run_lessons set text = %(text)s, is_foreign = false, edited_at = now(),
    taught = case when taught = text then %(text)s else taught end
where user_id = %(user_id)s and id = %(id)s returning {COLUMNS}
"""  # noqa: S608
STALE = "delete from run_lesson_vectors where user_id = %s and lesson = %s"
FORGET = "delete from run_lessons where user_id = %s and id = %s returning id"
WITHOUT_VECTOR = """
select id, taught from run_lessons l where user_id = %s and not exists (
    select from run_lesson_vectors v where v.user_id = l.user_id and v.lesson = l.id and v.model = %s)
order by learned_at desc limit %s
"""
KEEP = """
insert into run_lesson_vectors (user_id, lesson, model, embedding)
select user_id, id, %(model)s, %(vector)s::halfvec from run_lessons where user_id = %(user_id)s and id = %(id)s
on conflict do nothing
"""
NEAREST_LESSONS = f"""
select {COLUMNS}, -(v.embedding <#> %(vector)s::halfvec) as cosine
from run_lessons l join run_lesson_vectors v on v.user_id = l.user_id and v.lesson = l.id and v.model = %(model)s
where l.user_id = %(user_id)s order by v.embedding <#> %(vector)s::halfvec limit %(limit)s
"""  # noqa: S608
RECENT_LESSONS = f"""
select {COLUMNS}, null::float8 as cosine from run_lessons where user_id = %(user_id)s
order by learned_at desc, id desc limit %(limit)s
"""  # noqa: S608


class Lessons:
    """The lessons of a user."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, user_id: UUID, limit: int, cursor: str | None, kind: LessonKind | None) -> Page:
        """A page, what was learned last first."""
        at, last = decode_latest(cursor)
        values = {"user_id": user_id, "at": at, "id": last, "kind": kind, "limit": limit + 1}
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(LATEST_LESSONS, values)).fetchall()
        return page([Lesson(**row) for row in rows], limit, lambda one: (one.learned_at.isoformat(), one.id))

    async def edit(self, user_id: UUID, lesson_id: UUID, text: str) -> Lesson | None:
        """Put it in the user's own words, which are not foreign any more."""
        async with self._database.tenant(user_id) as conn:
            row = await (await conn.execute(EDIT, {"user_id": user_id, "id": lesson_id, "text": text})).fetchone()
            await conn.execute(STALE, (user_id, lesson_id))
        return Lesson(**row) if row else None

    async def forget(self, user_id: UUID, lesson_id: UUID) -> bool:
        """Delete one; False when there is none."""
        async with self._database.tenant(user_id) as conn:
            return await (await conn.execute(FORGET, (user_id, lesson_id))).fetchone() is not None

    async def without_vector(self, user_id: UUID, model: str, limit: int) -> Sequence[tuple[UUID, str]]:
        """(id, taught) of lessons that a model has not embedded, the latest first."""
        async with self._database.one_statement(user_id) as conn:
            rows = await (await conn.execute(WITHOUT_VECTOR, (user_id, model, limit))).fetchall()
        return [(row["id"], row["taught"]) for row in rows]

    async def keep_vectors(self, user_id: UUID, model: str, vectors: Mapping[UUID, Vector]) -> None:
        """Keep what a model made of them."""
        async with self._database.tenant(user_id) as conn:
            for lesson, vector in vectors.items():
                values = {"user_id": user_id, "id": lesson, "model": model, "vector": _text(vector)}
                await conn.execute(KEEP, values)

    async def near(self, user_id: UUID, model: str, vector: Vector | None, limit: int) -> Sequence[Near]:
        """The nearest to a vector, or the latest without one."""
        values: dict[str, Any] = {"user_id": user_id, "model": model, "limit": limit}
        if vector is not None:
            values["vector"] = _text(vector)
        async with self._database.one_statement(user_id) as conn:
            rows = await (
                await conn.execute(NEAREST_LESSONS if vector is not None else RECENT_LESSONS, values)
            ).fetchall()
        return [Near(Lesson(**{name: row[name] for name in row if name != "cosine"}), row["cosine"]) for row in rows]


async def learn(conn: Connection, user_id: UUID, run_id: UUID, lessons: Sequence[NewLesson], most: int) -> None:
    """Keep lessons in the transaction of their run's end; of more than ``most``, the oldest go."""
    for one in lessons:
        lesson_id = uuid5(user_id, f"{one.kind}:{one.text}")
        values = (user_id, lesson_id, one.kind, one.text, one.taught, run_id, one.score, one.foreign)
        await conn.execute(LEARN, values)
    if lessons:
        await conn.execute(TRIM, {"user_id": user_id, "most": most})


def _text(vector: Vector) -> str:
    return f"[{','.join(map(str, vector))}]"

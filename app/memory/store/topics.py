"""Topics in Postgres: which of the latest units are about one thing; what is hidden is in none of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from agents.contract import Citation
from agents.index.words import stems as stems_of
from app.database.database import Connection, Database
from app.database.paging import decode, encode
from app.errors import InvalidInput
from app.memory.citing import part_of
from app.memory.loops import covers, duties, says_done
from app.memory.model.topics import Insights, Material, OpenLoop, Placed, Tie, Topic, TopicPage
from app.memory.wording import WORD

SAMPLES, NAME_WORDS = 3, 3
MOST_LOOPS, MOST_DUTIES, MOST_RECORDS = 50, 200, 2000
"""Open loops that are told, sentences that are looked at for them, and records that may cover them: the latest."""
LEAST_LETTERS = 3
"""Of a word in the name of a topic."""
AT_ONCE = 200
"""Units whose neighbours are looked for in one transaction."""
NEIGHBOURS, LEAST_ALIKE = 8, 0.35
USERS = "select owner from memory_users_for_topics(%s, %s)"
LATEST = """
select u.id, u.text, t.topic from memory_units u
join memory_documents d on d.user_id = u.user_id and d.source = u.source and d.id = u.document
left join memory_topic_units t on t.user_id = u.user_id and t.unit = u.id
where u.user_id = %(user_id)s and d.hidden_at is null and u.source <> 'fact'
order by u.id desc limit %(most)s
"""
MODEL = """
select t.model, (select count(*) from memory_vectors v
                 where v.user_id = %(user_id)s and v.model = t.model and v.unit = any (%(ids)s::bigint[])) as vectors
from memory_totals t where t.user_id = %(user_id)s
"""
STEMS = """
select told.word, stem
from unnest(%(words)s::text[]) as told (word), unnest(ts_lexize('english_stem', told.word)) as stem
"""
TIES = """
select v.unit as one, n.unit as other, n.alike from memory_vectors v cross join lateral (
    select w.unit, -(w.embedding <#> v.embedding) as alike from memory_vectors w
    where w.user_id = %(user_id)s and w.model = %(model)s and w.unit = any (%(ids)s::bigint[])
    order by w.embedding <#> v.embedding limit %(most)s) n
where v.user_id = %(user_id)s and v.model = %(model)s and v.unit = any (%(some)s::bigint[])
  and n.unit <> v.unit and n.alike >= %(least)s
"""
NO_PARALLEL_SCAN = "select set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true)"
LOCK = "select pg_advisory_xact_lock(hashtextextended(%(user_id)s::text, 240))"
PUT = """
insert into memory_topic_units (user_id, unit, topic, words, near)
select %(user_id)s, told.unit, told.topic, string_to_array(told.words, ' '), told.near
from unnest(%(units)s::bigint[], %(topics)s::uuid[], %(words)s::text[], %(near)s::real[])
     as told (unit, topic, words, near)
join memory_units u on u.user_id = %(user_id)s and u.id = told.unit
"""
DONE = """
insert into memory_topic_runs (user_id, last_unit, model) values (%(user_id)s, %(last)s, %(model)s)
on conflict (user_id) do update set made_at = now(), last_unit = excluded.last_unit, model = excluded.model
"""
SHOWN = """
from memory_topic_units t join memory_units u on u.user_id = t.user_id and u.id = t.unit
join memory_documents d on d.user_id = u.user_id and d.source = u.source and d.id = u.document
where t.user_id = %(user_id)s and d.hidden_at is null
"""
CITED = "u.id, u.source, u.document, u.start_char, u.end_char, u.start_ms, u.end_ms, u.text, u.occurred_at"
MEMBERS = f"""
select t.unit, t.topic, t.words, t.near, u.occurred_at {SHOWN}
  and t.topic is not null and (%(topic)s::uuid is null or t.topic = %(topic)s::uuid)
"""
UNITS = f"select {CITED} from memory_units u where u.user_id = %(user_id)s and u.id = any (%(units)s::bigint[])"  # noqa: S608
PAGE = f"""
select {CITED} {SHOWN} and t.topic = %(topic)s and (%(before)s::bigint is null or t.unit < %(before)s)
order by t.unit desc limit %(limit)s
"""
WHEN = f"""
select extract(isodow from u.occurred_at at time zone %(timezone)s)::int as weekday,
       extract(hour from u.occurred_at at time zone %(timezone)s)::int as hour,
       count(*) as units, min(u.occurred_at) as first_at, max(u.occurred_at) as last_at {SHOWN} group by 1, 2
"""  # noqa: S608
DUTIES = f"""
select {CITED} {SHOWN}
  and u.text ~* '\\m(need to|have to|must|should|ought to|got to|gotta|forget to|remember to|remind me to|to-?do:)'
order by u.occurred_at desc, u.id desc limit %(most)s
"""
STEMS_OF = """
select number, tsvector_to_array(to_tsvector('english', said)) as stems
from unnest(%(texts)s::text[]) with ordinality as told (said, number) order by number
"""
RECORDS = """
select tsvector_to_array(to_tsvector('english', coalesce(value ->> 'task', value ->> 'title', ''))) as stems
from store where user_id = %(user_id)s and prefix = any (%(prefixes)s) order by updated_at desc limit %(most)s
"""
LATER = f"""
select u.occurred_at, tsvector_to_array(ts_filter(u.words, '{{a}}')) as stems {SHOWN} and u.occurred_at > %(since)s
"""


class Topics:
    """Topics as the doors and their keeper use them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def due(self, made_before: datetime, limit: int) -> list[UUID]:
        """Users with something new whose topics were last made before then."""
        return [row["owner"] for row in await self._database.rows(USERS, (made_before, limit))]

    async def material(self, user_id: UUID, most: int) -> Material:
        """The latest units, at most so many."""
        values: dict[str, Any] = {"user_id": user_id, "most": most}
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(LATEST, values)).fetchall()
            values["ids"] = [row["id"] for row in rows]
            [model] = await (await conn.execute(MODEL, values)).fetchall() or [{"model": "", "vectors": 0}]
            words = {word for row in rows for word in WORD.findall(row["text"].lower()) if _may_name(word)}
            stems = await (await conn.execute(STEMS, {"words": sorted(words)})).fetchall()
        whole = bool(model["model"]) and model["vectors"] == len(rows)
        ties = await self._ties(user_id, model["model"], values["ids"]) if whole else None
        texts, before = [row["text"] for row in rows], [row["topic"] for row in rows]
        known = {row["word"]: row["stem"] for row in stems}
        return Material(model["model"], values["ids"], texts, before, known, ties)

    async def keep(self, user_id: UUID, model: str, placed: Sequence[Placed]) -> None:
        """Put these in the place of what was known; units that are gone meanwhile are passed over."""
        values = {
            "user_id": user_id,
            "units": [one.unit for one in placed],
            "topics": [one.topic for one in placed],
            "words": [" ".join(one.words) for one in placed],
            "near": [one.near for one in placed],
            "last": max((one.unit for one in placed), default=0),
            "model": model,
        }
        async with self._database.tenant(user_id) as conn:
            await conn.execute(LOCK, values)
            await conn.execute("delete from memory_topic_units where user_id = %(user_id)s", values)
            await conn.execute(PUT, values)
            await conn.execute(DONE, values)

    async def largest(self, user_id: UUID) -> list[Topic]:
        """The topics of a user, the largest first."""
        async with self._database.tenant(user_id) as conn:
            return await _topics(conn, user_id)

    async def get(self, user_id: UUID, topic: UUID, limit: int, cursor: str | None) -> TopicPage | None:
        """One topic with a page of its units; None where there is none."""
        values = {"user_id": user_id, "topic": topic, "limit": limit + 1, "before": _before(cursor)}
        async with self._database.tenant(user_id) as conn:
            found = await _topics(conn, user_id, topic)
            rows = await (await conn.execute(PAGE, values)).fetchall() if found else []
        if not found:
            return None
        more = encode([str(rows[limit - 1]["id"])]) if len(rows) > limit else None
        return TopicPage(found[0], [_to_citation(row) for row in rows[:limit]], more)

    async def loops(self, user_id: UUID, names: Sequence[str]) -> list[OpenLoop]:
        """What was said to be done about something, by its names, and nothing covers; the latest first."""
        async with self._database.tenant(user_id) as conn:
            told = await _open_loops(conn, user_id)
        wanted = [set(stems_of(name)) for name in names]
        return [one for one in told if any(own and own <= set(stems_of(one.what)) for own in wanted)]

    async def insights(self, user_id: UUID, timezone: str) -> Insights:
        """What a user talks about, when, and what is left to do of what they said."""
        async with self._database.tenant(user_id) as conn:
            topics = await _topics(conn, user_id)
            when = await (await conn.execute(WHEN, {"user_id": user_id, "timezone": timezone})).fetchall()
            loops = await _open_loops(conn, user_id)
        return Insights(
            units=sum(row["units"] for row in when),
            first_at=min((row["first_at"] for row in when), default=None),
            last_at=max((row["last_at"] for row in when), default=None),
            topics=topics,
            weekdays=[_count(when, "weekday", day) for day in range(1, 8)],
            hours=[_count(when, "hour", hour) for hour in range(24)],
            open_loops=loops,
        )

    async def _ties(self, user_id: UUID, model: str, ids: Sequence[int]) -> list[Tie]:
        """Each unit with those nearest to it in meaning."""
        places = {unit: place for place, unit in enumerate(ids)}
        values = {"user_id": user_id, "model": model, "ids": ids, "most": NEIGHBOURS + 1, "least": LEAST_ALIKE}
        ties: list[Tie] = []
        for start in range(0, len(ids), AT_ONCE):
            async with self._database.tenant(user_id) as conn:
                await conn.execute(NO_PARALLEL_SCAN)
                found = await conn.execute(TIES, {**values, "some": ids[start : start + AT_ONCE]})
                ties += [(places[row["one"]], places[row["other"]], row["alike"]) for row in await found.fetchall()]
        return ties


async def _topics(conn: Connection, user_id: UUID, topic: UUID | None = None) -> list[Topic]:
    rows = await (await conn.execute(MEMBERS, {"user_id": user_id, "topic": topic})).fetchall()
    members = defaultdict[UUID, list[dict[str, Any]]](list)
    for row in rows:
        members[row["topic"]].append(row)
    ranked = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    samples = {one: sorted(units, key=lambda row: (-row["near"], row["unit"]))[:SAMPLES] for one, units in ranked}
    wanted = [row["unit"] for units in samples.values() for row in units]
    found = await (await conn.execute(UNITS, {"user_id": user_id, "units": wanted})).fetchall()
    cited = {row["id"]: _to_citation(row) for row in found}
    return [_topic(one, units, [cited[row["unit"]] for row in samples[one]]) for one, units in ranked]


def _topic(topic: UUID, units: Sequence[Mapping[str, Any]], citations: list[Citation]) -> Topic:
    """Its words are those that its visible units have: the ones that most of them have come first."""
    having = Counter(word for row in units for word in row["words"])
    words = sorted(having, key=lambda word: (-having[word], word))
    moments = [row["occurred_at"] for row in units]
    return Topic(topic, ", ".join(words[:NAME_WORDS]), words, len(units), min(moments), max(moments), citations)


async def _open_loops(conn: Connection, user_id: UUID) -> list[OpenLoop]:
    """What was said to be done and neither a task nor an event covers, nor later words; the latest first."""
    values = {"user_id": user_id, "most": MOST_DUTIES}
    rows = await (await conn.execute(DUTIES, values)).fetchall()
    said = [(row, duty) for row in rows for duty in duties(row["text"])]
    if not said:
        return []
    stems = await (await conn.execute(STEMS_OF, {"texts": [duty.what for _, duty in said]})).fetchall()
    prefixes = [f"todo.{user_id}", f"event.{user_id}"]
    kept = {"user_id": user_id, "prefixes": prefixes, "most": MOST_RECORDS}
    records = await (await conn.execute(RECORDS, kept)).fetchall()
    since = min(row["occurred_at"] for row, _ in said)
    later = await (await conn.execute(LATER, {"user_id": user_id, "since": since})).fetchall()
    loops: list[OpenLoop] = []
    told: list[set[str]] = []
    for (row, duty), one in zip(said, stems, strict=True):
        own = set(one["stems"])
        known = any(own <= other or other <= own for other in told)
        done = any(says_done(after["stems"], own) for after in later if after["occurred_at"] > row["occurred_at"])
        if own and not known and not done and not any(covers(record["stems"], own) for record in records):
            loops.append(OpenLoop(duty.what, part_of(_to_citation(row), duty.start, duty.end)))
        told.append(own)
    return loops[:MOST_LOOPS]


def _to_citation(row: Mapping[str, Any]) -> Citation:
    return Citation(
        source=row["source"],
        id=row["document"],
        start_char=row["start_char"],
        end_char=row["end_char"],
        start_ms=row["start_ms"],
        end_ms=row["end_ms"],
        quote=row["text"],
        captured_at=row["occurred_at"],
    )


def _count(rows: Iterable[Mapping[str, Any]], name: str, value: int) -> int:
    return sum(row["units"] for row in rows if row[name] == value)


def _may_name(word: str) -> bool:
    return len(word) >= LEAST_LETTERS and word.isalpha()


def _before(cursor: str | None) -> int | None:
    if cursor is None:
        return None
    [unit] = decode(cursor, 1)
    if not unit.isascii() or not unit.isdigit() or len(unit) > len(str(2**62)) - 1:
        raise InvalidInput("The cursor is not one that this list gave out.", hint="Start without a cursor.")
    return int(unit)

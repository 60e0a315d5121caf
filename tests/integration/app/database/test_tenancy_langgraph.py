"""LangGraph's own SQL, which knows nothing of tenants, under row-level security."""

from __future__ import annotations

import asyncio
import random
from uuid import UUID, uuid4

import psycopg
import pytest
from langgraph.store.base import PutOp, SearchOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg import sql

from app.database.database import Database
from app.database.store import TenantStore, bound_store
from app.principal import Fence, NoPrincipal, Principal, StaleLease, acting_as

TENANT_TABLES = ("store", "checkpoints", "checkpoint_blobs", "checkpoint_writes")


@pytest.fixture
async def store(database: Database) -> TenantStore:
    return TenantStore(database)


async def _put_for(store: TenantStore, user: UUID, *titles: str) -> None:
    with acting_as(Principal(user)):
        for title in titles:
            await store.aput(("todo", str(user)), title, {"title": title, "owner": str(user)})


async def test_searching_everything_finds_ones_own_alone(store: TenantStore) -> None:
    anna, ben = uuid4(), uuid4()
    await _put_for(store, anna, "a1", "a2")
    await _put_for(store, ben, "b1")
    with acting_as(Principal(anna)):
        assert sorted(item.key for item in await store.asearch(())) == ["a1", "a2"]
        assert await store.asearch(("todo", str(ben))) == []
        assert await store.aget(("todo", str(ben)), "b1") is None
        assert await store.alist_namespaces() == [("todo", str(anna))]


@pytest.mark.parametrize("table", TENANT_TABLES)
async def test_a_query_that_forgets_its_filter_sees_one_tenant_or_nobody(database: Database, table: str) -> None:
    anna, ben = uuid4(), uuid4()
    for user in (anna, ben):
        await _fill(database, user)
    everything = sql.SQL("select * from {}").format(sql.Identifier(table))
    async with database.tenant(anna) as conn:
        rows = await (await conn.execute(everything)).fetchall()
        assert len(rows) == 1
        assert str(ben) not in str(rows)
    async with database.system() as conn:
        assert await (await conn.execute(everything)).fetchall() == []


async def _fill(database: Database, user: UUID) -> None:
    thread = f"{user}:{uuid4()}"
    async with database.tenant(user) as conn:
        await conn.execute("insert into store (prefix, key, value) values (%s, 'k', '{}')", (f"todo.{user}",))
        await conn.execute(
            "insert into checkpoints (thread_id, checkpoint_id, checkpoint) values (%s, '1', '{}')", (thread,)
        )
        await conn.execute(
            "insert into checkpoint_blobs (thread_id, channel, version, type) values (%s, 'c', '1', 'empty')", (thread,)
        )
        await conn.execute(
            "insert into checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, blob) "
            "values (%s, '1', 't', 0, 'c', '')",
            (thread,),
        )


@pytest.mark.parametrize("table", TENANT_TABLES)
async def test_nobody_changes_or_deletes_rows_of_others(database: Database, table: str) -> None:
    anna, ben = uuid4(), uuid4()
    await _fill(database, anna)
    async with database.tenant(ben) as conn:
        deleted = await conn.execute(sql.SQL("delete from {} returning 1").format(sql.Identifier(table)))
        assert await deleted.fetchall() == []
    async with database.tenant(anna) as conn:
        rows = await (await conn.execute(sql.SQL("select 1 from {}").format(sql.Identifier(table)))).fetchall()
        assert len(rows) == 1


async def test_writing_into_another_users_namespace_is_refused(store: TenantStore) -> None:
    anna, ben = uuid4(), uuid4()
    with acting_as(Principal(ben)), pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        await store.aput(("todo", str(anna)), "planted", {"title": "planted"})
    with acting_as(Principal(anna)):
        assert await store.asearch(()) == []


@pytest.mark.parametrize("namespace", [("todo",), ("todo", "anna"), ("todo", "", "x")])
async def test_a_namespace_without_a_user_is_refused(store: TenantStore, namespace: tuple[str, ...]) -> None:
    with acting_as(Principal(uuid4())), pytest.raises((psycopg.Error, ValueError)):
        await store.aput(namespace, "nobody's", {"title": "nobody's"})


async def test_without_a_principal_the_store_refuses(store: TenantStore) -> None:
    with pytest.raises(NoPrincipal):
        await store.asearch(())


async def test_langgraphs_plain_store_on_the_app_role_sees_nothing(database: Database, store: TenantStore) -> None:
    await _put_for(store, uuid4(), "hidden")
    async with database.connect() as conn:
        assert await AsyncPostgresStore(conn).abatch([SearchOp(())]) == [[]]


async def test_two_users_at_once_never_mix(store: TenantStore) -> None:
    users = [uuid4() for _ in range(4)]
    for user in users:
        await _put_for(store, user, *(f"{user}-{number}" for number in range(3)))

    async def work(seed: int) -> None:
        chance = random.Random(seed)
        for number in range(25):
            user = chance.choice(users)
            with acting_as(Principal(user)):
                await store.aput(("todo", str(user)), f"{user}-{seed}-{number}", {"owner": str(user)})
                found = await store.asearch((), limit=1000)
                assert len(found) >= 3
                assert {item.namespace[1] for item in found} == {str(user)}

    await asyncio.gather(*(work(seed) for seed in range(16)))


async def test_calls_started_together_keep_their_own_users(store: TenantStore) -> None:
    users = [uuid4() for _ in range(40)]

    async def put_and_read(user: UUID) -> list[str]:
        with acting_as(Principal(user)):
            await store.aput(("todo", str(user)), "mine", {"owner": str(user)})
            return [item.value["owner"] for item in await store.asearch(())]

    assert await asyncio.gather(*map(put_and_read, users)) == [[str(user)] for user in users]


async def test_the_store_leaves_no_task_behind(database: Database) -> None:
    before = asyncio.all_tasks()
    store = TenantStore(database)
    with acting_as(Principal(uuid4())):
        await store.asearch(())
    assert {task for task in asyncio.all_tasks() - before if "_run" in repr(task.get_coro())} == set()


async def test_a_stale_claim_writes_nothing_into_the_store(database: Database, store: TenantStore) -> None:
    user = uuid4()
    stale = Principal(user, Fence(uuid4(), 1))
    with acting_as(stale), pytest.raises(StaleLease):
        await store.aput(("todo", str(user)), "late", {"title": "late"})
    with acting_as(stale):
        assert await store.asearch(()) == []


async def test_a_bound_store_is_part_of_its_transaction(database: Database) -> None:
    user = uuid4()
    namespace = ("todo", str(user))

    async def write_and_fail() -> None:
        async with database.tenant(user) as conn:
            await bound_store(conn).abatch([PutOp(namespace, key, {"title": key}) for key in "abc"])
            assert len((await bound_store(conn).abatch([SearchOp(namespace)]))[0] or []) == 3  # type: ignore[arg-type]
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await write_and_fail()
    async with database.tenant(user) as conn:
        assert await bound_store(conn).abatch([SearchOp(namespace)]) == [[]]


async def test_a_bound_store_keeps_what_a_savepoint_kept(database: Database) -> None:
    user = uuid4()
    namespace = ("todo", str(user))
    async with database.tenant(user) as conn:
        for key in ("good", "bad", "fine"):
            try:
                async with conn.transaction():
                    await bound_store(conn).abatch([PutOp(namespace, key, {"title": "\0" if key == "bad" else key})])
            except psycopg.DataError:
                assert key == "bad"
    async with database.tenant(user) as conn:
        [found] = await bound_store(conn).abatch([SearchOp(namespace)])
    assert isinstance(found, list)
    assert sorted(item.key for item in found) == ["fine", "good"]  # type: ignore[union-attr]


async def test_a_bound_store_cannot_leave_its_tenant(database: Database) -> None:
    anna, ben = uuid4(), uuid4()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with database.tenant(anna) as conn:
            await bound_store(conn).abatch([PutOp(("todo", str(ben)), "planted", {"title": "planted"})])


async def test_the_policy_uses_the_index_of_the_user_column(database: Database) -> None:
    anna, ben = uuid4(), uuid4()
    for user in (anna, ben):
        async with database.tenant(user) as conn:
            await conn.execute(
                "insert into store (prefix, key, value) select %s, n::text, '{}' from generate_series(1, 2000) n",
                (f"todo.{user}",),
            )
    with psycopg.connect(database.url, autocommit=True) as admin:
        admin.execute("analyze summit.store")
    async with database.tenant(anna) as conn:
        await conn.execute("set local enable_seqscan = off")
        search = "explain select * from store where prefix like %s order by updated_at desc limit 10"
        rows = await (await conn.execute(search, (f"todo.{anna}%",))).fetchall()
    assert "user_id = (InitPlan" in str(rows)
    assert "store_user_idx" in str(rows)


async def test_check_role_is_content_after_migrating(database: Database) -> None:
    assert await database.check_role() == []


async def test_a_superuser_login_is_bound_by_the_policies(database: Database, store: TenantStore) -> None:
    await _put_for(store, uuid4(), "hidden")
    with psycopg.connect(database.url) as admin:
        assert admin.execute("select usesuper from pg_user where usename = current_user").fetchall() == [(True,)]
        admin.execute("set role summit_app")
        assert admin.execute("select * from summit.store").fetchall() == []


@pytest.mark.parametrize(
    ("spoil", "mend", "problem"),
    [
        ("alter role {role} superuser", "alter role {role} nosuperuser", "is a superuser"),
        ("alter role {role} bypassrls", "alter role {role} nobypassrls", "has BYPASSRLS"),
        ("alter table summit.store owner to {role}", "", "owns the table summit.store"),
        ("alter table summit.checkpoints no force row level security", "", "checkpoints has no forced"),
        ("create table summit.forgotten (user_id uuid)", "", "forgotten has no forced"),
    ],
)
async def test_check_role_names_what_would_open_other_tenants(
    database_url: str, spoil: str, mend: str, problem: str
) -> None:
    # A role of this test's own: roles belong to the whole server, where other tests run.
    role = f"app_{uuid4().hex[:8]}"
    name = sql.Identifier(role)
    with psycopg.connect(database_url, autocommit=True) as admin:
        admin.execute(sql.SQL("create role {0}; grant usage on schema summit to {0}").format(name))
        admin.execute(sql.SQL(spoil).format(role=name))
        try:
            async with Database(database_url, app_role=role) as database:
                found = await database.check_role()
        finally:
            admin.execute(sql.SQL(mend).format(role=name))
            admin.execute(sql.SQL("reassign owned by {0} to postgres; drop owned by {0}; drop role {0}").format(name))
    assert len(found) == 1
    assert problem in found[0]

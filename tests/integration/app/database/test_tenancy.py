"""P10: no statement shows or changes another user's rows, even when every filter on the user is forgotten."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from agents.contract import Change, Outcome
from agents.records import RECORD_KINDS
from app.calendars.build import RULES
from app.calendars.model.calendars import BusyTime, CalendarContents
from app.calendars.model.synced import Claim, Incoming, Login, ReadItem, RemoteCalendar, RemoteItem
from app.calendars.store.calendars import PostgresCalendars
from app.calendars.store.feeds import Feeds
from app.calendars.store.reconcile import Reconciler
from app.calendars.store.sync_rows import SyncRows
from app.calendars.store.synced_calendars import CalendarAccounts
from app.database.database import Database
from app.database.saver import TenantSaver
from app.database.secrets import KeyRing
from app.database.signals import Signals
from app.database.store import TenantStore
from app.errors import Problem
from app.http.accounts.model.users import main_thread
from app.http.accounts.store.users import Users
from app.http.store.replays import Replays
from app.memory.indexing import Indexer
from app.memory.store.memory import MemoryIndex
from app.memory.store.sources import MemorySources
from app.memory.store.topics import Topics
from app.memory.topics import TopicKeeper
from app.models.model.providers import ProviderChange
from app.models.store.credits import Credits
from app.models.store.providers import Providers
from app.principal import Principal, StaleLease, acting_as
from app.records.model.notices import Claimed, Notification
from app.records.store.due_rows import DueRows
from app.records.store.event_log import EventLog
from app.records.store.ledger import PostgresLedger
from app.records.store.notifications import Notifications
from app.records.store.records import StoreReader
from app.turns.model.turns import NewTurn, Turn
from app.turns.model.uploads import NewUpload
from app.turns.store.inbox import Inbox
from app.turns.store.threads import Threads
from app.turns.store.uploads import PostgresUploads
from app.voice.model import MemoEdit, NewMemo
from app.voice.store.memo_edits import MemoEdits
from app.voice.store.memo_rows import MemoRows
from app.voice.store.memos import Memos
from app.voice.store.recordings import NullReception
from app.work.mail.model import MailLogin, NewMail, OutgoingMail
from app.work.mail.store.accounts import PostgresMailAccounts
from app.work.mail.store.outgoing import Outbox
from app.work.projects.model.projects import ProjectFacts
from app.work.projects.store import Projects
from app.work.runs.model.lessons import NewLesson
from app.work.runs.model.runs import Grant, NewApproval, NewRun, RunLimits
from app.work.runs.store.lessons import Lessons
from app.work.runs.store.run_work import PostgresRunWork
from app.work.runs.store.runs import Runs
from app.work.workflows.model import NewWorkflowRun, StepEnd
from app.work.workflows.store import PostgresWorkflowWork, Workflows
from graph.state import serializer
from tests.integration.app.records.store.test_outbox import outbox_at
from tests.support.ledgers import LISBON, NOW, Desk
from tests.support.sayings import HashedWords, Only
from tests.support.scripted import ScriptedUnderstanding
from tests.support.servers.turn_server import inbox_at, turn_server
from tests.support.unfiltered import UnfilteredCursor, UnfilteredDatabase

SECRET = "anna's secret"
NO_FACTS = ProjectFacts({}, [], 0, complete=True)
OURS = (
    "users",
    "api_keys",
    "sessions",
    "audit_log",
    "counters",
    "threads",
    "turns",
    "messages",
    "changes",
    "turn_events",
    "memos",
    "memo_transcripts",
    "heard_clips",
    "uploads",
    "calendar_feeds",
    "calendars",
    "replays",
    "providers",
    "active_models",
    "credit_accounts",
    "credit_holds",
    "credit_entries",
    "occurrences",
    "occurrence_windows",
    "reminders",
    "notifications",
    "webhooks",
    "webhook_deliveries",
    "projects",
    "store",
    "checkpoints",
    "checkpoint_blobs",
    "checkpoint_writes",
    "memory_documents",
    "memory_units",
    "memory_vectors",
    "memory_terms",
    "memory_totals",
    "memory_queue",
    "memory_topic_units",
    "memory_topic_runs",
    "runs",
    "run_events",
    "run_messages",
    "approvals",
    "tool_effects",
    "run_grants",
    "run_lessons",
    "run_lesson_vectors",
    "kill_switches",
    "workflows",
    "workflow_runs",
    "workflow_steps",
    "calendar_accounts",
    "synced_calendars",
    "synced_items",
    "synced_events",
    "mail_accounts",
    "outgoing_mail",
)


@dataclass
class Anna:
    """Another user with a bit of everything."""

    id: UUID
    thread: UUID
    turn: Turn
    queued: Turn
    memo: UUID
    key: UUID
    calendar: UUID
    changes: list[Change]
    notification: UUID
    run: UUID
    approval: UUID
    project: UUID
    workflow_run: UUID
    account: UUID
    claim: Claim
    conflict: UUID
    mail: OutgoingMail


@pytest.fixture
async def anna(database: Database, tmp_path: Path) -> Anna:
    async with turn_server(database, ScriptedUnderstanding()) as server:
        user = server.user
        turn = await server.say(SECRET, idempotency_key="anna's key", body_hash=b"1")
        desk = Desk(server.ledger, TenantStore(database), user)
        fields: dict[str, dict[str, Any]] = {
            "todo": {"task": SECRET},
            "event": {"title": SECRET, "start": "2026-11-20"},
            "note": {"content": SECRET},
            "profile": {"name": SECRET},
            "instruction": {"text": SECRET},
        }
        changes = [await desk.add(kind, **fields[kind]) for kind in RECORD_KINDS]
        told = await _reminded(database, desk)
    memo = NewMemo(uuid4(), "wav", 4, b"sum", NOW, LISBON)
    inbox = inbox_at(database, Signals(database))
    await inbox.accept(_turn(user, None, memo=memo))
    queued = (await inbox.accept(_turn(user, SECRET))).turn
    sources = MemorySources(database, LISBON)
    await Indexer(sources, MemoryIndex(database), Only(HashedWords("small", 384)), 30).run(user)
    await TopicKeeper(Topics(database), 15, 100).run(user)
    await PostgresUploads(database, NullReception()).begin(user, NewUpload(uuid4(), "file", NOW, LISBON, act=False))
    await Memos(database).set_state(user, memo.id, "transcribed", transcript=SECRET)
    await Memos(database).count_transcription(user, 60_000)
    await _edits(database).edit(user, memo.id, MemoEdit(f"{SECRET}!"))
    users = Users(database)
    key = await users.create_key(user, SECRET, b"digest", "last", ["read"], None)
    await users.open_session(user, key.id, b"session", NOW + timedelta(days=36500))
    await users.update_settings(user, {"city": SECRET})
    await Feeds(database).issue(user, b"anna's token", "task")
    calendar = uuid4()
    await _calendars_at(database).add_file(user, calendar, SECRET, _busy_time(), next_refresh=NOW)
    registry = Providers(database, KeyRing(tmp_path / "master.key"))
    await registry.put(user, ProviderChange("openai", api_key=SECRET))
    await registry.choose(user, "chat", ["fast"], "openai", SECRET)
    assert await Credits(database, starter=100, stale_seconds=900).hold(user, uuid4(), 5, None)
    replays, owner = Replays(database), uuid4()
    assert await replays.reserve(user, "key", b"1", owner)
    assert await replays.keep(user, "key", owner, 200, {"body": SECRET})
    thread = await Threads(database).create(user, SECRET)
    async with database.tenant(user) as conn:
        await conn.execute(
            "insert into checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, blob) "
            "values (%s, '1', 't', 0, 'c', '')",
            (f"{user}:{main_thread(user)}",),
        )
    run, approval = await _running(database, user)
    project = (await Projects(database, most=9).add(user, SECRET, SECRET, SECRET, NO_FACTS)).id
    flow = await _working_through(database, user)
    ids = (memo.id, key.id, calendar, changes, told.id, run, approval, project, flow)
    return Anna(user, thread.id, turn, queued, *ids, *await _in_step(database, user), await _writing(database, user))


def _mail_at(database: Database) -> tuple[PostgresMailAccounts, Outbox]:
    keys = KeyRing(Path(tempfile.mkdtemp()) / "master.key")
    return PostgresMailAccounts(database, keys, most=9), Outbox(
        database, Signals(database), lambda *_: _nothing(), most=9
    )


async def _writing(database: Database, user: UUID) -> OutgoingMail:
    """Mail that waits, of an account."""
    accounts, out = _mail_at(database)
    account = await accounts.connect(user, uuid4(), SECRET, MailLogin(SECRET, SECRET, SECRET))
    return await out.hold(NewMail(user, uuid4(), account, [SECRET], SECRET, SECRET, "secret", uuid4()))


def _in_step_at(database: Database) -> tuple[CalendarAccounts, SyncRows]:
    signals, reconciler = Signals(database), Reconciler(PostgresLedger(database), RULES, LISBON)
    keys = KeyRing(Path(tempfile.mkdtemp()) / "master.key")
    accounts = CalendarAccounts(database, signals, keys, reconciler, most=9)
    return accounts, SyncRows(database, signals, reconciler)


async def _in_step(database: Database, user: UUID) -> tuple[UUID, Claim, UUID]:
    """An account with a calendar that has an event, which was changed on both sides."""
    accounts, rows = _in_step_at(database)
    account = uuid4()
    login, found = Login("https://dav.example", SECRET, SECRET), RemoteCalendar("https://dav.example/1/", SECRET)
    await accounts.connect(user, account, SECRET, login, [found])
    [calendar] = await accounts.calendars(user, account)
    await accounts.choose(user, calendar.id, "both", "none")
    claim = await rows.claim(user, calendar.id, 60)
    assert claim is not None
    await rows.take_in(claim, [_incoming(SECRET)])
    async with database.tenant(user) as conn:
        await conn.execute("update synced_events set base_local = '{}'")
    await rows.take_in(claim, [_incoming(f"{SECRET}!")])
    [conflict] = await accounts.conflicts(user)
    return account, claim, conflict.id


def _incoming(title: str) -> Incoming:
    said = {"title": title, "start": "2026-11-20", "end": "2026-11-20", "all_day": True, "notes": "", "busy": True}
    state = {**said, "zone": None, "recurrence": None, "exdates": [], "location": None}
    return Incoming("a.ics", RemoteItem("1", title), ReadItem("a", {"": state}))


def _runs_at(database: Database) -> tuple[Runs, PostgresRunWork]:
    signals = Signals(database)
    runs = Runs(database, signals, lambda *_: _nothing())
    return runs, PostgresRunWork(database, signals, lambda *_: _nothing(), patience=timedelta(days=1))


async def _running(database: Database, user: UUID) -> tuple[UUID, UUID]:
    """A run that waits for an answer, with something in each of its tables."""
    runs, work = _runs_at(database)
    await _learned(database, user)
    run = await runs.start(NewRun(user, uuid4(), SECRET, RunLimits(30, 600, 100, 1000, 1000)))
    await runs.add_message(user, run.id, SECRET)
    await runs.set_grant(user, Grant(roots=[SECRET]))
    await runs.set_switch(user, engaged=True, reason=SECRET)
    claimed = await work.claim(user, run.id)
    assert claimed is not None
    await work.begin_effect(claimed, uuid4(), "ask")
    asked = await work.ask_once(claimed, NewApproval(uuid4(), "question", {"question": SECRET}, SECRET), {})
    return run.id, asked.id


async def _learned(database: Database, user: UUID) -> None:
    """A run that has ended, and what it learned."""
    runs, work = _runs_at(database)
    run = await runs.start(NewRun(user, uuid4(), SECRET, RunLimits(30, 600, 100, 1000, 1000)))
    claimed = await work.claim(user, run.id)
    assert claimed is not None
    await work.finish(claimed, "goal_achieved", {}, {}, [NewLesson("knowledge", SECRET, SECRET, 1.0, foreign=False)])
    lessons = Lessons(database)
    found = await lessons.without_vector(user, "hashed", 9)
    await lessons.keep_vectors(user, "hashed", {one: [1.0, 0.0] for one, _ in found})


def _workflows_at(database: Database) -> tuple[Workflows, PostgresWorkflowWork]:
    signals = Signals(database)
    kept = Workflows(database, signals, lambda *_: _nothing(), most=9)
    return kept, PostgresWorkflowWork(database, signals)


async def _working_through(database: Database, user: UUID) -> UUID:
    """A workflow, and a run of it at its first step."""
    kept, work = _workflows_at(database)
    definition = {"slug": "secret", "name": SECRET, "steps": []}
    await kept.put(user, "secret", definition, NOW)
    run = await kept.start(NewWorkflowRun(user, uuid4(), "secret", definition, {"a": SECRET}, "request"))
    claimed = await work.claim(user, run.id)
    assert claimed is not None
    assert await work.begin(claimed, 0, "one", 1) is False  # Anna has stopped her runs
    async with database.tenant(user) as conn:
        await conn.execute("delete from kill_switches where user_id = %s", (user,))
    assert await work.begin(claimed, 0, "one", 1)
    await work.end(claimed, 0, StepEnd("done", SECRET))
    async with database.tenant(user) as conn:
        await conn.execute("insert into kill_switches (user_id, engaged, reason) values (%s, true, %s)", (user, SECRET))
    return run.id


async def _reminded(database: Database, desk: Desk) -> Notification:
    """One reminder that was told, one that waits, and a webhook that heard of the first."""
    desk = replace(desk, ledger=PostgresLedger(database, derivers=[DueRows(LISBON)]))
    await desk.add(task=SECRET, remind_at=NOW.isoformat())
    outbox = outbox_at(database)
    (told,) = await outbox.deliver(desk.user, await outbox.claim(desk.user, NOW, 9), NOW)
    await desk.add(task=SECRET, remind_at=NOW.isoformat())
    async with database.tenant(desk.user) as conn:
        hook = {"user": desk.user, "id": uuid4(), "url": SECRET, "told": told.id}
        await conn.execute(
            "insert into webhooks (user_id, id, url, format, secret) values (%(user)s, %(id)s, %(url)s, 'json', '')",
            hook,
        )
        await conn.execute(
            "insert into webhook_deliveries (user_id, id, webhook_id, notification_id, error) "
            "values (%(user)s, gen_random_uuid(), %(id)s, %(told)s, %(url)s)",
            hook,
        )
    return told


@pytest.fixture
async def forgetful(database_url: str) -> AsyncIterator[UnfilteredDatabase]:
    async with UnfilteredDatabase(database_url) as opened:
        yield opened


@pytest.fixture
async def ben(database: Database) -> UUID:
    return (await Users(database).create("Ben")).id


def _turn(user: UUID, text: str | None, **values: Any) -> NewTurn:
    return NewTurn(user, text, NOW, LISBON, **values)


def _rows_of(url: str, user: UUID) -> dict[str, list[Any]]:
    query = "select * from summit.{} t where t::text like %s order by t::text"
    with psycopg.connect(url) as conn:
        return {
            table: conn.execute(sql.SQL(query).format(sql.Identifier(table)), (f"%{user}%",)).fetchall()
            for table in OURS
        }


async def _everything(database: Database, user: UUID, anna: Anna) -> list[Any]:
    """What each repository says and does for ``user`` when it is asked for another user's ids."""
    said: list[Any] = []
    outer = (_feeds, _calendars, _accounts, _mail, _reminders, _runs, _projects, _workflows)
    for attempt in (*outer, _records, _ledger, _threads, _memos, _users, _events, _turns, _langgraph):
        said += await attempt(database, user, anna)
    return said


async def _projects(database: Database, user: UUID, anna: Anna) -> list[Any]:
    registry = Projects(database, most=9)
    said: list[Any] = [await registry.list(user), await registry.get(user, anna.project)]
    said += [await registry.keep_facts(user, anna.project, NO_FACTS), await registry.remove(user, anna.project)]
    return said


async def _reminders(database: Database, user: UUID, anna: Anna) -> list[Any]:
    outbox, notifications = outbox_at(database), Notifications(database)
    held = Claimed(user, "todo", str(anna.changes[0].record_id), NOW, stated=True, generation=1)
    said: list[Any] = [await outbox.claim(user, NOW, 9), await outbox.deliver(user, [held], NOW)]
    said += [await notifications.list(user, 9, None), await notifications.list_unacknowledged(user, 2**60, 9)]
    return [*said, await notifications.get(user, anna.notification), await _settled(notifications, user, anna)]


async def _settled(notifications: Notifications, user: UUID, anna: Anna) -> Any:
    return await notifications.settle(user, anna.notification, "done")


async def _runs(database: Database, user: UUID, anna: Anna) -> list[Any]:
    runs, work = _runs_at(database)
    assert await runs.decide(user, anna.approval, "approved", None) is None
    assert await runs.add_message(user, anna.run, "mine") is False
    assert await work.claim(user, anna.run) is None
    said: list[Any] = [await runs.get(user, anna.run), (await runs.list(user, 50, None)).items]
    lessons = Lessons(database)
    said += [(await lessons.list(user, 9, None, None)).items, await lessons.near(user, "hashed", [1.0, 0.0], 9)]
    said += [await lessons.near(user, "hashed", None, 9), await lessons.without_vector(user, "other", 9)]
    said += [await runs.events(user, anna.run, 0, 50), await runs.approvals(user, anna.run)]
    return [*said, await runs.cancel(user, anna.run), await runs.grant(user), await runs.switch(user)]


async def _workflows(database: Database, user: UUID, anna: Anna) -> list[Any]:
    kept, work = _workflows_at(database)
    assert await work.claim(user, anna.workflow_run) is None
    assert await kept.delete(user, "secret") is False
    await kept.come(user, "secret", NOW, None)
    await kept.reschedule(user, "secret", NOW + timedelta(days=1))
    said: list[Any] = [await kept.list(user), await kept.get(user, "secret")]
    said += [await kept.run(user, anna.workflow_run), await kept.steps(user, anna.workflow_run)]
    said += [(await kept.runs(user, "secret", 50, None)).items, await kept.cancel(user, anna.workflow_run)]
    return [*said, await work.steps(user, anna.workflow_run)]


async def _records(database: Database, user: UUID, anna: Anna) -> list[Any]:
    reader = StoreReader(database)
    ids = [(change.kind, str(change.record_id)) for change in anna.changes]
    said = [await reader.get(user, kind, record_id) for kind, record_id in ids]
    return said + [(await reader.list(user, kind, {}, 50, None)).items for kind in RECORD_KINDS]


async def _ledger(database: Database, user: UUID, anna: Anna) -> list[Any]:
    ledger = PostgresLedger(database)
    desk = Desk(ledger, TenantStore(database), user)
    said: list[Any] = [await ledger.change(str(user), change.id) for change in anna.changes]
    said += [await ledger.changes_after(str(user), 0, 100), await ledger.changes_of_turn(str(user), str(anna.turn.id))]
    undone = await desk.undo(*anna.changes)
    deleted = [await desk.do("delete", change.kind, change.record_id) for change in anna.changes]
    assert {change.status for change in [*undone, *deleted]} == {"failed"}
    return [*said, undone]


async def _threads(database: Database, user: UUID, anna: Anna) -> list[Any]:
    threads = Threads(database)
    said: list[Any] = [await threads.list(user, 50, None)]
    for thread in (anna.thread, main_thread(anna.id)):
        said += [await threads.get(user, thread), await threads.messages(user, thread, 0, 50)]
        said += [await threads.change(user, thread, title="mine", status="archived")]
        assert await threads.delete(user, thread) is False
    return said


def _edits(database: Database) -> MemoEdits:
    ledger = PostgresLedger(database, derivers=[MemoRows()])
    return MemoEdits(database, ledger, lambda _user: None, LISBON)


async def _memos(database: Database, user: UUID, anna: Anna) -> list[Any]:
    memos, replays = Memos(database), Replays(database)
    await memos.set_state(user, anna.memo, "failed", transcript="mine")
    assert await _edits(database).edit(user, anna.memo, MemoEdit("mine")) is None
    assert await _edits(database).delete(user, anna.memo) is None
    assert await memos.first_sha256(user, anna.memo) is None
    assert await memos.is_awaited(user, anna.memo) is False
    assert await replays.keep(user, "key", uuid4(), 200, {}) is False
    await replays.release(user, "key", uuid4())
    return [await memos.get(user, anna.memo), await memos.list(user, 50, None), await replays.find(user, "key")]


async def _users(database: Database, user: UUID, anna: Anna) -> list[Any]:
    users = Users(database)
    assert await users.delete_key(user, anna.key) is False
    await users.close_session(user, b"session")
    assert await users.find_session(b"session") is not None
    with suppress(LookupError):
        await users.update_settings(user, {"colour": "mine"})
    return [await users.get(user), await users.keys(user)]


async def _feeds(database: Database, user: UUID, anna: Anna) -> list[Any]:
    feeds = Feeds(database)
    assert await feeds.get(user) is None
    assert await feeds.revoke(user) is False
    found = await feeds.find(b"anna's token")
    assert found is not None
    taken = replace(found, user_id=user)
    return list(await feeds.items(taken, NOW, 100))


def _calendars_at(database: Database) -> PostgresCalendars:
    return PostgresCalendars(database, 5, lambda *_: _nothing())


def _busy_time() -> CalendarContents:
    busy = [BusyTime("1", SECRET, NOW, NOW + timedelta(hours=1), whole_day=False, busy=True)]
    return CalendarContents(SECRET, 1, busy, [], None, NOW, b"BEGIN:VCALENDAR", b"digest")


async def _calendars(database: Database, user: UUID, anna: Anna) -> list[Any]:
    calendars = _calendars_at(database)
    await calendars.keep(user, anna.calendar, _busy_time(), NOW)
    await calendars.mark_unchanged(user, anna.calendar, NOW)
    await calendars.mark_failed(user, anna.calendar, "mine", NOW)
    assert await calendars.delete(user, anna.calendar) is False
    assert await calendars.claim(user, anna.calendar, 60) is None
    return [await calendars.list(user), await calendars.get(user, anna.calendar)]


async def _accounts(database: Database, user: UUID, anna: Anna) -> list[Any]:
    accounts, rows = _in_step_at(database)
    calendar, mine = anna.claim.calendar_id, replace(anna.claim, user_id=user)
    assert await rows.claim(user, calendar, 60) is None
    for attempt in (rows.take_in(mine, [_incoming("mine")]), rows.look_here(mine), rows.finish(mine, "mine", 1)):
        with pytest.raises(StaleLease):
            await attempt
    await accounts.look_now(user, calendar)
    await accounts.enter(user, anna.account, Login("https://mine", "mine", "mine"), [])
    assert await accounts.settle_gone(user, calendar, delete=True) is False
    assert await accounts.resolve(user, anna.conflict, "there") is None
    assert await accounts.disconnect(user, anna.account) is False
    listed = [await accounts.list(user), await accounts.conflicts(user), await rows.known_items(mine)]
    one = [await accounts.get(user, anna.account), await accounts.login(user, anna.account)]
    return [*listed, *one, await accounts.calendars(user, anna.account)]


async def _mail(database: Database, user: UUID, anna: Anna) -> list[Any]:
    accounts, out = _mail_at(database)
    account, mail = anna.mail.account_id, anna.mail.id
    assert await out.claim(user, mail) is None
    await out.end(replace(anna.mail, user_id=user), "sent")
    assert await out.decide(user, mail, send=True) is None
    await accounts.enter(user, account, "mine", "mine")
    assert await accounts.disconnect(user, account) is False
    said: list[Any] = [await accounts.list(user), await accounts.get(user, account)]
    said += [await accounts.login(user, account), await out.get(user, mail)]
    return [*said, (await out.list(user, 50, None, waiting=False)).items]


async def _events(database: Database, user: UUID, anna: Anna) -> list[Any]:
    log = EventLog(database, Signals(database), heartbeat_seconds=0.01)
    said: list[Any] = []
    for turn in (None, anna.turn.id):
        async for event in log.follow(user, turn_id=turn):
            if event is None:
                break
            said.append(event)
    return said


async def _turns(database: Database, user: UUID, anna: Anna) -> list[Any]:
    inbox = Inbox(database, Signals(database), lease_seconds=60, max_queued=9, reception=NullReception())
    said: list[Any] = [
        await inbox.claim(user, main_thread(anna.id)),
        await inbox.deliver_transcript(user, anna.memo, "mine"),
    ]
    for turn in (anna.turn, anna.queued):
        said += [await inbox.get(user, turn.id), await inbox.request_cancel(user, turn.id)]
        taken = Turn(**{**vars(turn), "user_id": user})
        done = inbox.finish(taken, "done", Outcome(disposition="reply", reply=""), {})
        for attempt in (inbox.release(taken), inbox.renew(taken), done):
            with pytest.raises(StaleLease):
                await attempt
    said.append(await inbox.in_the_way(_turn(user, "hi", thread_id=main_thread(anna.id))))
    with suppress(Problem, psycopg.Error):
        said.append(await inbox.accept(_turn(user, "hi", idempotency_key="anna's key", body_hash=b"1")))
    with pytest.raises(Problem):
        await inbox.accept(_turn(user, "hi", thread_id=anna.thread))
    return said


async def _nothing() -> None:
    """Nothing is deferred."""


async def _langgraph(database: Database, user: UUID, anna: Anna) -> list[Any]:
    store, saver = TenantStore(database), TenantSaver(database, serde=serializer())
    config: Any = {"configurable": {"thread_id": f"{anna.id}:{main_thread(anna.id)}", "checkpoint_ns": ""}}
    with acting_as(Principal(user)):
        return [
            await store.asearch(()),
            *[await store.asearch((kind, str(anna.id))) for kind in RECORD_KINDS],
            await store.aget(("profile", str(anna.id)), "profile"),
            await saver.aget_tuple(config),
            [one async for one in saver.alist(None)],
        ]


async def test_without_any_filter_nobody_sees_or_changes_anothers_rows(
    forgetful: UnfilteredDatabase, database_url: str, anna: Anna, ben: UUID
) -> None:
    UnfilteredCursor.forgotten.clear()
    before = _rows_of(database_url, anna.id)
    assert all(before.values()), [table for table, rows in before.items() if not rows]
    said = repr(await _everything(forgetful, ben, anna))
    assert SECRET not in said
    assert str(anna.id) not in said
    assert _rows_of(database_url, anna.id) == before
    assert len(set(UnfilteredCursor.forgotten)) > 25


async def test_the_filters_are_really_forgotten(database_url: str, anna: Anna, ben: UUID) -> None:
    """Without row-level security the same build does show another user's rows: the test above could fail."""
    async with UnfilteredDatabase(database_url, app_role="postgres") as unsafe:
        for look in (_records, _langgraph):
            assert SECRET in repr(await look(unsafe, ben, anna))
        for read in (Threads(unsafe).list, Memos(unsafe).list):
            assert SECRET in repr(await read(ben, 50, None))
        assert SECRET in repr(await PostgresLedger(unsafe).changes_after(str(ben), 0, 100))
        assert await unsafe.check_role() != []


@pytest.mark.usefixtures("anna")
async def test_without_a_principal_there_are_no_rows(database: Database) -> None:
    found = {}
    async with database.system() as conn:
        for table in OURS:
            query = sql.SQL("select * from {}").format(sql.Identifier(table))
            found[table] = await (await conn.execute(query)).fetchall()
    assert [table for table, rows in found.items() if rows] == []


async def test_the_functions_that_look_across_tenants_are_known(database_url: str) -> None:
    with psycopg.connect(database_url) as conn:
        found = conn.execute(
            "select proname, proowner::regrole::text from pg_proc "
            "where prosecdef and pronamespace = 'summit'::regnamespace and proname not like 'procrastinate%'"
        ).fetchall()
    assert {name for name, _ in found} == {
        "turns_to_run",
        "idle_uploads",
        "find_key",
        "find_session",
        "windows_ending",
        "any_key",
        "all_users",
        "find_feed",
        "reminders_due",
        "calendars_due",
        "backlog",
        "memory_by_words",  # of the tenant of the transaction alone
        "memory_about",  # the same
        "memory_users_to_index",
        "memory_users_for_topics",
        "approvals_expired",
        "runs_parked_enough",
        "runs_stopped",
        "runs_without_job",
        "workflows_due",
        "workflow_runs_without_job",
        "synced_calendars_due",
        "outgoing_mail_without_job",
        "erase_changes",  # of the tenant of the transaction alone
        "audit",  # a trigger: it adds a row and shows none
        "audit_of_everybody",
        "note_refusal",  # it adds a row of the server and shows none
        "owing_files",
    }
    assert {owner for _, owner in found} == {"summit_system"}


async def test_every_table_of_ours_is_forced_under_a_policy(database_url: str) -> None:
    with psycopg.connect(database_url) as conn:
        tables = conn.execute(
            "select relname from pg_class where relnamespace = 'summit'::regnamespace and relkind in ('r', 'p') "
            "and relname not like 'procrastinate%' and relname not like '%migrations'"
        ).fetchall()
        assert {name for (name,) in tables} == set(OURS)

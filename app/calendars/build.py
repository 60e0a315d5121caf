"""The part of the composition root that is about calendars of elsewhere: accounts, their providers and the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import UUID

from procrastinate import App

from app.boundary.outbound.http import SafeHttp
from app.calendars.dav import CalDav
from app.calendars.feed import FeedWriter
from app.calendars.google.accounts import GoogleAccounts
from app.calendars.google.calendar import GoogleCalendar
from app.calendars.google.calls import GoogleCalls
from app.calendars.google.sign_in import AccessTokens, Client, GoogleSignIn
from app.calendars.google.task_files import TaskFiles
from app.calendars.google.tasks import GoogleTasks
from app.calendars.item_files import ChildFiles
from app.calendars.jobs import calendar_jobs, defer_refresh
from app.calendars.keeper import keeper_for
from app.calendars.merge import Rules
from app.calendars.model.synced import Form, ItemFiles, MergeRules
from app.calendars.store.calendars import PostgresCalendars
from app.calendars.store.feeds import Feeds
from app.calendars.store.reconcile import Reconciler
from app.calendars.store.sync_rows import SyncRows
from app.calendars.store.synced_calendars import CalendarAccounts
from app.calendars.sync import CalendarSync, Way
from app.calendars.task_rules import TaskRules
from app.calendars.todo_rules import TodoRules
from app.database.database import Database
from app.database.jobs import Job
from app.database.secrets import KeyRing
from app.database.signals import Signals
from app.http.accounts.store.users import Users
from app.records.store.appointments import Appointments
from app.records.store.ledger import PostgresLedger
from app.settings import Settings

RULES: Mapping[Form, MergeRules] = {
    "caldav": Rules(),
    "caldav-tasks": TodoRules(),
    "google": Rules(),
    "google-tasks": TaskRules(),
}


@dataclass(frozen=True)
class SyncedCalendars:
    """What doors work with, and the jobs."""

    accounts: CalendarAccounts
    sync: CalendarSync
    services: Sequence[object]
    jobs: Sequence[Job]


def compose_calendars(
    settings: Settings,
    database: Database,
    signals: Signals,
    ledger: PostgresLedger,
    users: Users,
    outbound: SafeHttp,
    queue: App,
    appointments: Appointments | None = None,
) -> SyncedCalendars:
    """Accounts and their work; nothing is started."""

    async def zone_of(user_id: UUID) -> str:
        user = await users.get(user_id)
        stated: str | None = user.settings.get("timezone") if user else None
        return stated or settings.default_timezone

    reconciler = Reconciler(ledger, RULES, settings.default_timezone)
    keys = KeyRing(settings.master_key_path)
    accounts = CalendarAccounts(database, signals, keys, reconciler, most=settings.max_calendar_accounts)
    sign_in = GoogleSignIn(google_client(settings), outbound, keys)
    calls = GoogleCalls(outbound, AccessTokens(sign_in), max_bytes=settings.max_calendar_bytes)
    google, most = GoogleCalendar(calls), settings.max_calendar_bytes
    dav, dav_tasks = CalDav(outbound, max_bytes=most), CalDav(outbound, max_bytes=most, component="VTODO")
    tasks = GoogleTasks(calls, settings.google_tasks_url.rstrip("/"))

    def child(form: Form) -> Callable[[], ItemFiles]:
        return partial(ChildFiles, form, seconds=settings.calendar_seconds)

    ways: Mapping[Form, Way] = {
        "caldav": Way(dav, child("caldav"), RULES["caldav"]),
        "caldav-tasks": Way(dav_tasks, child("caldav-tasks"), RULES["caldav-tasks"]),
        "google": Way(google, child("google"), RULES["google"]),
        "google-tasks": Way(tasks, TaskFiles, RULES["google-tasks"]),
    }
    sync = CalendarSync(
        accounts,
        SyncRows(database, signals, reconciler),
        ways,
        zone_of,
        GoogleAccounts(sign_in, google),
        pause=settings.calendar_sync_seconds,
        most=settings.max_synced_events,
    )
    calendars = PostgresCalendars(database, settings.max_calendars, partial(defer_refresh, queue), appointments)
    keeper = keeper_for(settings, calendars, users, outbound)
    writer = FeedWriter(timedelta(minutes=settings.feed_refresh_minutes))
    services = [calendars, keeper, accounts, sync, Feeds(database), writer]
    return SyncedCalendars(accounts, sync, services, calendar_jobs(queue, keeper, sync))


def google_client(settings: Settings) -> Client:
    """The project with Google that the settings name."""
    secret = settings.google_client_secret
    return Client(
        settings.google_client_id,
        secret.get_secret_value() if secret else "",
        settings.google_authorize_url,
        settings.google_token_url,
        settings.google_revoke_url,
        settings.google_calendar_url.rstrip("/"),
    )

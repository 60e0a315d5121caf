"""One PostgreSQL data folder and the server process on it: create, find, start, stop, and clear what a kill left."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psutil
import psycopg
from psycopg import errors, sql

from app.database.embedded_account import SystemAccount, server_account
from app.database.embedded_programs import (
    POSTGRES_VERSION,
    SUPERUSER,
    EmbeddedServerError,
    initdb_command,
    program_folders,
    programs,
    run,
    surroundings,
)

DATABASE = "summit"
PORT = 5432
SOCKET = f".s.PGSQL.{PORT}"
LONGEST_SOCKET_PATH = 103  # bytes; macOS allows one less than Linux's 107 minus its terminating zero
READY_SECONDS = 120.0  # crash recovery replays the log before the first connection
STOP_SECONDS = 30.0
LONGEST_LOG = 4 * 1024 * 1024
MEMORY_IN_USE = "is still in use"

SERVER_OPTIONS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "port": str(PORT),
    "max_connections": "200",
    "shared_buffers": "64MB",
    "max_wal_size": "256MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] ",
}
# For tests: commits survive a killed server, but not a power cut.
FAST_OPTIONS = {"fsync": "off", "full_page_writes": "off"}


class Cluster:
    """The files of one embedded server below ``folder``, and the process that serves them."""

    def __init__(self, folder: Path, say: Callable[[str], None], *, durable: bool) -> None:
        self.folder = folder
        self.data = folder / "cluster"
        self.log = folder / "server.log"
        self.socket_folder = socket_folder_of(folder)
        self.say = say
        self.durable = durable

    @property
    def url(self) -> str:
        """The superuser's libpq URI of the database ``summit``."""
        return self._url(DATABASE)

    def _url(self, database: str) -> str:
        return f"postgresql://{SUPERUSER}@/{database}?host={quote(str(self.socket_folder), safe='')}&port={PORT}"

    def serving(self) -> psutil.Process | None:
        """The live server that ``postmaster.pid`` names truthfully, or None."""
        lines = self._pid_file_lines()
        if not lines[0].isdigit() or not lines[-1].strip() or not (self.socket_folder / SOCKET).exists():
            return None
        with suppress(psutil.Error):
            process = psutil.Process(int(lines[0]))
            return process if self._is_server(process) else None
        return None

    def ensure_running(self) -> None:
        """Make the cluster if there is none, start its server if none lives, and prove it by connecting."""
        process = self.serving()
        if process is None:
            account = self._prepare()
            self._clear_after_kill()
            process = self._start(account)
        if not self._answers(process):
            raise EmbeddedServerError(
                f"The database in {self.folder} does not answer. Its log ends:\n{self._log_tail()}"
            )

    def stop(self) -> None:
        """Stop the server, if one lives, after it has written everything down."""
        if process := self.serving():
            _end(process)

    def _prepare(self) -> SystemAccount | None:
        account = server_account()
        if account:
            for folder in program_folders():
                account.open_programs(folder)
                account.open_way_to(folder, self.say)
            account.open_way_to(self.data, self.say)
        _make_private(self.socket_folder, account)
        if not self.data.exists():
            self._create(account)
        self._check_version()
        return account

    def _create(self, account: SystemAccount | None) -> None:
        self.say(f"Creating the database in {self.folder} (first start only).")
        for leftover in self.folder.glob("new-*"):
            shutil.rmtree(leftover, ignore_errors=True)
        # Made aside and renamed: a kill in the middle never leaves half a cluster in the place of a whole one.
        aside = Path(tempfile.mkdtemp(prefix="new-", dir=self.folder))
        if account:
            account.take(aside)
        run([*initdb_command(aside), *([] if self.durable else ["--no-sync"])], account)
        aside.rename(self.data)
        _flush_folder(self.folder)

    def _check_version(self) -> None:
        found = (self.data / "PG_VERSION").read_text().strip()
        if found != POSTGRES_VERSION:
            raise EmbeddedServerError(
                f"{self.data} was made by PostgreSQL {found}; this Summit brings PostgreSQL {POSTGRES_VERSION}. "
                "Export with the Summit that made it, then import here."
            )

    def _clear_after_kill(self) -> None:
        for process in psutil.process_iter():
            if self._is_server(process):
                self.say("A database server runs without its pid file; stopping it to start cleanly.")
                _end(process)
        stale = [self.data / "postmaster.pid", *self.socket_folder.glob(f"{SOCKET}*")]
        for path in stale:
            path.unlink(missing_ok=True)

    def _start(self, account: SystemAccount | None) -> psutil.Process:
        self.say("Starting the database.")
        deadline = time.monotonic() + READY_SECONDS
        while True:
            process = self._spawn(account)
            if process and self._answers(process):
                return process
            # Processes of a killed server hold its memory until they notice; anything else does not pass by itself.
            if MEMORY_IN_USE not in self._log_tail() or time.monotonic() > deadline:
                break
            time.sleep(0.2)
        raise EmbeddedServerError(f"The database in {self.folder} does not start. Its log ends:\n{self._log_tail()}")

    def _spawn(self, account: SystemAccount | None) -> psutil.Process | None:
        options = SERVER_OPTIONS | ({} if self.durable else FAST_OPTIONS)
        quoted = str(self.socket_folder).replace('"', '""')
        options["unix_socket_directories"] = f'"{quoted}"'
        command = [str(programs() / "bin" / "postgres"), "-D", str(self.data)]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        self._shorten_log()
        with self.log.open("ab") as log:
            started = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **surroundings(account))
        started.returncode = 0  # Popen forgets it: the server may outlive us, and _alive() reaps it when it does not.
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(started.pid)
        return None

    def _answers(self, process: psutil.Process) -> bool:
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline and _alive(process):
            try:
                self._connect_once()
            except psycopg.OperationalError:
                time.sleep(0.02)
            else:
                return True
        return False

    def _connect_once(self) -> None:
        try:
            connection = psycopg.connect(self.url, connect_timeout=10)
        except errors.OperationalError as error:
            if f'"{DATABASE}" does not exist' not in str(error):
                raise
            self._create_database()
            return
        with connection:
            [(served,)] = connection.execute("select current_setting('data_directory')").fetchall()
        if not self.data.samefile(served):
            raise EmbeddedServerError(f"Another server ({served}) answers on the socket of {self.data}.")

    def _create_database(self) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection, suppress(errors.DuplicateDatabase):
            connection.execute(sql.SQL("create database {}").format(sql.Identifier(DATABASE)))

    def _is_server(self, process: psutil.Process) -> bool:
        with suppress(psutil.Error, OSError):
            return (
                process.name() == "postgres"
                and _alive(process)
                and "-D" in process.cmdline()
                and self.data.samefile(process.cwd())
            )
        return False

    def _pid_file_lines(self) -> list[str]:
        """Lines of postmaster.pid: pid, folder, start time, port, socket folder; padded when truncated."""
        try:
            lines = (self.data / "postmaster.pid").read_text(errors="replace").splitlines()
        except FileNotFoundError:
            lines = []
        return (lines + [""] * 5)[:5]

    def _shorten_log(self) -> None:
        if self.log.exists() and self.log.stat().st_size > LONGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.1"))

    def _log_tail(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-12:])


def socket_folder_of(folder: Path) -> Path:
    """Where the socket of the server in ``folder`` lies: whoever can enter it is let in."""
    inside = folder / "socket"
    if len(os.fsencode(inside / SOCKET)) <= LONGEST_SOCKET_PATH:
        return inside
    # Every process must find the same one, so it depends on nothing but the folder and the user.
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    return Path("/tmp", f"summit-{os.geteuid()}-{name}")  # noqa: S108 - checked below: ours, 0700, no link


def _make_private(folder: Path, account: SystemAccount | None) -> None:
    owners = {os.geteuid(), account.uid if account else os.geteuid()}
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid not in owners or stat.S_IMODE(found.st_mode) & 0o077:
        raise EmbeddedServerError(
            f"{folder} must be a folder of this account that nobody else can enter (mode 0700). "
            "Remove it, or choose a shorter DATA_DIR so that it is not needed."
        )
    if account:
        account.take(folder)


def _alive(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            return True
        process.wait(0)
    return False


def _end(process: psutil.Process) -> None:
    """Fast shutdown, then immediate, then kill; returns when the process is gone."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)
        deadline = time.monotonic() + STOP_SECONDS
        while time.monotonic() < deadline:
            if not _alive(process):
                return
            time.sleep(0.01)


def _flush_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

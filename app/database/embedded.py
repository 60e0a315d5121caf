"""The PostgreSQL that Summit brings along: started with the first process on a data folder, stopped with the last."""

from __future__ import annotations

import atexit
import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.database.embedded_cluster import Cluster, socket_folder_of
from app.database.embedded_programs import EmbeddedServerError

__all__ = ["EmbeddedServer", "EmbeddedServerError"]

WATCH_SECONDS = 1.0


class EmbeddedServer:
    """One process's share in the server of a folder; the server lives while anybody has a share.

    A share is a shared lock on the file ``users``: the kernel drops it when its process dies in any way, so
    there are no dead entries to clean up.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._share = _open(cluster.folder / "users")
        self._owner = os.getpid()
        self._stopping = threading.Event()
        self._watch = threading.Thread(target=self._keep_running, name="embedded-postgres", daemon=True)

    @classmethod
    def start(cls, folder: Path, say: Callable[[str], None], *, durable: bool = True) -> EmbeddedServer:
        """Start the server of ``folder``, or join the one that runs; blocks until it answers.

        ``durable=False`` skips flushing to disk, for tests. Raises EmbeddedServerError.
        """
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        cluster = Cluster(folder.resolve(), say, durable=durable)
        server = cls(cluster)
        try:
            with _alone(cluster):
                fcntl.flock(server._share, fcntl.LOCK_SH)
                cluster.ensure_running()
        except BaseException:
            os.close(server._share)
            raise
        server._watch.start()
        atexit.register(server.stop)
        return server

    @staticmethod
    def socket_folder(folder: Path) -> Path:
        """Where the socket of the server of ``folder`` lies, whether it runs or not."""
        return socket_folder_of(folder.resolve())

    @property
    def url(self) -> str:
        """The superuser's libpq URI of the database ``summit``, over the private Unix socket."""
        return self._cluster.url

    def stop(self) -> None:
        """Give back this share; the last one stops the server. A second call does nothing."""
        # A forked child shares the lock: releasing it there would release it here.
        if self._stopping.is_set() or os.getpid() != self._owner:
            return
        self._stopping.set()
        self._watch.join()
        atexit.unregister(self.stop)
        try:
            with _alone(self._cluster):
                if self._is_last():
                    self._cluster.stop()
        finally:
            os.close(self._share)

    def _is_last(self) -> bool:
        try:
            fcntl.flock(self._share, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _keep_running(self) -> None:
        while not self._stopping.wait(WATCH_SECONDS):
            if self._cluster.serving() is None:
                self._revive()

    def _revive(self) -> None:
        try:
            with _alone(self._cluster):
                self._cluster.ensure_running()
        except (EmbeddedServerError, OSError) as error:
            self._cluster.say(f"The database died and could not be started again, still trying: {error}")


@contextmanager
def _alone(cluster: Cluster) -> Iterator[None]:
    """Hold the folder's lock: one process at a time creates, starts or stops."""
    lock = _open(cluster.folder / "lock")
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            cluster.say("Waiting for another process that starts or stops the database.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

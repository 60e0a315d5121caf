"""A line to the database that can lose answers: what was asked has happened, and nobody is told."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

PIECE = 65536


@contextmanager
def lossy_line(database: Path, cut: threading.Event) -> Iterator[int]:
    """A port of loopback that leads to a Unix socket; while ``cut`` is set, an answer ends its connection instead."""
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        threading.Thread(target=accept, args=(listener, database, cut), daemon=True).start()
        yield listener.getsockname()[1]


def accept(listener: socket.socket, database: Path, cut: threading.Event) -> None:
    """Lead each that connects to a Unix socket, until the listener is closed."""
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _join(client, database, cut)


def _join(client: socket.socket, database: Path, cut: threading.Event) -> None:
    server = socket.socket(socket.AF_UNIX)
    try:
        server.connect(str(database))
    except OSError:
        server.close()
        client.close()
        return
    back = threading.Thread(target=_pump, args=(server, client, cut.is_set), daemon=True)
    threading.Thread(target=_both_ways, args=(client, server, back), daemon=True).start()


def _both_ways(client: socket.socket, server: socket.socket, back: threading.Thread) -> None:
    with client, server:
        back.start()
        _pump(client, server, lambda: False)
        back.join()


def _pump(source: socket.socket, target: socket.socket, lost: Callable[[], bool]) -> None:
    with contextlib.suppress(OSError):
        while (piece := source.recv(PIECE)) and not lost():
            target.sendall(piece)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)

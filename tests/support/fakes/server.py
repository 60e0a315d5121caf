"""A server that speaks real HTTP on loopback and answers as it is told."""

from __future__ import annotations

import json
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedIOBase
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class RecordedRequest:
    """What a client sent; ``path`` is without /v1."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, bytes]:
        """Parts of a multipart body by name."""
        head = f"Content-Type: {self.headers['content-type']}\r\n\r\n".encode()
        message = BytesParser(policy=HTTP).parsebytes(head + self.body)
        parts = {str(part.get_param("name", header="content-disposition")): part for part in message.iter_parts()}
        return {name: bytes(part.get_payload(decode=True)) for name, part in parts.items()}


@dataclass(frozen=True)
class Reply:
    """One scripted answer: ``body`` is sent as JSON unless it is str or bytes.

    ``drop`` closes without a word, ``cut`` in the middle of the body; ``pieces`` is a streamed body, a piece at a time,
    with ``pause_seconds`` between two of them, and of which what comes after ``held_after`` pieces waits for ``hold``.
    """

    body: Any = None
    status: int = 200
    content_type: str = "application/json"
    delay_seconds: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    cut: bool = False
    pieces: tuple[str, ...] = ()
    pause_seconds: float = 0.0
    hold: threading.Event | None = None
    held_after: int = 0

    @property
    def payload(self) -> bytes:
        if self.pieces:
            return "".join(self.pieces).encode()
        if isinstance(self.body, bytes):
            return self.body
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


LONGEST_HOLD_SECONDS = 120.0
Script = Reply | Callable[[RecordedRequest], Reply]
NOTHING_SCRIPTED = Reply({"error": {"message": "nothing is scripted for this request"}}, status=500)


class BusyServer(ThreadingHTTPServer):
    """Takes many connections at once and does not report those that clients give up."""

    request_queue_size = 256
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """A client that hung up is part of many a script."""


class ScriptedModelServer:
    """An OpenAI-compatible server that answers each path from its script, in order; the last answer repeats.

    A script entry may be a function of the request. Every request is recorded before it is answered.
    """

    def __init__(self) -> None:
        self.requests: list[RecordedRequest] = []
        self._scripts: defaultdict[str, deque[Script]] = defaultdict(deque)
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._server = BusyServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def script(self, path: str, *replies: Script) -> None:
        """Answer ``path`` (such as ``/audio/transcriptions``) with these from now on."""
        with self._lock:
            self._scripts[path] = deque(replies)

    def to(self, path: str) -> list[RecordedRequest]:
        """The requests that came for a path."""
        return [request for request in self.requests if request.path == path]

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, request: RecordedRequest) -> Reply:
        with self._lock:
            self.requests.append(request)
            script = self._scripts[request.path]
            chosen = (script.popleft() if len(script) > 1 else script[0]) if script else NOTHING_SCRIPTED
        reply = chosen if isinstance(chosen, Reply) else chosen(request)
        self._closing.wait(reply.delay_seconds)
        return reply

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer, wait = self._answer, self._closing.wait

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # or each answer takes the 40 ms of a delayed acknowledgement

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                path = self.path.split("?")[0].removeprefix("/v1")
                reply = answer(RecordedRequest(self.command, path, headers, body))
                if reply.drop:
                    self.close_connection = True
                    return
                self._send(reply)

            def do_GET(self) -> None:
                self.do_POST()

            def _send(self, reply: Reply) -> None:
                payload = reply.payload
                try:
                    self.send_response(reply.status)
                    for name, value in {"Content-Type": reply.content_type, **reply.headers}.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(payload)))
                    self.end_headers()
                    self.close_connection = _write(self.wfile, reply, wait) or self.close_connection
                except ConnectionError:
                    self.close_connection = True

            def log_message(self, *args: Any) -> None:
                """Requests are recorded, not printed."""

        return Handler


def _write(stream: BufferedIOBase, reply: Reply, wait: Callable[[float], bool]) -> bool:
    """Write a body; whether the connection is to be closed in the middle of it."""
    if reply.cut:
        stream.write(reply.payload[: len(reply.payload) // 2])
        return True
    pieces: Sequence[str | bytes] = reply.pieces or (reply.payload,)
    for number, piece in enumerate(pieces):
        if reply.hold and number == reply.held_after:
            reply.hold.wait(LONGEST_HOLD_SECONDS)
        stream.write(piece.encode() if isinstance(piece, str) else piece)
        stream.flush()
        wait(reply.pause_seconds)
    return False

"""A web server with one calendar, on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Site:
    """What the server answers, and what it was asked with."""

    url: str = ""
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)


@contextmanager
def calendar_site(body: bytes) -> Iterator[Site]:
    """A running server; it answers 304 to who knows its ETag."""
    site = Site(body=body)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append({name.lower(): value for name, value in self.headers.items()})
            tag = site.headers.get("ETag")
            known = site.status == 200 and tag is not None and self.headers.get("If-None-Match") == tag
            self.send_response(304 if known else site.status)
            for name, value in site.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0" if known else str(len(site.body)))
            self.end_headers()
            if not known:
                self.wfile.write(site.body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}/basic.ics"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""``summit serve``: the API and, by default, the background jobs beside it."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI

from app.cli.address import base_url
from app.cli.output import complain, say
from app.cli.server.env_typos import find_typos
from app.cli.server.http import http_within
from app.cli.server.logs import configure_logs
from app.cli.server.loops import quick_loop
from app.cli.server.servers import announce_server
from app.cli.server.tls import Certificate, address_for_phones, certificate_for, qr_code
from app.cli.server.websocket import Websocket
from app.cli.startup_errors import startup_error_message
from app.database.build import Say
from app.http.deps import Services
from app.lifespan import serving
from app.main import Lifespan, State, create_app
from app.settings import Settings, load_settings

KEEP_ALIVE_SECONDS = 75
STREAM_GRACE_SECONDS = 2
BACKLOG = 1024
SWITCH_SECONDS = 0.001
"""After which a thread that computes, as indexing does, makes room for the event loop, to which turns come often."""
TOUR = """
Summit is ready at {url}  (API description: {url}/docs)

Open that address in a browser and say something, or try it from another terminal:
  curl -s {url}/v1/turns -H 'Content-Type: application/json' \\
       -d '{{"text":"call mom tomorrow at 5 and book the dentist for Friday 3pm"}}'
  curl -s {url}/v1/todos
Stop with Ctrl-C.
"""


OpenServices = Callable[[Settings, Say], AbstractAsyncContextManager[Services]]


PHONES = """
To record on a phone, open {url} there (the server has to listen on that address) and accept the certificate
only if its SHA-256 fingerprint is
  {fingerprint}
{code}"""


class Server(uvicorn.Server):
    """Says where it is once it really listens."""

    certificate: Certificate | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then greet."""
        await super().startup(sockets=sockets)
        if self.started and sockets:
            host, port = sockets[0].getsockname()[:2]
            scheme = "https" if self.certificate else "http"
            say(TOUR.format(url=base_url(host, port, scheme)))
            if self.certificate:
                say(_for_phones(self.certificate, host, port))


def serve(options: argparse.Namespace, services: OpenServices = serving) -> int:
    """Serve until SIGINT or SIGTERM."""
    settings = load_settings()
    configure_logs(settings.log_level)
    for sentence in find_typos(os.environ):
        complain(sentence)
    try:
        listener = _listen(settings)
    except OSError as error:
        return complain(
            f"cannot listen on {settings.host}:{settings.port} ({error.strerror}). Is Summit running already? "
            "Set SUMMIT_PORT to another port, or 0 for a free one."
        )
    certificate = certificate_for(settings) if getattr(options, "tls", False) else None
    server = Server(
        configuration(create_app(settings, _lifespan_of(settings, services)), settings, **_tls(certificate))
    )
    server.certificate = certificate
    host, port = listener.getsockname()[:2]
    loop = asyncio.Runner(loop_factory=quick_loop())
    sys.setswitchinterval(SWITCH_SECONDS)
    with listener, announce_server(base_url(host, port, "https" if certificate else "http")), loop:
        loop.run(server.serve(sockets=[listener]))
    return 0 if server.started else 1


def _tls(certificate: Certificate | None) -> dict[str, Any]:
    return {"ssl_certfile": certificate.path, "ssl_keyfile": certificate.key} if certificate else {}


def _for_phones(certificate: Certificate, host: str, port: int) -> str:
    address = address_for_phones(host)
    url = base_url(address or host, port, "https")
    code = qr_code(url) if address else ""
    return PHONES.format(url=url, fingerprint=certificate.fingerprint, code=code)


def configuration(app: FastAPI, settings: Settings, **values: Any) -> uvicorn.Config:
    """How uvicorn serves Summit; ``values`` go to uvicorn as they are."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=STREAM_GRACE_SECONDS,
        proxy_headers=False,
        http=http_within(settings.header_seconds, settings.max_header_bytes, settings.max_headers),
        ws=Websocket,
        ws_max_size=settings.max_frame_bytes,
        ws_ping_interval=settings.websocket_ping_seconds,
        ws_ping_timeout=settings.websocket_ping_seconds,
        ws_per_message_deflate=False,  # events are small, and compressing costs memory for each connection
        **values,
    )


def _lifespan_of(settings: Settings, services_of: OpenServices) -> Lifespan:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[State]:
        async with AsyncExitStack() as stack:
            try:
                services = await stack.enter_async_context(services_of(settings, say))
                await _refuse_open_door(settings, services)
            except Exception as error:
                complain(startup_error_message(error))
                logging.disable()  # the sentence says it; the server's traceback would bury it
                raise
            yield {"services": services}

    return lifespan


class UnprotectedServer(RuntimeError):  # noqa: N818 - it names what is wrong
    """Anybody who reaches this address could use the server."""


async def _refuse_open_door(settings: Settings, services: Services) -> None:
    if settings.only_here or settings.oidc_issuer:
        return
    if not (settings.admin_key or settings.front_end_key) and not await services.users.any_key():
        raise UnprotectedServer(
            f"{settings.public_url or settings.host} can be reached from outside this machine, and no API key exists. "
            "Make one with `summit keys create`, or set SUMMIT_ADMIN_KEY, or listen on 127.0.0.1 without a public URL."
        )


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Without the protocol's number asyncio leaves Nagle's algorithm on, and each answer waits 40 ms for an ACK.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError:
        listener.close()
        raise
    listener.listen(BACKLOG)
    return listener

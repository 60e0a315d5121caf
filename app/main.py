"""The web application: doors, and the layers that every request passes."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TypedDict

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from app.errors import Problem
from app.http.access import Access
from app.http.cors import METHODS, READABLE, Cors
from app.http.deps import Services
from app.http.description import describe
from app.http.guard import RequestGuard
from app.http.identity import Identity
from app.http.limits import BodyLimit
from app.http.metrics import Metrics
from app.http.open_streams import OpenStreams
from app.http.problems import Problems, on_http_error, on_invalid, on_problem
from app.http.rates import RateLimit
from app.routes import ROUTERS, add_routes
from app.settings import Settings
from app.version import summit_version


class State(TypedDict):
    """What the lifespan gives every request."""

    services: Services


Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[State]]


def create_app(settings: Settings, lifespan: Lifespan, clock: Callable[[], float] = time.monotonic) -> FastAPI:
    """The application; ``lifespan`` yields the services it is to use, ``clock`` tells how fast requests come."""
    app = FastAPI(
        title="Summit",
        version=summit_version(),
        lifespan=lifespan,
        middleware=_layers(settings, clock),
        openapi_url=None,  # see app/http/routes/reference.py
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        exception_handlers={
            Problem: on_problem,
            RequestValidationError: on_invalid,
            HTTPException: on_http_error,
        },
    )
    add_routes(app)
    describe(app)
    return app


def _layers(settings: Settings, clock: Callable[[], float]) -> list[Middleware]:
    """Outermost first."""
    return [
        Middleware(Access, metrics=Metrics()),
        *_cross_origin(settings),
        Middleware(Problems),
        Middleware(RequestGuard, settings=settings),
        Middleware(BodyLimit, settings=settings, routers=ROUTERS),
        Middleware(Identity, settings=settings, clock=clock),
        Middleware(RateLimit, settings=settings, clock=clock),
        Middleware(OpenStreams, settings=settings),
    ]


def _cross_origin(settings: Settings) -> list[Middleware]:
    if not settings.allowed_origins:
        return []
    return [
        Middleware(
            Cors,
            allow_origins=settings.allowed_origins,
            allow_methods=METHODS,
            allow_headers=["*"],
            expose_headers=READABLE,
        )
    ]

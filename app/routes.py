"""All doors together."""

from __future__ import annotations

from fastapi import FastAPI

from app.calendars.routes import calendar_accounts, calendars, feed, google_accounts
from app.http.accounts.routes import audit, portability, sessions, settings, users
from app.http.routes import health, page, reference
from app.memory.routes import memory, topics
from app.models.routes import local_models, providers, spending
from app.protocols.agui import door as agui_door
from app.protocols.langgraph import assistants as langgraph_assistants
from app.protocols.langgraph import items as langgraph_items
from app.protocols.langgraph import runs as langgraph_runs
from app.protocols.langgraph import threads as langgraph_threads
from app.protocols.mcp import door as mcp_door
from app.protocols.openai import audio as openai_audio
from app.protocols.openai import chat as openai_chat
from app.protocols.openai import embeddings as openai_embeddings
from app.records.routes import changes, freebusy, notifications, occurrences, profile, records, webhooks
from app.turns.routes import spoken, stream, threads, turns, understand, uploads, ws
from app.voice.routes import memos
from app.work.mail import routes as mail
from app.work.projects import routes as projects
from app.work.runs.routes import lessons, runs, tool_servers
from app.work.workflows import routes as workflows

ROUTERS = (
    turns.router,
    spoken.router,
    understand.router,
    stream.router,
    ws.router,
    *records.routers,
    profile.router,
    calendars.router,
    calendar_accounts.router,
    calendar_accounts.conflicts_router,
    google_accounts.router,
    google_accounts.back_router,
    feed.router,
    feed.open_router,
    freebusy.router,
    occurrences.router,
    changes.router,
    threads.router,
    uploads.router,
    memos.router,
    memory.router,
    topics.router,
    workflows.router,
    workflows.starting,
    mail.router,
    mail.outgoing_router,
    portability.router,
    notifications.router,
    webhooks.router,
    projects.router,
    projects.agents_router,
    runs.router,
    lessons.router,
    tool_servers.router,
    settings.router,
    spending.router,
    providers.router,
    local_models.router,
    users.keys_router,
    users.users_router,
    audit.router,
    health.router,
    reference.router,
    page.router,
    sessions.router,
    openai_chat.router,
    mcp_door.router,
    agui_door.router,
    openai_audio.router,
    openai_embeddings.router,
    langgraph_assistants.router,
    langgraph_threads.router,
    langgraph_items.router,
    langgraph_runs.router,
)


def add_routes(app: FastAPI) -> None:
    """Include every router. Each names its whole path, so that logs and metrics show routes as they are in the code."""
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/page", page.files)

"""All doors together."""

from __future__ import annotations

from fastapi import FastAPI

from app.api import (
    audit,
    calendar_accounts,
    calendars,
    changes,
    feed,
    freebusy,
    google_accounts,
    health,
    lessons,
    local_models,
    mail,
    memory,
    memos,
    notifications,
    occurrences,
    page,
    portability,
    profile,
    projects,
    providers,
    records,
    reference,
    runs,
    sessions,
    settings,
    spending,
    spoken,
    stream,
    threads,
    tool_servers,
    topics,
    turns,
    understand,
    uploads,
    users,
    webhooks,
    workflows,
    ws,
)
from app.api.agui import door as agui_door
from app.api.langgraph import assistants as langgraph_assistants
from app.api.langgraph import items as langgraph_items
from app.api.langgraph import runs as langgraph_runs
from app.api.langgraph import threads as langgraph_threads
from app.api.mcp import door as mcp_door
from app.api.openai import audio as openai_audio
from app.api.openai import chat as openai_chat
from app.api.openai import embeddings as openai_embeddings

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

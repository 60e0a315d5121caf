"""All routes together."""

from __future__ import annotations

from fastapi import FastAPI

from app.calendars.routes import routers as calendars
from app.http.accounts.routes import routers as accounts
from app.http.routes import health, page, reference
from app.memory.routes import routers as memory
from app.models.routes import routers as models
from app.protocols.agui import door as agui_door
from app.protocols.langgraph import assistants as langgraph_assistants
from app.protocols.langgraph import items as langgraph_items
from app.protocols.langgraph import runs as langgraph_runs
from app.protocols.langgraph import threads as langgraph_threads
from app.protocols.mcp import door as mcp_door
from app.protocols.openai import audio as openai_audio
from app.protocols.openai import chat as openai_chat
from app.protocols.openai import embeddings as openai_embeddings
from app.records.routes import routers as records
from app.turns.routes import routers as turns
from app.voice.routes import memos
from app.work.mail import routes as mail
from app.work.projects import routes as projects
from app.work.runs.routes import routers as runs
from app.work.workflows import routes as workflows

ROUTERS = (
    *turns.ROUTERS,
    *records.ROUTERS,
    *calendars.ROUTERS,
    memos.router,
    *memory.ROUTERS,
    workflows.router,
    workflows.starting,
    mail.router,
    mail.outgoing_router,
    projects.router,
    projects.agents_router,
    *runs.ROUTERS,
    *models.ROUTERS,
    *accounts.ROUTERS,
    health.router,
    reference.router,
    page.router,
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

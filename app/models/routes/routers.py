"""All routes of language models."""

from __future__ import annotations

from app.models.routes import local_models, providers, spending

ROUTERS = (
    spending.router,
    providers.router,
    local_models.router,
)

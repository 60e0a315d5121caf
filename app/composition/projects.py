"""The part of the composition root that is about projects."""

from __future__ import annotations

import os

from app.deps import ProjectServices
from app.projects.detect import AgentPrograms
from app.projects.folders import AllowedFolders
from app.settings import Settings
from app.storage.database import Database
from app.storage.projects import PostgresProjects


def compose_projects(settings: Settings, database: Database) -> ProjectServices:
    """Registered folders, and the folders of this machine that may be registered."""
    return ProjectServices(
        PostgresProjects(database, most=settings.max_projects),
        AllowedFolders(settings.project_folders),
        AgentPrograms(os.environ),
    )

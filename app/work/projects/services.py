"""What routes need of projects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends

from app.http.deps import provide
from app.work.projects.folders import AllowedFolders
from app.work.projects.model.projects import CodingAgents
from app.work.projects.store import Projects


@dataclass(frozen=True)
class ProjectServices:
    """Registered folders, those that may be registered, and the agents that work on them."""

    registry: Projects
    folders: AllowedFolders
    agents: CodingAgents


ProvidedProjects = Annotated[ProjectServices, Depends(provide(ProjectServices))]

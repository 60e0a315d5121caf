"""The part of the composition root that is about projects."""

from __future__ import annotations

import os
from collections.abc import Callable

from app.database.database import Database
from app.database.embedded import EmbeddedServer
from app.models.model.thinking import Thinker
from app.settings import Settings
from app.work.projects.account import Confinement
from app.work.projects.children import ChildSurroundings
from app.work.projects.detect import AgentPrograms
from app.work.projects.diagnosis import Diagnosis
from app.work.projects.folders import AllowedFolders
from app.work.projects.heartbeat import Windows
from app.work.projects.services import ProjectServices
from app.work.projects.store import Projects
from app.work.projects.workshop import MachineWorkshop, Patience
from app.work.runs.lessons import LessonRetriever
from app.work.runs.model.runs import RunWork
from app.work.runs.pipeline import Allowed, Pipeline


def compose_projects(settings: Settings, database: Database) -> ProjectServices:
    """Registered folders, and the folders of this machine that may be registered."""
    confinement = _confinement(settings)
    return ProjectServices(
        Projects(database, most=settings.max_projects),
        AllowedFolders(settings.project_folders),
        AgentPrograms(confinement.around, confinement),
    )


def compose_pipeline(
    settings: Settings, database: Database, work: RunWork, thinker: Thinker, lessons: LessonRetriever
) -> Pipeline:
    """How runs on projects go."""
    return compose_stages(settings, compose_projects(settings, database).registry, work, thinker, lessons)


def compose_stages(
    settings: Settings, projects: Projects, work: RunWork, thinker: Thinker, lessons: LessonRetriever | None
) -> Pipeline:
    """The stages over registered projects, wherever these are kept."""
    confinement = _confinement(settings)
    windows = Windows(silence=settings.agent_silence_seconds)
    patience = Patience(settings.agent_step_seconds, settings.check_seconds, windows)
    workshop = MachineWorkshop(
        projects,
        AllowedFolders(settings.project_folders),
        AgentPrograms(confinement.around, confinement),
        confinement,
        patience,
        Diagnosis(thinker),
    )
    return Pipeline(
        workshop,
        work,
        Allowed(settings.project_rounds, settings.project_dollars, settings.project_phase_dollars),
        lessons,
    )


async def warn_of_agents(settings: Settings, say: Callable[[str], None]) -> None:
    """Say at the start whose rights coding agents have, where projects are possible."""
    if settings.project_folders and (warning := await _confinement(settings).warning()):
        say(warning)


def _confinement(settings: Settings) -> Confinement:
    around = ChildSurroundings(os.environ, settings.agent_account)
    socket = EmbeddedServer.socket_folder(settings.data_dir / "postgres")
    secrets = [settings.data_dir, settings.master_key_path, socket]
    return Confinement(around, secrets, accepted=settings.agents_unconfined)

"""What routes need of runs."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.boundary.confinement.programs import SandboxedPrograms
from app.http.deps import provide
from app.work.runs.store.lessons import Lessons
from app.work.runs.store.runs import Runs
from app.work.runs.tool_servers import NamedServers

ProvidedRuns = Annotated[Runs, Depends(provide(Runs))]
ProvidedLessons = Annotated[Lessons, Depends(provide(Lessons))]
ProvidedServers = Annotated[NamedServers, Depends(provide(NamedServers))]
ProvidedPrograms = Annotated[SandboxedPrograms, Depends(provide(SandboxedPrograms))]

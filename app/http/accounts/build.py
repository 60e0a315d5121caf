"""The part of the composition root that takes everything of a user out, in and away."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from procrastinate import RetryStrategy
from pydantic import ValidationError

from agents.conventions import Conventions
from app.database.database import Database
from app.database.jobs import Job
from app.http.accounts.model.portability import Checks, NotImportable
from app.http.accounts.store.archive_reader import ArchiveReader
from app.http.accounts.store.archives import ArchiveLimits
from app.http.accounts.store.portability import Folders, Portability
from app.settings import MEBIBYTE, Settings

MEMORY_BYTES = 1024 * MEBIBYTE


def compose_portability(settings: Settings, database: Database) -> Portability:
    """Export, import and erasure, within the limits of the settings."""
    folders = Folders(settings.data_dir / "exports", settings.clips_dir, settings.data_dir / "files")
    limits = ArchiveLimits(
        bytes=settings.max_import_bytes,
        files=settings.max_import_files,
        row_bytes=settings.max_import_row_bytes,
        seconds=settings.import_seconds,
        memory_bytes=MEMORY_BYTES,
        spare_bytes=settings.min_free_bytes,
    )
    return Portability(database, folders, ArchiveReader(limits), Checks(check_settings, check_workflow))


def portability_job(portability: Portability) -> Job:
    """Rows and files of a user come and go together, whoever was killed between the two."""
    again = RetryStrategy(max_attempts=3, wait=10)
    return Job("finish_imports_and_erasures", portability.finish_all, again, every="* * * * *", alone=True)


def check_settings(settings: Mapping[str, Any]) -> None:
    """Raises NotImportable unless what the settings hold could have been set here."""
    from app.http.accounts.routes.settings import (
        SettingsPatch,  # servers have the doors already, other programs may not need them
    )

    known = {name: value for name, value in settings.items() if name in SettingsPatch.model_fields}
    try:
        patch = SettingsPatch.model_validate_json(json.dumps(known))
        Conventions.model_validate(patch.conventions or {})
    except ValidationError as error:
        raise NotImportable(f"The settings in the manifest cannot be taken in: {_describe_error(error)}.") from error


def check_workflow(definition: object) -> None:
    """Raises NotImportable unless it is the definition of a workflow."""
    from app.work.workflows.definition import Definition

    try:
        Definition.model_validate_json(json.dumps(definition))
    except ValidationError as error:
        raise NotImportable(f"A workflow cannot be taken in: {_describe_error(error)}.") from error


def _describe_error(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"

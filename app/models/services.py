"""What routes need of language models."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends

from app.http.deps import provide
from app.models.local.models_here import ModelsHere
from app.models.model.providers import Lacks, Probe
from app.models.model.thinking import Thinker
from app.models.store.credits import Credits
from app.models.store.providers import Providers


@dataclass(frozen=True)
class ModelServices:
    """What routes need of language models; ``changed`` makes new choices count at once at this server.

    ``solvent`` tells whether a user can pay for the model that messages go to. ``thinker`` is who works on runs.
    """

    providers: Providers
    credits: Credits
    probe: Probe
    lacks: Lacks
    here: ModelsHere
    changed: Callable[[], None]
    solvent: Callable[[UUID], Awaitable[bool]]
    thinker: Thinker


ProvidedModels = Annotated[ModelServices, Depends(provide(ModelServices))]

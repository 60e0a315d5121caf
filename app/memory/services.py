"""What routes need of memory."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.http.deps import provide
from app.memory.service import Memory
from app.memory.store.topics import Topics
from app.memory.vectors.local_model import LocalModel

ProvidedMemory = Annotated[Memory, Depends(provide(Memory))]
ProvidedTopics = Annotated[Topics, Depends(provide(Topics))]
ProvidedEmbedder = Annotated[LocalModel, Depends(provide(LocalModel))]

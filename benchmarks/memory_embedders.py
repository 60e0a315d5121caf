"""One model for everybody's memory."""

from __future__ import annotations

from uuid import UUID

from app.memory.vectors.local_model import LocalModel


class Everybody:
    """Everybody's memory is embedded by one model."""

    def __init__(self, model: LocalModel) -> None:
        self.usual, self._model = model.model, model

    async def of(self, _user_id: UUID) -> list[LocalModel]:
        """That model."""
        return [self._model]

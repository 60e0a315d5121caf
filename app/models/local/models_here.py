"""The models of this machine, at the addresses of the settings and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.models.local.local_servers import find_servers
from app.models.local.measure import measure
from app.models.model.local_models import LocalServer, Measured, NotAnAddressHere
from app.settings import Settings


@dataclass(frozen=True)
class ModelsHere:
    """Looks at the addresses that the settings name, all of this machine, and at no other; no key is sent.

    ``seconds`` bound one measurement, ``tokens`` each answer in it.
    """

    addresses: Sequence[str]
    seconds: float
    tokens: int

    async def find(self) -> Sequence[LocalServer]:
        """The servers of models that answer there; Summit itself is none."""
        return await find_servers(self.addresses)

    async def measure(self, base_url: str, model: str) -> Measured:
        """What a model can do, and how fast it is. Raises NotAnAddressHere."""
        if base_url not in self.addresses:
            raise NotAnAddressHere(base_url)
        return await measure(base_url, model, seconds=self.seconds, tokens=self.tokens)


def models_here(settings: Settings) -> ModelsHere:
    """As the settings say."""
    return ModelsHere(settings.llm_local_servers, settings.llm_measure_seconds, settings.llm_test_tokens)

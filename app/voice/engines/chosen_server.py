"""The server that a user, or the administrator for everybody, chose for transcription or speech."""

from __future__ import annotations

from app.database.model import KeyUnreadable
from app.models.model.providers import Capability, Provider
from app.models.store.providers import Providers
from app.principal import current_principal
from app.voice.engines.engine import SpeechFailed
from app.voice.engines.remote import SpeechServer


class ChosenServers:
    """Whose clips go where, and who speaks to whom. A choice that cannot be followed fails and says so."""

    def __init__(self, providers: Providers, capability: Capability = "transcription") -> None:
        self._providers = providers
        self._capability: Capability = capability

    async def active(self) -> SpeechServer | None:
        """The acting user's; None for who has chosen none. Raises SpeechFailed."""
        user_id = current_principal().user_id
        models = await self._providers.models(user_id)
        chosen = next((one for one in models if one.capability == self._capability), None)
        if chosen is None:
            return None
        try:
            provider = await self._providers.get(user_id, chosen.provider, with_key=True)
        except KeyUnreadable as error:
            raise _unusable(chosen.provider, "its key cannot be read; set it again") from error
        if provider is None or not provider.usable:
            raise _unusable(chosen.provider, "it has no key any more; set one, or choose another model")
        return _server(provider, chosen.model)


def _server(provider: Provider, model: str) -> SpeechServer:
    return SpeechServer(provider.base_url, model, provider.api_key)


def _unusable(slug: str, why: str) -> SpeechFailed:
    return SpeechFailed("config_error", f"{slug}: {why}.", retryable=True)

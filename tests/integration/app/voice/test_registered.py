"""Clips go to the server that their speaker chose, and to nobody else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from app.database.database import Database
from app.database.secrets import KeyRing
from app.http.accounts.store.users import Users
from app.models.model.providers import ProviderChange
from app.models.store.providers import Providers
from app.principal import EVERYBODY, Principal, acting_as
from app.settings import Settings
from app.voice.engines.chosen_server import ChosenServers
from app.voice.speech.service import SpeechService
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.speech.sounds import JFK

PATH = "/audio/transcriptions"
ANN, BEN = uuid4(), uuid4()


@pytest.fixture
def server() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as running:
        running.script(PATH, Reply({"text": "hello"}))
        yield running


@pytest.fixture
def providers(database: Database, settings: Settings) -> Providers:
    return Providers(database, KeyRing(settings.master_key_path))


@pytest_asyncio.fixture
async def choosing(database: Database, providers: Providers, server: ScriptedModelServer) -> AsyncIterator[Providers]:
    """Ann has chosen a server of transcription; Ben has not."""
    for name, user in (("ann", ANN), ("ben", BEN)):
        await Users(database).create(name, user)
    with acting_as(Principal(EVERYBODY)):
        change = ProviderChange("lab", "Lab", server.base_url, "direct", ["transcription"])
        await providers.put(EVERYBODY, change)
    with acting_as(Principal(ANN)):
        await providers.put(ANN, ProviderChange("lab", api_key="sk-of-ann"))
        await providers.choose(ANN, "transcription", ("fast", "reason"), "lab", "big-ears")
    yield providers


async def heard_by(service: SpeechService, user: UUID) -> tuple[str, str | None, str]:
    with acting_as(Principal(user)):
        heard = await service.transcribe(JFK)
    return heard.outcome, heard.transcript.engine if heard.transcript else None, heard.reason


async def test_the_choice_of_one_user_is_that_of_nobody_else(
    settings: Settings, choosing: Providers, server: ScriptedModelServer
) -> None:
    service = SpeechService(settings, ChosenServers(choosing).active)
    assert await heard_by(service, ANN) == ("success", "remote", "")
    (asked,) = server.to(PATH)
    assert (asked.headers["authorization"], asked.form["model"]) == ("Bearer sk-of-ann", b"big-ears")
    assert (await heard_by(service, BEN))[:2] == ("success", "faster-whisper")
    assert len(server.to(PATH)) == 1
    await service.close()


async def test_readiness_tells_of_the_choice_for_everybody(settings: Settings, choosing: Providers) -> None:
    service = SpeechService(settings, ChosenServers(choosing).active)
    usual = (await service.check()).detail
    assert usual.startswith("faster-whisper with tiny.en: "), "what one user chose is nobody else's business"
    with acting_as(Principal(EVERYBODY)):
        await choosing.choose(EVERYBODY, "transcription", ("fast", "reason"), "lab", "good-ears")
    check = await service.check()
    assert (check.ok, check.detail) == (True, "remote with good-ears: chosen by the administrator for everybody")
    forced = SpeechService(
        settings.model_copy(update={"transcriber": "faster-whisper"}), ChosenServers(choosing).active
    )
    assert (await forced.check()).detail.startswith("faster-whisper with tiny.en: chosen by SUMMIT_TRANSCRIBER")
    with acting_as(Principal(EVERYBODY)):
        await choosing.put(EVERYBODY, ProviderChange("lab", base_url="https://models.invalid/v1"))
    assert (await service.check()).detail == "lab: it has no key any more; set one, or choose another model"
    await service.close()


async def test_settings_that_force_an_engine_send_nothing_away(
    settings: Settings, choosing: Providers, server: ScriptedModelServer
) -> None:
    forced = settings.model_copy(update={"transcriber": "none"})
    service = SpeechService(forced, ChosenServers(choosing).active)
    assert (await heard_by(service, ANN))[0] == "config_error"
    assert server.to(PATH) == []
    await service.close()


async def test_a_choice_without_a_key_says_so_and_goes_nowhere_else(settings: Settings, choosing: Providers) -> None:
    with acting_as(Principal(EVERYBODY)):
        await choosing.put(EVERYBODY, ProviderChange("lab", base_url="https://models.invalid/v1"))
    with acting_as(Principal(ANN)):
        await choosing.delete(ANN, "lab")
    service = SpeechService(settings, ChosenServers(choosing).active)
    reason = "lab: it has no key any more; set one, or choose another model."
    assert await heard_by(service, ANN) == ("config_error", None, reason)
    await service.close()

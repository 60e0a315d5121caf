"""Which model is asked: the one that was chosen, and none where its provider is elsewhere and has no key any more."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from app.database.database import Database
from app.database.secrets import KeyRing
from app.http.accounts.store.users import Users
from app.models.llm.choice import Unbilled
from app.models.llm.registry import RegisteredModels
from app.models.llm.requests import ModelTarget
from app.models.model.providers import ProviderChange
from app.models.store.providers import Providers
from app.principal import EVERYBODY, Principal, acting_as
from app.settings import Settings

QUICK = ModelTarget("https://quick.example/v1", "quick", "sk-quick")
KEY = "sk-of-ada-0123456789"


async def test_a_choice_whose_key_is_deleted_is_not_asked_any_more(database: Database, tmp_path: Path) -> None:
    providers = Providers(database, KeyRing(tmp_path / "master.key"))
    models = RegisteredModels(providers, {"fast": QUICK}, ModelTarget("", ""), lambda _: Unbilled())
    ada = (await Users(database).create("Ada", uuid4())).id
    with acting_as(Principal(ada)):
        await providers.put(ada, ProviderChange("openai", api_key=KEY))
        await providers.choose(ada, "chat", ["fast"], "openai", "m")
        chosen = await models.active("fast")
        assert chosen is not None
        assert (chosen.base_url, chosen.api_key) == ("https://api.openai.com/v1", KEY)
        await providers.delete(ada, "openai")
        models.forget()
        assert await models.active("fast") is None, "neither asked without a key, nor replaced by another server"
        await providers.put(EVERYBODY, ProviderChange("openai", api_key="sk-everybody"))
        models.forget()
        back = await models.active("fast")
        assert back is not None
        assert back.api_key == "sk-everybody"


async def test_a_choice_on_this_machine_needs_no_key(database: Database, tmp_path: Path) -> None:
    providers = Providers(database, KeyRing(tmp_path / "master.key"))
    models = RegisteredModels(providers, {}, ModelTarget("", ""), lambda _: Unbilled())
    ada = (await Users(database).create("Ada", uuid4())).id
    with acting_as(Principal(ada)):
        await providers.choose(ada, "chat", ["fast"], "ollama", "small")
        assert await models.active("fast") == ModelTarget("http://127.0.0.1:11434/v1", "small")


@pytest.mark.parametrize(
    ("address", "key", "accepted"),
    [
        ("https://api.openai.com/v1", None, False),
        ("https://api.openai.com/v1", "sk-1", True),
        ("http://192.168.1.20:8000/v1", None, False),
        ("http://192.168.1.20:8000/v1", "none", True),
        ("http://127.0.0.1:11434/v1", None, True),
        ("http://localhost:11434/v1", None, True),
        ("http://[::1]:11434/v1", None, True),
        ("http://127.0.0.1.evil.example/v1", None, False),
        ("http://localhost@evil.example/v1", None, False),
        ("http://[/v1", None, False),
    ],
)
def test_the_settings_name_no_model_elsewhere_without_a_key(address: str, key: str | None, accepted: bool) -> None:  # noqa: FBT001 - a column
    values: dict[str, Any] = {"_env_file": None, "llm_base_url": address, "llm_model": "m", "llm_api_key": key}
    if accepted:
        assert Settings(**values).llm_model == "m"
        return
    with pytest.raises(ValueError, match="is asked nothing without a key"):
        Settings(**values)


def test_without_a_model_no_key_is_needed() -> None:
    assert Settings(_env_file=None, llm_model="").llm_api_key is None

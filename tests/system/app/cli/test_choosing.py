"""``summit setup --provider``: a model for everybody, kept only if it answers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fakes import Call, Reply, ScriptedModelServer, chat
from tests.support.servers.forked import summit

KEY = "sk-of-the-house-42"


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        server.script("/models", Reply({"data": [{"id": "small"}, {"id": "large"}]}))
        server.script("/chat/completions", chat(Call("report", {"word": "hello"}), text='{"word": "hello"}'))
        yield server


def setup(database_url: str, folder: Path, *arguments: str, key: str = KEY) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database_url,
        "SUMMIT_DATA_DIR": str(folder),
        "SUMMIT_LLM_API_KEY": key,
    }
    return summit("setup", *arguments, environment=environment)


def test_a_provider_of_ones_own_is_tested_and_kept(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    done = setup(database_url, tmp_path, "--provider", "lab", "--base-url", models.base_url, "--model", "small")
    assert done.returncode == 0, done.stderr
    assert f"understood with small at {models.base_url}" in done.stdout
    assert "With small these work: tools, tool_choice, json_schema, streaming, usage." in done.stdout
    assert models.to("/models")[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in done.stdout + done.stderr
    assert (tmp_path / "master.key").stat().st_mode & 0o077 == 0
    again = setup(database_url, tmp_path, "--provider", "lab", "--model", "large")
    assert again.returncode == 0, again.stderr


def test_nothing_is_kept_of_a_provider_that_does_not_answer(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    models.script("/models", Reply({}, status=401))
    done = setup(database_url, tmp_path, "--provider", "lab", "--base-url", models.base_url, "--model", "small")
    assert done.returncode == 1
    assert "refuses the key (401)" in done.stderr
    unknown = setup(database_url, tmp_path, "--provider", "lab", "--model", "small")
    assert unknown.returncode == 1
    assert "There is no provider lab" in unknown.stderr


def test_a_model_that_is_not_there_or_does_not_answer_is_refused(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    place = ("--provider", "lab", "--base-url", models.base_url)
    wrong = setup(database_url, tmp_path, *place, "--model", "smal")
    assert wrong.returncode == 1
    assert "It has no model smal. It has: small, large. Nothing was kept." in wrong.stderr
    models.script("/chat/completions", Reply({}, status=500))
    mute = setup(database_url, tmp_path, *place, "--model", "small")
    assert mute.returncode == 1
    assert "small gives no answer of use (500)." in mute.stderr


def test_the_models_are_told_where_none_was_named(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    done = setup(database_url, tmp_path, "--provider", "lab", "--base-url", models.base_url)
    assert done.returncode == 1
    assert "it has: small, large." in done.stderr


def test_a_provider_elsewhere_is_asked_nothing_without_a_key(database_url: str, tmp_path: Path) -> None:
    done = setup(database_url, tmp_path, "--provider", "openai", "--model", "m", key="")
    assert done.returncode == 1
    assert "OpenAI needs a key: set SUMMIT_LLM_API_KEY and run this again. Nothing was kept." in done.stderr

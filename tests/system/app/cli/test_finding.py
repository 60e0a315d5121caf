"""``summit setup model``: what runs on this machine is measured, told, and used only after a yes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.fakes import Call, RecordedRequest, Reply, ScriptedModelServer, chat
from tests.support.servers.forked import summit
from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).parents[4]
CLOSED = "http://127.0.0.1:9/v1"
WORD = '{"word": "hello"}'


def answer(request: RecordedRequest) -> Reply:
    """``able`` calls tools and fills forms, ``chatty`` only talks."""
    if request.json["model"] == "chatty" or request.json.get("stream"):
        return chat(text="one two three")(request)
    return chat(Call("report", {"word": "hello"}))(request) if "tools" in request.json else chat(text=WORD)(request)


@pytest.fixture
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        cards = [{"id": name, "owned_by": "llamacpp"} for name in ("chatty", "able")]
        server.script("/version", Reply({}, status=404))
        server.script("/models", Reply({"data": cards}))
        server.script("/chat/completions", answer)
        yield server


def environment(database_url: str, folder: Path, address: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database_url,
        "SUMMIT_DATA_DIR": str(folder),
        "SUMMIT_LLM_LOCAL_SERVERS": json.dumps([CLOSED, address]),
        "SUMMIT_LLM_MEASURE_SECONDS": "600",
        "SUMMIT_LLM_API_KEY": "sk-for-somebody-else",
    }


def setup(database_url: str, folder: Path, address: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return summit("setup", "model", *arguments, environment=environment(database_url, folder, address))


def setup_at_a_terminal(
    database_url: str, folder: Path, address: str, answer: str
) -> subprocess.CompletedProcess[bytes]:
    """The same by somebody who types an answer."""
    person, terminal = os.openpty()
    os.write(person, f"{answer}\n".encode())
    try:
        command = [sys.executable, "-c", "import sys; from app.cli import main; sys.exit(main())", "setup", "model"]
        given = {**environment(database_url, folder, address), "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            command, env=given, stdin=terminal, capture_output=True, timeout=HANG_SECONDS, check=False
        )
    finally:
        os.close(person)
        os.close(terminal)


def test_a_model_is_recommended_and_used_after_a_yes(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    asked = setup(database_url, tmp_path, models.base_url)
    assert asked.returncode == 0, asked.stderr
    head, chatty, able, why, left = asked.stdout.splitlines()
    assert head.split("  ")[0] == "Model"
    assert chatty.split()[:4] == ["chatty", "llama.cpp", "no", "no"]
    assert able.split()[:4] == ["able", "llama.cpp", "yes", "yes"]
    assert why.startswith(
        "able is recommended: it calls tools and returns JSON in the form that is asked, and is the only"
    )
    assert left == "Nothing was changed: --yes uses it for everybody."
    done = setup(database_url, tmp_path, models.base_url, "--yes")
    assert done.returncode == 0, done.stderr
    assert f"Done: messages that are not plain are understood with able at {models.base_url}" in done.stderr
    assert not any("authorization" in request.headers for request in models.requests)
    kept = summit(
        "setup",
        *("--provider", "llama-cpp", "--model", "chatty"),
        environment={"PATH": os.environ["PATH"], "DATABASE_URL": database_url, "SUMMIT_DATA_DIR": str(tmp_path)},
    )
    assert f"understood with chatty at {models.base_url}" in kept.stdout, "the provider is there under its name"


@pytest.mark.parametrize(("answer", "used"), [("y", True), ("", False)], ids=["yes", "no answer"])
def test_at_a_terminal_it_is_asked(
    database_url: str,
    tmp_path: Path,
    models: ScriptedModelServer,
    answer: str,
    used: bool,  # noqa: FBT001 - a column
) -> None:
    done = setup_at_a_terminal(database_url, tmp_path, models.base_url, answer)
    assert done.returncode == 0, done.stderr.decode()
    assert b"Use able for everybody? [y/N]" in done.stdout
    assert (b"understood with able" in done.stderr) == used


def test_as_json_it_is_one_document_and_nothing_is_asked(
    database_url: str, tmp_path: Path, models: ScriptedModelServer
) -> None:
    told = json.loads(setup(database_url, tmp_path, models.base_url, "--json").stdout)
    assert [one["kind"] for one in told["servers"]] == ["llama.cpp"]
    assert [(one["model"], one["tools"], one["json_schema"]) for one in told["models"]] == [
        ("chatty", False, False),
        ("able", True, True),
    ]
    assert (told["recommended"]["model"], told["chosen"]) == ("able", False)
    yes = json.loads(setup(database_url, tmp_path, models.base_url, "--json", "--yes").stdout)
    assert yes["chosen"] is True


def test_only_the_one_that_is_named_is_measured(database_url: str, tmp_path: Path, models: ScriptedModelServer) -> None:
    useless = setup(database_url, tmp_path, models.base_url, "chatty", "--yes")
    assert useless.returncode == 1
    assert "None of them calls tools or returns JSON" in useless.stderr
    assert {request.json["model"] for request in models.to("/chat/completions")} == {"chatty"}
    missing = setup(database_url, tmp_path, models.base_url, "nope")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "No server on this machine has a model nope." in missing.stderr


def test_where_nothing_runs_two_lines_say_how_to_start_something(tmp_path: Path) -> None:
    nothing = setup("", tmp_path / "never", CLOSED)
    assert (nothing.returncode, nothing.stdout) == (1, "")
    first, second = nothing.stderr.splitlines()
    assert CLOSED in first
    assert "ollama pull" in second
    assert not (tmp_path / "never").exists(), "no database is made for that"

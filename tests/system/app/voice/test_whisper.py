"""Whisper's whole path with a checkpoint of random weights: the words are nonsense, the way is real."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from app.settings import Settings
from app.voice.engines import weights
from app.voice.engines.weights_child import download
from app.voice.engines.whisper import WhisperEngine
from app.voice.speech.service import SpeechService
from tests.support.fakes import Reply, ScriptedModelServer
from tests.support.speech.sounds import JFK

needs_whisper = pytest.mark.skipif(
    not weights.is_installed(), reason="the extra `openai-whisper` is not installed (make test EXTRAS=openai-whisper)"
)

# Run apart, so that torch's warnings and memory stay out of the test process.
MAKE_CHECKPOINT = """
import dataclasses, json, sys, torch, whisper
from whisper.model import ModelDimensions, Whisper
torch.manual_seed(0)
dims = ModelDimensions(80, 1500, 16, 1, 1, 51865, 448, 16, 1, 1)
model = Whisper(dims)
for parameter in model.parameters():
    torch.nn.init.normal_(parameter, std=0.5)
torch.save({"dims": dataclasses.asdict(dims), "model_state_dict": model.state_dict()}, sys.argv[1])
print(json.dumps({name: url.split("/")[-2:] for name, url in whisper._MODELS.items()}))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, list[str]]]:
    """A checkpoint, and what openai-whisper publishes: {name: [sha256, file]}."""
    path = tmp_path_factory.mktemp("whisper") / "random.pt"
    made = subprocess.run([sys.executable, "-c", MAKE_CHECKPOINT, path], check=True, capture_output=True, text=True)
    return path, json.loads(made.stdout)


@needs_whisper
async def test_a_clip_becomes_segments_and_the_model_stays_loaded(
    settings: Settings, made: tuple[Path, dict[str, list[str]]]
) -> None:
    service = SpeechService(settings.model_copy(update={"transcriber": "whisper", "whisper_model": str(made[0])}))
    try:
        assert service.status().engine == "whisper"
        heard = await service.transcribe(JFK)
        pid = service._whisper._process and service._whisper._process.pid
        again = await service.transcribe(JFK)
        assert pid
        assert service._whisper._process
        assert service._whisper._process.pid == pid
    finally:
        await service.close()
    assert heard.outcome == again.outcome == "success"
    transcript = heard.transcript
    assert transcript
    assert (transcript.engine, transcript.language) == ("whisper", "en")
    assert transcript.segments
    for segment in transcript.segments:
        assert 0 <= segment.start_ms <= segment.end_ms <= 11_000
        assert segment.confidence is not None
        assert 0 <= segment.confidence < 0.1
    assert not transcript.may_act(settings.min_confidence)


@needs_whisper
def test_the_names_and_files_are_those_of_openai_whisper(
    settings: Settings, made: tuple[Path, dict[str, list[str]]]
) -> None:
    published = made[1]
    assert published.keys() == weights.MODELS
    for name, (sha256, file) in published.items():
        assert len(sha256) == 64
        assert weights.target(settings.model_copy(update={"whisper_model": name})).name == file


@pytest.fixture
def server() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as running:
        yield running


@pytest.fixture
def nowhere(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings for the model `base` on a machine that has no weights."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(settings.data_dir / "cache"))
    return settings.model_copy(update={"whisper_model": "base"})


@needs_whisper
def test_weights_are_found_in_our_folder_and_in_the_usual_cache(nowhere: Settings) -> None:
    assert weights.find(nowhere) is None
    cached = nowhere.data_dir / "cache" / "whisper" / "base.pt"
    for path in (cached, weights.target(nowhere)):
        path.parent.mkdir(parents=True)
        path.touch()
        assert weights.find(nowhere) == path
    assert WhisperEngine(nowhere).missing() is None


def test_weights_are_downloaded_whole_or_not_at_all(tmp_path: Path, server: ScriptedModelServer) -> None:
    content = bytes(range(256)) * 10_000
    published = hashlib.sha256(content).hexdigest()
    path = tmp_path / "models" / "base.pt"
    seen: list[tuple[int, int]] = []
    server.script("/base.pt", Reply(content[:-1]), Reply(status=503), Reply(content))
    for _ in range(2):
        with pytest.raises(Exception, match=r"SHA-256|503"):
            download(f"{server.base_url}/base.pt", published, path, lambda *_: None)
        assert list(path.parent.iterdir()) == []
    download(f"{server.base_url}/base.pt", published, path, lambda *progress: seen.append(progress))
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]
    assert seen[-1] == (len(content), len(content))


@needs_whisper
async def test_nothing_is_fetched_unless_it_is_allowed(nowhere: Settings) -> None:
    engine = WhisperEngine(nowhere)
    engine.prepare()
    assert engine._fetching is None
    assert "run `summit setup speech whisper`" in (engine.missing() or "")


@pytest.fixture
async def allowed(nowhere: Settings, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WhisperEngine]:
    """An engine that may fetch, behind a proxy that refuses every connection."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    engine = WhisperEngine(nowhere.model_copy(update={"whisper_download": True}))
    yield engine
    await engine.close()


@needs_whisper
async def test_a_download_that_fails_says_why_and_leaves_nothing(allowed: WhisperEngine, nowhere: Settings) -> None:
    assert "begins with the next clip" in (allowed.missing() or "")
    allowed.prepare()
    assert "they are being fetched" in (allowed.missing() or "")
    assert allowed._fetching
    await allowed._fetching
    assert "fetching them failed (ConnectError" in (allowed.missing() or "")
    assert list(weights.target(nowhere).parent.iterdir()) == []


@needs_whisper
async def test_a_download_can_be_abandoned(allowed: WhisperEngine) -> None:
    allowed.prepare()
    await allowed.close()
    assert allowed._fetching is None

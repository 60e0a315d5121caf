"""Models in CTranslate2's format: where they lie, which one is in use."""

from __future__ import annotations

import os
from pathlib import Path

from app.settings import Settings

STARTER = "tiny.en"
"""The model that comes with an installation."""

WHISPER_MODELS = (
    "tiny.en",
    "tiny",
    "base.en",
    "base",
    "small.en",
    "small",
    "medium.en",
    "medium",
    "large-v3",
    "large-v3-turbo",
)
REQUIRED_FILES = ("model.bin", "config.json", "tokenizer.json")
CHOICE = "chosen"


def model_in_use(settings: Settings) -> str:
    """A name or the path of a folder: what SUMMIT_SPEECH_MODEL says, else what was set up last, else the starter."""
    if settings.speech_model != "auto":
        return settings.speech_model
    try:
        return (_own_folder(settings) / CHOICE).read_text().strip() or STARTER
    except OSError:
        return STARTER


def find_model(settings: Settings) -> Path | None:
    """The folder of the model in use; None where it is not here."""
    return next((folder for folder in _places(settings, model_in_use(settings)) if is_whole(folder)), None)


def is_path(model: str) -> bool:
    """Whether a model is given as a folder."""
    return os.sep in model


def is_whole(folder: Path) -> bool:
    """Whether a folder holds every file that faster-whisper loads."""
    return all((folder / name).is_file() for name in REQUIRED_FILES)


def target(settings: Settings, model: str) -> Path:
    """Where a model is put that somebody asks for by name."""
    return _own_folder(settings) / model


def remember_choice(settings: Settings, model: str) -> None:
    """Use this model from the next start on."""
    folder = _own_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / CHOICE).write_text(f"{model}\n")


def _places(settings: Settings, model: str) -> list[Path]:
    if is_path(model):
        return [Path(model).expanduser()]
    return [target(settings, model), settings.weights_dir / model]


def _own_folder(settings: Settings) -> Path:
    return settings.data_dir / "models" / "speech"

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.servers import forked

SECRET = "hunter2hunter2"
WRONG = {
    "DATABASE_URL": (f"mysql://ana:{SECRET}@db/summit", "DATABASE_URL does not answer"),
    "SUMMIT_PORT": ("abc", "SUMMIT_PORT: Input should be a valid integer"),
    "SUMMIT_TIMEZONE": ("Mars", "SUMMIT_TIMEZONE: must be an IANA time zone"),
    "SUMMIT_ALLOWED_HOSTS": ("summit.example", "lists are written as JSON"),
    "SUMMIT_HOST": ("0.0.0.0", "no API key exists"),  # noqa: S104 - refused, which is the point
    "SUMMIT_LLM_MODEL": ("gpt-5-mini", "SUMMIT_LLM_API_KEY: https://api.openai.com/v1 is asked nothing without a key"),
    "SUMMIT_DATA_DIR": ("/dev/null", "Not a directory"),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("command", ["serve", "doctor"])
def test_a_wrong_setting_is_told_in_a_sentence_without_a_traceback(tmp_path: Path, name: str, command: str) -> None:
    value, sentence = WRONG[name]
    code, output = summit(command, tmp_path, **{name: value})
    assert "Traceback" not in output
    assert SECRET not in output
    if (command, name) != ("doctor", "SUMMIT_HOST"):  # the doctor does not listen
        assert code != 0
        assert sentence in output


def summit(command: str, folder: Path, **settings: str) -> tuple[int, str]:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "SUMMIT_DATA_DIR": str(folder / "data"),
        "SUMMIT_PORT": "0",
        **settings,
    }
    done = forked.summit(command, environment=environment)
    return done.returncode, done.stdout + done.stderr

"""A short campaign; the whole one is `make soak ARGS=records`."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from tests.fuzz.records_machine import Record, Records, campaign
from tests.support.servers.live_server import live_server, settings_for


def test_the_api_does_what_the_model_does(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path)) as url:
        campaign(url, 6, 25, 20261124)


class Wrong(Records):
    """A model that is wrong about the words that were sent."""

    def _made(self, path: str, words: str, answer: httpx.Response) -> Record:
        return super()._made(path, f"{words}!", answer)


def test_a_model_that_is_wrong_is_noticed(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path)) as url, pytest.raises(AssertionError):
        campaign(url, 2, 10, 20261124, Wrong)

"""The short form of ``make soak ARGS=frames``."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.frames import campaign
from tests.support.servers.live_server import live_server, settings_for


def test_no_frame_breaks_the_websocket(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path)) as url:
        told, broken = campaign(url, frames=200, number=16)
    assert not broken
    assert told["answered"] > 100, "most frames are refused, and the connection goes on"

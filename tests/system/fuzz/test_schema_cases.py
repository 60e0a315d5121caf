"""The short form of ``make soak ARGS=schema``: one request for each operation of the API's description."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fuzz.schema_cases import campaign
from tests.support.servers.live_server import live_server, settings_for


def test_every_operation_answers_what_its_description_allows(database_url: str, tmp_path: Path) -> None:
    with live_server(settings_for(database_url, tmp_path)) as url:
        status, told = campaign(url, tmp_path, examples=1, number=16, phases=["fuzzing"])
    assert status == 0, told[-4000:]
    selected, tested = re.search(r"Selected: (\d+)/\d+\s+Tested: (\d+)", told).groups()  # type: ignore[union-attr]
    assert selected == tested

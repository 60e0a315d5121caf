"""The help of the command line names what it can be given."""

from __future__ import annotations

import pytest

from app.cli.main import main
from app.models.model.presets import PRESETS


def test_the_help_of_setup_names_each_known_provider(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["setup", "--help"])
    told = capsys.readouterr().out
    assert [one.slug for one in PRESETS if one.slug not in told] == []

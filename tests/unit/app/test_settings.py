"""Settings that a server refuses to start with, and what it says then."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from app.cli.startup_errors import startup_error_message
from app.settings import Settings


@pytest.mark.parametrize(("length", "fits"), [(1, False), (19, False), (20, True), (64, True)])
def test_the_administrators_key_is_long_or_none(length: int, fits: bool) -> None:  # noqa: FBT001
    if fits:
        found = Settings(_env_file=None, admin_key="k" * length).admin_key
        assert found
        assert found.get_secret_value() == "k" * length
        return
    with pytest.raises(ValidationError) as refusal:
        Settings(_env_file=None, admin_key="k" * length)
    told = startup_error_message(refusal.value)
    assert told.startswith("SUMMIT_ADMIN_KEY: must have at least 20 characters")
    assert "openssl rand -hex 32" in told
    assert "kk" not in told


def test_an_empty_one_is_none() -> None:
    assert Settings(_env_file=None).admin_key is None

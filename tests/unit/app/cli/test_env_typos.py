"""A misspelt setting is told, not ignored."""

from __future__ import annotations

from app.cli.server.env_typos import find_typos


def test_a_misspelt_setting_is_told_with_the_one_that_was_meant() -> None:
    assert find_typos(["SUMMIT_PROT", "PATH"]) == ["SUMMIT_PROT is no setting; did you mean SUMMIT_PORT?"]


def test_what_is_like_no_setting_is_told_as_well() -> None:
    assert find_typos(["SUMMIT_ZZZZZZZZ"]) == [
        "SUMMIT_ZZZZZZZZ is no setting; docs/operate/settings.md lists them all."
    ]


def test_settings_in_any_case_and_the_clients_key_are_fine() -> None:
    assert find_typos(["summit_port", "SUMMIT_DATA_DIR", "SUMMIT_API_KEY", "SUMMIT_TEST_TRAP"]) == []

"""Logs tell where an error came from, and nothing that a user wrote."""

from __future__ import annotations

import io
import logging

from app.cli.server.logs import FORMAT, WithoutContents

SECRET = "call Rosebud"


def test_an_error_is_told_by_its_place_and_kind_without_its_words() -> None:
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(WithoutContents(FORMAT))
    log = logging.getLogger("summit.trial")
    log.addHandler(handler)
    log.propagate = False
    try:
        _fails(SECRET)
    except LookupError:
        log.exception("turn %s failed", 7)
    said = told.getvalue()
    assert "summit.trial: turn 7 failed" in said
    assert said.index("builtins.ValueError") < said.index("builtins.LookupError")
    assert "in _fails" in said
    assert "Rosebud" not in said


def _fails(said: str) -> None:
    try:
        int(said)
    except ValueError as error:
        raise LookupError(f"nothing is called {said}") from error


def test_a_line_without_an_error_is_one_line() -> None:
    record = logging.LogRecord("summit.trial", logging.INFO, "here", 1, "turn=%s", ("7",), None)
    assert WithoutContents("%(name)s: %(message)s").format(record) == "summit.trial: turn=7"

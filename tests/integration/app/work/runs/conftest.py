"""A desk of its own for each test."""

from tests.support.runs.desk_fixture import desk  # noqa: F401 - a fixture

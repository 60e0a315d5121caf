"""Real speech, and settings that depend on nothing outside the test."""

from tests.support.speech.sounds import settings, speech  # noqa: F401 - fixtures

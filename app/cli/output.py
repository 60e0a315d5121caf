"""How commands talk to the person at the terminal."""

from __future__ import annotations

import sys
import unicodedata


def say(words: str) -> None:
    """One line for people, at once.

    What others wrote is in it: no sign of theirs moves the cursor, hides words or changes the terminal.
    """
    sys.stdout.write(f"{_replace_controls(words)}\n")
    sys.stdout.flush()


def note(words: str) -> None:
    """One line beside what a command prints, which scripts may read."""
    sys.stderr.write(f"{_replace_controls(words)}\n")


def complain(words: str) -> int:
    """One line about what is wrong and what to do; returns the exit status of a failed command."""
    sys.stderr.write(f"summit: {_replace_controls(words)}\n")
    return 1


def _replace_controls(words: str) -> str:
    """The same with what a terminal would obey made visible; line breaks and tabs stay."""
    return "".join(sign if sign in "\n\t" or unicodedata.category(sign) != "Cc" else "\ufffd" for sign in words)

"""How commands talk to the person at the terminal."""

from __future__ import annotations

import sys


def say(words: str) -> None:
    """One line for people, at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def note(words: str) -> None:
    """One line beside what a command prints, which scripts may read."""
    sys.stderr.write(f"{words}\n")


def complain(words: str) -> int:
    """One line about what is wrong and what to do; returns the exit status of a failed command."""
    sys.stderr.write(f"summit: {words}\n")
    return 1

"""What programs write for people to read: patches, logs and tables, told by how their lines begin and are parted."""

from __future__ import annotations

import re
from collections.abc import Sequence

HUNK = re.compile(r"@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@.*")
PATCH_HEAD = re.compile(r"(?:diff |index |--- |\+\+\+ |(?:new|deleted) file mode |rename |similarity ).*")
CHANGED = ("+", "-", " ", "\\")
"""What each line of a patch begins with; the last tells of a missing line break."""
MONTH_AND_DAY = r"[^\W\d_]{3}\s{1,2}\d{1,2}"
LOGGED = re.compile(
    rf"\s*[\[(]?(?:\d{{4}}[-/.]\d\d[-/.]\d\d[T ]|\d\d[-/.]\d\d[-/.]\d{{4}},? |{MONTH_AND_DAY} )\d\d:\d\d:\d\d\b.*"
)
"""A line that begins with a moment to the second, as people do not write it."""
SEPARATORS = ("\t", ";", ",")
FEWEST_ROWS = 3


def patches_in(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where patches stand, each from its head to beyond its last line."""
    found = list[tuple[int, int]]()
    for number, line in enumerate(lines):
        if (found and number < found[-1][1]) or not HUNK.fullmatch(line):
            continue
        begin, end = number, number + 1
        while begin and PATCH_HEAD.fullmatch(lines[begin - 1]):
            begin -= 1
        while end < len(lines) and _is_patched(lines[end]):
            end += 1
        found.append((begin, end))
    return found


def logs_in(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return where logs of two lines and more stand, with what is between these and follows the last."""
    logged = [number for number, line in enumerate(lines) if LOGGED.fullmatch(line)]
    if len(logged) < 2:  # noqa: PLR2004 - one may be an appointment
        return []
    end = logged[-1] + 1
    while end < len(lines) and lines[end].strip():
        end += 1
    return [(logged[0], end)]


def has_table(lines: Sequence[str]) -> bool:
    """Whether lines that follow one another have as many cells each, with nothing but a sign between two."""
    return any(_has_rows([_cells(line, sign) for line in lines]) for sign in SEPARATORS)


def _is_patched(line: str) -> bool:
    return line.startswith(CHANGED) or bool(HUNK.fullmatch(line) or PATCH_HEAD.fullmatch(line))


def _cells(line: str, sign: str) -> int:
    """Return how many cells a line has; none where the sign stands in a sentence, with a space behind it."""
    return 0 if sign != "\t" and f"{sign} " in line else line.strip().count(sign)


def _has_rows(counts: Sequence[int]) -> bool:
    row = 0
    for before, count in zip([0, *counts], counts, strict=False):
        row = row + 1 if count and count == before else min(count, 1)
        if row >= FEWEST_ROWS:
            return True
    return False

"""How many processes the tests of the system run in."""

from __future__ import annotations

import os


def pytest_xdist_auto_num_workers() -> int:
    """Return two for each processor and one more: these tests wait for other programs most of the time."""
    return min(2 * (os.cpu_count() or 1) + 1, 8)

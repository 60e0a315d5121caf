"""How the tests run: which fixtures every tier has, how many processes, and what each tier keeps out."""

from __future__ import annotations

import gc
import os
import zlib

import hypothesis
import pytest

from tests.support.memory import own_folder

pytest_plugins = ["tests.support.databases", "tests.support.reporting", "tests.support.servers.api"]

# Tests make thousands of databases of hundreds of files each: in memory, where there is room, that takes a twentieth.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["PYTEST_DEBUG_TEMPROOT"] = str(own_folder())

# Tests run side by side, so no example has a deadline. A change is judged by the same examples each time; new ones are
# searched for by whoever runs the tests at a desk.
hypothesis.settings.register_profile("desk", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "desk")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take ``--every``: of the cases of each test only one in so many, by its name, and the first."""
    parser.addoption("--every", type=int, default=1, help="of the cases of each test, run the first and one in N")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but one in so many of each test's cases."""
    seen: set[str] = set()
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        name, chosen = (
            item.nodeid.partition("[")[0],
            zlib.crc32(item.nodeid.encode()) % max(1, config.getoption("every")),
        )
        (left if name in seen and chosen else kept).append(item)
        seen.add(name)
    items[:] = kept
    if left:
        config.hook.pytest_deselected(items=left)


def pytest_xdist_auto_num_workers() -> int:
    """Return two processes more than there are processors, as tests wait for servers; more than eight gain nothing."""
    return min((os.cpu_count() or 1) + 2, 8)


def pytest_collection_finish() -> None:
    """Let the collector of cycles pass over all that is loaded by now, which stays: it took a tenth of the time."""
    gc.collect()
    gc.freeze()

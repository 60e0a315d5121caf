"""A process that holds a model lets others go first, also where sessions are scheduled as groups."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

LOOK = """
import os
from pathlib import Path
from app.boundary.confinement.sandbox import step_back
step_back()
group = Path("/proc/self/autogroup")
print(os.getpriority(os.PRIO_PROCESS, 0), group.read_text().split()[-1] if group.exists() else "none")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="sessions are scheduled as groups on Linux alone")
def test_it_steps_back_and_its_session_with_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK], capture_output=True, text=True, check=True, start_new_session=True
    )
    priority, group = done.stdout.split()
    assert int(priority) == 5
    assert group == ("5" if Path("/proc/self/autogroup").exists() else "none")

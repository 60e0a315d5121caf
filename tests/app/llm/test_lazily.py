"""Nobody pays for the model's libraries who has no model."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import app.lifespan, app.main, app.cli
heavy = {"langchain_openai", "openai", "trustcall", "tiktoken"} & set(sys.modules)
sys.exit(f"loaded at the start: {heavy}" if heavy else 0)
"""


def test_the_models_libraries_are_not_loaded_at_the_start() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

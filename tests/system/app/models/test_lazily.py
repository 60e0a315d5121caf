"""Nobody pays for the model's libraries who has no model."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import asyncio, sys
import app.lifespan, app.main, app.cli
heavy = {"langchain_openai", "openai", "trustcall", "tiktoken"} & set(sys.modules)
assert not heavy, f"loaded at the start: {heavy}"

from app.models.build import open_language_models
from app.settings import Settings

async def opened(model):
    async with open_language_models(Settings(_env_file=None, llm_model=model, llm_api_key="sk-test"), None):
        await asyncio.sleep(0.1)

asyncio.run(opened(""))
assert "trustcall" not in sys.modules, "loaded without a model"
asyncio.run(opened("some-model"))
assert "trustcall" in sys.modules, "not loaded for a model"
"""


def test_the_models_libraries_are_not_loaded_unless_a_model_is_named() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

"""``summit worker``: the background jobs in a process of their own."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from app.cli.output import say
from app.cli.server.logs import configure_logs
from app.cli.server.loops import quick_loop
from app.database.build import Say
from app.lifespan import Summit, open_summit
from app.settings import Settings, load_settings
from app.worker.worker import run_background

OpenSummit = Callable[[Settings, Say], AbstractAsyncContextManager[Summit]]


def work(_options: argparse.Namespace, opened: OpenSummit = open_summit) -> int:
    """Work until SIGINT or SIGTERM."""
    settings = load_settings()
    configure_logs(settings.log_level)
    with asyncio.Runner(loop_factory=quick_loop()) as runner:
        runner.run(_work(settings, opened))
    return 0


async def _work(settings: Settings, opened: OpenSummit) -> None:
    async with opened(settings, say) as summit:
        background = run_background(summit.queue, summit.jobs, summit.reminding, settings.job_concurrency)
        working = asyncio.create_task(background)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, working.cancel)
        say("The worker is ready.")
        with contextlib.suppress(asyncio.CancelledError):
            await working

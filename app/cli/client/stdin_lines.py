"""Lines as a person types them, or as another program pipes them in."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from collections.abc import AsyncIterator


async def stdin_lines(prompt: str) -> AsyncIterator[str]:
    """Each line that is not blank, read one at a time until the input ends."""
    loop = asyncio.get_running_loop()
    while True:
        line: asyncio.Future[str | None] = loop.create_future()
        # A daemon: Ctrl-C must not wait until the person presses Enter.
        threading.Thread(target=_read, args=(prompt, loop, line), daemon=True).start()
        text = await line
        if text is None:
            return
        if text.strip():
            yield text.strip()


def _read(prompt: str, loop: asyncio.AbstractEventLoop, line: asyncio.Future[str | None]) -> None:
    text: str | None = None
    try:
        text = input(prompt)
    except EOFError:
        sys.stdout.write("\n" if prompt else "")
    with contextlib.suppress(RuntimeError):  # the conversation is over, and so is its loop
        loop.call_soon_threadsafe(_give, line, text)


def _give(line: asyncio.Future[str | None], text: str | None) -> None:
    if not line.done():
        line.set_result(text)

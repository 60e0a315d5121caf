"""The socket that `summit serve` listens on."""

from __future__ import annotations

import asyncio
import socket

from app.cli.server.serve import _listen
from app.settings import Settings


async def test_an_answer_in_two_writes_is_not_held_back() -> None:
    undelayed: list[int] = []

    def accepted(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        undelayed.append(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    with _listen(Settings(_env_file=None, port=0)) as listener:
        async with await asyncio.start_server(accepted, sock=listener):
            reader, writer = await asyncio.open_connection(*listener.getsockname())
            await reader.read()
            writer.close()
    assert undelayed == [1]

"""Length-prefixed messages between Summit and its child processes."""

from __future__ import annotations

import asyncio
import os
import struct
import sys
from typing import BinaryIO

LENGTH = struct.Struct(">Q")


def take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """This child's request and reply pipes, kept private: what a library prints goes to standard error instead."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, replies


def read(stream: BinaryIO) -> bytes | None:
    """The next message, or None when the other side has closed."""
    prefix = stream.read(LENGTH.size)
    if len(prefix) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(prefix)
    body = stream.read(length)
    return body if len(body) == length else None


def write(stream: BinaryIO, body: bytes) -> None:
    """Send one message now."""
    stream.write(LENGTH.pack(len(body)))
    stream.write(body)
    stream.flush()


async def receive(reader: asyncio.StreamReader, *, max_bytes: int) -> bytes:
    """The next message; raises IncompleteReadError when the child is gone, ValueError above ``max_bytes``."""
    (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
    if length > max_bytes:
        raise ValueError(f"a message of {length} bytes, {max_bytes} allowed")
    return await reader.readexactly(length)


async def send(writer: asyncio.StreamWriter, body: bytes) -> None:
    """Send one message, waiting while the child is busy."""
    writer.write(LENGTH.pack(len(body)))
    writer.write(body)
    await writer.drain()

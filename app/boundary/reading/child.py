"""The process that forks a reader for each message, so that a reader can be stopped in the middle of a match.

Standard input is a Unix socket over which each message's own socket arrives. Arguments: the processor time of one
message in seconds, and its longest text in characters. It has one thread, which makes forking safe.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import traceback
from typing import BinaryIO

from agents.understanding import BuiltIn
from app.boundary.confinement import frames, sandbox
from app.boundary.reading.messages import ReadingReply, Request

LOADING = 10
"""So many times the time of a message may go into reading what is stored: that is as much as it is."""


def main() -> None:
    """Load what every reader needs, then fork one for each socket that arrives, until the server is gone."""
    seconds, longest = float(sys.argv[1]), int(sys.argv[2])
    sandbox.follow_parent()
    sandbox.step_back()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for a reader: its socket tells
    built_in = BuiltIn(longest)
    with socket.socket(fileno=os.dup(0)) as arrivals:
        while fds := socket.recv_fds(arrivals, 1, 1)[1]:
            if os.fork() == 0:
                read_one(fds[0], built_in, seconds)
            os.close(fds[0])


def read_one(fd: int, built_in: BuiltIn, seconds: float) -> None:
    """Answer one request and end; the kernel ends it when its time is over, whatever it is doing."""
    sandbox.follow_parent()
    signal.setitimer(signal.ITIMER_PROF, seconds * LOADING)
    try:
        with os.fdopen(fd, "rb") as requests, os.fdopen(os.dup(fd), "wb") as replies:
            answer(requests, replies, built_in, seconds)
    finally:
        os._exit(0)


def answer(requests: BinaryIO, replies: BinaryIO, built_in: BuiltIn, seconds: float) -> None:
    """Read a request and write its reply."""
    body = frames.read(requests)
    if body is not None:
        frames.write(replies, asyncio.run(compose_reply(body, built_in, seconds)).model_dump_json().encode())


async def compose_reply(body: bytes, built_in: BuiltIn, seconds: float) -> ReadingReply:
    """Return what the built-in understanding says to a request; its time begins once all that is stored is filed."""
    try:
        request = Request.model_validate_json(body)
        ask = request.whole()
        _ = ask.records.index
        signal.setitimer(signal.ITIMER_PROF, seconds)
        if request.worker:
            return ReadingReply(proposed=await built_in.propose(request.worker, ask))
        return ReadingReply(decision=await built_in.route(ask))
    except Exception:  # noqa: BLE001 - whatever it is, the turn has to fail of it as it would without a child
        return ReadingReply(fault=traceback.format_exc())


if __name__ == "__main__":
    main()

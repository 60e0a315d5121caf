"""``summit chat``: a conversation in the terminal, over the websocket."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator
from uuid import uuid4

from websockets.exceptions import InvalidURI

from app.cli.address import base_url
from app.cli.client.stdin_lines import stdin_lines
from app.cli.client.ws_client import Envelope, Lost, SocketRefused, WsClient
from app.cli.output import complain, say
from app.settings import load_settings

PROMPT = "> "
WELCOME = "Say something; Ctrl-D leaves."


class Screen:
    """Shows one turn as it comes and remembers the options that a number may choose from."""

    def __init__(self) -> None:
        self._told = ""
        self._options: list[str] = []
        self.prompted = False

    def remind(self, text: str) -> bool:
        """Show a reminder; whether a person has seen it, which nobody has through a pipe."""
        sys.stdout.write(f"\n* {text}\n{PROMPT}" if self.prompted else f"* {text}\n")
        sys.stdout.flush()
        return sys.stdin.isatty()

    def resolve_option(self, line: str) -> str:
        """The person's message; the number of an option is replaced by its text."""
        number = int(line) if line.isascii() and line.isdigit() and len(line) < len("100") else 0
        return self._options[number - 1] if 0 < number <= len(self._options) else line

    def begin(self) -> None:
        """A new turn."""
        self._told, self._options = "", []

    def show(self, sent: Envelope) -> None:
        """One event of the turn."""
        data = sent["data"]
        if sent["type"] == "reply.delta":
            self._write(data["text"])
        elif sent["type"] == "question.asked":
            self._options = data["options"]
        elif sent["type"] == "reply.completed":
            self._finish(data["reply"])

    def _finish(self, reply: str) -> None:
        """Print the stored reply: a turn that ran twice may have streamed its beginning twice."""
        if self._told != reply:
            self._write(f"\n{reply}" if self._told else reply)
        self._write("\n")
        for number, option in enumerate(self._options, 1):
            self._write(f"  {number}. {option}\n")

    def _write(self, text: str) -> None:
        self._told += text
        sys.stdout.write(text)
        sys.stdout.flush()


def chat(options: argparse.Namespace) -> int:
    """Talk until the input ends; exit status 1 when the server refused something or cannot be reached."""
    settings = load_settings()
    url = options.url or base_url(settings.host, settings.port)
    try:
        screen = Screen()
        link = WsClient(url, options.key or os.environ.get("SUMMIT_API_KEY"), remind=screen.remind)
        return asyncio.run(_chat(link, screen))
    except SocketRefused as refusal:
        return complain(str(refusal))
    except Lost as lost:
        return complain(f"no answer from {url} ({lost}). Start the server with `summit serve`.")
    except InvalidURI:
        return complain(f"{url} is no address of a server; it looks like http://127.0.0.1:8000.")


async def _chat(link: WsClient, screen: Screen) -> int:
    status = 0
    async with link:
        if sys.stdin.isatty():
            say(WELCOME)
        async for line in _lines(link, screen):
            try:
                await _turn(link, screen, screen.resolve_option(line))
            except SocketRefused as refusal:
                status = complain(str(refusal))
    return status


async def _lines(link: WsClient, screen: Screen) -> AsyncIterator[str]:
    """What is typed; at a terminal, reminders are shown while nothing is."""
    typed = stdin_lines(PROMPT if sys.stdin.isatty() else "")
    while True:
        screen.prompted = sys.stdin.isatty()
        listening = asyncio.create_task(link.idle()) if screen.prompted else None
        line = await anext(typed, None)
        screen.prompted = False
        if listening:
            listening.cancel()
            await asyncio.wait([listening])
        if line is None:
            return
        yield line


async def _turn(link: WsClient, screen: Screen, text: str) -> None:
    screen.begin()
    async for sent in link.say(text, str(uuid4())):
        screen.show(sent)

"""``summit mail``: accounts that workflows read and write with, and what waits for a yes, through a running server."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Iterator
from typing import Any

from app.cli.client.api_client import CallRefused, call, part
from app.cli.client.workflows import command
from app.cli.output import complain
from app.cli.output import say as print_line

ACCOUNTS, OUTGOING = "/v1/mail-accounts", "/v1/outgoing-mail"


@command
def connect(options: argparse.Namespace) -> int:
    """Connect an account; its password is asked for, or read from standard input where nobody sits at it."""
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not password:
        return complain("No password was given.")
    servers = {name: _server(getattr(options, name), options.security) for name in ("imap", "smtp")}
    wanted = {"name": options.name, "address": options.address, "username": options.username, "password": password}
    made = call(options, "POST", ACCOUNTS, {**wanted, **servers})
    print_line(f"{made['name']} is connected. Steps name it: account: {made['name']}")
    return 0


@command
def list_all(options: argparse.Namespace) -> int:
    """Every account, then the mail that waits with its words."""
    for one in call(options, "GET", ACCOUNTS)["items"]:
        print_line(
            "  ".join(
                [one["name"], one["address"], *(_describe_server(kind, one) for kind in ("imap", "smtp")), one["id"]]
            )
        )
    for one in _waiting(options):
        print_line(f"{one['id']}  {one['status']}  to {', '.join(one['recipients'])}: {one['subject']}")
        for line in [one["message"], *one["text"].splitlines()]:
            if line:
                print_line(f"    {line}")
    return 0


@command
def approve(options: argparse.Namespace) -> int:
    """Send mail that waits."""
    mail = call(options, "POST", f"{OUTGOING}/{part(options.mail)}/approve")
    print_line(f"It goes out to {', '.join(mail['recipients'])}.")
    return 0


@command
def reject(options: argparse.Namespace) -> int:
    """Drop mail that waits."""
    call(options, "POST", f"{OUTGOING}/{part(options.mail)}/reject")
    print_line("It is dropped.")
    return 0


@command
def disconnect(options: argparse.Namespace) -> int:
    """Forget an account."""
    accounts = {one["name"]: one["id"] for one in call(options, "GET", ACCOUNTS)["items"]}
    if options.name not in accounts:
        raise CallRefused(f"No mail account is called {options.name}; `summit mail list` shows them.")
    call(options, "DELETE", f"{ACCOUNTS}/{accounts[options.name]}")
    print_line(f"{options.name} is disconnected, and its password forgotten.")
    return 0


def _waiting(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """All mail that waits, the latest first."""
    page = call(options, "GET", f"{OUTGOING}?waiting=true")
    yield from page["items"]
    while page["next"]:
        page = call(options, "GET", f"{OUTGOING}?waiting=true&cursor={page['next']}")
        yield from page["items"]


def _server(text: str | None, security: str) -> dict[str, Any] | None:
    if text is None:
        return None
    host, _, port = text.rpartition(":") if text.rpartition(":")[2].isdigit() else (text, "", "")
    return {"host": host, "security": security} | ({"port": int(port)} if port else {})


def _describe_server(name: str, account: dict[str, Any]) -> str:
    server = account[name]
    return f"{name} {server['host']}:{server['port']}" if server else f"no {name}"

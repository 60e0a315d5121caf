"""``summit calendars``: accounts with calendars that are kept in step, through a running server."""

from __future__ import annotations

import argparse
import getpass
import sys
from typing import Any

from app.cli.client.api_client import CallRefused, call
from app.cli.client.workflows import command
from app.cli.output import complain
from app.cli.output import say as print_line

ACCOUNTS = "/v1/calendar-accounts"
GOOGLE = "/v1/google-accounts"


@command
def connect(options: argparse.Namespace) -> int:
    """Connect an account; its password is asked for, or read from standard input where nobody sits at it."""
    password = getpass.getpass("Password: ") if sys.stdin.isatty() else sys.stdin.readline().rstrip("\n")
    if not password:
        return complain("No password was given.")
    wanted = {"url": options.address, "username": options.username, "password": password}
    made = call(options, "POST", ACCOUNTS, wanted)
    print_line(f"{made['name']} is connected. Choose what is kept in step: summit calendars choose CALENDAR both")
    _print_calendars(options, made)
    return 0


@command
def google(options: argparse.Namespace) -> int:
    """Connect a Google account: its owner allows it in a browser, and pastes where the browser ended."""
    asked = call(options, "POST", f"{GOOGLE}/begin", {})
    print_line(f"Open this in a browser, and allow what Google asks:\n\n{asked['url']}\n")
    print_line(f"The browser comes back to {asked['redirect']}. Paste the whole address from its address bar here:")
    answer = sys.stdin.readline().strip()
    if not answer:
        return complain("No address was given.")
    made = call(options, "POST", GOOGLE, {"answer": answer})
    print_line(f"{made['name']} is connected. Choose what is kept in step: summit calendars choose CALENDAR both")
    _print_calendars(options, made)
    return 0


@command
def list_all(options: argparse.Namespace) -> int:
    """Every account with its calendars."""
    for account in call(options, "GET", ACCOUNTS)["items"]:
        _print_calendars(options, account)
    return 0


@command
def choose(options: argparse.Namespace) -> int:
    """Say how a calendar is kept in step, and which events from here go into it."""
    found = _calendar(options)
    wanted = {"direction": options.direction} | ({"collects": options.collects} if options.collects else {})
    _print(call(options, "PATCH", f"{ACCOUNTS}/{found['account_id']}/calendars/{found['id']}", wanted))
    return 0


@command
def disconnect(options: argparse.Namespace) -> int:
    """Forget an account; the events stay on both sides."""
    accounts = [one for one in call(options, "GET", ACCOUNTS)["items"] if options.account in (one["id"], one["name"])]
    if len(accounts) != 1:
        raise CallRefused(
            f"{len(accounts)} accounts are called {options.account}; `summit calendars list` shows the ids."
        )
    call(options, "DELETE", f"{ACCOUNTS}/{accounts[0]['id']}")
    print_line(f"{accounts[0]['name']} is disconnected; its events stay, here and there.")
    return 0


@command
def conflicts(options: argparse.Namespace) -> int:
    """Events that were changed on both sides."""
    for one in call(options, "GET", "/v1/calendar-conflicts")["items"]:
        print_line(f"{one['id']}  {one['calendar']}: {one['title']}")
        for name in one["fields"]:
            here, there = (_describe_side(one[side], name) for side in ("here", "there"))
            print_line(f"  {name}: {here} here, {there} there")
    return 0


@command
def resolve(options: argparse.Namespace) -> int:
    """Keep one side of an event that was changed on both."""
    path = f"/v1/calendar-conflicts/{options.conflict}/resolve"
    for change in call(options, "POST", path, {"keep": options.keep})["changes"]:
        print_line(f"{change['title']}: {change['op']}, undo with POST {change['undo']}")
    print_line(f"What is {options.keep} is kept.")
    return 0


def _describe_side(side: dict[str, Any] | None, name: str) -> str:
    if side is None:
        return "deleted"
    return f"{side['start']} to {side['end']}" if name == "time" else str(side.get(name, "changed"))


def _calendar(options: argparse.Namespace) -> dict[str, Any]:
    """The calendar with this id or name. Raises Refused."""
    found: list[dict[str, Any]] = [
        one
        for account in call(options, "GET", ACCOUNTS)["items"]
        for one in call(options, "GET", f"{ACCOUNTS}/{account['id']}/calendars")["items"]
        if options.calendar in (one["id"], one["name"])
    ]
    found = [one for one in found if one["holds"] == options.holds] if len(found) > 1 else found
    if len(found) != 1:
        raise CallRefused(
            f"{len(found)} calendars are called {options.calendar}; `summit calendars list` shows their ids."
        )
    return found[0]


def _print_calendars(options: argparse.Namespace, account: dict[str, Any]) -> None:
    print_line(f"{account['name']}  {account['url']}  {account['id']}")
    for one in call(options, "GET", f"{ACCOUNTS}/{account['id']}/calendars")["items"]:
        _print(one)


def _print(one: dict[str, Any]) -> None:
    print_line(f"  {one['name']}  {one['direction']}  {one['state']}  {one['events']} {one['holds']}  {one['id']}")
    for text in [one["error"], *one["problems"]]:
        if text:
            print_line(f"    {text}")

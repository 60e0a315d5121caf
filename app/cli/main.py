"""Parses the command line; every command's code is imported only when it runs."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.models.model.presets import PRESETS
from app.voice.model import ACCEPTED

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - it has no public name

SCOPES = ("read", "write", "admin")
PLANNERS = ("auto", "react", "plan_first")
ALLOWANCES = ("write", "delete", "send", "fetch", "execute")
PROGRAMS = ("shell", "python")
NEED_ADMIN = ("client.project:", "client.portable:")
LIMITS = {
    "steps": "Most steps.",
    "seconds": "Most seconds of work.",
    "credits": "Most credits.",
    "tokens": "Most tokens.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = _parser().parse_args(arguments)
    module, _, function = options.run.partition(":")
    try:
        return _run(getattr(importlib.import_module(f"app.cli.{module}"), function), options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _run(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    from app.cli.output import complain
    from app.cli.startup_errors import EXPECTED, startup_error_message

    try:
        return int(command(options))
    except BrokenPipeError:
        raise
    except EXPECTED as error:
        return complain(startup_error_message(error))


class _ShowVersion(argparse.Action):
    """Like argparse's own action, but the version is looked up on use."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from app.version import summit_version

        sys.stdout.write(f"{parser.prog} {summit_version()}\n")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="summit", description="A self-hosted assistant that people talk to.")
    parser.add_argument("--version", action=_ShowVersion, nargs=0, help="Show which version this is, and exit.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_setup(commands)
    serve = _command(
        commands, "serve", "Start the server (and, by default, its background jobs).", "server.serve:serve"
    )
    serve.add_argument("--tls", action="store_true", help="Serve HTTPS, by default with a certificate of its own.")
    _command(commands, "worker", "Run background jobs apart from the server.", "server.worker:work")
    _command(
        commands, "migrate", "Bring the database to this version; `serve` does so by itself.", "server.migrate:migrate"
    )
    _add_say(commands)
    _add_ask(commands)
    _add_chat(commands)
    _add_runs(commands)
    _add_understand(commands)
    _add_transcribe(commands)
    _add_mcp(commands)
    _command(
        commands,
        "doctor",
        "Check what Summit needs here, and say how to mend what is missing.",
        "server.doctor:examine",
    )
    _add_projects(commands)
    _add_workflows(commands)
    _add_calendars(commands)
    _add_mail(commands)
    _add_portable(commands)
    _add_backup(commands)
    _add_users(commands)
    _add_keys(commands)
    _add_audit(commands)
    _add_server(parser)
    return parser


def _command(commands: Commands, name: str, words: str, run: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=words, description=words)
    command.set_defaults(run=run)
    return command


def _group(commands: Commands, name: str, words: str) -> Commands:
    return commands.add_parser(name, help=words, description=words).add_subparsers(required=True, metavar="ACTION")


def _add_server(parser: argparse.ArgumentParser) -> None:
    """Let every command that asks a running server be told which one, and by whom it is asked."""
    run = parser.get_default("run") or ""
    if run.startswith("client."):
        scope = " with the scope admin" if run.startswith(NEED_ADMIN) else ""
        parser.add_argument("--url", help="Base URL of the server (default: the one in the settings).")
        parser.add_argument("--key", help=f"API key{scope} (default: SUMMIT_API_KEY).")
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to what it was given
        for command in action.choices.values() if isinstance(action.choices, dict) else ():
            _add_server(command)


def _add_setup(commands: Commands) -> None:
    words = (
        "Choose a speech model (summit setup speech base), find a language model on this machine (summit setup model), "
        "or name one for everybody with --provider."
    )
    setup = _command(commands, "setup", words, "server.setup:prepare")
    setup.add_argument("what", nargs="?", choices=["speech", "model"], default="speech", help="What to set up.")
    setup.add_argument(
        "speech_model",
        nargs="?",
        metavar="MODEL",
        help="tiny.en, base, small, ..., the path of a folder, or whisper for the weights of openai-whisper; "
        "of language models the only one to measure.",
    )
    known = ", ".join(one.slug for one in PRESETS)
    setup.add_argument("--provider", help=f"{known}, or a name of your own.")
    setup.add_argument("--base-url", help="Where the provider is, such as http://127.0.0.1:8001/v1.")
    setup.add_argument("--model", help="Its model to use; asked for when left out.")
    setup.add_argument("--yes", action="store_true", help="Use the recommended model of this machine without asking.")
    setup.add_argument(
        "--json", action="store_true", help="Print what was found and measured as JSON, and ask nothing."
    )


def _add_say(commands: Commands) -> None:
    say = _command(commands, "say", "Send a message to a running server and print its reply.", "client.say:say")
    say.add_argument("words", nargs="+", help="What you want to say.")


def _add_ask(commands: Commands) -> None:
    words = "Ask a running server what you ever said; it quotes you, or says that it does not know."
    ask = _command(commands, "ask", words, "client.ask:ask")
    ask.add_argument("words", nargs="+", metavar="QUESTION", help="What you want to know.")
    ask.add_argument("--save", metavar="FILE", help="Write the sound of the quoted words into this wav file.")


def _add_chat(commands: Commands) -> None:
    words = "Talk with a running server: type, or pipe in one message per line."
    _command(commands, "chat", words, "client.chat:chat")


def _add_runs(commands: Commands) -> None:
    run = _command(commands, "run", "Give a running server a goal to work on.", "client.run:run")
    run.add_argument("goal", nargs="+", help="What is to be reached.")
    run.add_argument("--planner", choices=PLANNERS, default="auto", help="How it plans (default: by the goal).")
    words = "What it may do without asking, until it has read words that are not yours; may be given several times."
    run.add_argument("--allow", action="append", choices=ALLOWANCES, default=[], help=words)
    for name, words in LIMITS.items():
        run.add_argument(f"--{name}", type=int, help=f"{words} (default: as the server's settings say).")
    run.add_argument("--follow", action="store_true", help="Print its steps until it has ended, and its result.")
    new = _command(commands, "new", "Let coding agents build something in a registered project.", "client.run:new")
    new.add_argument("goal", nargs="+", help="What is wanted.")
    new.add_argument("--project", required=True, help="Its name or its id.")
    new.add_argument("--agent", default="", help="One of `summit agents` (default: the first that is ready).")
    new.add_argument("--follow", action="store_true", help="Print its steps until it has ended, and its result.")
    _command(commands, "status", "List the latest runs.", "client.run:status")
    runs = _command(commands, "runs", "List the latest runs, or show one of them.", "client.run:runs")
    runs.add_argument("run_id", metavar="RUN", nargs="?", help="Its id: show what it came to, or what it asks.")
    runs.add_argument("--follow", action="store_true", help="Print the steps of RUN from the first one on.")
    trace = _command(commands, "trace", "Print what a run did, one line of JSON for each event.", "client.run:trace")
    trace.add_argument("run_id", metavar="RUN", help="Its id, as `summit runs` shows it.")
    trace.add_argument("--follow", action="store_true", help="Go on until it has ended.")
    grants = _command(commands, "grants", "Show or set what the runs of a user were granted.", "client.run:grants")
    grants.add_argument("user_id", metavar="USER", help="The user's id, as `summit users list` shows it.")
    grants.add_argument("--program", action="append", choices=PROGRAMS, default=[], help="It may be executed.")
    grants.add_argument("--root", action="append", metavar="DIR", default=[], help="A further folder.")
    grants.add_argument("--none", action="store_true", help="Nothing is granted any more.")
    answer = _command(commands, "answer", "Show what a run asks, or answer it.", "client.run:answer")
    answer.add_argument("run_id", metavar="RUN", help="Its id, as `summit runs` shows it.")
    answer.add_argument(
        "words", nargs="*", help="yes, or no and why; for a question your answer. Without: what it asks."
    )
    answer.add_argument("--arguments", metavar="JSON", help="Yes, but with these arguments instead.")
    stop = _command(commands, "stop", "Stop all your runs.", "client.run:stop")
    stop.add_argument("--release", action="store_true", help="Allow runs again.")


def _add_mcp(commands: Commands) -> None:
    words = "Offer a running server's tools to a program that speaks the Model Context Protocol over stdin and stdout."
    _command(commands, "mcp", words, "client.mcp:speak")


def _add_understand(commands: Commands) -> None:
    words = "Show what the built-in understanding makes of words, without a server."
    understand = _command(commands, "understand", words, "server.understand:understand")
    understand.add_argument(
        "--jsonl", action="store_true", help="Read JSON lines {id, text, now, tz, given?, conventions?}."
    )
    understand.add_argument("words", nargs="*", help="Words to understand now, in this machine's zone.")


def _add_transcribe(commands: Commands) -> None:
    transcribe = _command(commands, "transcribe", "Print what is said in a recording.", "server.transcribe:transcribe")
    transcribe.add_argument("file", help=f"A {ACCEPTED} file.")
    transcribe.add_argument("--format", choices=["text", "json", "srt", "vtt"], default="text")


def _add_projects(commands: Commands) -> None:
    actions = _group(commands, "project", "Register folders of code, and see what they are made of.")
    add = _command(actions, "add", "Register a folder on the server's machine.", "client.project:add")
    add.add_argument("root", help="The folder.")
    add.add_argument("--name", help="What it is called (default: the folder's name).")
    add.add_argument("--description", default="", help="What it is about.")
    _command(actions, "list", "List projects.", "client.project:list_all")
    show = _command(actions, "show", "Show what a project is made of.", "client.project:show")
    scan = _command(actions, "scan", "Look at a project's folder again.", "client.project:scan")
    learn = _command(actions, "learn", "Let an agent write down what agents should know of it.", "client.project:learn")
    trees = _command(
        actions, "trees", "List the work trees of a project, or remove those that are done.", "client.project:trees"
    )
    trees.add_argument("--remove", action="store_true", help="Remove what is merged and clean and nothing works in.")
    remove = _command(actions, "remove", "Forget a project; its folder is not touched.", "client.project:remove")
    agents = _command(commands, "agents", "List the coding agents on the server's machine.", "client.project:agents")
    agents.add_argument("--test", metavar="NAME", help="Ask this one for one word, which needs its login.")
    agents.add_argument("--open", metavar="NAME", help="Work with this one yourself, in this terminal and folder.")
    for command in (show, scan, learn, trees, remove):
        command.add_argument("name", help="Its name or its id.")


def _add_workflows(commands: Commands) -> None:
    actions = _group(commands, "workflows", "Steps under a name: list, write and run them.")
    _command(actions, "list", "List workflows, and some to begin with.", "client.workflows:list_all")
    add = _command(actions, "add", "Keep a workflow.", "client.workflows:add")
    add.add_argument("what", help="A file of YAML or JSON, - for standard input, or one of those to begin with.")
    show = _command(actions, "show", "Show a workflow as YAML.", "client.workflows:show")
    run = _command(actions, "run", "Run a workflow and print what its steps come to.", "client.workflows:run")
    history = _command(actions, "history", "List a workflow's runs.", "client.workflows:history")
    remove = _command(actions, "remove", "Forget a workflow; what its runs did stays.", "client.workflows:remove")
    for command in (show, run, history, remove):
        command.add_argument("slug", help="Its name in addresses, as `summit workflows list` shows it.")
    run.add_argument("inputs", nargs="*", metavar="NAME=VALUE", help="What it wants.")


def _add_mail(commands: Commands) -> None:
    actions = _group(
        commands, "mail", "Mail accounts of workflows, and mail that waits for your yes, through a running server."
    )
    connect = _command(actions, "connect", "Connect an account; asks for its password.", "client.mail:connect")
    connect.add_argument("name", help="What steps call it, such as work.")
    connect.add_argument("address", help="What it sends from, such as ana@example.org.")
    connect.add_argument("--username", help="What to sign in as; the address unless given.")
    connect.add_argument("--imap", metavar="HOST[:PORT]", help="The server to read with.")
    connect.add_argument("--smtp", metavar="HOST[:PORT]", help="The server to send with.")
    connect.add_argument("--security", choices=("tls", "starttls", "none"), default="tls", help="Of both servers.")
    _command(actions, "list", "List accounts, and mail that waits.", "client.mail:list_all")
    approve = _command(actions, "approve", "Send mail that waits.", "client.mail:approve")
    reject = _command(actions, "reject", "Drop mail that waits.", "client.mail:reject")
    for command in (approve, reject):
        command.add_argument("mail", help="Its id, as `summit mail list` shows it.")
    gone = _command(actions, "disconnect", "Forget an account and its password.", "client.mail:disconnect")
    gone.add_argument("name", help="Its name.")


def _add_calendars(commands: Commands) -> None:
    actions = _group(commands, "calendars", "Calendars of elsewhere that are kept in step in both directions.")
    connect = _command(
        actions, "connect", "Connect a CalDAV account; asks for its password.", "client.calendars:connect"
    )
    connect.add_argument("address", help="Address of the server, or of the account on it.")
    connect.add_argument("username", help="Your name there.")
    _command(actions, "google", "Connect a Google account, in a browser.", "client.calendars:google")
    _command(actions, "list", "List accounts, and their calendars.", "client.calendars:list_all")
    choose = _command(actions, "choose", "Say how a calendar is kept in step.", "client.calendars:choose")
    choose.add_argument("calendar", help="Its name or id, as `summit calendars list` shows it.")
    choose.add_argument("direction", choices=("both", "in", "off"), help="Which way changes go.")
    choose.add_argument("--collects", choices=("none", "new", "all"), help="Which events from here go into it.")
    choose.add_argument("--holds", choices=("events", "tasks"), default="events", help="Where one name is of both.")
    _command(actions, "conflicts", "List events that were changed on both sides.", "client.calendars:conflicts")
    resolve = _command(actions, "resolve", "Keep one side of such an event.", "client.calendars:resolve")
    resolve.add_argument("conflict", help="Its id, as `summit calendars conflicts` shows it.")
    resolve.add_argument("keep", choices=("here", "there"), help="The side to keep.")
    gone = _command(actions, "disconnect", "Forget an account; all events stay.", "client.calendars:disconnect")
    gone.add_argument("account", help="Its name or id.")


def _add_portable(commands: Commands) -> None:
    export = _command(commands, "export", "Write everything of yours into one archive.", "client.portable:export")
    export.add_argument("file", nargs="?", default="summit-export.tar", help="Where to (default: summit-export.tar).")
    words = "Take such an archive into an account that holds nothing."
    taken = _command(commands, "import", words, "client.portable:take_in")
    taken.add_argument("file", help="The archive.")
    erase = _command(commands, "erase", "Erase everything of yours, for good, with a receipt.", "client.portable:erase")
    erase.add_argument("--yes", action="store_true", help="Do not ask.")


def _add_backup(commands: Commands) -> None:
    words = "Write the whole server, everybody's, into one file; it may run meanwhile."
    made = _command(commands, "backup", words, "server.backup:backup")
    made.add_argument("file", help="Where to.")
    back = _command(commands, "restore", "Put such a file back where nothing is yet.", "server.backup:restore")
    back.add_argument("file", help="The backup.")


def _add_users(commands: Commands) -> None:
    users = _group(commands, "users", "Create and list users.")
    create = _command(users, "create", "Create a user and print the API key, once.", "server.manage:create_user")
    create.add_argument("name")
    _command(users, "list", "List users.", "server.manage:list_users")


def _add_audit(commands: Commands) -> None:
    words = "Show who did what to accounts, keys, sign-ins, models and switches, the latest first."
    audit = _command(commands, "audit", words, "server.manage:show_audit")
    audit.add_argument("--user", help="Only what is about this user's account (an id).")
    audit.add_argument("--limit", type=int, default=50, help="At most so many (default: 50).")


def _add_keys(commands: Commands) -> None:
    keys = _group(commands, "keys", "Create, list and revoke API keys; renew the master key.")
    create = _command(keys, "create", "Create an API key and print it, once.", "server.manage:create_key")
    create.add_argument("--name", default="cli", help="What the key is for.")
    create.add_argument("--scopes", nargs="+", choices=SCOPES, default=["read", "write"])
    create.add_argument("--days", type=float, help="Days until it expires (default: never).")
    revoke = _command(keys, "revoke", "Revoke an API key at once.", "server.manage:revoke_key")
    revoke.add_argument("id")
    listed = _command(keys, "list", "List API keys; the keys themselves are not kept.", "server.manage:list_keys")
    words = "Seal every stored secret under a new master key; can be repeated, and interrupted at any time."
    _command(keys, "rotate-master", words, "server.manage:rotate_master")
    for command in (create, revoke, listed):
        command.add_argument("--user", help="The user's id (default: the local user).")

"""``summit setup model``: finds the models on this machine, measures them, and makes one everybody's."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.cli.output import complain, note, say
from app.cli.server.choosing import keep
from app.cli.server.servers import managed_database
from app.database.secrets import KeyRing
from app.models.local.models_here import ModelsHere, models_here
from app.models.local.recommend import reasons, recommend
from app.models.model.local_models import LocalServer, Measured, is_at, nothing_runs, slug_of
from app.models.model.providers import ProviderChange
from app.models.store.providers import Providers
from app.principal import EVERYBODY, Principal, acting_as
from app.settings import Settings, load_settings

TABLE_HEADS = ("Model", "Server", "Tools", "JSON", "First token", "Tokens/s", "")
UNKNOWN = "-"
YES = ("y", "yes")


@dataclass(frozen=True)
class ModelRow:
    """A model with the server that has it."""

    server: LocalServer
    measured: Measured


@dataclass(frozen=True)
class ModelsFound:
    """All servers of this machine, and the models that were measured."""

    servers: Sequence[LocalServer]
    rows: Sequence[ModelRow]

    @property
    def measurements(self) -> list[Measured]:
        """What the models can do."""
        return [row.measured for row in self.rows]

    @property
    def best(self) -> ModelRow | None:
        """The recommended one."""
        best = recommend(self.measurements)
        return next((row for row in self.rows if row.measured is best), None)


def find(options: argparse.Namespace) -> int:
    """Find, measure, recommend, and ask whether to use it; exit status 1 when there is no model that could be."""
    with acting_as(Principal(EVERYBODY)):
        return asyncio.run(_find(load_settings(), options))


async def _find(settings: Settings, options: argparse.Namespace) -> int:
    here, named = models_here(settings), options.model or options.speech_model
    found = await _look(here, named)
    if not options.json:
        _show(found)
    kept = found.best is not None and _confirm_use(options, found.best)
    if found.best and kept:
        await _keep(settings, found.best)
    if options.json:
        say(json.dumps(_document(found, kept=kept), indent=2))
    return 0 if found.best else complain(_why_none(here, found, named))


async def _look(here: ModelsHere, named: str | None) -> ModelsFound:
    """Measure the models that are here, one after the other, as two at once would slow each other down."""
    servers = await here.find()
    wanted = [(server, model) for server in servers for model in server.models if named in (None, model)]
    return ModelsFound(servers, [await _measure_model(here, server, model) for server, model in wanted])


async def _measure_model(here: ModelsHere, server: LocalServer, model: str) -> ModelRow:
    note(f"Measuring {model} at {server.base_url}.")
    return ModelRow(server, await here.measure(server.base_url, model))


async def _keep(settings: Settings, row: ModelRow) -> None:
    """Make a model everybody's, under the provider that is there or under a new one."""
    async with managed_database(settings) as database:
        providers = Providers(database, KeyRing(settings.master_key_path))
        known = await providers.all(EVERYBODY)
        slug, server = slug_of(row.server, known), row.server
        change = ProviderChange(slug, name=server.name, base_url=server.base_url, kind="direct", capabilities=["chat"])
        there = any(one.slug == slug and is_at(one, server) for one in known)
        await keep(providers, ProviderChange(slug) if there else change, row.measured.model)
    note(
        f"Done: messages that are not plain are understood with {row.measured.model} at {server.base_url} from now on."
    )


def _confirm_use(options: argparse.Namespace, row: ModelRow) -> bool:
    if options.yes or options.json:
        return bool(options.yes)
    if not sys.stdin.isatty():
        say("Nothing was changed: --yes uses it for everybody.")
        return False
    return input(f"Use {row.measured.model} for everybody? [y/N] ").strip().lower() in YES


def _show(found: ModelsFound) -> None:
    if found.rows:
        say(_table([TABLE_HEADS, *map(_cells, found.rows)]))
    if found.best:
        say(reasons(found.best.measured, found.measurements))


def _why_none(here: ModelsHere, found: ModelsFound, named: str | None) -> str:
    if found.rows:
        return "None of them calls tools or returns JSON in the form that is asked; nothing was changed."
    if any(server.models for server in found.servers):
        return f"No server on this machine has a model {named}."
    told = [f"{server.name} at {server.base_url}: {server.detail}" for server in found.servers]
    return "\n".join([*told, nothing_runs(here.addresses)])


def _cells(row: ModelRow) -> tuple[str, ...]:
    one = row.measured
    first = UNKNOWN if one.first_token_seconds is None else f"{one.first_token_seconds:.2f} s"
    pace = UNKNOWN if one.tokens_per_second is None else f"{one.tokens_per_second:.1f}"
    return one.model, row.server.name, _word(one.tools), _word(one.json_schema), first, pace, one.detail


def _word(works: bool | None) -> str:  # noqa: FBT001 - it is the one thing to word
    return UNKNOWN if works is None else "yes" if works else "no"


def _table(lines: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _document(found: ModelsFound, *, kept: bool) -> dict[str, Any]:
    best = found.best.measured if found.best else None
    return {
        "servers": [{"name": one.name, **asdict(one)} for one in found.servers],
        "models": [asdict(one) for one in found.measurements],
        "recommended": {**asdict(best), "why": reasons(best, found.measurements)} if best else None,
        "chosen": kept,
    }

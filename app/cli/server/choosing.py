"""``summit setup --provider``: which language model everybody uses, straight on the database."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from getpass import getpass

from app.cli.output import complain, say
from app.cli.server.servers import managed_database
from app.database.secrets import KeyRing
from app.loopback import is_local
from app.models.llm.choice import prober
from app.models.model.providers import Probed, Provider, ProviderChange, Tier
from app.models.store.providers import Providers
from app.principal import EVERYBODY, Principal, acting_as
from app.settings import Settings, load_settings

TIERS: tuple[Tier, ...] = ("fast", "reason")
KEY_VARIABLES = ("SUMMIT_LLM_API_KEY", "OPENAI_API_KEY")
MAX_SHOWN_MODELS = 20


def choose(options: argparse.Namespace) -> int:
    """Ask for what was not given, test the connection, and keep the choice; exit status 1 when it does not work."""
    with acting_as(Principal(EVERYBODY)):
        return asyncio.run(_choose(load_settings(), options))


async def _choose(settings: Settings, options: argparse.Namespace) -> int:
    async with managed_database(settings) as database:
        providers = Providers(database, KeyRing(settings.master_key_path))
        known = {one.slug: one for one in await providers.all(EVERYBODY)}
        slug = options.provider
        provider = _with_base_url(known.get(slug), slug, options.base_url)
        if provider is None:
            return complain(f"There is no provider {slug}; say its --base-url, or one of: {', '.join(known)}.")
        provider = replace(provider, api_key=_key(provider))
        if not (provider.usable or provider.api_key):
            return complain(
                f"{provider.name} needs a key: set SUMMIT_LLM_API_KEY and run this again. Nothing was kept."
            )
        probe = prober(settings)
        probed = await probe(provider, options.model or "")
        model = options.model or (_asked_model(probed) if probed.ok else "")
        if probed.ok and not model:
            return complain(f"Say which --model to use; it has: {_some(probed.models)}.")
        probed = await probe(provider, model) if probed.ok and not options.model else probed
        if not probed.ok:
            return complain(_refusal(provider, probed))
        change = ProviderChange(slug, base_url=options.base_url, api_key=provider.api_key or None)
        await keep(providers, change, model)
    say(probed.detail)
    say(f"Done: messages that are not plain are understood with {model} at {provider.base_url} from now on.")
    return 0


async def keep(providers: Providers, change: ProviderChange, model: str) -> None:
    """Make a provider's model the one that everybody uses who has chosen none."""
    await providers.put(EVERYBODY, change)
    await providers.choose(EVERYBODY, "chat", TIERS, change.slug, model)


def _refusal(provider: Provider, probed: Probed) -> str:
    there = f" It has: {_some(probed.models)}." if probed.models else ""
    return f"{provider.name} at {provider.base_url} does not work: {probed.detail}{there} Nothing was kept."


def _with_base_url(known: Provider | None, slug: str, base_url: str | None) -> Provider | None:
    if base_url:
        return replace(known or Provider(slug, slug, base_url, "direct", ("chat",)), base_url=base_url)
    return known


def _key(provider: Provider) -> str:
    """The key from the environment, or typed unseen; a server on this machine needs none."""
    stated = next((os.environ[name] for name in KEY_VARIABLES if os.environ.get(name)), "")
    if stated or is_local(provider.base_url) or not sys.stdin.isatty():
        return stated
    return getpass(f"API key for {provider.name} (it is not shown): ").strip()


def _asked_model(probed: Probed) -> str:
    if not sys.stdin.isatty():
        return ""
    say(f"Models there: {_some(probed.models)}")
    return input("Model: ").strip()


def _some(models: Sequence[str]) -> str:
    return ", ".join(models[:MAX_SHOWN_MODELS]) + (" ..." if len(models) > MAX_SHOWN_MODELS else "")

"""The registry of providers over Postgres; keys are sealed to their owner and row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from app.database.database import Database
from app.database.model import KeyUnreadable
from app.database.secrets import CannotUnseal, KeyRing
from app.models.model.presets import PRESETS
from app.models.model.providers import ActiveModel, Capability, Provider, ProviderChange, Tier
from app.principal import EVERYBODY

FIND = """
select user_id, slug, name, base_url, kind, capabilities, api_key, hint, updated_at from providers
where user_id = any(%s) order by slug
"""
PUT = """
insert into providers (user_id, slug, name, base_url, kind, capabilities, api_key, hint)
values (%(owner)s, %(slug)s, %(name)s, %(base_url)s, %(kind)s, %(capabilities)s, %(api_key)s, %(hint)s)
on conflict (user_id, slug) do update set
    name = coalesce(excluded.name, providers.name), base_url = coalesce(excluded.base_url, providers.base_url),
    kind = coalesce(excluded.kind, providers.kind),
    capabilities = coalesce(excluded.capabilities, providers.capabilities),
    hint = case when excluded.api_key is null then providers.hint else excluded.hint end,
    api_key = coalesce(excluded.api_key, providers.api_key), updated_at = now()
"""
DELETE = "delete from providers where user_id = %s and slug = %s returning slug"
MODELS = """
select distinct on (capability, tier) capability, tier, provider, model, user_id = %s as own from active_models
where user_id = any(%s) order by capability, tier, own desc
"""
CHOOSE = """
insert into active_models (user_id, capability, tier, provider, model)
select %s, %s, tier, %s, %s from unnest(%s::text[]) as tier
on conflict (user_id, capability, tier) do update
set provider = excluded.provider, model = excluded.model, updated_at = now()
"""
UNCHOOSE = "delete from active_models where user_id = %s and capability = %s returning tier"
HINT_LENGTH = 4
SHORTEST_HINTED = 12
"""Of a shorter key, a hint would tell too much."""


class Providers:
    """Seeds in the code, over them everybody's rows, over those the user's own keys."""

    def __init__(self, database: Database, keys: KeyRing) -> None:
        self._database = database
        self._keys = keys

    async def all(self, user_id: UUID) -> Sequence[Provider]:
        """Every provider as the user sees it, without keys."""
        return list(_merge_rows(await self._rows(user_id), user_id).values())

    async def get(self, user_id: UUID, slug: str, *, with_key: bool = False) -> Provider | None:
        """One provider. Raises KeyUnreadable when its key was tampered with."""
        rows = await self._rows(user_id)
        found = _merge_rows(rows, user_id).get(slug)
        if found is None or not with_key:
            return found
        keyed = [row for row in rows if row["slug"] == slug and row["api_key"] is not None]
        best = next((row for row in keyed if row["user_id"] == user_id), keyed[0] if keyed else None)
        return replace(found, api_key=self._unseal_key(best, slug) if best else "")

    async def put(self, owner: UUID, change: ProviderChange) -> None:
        """Set what is given; keys are sealed before they are stored."""
        key = change.api_key
        values = {
            "owner": owner,
            "slug": change.slug,
            "name": change.name,
            "base_url": change.base_url if owner == EVERYBODY else None,
            "kind": change.kind,
            "capabilities": list(change.capabilities) if change.capabilities is not None else None,
            "api_key": self._keys.seal(key, owner, place_of(change.slug)) if key else None,
            "hint": key[-HINT_LENGTH:] if key and len(key) >= SHORTEST_HINTED else "",
        }
        async with self._database.tenant(owner) as conn:
            await conn.execute(PUT, values)

    async def delete(self, owner: UUID, slug: str) -> bool:
        """Forget what the owner set, the key included."""
        async with self._database.tenant(owner) as conn:
            return await (await conn.execute(DELETE, (owner, slug))).fetchone() is not None

    async def models(self, user_id: UUID) -> Sequence[ActiveModel]:
        """The models in use: the user's choices before everybody's."""
        async with self._database.tenant(user_id) as conn:
            rows = await (await conn.execute(MODELS, (user_id, [user_id, EVERYBODY]))).fetchall()
        return [ActiveModel(**row) for row in rows]

    async def choose(
        self, owner: UUID, capability: Capability, tiers: Sequence[Tier], provider: str, model: str
    ) -> None:
        """Use a model from now on."""
        async with self._database.tenant(owner) as conn:
            await conn.execute(CHOOSE, (owner, capability, provider, model, list(tiers)))

    async def unchoose(self, owner: UUID, capability: Capability) -> bool:
        """Forget the owner's choice; whether there was one."""
        async with self._database.tenant(owner) as conn:
            return bool(await (await conn.execute(UNCHOOSE, (owner, capability))).fetchall())

    def _unseal_key(self, row: Mapping[str, Any], slug: str) -> str:
        try:
            return self._keys.unseal(bytes(row["api_key"]), row["user_id"], place_of(slug))
        except (CannotUnseal, ValueError) as error:
            raise KeyUnreadable from error

    async def _rows(self, user_id: UUID) -> list[dict[str, Any]]:
        async with self._database.tenant(user_id) as conn:
            return await (await conn.execute(FIND, ([user_id, EVERYBODY],))).fetchall()


def _merge_rows(rows: Iterable[Mapping[str, Any]], user_id: UUID) -> dict[str, Provider]:
    """The providers by slug: everybody's rows over the seeds, then the user's own."""
    found = {seed.slug: seed for seed in PRESETS}
    for row in sorted(rows, key=lambda row: row["user_id"] != EVERYBODY):
        known = found.get(row["slug"])
        told = {name: row[name] for name in ("name", "base_url", "kind", "capabilities") if row[name] is not None}
        if row["user_id"] != EVERYBODY:
            told = {}  # a user has keys; where they are sent is the administrator's to say
        if known is None and not told.get("base_url"):
            continue
        base = known or Provider(row["slug"], row["slug"], told["base_url"], "direct", ("chat",))
        if row["api_key"] is not None:
            own = row["user_id"] == user_id
            # Everybody may use everybody's key, and nobody but its owner needs to know anything of it.
            told |= {"hint": row["hint"] if own else "", "own_key": own, "updated_at": row["updated_at"]}
            told["has_key"] = True
        found[row["slug"]] = replace(base, **told)
    return found


def place_of(slug: str) -> str:
    """The row's part of what a key is sealed to."""
    return f"provider:{slug}"

"""One calendar kept in step in both directions; it may be cut short anywhere and goes on where it was.

What is there is read first, then both sides are merged in the ledger's transaction, then what changed here is written
over exactly the version that was read. Nothing remembers what was to be done: each look compares both sides with what
they last agreed on, so that a look that was cut short is simply made again.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from app.calendars.google.accounts import GoogleAccounts
from app.calendars.model.synced import (
    FORMS,
    Claim,
    Form,
    Holds,
    Incoming,
    ItemFiles,
    KnownItem,
    Login,
    MergeRules,
    Outgoing,
    OutgoingPart,
    PendingWrite,
    RemoteCalendar,
    RemoteCalendars,
    RemoteChanges,
    RemoteFailed,
    RemoteItem,
    RemoteMoved,
    RemoteRefused,
    Stored,
    Target,
    Written,
)
from app.calendars.store.sync_rows import SyncRows
from app.calendars.store.synced_calendars import CalendarAccounts
from app.database.model import KeyUnreadable
from app.errors import OutOfReach
from app.principal import StaleLease

log = logging.getLogger(__name__)

CLAIM_SECONDS = 120.0
MAX_SYNC_ROUNDS = 5
"""Looks at both sides in one go: what is written there may be moved there by somebody else at the same time."""
AT_ONCE = 50
LONGEST_PAUSE = 24 * 3600.0
FEW_GONE = 10
"""Events that may vanish there at once without a question, however few there are."""
EMPTY = "The {place} is empty there. Nothing was deleted here: say what is to become of its {count} {holds}."
MANY_GONE = "{gone} of {count} {holds} are gone there. Nothing was deleted here: say what is to become of them."
TOO_MANY = "The {place} has {count} {holds}; {most} are kept in step at most."
PLACE_NAMES: Mapping[Holds, str] = {"events": "calendar", "tasks": "list"}
BROKE = "Something broke on my side; what is known stays, and it is tried again."
NO_PASSWORD = "The password cannot be read any more; enter it again."  # noqa: S105 - a sentence


@dataclass(frozen=True)
class Way:
    """How calendars of one form are kept in step: who has them, what reads their files, how two sides come together."""

    provider: RemoteCalendars
    files: Callable[[], ItemFiles]
    rules: MergeRules


@dataclass(frozen=True)
class Work:
    """One look at one calendar."""

    claim: Claim
    login: Login
    provider: RemoteCalendars
    files: ItemFiles
    rules: MergeRules
    timezone: str


class CalendarSync:
    """Keeps calendars in step. ``pause`` is the time between two looks, in seconds."""

    def __init__(
        self,
        accounts: CalendarAccounts,
        rows: SyncRows,
        ways: Mapping[Form, Way],
        zone_of: Callable[[UUID], Awaitable[str]],
        google: GoogleAccounts,
        *,
        pause: float,
        most: int,
    ) -> None:
        self._accounts = accounts
        self._rows = rows
        self._ways = ways
        self._zone_of = zone_of
        self.google = google
        self._pause = pause
        self._most = most

    async def find(self, login: Login) -> Sequence[RemoteCalendar]:
        """The calendars and task lists of an account."""
        return [one for form in FORMS[login.provider] for one in await self._ways[form].provider.find(login)]

    async def due(self, how_many: int) -> Sequence[tuple[UUID, UUID]]:
        """(user, calendar) of those to be looked at, of any user."""
        return await self._rows.due(how_many)

    async def sync(self, user_id: UUID, calendar_id: UUID) -> None:
        """Carry over what changed on either side, and store the outcome."""
        claim = await self._rows.claim(user_id, calendar_id, CLAIM_SECONDS)
        if claim is None:
            return
        way = self._ways[claim.form]
        files = way.files()
        try:
            login, zone = await self._login(claim), await self._zone_of(user_id)
            work = Work(claim, login, way.provider, files, way.rules, zone)
            token = await self._in_step(work)
            await self._rows.finish(claim, token, self._pause)
        except StaleLease:
            log.info("calendar %s is kept in step elsewhere", calendar_id)
        except (RemoteRefused, RemoteFailed) as problem:
            await self._mark_failed(claim, str(problem))
        except OutOfReach:
            raise
        except Exception:
            log.exception("calendar %s could not be kept in step", calendar_id)
            await self._mark_failed(claim, BROKE)
        finally:
            await files.close()

    async def _login(self, claim: Claim) -> Login:
        try:
            found = await self._accounts.login(claim.user_id, claim.account_id)
        except KeyUnreadable as error:
            raise RemoteRefused(NO_PASSWORD) from error
        if found is None:
            raise RemoteRefused(NO_PASSWORD)
        return found

    async def _mark_failed(self, claim: Claim, error: str) -> None:
        pause = min(self._pause * (1 << min(claim.failures, 10)), LONGEST_PAUSE)
        try:
            await self._rows.mark_failed(claim, error, pause)
        except StaleLease:
            log.info("calendar %s is kept in step elsewhere", claim.calendar_id)

    async def _in_step(self, work: Work) -> str | None:
        """The token from which the next look goes on."""
        token = work.claim.token
        for _ in range(MAX_SYNC_ROUNDS):
            token = await self._take_in(work, token)
            await self._rows.look_here(work.claim)
            if work.claim.direction != "both" or not await self._send(work):
                break
        return token

    async def _take_in(self, work: Work, token: str | None) -> str | None:
        claim = work.claim
        found = await work.provider.changes(work.login, claim.url, token)
        known = await self._rows.known_items(claim)
        self._check_size(work, found, known)
        ignored = found.only_known - known.keys()
        news = [
            name for name, etag in found.changed.items() if name not in ignored and not _is_known(known.get(name), etag)
        ]
        gone = await self._find_gone(work, found, known)
        for start in range(0, len(news), AT_ONCE):
            await self._read(work, news[start : start + AT_ONCE], found.items)
        await self._vanish(work, gone, known)
        if claim.direction == "both":
            await self._take_out_marks(work, found.items)
        if found.whole and found.token is not None:
            # Before the first write: only from a token on it is told that what was written has been deleted again.
            await self._rows.keep_token(claim, found.token)
        return found.token

    def _check_size(self, work: Work, found: RemoteChanges, known: Mapping[str, KnownItem]) -> None:
        """Raises RemoteRefused. What is done does not count: of it ever more is known."""
        there = {name for name, item in known.items() if item.there} if work.claim.holds == "events" else set()
        count = len((found.changed.keys() - found.only_known) | (there if not found.whole else set()))
        if count > self._most:
            raise RemoteRefused(TOO_MANY.format(**_words(work.claim), count=count, most=self._most))

    async def _take_out_marks(self, work: Work, items: Mapping[str, RemoteItem]) -> None:
        """What new files were written with is needed no more, as they are known by their names now."""
        known = await self._rows.known_items(work.claim) if any(item.marked for item in items.values()) else {}
        for name, item in items.items():
            if not item.marked or name not in known:
                continue
            [reading] = await work.files.read([item.text], work.timezone)
            [written] = await work.files.write([PendingWrite(reading.uid, item.text, {})], work.timezone)
            if written.text is None:
                continue
            # Nothing is agreed on by this: the next look lists it as changed, and reads it.
            with suppress(RemoteMoved):
                await work.provider.put(work.login, work.claim.url, name, RemoteItem(item.etag, written.text))

    async def _read(self, work: Work, names: Sequence[str], told: Mapping[str, RemoteItem] | None = None) -> None:
        """Take in these files, of which some may have been told already."""
        items = {name: told[name] for name in names if told and name in told}
        untold = [name for name in names if name not in items]
        if untold:
            items |= await work.provider.fetch(work.login, work.claim.url, untold)
        there = [name for name in names if name in items]
        readings = await work.files.read([items[name].text for name in there], work.timezone) if there else []
        incoming = [Incoming(name, items[name], reading) for name, reading in zip(there, readings, strict=True)]
        await self._rows.take_in(work.claim, incoming)

    async def _find_gone(self, work: Work, found: RemoteChanges, known: Mapping[str, KnownItem]) -> list[str]:
        """Names that are not there any more. What a whole list lacks is asked for by name before that is believed."""
        there = {name for name, item in known.items() if item.there}
        begun = {name for name, item in known.items() if item.begun}
        held = set(work.claim.gone) - found.changed.keys()
        if not found.whole:
            return sorted((set(found.gone) | held) & (there | begun))
        lacking = sorted(there - found.changed.keys())
        if lacking and found.changed:
            after_all = [
                name
                for start in range(0, len(lacking), AT_ONCE)
                for name in await work.provider.fetch(work.login, work.claim.url, lacking[start : start + AT_ONCE])
            ]
            lacking = [name for name in lacking if name not in set(after_all)]
        return lacking

    async def _vanish(self, work: Work, gone: Sequence[str], known: Mapping[str, KnownItem]) -> None:
        """Let events go that are gone there; so many of them at once that it may be a mishap wait for a person."""
        claim, there = work.claim, sum(item.there and item.carried for item in known.values())
        count = sum(known[name].carried for name in gone if name in known)
        if set(gone) != set(claim.gone) and _is_mishap(count, there):
            await self._rows.hold(claim, gone)
            told = EMPTY if count == there else MANY_GONE
            raise RemoteRefused(told.format(**_words(claim), gone=count, count=there))
        if gone and not claim.gone:
            for start in range(0, len(gone), AT_ONCE):
                some = [Incoming(name, None, None) for name in gone[start : start + AT_ONCE]]
                await self._rows.take_in(claim, some)

    async def _send(self, work: Work) -> bool:
        """Write what changed here; whether there is a reason to look again."""
        again, tried = False, set[str]()
        while out := [one for one in await self._rows.outgoing(work.claim, AT_ONCE) if one.name not in tried]:
            tried |= {one.name for one in out}
            written = await work.files.write([_to_write(one, work.rules) for one in out], work.timezone)
            for one, new in zip(out, written, strict=True):
                again = await self._send_one(work, one, new) or again
        return again

    async def _send_one(self, work: Work, one: Outgoing, new: Written) -> bool:
        claim = work.claim
        if new.reading.problem:
            await self._rows.not_sent(claim, one.name, new.reading.problem)
            return False
        await self._rows.sending(claim, one.name, one, new)
        try:
            kept = await self._deliver(work, one, new)
        except RemoteMoved:
            await self._reread_moved(work, one.name)
            return True
        except RemoteRefused as refused:
            await self._rows.not_sent(claim, one.name, str(refused))
            return False
        await self._rows.mark_sent(claim, one.name, kept, new.text)
        return kept.etag is None and new.text is not None

    async def _deliver(self, work: Work, one: Outgoing, new: Written) -> Stored:
        login, url = work.login, work.claim.url
        if new.text is not None:
            return await work.provider.put(login, url, one.name, RemoteItem(one.etag, new.text))
        if one.etag is not None:
            await work.provider.delete(login, url, one.name, one.etag)
        return Stored(None)

    async def _reread_moved(self, work: Work, name: str) -> None:
        """It has changed there since it was read: take that in, and merge again."""
        await self._read(work, [name])
        if not await work.provider.fetch(work.login, work.claim.url, [name]):
            await self._rows.take_in(work.claim, [Incoming(name, None, None)])


def _is_known(item: KnownItem | None, etag: str | None) -> bool:
    return item is not None and item.there and etag is not None and item.etag == etag


def _is_mishap(gone: int, there: int) -> bool:
    """Whether so many are gone that a person has to say what it means: all of several, or most of many."""
    return gone > 1 and (gone == there or gone > max(FEW_GONE, there // 2))


def _words(claim: Claim) -> dict[str, str]:
    return {"place": PLACE_NAMES[claim.holds], "holds": claim.holds}


def _to_write(out: Outgoing, rules: MergeRules) -> PendingWrite:
    changed = {name: part for name, part in out.parts.items() if rules.differing(part.base, part.local)}
    return PendingWrite(out.uid, out.text, {name: _target_of(part, rules) for name, part in changed.items()})


def _target_of(part: OutgoingPart, rules: MergeRules) -> Target:
    if part.local is None:
        return Target(None)
    return Target(part.local, tuple(rules.groups) if part.base is None else rules.differing(part.base, part.local))

"""Random edits on both sides of a calendar or task list, while a side is killed in the middle of keeping step.

    python -m tests.survival.calendar_rounds [--form caldav] [--edits 1000] [--cuts 20] [--seed 1]

Every event or task has a name of its own. Titles are changed here alone, places (of tasks: days) there alone, notes on
both sides. At the end
conflicts are decided at random, and then both sides have to be equal: no event lost or doubled, and no edit lost but
those that a decision was against.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import httpx
import psycopg

from app.calendars.model.synced import Form
from tests.support.servers.clusters import kill_server
from tests.support.servers.plain import plain_client
from tests.support.waiting import HANG_SECONDS
from tests.survival.elsewhere import Elsewhere, elsewhere
from tests.survival.fleet import ADMIN_KEY, MortalServer, database_url, new_user
from tests.survival.records_here import Here

SETTINGS = {
    "SUMMIT_ADMIN_KEY": ADMIN_KEY,
    "SUMMIT_ALLOWED_NETWORKS": '["127.0.0.0/8"]',
    "SUMMIT_CALENDAR_SYNC_SECONDS": "3",
    "SUMMIT_TIMEZONE": "Europe/Lisbon",
    "SUMMIT_TRANSCRIBER": "none",
}
ACCOUNTS = "/v1/calendar-accounts"
DAYS = datetime(2027, 1, 4, 9, tzinfo=UTC)
END_SECONDS = 600.0
LOOK_SECONDS = (0.0, 3.0)
CUTS = ("server", "database", "calendar", "server")
HISTORY = """
select coalesce(after->>'title', after->>'task'), count(*) from summit.changes
where agent = 'calendar' and op = 'create' and status = 'applied' group by 1
"""
BUSY = """
select exists (select from summit.procrastinate_jobs where queue_name = 'calendar_sync')
    or exists (select from summit.synced_calendars where next_sync <= now() or error is not null)
    or exists (select from summit.synced_events where goes_out)
"""


@dataclass
class Said:
    """All that was ever said of one event, the last of each last; ``torn`` when a decision was against one side."""

    titles: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    deleted: bool = False
    torn: bool = False


@dataclass
class Round:
    """Both sides, and what was said on them."""

    data_dir: Path
    chance: random.Random
    other: Elsewhere
    server: MortalServer
    key: str = ""
    path: str = ""
    said: dict[str, Said] = field(default_factory=lambda: defaultdict(Said))
    edits: Counter[str] = field(default_factory=Counter)
    conflicts: int = 0

    def client(self) -> httpx.Client:
        return plain_client(self.server.url, {"Authorization": f"Bearer {self.key}"}, seconds=HANG_SECONDS)

    def connect(self) -> None:
        self.key = new_user(self.server.url, "ada")
        with self.client() as client:
            account = self.other.connect(client)["id"]
            listed = client.get(f"{ACCOUNTS}/{account}/calendars").json()["items"]
            [calendar] = [one for one in listed if one["holds"] == self.other.here.holds]
            self.path = f"{ACCOUNTS}/{account}/calendars/{calendar['id']}"
            chosen = client.patch(self.path, json={"direction": "both", "collects": "new"})
            assert chosen.status_code == 200, chosen.text

    def edit_here(self) -> None:
        with self.client() as client:
            here = self.other.here
            known = _here(client, here)
            if not known or self.chance.random() < 0.25:
                self._create_here(client)
                return
            name = self.chance.choice(sorted(known))
            path = f"{here.path}/{known[name]['id']}"
            if self.chance.random() < 0.2:
                if client.delete(path).status_code == 204:
                    self.said[name].deleted = True
                    self.edits["deleted here"] += 1
                return
            number = sum(self.edits.values())
            what = self.chance.choice((here.title, "notes"))
            words = f"{name} title {number}" if what == here.title else f"notes {number}"
            if client.patch(path, json={what: words}).status_code == 200:
                (self.said[name].titles if what == here.title else self.said[name].notes).append(words)
                self.edits["changed here"] += 1

    def _create_here(self, client: httpx.Client) -> None:
        name = f"h{sum(self.edits.values())}"
        start = DAYS + timedelta(hours=len(self.said))
        fields = self.other.here.new(f"{name} new", start, repeats=self.chance.random() < 0.2)
        made = client.post(self.other.here.path, json=fields, headers={"Idempotency-Key": name})
        assert made.status_code == 201, made.text
        self.said[name].titles.append(f"{name} new")
        self.edits["created here"] += 1

    def edit_there(self) -> None:
        files = self.other.names()
        if not files or self.chance.random() < 0.25:
            self._create_there()
            return
        file = self.chance.choice(files)
        title = self.other.title(file)
        if title is None:  # gone between the list and this
            return
        name = title.split()[0]
        if self.chance.random() < 0.2:
            if self.other.delete(file):
                self.said[name].deleted = True
                self.edits["deleted there"] += 1
            return
        number = sum(self.edits.values())
        alone = self.other.here.there_alone
        what, words = self.chance.choice(((alone, self.other.alone(number)), ("notes", f"notes {number}")))
        if self.other.change(file, what, words):
            (self.said[name].places if what == alone else self.said[name].notes).append(words)
            self.edits["changed there"] += 1

    def _create_there(self) -> None:
        name = f"t{sum(self.edits.values())}"
        start = DAYS + timedelta(hours=len(self.said))
        self.other.create(f"{name} new", start, "FREQ=DAILY;COUNT=4" if self.chance.random() < 0.2 else None)
        self.said[name].titles.append(f"{name} new")
        self.edits["created there"] += 1

    def decide(self) -> None:
        """Decide all that waits, at random."""
        with self.client() as client:
            for conflict in client.get("/v1/calendar-conflicts").json()["items"]:
                keep = self.chance.choice(("here", "there"))
                name = (conflict["here"] or conflict["there"] or conflict["before"])["title"].split()[0]
                answer = client.post(f"/v1/calendar-conflicts/{conflict['id']}/resolve", json={"keep": keep})
                if answer.status_code == 200:
                    self.said[name].torn = True
                    self.conflicts += 1
            if client.get(self.path).json()["gone"]:
                client.post(f"{self.path}/gone", json={"delete": True})

    def cut(self, kind: str) -> None:
        """Kill a side in the middle of whatever it does, go on with the other one, and bring it back."""
        time.sleep(self.chance.uniform(*LOOK_SECONDS))
        if kind == "calendar":
            self.other.kill()
            for _ in range(3):
                self.edit_here()
            self.other.start()
            return
        self.server.kill()
        if kind == "database":
            kill_server(self.data_dir / "postgres")
        for _ in range(3):
            self.edit_there()
        self.server = MortalServer(self.data_dir, **SETTINGS, **self.other.settings)

    def settle(self) -> None:
        """Wait until both sides are in step and nothing waits for a decision."""
        deadline = time.monotonic() + END_SECONDS
        while time.monotonic() < deadline:
            self.decide()
            with self.client() as client:
                client.post(f"{self.path}/sync")
                time.sleep(0.5)
                waiting = client.get("/v1/calendar-conflicts").json()["items"]
            if not waiting and not _busy(self.data_dir):
                return
        raise AssertionError("both sides were never in step")


def _busy(data_dir: Path) -> bool:
    with psycopg.connect(database_url(data_dir), autocommit=True) as conn:
        return conn.execute(BUSY).fetchone() == (True,)


def _here(client: httpx.Client, here: Here) -> dict[str, dict[str, Any]]:
    return {here.named(one).split()[0]: one for one in _all_here(client, here)}


def _all_here(client: httpx.Client, here: Here) -> Iterator[dict[str, Any]]:
    cursor = None
    while True:
        page = client.get(here.path, params={"limit": 200, **({"cursor": cursor} if cursor else {})}).json()
        yield from page["items"]
        if not (cursor := page["next"]):
            return


def broken(round_: Round) -> list[str]:
    """What is not as it should be in the end."""
    home, side_here = ZoneInfo("Europe/Lisbon"), round_.other.here
    with round_.client() as client:
        here_all = [side_here.state(one) for one in _all_here(client, side_here)]
    there_all = [round_.other.fields(name, home) for name in round_.other.names()]
    here, there = ({one["title"].split()[0]: one for one in side} for side in (here_all, there_all))
    faults = [
        f"{len(side) - len(known)} doubled {where}"
        for side, known, where in ((here_all, here, "here"), (there_all, there, "there"))
        if len(side) != len(known)
    ]
    for name, said in round_.said.items():
        faults += _unlike(side_here, name, said, (here.get(name), there.get(name)))
    return faults + [f"{name} is nobody's" for name in (here.keys() | there.keys()) - round_.said.keys()]


def _unlike(kind: Here, name: str, said: Said, sides: tuple[dict[str, Any] | None, dict[str, Any] | None]) -> list[str]:
    here, there = sides
    if here is None or there is None:
        if (here is None) != (there is None):
            return [f"{name} is on one side alone"]
        return [] if said.deleted else [f"{name} is lost"]
    if said.deleted and not said.torn:
        return [f"{name} came back"]
    unlike = [key for key in kind.compared if here[key] != there[key]]
    faults = [f"{name}: {key} is {here[key]!r} here and {there[key]!r} there" for key in unlike]
    if not said.torn:
        faults += [f"{name}: title {said.titles[-1]!r} is lost"] if here["title"] != said.titles[-1] else []
        faults += (
            [f"{name}: place {said.places[-1]!r} is lost"]
            if said.places and here[kind.there_alone] != said.places[-1]
            else []
        )
    if said.notes and not said.torn and here["notes"] not in said.notes:
        faults.append(f"{name}: its notes are nobody's")
    return faults


@contextmanager
def started(data_dir: Path, form: Form, seed: int) -> Iterator[Round]:
    """Both sides, connected."""
    with elsewhere(form, data_dir.with_suffix(".elsewhere")) as other:
        server = MortalServer(data_dir, **SETTINGS, **other.settings)
        round_ = Round(data_dir, random.Random(seed), other, server)
        try:
            round_.connect()
            yield round_
        finally:
            if round_.server.process.poll() is None:
                round_.server.stop()


def campaign(
    data_dir: Path, form: Form, edits: int, cuts: int, seed: int, tell: Callable[[str], None] = lambda _: None
) -> list[str]:
    """Edit both sides at random with cuts between, let them come together, and check everything."""
    with started(data_dir, form, seed) as round_:
        for number in range(cuts):
            for _ in range(edits // cuts - 3):
                (round_.edit_here if round_.chance.random() < 0.5 else round_.edit_there)()
            round_.cut(CUTS[number % len(CUTS)])
            if number % 3 == 2:
                round_.decide()
            tell(f"cut {number + 1}: {sum(round_.edits.values())} edits, {round_.conflicts} conflicts decided")
        round_.settle()
        faults = broken(round_)
        with psycopg.connect(database_url(data_dir), autocommit=True) as conn:
            taken_in = conn.execute(HISTORY).fetchall()
        faults += [
            f"{title} came in {count} times" for title, count in taken_in if count > 1 and not _may(round_, title)
        ]
        tell(f"{dict(round_.edits)}; {round_.conflicts} conflicts; {len(faults)} faults")
    return faults


def _may(round_: Round, title: str) -> bool:
    """Whether an event may have come in again: a decision brought it back."""
    return round_.said[title.split(maxsplit=1)[0]].torn


def main() -> int:
    """Run a campaign on a data folder of its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--form", choices=("caldav", "caldav-tasks", "google", "google-tasks"), default="caldav")
    parser.add_argument("--edits", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="summit-calendar-", ignore_cleanup_errors=True) as folder,
        suppress(KeyboardInterrupt),
    ):
        faults = campaign(Path(folder) / "data", options.form, options.edits, options.cuts, options.seed, _print)
        for fault in faults:
            _print(fault)
        return 1 if faults else 0
    return 1


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

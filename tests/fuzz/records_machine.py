"""Tasks, events, notes, undo and Idempotency-Keys against a model in memory, over the HTTP API of a real server.

    python -m tests.fuzz.records_machine [--examples 2000] [--steps 30] [--seed N]

The model is a list of versions for each record. What it cannot explain is a difference, and hypothesis shrinks the way
to it. ``--seed`` repeats a campaign.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar
from uuid import uuid4

import httpx
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from tests.support.servers.live_server import ADMIN_KEY
from tests.support.servers.plain import plain_client
from tests.support.servers.running import running

KINDS = {"todos": "task", "notes": "content", "events": "title"}
"""The collections, each with the field that holds its words."""
FIRST_DAY = datetime(2027, 1, 1, tzinfo=UTC)
LOOK_EVERY = 5


@dataclass
class Change:
    """A row of the ledger as the model knows it; None stands for a record that is not there."""

    id: str
    before: str | None
    after: str | None
    undone: bool = False


@dataclass
class Record:
    """A record with its words now, and how they came about."""

    path: str
    id: str
    words: str | None
    etag: str
    changes: list[Change] = field(default_factory=list)
    old_etags: list[str] = field(default_factory=list)

    @property
    def last(self) -> Change | None:
        """The latest change that was not taken back."""
        return next((change for change in reversed(self.changes) if not change.undone), None)


@dataclass
class Posted:
    """A creation that may be sent again."""

    path: str
    body: dict[str, Any]
    key: str
    id: str


class Records(RuleBasedStateMachine):
    """One user, new for each example; ``url`` is the server."""

    url: ClassVar[str] = ""
    records = Bundle("records")
    posts = Bundle("posts")

    @initialize()
    def begin(self) -> None:
        self.client = plain_client(self.url, _bearer(ADMIN_KEY), seconds=60)
        made = self._ask("POST", "/v1/users", 201, json={"name": "x"}).json()
        self.client.headers.update(_bearer(made["api_key"]))
        self.known: list[Record] = []
        self.steps = 0

    def teardown(self) -> None:
        if hasattr(self, "client"):
            try:
                self.compare()
            finally:
                self.client.close()

    @rule(target=records, path=st.sampled_from(sorted(KINDS)))
    def create(self, path: str) -> Record:
        words = self._new_words()
        answer = self._ask("POST", f"/v1/{path}", 201, json=self._body(path, words))
        return self._made(path, words, answer)

    @rule(target=posts, path=st.sampled_from(sorted(KINDS)))
    def create_with_a_key(self, path: str) -> Posted:
        words, key = self._new_words(), str(uuid4())
        body = self._body(path, words)
        answer = self._ask("POST", f"/v1/{path}", 201, json=body, headers={"Idempotency-Key": key})
        return Posted(path, body, key, self._made(path, words, answer).id)

    @rule(posted=posts)
    def send_it_again(self, posted: Posted) -> None:
        headers = {"Idempotency-Key": posted.key}
        again = self._ask("POST", f"/v1/{posted.path}", 201, json=posted.body, headers=headers)
        assert again.json()["id"] == posted.id
        assert again.headers["idempotent-replayed"] == "true"

    @rule(posted=posts)
    def use_its_key_for_something_else(self, posted: Posted) -> None:
        body = self._body(posted.path, self._new_words())
        self._ask("POST", f"/v1/{posted.path}", 422, json=body, headers={"Idempotency-Key": posted.key})

    @rule(record=records, guarded=st.booleans())
    def change(self, record: Record, guarded: bool) -> None:  # noqa: FBT001 - hypothesis draws it
        words = self._new_words()
        headers = {"If-Match": record.etag} if guarded else {}
        expected = 404 if record.words is None else 200
        answer = self._ask("PATCH", self._at(record), expected, json={KINDS[record.path]: words}, headers=headers)
        if expected == 200:
            self._became(record, words, answer)

    @rule(record=records)
    def change_what_is_stale(self, record: Record) -> None:
        if record.words is not None and record.old_etags:
            body, headers = {KINDS[record.path]: self._new_words()}, {"If-Match": record.old_etags[-1]}
            self._ask("PATCH", self._at(record), 412, json=body, headers=headers)

    @rule(record=records)
    def delete(self, record: Record) -> None:
        answer = self._ask("DELETE", self._at(record), 404 if record.words is None else 204)
        if record.words is not None:
            record.changes.append(Change(answer.headers["X-Change-Id"], record.words, None))
            record.words = None

    @rule(record=records)
    def undo_the_last_change(self, record: Record) -> None:
        if last := record.last:
            self._ask("POST", f"/v1/changes/{last.id}/undo", 200)
            last.undone, record.words = True, last.before
            self._reread(record)

    @rule(record=records, at=st.integers(0, 20))
    def undo_what_was_built_upon_or_undone(self, record: Record, at: int) -> None:
        known = [change for change in record.changes if change is not record.last]
        if known:
            self._ask("POST", f"/v1/changes/{known[at % len(known)].id}/undo", 409)

    @rule(record=records)
    def read(self, record: Record) -> None:
        answer = self._ask("GET", self._at(record), 404 if record.words is None else 200)
        if record.words is not None:
            assert answer.json()[KINDS[record.path]] == record.words
            assert answer.headers["ETag"] == record.etag

    @invariant()
    def compare_now_and_then(self) -> None:
        if hasattr(self, "client"):
            self.steps += 1
            if self.steps % LOOK_EVERY == 0:
                self.compare()

    def compare(self) -> None:
        """The lists hold exactly what the model does."""
        for path, words in KINDS.items():
            items = self._ask("GET", f"/v1/{path}?limit=200", 200).json()["items"]
            told = {item["id"]: item[words] for item in items}
            assert told == {one.id: one.words for one in self.known if one.path == path and one.words is not None}

    def _made(self, path: str, words: str, answer: httpx.Response) -> Record:
        record = Record(path, answer.json()["id"], words, answer.headers["ETag"])
        record.changes.append(Change(answer.headers["X-Change-Id"], None, words))
        self.known.append(record)
        return record

    def _became(self, record: Record, words: str, answer: httpx.Response) -> None:
        record.changes.append(Change(answer.headers["X-Change-Id"], record.words, words))
        record.old_etags.append(record.etag)
        record.words, record.etag = words, answer.headers["ETag"]

    def _reread(self, record: Record) -> None:
        if record.words is not None:
            record.old_etags.append(record.etag)
            record.etag = self._ask("GET", self._at(record), 200).headers["ETag"]

    def _ask(self, method: str, path: str, expected: int, **more: Any) -> httpx.Response:
        answer = self.client.request(method, path, **more)
        assert answer.status_code == expected, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer

    def _at(self, record: Record) -> str:
        return f"/v1/{record.path}/{record.id}"

    def _new_words(self) -> str:
        self.number = getattr(self, "number", 0) + 1
        return f"thing {self.number}"

    def _body(self, path: str, words: str) -> dict[str, Any]:
        start = FIRST_DAY + timedelta(hours=self.number)
        times = {"start": start.isoformat(), "end": (start + timedelta(minutes=30)).isoformat()}
        return {KINDS[path]: words, **(times if path == "events" else {})}


def campaign(url: str, examples: int, steps: int, number: int, kind: type[Records] = Records) -> None:
    """Raise AssertionError at the first difference, with the shortest way to it that was found."""
    machine = type("Machine", (kind,), {"url": url})
    chosen = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(seed(number)(machine), settings=chosen)


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def main() -> int:
    """One campaign on a server and a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--examples", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    settings = {"SUMMIT_ADMIN_KEY": ADMIN_KEY, "SUMMIT_WORKERS_IN_PROCESS": "false"}
    with tempfile.TemporaryDirectory(prefix="summit-machine-") as folder, running(Path(folder), **settings) as server:
        campaign(server.url, options.examples, options.steps, options.seed)
    sys.stdout.write(f"{options.examples} examples of {options.steps} steps, seed {options.seed}: no difference\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

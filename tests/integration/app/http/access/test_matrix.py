"""Access as a matrix: every route, through its door, by every kind of caller; and every place for an id, with another
user's. A route without a row, and an id that no request tries, fail here.

The second part also runs on a server whose statements have lost their filters: row-level security alone.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from psycopg import sql
from websockets.exceptions import InvalidStatus

from agents.specialists.router import NOT_OPEN
from app.database.database import Database
from app.lifespan import serving
from app.main import State, create_app
from tests.integration.app.http.access.house import House, furnish, head_of
from tests.integration.app.http.access.rows import ASKS, CHOSEN, NAMED, OWN_NAMES, TABLE, Ask
from tests.integration.app.http.access.walk import parameters, places, routes
from tests.support.databases import temporary_database
from tests.support.servers.live import open_socket
from tests.support.servers.live_server import ADMIN_KEY, serve, settings_for
from tests.support.servers.plain import plain_client
from tests.support.unfiltered import UnfilteredDatabase

ROWS = dict(line.rsplit(" ", 1) for line in TABLE.strip().splitlines())
FOLDER = Path(__file__).parents[5] / "agents"
EXCUSED = {
    "POST /lg/runs": {"checkpoint_id", "checkpoint.checkpoint_id"},  # a run without a thread has nothing to go on from
    "POST /lg/runs/wait": {"checkpoint_id", "checkpoint.checkpoint_id"},
    "POST /lg/runs/stream": {"checkpoint_id", "checkpoint.checkpoint_id"},
    "PUT /v1/workflows/{slug}": {"steps[].id"},  # a name inside the document
    "POST /mcp": {"run_workflow.request_id"},  # it waits for the run; the key is that of POST .../runs
    "POST /agui": {"messages[].content[].id", "messages[].subagentRunId"},  # parts that are not read
}
FILTERED = {"GET /v1/changes"}
"""Lists that an id filters: with another's there is nothing in them."""
TELLS_LATER = {"POST /mcp", "POST /agui", "POST /v1/turns"}
"""Doors that answer 200 and say in the body what was refused."""


@dataclass(frozen=True)
class Sent:
    """A request as it is sent, and whose ids it carries."""

    route: str
    path: str
    json: Any
    query: dict[str, str]
    headers: dict[str, str]
    ask: Ask

    def by(self, client: httpx.Client, *, read: bool = True) -> tuple[int, str, httpx.Headers]:
        """Status, what is told at once, and headers; a stream that goes on for ever is left."""
        files, method = self.ask.files, self.route.split(" ")[0]
        body = {"files": files} if files else {"content": self.ask.content} if self.ask.content else {"json": self.json}
        body = {} if body == {"json": None} else body
        told = ""
        with client.stream(method, self.path, params=self.query, headers=self.headers, **body) as answer:
            try:
                for part in answer.iter_text() if read else ():
                    told += part
                    if ": heartbeat" in part or ("event: " in part and method == "GET"):
                        break
            except httpx.HTTPError:
                pass
            return answer.status_code, told, answer.headers


def kind_of(route: str, parameter: str) -> str:
    """What an id in a path names."""
    found = [
        kind
        for key, kind in NAMED.items()
        if route.split(" ")[1].startswith(key.split(" ")[0]) and key.split(" ")[1] == parameter
    ]
    return found[-1] if found else parameter.removesuffix("_id")


def asks_of(route: str) -> list[Ask]:
    return list(ASKS.get(route, [])) or [Ask()]


def kinds_in(route: str, ask: Ask) -> dict[str, str]:
    """Each kind of id in a request, with the parameter of its path if it is one."""
    inner = re.findall(r'"@(\w+)', json.dumps([ask.json, dict(ask.query), dict(ask.headers)]))
    path = {ask.path.get(name) or kind_of(route, name): name for name in parameters(route)}
    return {**dict.fromkeys(inner, ""), **path}


def filled(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, str) and value.startswith("@"):
        kind, _, more = value[1:].partition(":")
        return ids[kind] + more
    if isinstance(value, dict):
        return {name: filled(one, ids) for name, one in value.items()}
    return [filled(one, ids) for one in value] if isinstance(value, list) else value


def request(route: str, ask: Ask, ids: dict[str, str], key: str | None = None) -> Sent:
    path = route.split(" ")[1]
    for name in parameters(route):
        path = path.replace(f"{{{name}}}", ids[ask.path.get(name) or kind_of(route, name)])
    headers = {**filled(dict(ask.headers), ids), **({"Idempotency-Key": key} if key else {})}
    return Sent(route, path, filled(ask.json, ids), filled(dict(ask.query), ids), headers, ask)


def tried_in(value: Any, place: str = "") -> Iterator[str]:
    """The places of a body that hold somebody's id."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from tried_in(one, f"{place}.{name}" if place else name)
    elif isinstance(value, list):
        for one in value:
            yield from tried_in(one, f"{place}[]")
    elif isinstance(value, str) and value.startswith("@"):
        yield place


def test_every_route_has_one_row_and_no_other_has() -> None:
    assert routes() ^ set(ROWS) == set()
    assert set(ASKS) - set(ROWS) == set()


@pytest.mark.parametrize("route", sorted(ROWS))
def test_every_place_for_an_id_is_tried(route: str) -> None:
    tried = {place for ask in asks_of(route) for place in tried_in(ask.json)}
    if route == "POST /mcp":
        called = [ask.json["params"] for ask in asks_of(route)]
        tried = {f"{one['name']}.{name}" for one in called for name in one["arguments"]}
    untried = {place for place in places(route) if not place.startswith("query:")} - tried - EXCUSED.get(route, set())
    assert untried == set(), f"{route}: nobody tries another user's id there; add it to ASKS"
    asked = {f"query:{name}" for ask in asks_of(route) for name in ask.query}
    assert {place for place in places(route) if place.startswith("query:")} <= {"query:cursor", *asked}


@dataclass
class Server:
    """One server with Anna and Ben, who have one of everything each."""

    url: str
    behind: psycopg.Connection[Any]
    admin: httpx.Client
    anna: House
    ben: House
    cursors: dict[str, str] = field(default_factory=dict)

    def rows(self, user: str) -> dict[str, list[Any]]:
        """Everything that is kept of a user."""
        tables = self.behind.execute(
            "select tablename from pg_tables where schemaname = 'summit' and tablename not like 'procrastinate%'"
        ).fetchall()
        query = "select * from summit.{} t where t::text like %s order by t::text"
        return {
            name: self.behind.execute(sql.SQL(query).format(sql.Identifier(name)), (f"%{user}%",)).fetchall()
            for (name,) in tables
        }


@pytest.fixture(scope="module", params=[Database, UnfilteredDatabase], ids=["as it is", "without filters"])
def server(
    request: pytest.FixtureRequest, postgres_url: str, migrated_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with ExitStack() as stack:
        database_url = stack.enter_context(_database(postgres_url, migrated_template))
        settings = settings_for(
            database_url, tmp_path_factory.mktemp("matrix"), project_folders=[FOLDER.parent], llm_retries=0
        )

        @asynccontextmanager
        async def lifespan(_app: Any) -> Any:
            async with serving(settings, lambda _: None, request.param) as services:
                yield State(services=services)

        url = stack.enter_context(serve(create_app(settings, lifespan), settings))
        behind = stack.enter_context(psycopg.connect(database_url, autocommit=True))
        admin = stack.enter_context(_client(url, ADMIN_KEY))
        made = admin.post(
            "/v1/providers", json={"slug": "nobody", "name": "Nobody", "base_url": "http://127.0.0.1:9/v1"}
        )
        assert made.status_code == 201
        houses = [_house(stack, url, admin, behind, name) for name in ("anna", "ben")]
        yield Server(url, behind, admin, houses[0], houses[1])


_database = contextmanager(temporary_database)


def _client(url: str, key: str | None, **headers: str) -> httpx.Client:
    given = {"Authorization": f"Bearer {key}"} if key else {}
    return plain_client(url, {**given, **headers})


def _house(stack: ExitStack, url: str, admin: httpx.Client, behind: psycopg.Connection[Any], name: str) -> House:
    made = admin.post("/v1/users", json={"name": name}).json()
    house = House(stack.enter_context(_client(url, made["api_key"])), made["id"], f"{name}s-marmalade", behind)
    furnish(house, FOLDER)
    return house


def attacks(server: Server) -> Iterator[tuple[str, Sent, bool]]:
    """Ben's requests with one id of Anna's in each place, and with all of them; and whether it may be answered."""
    for route in sorted(ROWS, key=_first):
        for ask in asks_of(route) if not route.startswith("WS") and "token" not in route else []:
            kinds = kinds_in(route, ask)
            for hers in [{kind} for kind in kinds] + ([set(kinds)] if len(kinds) > 1 else []):
                ids = {**server.ben.ids, **{kind: server.anna.ids[kind] for kind in hers}}
                harmless = route in FILTERED or hers <= OWN_NAMES | CHOSEN.get(route, frozenset())
                yield route, request(route, ask, ids, _key(route, ask)), harmless
        if "query:cursor" in places(route) and (cursor := _next(server, route)):
            yield route, _page(route, {"cursor": cursor, "limit": "50"}, server.ben), True


def _first(route: str) -> tuple[bool, bool, str]:
    """What forgets Ben's own things comes late, and last what makes a thing of his under an id of hers."""
    return route in CHOSEN, route.startswith("DELETE"), route


def _key(route: str, ask: Ask) -> str | None:
    """The same Idempotency-Key for everybody."""
    return f"{asks_of(route).index(ask)}-{sorted(ROWS).index(route)}" if route.startswith("POST") else None


def _page(route: str, query: dict[str, str], house: House) -> Sent:
    """A page of a list, with what the list cannot do without."""
    return request(route, Ask(query={**asks_of(route)[0].query, **query}), house.ids)


def _next(server: Server, route: str) -> str | None:
    first = _page(route, {"limit": "1"}, server.anna)
    answer = server.anna.client.get(first.path, params=first.query)
    assert answer.status_code == 200, f"{route}: {answer.text}"
    found: str | None = answer.json()["next"]
    return found


def test_nobody_reaches_anothers_rows_through_any_id(server: Server) -> None:
    before, tried = server.rows(server.anna.user), 0
    assert server.anna.secret in str(before)
    for route, sent, harmless in attacks(server):
        status, told, _ = sent.by(server.ben.client)
        tried += 1
        about = f"{route}: {sent.path} {sent.json} answered {status} {told[:300]}"
        echoes = server.anna.secret in f"{sent.path}{sent.json}"  # a name that was sent may be named in the answer
        assert echoes or server.anna.secret not in told, f"told another user's words; {about}"
        assert status < 500, about
        assert harmless or status >= 400 or (route in TELLS_LATER and refused_inside(told)), f"not refused; {about}"
    assert tried > 150
    after = server.rows(server.anna.user)
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}


def refused_inside(told: str) -> bool:
    bare = told.replace(" ", "")
    return '"isError":true' in bare or "RUN_ERROR" in told or "there is no such" in told or NOT_OPEN in told


CONFLICTS = {409}
AWAY = ("/calendar-accounts", "/calendar-conflicts", "/mail-accounts")
FOUND = {
    "GET /v1/projects/{project_id}/diff": "no such work tree",
    **{route: "" for route in ROWS if any(name in route for name in AWAY)},
}
"""Refusals that tell the owner that the thing itself was found; accounts need a server to answer."""
CONFLICT = "Read the current state, then decide again"
"""What the owner hears of a thing that is there, and that another request of this test has finished already."""


@pytest.mark.parametrize("server", [Database], ids=["as it is"], indirect=True)
def test_the_same_requests_by_their_owner_are_valid(server: Server) -> None:
    """Else the test above would prove nothing: whatever is wrong with a request is refused, too."""
    order = ("GET", "HEAD", "POST", "PATCH", "PUT", "DELETE")
    wrong = {}
    for route in sorted(
        ROWS,
        key=lambda one: (
            (one == "POST /v1/erase", order.index(one.split(" ")[0])) if not one.startswith("WS") else (False, -1)
        ),
    ):
        for ask in asks_of(route) if not route.startswith("WS") and kinds_in(route, asks_of(route)[0]) else []:
            by = server.admin if ROWS[route] == "A" else server.anna.client
            if "checkpoint" in kinds_in(route, ask):
                server.anna.ids["checkpoint"] = head_of(server.anna)
            status, told, headers = request(route, ask, server.anna.ids, _key(route, ask)).by(by)
            if FOUND.get(route, "nothing") in told:
                continue
            if not (status in CONFLICTS or (status < 300 and (not refused_inside(told) or CONFLICT in told))):
                wrong[f"{route} {ask.json}"] = (status, told[:200])
            assert "idempotent-replayed" not in headers, f"{route} gave the answer to another user's request"
    assert wrong == {}, "\n".join(f"{about}: {told}" for about, told in wrong.items())


LG_KEY = "X-Api-Key"
SCOPES = {"r": "read", "w": "write", "a": "admin"}


@dataclass
class Person:
    """A kind of caller: the headers that it sends, its scopes, and whether it is nobody (401) or one of ours."""

    name: str
    headers: dict[str, str] = field(default_factory=dict)
    scopes: str = ""
    known: bool = True
    administrator: bool = False
    client: httpx.Client = field(init=False)

    def refused(self, route: str, needs: str) -> int | None:
        """The status of a refusal; None where it may ask."""
        if needs == "-":
            return None
        if not self.known and not (LG_KEY in self.headers and "/lg/" in route):
            return 401
        if self.administrator:
            return None if "A" in needs else 403
        if self.name == "a session without its token" and not route.startswith(("GET", "HEAD", "WS")):
            return 403
        wanted = set(needs) - {"A"}
        return None if wanted and wanted <= set(self.scopes) else 403


@pytest.fixture(scope="module")
def people(server: Server) -> Iterator[list[Person]]:
    """Every kind of caller, all of a third user who has nothing."""
    made = server.admin.post("/v1/users", json={"name": "cleo"}).json()
    cleo = _client(server.url, made["api_key"])

    def key(scopes: str) -> dict[str, str]:
        body = {"name": scopes, "scopes": [SCOPES[one] for one in scopes]}
        return bearer(str(cleo.post("/v1/keys", json=body).json()["api_key"]))

    revoked = cleo.post("/v1/keys", json={"name": "revoked"}).json()
    cleo.delete(f"/v1/keys/{revoked['id']}")
    expired = cleo.post("/v1/keys", json={"name": "expired"}).json()
    server.behind.execute("update summit.api_keys set expires_at = now() where id = %s", (expired["id"],))
    with plain_client(server.url) as browser:
        signed = browser.post("/session", json={"api_key": made["api_key"]})
        cookie = {"Cookie": f"summit_session={browser.cookies['summit_session']}"}
    origin = {"Origin": server.url}
    found = [Person("/".join(SCOPES[one] for one in scopes), key(scopes), scopes) for scopes in ("r", "w", "a", "rw")]
    cleo.close()
    people = [
        Person("nobody", known=False),
        Person("garbage", bearer("garbage"), known=False),
        Person("an unknown key", bearer(f"sk_summit_{'x' * 43}"), known=False),
        Person("a revoked key", bearer(revoked["api_key"]), known=False),
        Person("an expired key", bearer(expired["api_key"]), known=False),
        Person("another scheme", {"Authorization": f"Basic {made['api_key']}"}, known=False),
        Person("a key in LangGraph's header", {LG_KEY: made["api_key"]}, "rwa", known=False),
        Person("a session without its token", {**cookie, **origin}, "rwa"),
        Person("a session", {**cookie, **origin, "X-CSRF-Token": signed.json()["csrf"]}, "rwa"),
        Person("a stale session", {"Cookie": "summit_session=stale"}, known=False),
        Person("everything", bearer(made["api_key"]), "rwa"),
        Person("the administrator", bearer(ADMIN_KEY), administrator=True),
        *found,
    ]
    with ExitStack() as stack:
        for person in people:
            person.client = stack.enter_context(plain_client(server.url, person.headers))
        yield people


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


LAST = ("POST /v1/erase", "DELETE /session")
EVERY = bool(os.environ.get("SUMMIT_TEST_EVERY_CALLER"))
SOME = 5
"""Callers of each route in `make test`, others for each; `make soak` lets all sixteen ask."""


@pytest.mark.parametrize("server", [Database], ids=["as it is"], indirect=True)
def test_each_route_is_open_to_those_of_its_row_and_closed_to_all_others(server: Server, people: list[Person]) -> None:
    wrong, asked = [], Counter[str]()
    for number, route in enumerate(sorted(set(ROWS) - SESSION, key=lambda one: (one in LAST, one))):
        for person in people if EVERY else islice(cycle(people), number * SOME, (number + 1) * SOME):
            asked[person.name] += 1
            status, expected = status_of(server, route, person), person.refused(route, ROWS[route])
            if (status in (401, 403)) != (expected is not None) or (expected or status) != status or status >= 500:
                wrong.append(f"{route} by {person.name}: {status}, expected {expected or 'an answer'}")
    assert wrong == []
    assert min(asked[person.name] for person in people) >= SOME
    assert asked.total() == len(set(ROWS) - SESSION) * (len(people) if EVERY else SOME)


SESSION = {"GET /session", "DELETE /session"}
"""What a browser asks who it is: tests/integration/app/http/test_sessions.py."""


def status_of(server: Server, route: str, person: Person) -> int:
    """What a valid request is answered, with ids that nobody has: who may not ask learns nothing of them either."""
    if route.startswith("WS"):
        try:
            with open_socket(server.url, additional_headers=person.headers):
                return 200
        except InvalidStatus as refused:
            return refused.response.status_code
    nowhere = {**{kind: str(uuid4()) for kind in server.ben.ids}, **NOWHERE, "folder": str(FOLDER)}
    ask = asks_of(route)[0]
    if person.refused(route, ROWS[route]) is None and person.scopes not in ("rwa", ROWS[route].removesuffix("A"), ""):
        ask = Ask(path=ask.path)  # it may more than it has to: that it is let in shows without doing it once more
    sent = request(route, ask, nowhere)
    return sent.by(person.client, read=False)[0]


NOWHERE = {"provider": "nowhere", "capability": "chat", "model": "nowhere", "agent": "nowhere", "assistant": "nowhere"}

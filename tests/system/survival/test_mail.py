"""kill -9 while mail that its user said yes to is being sent: it goes out at most once, and doubt is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest

from app.work.mail.jobs import QUEUE, SEND_MAIL
from app.work.mail.store.outgoing import WITHOUT_JOB
from tests.support.peers.mailservers import PASSWORD, USER, PostOffice, post_office
from tests.support.waiting import HANG_SECONDS, wait_until
from tests.survival.fleet import CLIENT, MortalServer, database_url, last_server, mortal
from tests.survival.flows import until

JOBS = "select count(*) from procrastinate_jobs where queue_name = %s and task_name like %s"
SEND = {"id": "send", "kind": "mail_send", "account": "work", "to": ["bob@example.org"], "text": "Is it ready?"}
CUT_SHORT = "The server was stopped while it was being sent."


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PostOffice]:
    with post_office(tmp_path_factory.mktemp("post")) as found:
        yield found


@pytest.fixture(scope="module")
def settings(office: PostOffice) -> dict[str, str]:
    return {"SUMMIT_ALLOWED_NETWORKS": '["127.0.0.0/8", "::1/128"]', "SUMMIT_MAIL_CA_FILE": str(office.authority)}


@pytest.fixture(scope="module")
def data_dir(settings: dict[str, str], office: PostOffice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with a mail account, whose database a server keeps up that leaves all jobs to those that die."""
    folder = tmp_path_factory.mktemp("mail") / "data"
    with last_server(folder, SUMMIT_WORKERS_IN_PROCESS="false", **settings) as server:
        smtp = {"host": "localhost", "port": office.smtp_port, "security": "starttls"}
        body = {"name": "work", "address": USER, "password": PASSWORD, "smtp": smtp}
        connected = CLIENT.post(f"{server.url}/v1/mail-accounts", json=body)
        assert connected.status_code == 201, connected.text
        yield folder


def held(url: str) -> str:
    """The id of one mail that a workflow wrote."""
    flow = {"slug": "ask", "name": "Ask", "steps": [{**SEND, "subject": f"About {uuid4()}"}]}
    assert CLIENT.put(f"{url}/v1/workflows/ask", json=flow).status_code == 200
    run = CLIENT.post(f"{url}/v1/workflows/ask/runs", json={"inputs": {}}).headers["location"]
    ended = until(lambda: CLIENT.get(f"{url}{run}").json(), lambda found: found["finished_at"])
    assert ended["status"] == "done", ended
    return str(ended["steps"][0]["details"]["mail_id"])


def approve(url: str, mail: str) -> None:
    """A yes, whose answer is lost where the server dies first."""
    with contextlib.suppress(httpx.HTTPError):
        CLIENT.post(f"{url}/v1/outgoing-mail/{mail}/approve", headers={"Idempotency-Key": str(uuid4())})


def settled(server: MortalServer, mail: str) -> dict[str, Any]:
    """The mail once nothing is to be done: no job is left, and nobody would find one to be missing."""
    read = f"{server.url}/v1/outgoing-mail/{mail}"
    until(lambda: CLIENT.get(read).json(), lambda one: one["status"] in ("sent", "failed", "unknown"))
    with psycopg.connect(database_url(server.data_dir), autocommit=True) as conn:
        conn.execute("set search_path = summit, public")
        wait_until(lambda: conn.execute(JOBS, (QUEUE, f"%{SEND_MAIL}")).fetchone() == (0,), "a job is left")
        assert conn.execute(WITHOUT_JOB, (100,)).fetchall() == []
    return dict(CLIENT.get(read).json())


@pytest.mark.parametrize(
    ("boundary", "status", "times"),
    [
        ("Outbox.claim commit", "sent", 1),  # nothing began
        ("Outbox.claim after", "unknown", 0),  # it was about to be handed over
        ("Outbox.end commit", "unknown", 1),  # the mail server has it, and nobody wrote that down
    ],
)
def test_mail_cut_by_a_kill_goes_out_at_most_once(
    boundary: str, status: str, times: int, data_dir: Path, settings: dict[str, str], office: PostOffice
) -> None:
    office.came.clear()
    with mortal(data_dir, **settings) as server:
        mail = held(server.url)
        server.trap(boundary)
        approve(server.url, mail)
        server.process.wait(HANG_SECONDS)
    with mortal(data_dir, **settings) as server:
        found = settled(server, mail)
        told = CLIENT.get(f"{server.url}/v1/notifications", params={"limit": 200}).json()["items"]
        asked = [one for one in told if one["record_id"] == mail and one["text"].startswith("Nobody knows whether")]
        if status == "unknown":  # and only a yes of its user repeats it
            approve(server.url, mail)
            assert settled(server, mail)["status"] == "sent"
    assert (found["status"], found["message"]) == (status, CUT_SHORT if status == "unknown" else "")
    assert len(asked) == (status == "unknown")
    assert len(office.came) == times + (status == "unknown")

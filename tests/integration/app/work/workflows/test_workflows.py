"""Workflows over HTTP: written, run by name, by words, by a memo and by a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.cli.main import main
from tests.support.databases import temporary_database
from tests.support.servers.api import problem
from tests.support.servers.hurried import hurried
from tests.support.servers.live_server import ADMIN_KEY, live_server, settings_for
from tests.support.servers.plain import plain_client
from tests.support.servers.tools import call, over_http, refused
from tests.support.servers.workflows import ended, latest, outputs, run, starter, tasks, told, until, written

MEMO = "In the meeting with Dora we said that the roof of the barn costs 4,200 euros."
BORROWED = ["yes", "undo that", "work on my taxes until they are done", "approve it", "always add milk to every list"]
REVIEW = "FREQ=WEEKLY;BYDAY=SU;BYHOUR=18;BYMINUTE=0"


@pytest.fixture(scope="module")
def database(postgres_url: str, migrated_template: str) -> Iterator[str]:
    yield from temporary_database(postgres_url, migrated_template)


@pytest.fixture(scope="module")
def base(database: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with its jobs beside it and no model."""
    folder = tmp_path_factory.mktemp("workflows")
    settings = settings_for(database, folder, workers_in_process=True)
    with live_server(settings) as found, hurried(database):
        yield found


@pytest.fixture
def user(base: str) -> Iterator[httpx.Client]:
    with plain_client(base, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "Alice"}).json()["api_key"]
    with plain_client(base, {"Authorization": f"Bearer {key}"}) as client:
        yield client


def remembered(user: httpx.Client, memo: str = MEMO) -> None:
    """A memo that can be found."""
    assert user.post("/v1/memos", json={"transcript": memo}).status_code == 201
    until(lambda: user.get("/v1/memory").json(), lambda found: found["units"] and not found["waiting"])


def test_steps_use_what_came_before_and_a_message_acts(user: httpx.Client) -> None:
    written(
        user,
        "buy-things",
        {"id": "add", "kind": "turn", "message": "add {{inputs.thing}} to my tasks"},
        {"id": "told", "kind": "condition", "value": "{{steps.add}}", "test": "contains", "words": "ADDED"},
        {"id": "tell", "kind": "notify", "text": "Done: {{steps.add}}"},
        inputs=["thing"],
    )
    found = run(user, "buy-things", thing="buy milk")
    assert found["status"] == "done"
    assert found["message"] == ""
    assert tasks(user) == ["buy milk"]
    added, held, telling = outputs(found)
    assert (added.startswith("Added “buy milk”"), held, telling) == (True, "yes", f"Done: {added}")
    [change] = user.get("/v1/changes").json()["items"]
    assert found["steps"][0]["details"]["turn_id"] == change["turn_id"]
    assert told(user) == [("workflow", "Buy things", f"Done: {added}")]


def test_a_condition_that_does_not_hold_ends_it(user: httpx.Client) -> None:
    written(
        user,
        "empty",
        {"id": "any", "kind": "condition", "value": "{{inputs.thing}}", "test": "is_not_empty"},
        {"id": "add", "kind": "turn", "message": "add {{inputs.thing}}"},
        inputs=["thing"],
    )
    found = run(user, "empty", thing=" ")
    assert (found["status"], outputs(found)) == ("done", ["no"])
    assert found["message"] == "It ended at step any, whose condition did not hold."
    assert tasks(user) == []


def test_what_other_steps_said_waits_for_a_yes_unless_the_step_may_act(user: httpx.Client) -> None:
    remembered(user, "The roof of the barn costs 4,200 euros.")
    ask = {"id": "ask", "kind": "memory_query", "question": "What does the roof of the barn cost?"}
    add = {"id": "add", "kind": "turn", "message": "note that {{steps.ask}}"}
    written(user, "careful", ask, add)
    found = run(user, "careful")
    assert found["status"] == "done"
    assert found["steps"][1]["details"]["waits"] is True
    assert "These words may not be your own: keep" in outputs(found)[1]
    assert notes(user) == []
    path = f"/v1/turns/{found['steps'][1]['details']['turn_id']}/confirm"
    assert user.post(path, json={"accept": True}).status_code in (200, 201, 202)
    until(lambda: notes(user), lambda found: found)
    [note] = notes(user)
    user.delete(f"/v1/notes/{note['id']}")
    written(user, "bold", ask, {**add, "act": True})
    assert run(user, "bold")["steps"][1]["details"]["waits"] is False
    assert len(notes(user)) == 1


def notes(user: httpx.Client) -> list[dict[str, Any]]:
    return list(user.get("/v1/notes").json()["items"])


def test_borrowed_words_answer_nothing_take_nothing_back_and_begin_no_work(user: httpx.Client) -> None:
    user.post("/v1/instructions", json={"text": "always ask me before adding tasks"})
    asked = user.post("/v1/turns", json={"text": "add buy ink"}).json()
    assert asked["status"] == "waiting"
    user.post("/v1/notes", json={"content": "the code of the shed is 1234"})
    before = user.get("/v1/changes").json()["items"]
    written(user, "relay", {"id": "say", "kind": "turn", "message": "{{inputs.memo_text}}"}, trigger={"kind": "memo"})
    for said in BORROWED:
        assert user.post("/v1/memos", json={"transcript": said}).status_code == 201
    runs = until(
        lambda: user.get("/v1/workflows/relay/runs").json()["items"],
        lambda found: len(found) == len(BORROWED) and all(one["finished_at"] for one in found),
    )
    assert {one["origin"] for one in runs} == {"memo"}
    after = user.get("/v1/changes").json()["items"]
    applied = [one for one in after if one["status"] == "applied" and one["kind"] != "memo"]
    assert applied == [one for one in before if one["status"] == "applied"]
    assert user.get("/v1/runs").json()["items"] == []
    assert len(user.get("/v1/instructions").json()["items"]) == 1


def test_ask_my_memory_gives_the_same_citations_by_name_by_words_and_to_a_memo(user: httpx.Client) -> None:
    remembered(user)
    starter(user, "ask-my-memory")
    question = "What does the roof of the barn cost?"
    by_name = run(user, "ask-my-memory", question=question)
    cited = by_name["steps"][0]["details"]["citations"]
    assert [one["quote"] for one in cited] == [MEMO]
    said = user.post("/v1/turns", json={"text": f"run ask my memory: {question}"}).json()
    assert said["reply"] == "I run “Ask my memory” now and tell you what comes of it."
    until(lambda: user.get("/v1/workflows/ask-my-memory/runs").json()["items"], lambda found: len(found) == 2)
    both = user.get("/v1/workflows/ask-my-memory/runs").json()["items"]
    [by_words] = [one for one in both if one["origin"] == "words"]
    ended_by_words = ended(user, f"/v1/workflows/ask-my-memory/runs/{by_words['id']}")
    assert ended_by_words["steps"][0]["details"]["citations"] == cited
    assert told(user) == [("workflow", "Ask my memory", ended_by_words["steps"][0]["output"])]
    ask = {"id": "answer", "kind": "memory_query", "question": "What does the roof of the barn cost?"}
    written(user, "at-a-memo", ask, trigger={"kind": "memo", "words": ["shopping"]})
    user.post("/v1/memos", json={"transcript": "Shopping: bread and cheese."})
    assert latest(user, "at-a-memo")["steps"][0]["details"]["citations"] == cited


async def test_mcp_runs_it_with_the_same_citations(user: httpx.Client) -> None:
    remembered(user)
    starter(user, "ask-my-memory")
    question = "What does the roof of the barn cost?"
    by_name = run(user, "ask-my-memory", question=question)
    wanted = {"name": "Ask my memory", "inputs": {"question": question}, "request_id": "once"}
    async with over_http(user) as mcp:
        first, again = [await call(mcp, "run_workflow", **wanted) for _ in range(2)]
        assert first == again
        assert first["steps"][0]["details"]["citations"] == by_name["steps"][0]["details"]["citations"]
        told = "there is no workflow of that name; there are: ask-my-memory"
        assert told in await refused(mcp, "run_workflow", name="nothing")


def test_words_that_name_no_workflow_are_read_as_ever(user: httpx.Client) -> None:
    starter(user, "weekly-review")
    for said, reply in (("run my weekly review", "I run “Weekly review” now"), ("add run the dishwasher", "Added")):
        answer = user.post("/v1/turns", json={"text": said}).json()
        assert answer["reply"].startswith(reply), answer["reply"]
    starter(user, "ask-my-memory")
    answer = user.post("/v1/turns", json={"text": "run ask my memory"}).json()
    assert answer["reply"].startswith("“Ask my memory” has to be given: question.")


def test_a_workflow_that_says_its_own_name_does_not_run_for_ever(user: httpx.Client) -> None:
    written(user, "loop", {"id": "again", "kind": "turn", "message": "run loop"})
    found = run(user, "loop")
    assert outputs(found)[0].startswith("I did not begin “Loop”: a workflow said so")
    assert len(user.get("/v1/workflows/loop/runs").json()["items"]) == 1
    said = user.post("/v1/turns", json={"text": "run loop"}).json()
    assert said["reply"] == "I run “Loop” now and tell you what comes of it."


def test_a_schedule_starts_it_once_and_what_was_missed_is_made_up_for_once(user: httpx.Client, database: str) -> None:
    kept = written(
        user,
        "review",
        {"id": "due", "kind": "turn", "message": "add water the plants"},
        trigger={"kind": "schedule", "rule": REVIEW},
    )
    assert kept["next_at"] is not None
    assert "18:00:00" in kept["next_at"]
    assert user.patch("/v1/settings", json={"timezone": "Asia/Kolkata"}).status_code == 200
    assert "12:30:00Z" in user.get("/v1/workflows/review").json()["next_at"]
    assert user.patch("/v1/settings", json={"timezone": "Europe/Lisbon"}).status_code == 200
    with psycopg.connect(database) as behind:
        behind.execute("update summit.workflows set next_at = now() - interval '3 weeks' where slug = 'review'")
    found = latest(user, "review")
    assert (found["status"], found["origin"]) == ("done", "schedule")
    assert tasks(user) == ["water the plants"]
    assert user.get("/v1/workflows/review").json()["next_at"] == kept["next_at"]
    assert [one[:2] for one in told(user)] == [("workflow", "Review")]


def test_steps_that_fail_are_tried_again_and_told(user: httpx.Client) -> None:
    ask = {"id": "ask", "kind": "model", "prompt": "Say something"}
    written(user, "model", ask, {"id": "add", "kind": "turn", "message": "add buy milk"})
    found = run(user, "model")
    assert (found["status"], [one["state"] for one in found["steps"]]) == ("failed", ["failed"])
    assert found["message"].startswith("Step ask: this step needs a language model")
    assert tasks(user) == []
    written(user, "model", {**ask, "on_failure": "continue"}, {"id": "add", "kind": "turn", "message": "add buy milk"})
    found = run(user, "model")
    assert (found["status"], [one["state"] for one in found["steps"]]) == ("done", ["failed", "done"])
    assert tasks(user) == ["buy milk"]
    absent = {"id": "look", "kind": "mcp_tool", "server": "weather", "tool": "now", "retries": 1}
    written(user, "tool", absent)
    found = run(user, "tool")
    assert found["message"] == "Step look: there is no tool now of the server weather: it is not offered to you"
    assert found["steps"][0]["attempt"] == 2


def test_bad_definitions_and_inputs_are_refused_with_the_way_out(user: httpx.Client) -> None:
    step = {"id": "say", "kind": "turn", "message": "add {{inputs.thing}}"}
    body = {"slug": "one", "name": "One", "steps": [step]}
    told = problem(user.put("/v1/workflows/one", json=body), 422)["detail"]
    assert told == "step say: there is no {{inputs.thing}} before it; known there: none"
    told = problem(user.put("/v1/workflows/one", json={**body, "steps": [{}, {"kind": "fly"}]}), 422)["detail"]
    assert told.startswith("steps.0: 'kind' is missing; steps.1: 'kind' must be one of 'memory_query', 'model'")
    body["inputs"] = ["thing"]
    assert problem(user.put("/v1/workflows/two", json=body), 422)["detail"].startswith("slug:")
    assert problem(user.put("/v1/workflows/Two", json={**body, "slug": "Two"}), 404)
    assert user.put("/v1/workflows/one", json=body).status_code == 200
    missing = problem(user.post("/v1/workflows/one/runs", json={}), 422)
    assert (missing["detail"], missing["hint"]) == ("inputs: thing is missing.", "It wants thing.")
    more = {"inputs": {"thing": "a", "other": "b"}}
    assert problem(user.post("/v1/workflows/one/runs", json=more), 422)["detail"] == "inputs: it takes no other."
    problem(user.post("/v1/workflows/nothing/runs", json={}), 404)
    assert user.delete("/v1/workflows/one").status_code == 204
    problem(user.get("/v1/workflows/one"), 404)
    problem(user.delete("/v1/workflows/one"), 404)


def test_a_stopped_user_starts_nothing_and_a_run_can_be_cancelled(user: httpx.Client, database: str) -> None:
    written(user, "slow", {"id": "add", "kind": "turn", "message": "add buy milk"})
    user.put("/v1/runs/switch", json={"engaged": True})
    problem(user.post("/v1/workflows/slow/runs", json={}), 409)
    user.put("/v1/runs/switch", json={"engaged": False})
    within = "-c search_path=summit"
    with psycopg.connect(database, options=within) as behind:  # its job waits, so no worker comes by
        [(made,)] = behind.execute(
            """insert into workflow_runs (user_id, id, slug, definition, origin)
               select user_id, gen_random_uuid(), slug, definition, 'request' from workflows
               where slug = 'slow' returning id"""
        ).fetchall()
        [(waiting,)] = behind.execute(
            """insert into procrastinate_jobs (queue_name, task_name, lock, scheduled_at)
               values ('nobody', 'nothing', %s, now() + interval '1 day') returning id""",
            [f"workflow:{made}"],
        ).fetchall()
    path = f"/v1/workflows/slow/runs/{made}"
    assert user.post(f"{path}/cancel").status_code == 200
    with psycopg.connect(database, options=within) as behind:
        behind.execute("delete from procrastinate_jobs where id = %s", [waiting])
    found = ended(user, path)
    assert (found["status"], found["message"], found["steps"]) == ("cancelled", "It was stopped before step add.", [])
    assert tasks(user) == []


def test_others_see_nothing_of_it(user: httpx.Client, base: str) -> None:
    written(user, "mine", {"id": "add", "kind": "turn", "message": "add buy milk"})
    found = run(user, "mine")
    with plain_client(base, {"Authorization": f"Bearer {ADMIN_KEY}"}) as admin:
        key = admin.post("/v1/users", json={"name": "Bob"}).json()["api_key"]
    with plain_client(base, {"Authorization": f"Bearer {key}"}) as bob:
        assert bob.get("/v1/workflows").json()["items"] == []
        problem(bob.get("/v1/workflows/mine"), 404)
        problem(bob.get(f"/v1/workflows/mine/runs/{found['id']}"), 404)
        problem(bob.post(f"/v1/workflows/mine/runs/{found['id']}/cancel"), 404)
        assert bob.get("/v1/workflows/mine/runs").json()["items"] == []


def test_what_a_workflow_says_is_not_remembered_as_its_users_words(user: httpx.Client) -> None:
    remembered(user)
    written(user, "plants", {"id": "add", "kind": "turn", "message": "add a task: water the ferns in the cellar"})
    run(user, "plants")
    user.post("/v1/turns", json={"text": "I saw Dora at the harbour"})
    found = until(
        lambda: user.post("/v1/memory/search", json={"query": "ferns cellar harbour"}).json()["items"],
        lambda results: any("harbour" in one["quote"] for one in results),
    )
    assert not any("ferns" in one["quote"] for one in found)


def test_the_commands_keep_show_and_run_it(
    user: httpx.Client, base: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def summit(*words: str) -> tuple[int, str]:
        key = user.headers["authorization"].removeprefix("Bearer ")
        status = main(["workflows", *words, "--url", base, "--key", key])
        said = capsys.readouterr()
        return status, said.out + said.err

    remembered(user)
    assert "weekly-review  Weekly review  not yours yet" in summit("list")[1]
    assert summit("add", "ask-my-memory") == (0, "ask-my-memory is kept. Run it: summit workflows run ask-my-memory\n")
    status, told = summit("run", "ask-my-memory", "question=What does the roof of the barn cost?")
    assert (status, "4,200 euros" in told) == (0, True)
    status, told = summit("run", "ask-my-memory")
    assert (status, "inputs: question is missing. It wants question." in told) == (1, True)
    shown = summit("show", "ask-my-memory")[1]
    (tmp_path / "again.yaml").write_text(shown.replace("ask-my-memory", "again"))
    assert summit("add", str(tmp_path / "again.yaml"))[0] == 0
    (tmp_path / "again.yaml").write_text("steps: [")
    assert "is neither YAML nor JSON" in summit("add", str(tmp_path / "again.yaml"))[1]
    assert "cannot be read, and no workflow to begin with has that name" in summit("add", "nothing")[1]
    assert "done  request" in summit("history", "ask-my-memory")[1]
    assert summit("remove", "again") == (0, "again is forgotten.\n")
    assert "GET /v1/workflow-starters" in summit("show", "again")[1]


def test_tomorrow_is_the_day_after_the_memo_was_spoken(user: httpx.Client) -> None:
    add = {"id": "add", "kind": "turn", "message": "add {{inputs.memo_text}}", "act": True}
    written(user, "relay", add, trigger={"kind": "memo"})
    spoken = {"captured_at": "2026-11-10T23:30:00+09:00", "timezone": "Asia/Tokyo"}
    user.post("/v1/memos", json={"transcript": "buy ink tomorrow", **spoken})
    assert latest(user, "relay")["status"] == "done"
    [task] = user.get("/v1/todos").json()["items"]
    assert (task["task"], task["deadline"], task["zone"]) == ("buy ink", "2026-11-11", "Asia/Tokyo")

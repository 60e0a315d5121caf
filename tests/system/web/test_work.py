"""Work in a browser: a run from its goal to its result, what it asks, and folders of code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from app.work.projects.git import git
from tests.support.databases import temporary_database
from tests.support.fakes import Call, ScriptedModelServer
from tests.support.runs.following import following
from tests.support.runs.yard import agent_program, repository
from tests.support.servers.api import PROJECTS
from tests.support.servers.live_server import live_server, settings_for
from tests.system.web.conftest import PHONE, Visitor, becomes

NewContext = Callable[..., Any]


@pytest.fixture(scope="module")
def models() -> Iterator[ScriptedModelServer]:
    with ScriptedModelServer() as server:
        yield server


@pytest.fixture(scope="module")
def folder_of_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("code")


@pytest.fixture(scope="module")
def office(
    chromium: str,
    postgres_url: str,
    migrated_template: str,
    tmp_path_factory: pytest.TempPathFactory,
    models: ScriptedModelServer,
    folder_of_code: Path,
) -> Iterator[str]:
    """A keyless server with a model, its jobs beside it, and a folder for projects."""
    for database in temporary_database(postgres_url, migrated_template):
        settings = settings_for(
            database,
            tmp_path_factory.mktemp("work"),
            workers_in_process=True,
            llm_base_url=models.base_url,
            llm_model="scripted",
            llm_api_key="x",
            project_folders=[PROJECTS, folder_of_code],
            agents_unconfined=True,
        )
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("PATH", agent_program(tmp_path_factory.mktemp("bin")))
            with live_server(settings) as url:
                yield url


def opened(new_context: NewContext, office: str, **options: Any) -> Any:
    page = new_context(**options).new_page()
    page.goto(f"{office}/#work")
    page.wait_for_selector("#runs h2")
    return page


def test_a_run_asks_is_answered_and_ends(office: str, models: ScriptedModelServer, new_context: NewContext) -> None:
    models.script(
        "/chat/completions",
        following(Call("ask_user", {"question": "Which roof?"}), Call("finish", {"answer": "The barn's roof it is."})),
    )
    page = opened(new_context, office)
    page.get_by_label("A goal").fill("find a roofer")
    page.get_by_role("button", name="Start").click()
    row = page.locator("[data-run]", has_text="find a roofer")
    expect(row).to_contain_text("Asks you")
    row.get_by_label("Which roof?").fill("the barn's")
    row.get_by_role("button", name="Answer").click()
    expect(row).to_contain_text("The barn's roof it is.")
    expect(row).to_contain_text("Done")
    row.get_by_text("What it did").click()
    expect(row.locator(".trace li").first).to_contain_text("find a roofer")


def test_what_a_run_learned_is_shown_put_into_own_words_and_forgotten(
    office: str, models: ScriptedModelServer, new_context: NewContext
) -> None:
    learned = Call("finish", {"answer": "Ann does roofs.", "learned": ["Ann repairs roofs in Evora."]})
    models.script("/chat/completions", following(learned))
    page = opened(new_context, office)
    page.get_by_label("A goal").fill("find somebody for slates")
    page.get_by_role("button", name="Start").click()
    row = page.locator("[data-lesson]", has_text="Ann repairs roofs in Evora.")
    expect(row).to_contain_text("Found out")
    row.get_by_role("button", name="Edit: Ann repairs").click()
    page.get_by_label("In your own words").fill("Ann repairs roofs in Beja.")
    page.get_by_role("button", name="Keep it").click()
    row = page.locator("[data-lesson]", has_text="Ann repairs roofs in Beja.")
    expect(row).to_contain_text("in your words")
    row.get_by_role("button", name="Forget: Ann").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    expect(row).to_have_count(0)
    page.reload()
    expect(page.locator("#lessons [data-lesson]").first).to_contain_text("find somebody for slates")
    expect(row).to_have_count(0)


def test_all_runs_are_stopped_and_allowed_again(
    office: str, models: ScriptedModelServer, new_context: NewContext
) -> None:
    models.script("/chat/completions", following(Call("ask_user", {"question": "How long?"})))
    page = opened(new_context, office)
    page.get_by_label("A goal").fill("wait for me")
    page.get_by_role("button", name="Start").click()
    row = page.locator("[data-run]", has_text="wait for me")
    expect(row).to_contain_text("Asks you")
    page.get_by_role("button", name="Stop everything").click()
    expect(page.locator("#runs")).to_contain_text("All your runs are stopped.")
    page.get_by_role("button", name="Allow runs again").click()
    expect(page.get_by_text("All your runs are stopped.")).to_be_hidden()


def test_a_folder_of_code_is_registered_and_forgotten(office: str, new_context: NewContext) -> None:
    page = opened(new_context, office, viewport=PHONE)
    page.get_by_label("A folder on the server's machine").fill(f"{PROJECTS}/turns")
    page.get_by_role("button", name="Register").click()
    row = page.locator("#code .item", has_text="turns")
    expect(row).to_contain_text("Python 100 %")
    row.get_by_role("button", name="Forget: turns").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    expect(page.locator("#code")).to_contain_text("No folders of code are registered.")
    page.get_by_label("A folder on the server's machine").fill(str(Path(PROJECTS).parents[1]))
    page.get_by_role("button", name="Register").click()
    expect(page.locator(".toast")).to_contain_text("SUMMIT_PROJECT_FOLDERS")


def test_work_on_a_project_is_agreed_on_followed_and_published(
    office: str, folder_of_code: Path, new_context: NewContext
) -> None:
    repository(folder_of_code / "garden")
    page = opened(new_context, office)
    page.get_by_label("A folder on the server's machine").fill(str(folder_of_code / "garden"))
    page.get_by_role("button", name="Register").click()
    project = page.locator("[data-project]", has_text="garden")
    project.get_by_text("Build something").click()
    project.get_by_label("What to build").fill("mend the roof")
    project.get_by_role("button", name="Begin").click()
    row = page.locator("[data-run]", has_text="mend the roof")
    requirements = row.get_by_label("Requirements")
    expect(requirements).to_have_value(re.compile("mend the roof"))
    requirements.fill("Mend the roof. No ladders.")
    row.get_by_role("button", name="Build it").click()
    expect(row.get_by_role("button", name="Publish it")).to_be_visible()
    first = row.locator("[data-phase=phase-1]")
    expect(first).to_have_attribute("data-state", "done")
    expect(first).to_contain_text("Mend the roof round 2")
    expect(first).to_contain_text("Its checks failed")
    expect(first).to_contain_text("Checks passed: python3 -m pytest -q")
    expect(first).to_contain_text("Approved")
    expect(row.get_by_role("log")).to_contain_text("says Built.")
    expect(row.get_by_role("log")).to_contain_text("verdict done: It reported its result.")
    row.get_by_role("button", name="Show what it changes").click()
    expect(row.locator(".diff .plus", has_text="return a * b")).to_be_visible()
    tree = project.locator("li", has_text="summit/mend-the-roof")
    project.get_by_text("Work trees").click()
    expect(tree).to_contain_text("not merged")
    expect(tree).not_to_contain_text("nothing works in it")
    row.get_by_role("button", name="Publish it").click()
    expect(row).to_contain_text("Done")
    expect(row.locator("[data-phase=publish]")).to_contain_text("patch")
    for _ in range(2):
        project.get_by_text("Work trees").click()
    expect(tree).to_contain_text("nothing works in it")
    assert git(folder_of_code / "garden", "status", "--porcelain") == ""


def test_without_a_model_the_cure_is_said(visitor: Visitor) -> None:
    page = visitor.open("work")
    page.get_by_label("A goal").fill("find a roofer")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".toast")).to_contain_text("summit setup --provider")


def test_a_workflow_is_added_run_and_read(visitor: Visitor) -> None:
    visitor.api.post("/v1/memos", json={"transcript": "The roofer wants four thousand euros."})
    page = visitor.open("work")
    page.get_by_role("button", name="Add: Ask my memory").click()
    row = page.locator("[data-workflow=ask-my-memory]")
    row.get_by_label("question").fill("What does the roofer want?")
    row.get_by_role("button", name="Run: Ask my memory").click()
    expect(row.locator("[data-run]")).to_contain_text("Done")
    expect(row.locator("[data-run]")).to_contain_text("by hand")
    becomes(lambda: visitor.api.get("/v1/workflows/ask-my-memory/runs").json()["items"][0]["status"], "done")
    assert page.faults == []


def test_a_workflow_is_written_and_a_wrong_one_is_refused_in_words(visitor: Visitor) -> None:
    page = visitor.open("work")
    page.get_by_role("button", name="Write one").click()
    form = page.get_by_role("dialog")
    right = form.get_by_label("Its definition").input_value()
    form.get_by_label("Its definition").fill(right.replace("{{steps.plan}}", "{{steps.nothing}}"))
    form.get_by_role("button", name="Keep it").click()
    expect(form.get_by_role("alert")).to_contain_text("steps.nothing")
    form.get_by_label("Its definition").fill(right)
    form.get_by_role("button", name="Keep it").click()
    row = page.locator("[data-workflow=morning]")
    expect(row).to_contain_text("every day at 08:00")
    row.get_by_role("button", name="More: My morning").click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    becomes(visitor.read("/v1/workflows", "items"), [])

"""Goals from end to end: recorded honest answers of a model, the real tools, and what is there in the end."""

from __future__ import annotations

import json
import re
from datetime import datetime
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from agents.contract import Citation, Proposal
from agents.ports import Batch
from agents.records import Kind
from app.http.accounts.store.users import Users
from app.models.model.thinking import Thought, ToolCall
from app.records.store.ledger import PostgresLedger
from app.work.runs.tools.web import WebTools
from tests.integration.app.work.runs.test_injections import Pages
from tests.support.ledgers import LISBON, NOW
from tests.support.runs.desk import Desk, Script, call, finish


def put(desk: Desk, **files: str) -> None:
    desk.files.mkdir()
    for name, content in files.items():
        (desk.files / f"{name}.txt").write_text(content)


async def test_research_over_memos_names_its_sources(desk: Desk) -> None:
    said = "The roofer wants 4,200 euros for the north side."
    desk.memory.citations = [
        Citation(source="memo", id="m1", start_char=0, end_char=len(said), quote=said, captured_at=NOW)
    ]
    desk.script = Script(
        call("search_memory", query="roof"),
        call("write_file", path="roof.txt", content="4,200 euros for the north side (memo m1)"),
        finish("The roofer wants 4,200 euros (memo m1)."),
    )
    run = await desk.done("Research what my memos say about the roof")
    assert run.stop_reason == "goal_achieved"
    assert said in str(desk.script.asked[1])
    assert (desk.files / "roof.txt").read_text().endswith("(memo m1)")
    assert (run.result or {})["tainted_by"] == "search_memory"


async def test_tidying_a_folder(desk: Desk) -> None:
    put(desk, bill="1", letter="2")
    desk.script = Script(
        call("list_files", path=""),
        call("move_file", source="bill.txt", target="money/bill.txt"),
        call("move_file", source="letter.txt", target="letters/letter.txt"),
        finish("Two files are in folders of their own."),
    )
    run = await desk.done("Tidy my folder")
    assert len((run.result or {})["done"]) == 2
    assert sorted(str(path.relative_to(desk.files)) for path in desk.files.rglob("*.txt")) == [
        "letters/letter.txt",
        "money/bill.txt",
    ]


async def test_a_trip_of_three_cities_after_one_yes(desk: Desk) -> None:
    cities = ("Porto", "Lisbon", "Faro")
    days = [
        call("change_record", op="create", kind="event", fields={"title": city, "start": f"2027-05-0{day}"})
        for day, city in enumerate(cities, 1)
    ]
    desk.script = Script(call("ask_user", question="From 1 May: shall I?"), *days, finish("Booked."))
    run_id = await desk.start("Plan a trip to Porto, Lisbon and Faro")
    await desk.work_off()
    assert await desk.stored("event") == []
    run = await desk.decide(run_id, "responded", text="yes")
    assert run.stop_reason == "goal_achieved"
    assert sorted(event["title"] for event in await desk.stored("event")) == sorted(cities)


async def test_a_step_that_fails_is_repaired(desk: Desk) -> None:
    put(desk, notes="the code is 1234")
    desk.script = Script(
        call("read_file", path="note.txt"),
        call("list_files", path=""),
        call("read_file", path="notes.txt"),
        finish("The code is 1234 (notes.txt)."),
    )
    run = await desk.done("What is the code in my notes?")
    assert run.stop_reason == "goal_achieved"
    assert "Look what there is" in str(desk.script.asked[1])


async def test_wrong_arguments_are_put_right(desk: Desk) -> None:
    desk.script = Script(
        call("change_record", op="create", kind="todo", fields={"task": "call mom", "priority": 99}),
        call("change_record", op="create", kind="todo", fields={"task": "call mom", "priority": "high"}),
        finish(),
    )
    run = await desk.done("Remind me to call mom, it is urgent")
    assert [todo["priority"] for todo in await desk.stored("todo")] == ["high"]
    assert len((run.result or {})["done"]) == 1


async def test_tasks_are_found_and_completed(desk: Desk) -> None:
    desk.script = Script(call("change_record", op="create", kind="todo", fields={"task": "pay rent"}), finish())
    await desk.done()
    [todo] = await desk.stored("todo")
    desk.script = Script(
        call("list_records", kind="todo"),
        call("change_record", op="complete", kind="todo", record_id=todo["id"]),
        finish("The rent is paid."),
    )
    assert (await desk.done("Tick off what I paid")).stop_reason == "goal_achieved"
    assert [one["status"] for one in await desk.stored("todo")] == ["done"]


async def test_a_page_that_the_user_named_is_read_without_a_question(desk: Desk) -> None:
    pages = Pages()
    desk.more = WebTools(pages, pages, "").tools()
    desk.script = Script(call("fetch_page", url="https://good.example/"), finish("It says nothing of use."))
    assert (await desk.done("Summarise good.example")).stop_reason == "goal_achieved"
    assert pages.called == ["https://good.example/"]


async def test_a_plan_is_made_ranked_and_replaced_where_it_does_not_hold(desk: Desk) -> None:
    put(desk, b="found")
    steps = [{"intent": "read it", "fallback": "list the folder"}]
    plans = [
        {"title": "by search", "priority": 2, "steps": steps, "risks": []},
        {"title": "by name", "priority": 5, "steps": steps, "risks": ["a wrong name"]},
    ]
    desk.script = Script(
        Thought("", [ToolCall("make_plan", {"candidates": plans})]),
        *[call("read_file", path=f"{number}.txt") for number in range(3)],
        call("read_file", path="b.txt"),
        finish("found"),
    )
    run = await desk.done("Find the file and read it", planner="plan_first")
    assert run.stop_reason == "goal_achieved"
    assert "The plan: by name" in desk.script.asked[1][0]["content"]
    assert "a wrong name" in desk.script.asked[1][0]["content"]
    assert "The plan: by search" in desk.script.asked[-1][0]["content"]


def looked_back(verdict: str) -> Thought:
    causes = [
        {"cause": "it is slow", "likelihood": 1, "prevention": "wait"},
        {"cause": "the wrong one is deleted", "likelihood": 5, "prevention": "read it first"},
    ]
    return Thought("", [ToolCall("look_back", {"causes": causes, "verdict": verdict})], tokens=7)


async def test_a_plan_that_deletes_passes_a_pre_mortem_before_its_first_step(desk: Desk) -> None:
    put(desk, old="1")
    steps = [{"intent": "delete it", "tool": "delete_file"}]
    plans = [{"title": "by name", "priority": 5, "steps": steps}, {"title": "by age", "priority": 1, "steps": steps}]
    desk.script = Script(
        Thought("", [ToolCall("make_plan", {"candidates": plans})], tokens=5),
        looked_back("give_up"),
        looked_back("keep"),
        call("read_file", path="old.txt"),
        finish("It is still needed."),
    )
    run = await desk.done("Tidy up what is old", planner="plan_first")
    assert run.stop_reason == "goal_achieved"
    assert run.usage["tokens"] == 5 + 7 + 7 + 10 + 10
    assert "by name" in desk.script.asked[1][0]["content"]
    assert "by age" in desk.script.asked[2][0]["content"]
    shown = desk.script.asked[3][0]["content"]
    assert "The plan: by age" in shown
    assert shown.index("read it first") < shown.index("Therefore: wait")
    [plan] = [one.data["plan"] for one in await desk.trace(run.id) if "plan" in one.data]
    assert plan["premortem"][0] == {"cause": "the wrong one is deleted", "prevention": "read it first"}


async def test_a_pre_mortem_that_cannot_be_read_changes_nothing(desk: Desk) -> None:
    put(desk, old="1")
    plan = {"title": "by name", "steps": [{"intent": "delete it", "tool": "delete_file"}]}
    desk.script = Script(
        Thought("", [ToolCall("make_plan", {"candidates": [plan]})]), Thought("All is well.", []), finish()
    )
    run = await desk.done("Tidy up what is old", planner="plan_first")
    assert run.stop_reason == "goal_achieved"
    assert len(desk.script.asked) == 3


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("todo", call("change_record", op="create", kind="todo", fields={"task": "call mom"})),
        ("note", call("store_memory", text="mom is at home on Sundays")),
    ],
)
async def test_a_standing_instruction_binds_a_run_as_well(desk: Desk, kind: Kind, wanted: Thought) -> None:
    about = {"todo": "tasks", "note": "notes"}[kind]
    desk.script = Script(
        call("change_record", op="create", kind="instruction", fields={"text": f"always ask me before adding {about}"}),
        finish(),
    )
    first = await desk.start()
    await desk.work_off()
    await desk.decide(first, "approved")
    desk.script = Script(wanted, finish())
    run = await desk.done("Do that")
    assert await desk.stored(kind) == []
    assert (run.result or {})["done"] == []
    assert "you want to be asked first" in str(desk.script.asked[-1])


async def test_free_times_beside_a_clash_are_in_the_users_working_hours(desk: Desk) -> None:
    hours = {"working_start": "14:00", "working_end": "16:00"}
    await Users(desk.database).update_settings(desk.user, {"conventions": hours})
    at = {"start": "2027-05-03T14:00:00+01:00", "end": "2027-05-03T15:00:00+01:00"}
    booked = [call("change_record", op="create", kind="event", fields={"title": title, **at}) for title in ("A", "B")]
    desk.script = Script(*booked, finish())
    await desk.done("Book A and B")
    assert "2027-05-03T14:00:00" in str(desk.script.asked[-1])
    told = re.findall(r'"free_instead": (\[.*?\])', str(desk.script.asked[-1][-1]["content"]))
    begins = [datetime.fromisoformat(one.split(" to ")[0]) for one in json.loads(told[0])]
    assert [f"{one.astimezone(ZoneInfo(LISBON)):%a %H:%M}" for one in begins] == ["Mon 15:00", "Tue 14:00", "Tue 15:00"]


async def test_a_change_of_a_run_is_taken_back_by_another(desk: Desk) -> None:
    desk.script = Script(call("store_memory", text="the spare key is at mom's"), finish())
    await desk.done()
    assert len(await desk.stored("note")) == 1
    async with desk.database.tenant(desk.user) as conn:
        [row] = await (await conn.execute("select id from changes where user_id = %s", (desk.user,))).fetchall()
    desk.script = Script(call("undo_change", change_id=str(row["id"])), finish())
    assert (await desk.done("Undo that")).stop_reason == "goal_achieved"
    assert await desk.stored("note") == []


async def test_what_was_changed_as_one_is_taken_back_as_one(desk: Desk) -> None:
    ledger = PostgresLedger(desk.database)
    wanted = [
        Proposal(op="create", kind="note", fields={"content": "a shelf", "category": "idea"}, group="g"),
        Proposal(op="create", kind="todo", fields={"task": "build a shelf"}, group="g"),
    ]
    batch = Batch(user_id=str(desk.user), origin=str(uuid4()), agent="x", proposals=wanted, at=NOW, timezone=LISBON)
    _, task = await ledger.apply(batch)
    desk.script = Script(call("undo_change", change_id=task.id), finish())
    await desk.done("Undo that")
    assert (await desk.stored("todo"), await desk.stored("note")) == ([], [])


async def test_old_files_are_deleted_after_a_yes(desk: Desk) -> None:
    put(desk, old="1", new="2")
    desk.script = Script(call("delete_file", path="old.txt"), finish("One file is deleted."))
    run_id = await desk.start("Delete old.txt")
    await desk.work_off()
    run = await desk.decide(run_id, "approved")
    assert run.stop_reason == "goal_achieved"
    assert [path.name for path in desk.files.iterdir()] == ["new.txt"]


async def test_a_report_from_several_files(desk: Desk) -> None:
    put(desk, jan="10", feb="20")
    desk.script = Script(
        call("find_files", pattern="*.txt"),
        call("read_file", path="jan.txt"),
        call("read_file", path="feb.txt"),
        call("write_file", path="report.md", content="30 in all (jan.txt, feb.txt)"),
        finish("30 in all."),
    )
    assert (await desk.done("Write a report of the months")).stop_reason == "goal_achieved"
    assert (desk.files / "report.md").read_text() == "30 in all (jan.txt, feb.txt)"

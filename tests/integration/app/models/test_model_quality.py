"""The benchmark of models: what it replays is used, and its judge tells right from wrong and who was wrong."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from app.database.database import Database
from tests.support.fakes import ScriptedModelServer
from tests.support.model_quality.endpoint import Asked, Endpoint, label_of, read_answers
from tests.support.model_quality.judge import Verdict, in_language, judged
from tests.support.model_quality.names import Names
from tests.support.model_quality.stage import Played, stage_at
from tests.support.model_quality.turns import FOLDER, cases

PARTS = 4
"""The recorded turns are played in so many cases, which may run side by side."""
RENAMED = {
    "calls": [{"name": "update_event", "args": {"id": "{id of: lunch with brian}", "title": "Lunch with Bryan"}}]
}
MOVED = {"start": "2026-04-17T14:00:00Z", "end": "2026-04-17T15:00:00Z", "title": "Coffee with Nadia"}


def played(name: str, changes: Sequence[dict[str, Any]] = (), *answers: Any, **values: Any) -> Played:
    (case,) = cases([name])
    asked = [Asked("call", {}, answer, 1, 1) for answer in answers]
    told = {"disposition": "dispatch", "reply": "Done.", "question": None, **values}
    return Played(case, case.turns[-1], changes=list(changes), asked=asked, ms=1.0, usage={}, **told)


def row(op: str, kind: str, status: str = "applied", **after: Any) -> dict[str, Any]:
    title = after.get("task") or after.get("title") or ""
    return {"op": op, "kind": kind, "status": status, "title": title, "fields": after, "before": None, "after": after}


def test_the_turns_are_a_hundred_and_forty_and_each_has_its_expectation() -> None:
    turns = [turn for case in cases() for turn in case.turns]
    assert len({turn.name for turn in turns}) == len(turns) == 140
    assert sum(len(case.turns) for case in cases(["conversations"])) == 60
    assert all("changes" in turn.expect or "at_least" in turn.expect for turn in turns)


def test_conversations_begin_with_full_accounts() -> None:
    for case in cases(["conversations"]):
        assert 25 <= len(case.stored()) <= 60
        assert 4 <= len(case.turns) <= 6


def test_a_turn_is_right_when_its_changes_are() -> None:
    assert judged(played("fix-friday", [row("update", "event", **MOVED)])) == Verdict("right")


@pytest.mark.parametrize(
    ("answer", "cause"), [("2026-04-17T10:00 to 2026-04-17T11:00", "code"), ("2026-04-18T10:00", "model")]
)
def test_a_wrong_change_is_blamed_on_who_made_it(answer: str, cause: str) -> None:
    late = {**MOVED, "start": "2026-04-18T14:00:00Z", "end": "2026-04-18T15:00:00Z"}
    said = {"calls": [{"name": "create_event", "args": {"start": answer}}]}
    verdict = judged(played("fix-friday", [row("update", "event", **late)], said))
    assert (verdict.result, verdict.cause) == ("wrong change", cause)


def test_a_wrong_change_without_a_model_is_the_codes() -> None:
    verdict = judged(played("mood-orgo", [row("create", "todo", task="orgo")]))
    assert (verdict.result, verdict.cause) == ("wrong change", "code")


def test_what_waits_for_an_answer_is_held_and_what_was_dropped_is_refused() -> None:
    waiting = row("update", "event", "needs_confirmation", **MOVED)
    assert judged(played("fix-friday", [waiting])).result == "held"
    assert judged(played("fix-friday", question="Which Friday?")).result == "held"
    assert judged(played("fix-friday")).result == "refused"


def test_an_answer_that_says_nothing_is_refused() -> None:
    assert judged(played("general-sky", disposition="reply", reply="I can't help with that.")).result == "refused"
    told = "Air molecules scatter blue light more than red, so it comes from every side."
    assert judged(played("general-sky", disposition="reply", reply=told)).result == "right"


def test_a_plan_is_added_by_enough_changes() -> None:
    rows = [row("create", "todo", task=f"step {number}") for number in range(3)]
    assert judged(played("plan-party", rows)).result == "right"
    assert judged(played("plan-party", rows[:2])).result == "refused"
    assert judged(played("plan-party", [*rows, row("delete", "todo", task="taxes")])).result == "wrong change"


def test_the_language_of_a_reply_is_known_by_its_words() -> None:
    assert in_language("„Miete überweisen“ hinzugefügt, fällig am Freitag, 8. Mai.", "de")
    assert not in_language("Added “die Miete für den Mai” to your tasks.", "de")


def test_ids_are_shown_by_title_and_filled_in_again() -> None:
    names = Names({"3f9c1a2b-7d4e": "Lunch with Brian"}, {"9e8d7c6b-aa": "Dentist"})
    prompt = "3f9c1a2b: Lunch; 9e8d7c6b-aa: update"
    assert names.hidden(prompt) == "{id of: Lunch with Brian}: Lunch; {change of: Dentist}: update"
    said = {"ids": ["{id of: brian}", "{change of: Dentist}"]}
    assert names.filled(said, prompt) == {"ids": ["3f9c1a2b", "9e8d7c6b-aa"]}


@pytest.mark.parametrize(
    ("body", "label"),
    [
        ({"tools": [{"function": {"name": name}} for name in ("create_task", "undo")]}, "turn"),
        ({"tools": [{"function": {"name": "PatchFunctionErrors"}}]}, "repair"),
        ({"response_format": {"json_schema": {"name": "calls"}}}, "turn"),
        ({}, "answer"),
    ],
)
def test_a_call_is_known_by_the_tools_it_offers(body: dict[str, Any], label: str) -> None:
    assert label_of(body) == label


async def test_recorded_answers_become_changes_and_prompts_are_dumped(database: Database, tmp_path: Path) -> None:
    answers = {"fix-bryan.turn.1": RENAMED}
    (case,) = cases(["fix-bryan"])
    with ScriptedModelServer() as server:
        endpoint = Endpoint(answers=answers, dump=tmp_path)
        endpoint.serve(server)
        models = {"llm_base_url": server.base_url, "llm_model": "recorded"}
        async with stage_at(database, endpoint, tmp_path / "data", models) as stage:
            done = [one async for one in stage.play(case)]
    assert [judged(one).result for one in done] == ["right"]
    dumped = json.loads((tmp_path / "fix-bryan.turn.1.json").read_text())
    assert "{id of: Lunch with Brian}" in json.dumps(dumped["messages"])


def test_answers_are_read_from_a_folder_or_from_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.turn.1.json").write_text(json.dumps(RENAMED))
    one = tmp_path / "answers.jsonl"
    one.write_text(json.dumps({"call": "a.turn.1", **RENAMED}) + "\n")
    assert read_answers(tmp_path) == read_answers(one) == {"a.turn.1": RENAMED}


@pytest.mark.parametrize("part", range(PARTS))
async def test_the_recorded_answers_come_out_right_with_one_call_each(
    part: int, database: Database, tmp_path: Path
) -> None:
    wrong, calls, turns = list[str](), 0, 0
    with ScriptedModelServer() as server:
        endpoint = Endpoint(answers=read_answers(FOLDER / "answers.jsonl"))
        endpoint.serve(server)
        models = {"llm_base_url": server.base_url, "llm_model": "recorded"}
        async with stage_at(database, endpoint, tmp_path / "data", models) as stage:
            for case in cases()[part::PARTS]:
                async for one in stage.play(case):
                    verdict = judged(one)
                    wrong += [f"{one.turn.name}: {verdict}"] if verdict.result != "right" else []
                    calls, turns = calls + len(one.asked), turns + 1
    assert len(wrong) <= 0.05 * turns, wrong
    assert calls / turns <= 1.3

from __future__ import annotations

from typing import Any

import httpx
import pytest

from agents.conventions import Conventions
from tests.support.servers.api import problem

DEFAULTS = {
    "timezone": "Europe/Lisbon",
    "timezone_chosen": False,
    "conventions": Conventions().model_dump(mode="json"),
    "quiet_hours": None,
    "email": None,
    "language": "en",
    "run_user_info": False,
}


def test_settings_fall_back_to_the_defaults(alice: httpx.Client, bob: httpx.Client) -> None:
    assert alice.get("/v1/settings").json() == DEFAULTS
    tokyo = {**DEFAULTS, "timezone": "Asia/Tokyo", "timezone_chosen": True}
    assert alice.patch("/v1/settings", json={"timezone": "Asia/Tokyo"}).json() == tokyo
    assert alice.patch("/v1/settings", json={}).json() == tokyo
    assert bob.get("/v1/settings").json() == DEFAULTS
    assert alice.patch("/v1/settings", json={"timezone": None}).json() == DEFAULTS


def test_conventions_are_changed_one_by_one_and_given_back(alice: httpx.Client) -> None:
    first = alice.patch("/v1/settings", json={"conventions": {"week_start": "sunday", "evening": "18:30"}}).json()
    assert (first["conventions"]["week_start"], first["conventions"]["evening"]) == ("sunday", "18:30")
    second = alice.patch("/v1/settings", json={"conventions": {"business_holidays": "pt", "evening": "19:00"}}).json()
    stated = {"week_start": "sunday", "business_holidays": "PT"}
    assert second["conventions"] == {**DEFAULTS["conventions"], **stated}  # type: ignore[dict-item]
    assert alice.get("/v1/settings").json() == second
    assert alice.patch("/v1/settings", json={"conventions": None}).json() == DEFAULTS


def test_replies_tell_the_time_in_the_chosen_form(alice: httpx.Client, bob: httpx.Client) -> None:
    assert alice.patch("/v1/settings", json={"conventions": {"clock": "12h"}}).status_code == 200
    said = {"text": "book the dentist for 3 may 2030 at 3pm"}
    assert "3:00 pm-4:00 pm" in alice.post("/v1/turns", json=said).json()["reply"]
    assert "15:00-16:00" in bob.post("/v1/turns", json=said).json()["reply"]
    problem(alice.patch("/v1/settings", json={"conventions": {"clock": "13h"}}), 422)


def test_working_hours_are_checked_against_those_that_are_kept(alice: httpx.Client) -> None:
    late = {"working_start": "12:00", "working_end": "21:00", "working_days": ["sunday", "monday", "sunday"]}
    kept = alice.patch("/v1/settings", json={"conventions": late}).json()["conventions"]
    assert kept["working_days"] == ["monday", "sunday"]
    assert alice.patch("/v1/settings", json={"conventions": {"working_start": "19:00"}}).status_code == 200
    problem(alice.patch("/v1/settings", json={"conventions": {"working_end": "18:00"}}), 422)
    assert alice.get("/v1/settings").json()["conventions"]["working_end"] == "21:00"


def test_quiet_hours_may_go_over_midnight(alice: httpx.Client) -> None:
    hours = {"start": "22:00", "end": "07:00"}
    assert alice.patch("/v1/settings", json={"quiet_hours": hours}).json()["quiet_hours"] == hours
    assert alice.patch("/v1/settings", json={"quiet_hours": None, "email": None}).json()["quiet_hours"] is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"timezone": "Mars/Olympus"},
        {"timezone": ""},
        {"timezone": "America"},
        {"timezone": "UTC+1"},
        {"timezone": 7},
        {"conventions": {"evening": "25:00"}},
        {"conventions": {"evening": 19}},
        {"conventions": {"week_start": "tuesday"}},
        {"conventions": {"working_days": []}},
        {"conventions": {"working_days": None}},
        {"conventions": {"business_holidays": "XX"}},
        {"conventions": {"first_morning_hour": 0}},
        {"conventions": {"lunch": "12:00"}},
        {"conventions": "sunday"},
        {"quiet_hours": {"start": "22:00"}},
        {"quiet_hours": {"start": "22:00", "end": "22:00"}},
        {"colour": "blue"},
    ],
)
def test_a_wrong_setting_changes_nothing(alice: httpx.Client, wrong: dict[str, Any]) -> None:
    assert problem(alice.patch("/v1/settings", json={"timezone": "Asia/Tokyo", **wrong}), 422)["hint"]
    assert alice.get("/v1/settings").json() == DEFAULTS


@pytest.mark.parametrize(("said", "kept"), [("PT-br", "pt-BR"), ("zh-hant-tw", "zh-Hant-TW"), ("es-419", "es-419")])
def test_the_language_is_a_tag_in_its_usual_case(alice: httpx.Client, said: str, kept: str) -> None:
    assert alice.patch("/v1/settings", json={"language": said}).json()["language"] == kept
    assert alice.get("/v1/settings").json()["language"] == kept
    assert alice.patch("/v1/settings", json={"language": None}).json()["language"] == "en"


@pytest.mark.parametrize("wrong", ["", "english", "p", "pt_BR", "pt-B", 7])
def test_a_language_that_is_none_is_refused(alice: httpx.Client, wrong: Any) -> None:
    document = problem(alice.patch("/v1/settings", json={"language": wrong}), 422)
    assert "language" in str(document["errors"])


def test_runs_keep_what_they_learn_of_a_user_only_if_that_is_wanted(alice: httpx.Client) -> None:
    assert alice.patch("/v1/settings", json={"run_user_info": True}).json()["run_user_info"] is True
    problem(alice.patch("/v1/settings", json={"run_user_info": "yes"}), 422)
    assert alice.patch("/v1/settings", json={"run_user_info": None}).json() == DEFAULTS


def test_a_zone_is_chosen_or_the_servers(alice: httpx.Client) -> None:
    assert alice.get("/v1/settings").json()["timezone_chosen"] is False
    assert alice.patch("/v1/settings", json={"timezone": "America/Lima"}).json()["timezone_chosen"] is True
    back = alice.patch("/v1/settings", json={"timezone": None}).json()
    assert back["timezone_chosen"] is False
